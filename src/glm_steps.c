/* glm_steps.c: steps of all refits of a block, by conjugate gradients.
 *
 * With c = [z, 1] the model of a fold is the fit's curvature A less what the fold's rows lose,
 * A_f = A - sum_i d_i c_i c_i', d_i the weight H_i of row i in A less the one it has in the refit
 * (0, but for rows that are a twin's, see constraint.c), on the b that are orthogonal to what
 * removed basis vectors span. The intercept is eliminated: about the mean of z in A, with
 * k = sum_i d_i (z_i - mean) and W what is left of the sum of weights,
 *
 *     A_f = Z'HZ + lambda I - sum_i d_i (z_i - mean) (z_i - mean)' - k k' / W,
 *
 * and the mean of the refit is mean - k / W. A product with A_f costs n^2 and the rows of the fold,
 * where one with Z costs m n. Where folds are large (products of all columns at once then cost no
 * more with Z), or a refit is so far from the fit that this model is a poor one, its own weights
 * take the place of H.
 *
 * The preconditioner of all folds is the inverse of A, projected.
 *
 * What conjugate gradients leave of the gradient, r, belongs to the bounds: A_f is at least lambda
 * I, and so the square of its length in the metric of the inverse is at most |r|^2 / lambda. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "glm.h"
#include "linalg.h"
#include "vector.h"

#define MOST_PRODUCTS 40

/* The square of the length of what is left of the gradient falls to this share; or to that, if what
 * is left says less about the error than this share of what the bounds have of other parts. */
#define LEFT 1e-6
#define ENOUGH 1e-2
#define SHARE 0.25

double held_norm(const folds_work *w, const fold *f)
{
    double largest = 0;
    for (size_t i = 0; i < f->h; i++)
        largest = fmax(largest, w->p.norms[f->rows[i]]);
    return largest;
}

/* By the norms of rows or, where rows have lengths in the fit's curvature, by these: without the
 * fold it is at least 1 - sum_i d_i length_i^2 of that. */
glm_lengths lengths_of(const folds_work *w, const refit_state *state)
{
    const curvature *of = &w->fit->curve;
    const double held = held_norm(w, state->f);
    glm_lengths rows = {longest(&w->p, of, w->p.largest, state->mean, state->total),
                        longest(&w->p, of, held, state->mean, state->total), state->total};
    if (!w->leverage || w->exact || !(w->p.lambda >= RESOLUTION * of->top))
        return rows;
    double lost = 0, asked = 0;
    for (size_t i = 0; i < state->f->h; i++) {
        const double squared = w->leverage[state->f->rows[i]];
        lost += fmax(state->dropped[i], 0) * squared;
        asked = fmax(asked, squared);
    }
    if (lost < 1) {
        rows.all = fmin(rows.all, w->longest / (1 - lost));
        rows.asked = fmin(rows.asked, asked / (1 - lost));
    }
    return rows;
}

double bend_of(const glm_lengths *rows, const refit_state *state)
{
    const double most = sqrt(rows->all * state->length);
    return exp(state->moved) * (most > 0 ? expm1(most) / most : 1) - 1;
}

/* What a fold takes from the sum of weights, and from that of c = [z - mean, 1]. */
static void fold_mean(folds_work *w, refit_state *state, double *shift)
{
    const ridge *r = w->p.r;
    const curvature *of = &w->fit->curve;
    double sum = 0;
    memset(shift, 0, r->n * sizeof(double));
    for (size_t i = 0; i < state->f->h; i++) {
        sum += state->dropped[i];
        add_multiple(r->n, state->dropped[i], r->z + (size_t) state->f->rows[i] * r->n, shift);
    }
    add_multiple(r->n, -sum, of->mean, shift);
    state->total = of->total - sum;
}

/* The model's weights and mean (where weights are its own, `shift` has their sum of rows); the
 * gradient (n) about that mean over `residual`, negative. */
static void begin_column(folds_work *w, size_t k)
{
    const ridge *r = w->p.r;
    const size_t n = r->n;
    refit_state *state = w->states + w->column[k];
    double *shift = w->shift + k * n, *residual = w->residual + k * n, squared = 0;
    if (w->exact) {
        state->moved = state->total = 0;
        for (size_t i = 0; i < r->m; i++)
            state->total += w->weights[k * r->m + i];
        for (size_t j = 0; j < n; j++)
            shift[j] /= state->total;
    } else
        fold_mean(w, state, shift);
    state->fine = state->total > 0 && isfinite(state->total);
    const double share = r->intercept && state->fine ? state->gradient0 / state->total : 0;
    for (size_t j = 0; j < n; j++) {
        const double mean = !r->intercept ? 0
                            : w->exact    ? shift[j]
                                          : w->fit->curve.mean[j] - shift[j] / state->total;
        squared += mean * mean;
        residual[j] = state->gradient0 * mean - w->gradients[k * n + j];
    }
    state->mean = sqrt(squared);
    state->along0 = -share;
    state->length = share * share * state->total;
}

