/* adjoint_fold.c: a refit without one fold, and its adjoint.
 *
 * The refit without the rows O and the basis vectors E minimizes over the rows T that stay, with
 * an intercept b0 and N'b = 0 (N: the columns E of map),
 *
 *     sum_T w (y - b0 - z'b)^2 + lambda |b|^2,    A_T b = t_T,   A_T = Z_T'W Z_T + lambda I,
 *
 * z and y of T centred by their own means, everything on the null space of N'. The fold adds
 * sum_H w e^2, e = y - b0 - z'b its held-out residuals, H the scored rows among O. The derivative
 * of that by b is c = -2 Z_H'W e, and by b0 -2 sum_H w e. So the adjoint of the refit is the
 * solution of the same equations with another right-hand side,
 *
 *     A_T q = c,    q0 = -2 sum_H w e / sum_T w,
 *
 * both about the means of T; without an intercept q0 = 0.
 *
 * And adjoint.c makes all derivatives from b, q, their intercepts and two numbers of each row of O,
 *
 *     e  and  g = 2 w e [in H] - w (z'q + q0).
 *
 * Retrain form: two solves with the factor of A_T. Update form: with A = Z'WZ + lambda I of the
 * full fit, P = [N'; Z_O], S = P A^-1 P' (and 1 / sum(w) for two rows with an intercept) and t = P
 * b, eliminating E gives J and yhat as in smoother.c, X = S_OE S_EE^-1 and t_E' = S_EE^-1 t_E, and
 *
 *     e = (I - J W)^-1 (y - yhat),           b = b_full - A^-1 P' [t_E' - X'W e; W e],
 *     g = (I - W J)^-1 2 W e [in H],         q =        - A^-1 P' [-X'g; g],
 *
 * with the intercepts -sum_O w e / sum(w) and -sum_O g / sum(w). Check: A_T = A - Z_O'W Z_O, so
 * A_T q = -Z_O'(I - W J) g = c where E is empty; and N'q = S_EE X'g - S_EO g = 0.
 *
 * Cost of a fold by update: (h + e) n^2 + (h + e)^2 n + (h + e)^3 / 3 + 2 v n^2. */
#include <string.h>

#include "adjoint.h"
#include "linalg.h"
#include "vector.h"

adjoint_work new_adjoint_work(const ridge *r, size_t points, size_t rows, size_t e, memory from)
{
    const size_t v = r->v;
    adjoint_work w = {0};
    w.points = new_doubles(from, r->n * points);
    w.values = new_doubles(from, (points > rows ? points : rows) * v);
    w.block = new_doubles(from, points * points);
    w.system = new_doubles(from, points * points);
    w.rhs = new_doubles(from, points * v);
    w.solution = new_doubles(from, points * v);
    w.root_weights = new_doubles(from, points);
    w.combine = new_doubles(from, points * 2 * v);
    w.sums = new_fold_sums(r, from);
    w.refit = new_refit_work(r->n, v, e, 1, from);
    return w;
}

/* ---- the update form ------------------------------------------------------------ */

/* S over work->block and [t_E; y - t_O] over work->rhs, E eliminated; the system factored. */
static int eliminate(const ridge *r, const fold *f, const double *points, const double *values,
                     size_t ld, adjoint_work *work)
{
    const size_t h = f->h, e = f->e, q = h + e, v = r->v;
    double *j = work->block + e + e * q;
    syrk_lower('T', q, r->n, 1, points, r->n, 0, work->block, q);
    for (size_t k = 0; k < v; k++)
        memcpy(work->rhs + k * q, values + k * ld, q * sizeof(double));
    if (e > 0 && remove_basis(h, e, v, work->block, work->rhs) != SR_OK)
        return SR_NOT_POSITIVE;
    for (size_t b = 0; b < h && r->intercept; b++)
        for (size_t a = b; a < h; a++)
            j[a + b * q] += 1 / r->sum_weights;
    root_weights(r, f, work->root_weights);
    return factor_system(h, j, q, work->root_weights, work->system);
}

