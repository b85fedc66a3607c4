/* glm_folds.c: the refits without every fold at one lambda, all folds of a block at once.
 *
 * Every refit is a column: of b, n x folds, and of linear predictors and scores, m x folds, so that
 * the gradients of all of them are two products with Z. A refit begins at a start that is given, or
 * with a step from the fit, whose gradient without the fold takes the fold's rows alone; it goes on
 * by steps of the fit's curvature less the fold's rows (glm_steps.c) until its certificate is good
 * enough, which it may be before the gradient after a step is known. With linear predictors at most
 * x from those at which the curvature H was taken, before a step d that moves no row by more than
 * y, weights on the way are at most H times e^x e^(ty), and what the step leaves of the gradient is
 * at most
 *
 *     what the model leaves + (int_0^1 e^(x + ty) dt - 1) |d|
 *
 * in the metric of the inverse. A column that is done drops out. Where folds are large, or steps
 * stop falling fast, those that follow, at smaller lambdas too, are Newton's, with the weights of
 * each column; where these do not fall by half, a fold is finished by damped steps of its own
 * (glm_newton.c), from where J is lowest: here, at the fit, or at b = 0; and so is one whose
 * gradient is rounding, for the sake of a sharper bound. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "glm.h"
#include "linalg.h"
#include "vector.h"

#define MOST_STEPS 200

/* Steps whose lengths fall below this share are not slow: of the fit's curvature, Newton's. */
#define FALL 0.3
#define NEWTON_FALL 0.5

/* Column k becomes column `to`, which is not behind it. */
static void keep_column(folds_work *w, size_t k, size_t to)
{
    const size_t n = w->p.r->n;
    if (k == to)
        return;
    w->column[to] = w->column[k];
    memcpy(w->now + to * n, w->now + k * n, n * sizeof(double));
    memcpy(w->gradients + to * n, w->gradients + k * n, n * sizeof(double));
    if (w->exact)
        memcpy(w->weights + to * w->p.r->m, w->weights + k * w->p.r->m, w->p.r->m * sizeof(double));
}

static void store(folds_work *w, const refit_state *state, const double *b, int own, int status)
{
    const size_t n = w->p.r->n, i = state->index;
    glm_refits *to = w->to;
    if (to->b)
        memcpy(to->b + i * n, b, n * sizeof(double));
    for (size_t a = 0; a < state->f->h; a++)
        to->prediction[state->start + a] += state->b0;
    to->b0[i] = state->b0;
    to->distance[i] = state->distance;
    to->error[i] = state->error;
    to->steps[i] = state->steps;
    to->own[i] = own;
    to->status[i] = status;
}

/* The refit by Newton steps of its own, from b or, where J is lower there, from the fit or from
 * b = 0. */
static void finish_alone(folds_work *w, refit_state *state, double *b)
{
    const fold *f = state->f;
    const size_t n = w->p.r->n;
    glm_work *own = &w->newton;
    glm_found found = {INFINITY, INFINITY, {0, 0, 0}, 0};
    double *at = own->to, best;
    enter_fold(w, f);
    own->curve.lambda = 0;
    best = objective_at(&w->p, state->directions, f->e, b, &state->b0, own);
    for (int zero = 0; zero < 2; zero++) {
        double at0 = w->b0;
        if (zero)
            memset(at, 0, n * sizeof(double));
        else
            memcpy(at, w->b, n * sizeof(double));
        const double there = objective_at(&w->p, state->directions, f->e, at, &at0, own);
        if (!(there < best))
            continue;
        best = there;
        memcpy(b, at, n * sizeof(double));
        state->b0 = at0;
    }
    const int status = glm_newton(&w->p, state->directions, f->e, b, &state->b0, own, &found);
    for (size_t a = 0; a < f->h; a++)
        w->to->prediction[state->start + a] = own->value[f->rows[a]];
    if (status == SR_OK && found.error > w->p.tolerance * w->p.spread)
        sharpen(&w->p, state->directions, f->e, f->rows, f->h, held_norm(w, f), b, state->b0, 0,
                own, &found);
    state->steps += found.steps;
    state->distance = found.distance;
    state->error = found.error;
    quit_fold(w, f);
    store(w, state, b, 1, status);
}

/* ---- gradients -------------------------------------------------------------------------------
 */

