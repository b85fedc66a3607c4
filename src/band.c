/* band.c: symmetric matrices turned by reflectors, and their band form, by products.
 *
 * Reflectors are taken BAND at a time, Q = I - V T V' (product_reflect.c). With X = A V T and S =
 * T'V'X, which is symmetric,
 *
 *     Q'AQ = A - V Y' - Y V',   Y = X - V S / 2,
 *
 * in 4 n^2 operations for each reflector, on the lower triangle alone.
 *
 * Band form: the block below the first BAND rows of BAND columns becomes a triangle by its QR
 * factorization, and the rest of A is turned by the same reflectors: 4/3 n^3 operations, nearly all
 * of them products of matrices, where the tridiagonal form has half of them in products of a matrix
 * with a vector. Where only systems with B + lambda I are to be solved, a band does as well: its
 * Cholesky factor has blocks L_i on the diagonal and M_i below it, D_i and E_i those of B,
 *
 *     L_i L_i' = D_i + lambda I - M_(i-1) M_(i-1)',   M_i = E_i L_i'^-1,
 *
 * in 7/3 n BAND^2 operations. */
#include <string.h>

#include "band.h"
#include "linalg.h"
#include "vector.h"

/* Columns of a symmetric matrix that are multiplied at a time. */
#define STRIP 128

band_work new_band_work(size_t n, size_t k, memory from)
{
    const size_t lapack_size = qr_work(n, larger(k, BAND));
    band_work work = {new_doubles(from, 3 * n * BAND),
                      new_doubles(from, 3 * BAND * BAND),
                      new_doubles(from, n),
                      new_doubles(from, n * BAND),
                      new_doubles(from, n * BAND),
                      new_doubles(from, lapack_size),
                      lapack_size};
    return work;
}

/* C = A B, A symmetric n x n, lower triangle; B, C n x k. */
static void symmetric_product(size_t n, size_t k, double *a, size_t lda, const double *b, double *c)
{
    for (size_t j = 0; j < n; j += STRIP) {
        const size_t width = smaller(STRIP, n - j), next = j + width;
        const double *strip = a + j + j * lda;
        mirror_lower(width, a + j + j * lda, lda);
        gemm('N', 'N', n - j, k, width, 1, strip, lda, b + j, n, j > 0, c + j, n);
        gemm('T', 'N', width, k, n - next, 1, strip + width, lda, b + next, n, 1, c + j, n);
    }
}

/* A = A - F G' (n x k each), as far as it is in the lower triangle of blocks. */
static void subtract_lower(size_t n, size_t k, const double *f, const double *g, double *a,
                           size_t lda)
{
    for (size_t j = 0; j < n; j += STRIP)
        gemm('N', 'T', n - j, smaller(STRIP, n - j), k, -1, f + j, n, g + j, n, 1, a + j + j * lda,
             lda);
}

/* A = Q'AQ for at most BAND reflectors. */
static void turn_block(size_t n, size_t k, const double *reflectors, size_t ldr, const double *tau,
                       double *a, size_t lda, band_work *work)
{
    double *v = work->turned, *y = v + n * k, *again = y + n * k;
    double *t = work->small, *inner = t + k * k, *s = inner + k * k;
    block_reflector(n, k, reflectors, ldr, tau, v, t, inner);
    symmetric_product(n, k, a, lda, v, again);
    gemm('N', 'N', n, k, k, 1, again, n, t, k, 0, y, n);
    gemm('T', 'N', k, k, n, 1, v, n, y, n, 0, inner, k);
    gemm('T', 'N', k, k, k, 0.5, t, k, inner, k, 0, s, k);
    gemm('N', 'N', n, k, k, -1, v, n, s, k, 1, y, n);
    memcpy(again, v, n * k * sizeof(double));
    subtract_lower(n, 2 * k, v, y, a, lda);
}

void turn_symmetric(size_t n, size_t k, const double *reflectors, size_t ldr, const double *tau,
                    double *a, size_t lda, band_work *work)
{
    for (size_t j = 0; j < k; j += BAND)
        turn_block(n - j, smaller(BAND, k - j), reflectors + j + j * ldr, ldr, tau + j,
                   a + j + j * lda, lda, work);
}

