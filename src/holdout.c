/* holdout.c: leaving out a set of rows by updating the full fit.
 *
 * Rows H leave the training set and the basis vectors E leave the basis. In the
 * coordinates of V the full fit has normal matrix D^-1 = diag(values) + lambda I,
 * hat matrix Z'DZ + 1/sum(w) (the second term only with an intercept, which is
 * orthogonal to the centred z) and dual coefficients a = map' b, b = D zy.
 *
 * Removing basis vectors is the constraint a_E = q_E'b = 0, with q_E the columns E
 * of map. Constrained least squares replaces D by D - D q_E M^-1 q_E'D,
 * M = q_E'D q_E, so with J0 = z_H'D z_H, F = z_H'D q_E, fitted values y0 = z_H'b
 * and g = q_E'b
 *
 *     J = J0 - F M^-1 F' (+ 1/sum(w)),    yhat = y0 - F M^-1 g.
 *
 * (The papers also subtract K_HE q_E' from z_H and K_EH Y_H from z'y. Both
 * terms are multiples of q_E, and (D - D q_E M^-1 q_E'D) q_E = 0, so they vanish.)
 *
 * A row that joins (the twin of a held-out basis vector, constraint.c) is a constraint that
 * gives way: z_a instead of q_a, 1/w_a more on the diagonal of M, and y_a subtracted from g_a; with
 * an intercept 1/sum(w) in all products of two rows.
 *
 * Leaving rows out of a penalized least squares fit with hat matrix J W:
 * the refit without H is the fit to data whose y_H are its own predictions, so
 * the held-out residual e = y_H - f(x_H) solves (I - J W) e = y_H - yhat. With
 * S = sqrt(W), in symmetric form,
 *
 *     s = (I - S J S)^-1 S (y_H - yhat),   e = s / S,
 *
 * and e = (y_H - yhat) + J S s for rows of weight zero.
 *
 * J0, F and M are inner products weighted by D, one set for every lambda. For small
 * folds the elementwise products of any two points are formed once and a single
 * matrix product with D gives all inner products at all lambda, many folds at a time; for
 * larger ones the points are scaled by sqrt(D) and multiplied for each lambda.
 *
 * The refit's coefficients are b - D P u with the points P = [q_E, z_a, z_H] and
 * u_H = W e, u_E = M^-1 (g - F'W e), by which q_E'b vanishes; rows that join count as in E. The
 * intercept of centred y is minus the sum of u over rows by sum(w).
 *
 * Cost of a fold and a lambda: (h + e)^2 n + (h + e)^3 / 3; rows that join count with e. */
#include <math.h>
#include <string.h>

#include "holdout.h"
#include "linalg.h"
#include "vector.h"

/* Squared pivots of I - SJS, and those of M relative to its diagonal, below this
 * leave fewer than nine digits. */
#define PIVOT_LIMIT 1e-6

/* Points that are eliminated before rows are left out, and all points of a fold. */
static size_t eliminated(const fold *f)
{
    return f->e + f->s;
}

static size_t all_points(const fold *f)
{
    return f->e + f->s + f->h;
}

static size_t product_count(const fold *f)
{
    const size_t q = all_points(f);
    return q * (q + 1) / 2;
}

update_work new_update_work(const ridge *r, const spectrum *s, const double *lambda, size_t c,
                            size_t points, memory from)
{
    const size_t n = r->n, v = r->v, q = points;
    const size_t columns = q > UPDATE_COLUMNS ? q : UPDATE_COLUMNS;
    update_work w = {0};
    w.points = new_doubles(from, n * columns);
    w.products = new_doubles(from, n * columns);
    w.roots = new_doubles(from, n);
    w.root_weights = new_doubles(from, q);
    w.inner = new_doubles(from, c * UPDATE_COLUMNS);
    w.fitted = new_doubles(from, columns * v * c);
    w.block = new_doubles(from, q * q);
    w.system = new_doubles(from, q * q);
    w.rhs = new_doubles(from, q * v);
    w.solution = new_doubles(from, q * v);
    w.multipliers = new_doubles(from, q * v);
    w.d = new_doubles(from, n * c);
    w.b = new_doubles(from, n * v * c);
    spectral_weights(s, v, lambda, c, w.d, w.b);
    return w;
}

