/* linalg.c: thin wrappers of BLAS and LAPACK, or of our own products where that was set.
 *
 * Contract: column-major doubles; sizes are size_t and passed on as int, which
 * R's own matrix dimensions guarantee to fit. Matrices are checked for finite
 * values before and after a Cholesky or an eigenvalue decomposition, since LAPACK's
 * eigensolvers may not return on NaN and some Cholesky routines report success on
 * it; the reflections of a QR factorization are finite where their input is. Every
 * routine that can fail answers an sr_status. */
#ifndef USE_FC_LEN_T
#define USE_FC_LEN_T
#endif
#include <Rconfig.h>
#include <R_ext/BLAS.h>
#include <R_ext/Lapack.h>
#ifndef FCONE
#define FCONE
#endif
#include <float.h>
#include <string.h>

#include "linalg.h"
#include "product.h"

/* Who does dense algebra: our own products by these instructions, or R's BLAS and LAPACK where it
 * is NULL. The only thing in src that outlives a call: a setting of the process (R/blas.R), as the
 * BLAS itself is one, so that no method has to hand it down. Threads only read it. */
static const instruction_set *own;

void use_own_products(const instruction_set *set)
{
    own = set;
}

/* Up to this size plain loops beat the call of BLAS and LAPACK. */
#define SMALL 16

int all_finite(const double *x, size_t length)
{
    /* x * 0 is 0 for finite x and NaN otherwise, so one sum tells all. */
    double sum = 0;
    for (size_t i = 0; i < length; i++)
        sum += x[i] * 0.0;
    return sum == 0.0;
}

static int lower_finite(size_t n, const double *a, size_t lda)
{
    for (size_t j = 0; j < n; j++)
        if (!all_finite(a + j * lda + j, n - j))
            return 0;
    return 1;
}

void gemm(char trans_a, char trans_b, size_t m, size_t n, size_t k, double alpha, const double *a,
          size_t lda, const double *b, size_t ldb, double beta, double *c, size_t ldc)
{
    const int mi = (int) m, ni = (int) n, ki = (int) k;
    const int la = (int) lda, lb = (int) ldb, lc = (int) ldc;
    if (m == 0 || n == 0)
        return;
    if (own) {
        product(own, m, n, k, alpha, stored(trans_a, a, lda), stored(trans_b, b, ldb), beta,
                stored('N', c, ldc));
        return;
    }
    F77_CALL(dgemm)
    (&trans_a, &trans_b, &mi, &ni, &ki, &alpha, a, &la, b, &lb, &beta, c, &lc FCONE FCONE);
}

void gemv(char trans, size_t m, size_t n, double alpha, const double *a, size_t lda,
          const double *x, double beta, double *y)
{
    const int mi = (int) m, ni = (int) n, la = (int) lda, one = 1;
    if (m == 0 || n == 0)
        return;
    if (own) {
        const size_t rows = trans == 'T' ? n : m, columns = trans == 'T' ? m : n;
        product(own, rows, 1, columns, alpha, stored(trans, a, lda), stored('N', x, columns), beta,
                stored('N', y, rows));
        return;
    }
    F77_CALL(dgemv)(&trans, &mi, &ni, &alpha, a, &la, x, &one, &beta, y, &one FCONE);
}

void symv_lower(size_t n, const double *a, size_t lda, const double *x, double *y)
{
    const int ni = (int) n, la = (int) lda, one = 1;
    const double alpha = 1, beta = 0;
    if (own) {
        product_symmetric(own, n, a, lda, x, y);
        return;
    }
    F77_CALL(dsymv)("L", &ni, &alpha, a, &la, x, &one, &beta, y, &one FCONE);
}

void syrk_lower(char trans, size_t n, size_t k, double alpha, const double *a, size_t lda,
                double beta, double *c, size_t ldc)
{
    const int ni = (int) n, ki = (int) k, la = (int) lda, lc = (int) ldc;
    if (own) {
        const view left = stored(trans, a, lda);
        product_lower(own, n, k, alpha, left, transpose(left), beta, stored('N', c, ldc));
        return;
    }
    F77_CALL(dsyrk)("L", &trans, &ni, &ki, &alpha, a, &la, &beta, c, &lc FCONE FCONE);
}

