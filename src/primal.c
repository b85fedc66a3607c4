/* primal.c: linear RLS with features as coordinates.
 *
 * With the linear kernel, RLS on all rows is the ridge regression
 *
 *     min  sum_i w_i (y_i - b_0 - x_i'b)^2 + lambda |b|^2,
 *
 * the problem of cache.c with z_i = x_i and map = I. Its eigenvectors come from the p x p gram
 * matrix (half the price), or from the singular values of sqrt(W) Z, which keep the digits that
 * squaring loses: its triangular factor, found block of rows by block of rows, then an SVD of
 * that. The other factor is never formed: V'Z is all that leaving rows out needs. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "methods.h"

void primal_train(ridge *r, const double *x, row_sums *sums, double *work)
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
    sums->gram = r->gram;
    sum_rows(r, NULL, NULL, m, NULL, NULL, sums, work);
    memcpy(r->score, sums->score, n * r->v * sizeof(double));
}

/* The QR factorization of the triangle so far with the next rows below it leaves the triangle
 * of all rows so far. */
static int triangular_factor(const ridge *r, double *triangle, double *work)
{
    const size_t n = r->n, tall = n + ROW_BLOCK, lapack = qr_work(n, n);
    double *stack = work, *tau = stack + tall * n, *rest = tau + n;
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
        const int status = qr_factor(rows, n, stack, rows, tau, rest, lapack);
        if (status != SR_OK)
            return status;
        for (size_t j = 0; j < n; j++)
            memcpy(triangle + j * n, stack + j * rows, (j + 1) * sizeof(double));
        R_CheckUserInterrupt();
    }
    return SR_OK;
}

size_t primal_work(size_t n)
{
    const size_t triangle = (n + ROW_BLOCK) * n + n + qr_work(n, n), svd = singular_work(n);
    const size_t needed = triangle > svd ? triangle : svd, eigen = eigen_work(n);
    return needed > eigen ? needed : eigen;
}

size_t primal_iwork(size_t n)
{
    return eigen_iwork(n) + 8 * n;
}

int primal_spectrum(const ridge *r, spectrum *s, double *work, int *iwork)
{
    const size_t n = r->n;
    int status;
    if (r->gram) {
        memcpy(s->vectors, r->gram, n * n * sizeof(double));
        status = eigen_symmetric(n, s->vectors, n, s->values, work, iwork);
    } else {
        /* Right singular vectors of the triangle are the left ones of its transpose. */
        status = triangular_factor(r, s->map, work);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++)
                s->vectors[j + i * n] = s->map[i + j * n];
        if (status == SR_OK)
            status = left_singular(n, s->vectors, s->values, work, iwork);
    }
    if (status != SR_OK)
        return status;
    finish_spectrum(r, s);
    return SR_OK;
}
