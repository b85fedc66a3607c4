/* primal.c: linear RLS with features as coordinates.
 *
 * With the linear kernel, RLS on all rows is the ridge regression
 *
 *     min  sum_i w_i (y_i - b_0 - x_i'b)^2 + lambda |b|^2,
 *
 * the problem of train.c with z_i = x_i and map = I. Its eigenvectors come from the p x p gram
 * matrix (half the price), or from the singular values of sqrt(W) Z, which keep the digits that
 * squaring loses: its triangular factor, found block of rows by block of rows, then an SVD of
 * that. The other factor is never formed: V'Z is all that leaving rows out needs. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "linalg.h"
#include "primal.h"

void primal_train(ridge *r, const double *x, memory from)
{
    const size_t n = r->n, m = r->m;
    for (size_t start = 0; start < m; start += ROW_BLOCK) {
        const size_t end = start + ROW_BLOCK < m ? start + ROW_BLOCK : m;
        for (size_t j = 0; j < n; j++)
            for (size_t i = start; i < end; i++)
                r->z[j + i * n] = x[i + j * m];
    }
    ridge_centre(r);
    memset(r->map, 0, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++)
        r->map[j + j * n] = 1;
    sum_all_rows(r, from);
}

/* The QR factorization of the triangle so far with the next rows below it leaves the triangle
 * of all rows so far. */
static int triangular_factor(const ridge *r, double *triangle, memory from)
{
    const size_t n = r->n, lapack = qr_work(n + ROW_BLOCK, n);
    double *stack = new_doubles(from, (n + ROW_BLOCK) * n), *tau = new_doubles(from, n);
    double *work = new_doubles(from, lapack);
    memset(triangle, 0, n * n * sizeof(double));
    for (size_t start = 0; start < r->m; start += ROW_BLOCK) {
        const size_t some = r->m - start < ROW_BLOCK ? r->m - start : ROW_BLOCK, rows = n + some;
        for (size_t j = 0; j < n; j++)
            memcpy(stack + j * rows, triangle + j * n, n * sizeof(double));
        for (size_t i = 0; i < some; i++) {
            const double root = sqrt(r->weights[start + i]);
            for (size_t j = 0; j < n; j++)
                stack[n + i + j * rows] = root * r->z[j + (start + i) * n];
        }
        const int status = qr_factor(rows, n, stack, rows, tau, work, lapack);
        if (status != SR_OK)
            return status;
        for (size_t j = 0; j < n; j++)
            memcpy(triangle + j * n, stack + j * rows, (j + 1) * sizeof(double));
        R_CheckUserInterrupt();
    }
    return SR_OK;
}

int primal_spectrum(const ridge *r, spectrum *s, memory from)
{
    const size_t n = r->n;
    int status;
    if (r->gram) {
        memcpy(s->vectors, r->gram, n * n * sizeof(double));
        status = eigen_symmetric(n, s->vectors, n, s->values, from);
    } else {
        /* Right singular vectors of the triangle are the left ones of its transpose. */
        status = triangular_factor(r, s->map, from);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++)
                s->vectors[j + i * n] = s->map[i + j * n];
        if (status == SR_OK)
            status = left_singular(n, s->vectors, s->values, from);
    }
    if (status != SR_OK)
        return status;
    finish_spectrum(r, s);
    return SR_OK;
}
