/* glm_folds.c: the refits without every fold at one lambda, all folds of a block at once.
 *
 * A refit begins with the step of the fit's own quadratic model, in which it is that of squared
 * loss (glm_fold_models.c), and goes on by steps of the same model from the gradients of all folds,
 * two products of m x n by n x folds, until its certificate is good enough. A fold that is done
 * drops out. Where steps stop falling, or fall so slowly that Newton steps of the fold's own cost
 * less, the fold is finished by those (glm_newton.c), from where J is lowest: here, at the fit, or
 * at b = 0. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "glm_folds.h"
#include "linalg.h"
#include "vector.h"

#define MOST_STEPS 200

/* Steps that fall by more than this are never slow. */
#define FALL 0.5

/* ---- rows of a fold ------------------------------------------------------------------------- */

static void enter_fold(folds_work *w, const fold *f)
{
    for (size_t i = 0; i < f->h; i++)
        w->p.weights[f->rows[i]] = 0;
    for (size_t a = 0; a < f->s; a++) {
        const size_t to = (size_t) f->twin_of[a], from = (size_t) f->twins[a];
        w->p.y[to] = w->all->y[from];
        w->p.offset[to] = w->all->offset[from];
        w->p.weights[to] = w->all->weights[from];
    }
}

static void quit_fold(folds_work *w, const fold *f)
{
    for (size_t i = 0; i < f->h; i++)
        w->p.weights[f->rows[i]] = w->all->weights[f->rows[i]];
    for (size_t a = 0; a < f->s; a++) {
        const size_t to = (size_t) f->twin_of[a];
        w->p.y[to] = w->all->y[to];
        w->p.offset[to] = w->all->offset[to];
    }
}

/* ---- columns ----------------------------------------------------------------------------------
 */

/* The columns of `step` times L^-1 (trans 'N') or L^-T of their models, those of one factor at
 * once. */
static void solve_columns(folds_work *w, char trans)
{
    const size_t n = w->p.r->n;
    for (size_t k = 0, some; k < w->columns; k += some) {
        const curvature *of = w->states[w->column[k]].model.of;
        for (some = 1; k + some < w->columns; some++)
            if (w->states[w->column[k + some]].model.of != of)
                break;
        solve_lower_left(trans, n, some, of->factor, n, w->step + k * n, n);
    }
}

/* Column k becomes column `to`, which is not behind it. */
static void keep_column(folds_work *w, size_t k, size_t to)
{
    const size_t n = w->p.r->n;
    if (k == to)
        return;
    w->column[to] = w->column[k];
    memcpy(w->now + to * n, w->now + k * n, n * sizeof(double));
    memcpy(w->step + to * n, w->step + k * n, n * sizeof(double));
}

/* b of column k after its step of the model; step0 is that of b0 but for the mean's part. */
static void move_column(folds_work *w, size_t k, double step0)
{
    const size_t n = w->p.r->n;
    refit_state *state = w->states + w->column[k];
    const double *step = w->step + k * n;
    if (w->p.r->intercept)
        state->b0 += step0 - dot(n, state->model.of->mean, step);
    add_multiple(n, 1, step, w->now + k * n);
    project(n, state->f->e, state->directions, 1, w->now + k * n);
    state->steps++;
}

/* ---- ends of a refit --------------------------------------------------------------------------
 */

static double largest_norm(const folds_work *w, const fold *f)
{
    double largest = 0;
    for (size_t i = 0; i < f->h; i++)
        largest = fmax(largest, w->p.norms[f->rows[i]]);
    return largest;
}

/* The largest error of a prediction of rows that leave, by the distance of b. */
static double held_out_error(const folds_work *w, const refit_state *state, double distance,
                             const double *b)
{
    return certified_error(&w->p, distance, largest_norm(w, state->f), b, &state->lost);
}

static void store(folds_work *w, const refit_state *state, const double *b, int own, int status)
{
    const size_t n = w->p.r->n, i = state->index;
    const fold *f = state->f;
    glm_refits *to = w->to;
    if (to->b)
        memcpy(to->b + i * n, b, n * sizeof(double));
    for (size_t a = 0; a < f->h; a++)
        to->prediction[state->start + a] += state->b0;
    to->b0[i] = state->b0;
    to->distance[i] = state->distance;
    to->error[i] = state->error;
    to->steps[i] = state->steps;
    to->own[i] = own;
    to->status[i] = status;
}

/* J at b, which becomes orthogonal to the fold's directions. */
static double objective_at(folds_work *w, const refit_state *state, double *b, double *b0)
{
    const ridge *r = w->p.r;
    glm_work *at = &w->newton;
    project(r->n, state->f->e, state->directions, 1, b);
    gemv('T', r->n, r->m, 1, r->z, r->n, b, 0, at->value);
    if (!all_finite(b, r->n) || settle(&w->p, at->value, b0, at->score, at->weight) != SR_OK)
        return INFINITY;
    const double found = objective(&w->p, at->value, *b0, b);
    return isnan(found) ? INFINITY : found;
}

