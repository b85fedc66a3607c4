/* unavoidable.c: the BLAS and LAPACK calls that RLS on a subset of regressors cannot do
 * without, timed one by one: one Cholesky factorization and one symmetric
 * eigendecomposition of size n; one dtrsm, one dsyrk and one dgemm of m x n by n.
 * Built and called by foundation.R; z is n x m, one observation per column. */
#define USE_FC_LEN_T
#include <R.h>
#include <R_ext/BLAS.h>
#include <R_ext/Lapack.h>
#include <Rinternals.h>
#include <string.h>
#include <time.h>
#ifndef FCONE
#define FCONE
#endif

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

SEXP unavoidable(SEXP k_bb, SEXP k)
{
    const int n = Rf_nrows(k), m = Rf_ncols(k);
    const double one = 1, zero = 0;
    const size_t square = (size_t) n * n, block = (size_t) n * m;
    double *c = (double *) R_alloc(square, sizeof(double));
    double *s = (double *) R_alloc(square, sizeof(double));
    double *z = (double *) R_alloc(block, sizeof(double));
    double *u = (double *) R_alloc(block, sizeof(double));
    double *values = (double *) R_alloc(n, sizeof(double));
    const int lwork = 1 + 6 * n + 2 * n * n, liwork = 3 + 5 * n;
    double *work = (double *) R_alloc(lwork, sizeof(double));
    int *iwork = (int *) R_alloc(liwork, sizeof(int)), info;
    memcpy(c, REAL(k_bb), square * sizeof(double));
    memcpy(z, REAL(k), block * sizeof(double));
    memset(u, 0, block * sizeof(double));

    SEXP seconds = PROTECT(Rf_allocVector(REALSXP, 5));
    double *t = REAL(seconds), start = now();
    F77_CALL(dpotrf)("L", &n, c, &n, &info FCONE);
    t[0] = now() - start, start = now();
    F77_CALL(dtrsm)("L", "L", "N", "N", &n, &m, &one, c, &n, z, &n FCONE FCONE FCONE FCONE);
    t[1] = now() - start, start = now();
    F77_CALL(dsyrk)("L", "N", &n, &m, &one, z, &n, &zero, s, &n FCONE FCONE);
    t[2] = now() - start, start = now();
    F77_CALL(dsyevd)
    ("V", "L", &n, s, &n, values, work, &lwork, iwork, &liwork, &info FCONE FCONE);
    t[3] = now() - start, start = now();
    F77_CALL(dgemm)("T", "N", &n, &m, &n, &one, s, &n, z, &n, &zero, u, &n FCONE FCONE);
    t[4] = now() - start;
    UNPROTECT(1);
    return seconds;
}
