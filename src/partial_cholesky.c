/* partial_cholesky.c: Cholesky factorizations F F' of a kernel matrix that stop early.
 *
 * Contract: with the columns of the rows chosen so far in F (m x k), row h adds
 *
 *     u = k_h - F F_h',   new column u / sqrt(u_h)
 *
 * for the kernel column k_h of row h. F is C^-T K' of train.c transposed, one basis vector per
 * column here because it grows by them. The m x m kernel matrix need not exist: its columns are
 * asked for when they are needed. What F lacks of the kernel is positive semidefinite, so that its
 * diagonal d_i = k_ii - |F_i|^2 bounds all of it. Time m n^2 and n kernel columns.
 *
 * Random pivots (Chen, Epperly, Tropp, Webber 2025): the next row is drawn with probability
 * proportional to d_i. Largest pivots: it is the row of the largest d_i / k_ii, the first of
 * equals; Cholesky does not care about the scale of rows, so an outlier must not make others look
 * done. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "linalg.h"
#include "partial_cholesky.h"

partial_cholesky new_partial_cholesky(size_t m, size_t n, memory from)
{
    partial_cholesky f = {m, n, 0, new_doubles(from, m * n), new_ints(from, n)};
    return f;
}

void cholesky_residuals(const partial_cholesky *f, const int *rows, size_t count, double *columns,
                        double *gathered)
{
    const size_t m = f->m, k = f->rank;
    for (size_t j = 0; j < count; j++)
        for (size_t l = 0; l < k; l++)
            gathered[l + j * k] = f->factor[(size_t) rows[j] + l * m];
    if (count == 1)
        gemv('N', m, k, -1, f->factor, m, gathered, 1, columns);
    else if (k > 0)
        gemm('N', 'N', m, count, k, -1, f->factor, m, gathered, k, 1, columns, m);
}

/* u of the row in place of the next column; 0 where it is not finite. */
static int next_column(const kernel_columns *kernel, partial_cholesky *f, int row, double *gathered)
{
    double *column = f->factor + f->rank * f->m;
    kernel->fill(kernel->context, &row, 1, column);
    cholesky_residuals(f, &row, 1, column, gathered);
    return all_finite(column, f->m);
}

/* ---- random pivots ------------------------------------------------------------- */

/* The first row at which the running sum of the weights passes `share` of their sum; m where all
 * are zero. */
static size_t draw_row(size_t m, const double *weight, double share)
{
    double total = 0, sum = 0;
    size_t last = m;
    for (size_t i = 0; i < m; i++)
        total += weight[i];
    for (size_t i = 0; i < m; i++) {
        if (weight[i] <= 0)
            continue;
        sum += weight[i];
        last = i;
        if (sum > share * total)
            break;
    }
    return last;
}

int rpcholesky(const kernel_columns *kernel, partial_cholesky *f, const double *self,
               const double *uniform, memory from)
{
    const size_t m = f->m;
    double *lacking = new_doubles(from, m), *gathered = new_doubles(from, f->n);
    memcpy(lacking, self, m * sizeof(double));
    f->rank = 0;
    for (size_t step = 0; step < f->n; step++) {
        const size_t row = draw_row(m, lacking, uniform[step]);
        if (row == m)
            break;
        const int chosen = (int) row;
        double *column = f->factor + f->rank * m;
        if (!next_column(kernel, f, chosen, gathered))
            return SR_NOT_FINITE;
        lacking[row] = 0;
        if (!(column[row] > RESOLUTION * self[row]))
            continue;
        const double scale = 1 / sqrt(column[row]);
        for (size_t i = 0; i < m; i++) {
            column[i] *= scale;
            const double left = lacking[i] - column[i] * column[i];
            lacking[i] = left > RESOLUTION * self[i] ? left : 0;
        }
        f->rows[f->rank++] = chosen;
        R_CheckUserInterrupt();
    }
    return SR_OK;
}

/* ---- largest pivots ---------------------------------------------------------- */

/* The row of the largest lacking / self. */
static size_t largest(size_t m, const double *lacking, const double *self)
{
    size_t best = 0;
    for (size_t i = 1; i < m; i++)
        if (lacking[i] * self[best] > lacking[best] * self[i])
            best = i;
    return best;
}

int low_rank(const kernel_columns *kernel, partial_cholesky *f, const double *self, memory from)
{
    double *lacking = new_doubles(from, f->m), *gathered = new_doubles(from, f->n);
    memcpy(lacking, self, f->m * sizeof(double));
    for (f->rank = 0;; f->rank++) {
        const size_t row = largest(f->m, lacking, self);
        if (lacking[row] <= (double) (10 + f->rank) * DBL_EPSILON * self[row])
            return SR_OK;
        if (f->rank == f->n)
            return SR_ILL_POSED;
        if (!next_column(kernel, f, (int) row, gathered))
            return SR_NOT_FINITE;
        f->rows[f->rank] = (int) row;
        double *column = f->factor + f->rank * f->m;
        const double scale = 1 / sqrt(lacking[row]);
        for (size_t i = 0; i < f->m; i++) {
            column[i] *= scale;
            lacking[i] -= column[i] * column[i];
        }
        lacking[row] = 0;
        R_CheckUserInterrupt();
    }
}