size_t update_batch(const fold *folds, size_t count)
{
    size_t batch = 0, columns = 0;
    while (batch < count &&
           (batch == 0 || columns + product_count(folds + batch) <= UPDATE_COLUMNS))
        columns += product_count(folds + batch++);
    return batch;
}

/* points (n x q): the removed basis vectors, the rows that join, the rows that leave. */
static void gather_points(const ridge *r, const fold *f, double *points)
{
    const size_t n = r->n, bytes = n * sizeof(double);
    for (size_t i = 0; i < f->e; i++, points += n)
        memcpy(points, constraint_column(r, f, i), bytes);
    for (size_t i = 0; i < f->s; i++, points += n)
        memcpy(points, r->z + (size_t) f->twin_of[i] * n, bytes);
    for (size_t i = 0; i < f->h; i++, points += n)
        memcpy(points, r->z + (size_t) f->rows[i] * n, bytes);
}

/* products (n x product_count): x_a x_b elementwise, b <= a, column by column of the
 * lower triangle. */
static void point_products(size_t n, size_t q, const double *points, double *products)
{
    for (size_t b = 0; b < q; b++)
        for (size_t a = b; a < q; a++, products += n) {
            const double *xa = points + a * n, *xb = points + b * n;
            for (size_t j = 0; j < n; j++)
                products[j] = xa[j] * xb[j];
        }
}

/* block (q x q, lower) from column-wise packed values that lie `step` apart. */
static void unpack_lower(size_t q, const double *packed, size_t step, double *block)
{
    for (size_t b = 0; b < q; b++)
        for (size_t a = b; a < q; a++, packed += step)
            block[a + b * q] = *packed;
}

/* block = points' diag(d) points, lower triangle, by scaled points. */
static void weighted_products(size_t n, size_t q, const double *points, const double *d,
                              double *scaled, double *roots, double *block)
{
    for (size_t j = 0; j < n; j++)
        roots[j] = sqrt(d[j]);
    for (size_t a = 0; a < q; a++)
        for (size_t j = 0; j < n; j++)
            scaled[j + a * n] = roots[j] * points[j + a * n];
    syrk_lower('T', q, n, 1, scaled, n, 0, block, q);
}

/* Rows that join are constraints that give way: of their weight, and with a value. */
static void join_twins(const ridge *r, const fold *f, double *block, double *rhs)
{
    const size_t e = f->e, q = all_points(f);
    const double share = r->intercept ? 1 / r->sum_weights : 0;
    for (size_t b = e; b < eliminated(f); b++) {
        const size_t row = (size_t) f->twins[b - e];
        for (size_t a = b; a < q; a++)
            block[a + b * q] += share;
        block[b + b * q] += 1 / r->weights[row];
        for (size_t k = 0; k < r->v; k++)
            rhs[b + k * q] -= r->y[row + k * r->m];
    }
}

int remove_basis(size_t h, size_t e, size_t v, double *block, double *rhs)
{
    const size_t q = h + e;
    double *f = block + e, *j = block + e + e * q;
    if (cholesky_lower(e, block, q) != SR_OK)
        return SR_NOT_POSITIVE;
    for (size_t a = 0; a < e; a++) {
        double diagonal = 0;
        for (size_t b = 0; b <= a; b++)
            diagonal += block[a + b * q] * block[a + b * q];
        if (block[a + a * q] * block[a + a * q] < PIVOT_LIMIT * diagonal)
            return SR_NOT_POSITIVE;
    }
    solve_lower_right('T', h, e, block, q, f, q);
    syrk_lower('N', h, e, -1, f, q, 1, j, q);
    solve_lower_left('N', e, v, block, q, rhs, q);
    gemm('N', 'N', h, v, e, -1, f, q, rhs, q, 1, rhs + e, q);
    return SR_OK;
}

