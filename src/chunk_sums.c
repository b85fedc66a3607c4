/* chunk_sums.c: what a chunk of rows adds to a ridge problem, and what refits predict of its rows.
 *
 * Rows are seen ROW_BLOCK at a time: their kernel values with the basis vectors, z = C^-1 k, less
 * the provisional centre, and then their sums (sum_rows() of train.c). So a chunk needs a block of
 * n x ROW_BLOCK and the sums of its folds, whatever its length. Centres near the means keep the
 * sums small: y with a mean of 1e6 would cost them their digits. */
#include <R_ext/Utils.h>
#include <string.h>

#include "chunk_sums.h"
#include "vector.h"

row_sums table_entry(const fold_table *table, size_t f)
{
    const size_t n = table->n, v = table->v;
    row_sums sums = {table->gram + f * n * n, table->zy + f * n * (v + 1), table->wy + f * v,
                     table->w[f]};
    return sums;
}

int chunk_block(const chunk_coordinates *at, size_t start, size_t some, double *z, double *work)
{
    const size_t n = at->n;
    kernel_rows(at->source, n, start, some, z, work);
    if (at->cholesky)
        solve_lower_left('N', n, some, at->cholesky, n, z, n);
    for (size_t i = 0; i < some; i++)
        for (size_t j = 0; j < n; j++)
            z[j + i * n] -= at->z_centre[j];
    R_CheckUserInterrupt();
    return all_finite(z, n * some) ? SR_OK : SR_NOT_FINITE;
}

static size_t block_rows(size_t left)
{
    return left < ROW_BLOCK ? left : ROW_BLOCK;
}

/* yy += the sums of w y^2. */
static void add_squares(const ridge *r, double *yy)
{
    for (size_t k = 0; k < r->v; k++)
        for (size_t i = 0; i < r->m; i++)
            yy[k] += r->weights[i] * r->y[i + k * r->m] * r->y[i + k * r->m];
}

/* y (some x v) less its centre. */
static void block_y(size_t rows, size_t v, size_t start, size_t some, const double *y,
                    const double *centre, double *to)
{
    for (size_t k = 0; k < v; k++)
        for (size_t i = 0; i < some; i++)
            to[i + k * some] = y[start + i + k * rows] - centre[k];
}

int chunk_sums(const chunk_coordinates *at, const int *size, size_t rows, const double *y,
               const double *weights, const double *y_centre, fold_table *to, memory from)
{
    const size_t n = at->n, v = to->v;
    double *work = kernel_rows_work(at->source, from);
    row_block block = new_row_block(n, v, from);
    row_sums part = new_row_sums(n, v, 1, from);
    ridge r = {0};
    r.n = n;
    r.v = v;
    r.z = new_doubles(from, n * ROW_BLOCK);
    r.y = new_doubles(from, v * ROW_BLOCK);
    size_t start = 0;
    for (size_t f = 0; f < to->count; f++) {
        row_sums sums = table_entry(to, f);
        for (size_t end = start + (size_t) size[f]; start < end; start += r.m) {
            r.m = block_rows(end - start);
            r.weights = weights + start;
            const int status = chunk_block(at, start, r.m, r.z, work);
            if (status != SR_OK)
                return status;
            block_y(rows, v, start, r.m, y, y_centre, r.y);
            sum_rows(&r, NULL, NULL, r.m, NULL, NULL, &part, &block);
            add_sums(n, v, 1, &part, &sums);
            add_squares(&r, to->yy + f * v);
        }
        to->w[f] = sums.w;
    }
    return SR_OK;
}

int chunk_scores(const chunk_coordinates *at, const int *size, size_t count, size_t rows,
                 size_t columns, const double *b, const double *offset, double *values, memory from)
{
    const size_t n = at->n;
    double *work = kernel_rows_work(at->source, from), *z = new_doubles(from, n * ROW_BLOCK);
    size_t start = 0;
    for (size_t f = 0; f < count; f++)
        for (size_t some, end = start + (size_t) size[f]; start < end; start += some) {
            some = block_rows(end - start);
            const int status = chunk_block(at, start, some, z, work);
            if (status != SR_OK)
                return status;
            for (size_t k = 0; k < columns; k++)
                for (size_t i = 0; i < some; i++)
                    values[start + i + k * rows] = offset[k + f * columns];
            gemm('T', 'N', some, columns, n, 1, z, n, b + f * n * columns, n, 1, values + start,
                 rows);
        }
    return SR_OK;
}

int chunk_z(const chunk_coordinates *at, size_t rows, double *z, memory from)
{
    double *work = kernel_rows_work(at->source, from);
    int status = SR_OK;
    for (size_t start = 0; start < rows && status == SR_OK; start += ROW_BLOCK)
        status = chunk_block(at, start, block_rows(rows - start), z + start * at->n, work);
    return status;
}