/* b and b0 become those of `fit` (NULL: b = 0 and its best b0) if J is lower there than `here`; the
 * lesser J. */
static double lower_start(folds_work *w, refit_state *state, const double *fit, double here,
                          double *b)
{
    const size_t n = w->p.r->n;
    double *at = w->newton.gradient, at0 = w->b0;
    memset(at, 0, n * sizeof(double));
    if (fit)
        memcpy(at, fit, n * sizeof(double));
    const double there = objective_at(w, state, at, &at0);
    if (!(there < here))
        return here;
    memcpy(b, at, n * sizeof(double));
    state->b0 = at0;
    return there;
}

/* The refit by Newton steps of its own, from b or, where J is lower there, from the fit or from
 * b = 0. */
static void finish_alone(folds_work *w, refit_state *state, double *b)
{
    const fold *f = state->f;
    glm_found found = {INFINITY, {0, 0, 0}, 0};
    enter_fold(w, f);
    double best = objective_at(w, state, b, &state->b0);
    best = lower_start(w, state, w->b, best, b);
    lower_start(w, state, NULL, best, b);
    const int status =
        glm_newton(&w->p, state->directions, f->e, b, &state->b0, &w->newton, &found);
    for (size_t a = 0; a < f->h; a++)
        w->to->prediction[state->start + a] = w->newton.value[f->rows[a]];
    state->steps += found.steps;
    state->lost = found.lost;
    state->error = held_out_error(w, state, found.distance, b);
    if (status == SR_OK && state->error > w->p.tolerance * w->p.spread)
        state->error = fmin(state->error, sharp_error(&w->p, state->directions, f->e, f->rows, f->h,
                                                      largest_norm(w, f), b, &w->newton, &found));
    state->distance = found.distance;
    quit_fold(w, f);
    store(w, state, b, 1, status);
}

/* ---- the steps of a block ---------------------------------------------------------------------
 */

/* The first step of every fold, from the fit. Those whose model fails go on alone. */
static void first_steps(folds_work *w)
{
    const size_t n = w->p.r->n;
    double *gradient0 = w->rows, *step0 = w->rows + w->columns;
    for (size_t k = 0; k < w->columns; k++) {
        const refit_state *state = w->states + k;
        gradient0[k] = fold_gradient(w, state->f, w->step + k * n);
        add_multiple(n, -gradient0[k], state->model.of->mean, w->step + k * n);
        memcpy(w->now + k * n, w->b, n * sizeof(double));
    }
    solve_columns(w, 'N');
    for (size_t k = 0; k < w->columns; k++) {
        const refit_state *state = w->states + k;
        double *gap = w->newton.gradient;
        if (state->f->e > 0)
            gemv('T', n, state->f->e, 1, state->directions, n, w->b, 0, gap);
        if (state->fine)
            chord_step(w->p.r, &state->model, gradient0[k], state->f->e > 0 ? gap : NULL,
                       w->step + k * n, step0 + k, w->u);
    }
    solve_columns(w, 'T');
    size_t kept = 0;
    for (size_t k = 0; k < w->columns; k++) {
        if (w->states[k].fine && all_finite(w->step + k * n, n)) {
            move_column(w, k, step0[k]);
            keep_column(w, k, kept++);
        } else
            finish_alone(w, w->states + k, w->now + k * n);
    }
    w->columns = kept;
}

/* The most that a linear predictor of a row that trains is from that of the fit. */
static double largest_move(const folds_work *w, const double *value, double by0)
{
    double most = 0;
    for (size_t i = 0; i < w->p.r->m; i++) {
        const double move = fabs(value[i] - w->value[i] + by0);
        if (w->p.weights[i] > 0 && move > most)
            most = move;
    }
    return most;
}

/* Scores of all columns over `rows`, and gradients over `step`; what fails is finished alone. */
static void block_gradients(folds_work *w)
{
    const ridge *r = w->p.r;
    const size_t m = r->m, n = r->n;
    size_t kept = 0;
    gemm('T', 'N', m, w->columns, n, 1, r->z, n, w->now, n, 0, w->rows, m);
    for (size_t k = 0; k < w->columns; k++) {
        refit_state *state = w->states + w->column[k];
        double *value = w->rows + k * m, *score = w->rows + kept * m;
        double *b = w->now + k * n, *scores = w->newton.score, *weight = w->newton.weight;
        for (size_t a = 0; a < state->f->h; a++)
            w->to->prediction[state->start + a] = value[state->f->rows[a]];
        enter_fold(w, state->f);
        const int status = settle(&w->p, value, &state->b0, scores, weight);
        if (status == SR_OK)
            state->lost = rounding_at(&w->p, scores, weight, b, state->b0);
        state->moved = largest_move(w, value, state->b0 - w->b0);
        quit_fold(w, state->f);
        if (status == SR_OK) {
            memcpy(score, scores, m * sizeof(double));
            keep_column(w, k, kept++);
        } else
            finish_alone(w, state, b);
    }
    w->columns = kept;
    memcpy(w->step, w->now, n * kept * sizeof(double));
    gemm('N', 'N', n, kept, m, 1, r->z, n, w->rows, m, w->p.lambda, w->step, n);
}