static double lower_entry(const double *a, size_t lda, size_t i, size_t j)
{
    return i >= j ? a[i + j * lda] : a[j + i * lda];
}

int factor_system(size_t h, const double *j, size_t ldj, const double *s, double *system)
{
    for (size_t b = 0; b < h; b++)
        for (size_t a = b; a < h; a++)
            system[a + b * h] = (a == b) - s[a] * s[b] * j[a + b * ldj];
    if (cholesky_lower(h, system, h) != SR_OK)
        return SR_NOT_POSITIVE;
    for (size_t a = 0; a < h; a++)
        if (system[a + a * h] * system[a + a * h] < PIVOT_LIMIT)
            return SR_NOT_POSITIVE;
    return SR_OK;
}

void held_out_residuals(size_t h, size_t v, const double *j, size_t ldj, const double *s,
                        const double *system, double *residual, size_t ld, double *x)
{
    for (size_t k = 0; k < v; k++)
        for (size_t a = 0; a < h; a++)
            x[a + k * h] = s[a] * residual[a + k * ld];
    solve_lower_left('N', h, v, system, h, x, h);
    solve_lower_left('T', h, v, system, h, x, h);
    for (size_t k = 0; k < v; k++)
        for (size_t a = 0; a < h; a++) {
            double *held_out = residual + a + k * ld;
            if (s[a] > 0)
                *held_out = x[a + k * h] / s[a];
            else
                for (size_t b = 0; b < h; b++)
                    *held_out += lower_entry(j, ldj, a, b) * s[b] * x[b + k * h];
        }
}

/* One fold at one lambda. block (q x q, lower) holds the inner products and rhs
 * (q x v) the values g and y0; block is overwritten, and the last h rows of rhs become the
 * held-out predictions. */
static int leave_out(const ridge *r, const fold *f, double *block, double *rhs,
                     const double *root_weights, double *system, double *x)
{
    const size_t h = f->h, e = eliminated(f), v = r->v, q = h + e;
    join_twins(r, f, block, rhs);
    if (e > 0 && remove_basis(h, e, v, block, rhs) != SR_OK)
        return SR_NOT_POSITIVE;
    double *j = block + e + e * q, *value = rhs + e;
    if (r->intercept)
        for (size_t b = 0; b < h; b++)
            for (size_t a = b; a < h; a++)
                j[a + b * q] += 1 / r->sum_weights;
    if (factor_system(h, j, q, root_weights, system) != SR_OK)
        return SR_NOT_POSITIVE;
    for (size_t k = 0; k < v; k++)
        for (size_t a = 0; a < h; a++)
            value[a + k * q] = r->y[(size_t) f->rows[a] + k * r->m] - value[a + k * q];
    held_out_residuals(h, v, j, q, root_weights, system, value, q, x);
    for (size_t k = 0; k < v; k++)
        for (size_t a = 0; a < h; a++)
            value[a + k * q] =
                r->y[(size_t) f->rows[a] + k * r->m] - value[a + k * q] + r->y_mean[k];
    return SR_OK;
}

static void root_weights(const ridge *r, const fold *f, double *root)
{
    for (size_t a = 0; a < f->h; a++)
        root[a] = sqrt(r->weights[f->rows[a]]);
}

/* One fold at the l-th lambda, from the values (leading dimension ld) of its points. packed: inner
 * products at all c lambda, or NULL. */
static int leave_out_at(const ridge *r, const fold *f, size_t l, size_t c, const double *packed,
                        const double *values, size_t ld, update_work *work)
{
    const size_t n = r->n, q = all_points(f);
    if (packed)
        unpack_lower(q, packed + l, c, work->block);
    else
        weighted_products(n, q, work->points, work->d + l * n, work->products, work->roots,
                          work->block);
    for (size_t k = 0; k < r->v; k++)
        for (size_t a = 0; a < q; a++)
            work->rhs[a + k * q] = values[a + k * ld];
    return r->kind->leave_out(r, f, work->block, work->rhs, work->root_weights, work->system,
                              work->solution) == SR_OK;
}