static void small_solve(int transposed, size_t n, const double *l, size_t ldl, double *b)
{
    for (size_t step = 0; step < n; step++) {
        const size_t i = transposed ? n - 1 - step : step;
        double x = b[i];
        if (transposed)
            for (size_t j = i + 1; j < n; j++)
                x -= l[j + i * ldl] * b[j];
        else
            for (size_t j = 0; j < i; j++)
                x -= l[i + j * ldl] * b[j];
        b[i] = x / l[i + i * ldl];
    }
}

void solve_lower_left(char trans, size_t n, size_t k, const double *l, size_t ldl, double *b,
                      size_t ldb)
{
    const int ni = (int) n, ki = (int) k, ll = (int) ldl, lb = (int) ldb;
    const double one = 1;
    if (n <= SMALL) {
        for (size_t j = 0; j < k; j++)
            small_solve(trans == 'T', n, l, ldl, b + j * ldb);
        return;
    }
    if (own) {
        product_solve(own, trans == 'T', n, k, stored(trans, l, ldl), stored('N', b, ldb));
        return;
    }
    F77_CALL(dtrsm)
    ("L", "L", &trans, "N", &ni, &ki, &one, l, &ll, b, &lb FCONE FCONE FCONE FCONE);
}

void solve_lower_right(char trans, size_t k, size_t n, const double *l, size_t ldl, double *b,
                       size_t ldb)
{
    const int ni = (int) n, ki = (int) k, ll = (int) ldl, lb = (int) ldb;
    const double one = 1;
    if (own) { /* B op(L)^-1 is the transpose of op(L)'^-1 B' */
        product_solve(own, trans != 'T', n, k, transpose(stored(trans, l, ldl)),
                      stored('T', b, ldb));
        return;
    }
    F77_CALL(dtrsm)
    ("R", "L", &trans, "N", &ki, &ni, &one, l, &ll, b, &lb FCONE FCONE FCONE FCONE);
}

void invert_lower(size_t n, double *a)
{
    const int ni = (int) n;
    int info = 0;
    for (size_t j = 1; j < n; j++)
        memset(a + j * n, 0, j * sizeof(double));
    if (own) {
        product_invert(own, n, a, n);
        return;
    }
    F77_CALL(dtrtri)("L", "N", &ni, a, &ni, &info FCONE FCONE);
}

int cholesky_lower(size_t n, double *a, size_t lda)
{
    if (n <= SMALL) /* a leaf of ours, which needs no instructions */
        return product_cholesky(own, n, a, lda) ? SR_OK : SR_NOT_POSITIVE;
    if (!lower_finite(n, a, lda))
        return SR_NOT_FINITE;
    const int ni = (int) n, la = (int) lda;
    int info = 0;
    if (own)
        info = !product_cholesky(own, n, a, lda);
    else
        F77_CALL(dpotrf)("L", &ni, a, &la, &info FCONE);
    if (info != 0)
        return SR_NOT_POSITIVE;
    return lower_finite(n, a, lda) ? SR_OK : SR_NOT_FINITE;
}

void mirror_lower(size_t n, double *a, size_t lda)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = j + 1; i < n; i++)
            a[j + i * lda] = a[i + j * lda];
}

int pivoted_cholesky(size_t n, double *a, double tolerance, int *pivot, size_t *rank, double *work)
{
    if (!lower_finite(n, a, n))
        return SR_NOT_FINITE;
    if (own) {
        *rank = product_pivoted(own, n, a, tolerance, pivot, work);
        return SR_OK;
    }
    const int ni = (int) n;
    int found = 0, info = 0;
    F77_CALL(dpstrf)("L", &ni, a, &ni, pivot, &found, &tolerance, work, &info FCONE);
    for (size_t i = 0; i < n; i++)
        pivot[i]--;
    *rank = (size_t) found;
    return SR_OK;
}

