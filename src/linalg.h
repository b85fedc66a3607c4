/* linalg.h: dense linear algebra on plain arrays. Matrices are column-major. Ground. */
#ifndef SPARSERLS_LINALG_H
#define SPARSERLS_LINALG_H

#include <stddef.h>

#include "constants.h"
#include "memory.h"
#include "product.h"

/* Rows handled at a time: large enough for the BLAS, small against m. */
#define ROW_BLOCK 512

/* All that follows by our own products with these instructions, or by R's BLAS and LAPACK again
 * (NULL). Not while another thread computes. */
void use_own_products(const instruction_set *set);

int all_finite(const double *x, size_t length);

/* C = alpha op(A) op(B) + beta C; C is m x n, the inner dimension is k. */
void gemm(char trans_a, char trans_b, size_t m, size_t n, size_t k, double alpha, const double *a,
          size_t lda, const double *b, size_t ldb, double beta, double *c, size_t ldc);

/* y = alpha op(A) x + beta y; A is m x n. */
void gemv(char trans, size_t m, size_t n, double alpha, const double *a, size_t lda,
          const double *x, double beta, double *y);

/* y = A x, A symmetric n x n, lower triangle. */
void symv_lower(size_t n, const double *a, size_t lda, const double *x, double *y);

/* Lower triangle of C = alpha op(A) op(A)' + beta C; op(A) is n x k. */
void syrk_lower(char trans, size_t n, size_t k, double alpha, const double *a, size_t lda,
                double beta, double *c, size_t ldc);

/* B = op(L)^-1 B, L lower triangular n x n, B n x k. */
void solve_lower_left(char trans, size_t n, size_t k, const double *l, size_t ldl, double *b,
                      size_t ldb);

/* B = B op(L)^-1, L lower triangular n x n, B k x n. */
void solve_lower_right(char trans, size_t k, size_t n, const double *l, size_t ldl, double *b,
                       size_t ldb);

/* L^-1 over a (n x n), whose strict upper triangle becomes zero. */
void invert_lower(size_t n, double *a);

/* Lower Cholesky factor in place; the strict upper triangle is left alone. */
int cholesky_lower(size_t n, double *a, size_t lda);

void mirror_lower(size_t n, double *a, size_t lda);

/* Rank by Cholesky with complete pivoting: pivots above `tolerance` count.
 * a (n x n) is overwritten; pivot[0..rank-1] are the 0-based rows that were
 * chosen; work holds 2 n. */
int pivoted_cholesky(size_t n, double *a, double tolerance, int *pivot, size_t *rank, double *work);

/* a = V diag(values) V', values ascending, V over a (only the lower triangle
 * of a is read). */
int eigen_symmetric(size_t n, double *a, size_t lda, double *values, memory from);

/* The left singular vectors over a (n x n), and the squares of its singular values, ascending. */
int left_singular(size_t n, double *a, double *squares, memory from);

/* Householder tridiagonal form of a symmetric matrix, a = P T P' (lower
 * triangle read and overwritten by the reflectors; diagonal n, offdiagonal
 * n - 1, tau n - 1), and B = op(P) B, B n x k. lwork >= qr_work(n, k). */
int tridiagonalize(size_t n, double *a, size_t lda, double *diagonal, double *offdiagonal,
                   double *tau, double *work, size_t lwork);
void tridiagonal_apply(char trans, size_t n, size_t k, const double *a, size_t lda,
                       const double *tau, double *b, size_t ldb, double *work, size_t lwork);

/* (T + lambda I) X = B for a positive semidefinite tridiagonal T; B (n x k)
 * is overwritten by X; d and e are workspaces of length n. SR_ILL_POSED where a pivot is not
 * above `tolerance`. */
int tridiagonal_solve(size_t n, size_t k, const double *diagonal, const double *offdiagonal,
                      double lambda, double tolerance, double *b, size_t ldb, double *d, double *e);

/* Householder QR of a (n x k, k <= n), and C = op(Q) C from the left (n x j)
 * or C = C op(Q) from the right (j x n). */
size_t qr_work(size_t n, size_t k);
int qr_factor(size_t n, size_t k, double *a, size_t lda, double *tau, double *work, size_t lwork);
void qr_apply(char side, char trans, size_t rows, size_t cols, size_t k, const double *a,
              size_t lda, const double *tau, double *c, size_t ldc, double *work, size_t lwork);

/* Its Q = I - V T V', for few columns: v (rows x k) and t (k x k). inner: k x k, a workspace. */
void block_reflector(size_t rows, size_t k, const double *a, size_t lda, const double *tau,
                     double *v, double *t, double *inner);

#endif