/* Folds whose certificate is good enough are done. */
static void drop_finished(folds_work *w)
{
    const size_t n = w->p.r->n;
    size_t kept = 0;
    for (size_t k = 0; k < w->columns; k++) {
        refit_state *state = w->states + w->column[k];
        double *gradient = w->step + k * n;
        const double *b = w->now + k * n;
        project(n, state->f->e, state->directions, 1, gradient);
        const double length = sqrt(dot(n, gradient, gradient));
        state->rounded = length <= state->lost.gradient;
        state->distance = certified_distance(&w->p, length, &state->lost, b);
        state->error = held_out_error(w, state, state->distance, b);
        if (state->error <= w->p.tolerance * w->p.spread)
            store(w, state, b, 0, SR_OK);
        else
            keep_column(w, k, kept++);
    }
    w->columns = kept;
}

/* Whether Newton steps of the fold's own are the shorter way. */
static int too_slow(const folds_work *w, const refit_state *state, double decrement)
{
    if (!(decrement <= state->decrement))
        return 1;
    const double fall = sqrt(decrement / state->decrement);
    if (fall <= FALL)
        return 0;
    const double m = (double) w->p.r->m, n = (double) w->p.r->n;
    const double left = log(w->p.tolerance * w->p.spread / state->error) / log(fall);
    return left * (4 * m * n + 2 * n * n) > 2 * (m * n * n + n * n * n / 3);
}

/* The sharper bound, which is used where it says more. A factor of the fold's own comes without the
 * lengths of rows that leave, and they are dear: only where nothing else is to come. */
static void sharpen(folds_work *w, refit_state *state, double decrement, const double *b)
{
    const curvature *of = state->model.of;
    const int own = of != &w->curve;
    if (own && !state->rounded)
        return;
    if (own)
        state->leverage = largest_leverage(&w->p, of, state->f->rows, state->f->h, &w->block);
    const double distance =
        sharp_distance(&w->p, of, state->inverse, state->moved, decrement, &state->lost);
    const double error = sqrt(state->leverage) * distance + held_out_error(w, state, 0, b);
    state->distance = fmin(state->distance, distance / sqrt(w->p.lambda));
    state->error = fmin(state->error, error);
}

static void next_steps(folds_work *w)
{
    const size_t n = w->p.r->n;
    double *step0 = w->rows;
    size_t kept = 0;
    solve_columns(w, 'N');
    for (size_t k = 0; k < w->columns; k++) {
        refit_state *state = w->states + w->column[k];
        double by0;
        const double decrement =
            chord_step(w->p.r, &state->model, 0, NULL, w->step + k * n, &by0, w->u);
        sharpen(w, state, decrement, w->now + k * n);
        if (state->rounded || state->error <= w->p.tolerance * w->p.spread)
            store(w, state, w->now + k * n, 0, SR_OK);
        else if (state->steps < MOST_STEPS && !too_slow(w, state, decrement)) {
            state->decrement = decrement;
            step0[kept] = by0;
            keep_column(w, k, kept++);
        } else
            finish_alone(w, state, w->now + k * n);
    }
    w->columns = kept;
    solve_columns(w, 'T');
    for (size_t k = 0; k < w->columns; k++)
        move_column(w, k, step0[k]);
}

int glm_leave_out(glm *p, holdout_request *request, const double *b, double b0, glm_refits *to,
                  memory from)
{
    int status =
        constrain_folds(p->r, request->folds, request->count, request->spanned, request->d, from);
    if (status != SR_OK)
        return status;
    folds_work w = new_folds_work(p, request, b, from);
    w.to = to;
    status = look_at_fit(&w, p, b0);
    size_t start = 0, count;
    block_size size;
    for (size_t i = 0; i < request->count && status == SR_OK; i += count) {
        count = next_block(p->r, request, i, &size);
        begin_block(&w, i, count, start);
        first_steps(&w);
        while (w.columns > 0) {
            block_gradients(&w);
            drop_finished(&w);
            next_steps(&w);
            R_CheckUserInterrupt();
        }
        for (size_t k = i; k < i + count; k++)
            start += request->folds[k].h;
    }
    return status;
}