/* e, and g = S (I - S J S)^-1 2 S e [in H]. */
static void residual_and_pull(const ridge *r, fold_adjoint *a, adjoint_work *work)
{
    const size_t h = a->f->h, e = a->f->e, q = h + e, v = r->v;
    const double *s = work->root_weights;
    for (size_t k = 0; k < v; k++)
        for (size_t i = 0; i < h; i++)
            a->residual[i + k * h] =
                r->y[(size_t) a->f->rows[i] + k * r->m] - work->rhs[e + i + k * q];
    held_out_residuals(h, v, work->block + e + e * q, q, s, work->system, a->residual, h,
                       work->solution);
    for (size_t k = 0; k < v; k++)
        for (size_t i = 0; i < h; i++)
            a->pull[i + k * h] = a->scored[i] ? 2 * s[i] * a->residual[i + k * h] : 0;
    solve_lower_left('N', h, v, work->system, h, a->pull, h);
    solve_lower_left('T', h, v, work->system, h, a->pull, h);
    for (size_t k = 0; k < v; k++)
        for (size_t i = 0; i < h; i++)
            a->pull[i + k * h] *= s[i];
}

/* combine (q x 2v): the coefficients of P' in b_full - b and in -q. With L the factor of S_EE and
 * F = S_OE L^-T, both of remove_basis(), X' = L^-T F' and t_E' = L^-T (L^-1 t_E). */
static void combine_points(const ridge *r, const fold_adjoint *a, double *combine,
                           adjoint_work *work)
{
    const size_t h = a->f->h, e = a->f->e, q = h + e, v = r->v;
    double *for_b = combine, *for_q = for_b + q * v;
    for (size_t k = 0; k < v; k++) {
        for (size_t i = 0; i < h; i++) {
            for_b[e + i + k * q] = r->weights[a->f->rows[i]] * a->residual[i + k * h];
            for_q[e + i + k * q] = a->pull[i + k * h];
        }
        memcpy(for_b + k * q, work->rhs + k * q, e * sizeof(double));
        memset(for_q + k * q, 0, e * sizeof(double));
    }
    removed_multipliers(h, e, 2 * v, work->block, combine);
}

static double total_pull(const fold_adjoint *a, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < a->f->h; i++)
        sum += a->pull[i + k * a->f->h];
    return sum;
}

/* The intercepts -sum_O w e / sum(w) and -sum_O g / sum(w). */
static void sum_intercepts(const ridge *r, fold_adjoint *a)
{
    const size_t h = a->f->h;
    for (size_t k = 0; k < r->v; k++) {
        double offset = 0;
        for (size_t i = 0; i < h; i++)
            offset -= r->weights[a->f->rows[i]] * a->residual[i + k * h];
        a->offset[k] = r->intercept ? offset / r->sum_weights : 0;
        a->shift[k] = r->intercept ? -total_pull(a, k) / r->sum_weights : 0;
    }
}

/* One fold of a batch, whose L^-1 P' is `points` (n x q) and t `values` (leading dimension ld):
 * everything but b and q. combine: q x 2v. */
static int update_rows(const ridge *r, fold_adjoint *a, const double *points, const double *values,
                       size_t ld, double *combine, adjoint_work *work)
{
    if (eliminate(r, a->f, points, values, ld, work) != SR_OK) {
        memset(combine, 0, fold_points(a->f) * 2 * r->v * sizeof(double));
        return 0;
    }
    residual_and_pull(r, a, work);
    combine_points(r, a, combine, work);
    sum_intercepts(r, a);
    return 1;
}

/* b and q of all folds as combinations of their `points` (n x q each). */
static void combined(const ridge *r, fold_adjoint *folds, size_t count, const double *points,
                     const double *combine)
{
    const size_t n = r->n, v = r->v;
    for (size_t i = 0; i < count; i++) {
        const size_t q = fold_points(folds[i].f);
        gemm('N', 'N', n, v, q, -1, points, n, combine, q, 0, folds[i].b, n);
        gemm('N', 'N', n, v, q, -1, points, n, combine + q * v, q, 0, folds[i].q, n);
        points += n * q;
        combine += 2 * q * v;
    }
}