/* dsyevd by its parts: LAPACK's eigenvectors of the tridiagonal form, the rest by products. */
static int eigen_by_products(size_t n, double *a, size_t lda, double *values, memory from)
{
    const size_t size = 1 + 4 * n + n * n, isize = 3 + 5 * n, lwork = qr_work(n, n);
    double *work = new_doubles(from, size > lwork ? size : lwork), *z = new_doubles(from, n * n);
    double *offdiagonal = new_doubles(from, n), *tau = new_doubles(from, n);
    int *iwork = new_ints(from, isize), info = 0;
    const int ni = (int) n, lw = (int) size, liwork = (int) isize;
    if (tridiagonalize(n, a, lda, values, offdiagonal, tau, work, lwork) != SR_OK ||
        !all_finite(offdiagonal, n > 1 ? n - 1 : 0))
        return SR_NOT_FINITE;
    F77_CALL(dstedc)("I", &ni, values, offdiagonal, z, &ni, work, &lw, iwork, &liwork, &info FCONE);
    tridiagonal_apply('N', n, n, a, lda, tau, z, n, work, lwork);
    for (size_t j = 0; j < n; j++)
        memcpy(a + j * lda, z + j * n, n * sizeof(double));
    return info == 0 ? SR_OK : SR_NO_CONVERGENCE;
}

/* The same by LAPACK alone. */
static int eigen_by_lapack(size_t n, double *a, size_t lda, double *values, memory from)
{
    const size_t size = 1 + 6 * n + 2 * n * n, isize = 3 + 5 * n;
    double *work = new_doubles(from, size);
    int *iwork = new_ints(from, isize), info = 0;
    const int ni = (int) n, la = (int) lda, lwork = (int) size, liwork = (int) isize;
    F77_CALL(dsyevd)
    ("V", "L", &ni, a, &la, values, work, &lwork, iwork, &liwork, &info FCONE FCONE);
    return info == 0 ? SR_OK : SR_NO_CONVERGENCE;
}

int eigen_symmetric(size_t n, double *a, size_t lda, double *values, memory from)
{
    if (!lower_finite(n, a, lda))
        return SR_NOT_FINITE;
    const int status =
        own ? eigen_by_products(n, a, lda, values, from) : eigen_by_lapack(n, a, lda, values, from);
    if (status != SR_OK)
        return status;
    for (size_t j = 0; j < n; j++)
        if (!all_finite(a + j * lda, n))
            return SR_NOT_FINITE;
    return all_finite(values, n) ? SR_OK : SR_NOT_FINITE;
}

static void reverse_columns(size_t rows, size_t columns, double *a)
{
    for (size_t j = 0; j < columns / 2; j++)
        for (size_t i = 0; i < rows; i++) {
            double *first = a + i + j * rows, *last = a + i + (columns - 1 - j) * rows;
            const double x = *first;
            *first = *last;
            *last = x;
        }
}

int left_singular(size_t n, double *a, double *squares, memory from)
{
    const size_t size = 5 * n * n + 7 * n;
    double *right = new_doubles(from, n * n), *work = new_doubles(from, size);
    int *iwork = new_ints(from, 8 * n), info = 0;
    const int ni = (int) n, lwork = (int) size;
    if (!all_finite(a, n * n))
        return SR_NOT_FINITE;
    F77_CALL(dgesdd)
    ("O", &ni, &ni, a, &ni, squares, a, &ni, right, &ni, work, &lwork, iwork, &info FCONE);
    if (info != 0)
        return SR_NO_CONVERGENCE;
    reverse_columns(n, n, a);
    reverse_columns(1, n, squares);
    for (size_t j = 0; j < n; j++)
        squares[j] *= squares[j];
    return all_finite(squares, n) && all_finite(a, n * n) ? SR_OK : SR_NOT_FINITE;
}