/* image = A_f x, n x columns, by the rows of each fold, ... */
static void fold_products(folds_work *w, const double *x, double *image)
{
    const ridge *r = w->p.r;
    const size_t n = r->n;
    const curvature *of = &w->fit->curve;
    gemm('N', 'N', n, w->active, n, 1, of->gram, n, x, n, 0, image, n);
    for (size_t k = 0; k < w->active; k++) {
        const refit_state *state = w->states + w->column[k];
        const double *from = x + k * n, *shift = w->shift + k * n;
        const double at_mean = dot(n, of->mean, from);
        double *to = image + k * n, sum = 0;
        add_multiple(n, w->p.lambda, from, to);
        for (size_t i = 0; i < state->f->h; i++) {
            const double *z = r->z + (size_t) state->f->rows[i] * n;
            const double moved = state->dropped[i] * (dot(n, z, from) - at_mean);
            add_multiple(n, -moved, z, to);
            sum += moved;
        }
        add_multiple(n, sum, of->mean, to);
        if (r->intercept && state->fine)
            add_multiple(n, -dot(n, shift, from) / state->total, shift, to);
    }
}

/* ... or by all rows, with weights of its own. */
static void own_products(folds_work *w, const double *x, double *image)
{
    const ridge *r = w->p.r;
    const size_t n = r->n, columns = w->active;
    for (size_t k = 0; k < columns; k++)
        w->means[k] = r->intercept ? dot(n, w->shift + k * n, x + k * n) : 0;
    for (size_t j = 0; j < n * columns; j++)
        image[j] = w->p.lambda * x[j];
    weighted_products(r, columns, x, w->means, w->weights, w->rows, image);
}

static void products(folds_work *w, const double *x, double *image)
{
    if (w->exact)
        own_products(w, x, image);
    else
        fold_products(w, x, image);
}

static void project_columns(const folds_work *w, double *x)
{
    const size_t n = w->p.r->n;
    for (size_t k = 0; k < w->active; k++) {
        const refit_state *state = w->states + w->column[k];
        project(n, state->f->e, state->directions, 1, x + k * n);
    }
}

/* The part of the step that makes b orthogonal to the directions, and what it leaves. */
static void step_toward(folds_work *w)
{
    const size_t n = w->p.r->n;
    for (size_t k = 0; k < w->columns; k++) {
        const refit_state *state = w->states + w->column[k];
        double *step = w->step + k * n;
        memcpy(step, w->now + k * n, n * sizeof(double));
        project(n, state->f->e, state->directions, 1, step);
        for (size_t j = 0; j < n; j++)
            step[j] -= w->now[k * n + j];
    }
    products(w, w->step, w->image);
    for (size_t k = 0; k < w->columns; k++) {
        refit_state *state = w->states + w->column[k];
        const double squared = dot(n, w->step + k * n, w->image + k * n);
        add_multiple(n, -1, w->image + k * n, w->residual + k * n);
        /* At most twice the sum of the squares of both parts, of which one is still to come. */
        state->length = 2 * (state->length + fabs(squared));
    }
}

/* solved = residual by the inverse of the fit's factor. */
static void precondition(folds_work *w)
{
    const size_t n = w->p.r->n;
    const double *factor = w->fit->curve.factor;
    memcpy(w->solved, w->residual, n * w->active * sizeof(double));
    solve_lower_left('N', n, w->active, factor, n, w->solved, n);
    solve_lower_left('T', n, w->active, factor, n, w->solved, n);
    project_columns(w, w->solved);
}

/* The square of what bounds have beside `rest`: what they may be, or what a step of this length
 * leaves of the gradient because the model is but a model. */
static double other_parts(const folds_work *w, const refit_state *state)
{
    const glm_lengths rows = lengths_of(w, state);
    const double target = w->p.tolerance * w->p.spread / sqrt(rows.asked);
    const double bent = bend_of(&rows, state) * sqrt(state->length);
    return fmax(target, bent) * fmax(target, bent);
}

/* The square of the length of what is left of the gradient, r, in the metric of the inverse of the
 * model, which is at least lambda I. */