void adjoint_update(const full_fit *fit, fold_adjoint *folds, size_t count, int *ok,
                    adjoint_work *work)
{
    const ridge *r = fit->r;
    const size_t n = r->n, v = r->v;
    double *points = work->points;
    size_t total = 0, first = 0;
    for (size_t i = 0; i < count; total += fold_points(folds[i++].f))
        gather_points(r, folds[i].f, points + total * n);
    gemm('T', 'N', total, v, n, 1, points, n, fit->b, n, 0, work->values, total);
    solve_lower_left('N', n, total, fit->factor, n, points, n);
    for (size_t i = 0; i < count; first += fold_points(folds[i++].f))
        ok[i] = update_rows(r, folds + i, points + first * n, work->values + first, total,
                            work->combine + 2 * first * v, work);
    /* A^-1 is completed where there are fewer columns. */
    if (total < 2 * v * count) {
        solve_lower_left('T', n, total, fit->factor, n, points, n);
        combined(r, folds, count, points, work->combine);
    } else {
        combined(r, folds, count, points, work->combine);
        solve_lower_left('T', n, v * count, fit->factor, n, folds->b, n);
        solve_lower_left('T', n, v * count, fit->factor, n, folds->q, n);
    }
    for (size_t i = 0; i < count; i++)
        add_multiple(n * v, 1, fit->b, folds[i].b);
}

/* ---- the retrain form ------------------------------------------------------------- */

/* values (h x v) = z'b + intercept. */
static void fold_values(const ridge *r, const fold *f, const double *b, const double *intercept,
                        double *values, double *block)
{
    const size_t v = r->v, h = f->h;
    for (size_t k = 0; k < v; k++)
        for (size_t i = 0; i < h; i++)
            values[i + k * h] = intercept[k];
    add_fold_values(r, f, v, b, values, h, block);
}

/* q (n x v) = -Z_O' pull + mean sum_O pull, mean of the rows that train. */
static void pulled_back(const ridge *r, const fold_adjoint *a, const double *mean, double *block)
{
    const size_t n = r->n, v = r->v, h = a->f->h;
    memset(a->q, 0, n * v * sizeof(double));
    for (size_t start = 0, some; start < h; start += some) {
        some = gather_rows(r, a->f, start, block);
        gemm('N', 'N', n, v, some, -1, block, n, a->pull + start, h, 1, a->q, n);
    }
    for (size_t k = 0; k < v && r->intercept; k++)
        add_multiple(n, total_pull(a, k), mean, a->q + k * n);
}

/* e and, for now, 2 w e [in H] in place of g. */
static void retrained_residuals(const ridge *r, fold_adjoint *a, double *block)
{
    const size_t h = a->f->h;
    fold_values(r, a->f, a->b, a->offset, a->residual, block);
    for (size_t k = 0; k < r->v; k++)
        for (size_t i = 0; i < h; i++) {
            const size_t row = (size_t) a->f->rows[i];
            double *e = a->residual + i + k * h;
            *e = r->y[row + k * r->m] - *e;
            a->pull[i + k * h] = a->scored[i] ? 2 * r->weights[row] * *e : 0;
        }
}

/* shift = q0 - mean'q, q0 = -sum_O pull / sum_T w. */
static void retrained_shift(const ridge *r, fold_adjoint *a, const row_sums *sums)
{
    const size_t n = r->n;
    for (size_t k = 0; k < r->v; k++) {
        const double sum = total_pull(a, k) + dot(n, sums->zy + n * r->v, a->q + k * n);
        a->shift[k] = r->intercept ? -sum / sums->w : 0;
    }
}

int adjoint_retrain(const ridge *r, double lambda, fold_adjoint *a, adjoint_work *work)
{
    const size_t n = r->n, v = r->v, h = a->f->h, e = a->f->e;
    row_sums *sums = &work->sums.train;
    double *block = work->sums.block.z, *mean = work->sums.held.zy;
    int status = sum_training_rows(r, a->f, &work->sums);
    if (status != SR_OK)
        return status;
    copy_constraint(r, a->f, work->refit.constraint);
    status = factor_refit(n, sums, e, lambda, &work->refit);
    if (status != SR_OK)
        return status;
    memcpy(a->b, sums->zy, n * v * sizeof(double));
    solve_refit(n, v, sums, e, a->b, &work->refit);
    memset(a->offset, 0, v * sizeof(double));
    if (r->intercept)
        refit_offsets(n, v, sums, 1, a->b, a->offset);
    retrained_residuals(r, a, block);
    for (size_t j = 0; j < n; j++)
        mean[j] = sums->zy[j + n * v] / sums->w;
    pulled_back(r, a, mean, block);
    solve_refit(n, v, sums, e, a->q, &work->refit);
    retrained_shift(r, a, sums);
    double *values = work->values;
    fold_values(r, a->f, a->q, a->shift, values, block);
    for (size_t k = 0; k < v; k++)
        for (size_t i = 0; i < h; i++)
            a->pull[i + k * h] -= r->weights[a->f->rows[i]] * values[i + k * h];
    return SR_OK;
}
