/* ground.h: the lowest storey. Dense linear algebra and kernel blocks on plain
 * arrays. Matrices are column-major. Nothing here knows R's objects, owns
 * memory or keeps state. */
#ifndef SPARSERLS_GROUND_H
#define SPARSERLS_GROUND_H

#include <stddef.h>

/* What a numeric routine may answer. */
enum sr_status {
    SR_OK = 0,
    SR_NOT_FINITE,     /* NaN or infinite values going in or coming out */
    SR_NOT_POSITIVE,   /* a Cholesky factorization met a pivot <= 0 */
    SR_NO_CONVERGENCE, /* LAPACK's eigensolver gave up */
    SR_ILL_POSED       /* lambda is below what double precision resolves */
};

/* The inner loops are compiled for processors with AVX2 as well, where the compiler and the system
 * can choose between two versions of a function. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

/* ---- vector.c ----------------------------------------------------------- */

double dot(size_t length, const double *a, const double *b);
void add_multiple(size_t length, double factor, const double *from, double *to);

/* ---- linalg.c --------------------------------------------------------- */

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
 * of a is read). Lengths of the workspaces: eigen_work(n), eigen_iwork(n). */
size_t eigen_work(size_t n);
size_t eigen_iwork(size_t n);
int eigen_symmetric(size_t n, double *a, size_t lda, double *values, double *work, int *iwork);

/* The left singular vectors over a (n x n), and the squares of its singular values, ascending.
 * Lengths of the workspaces: singular_work(n), and 8 n integers. */
size_t singular_work(size_t n);
int left_singular(size_t n, double *a, double *squares, double *work, int *iwork);

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

/* ---- kernel.c --------------------------------------------------------- */

enum kernel_type { KERNEL_LINEAR = 0, KERNEL_GAUSSIAN, KERNEL_LAPLACIAN, KERNEL_POLYNOMIAL };

typedef struct {
    enum kernel_type type;
    double gamma;         /* Gaussian, Laplacian */
    int degree;           /* polynomial */
    double scale, offset; /* polynomial */
    int normalize;        /* divide by sqrt(k(a,a) k(b,b)) */
    int less_one;         /* k - 1 in place of k: Gaussian, Laplacian */
} kernel_spec;

/* One side of a kernel block: `rows` points of p coordinates, point i in
 * x[i], x[i + ld], ... */
typedef struct {
    const double *x;
    size_t rows, ld, p;
} point_set;

/* out (a.rows x b.rows, leading dimension ld_out) = k(a_i, b_j). `centre`
 * (length p, or NULL) is subtracted from both sides where the kernel only sees
 * differences; work holds kernel_work(a, b). */
size_t kernel_work(const kernel_spec *kernel, point_set a, point_set b);
void kernel_block(const kernel_spec *kernel, point_set a, point_set b, const double *centre,
                  double *out, size_t ld_out, double *work, int threads);

/* The same from inner products that stand in out already: out[i, j] = a_i'b_j,
 * squares a_i'a_i and b_j'b_j. Not for the Laplacian kernel. */
void kernel_from_products(const kernel_spec *kernel, size_t na, size_t nb, const double *a_squares,
                          const double *b_squares, double *out, size_t ld_out, int threads);

#endif