/* The fit's gradient and its rounding, for refits that start there. */
static void gradient_of_fit(folds_work *w)
{
    const glm *p = w->all;
    const glm_work *fit = w->fit;
    for (size_t j = 0; j < p->r->n; j++)
        w->gradient[j] = p->lambda * w->b[j];
    add_rows(p->r, 1, fit->score, w->gradient);
    w->gradient0 = 0;
    for (size_t i = 0; i < p->r->m; i++)
        w->gradient0 += fit->score[i];
    w->lost = rounding_at(p, fit->score, fit->weight, w->b, w->b0);
    w->moved = largest_move(p, &fit->curve, fit->value, w->b0);
}

/* At the fit, whose rows that do not leave are as they are. */
static void gradients_at_fit(folds_work *w)
{
    const ridge *r = w->p.r;
    const size_t n = r->n;
    const glm_work *fit = w->fit;
    for (size_t k = 0; k < w->columns; k++) {
        refit_state *state = w->states + w->column[k];
        const fold *f = state->f;
        double *gradient = w->gradients + k * n, score, weight;
        memcpy(w->now + k * n, w->b, n * sizeof(double));
        memcpy(gradient, w->gradient, n * sizeof(double));
        state->b0 = w->b0;
        state->gradient0 = w->gradient0;
        state->lost = w->lost;
        state->moved = w->moved;
        enter_fold(w, f);
        for (size_t i = 0; i < f->h; i++) {
            const size_t row = (size_t) f->rows[i];
            const double eta = w->p.offset[row] + w->b0 + fit->value[row];
            w->p.loss->derivatives(1, w->p.y + row, w->p.weights + row, w->p.theta, &eta, &score,
                                   &weight);
            state->dropped[i] = fit->curve.weight[row] - weight;
            state->gradient0 += score - fit->score[row];
            add_multiple(n, score - fit->score[row], r->z + row * n, gradient);
        }
        quit_fold(w, f);
        if (!r->intercept)
            state->gradient0 = 0;
    }
}

/* At the columns; what fails is finished alone. */
static void gradients_here(folds_work *w)
{
    const ridge *r = w->p.r;
    const size_t m = r->m, n = r->n;
    size_t kept = 0;
    row_values(r, w->columns, w->now, w->rows);
    for (size_t k = 0; k < w->columns; k++) {
        refit_state *state = w->states + w->column[k];
        const fold *f = state->f;
        double *value = w->rows + k * m, *score = w->rows + kept * m, *b = w->now + k * n;
        double *scores = w->newton.score, *weight = w->newton.weight;
        for (size_t a = 0; a < f->h; a++)
            w->to->prediction[state->start + a] = value[f->rows[a]];
        enter_fold(w, f);
        const int status = settle(&w->p, value, &state->b0, scores, weight);
        if (status == SR_OK)
            state->lost = rounding_at(&w->p, scores, weight, b, state->b0);
        state->moved = largest_move(&w->p, &w->fit->curve, value, state->b0);
        state->gradient0 = 0;
        quit_fold(w, f);
        if (status == SR_OK) {
            for (size_t i = 0; i < f->h; i++)
                state->dropped[i] = w->fit->curve.weight[f->rows[i]] - weight[f->rows[i]];
            memcpy(score, scores, m * sizeof(double));
            keep_column(w, k, kept);
            memcpy(w->weights + kept++ * m, weight, m * sizeof(double));
        } else
            finish_alone(w, state, b);
    }
    w->columns = kept;
    for (size_t j = 0; j < n * kept; j++)
        w->gradients[j] = w->p.lambda * w->now[j];
    add_rows(r, kept, w->rows, w->gradients);
}

/* Columns whose gradient says enough are done. */
static void drop_finished(folds_work *w)
{
    const size_t n = w->p.r->n;
    size_t kept = 0;
    for (size_t k = 0; k < w->columns; k++) {
        refit_state *state = w->states + w->column[k];
        double *gradient = w->gradients + k * n;
        const double *b = w->now + k * n;
        project(n, state->f->e, state->directions, 1, gradient);
        const double length = sqrt(dot(n, gradient, gradient));
        state->rounded = length <= state->lost.gradient;
        state->distance = certified_distance(&w->p, length, &state->lost, b);
        state->error =
            certified_error(&w->p, state->distance, held_norm(w, state->f), b, &state->lost);
        if (state->error <= w->p.tolerance * w->p.spread)
            store(w, state, b, 0, SR_OK);
        else
            keep_column(w, k, kept++);
    }
    w->columns = kept;
}

/* ---- steps -----------------------------------------------------------------------------------
 */