/* Whether the columns from j on have more below the band than a band's block. */
static int reaches_below(size_t n, size_t j)
{
    return j + 2 * BAND < n;
}

int band_form(size_t n, double *a, size_t lda, band_work *work)
{
    for (size_t j = 0; j < n; j++)
        if (!all_finite(a + j + j * lda, n - j))
            return SR_NOT_FINITE;
    for (size_t j = 0; reaches_below(n, j); j += BAND) {
        const size_t next = j + BAND;
        double *panel = a + next + j * lda;
        const int status =
            qr_factor(n - next, BAND, panel, lda, work->tau + j, work->lapack, work->lapack_size);
        if (status != SR_OK)
            return status;
        turn_block(n - next, BAND, panel, lda, work->tau + j, a + next + next * lda, lda, work);
    }
    return SR_OK;
}

void band_apply(char trans, size_t n, size_t k, const double *a, size_t lda, double *b, size_t ldb,
                band_work *work)
{
    size_t blocks = 0;
    while (reaches_below(n, blocks * BAND))
        blocks++;
    for (size_t step = 0; step < blocks; step++) {
        const size_t j = BAND * (trans == 'T' ? step : blocks - 1 - step), next = j + BAND;
        qr_apply('L', trans, n - next, k, BAND, a + next + j * lda, lda, work->tau + j, b + next,
                 ldb, work->lapack, work->lapack_size);
    }
}

/* L_i over block i of work->diagonal, and M_i; before: the columns of M_(i-1), 0 where there is
 * none. */
static int factor_block(size_t n, size_t j, const double *a, size_t lda, double lambda,
                        double tolerance, band_work *work)
{
    const size_t width = smaller(BAND, n - j), next = j + width, rows = smaller(BAND, n - next);
    double *l = work->diagonal + j * BAND, *m = work->below + j * BAND;
    for (size_t i = 0; i < width; i++) {
        memcpy(l + i + i * BAND, a + (j + i) * (lda + 1), (width - i) * sizeof(double));
        l[i + i * BAND] += lambda;
    }
    if (j > 0)
        syrk_lower('N', width, BAND, -1, m - BAND * BAND, BAND, 1, l, BAND);
    if (cholesky_lower(width, l, BAND) != SR_OK)
        return SR_ILL_POSED;
    for (size_t i = 0; i < width; i++)
        if (!(l[i + i * BAND] * l[i + i * BAND] > tolerance))
            return SR_ILL_POSED;
    for (size_t i = 0; i < width && rows > 0; i++) {
        const size_t kept = reaches_below(n, j) ? i + 1 : rows;
        memset(m + i * BAND, 0, BAND * sizeof(double));
        memcpy(m + i * BAND, a + next + (j + i) * lda, kept * sizeof(double));
    }
    if (rows > 0)
        solve_lower_right('T', rows, width, l, BAND, m, BAND);
    return SR_OK;
}

int band_solve(size_t n, size_t k, const double *a, size_t lda, double lambda, double tolerance,
               double *y, size_t ldy, band_work *work)
{
    for (size_t j = 0; j < n; j += BAND) {
        const int status = factor_block(n, j, a, lda, lambda, tolerance, work);
        if (status != SR_OK)
            return status;
    }
    for (size_t j = 0; j < n; j += BAND) {
        const size_t width = smaller(BAND, n - j), next = j + width;
        solve_lower_left('N', width, k, work->diagonal + j * BAND, BAND, y + j, ldy);
        gemm('N', 'N', smaller(BAND, n - next), k, width, -1, work->below + j * BAND, BAND, y + j,
             ldy, 1, y + next, ldy);
    }
    for (size_t block = (n + BAND - 1) / BAND; block-- > 0;) {
        const size_t j = block * BAND, width = smaller(BAND, n - j), next = j + width;
        gemm('T', 'N', width, k, smaller(BAND, n - next), -1, work->below + j * BAND, BAND,
             y + next, ldy, 1, y + j, ldy);
        solve_lower_left('T', width, k, work->diagonal + j * BAND, BAND, y + j, ldy);
    }
    return SR_OK;
}