static double rest_of(const folds_work *w, const double *r, double lost)
{
    const double length = sqrt(dot(w->p.r->n, r, r)) + lost;
    return length * length / w->p.lambda;
}

static void swap(size_t length, double *a, double *b)
{
    for (size_t j = 0; j < length; j++) {
        const double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

static void swap_columns(folds_work *w, size_t k, size_t l)
{
    const size_t m = w->p.r->m, n = w->p.r->n, kept = w->column[k];
    double *all[] = {w->now, w->gradients, w->shift, w->step, w->residual, w->along};
    if (k == l)
        return;
    w->column[k] = w->column[l];
    w->column[l] = kept;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        swap(n, all[i] + k * n, all[i] + l * n);
    if (w->exact)
        swap(m, w->weights + k * m, w->weights + l * m);
}

/* along = solved + (what it was) times the ratio of `left` now and before; whether the column is
 * not done. */
static int next_direction(const folds_work *w, size_t k, int first)
{
    const size_t n = w->p.r->n;
    refit_state *state = w->states + w->column[k];
    double *along = w->along + k * n;
    const double *residual = w->residual + k * n, *solved = w->solved + k * n;
    const double left = dot(n, residual, solved);
    const double ratio = first || !(state->left > 0) ? 0 : left / state->left;
    for (size_t j = 0; j < n; j++)
        along[j] = solved[j] + (ratio > 0 ? ratio * along[j] : 0);
    state->left = left;
    if (first)
        state->at_first = left;
    state->rest = rest_of(w, residual, 0);
    return state->fine && left > LEFT * state->at_first &&
           !(left <= ENOUGH * state->at_first &&
             state->rest <= SHARE * SHARE * other_parts(w, state));
}

/* Along the direction to where the model is least. */
static void move_along(folds_work *w, size_t k, int toward)
{
    const size_t n = w->p.r->n;
    refit_state *state = w->states + w->column[k];
    const double *along = w->along + k * n, *image = w->image + k * n;
    const double curved = dot(n, along, image);
    state->fine = curved > 0;
    const double share = state->fine ? state->left / curved : 0;
    add_multiple(n, share, along, w->step + k * n);
    add_multiple(n, -share, image, w->residual + k * n);
    state->length += (toward ? 2 : 1) * share * state->left;
}

/* The last part of what is known of a step. */
static void end_column(folds_work *w, size_t k, int toward)
{
    const size_t n = w->p.r->n;
    const curvature *of = &w->fit->curve;
    refit_state *state = w->states + w->column[k];
    const double *step = w->step + k * n, *shift = w->shift + k * n;
    const double *residual = w->residual + k * n, *gradient = w->gradients + k * n;
    const double top = state->total * w->p.largest * w->p.largest;
    const double lost = (double) n * DBL_EPSILON * top * sqrt(dot(n, step, step));
    state->rest = rest_of(w, residual, lost);
    state->decrement = state->rest - state->gradient0 * state->along0;
    if (!toward) {
        const double down = dot(n, step, gradient), over = dot(n, step, residual);
        state->decrement += down + over;
        state->length = fmax(down - over - state->gradient0 * state->along0, 0);
    } else
        state->decrement = INFINITY;
    if (w->p.r->intercept)
        state->along0 -= w->exact ? dot(n, shift, step)
                                  : dot(n, of->mean, step) - dot(n, shift, step) / state->total;
    state->fine = state->fine && all_finite(step, n) && isfinite(state->rest);
}

void column_steps(folds_work *w, int toward)
{
    const size_t n = w->p.r->n, all = n * w->columns;
    w->active = w->columns;
    if (w->exact) {
        memset(w->shift, 0, all * sizeof(double));
        add_rows(w->p.r, w->columns, w->weights, w->shift);
    }
    for (size_t k = 0; k < w->columns; k++)
        begin_column(w, k);
    if (toward)
        step_toward(w);
    else
        memset(w->step, 0, all * sizeof(double));
    project_columns(w, w->residual);
    memcpy(w->gradients, w->residual, all * sizeof(double));
    for (int product = 0;; product++) {
        precondition(w);
        for (size_t k = w->active; k-- > 0;)
            if (!next_direction(w, k, product == 0))
                swap_columns(w, k, --w->active);
        if (w->active == 0 || product == MOST_PRODUCTS)
            break;
        products(w, w->along, w->image);
        project_columns(w, w->image);
        for (size_t k = 0; k < w->active; k++)
            move_along(w, k, toward);
    }
    for (size_t k = 0; k < w->columns; k++)
        end_column(w, k, toward);
}