/* The fitted values of a fold (rows of `fitted`, leading dimension ld) become held-out
 * predictions, lambda by lambda. */
static int leave_out_path(const ridge *r, const fold *f, size_t c, const double *packed,
                          double *fitted, size_t ld, update_work *work)
{
    const size_t v = r->v, q = all_points(f);
    root_weights(r, f, work->root_weights);
    for (size_t l = 0; l < c; l++) {
        double *values = fitted + l * v * ld;
        if (!leave_out_at(r, f, l, c, packed, values, ld, work))
            return 0;
        for (size_t k = 0; k < v; k++)
            for (size_t a = eliminated(f); a < q; a++)
                values[a + k * ld] = work->rhs[a + k * q];
    }
    return 1;
}

/* Folds of one row that remove nothing, all at once: then the algebra above is a division. */
static void leave_rows_out(const ridge *r, const fold *folds, size_t count, size_t c,
                           const double *inner, double *fitted, int *ok)
{
    for (size_t i = 0; i < count; i++) {
        const size_t row = (size_t) folds[i].rows[0];
        const double w = r->weights[row];
        for (size_t l = 0; l < c; l++) {
            const double pivot = r->kind->pivot(r, w, inner[l + i * c]);
            if (!(pivot > 0))
                ok[i] = 0;
            for (size_t k = 0; k < r->v; k++) {
                double *value = fitted + i + (k + l * r->v) * count;
                *value = r->kind->prediction(r->y[row + k * r->m], w, *value, pivot) + r->y_mean[k];
            }
        }
    }
}

static int single_rows(const fold *folds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (folds[i].h != 1 || eliminated(folds + i) != 0)
            return 0;
    return 1;
}

/* Held-out rows of all folds of the batch, which follow each other in the predictions. */
static void store_predictions(fold *folds, size_t count, size_t columns, size_t ld,
                              const double *fitted, size_t points)
{
    for (size_t k = 0; k < columns; k++) {
        const double *from = fitted + k * points;
        for (size_t i = 0; i < count; i++) {
            double *to = folds[i].prediction + k * ld;
            from += eliminated(folds + i);
            for (size_t a = 0; a < folds[i].h; a++)
                *to++ = *from++;
        }
    }
}

void holdout_update(const ridge *r, fold *folds, size_t count, size_t c, size_t ld, int *ok,
                    update_work *work)
{
    const size_t n = r->n, v = r->v;
    const int packed = product_count(folds) <= UPDATE_COLUMNS;
    size_t points = 0, columns = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t q = all_points(folds + i);
        gather_points(r, folds + i, work->points + points * n);
        if (packed)
            point_products(n, q, work->points + points * n, work->products + columns * n);
        points += q;
        columns += product_count(folds + i);
    }
    gemm('T', 'N', points, v * c, n, 1, work->points, n, work->b, n, 0, work->fitted, points);
    if (packed)
        gemm('T', 'N', c, columns, n, 1, work->d, n, work->products, n, 0, work->inner, c);

    double *fitted = work->fitted;
    const double *inner = packed ? work->inner : NULL;
    for (size_t i = 0; i < count; i++)
        ok[i] = 1;
    const int singles = packed && single_rows(folds, count);
    if (singles)
        leave_rows_out(r, folds, count, c, inner, fitted, ok);
    for (size_t i = 0; i < count && !singles; i++) {
        ok[i] = leave_out_path(r, folds + i, c, inner, fitted, points, work);
        fitted += all_points(folds + i);
        if (packed)
            inner += product_count(folds + i) * c;
    }
    store_predictions(folds, count, v * c, ld, work->fitted, points);
}

