/* refit.h: training from sums over rows. */
#ifndef SPARSERLS_REFIT_H
#define SPARSERLS_REFIT_H

#include "band.h"
#include "row_sums.h"

/* A symmetric matrix in tridiagonal form, and the workspaces of its solver. */
typedef struct {
    double *diagonal;    /* n */
    double *offdiagonal; /* n */
    double *tau;         /* n: reflectors */
    double *d, *e;       /* n, n */
} tridiagonal;

/* Workspace for up to e constraints and c lambda. */
typedef struct {
    double *constraint; /* n x e: columns that b is orthogonal to; then Householder vectors */
    double *tau;        /* e */
    double *diagonal;   /* n */
    tridiagonal form;
    band_work band;
    double *lapack; /* lapack_size */
    size_t lapack_size;
} refit_work;

refit_work new_refit_work(size_t n, size_t v, size_t e, size_t c, memory from);

/* Coefficients b (n x (v c)) for all lambda (c, decreasing), orthogonal to the first e columns of
 * work->constraint. sums: centred where there is an intercept; gram and the first v columns of
 * zy are overwritten. SR_ILL_POSED: singular to working precision at the smallest lambda. */
int refit(size_t n, size_t v, row_sums *sums, size_t e, const double *lambda, size_t c, double *b,
          refit_work *work);

/* Its price in operations of a dgemm, c values of lambda. */
double refit_price(double n, double e, double c);

/* refit() in two steps, for a single lambda: the factor of the gram matrix (over sums->gram), and
 * solutions over b (n x k), any right-hand sides. lapack: of new_refit_work() with v c >= k. */
int factor_refit(size_t n, row_sums *sums, size_t e, double lambda, refit_work *work);
void solve_refit(size_t n, size_t k, const row_sums *sums, size_t e, double *b, refit_work *work);

/* Intercepts (v c) that go with b: the means of y less b at the means of z. */
void refit_offsets(size_t n, size_t v, const row_sums *sums, size_t c, const double *b,
                   double *offset);

#endif