int tridiagonalize(size_t n, double *a, size_t lda, double *diagonal, double *offdiagonal,
                   double *tau, double *work, size_t lwork)
{
    if (!lower_finite(n, a, lda))
        return SR_NOT_FINITE;
    const int ni = (int) n, la = (int) lda, lw = (int) lwork;
    int info = 0;
    if (own)
        product_tridiagonal(own, n, a, lda, diagonal, offdiagonal, tau, work);
    else
        F77_CALL(dsytrd)("L", &ni, a, &la, diagonal, offdiagonal, tau, work, &lw, &info FCONE);
    return all_finite(diagonal, n) ? SR_OK : SR_NOT_FINITE;
}

void tridiagonal_apply(char trans, size_t n, size_t k, const double *a, size_t lda,
                       const double *tau, double *b, size_t ldb, double *work, size_t lwork)
{
    /* The reflectors of dsytrd("L") are those of a QR factorization that
     * starts one row lower. */
    if (n > 1)
        qr_apply('L', trans, n - 1, k, n - 1, a + 1, lda, tau, b + 1, ldb, work, lwork);
}

int tridiagonal_solve(size_t n, size_t k, const double *diagonal, const double *offdiagonal,
                      double lambda, double tolerance, double *b, size_t ldb, double *d, double *e)
{
    const int ni = (int) n, ki = (int) k, lb = (int) ldb;
    int info = 0;
    for (size_t i = 0; i < n; i++)
        d[i] = diagonal[i] + lambda;
    if (n > 1)
        memcpy(e, offdiagonal, (n - 1) * sizeof(double));
    F77_CALL(dpttrf)(&ni, d, e, &info);
    if (info != 0)
        return SR_ILL_POSED;
    for (size_t i = 0; i < n; i++)
        if (!(d[i] > tolerance))
            return SR_ILL_POSED;
    F77_CALL(dpttrs)(&ni, &ki, d, e, b, &lb, &info);
    return SR_OK;
}

/* 64 is the largest block size in LAPACK's own tables, and dormqr adds a triangle; our own blocks
 * are smaller, and come three times. */
size_t qr_work(size_t n, size_t k)
{
    return 3 * REFLECTORS * (n > k ? n : k) + 64 * 65;
}

int qr_factor(size_t n, size_t k, double *a, size_t lda, double *tau, double *work, size_t lwork)
{
    const int ni = (int) n, ki = (int) k, la = (int) lda, lw = (int) lwork;
    int info = 0;
    if (own)
        product_qr(own, n, k, a, lda, tau, work);
    else
        F77_CALL(dgeqrf)(&ni, &ki, a, &la, tau, work, &lw, &info);
    return all_finite(tau, k) ? SR_OK : SR_NOT_FINITE;
}

void qr_apply(char side, char trans, size_t rows, size_t cols, size_t k, const double *a,
              size_t lda, const double *tau, double *c, size_t ldc, double *work, size_t lwork)
{
    const int mi = (int) rows, ni = (int) cols, ki = (int) k;
    const int la = (int) lda, lc = (int) ldc, lw = (int) lwork;
    int info = 0;
    if (own) { /* C op(Q) is the transpose of op(Q)' C' */
        const int left = side == 'L', turned = left == (trans == 'T');
        product_reflect(own, turned ? 'T' : 'N', left ? rows : cols, left ? cols : rows, k, a, lda,
                        tau, stored(left ? 'N' : 'T', c, ldc), work);
        return;
    }
    F77_CALL(dormqr)
    (&side, &trans, &mi, &ni, &ki, a, &la, tau, c, &lc, work, &lw, &info FCONE FCONE);
}

void block_reflector(size_t rows, size_t k, const double *a, size_t lda, const double *tau,
                     double *v, double *t, double *inner)
{
    reflector_columns(rows, k, a, lda, v);
    syrk_lower('T', k, rows, 1, v, rows, 0, inner, k);
    reflector_triangle(k, inner, tau, t);
}