/* b (n x v) less D points u; `offset` holds sums over rows. */
static void take_multipliers(const ridge *r, const fold *f, const double *d, double *b,
                             double *offset, update_work *work)
{
    const size_t n = r->n, q = all_points(f);
    double *taken = work->products;
    for (size_t k = 0; k < r->v; k++) {
        gemm('N', 'N', n, 1, q, 1, work->points, n, work->multipliers + k * q, q, 0, taken, n);
        for (size_t j = 0; j < n; j++)
            b[j + k * n] -= d[j] * taken[j];
        offset[k] = r->intercept ? -offset[k] / r->sum_weights : 0;
    }
}

int update_coefficients(const ridge *r, const fold *f, size_t c, double *b, double *offset,
                        update_work *work)
{
    const size_t n = r->n, v = r->v, q = all_points(f);
    gather_points(r, f, work->points);
    root_weights(r, f, work->root_weights);
    gemm('T', 'N', q, v * c, n, 1, work->points, n, work->b, n, 0, work->fitted, q);
    memcpy(b, work->b, n * v * c * sizeof(double));
    for (size_t l = 0; l < c; l++) {
        if (!leave_out_at(r, f, l, c, NULL, work->fitted + l * v * q, q, work))
            return 0;
        r->kind->multipliers(r, f, work->block, work->rhs, work->root_weights, work->solution,
                             work->multipliers, offset + l * v);
        take_multipliers(r, f, work->d + l * n, b + l * v * n, offset + l * v, work);
    }
    return 1;
}

/* ---- smoothers ------------------------------------------------------------------ */

static void add_means(const ridge *r, const double *lambda, size_t c, double *values)
{
    (void) lambda;
    for (size_t k = 0; k < r->v * c; k++)
        for (size_t i = 0; i < r->m; i++)
            values[i + k * r->m] += r->y_mean[k % r->v];
}

/* x: S e of the rows that leave; block: the factor of M, and F times the inverse of its transpose;
 * values: g solved by the factor. */
static void smoother_multipliers(const ridge *r, const fold *f, const double *block,
                                 const double *values, const double *root_weights, const double *x,
                                 double *u, double *sums)
{
    const size_t h = f->h, e = eliminated(f), v = r->v, q = h + e;
    for (size_t k = 0; k < v; k++) {
        memcpy(u + k * q, values + k * q, e * sizeof(double));
        for (size_t a = 0; a < h; a++)
            u[e + a + k * q] = root_weights[a] * x[a + k * h];
    }
    if (e > 0) {
        gemm('T', 'N', e, v, h, -1, block + e, q, u + e, q, 1, u, q);
        solve_lower_left('T', e, v, block, q, u, q);
    }
    for (size_t k = 0; k < v; k++) {
        sums[k] = 0;
        for (size_t a = f->e; a < q; a++)
            sums[k] += u[a + k * q];
    }
}

static double mean_share(const ridge *r)
{
    return r->intercept ? 1 / r->sum_weights : 0;
}

/* e = (y - yhat) / (1 - w J). */
static double left_of_one(const ridge *r, double w, double product)
{
    const double pivot = 1 - w * (product + mean_share(r));
    return pivot > PIVOT_LIMIT ? pivot : 0;
}

static double without_residual(double y, double w, double value, double pivot)
{
    (void) w;
    return y - (y - value) / pivot;
}

/* A = I - S J S, g = S (y - yhat). */
static void residual_system(const ridge *r, double *a, double *g)
{
    const size_t m = r->m;
    for (size_t j = 0; j < m; j++)
        for (size_t i = j; i < m; i++)
            a[i + j * m] =
                (i == j) - sqrt(r->weights[i] * r->weights[j]) * (a[i + j * m] + mean_share(r));
    for (size_t i = 0; i < m; i++)
        g[i] = sqrt(r->weights[i]) * (r->y[i] - g[i]);
}

const ridge_kind smoother = {
    add_means, leave_out, smoother_multipliers, left_of_one, without_residual, residual_system, 1};
