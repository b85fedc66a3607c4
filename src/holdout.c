/* holdout.c: leaving out sets of rows by updating the full fit, whatever its kind (smoother.c,
 * dual.c).
 *
 * All that a fold needs are the inner products, weighted by D, of its points: removed basis
 * vectors, rows that join, rows that leave; one set for every lambda. For small folds the
 * elementwise products of any two points are formed once and a single matrix product with D gives
 * all inner products at all lambda, many folds at a time; for larger ones the points are scaled by
 * sqrt(D) and multiplied for each lambda.
 *
 * The refit's coefficients are b - D P u, P the points and u what the kind says of them.
 *
 * Cost of a fold and a lambda: (h + e)^2 n + (h + e)^3 / 3; rows that join count with e. */
#include <math.h>
#include <string.h>

#include "holdout.h"
#include "linalg.h"
#include "vector.h"

static size_t product_count(const fold *f)
{
    const size_t q = fold_points(f);
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

void gather_points(const ridge *r, const fold *f, double *points)
{
    const size_t n = r->n, bytes = n * sizeof(double);
    copy_constraint(r, f, points);
    points += f->e * n;
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

void root_weights(const ridge *r, const fold *f, double *root)
{
    for (size_t a = 0; a < f->h; a++)
        root[a] = sqrt(r->weights[f->rows[a]]);
}

/* One fold at the l-th lambda, from the values (leading dimension ld) of its points. packed: inner
 * products at all c lambda, or NULL. */
static int leave_out_at(const ridge *r, const fold *f, size_t l, size_t c, const double *packed,
                        const double *values, size_t ld, update_work *work)
{
    const size_t n = r->n, q = fold_points(f);
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
    const size_t v = r->v, q = fold_points(f);
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
        const size_t q = fold_points(folds + i);
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
        fitted += fold_points(folds + i);
        if (packed)
            inner += product_count(folds + i) * c;
    }
    store_predictions(folds, count, v * c, ld, work->fitted, points);
}

/* b (n x v) less D points u; `offset` holds sums over rows. */
static void take_multipliers(const ridge *r, const fold *f, const double *d, double *b,
                             double *offset, update_work *work)
{
    const size_t n = r->n, q = fold_points(f);
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
    const size_t n = r->n, v = r->v, q = fold_points(f);
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
