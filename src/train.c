/* train.c: training of RLS on a subset of regressors.
 *
 * With K (m x n) the kernel of all rows with the basis vectors, shifted by the
 * jitter, and K_BB = C C', the problem
 *
 *     min_a  sum_i w_i (y_i - b_0 - k_i'a)^2 + lambda a'K_BB a
 *
 * becomes an ordinary ridge regression in z_i = C^-1 k_i with coefficients
 * b = C'a and penalty lambda |b|^2. (Forming K'K and reducing it by C afterwards
 * would lose the small eigenvalues.) The unpenalized intercept centres z and y by
 * their weighted means. With Z'WZ = V diag(values) V', for every lambda
 *
 *     b = V (diag(values) + lambda I)^-1 V' Z'WY,   a = C^-T b.
 *
 * Contract: see `ridge` in ridge.h; each routine says what it overwrites. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "ridge.h"
#include "vector.h"

/* A mean of centred y below this share of its largest value counts as zero. */
#define MEAN_ERROR 1e-12

double sum_weights(size_t m, const double *weights, int *unit)
{
    double total = 0;
    *unit = 1;
    for (size_t i = 0; i < m; i++) {
        total += weights[i];
        *unit &= weights[i] == 1;
    }
    return total;
}

void refine_centre(ridge *r)
{
    for (size_t k = 0; k < r->v; k++) {
        double *y = r->y + k * r->m, left = 0, largest = 0;
        for (size_t i = 0; i < r->m; i++) {
            left += r->weights[i] / r->sum_weights * y[i];
            if (r->weights[i] > 0 && fabs(y[i]) > largest)
                largest = fabs(y[i]);
        }
        if (!(fabs(left) > MEAN_ERROR * largest))
            continue;
        for (size_t i = 0; i < r->m; i++)
            y[i] -= left;
        r->y_mean[k] += left;
    }
}