/* The sharper bound of where the column is, and the bound of where its step leads. */
static double bounds(const folds_work *w, refit_state *state, const double *b, double *distance)
{
    const glm_lengths rows = lengths_of(w, state);
    const double held = certified_error(&w->p, 0, held_norm(w, state->f), b, &state->lost);
    const double asked = sqrt(rows.asked), length = sqrt(state->length);
    const double here =
        sharp_distance(&w->p, &rows, state->moved, sqrt(fabs(state->decrement)), &state->lost);
    state->distance = fmin(state->distance, here / sqrt(w->p.lambda));
    state->error = fmin(state->error, asked * here + held);
    *distance = sharp_distance(&w->p, &rows, state->moved + sqrt(rows.all) * length,
                               sqrt(state->rest) + bend_of(&rows, state) * length, &state->lost);
    return asked * *distance + held;
}

/* Whether steps have stopped falling fast. */
static int is_slow(const refit_state *state, double fall)
{
    return isfinite(state->previous) && !(state->decrement <= fall * fall * state->previous);
}

static void move_column(folds_work *w, size_t k)
{
    const size_t n = w->p.r->n;
    refit_state *state = w->states + w->column[k];
    double *b = w->now + k * n;
    if (w->p.r->intercept)
        state->b0 += state->along0;
    add_multiple(n, 1, w->step + k * n, b);
    project(n, state->f->e, state->directions, 1, b);
    state->steps++;
    state->previous = state->decrement;
}

/* Columns that are good enough, here or after their step, are done. */
static void take_steps(folds_work *w)
{
    const ridge *r = w->p.r;
    const size_t n = r->n;
    const double target = w->p.tolerance * w->p.spread;
    size_t kept = 0;
    int exact = w->exact;
    for (size_t k = 0; k < w->columns; k++) {
        refit_state *state = w->states + w->column[k];
        double *b = w->now + k * n, distance = INFINITY;
        const int slow = is_slow(state, w->exact ? NEWTON_FALL : FALL);
        const double after = state->fine ? bounds(w, state, b, &distance) : INFINITY;
        if (state->error <= target)
            store(w, state, b, 0, SR_OK);
        else if (after <= target && !state->rounded) {
            move_column(w, k);
            state->distance = distance / sqrt(w->p.lambda);
            state->error = after;
            for (size_t a = 0; a < state->f->h; a++)
                w->to->prediction[state->start + a] =
                    dot(n, r->z + (size_t) state->f->rows[a] * n, b);
            store(w, state, b, 0, SR_OK);
        } else if (state->fine && !state->rounded && state->steps < MOST_STEPS &&
                   !(slow && w->exact)) {
            exact = exact || slow;
            if (state->decrement <= state->previous)
                move_column(w, k);
            keep_column(w, k, kept++);
        } else
            finish_alone(w, state, b);
    }
    w->columns = kept;
    w->exact = exact;
}

/* ---- all blocks ------------------------------------------------------------------------------
 */

/* What all refits read of the fit. */
static void look_at_fit(folds_work *w, const double *b, double b0)
{
    const glm *p = w->all;
    w->b = b;
    w->b0 = b0;
    w->p.lambda = p->lambda;
    w->p.tolerance = p->tolerance;
    w->p.spread = p->spread;
    if (w->leverage)
        w->longest = largest_leverage(p->r, &w->fit->curve, NULL, p->r->m, w->leverage);
}

int leave_out(folds_work *w, const double *b, double b0, const double *start, const double *start0,
              glm_refits *to)
{
    const size_t n = w->p.r->n;
    size_t begin = 0, count, rows, directions;
    w->to = to;
    look_at_fit(w, b, b0);
    if (!start)
        gradient_of_fit(w);
    for (size_t i = 0; i < w->q->count; i += count) {
        count = next_block(w->p.r, w->q, i, &rows, &directions);
        const int status = begin_block(w, i, count, begin);
        if (status != SR_OK)
            return status;
        w->exact = start && (w->exact || w->large);
        if (start) {
            memcpy(w->now, start + i * n, n * count * sizeof(double));
            for (size_t k = 0; k < count; k++) {
                refit_state *state = w->states + k;
                state->b0 = start0[i + k];
                project(n, state->f->e, state->directions, 1, w->now + k * n);
            }
        } else {
            gradients_at_fit(w);
            column_steps(w, 1);
            take_steps(w);
        }
        while (w->columns > 0) {
            gradients_here(w);
            drop_finished(w);
            column_steps(w, 0);
            take_steps(w);
            R_CheckUserInterrupt();
        }
        begin += rows;
    }
    return SR_OK;
}