void ridge_centre(ridge *r)
{
    const size_t n = r->n, m = r->m;
    memset(r->z_mean, 0, n * sizeof(double));
    memset(r->y_mean, 0, r->v * sizeof(double));
    if (!r->intercept)
        return;
    for (size_t i = 0; i < m; i++) {
        const double share = r->weights[i] / r->sum_weights;
        for (size_t j = 0; j < n; j++)
            r->z_mean[j] += share * r->z[j + i * n];
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            r->z[j + i * n] -= r->z_mean[j];
    for (size_t k = 0; k < r->v; k++) {
        double *y = r->y + k * m, sum = 0;
        for (size_t i = 0; i < m; i++)
            sum += r->weights[i] * y[i];
        r->y_mean[k] = sum / r->sum_weights;
        for (size_t i = 0; i < m; i++)
            y[i] -= r->y_mean[k];
    }
    refine_centre(r);
}

row_block new_row_block(size_t n, size_t v, memory from)
{
    row_block block = {new_doubles(from, n * ROW_BLOCK), new_doubles(from, ROW_BLOCK * (v + 1))};
    return block;
}

static size_t row_at(const int *rows, size_t i)
{
    return rows ? (size_t) rows[i] : i;
}

/* block (n x count) = sqrt(w_i) z_i; where nothing is to be scaled or gathered, z itself. */
static const double *weighted_z(const ridge *r, const int *rows, const int *places, size_t start,
                                size_t count, const double *centre, double *block)
{
    const size_t n = r->n;
    if (!rows && !centre && r->unit_weights)
        return r->z + start * n;
    for (size_t i = 0; i < count; i++) {
        const double root = sqrt(r->weights[row_at(rows, start + i)]);
        const double *z = r->z + row_at(places, start + i) * n;
        for (size_t j = 0; j < n; j++)
            block[j + i * n] = root * (z[j] - (centre ? centre[j] : 0));
    }
    return block;
}

/* block (count x (v + 1)) = sqrt(w_i) (y_i, 1). */
static void weighted_y(const ridge *r, const int *rows, size_t start, size_t count,
                       const double *centre, double *block)
{
    for (size_t i = 0; i < count; i++) {
        const size_t row = row_at(rows, start + i);
        const double root = sqrt(r->weights[row]);
        for (size_t k = 0; k < r->v; k++)
            block[i + k * count] = root * (r->y[row + k * r->m] - (centre ? centre[k] : 0));
        block[i + r->v * count] = root;
    }
}

void mean_rows(const ridge *r, const int *rows, const int *places, size_t count, double *z_mean,
               double *y_mean)
{
    double w = 0;
    if (!places)
        places = rows;
    memset(z_mean, 0, r->n * sizeof(double));
    memset(y_mean, 0, r->v * sizeof(double));
    for (size_t i = 0; i < count; i++)
        w += r->weights[row_at(rows, i)];
    for (size_t i = 0; i < count; i++) {
        const size_t row = row_at(rows, i);
        const double share = r->weights[row] / w;
        const double *z = r->z + row_at(places, i) * r->n;
        for (size_t j = 0; j < r->n; j++)
            z_mean[j] += share * z[j];
        for (size_t k = 0; k < r->v; k++)
            y_mean[k] += share * r->y[row + k * r->m];
    }
}

void sum_rows(const ridge *r, const int *rows, const int *places, size_t count,
              const double *z_centre, const double *y_centre, row_sums *sums, row_block *block)
{
    if (!places)
        places = rows;
    const size_t n = r->n, v = r->v;
    double *y = block->y;
    clear_sums(n, v, sums);
    for (size_t start = 0; start < count; start += ROW_BLOCK) {
        const size_t some = smaller(ROW_BLOCK, count - start);
        const double *z = weighted_z(r, rows, places, start, some, z_centre, block->z);
        weighted_y(r, rows, start, some, y_centre, y);
        const double *roots = y + v * some;
        if (sums->gram)
            syrk_lower('N', n, some, 1, z, n, 1, sums->gram, n);
        gemm('N', 'N', n, v + 1, some, 1, z, n, y, some, 1, sums->zy, n);
        gemm('T', 'N', v, 1, some, 1, y, some, roots, some, 1, sums->wy, v);
        for (size_t i = 0; i < some; i++)
            sums->w += roots[i] * roots[i];
        R_CheckUserInterrupt();
    }
}

void sum_all_rows(ridge *r, memory from)
{
    row_sums sums = new_row_sums(r->n, r->v, 0, from);
    row_block block = new_row_block(r->n, r->v, from);
    sums.gram = r->gram;
    sum_rows(r, NULL, NULL, r->m, NULL, NULL, &sums, &block);
    memcpy(r->zy, sums.zy, r->n * r->v * sizeof(double));
}

double *kernel_rows_work(const kernel_source *source, memory from)
{
    if (source->columns)
        return NULL;
    point_set block = source->rows;
    block.rows = ROW_BLOCK;
    return new_doubles(from, kernel_work(source->kernel, source->basis, block));
}

void kernel_rows(const kernel_source *source, size_t n, size_t start, size_t rows, double *out,
                 double *work)
{
    if (source->columns) {
        memcpy(out, source->columns + start * n, n * rows * sizeof(double));
        return;
    }
    point_set block = source->rows;
    block.x += start;
    block.rows = rows;
    kernel_block(source->kernel, source->basis, block, source->centre, out, NULL, n, work,
                 source->threads);
}

/* z = C^-1 K in row blocks. The columns of basis vectors are taken from K_BB, whose
 * diagonal is exact and carries the jitter. */
static void fill_z(const kernel_source *source, ridge *r, const double *k_bb,
                   const double *cholesky, memory from)
{
    const size_t n = r->n;
    double *work = kernel_rows_work(source, from);
    for (size_t start = 0; start < r->m; start += ROW_BLOCK) {
        const size_t some = smaller(ROW_BLOCK, r->m - start);
        double *z = r->z + start * n;
        kernel_rows(source, n, start, some, z, work);
        for (size_t i = 0; i < some && source->largest; i++)
            source->largest[start + i] = largest_below(n, z + i * n, 1);
        for (size_t j = 0; j < n && source->basis_rows; j++) {
            const size_t row = (size_t) source->basis_rows[j];
            if (row >= start && row < start + some)
                memcpy(r->z + row * n, k_bb + j * n, n * sizeof(double));
        }
        solve_lower_left('N', n, some, cholesky, n, z, n);
        R_CheckUserInterrupt();
    }
}

void finish_spectrum(const ridge *r, spectrum *s)
{
    const size_t n = r->n;
    for (size_t j = 0; j < n; j++)
        if (s->values[j] < 0)
            s->values[j] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            s->map[j + i * n] = s->vectors[i + j * n];
    gemm('T', 'N', n, r->v, n, 1, s->vectors, n, r->zy, n, 0, s->zy, n);
    gemm('T', 'N', n, 1, n, 1, s->vectors, n, r->z_mean, n, 0, s->z_mean, n);
}

int decompose(const ridge *r, const double *cholesky, spectrum *s, memory from)
{
    const size_t n = r->n;
    memcpy(s->vectors, r->gram, n * n * sizeof(double));
    const int status = eigen_symmetric(n, s->vectors, n, s->values, from);
    if (status != SR_OK)
        return status;
    finish_spectrum(r, s);
    if (cholesky)
        solve_lower_right('N', n, n, cholesky, n, s->map, n);
    return SR_OK;
}

int ridge_coordinates(ridge *r, const kernel_source *source, const double *k_bb, double *cholesky,
                      memory from)
{
    const size_t n = r->n;
    memcpy(cholesky, k_bb, n * n * sizeof(double));
    const int status = cholesky_lower(n, cholesky, n);
    if (status != SR_OK)
        return status;
    fill_z(source, r, k_bb, cholesky, from);
    if (!all_finite(r->z, n * r->m))
        return SR_NOT_FINITE;
    ridge_centre(r);
    memcpy(r->map, cholesky, n * n * sizeof(double));
    invert_lower(n, r->map);
    sum_all_rows(r, from);
    return SR_OK;
}

int ridge_train(ridge *r, spectrum *s, const kernel_source *source, const double *k_bb, memory from)
{
    double *cholesky = new_doubles(from, r->n * r->n);
    const int status = ridge_coordinates(r, source, k_bb, cholesky, from);
    return status == SR_OK ? decompose(r, cholesky, s, from) : status;
}

void rotate_z(ridge *r, const double *vectors, memory from)
{
    const size_t n = r->n;
    double *block = new_doubles(from, n * ROW_BLOCK);
    for (size_t start = 0; start < r->m; start += ROW_BLOCK) {
        const size_t some = smaller(ROW_BLOCK, r->m - start);
        double *z = r->z + start * n;
        memcpy(block, z, n * some * sizeof(double));
        gemm('T', 'N', n, some, n, 1, vectors, n, block, n, 0, z, n);
        R_CheckUserInterrupt();
    }
}
