/* product.h: dense algebra of our own, for where R's BLAS is the slow one. Ground: linalg.c alone
 * calls it. */
#ifndef SPARSERLS_PRODUCT_H
#define SPARSERLS_PRODUCT_H

#include <stddef.h>

/* A matrix in memory: element (i, j) is at[i * down + j * right]. A transpose exchanges the two. */
typedef struct {
    double *at;
    size_t down, right;
} view;

static inline view stored(char trans, const double *a, size_t ld)
{
    const view as_is = {(double *) a, 1, ld}, transposed = {(double *) a, ld, 1};
    return trans == 'T' ? transposed : as_is;
}

static inline view part(view a, size_t i, size_t j)
{
    const view rest = {a.at + i * a.down + j * a.right, a.down, a.right};
    return rest;
}

static inline view transpose(view a)
{
    const view exchanged = {a.at, a.right, a.down};
    return exchanged;
}

/* ---- product_tiles.c ---------------------------------------------------------- */

/* A processor's instructions: the innermost loops that are compiled for them. */
typedef struct {
    const char *name;
    size_t rows, columns; /* of a tile */
    /* tile = A B: `depth` packed columns of A, `depth` packed rows of B. */
    void (*tile)(size_t depth, const double *a, const double *b, double *tile);
    /* y += A x, as far as A's elements are below the square (4 x 4) at the head of its first four
     * columns, or their mirror images; n rows. */
    void (*symmetric)(size_t n, const double *a, size_t lda, const double *x, double *y);
} instruction_set;

enum { LARGEST_TILE = 24 * 8 };

/* The set called "avx512", "avx2" or "plain", NULL where this processor or this compiler has none
 * of that name; the best one for "". */
const instruction_set *find_instructions(const char *name);

/* ---- product.c ---------------------------------------------------------------- */

/* C = alpha A B + beta C, C m x n, the inner dimension k; C overlaps neither A nor B, and its
 * columns or its rows are contiguous. */
void product(const instruction_set *set, size_t m, size_t n, size_t k, double alpha, view a, view b,
             double beta, view c);

/* The lower triangle of the same, C n x n, columns contiguous. */
void product_lower(const instruction_set *set, size_t n, size_t k, double alpha, view a, view b,
                   double beta, view c);

/* y = A x, A symmetric n x n, lower triangle of columns that lie lda apart. */
void product_symmetric(const instruction_set *set, size_t n, const double *a, size_t lda,
                       const double *x, double *y);

/* ---- product_triangular.c ----------------------------------------------------- */

/* B = L^-1 B, B n x k; L lower triangular, or upper where `upper` says so. */
void product_solve(const instruction_set *set, int upper, size_t n, size_t k, view l, view b);

/* The inverse over L, lower triangular n x n; the upper triangle is left alone. */
void product_invert(const instruction_set *set, size_t n, double *l, size_t ldl);

/* The lower Cholesky factor over A; 0 where a pivot is not positive. set: may be NULL where n is at
 * most 32. */
int product_cholesky(const instruction_set *set, size_t n, double *a, size_t lda);

/* ---- product_pivoted.c -------------------------------------------------------- */

/* The rank of A (n x n) by Cholesky with complete pivoting: pivots above `tolerance` count, and the
 * first if it is positive. pivot (n): rows in the order of their choice; taken: n. */
size_t product_pivoted(const instruction_set *set, size_t n, double *a, double tolerance,
                       int *pivot, double *taken);

/* ---- product_reflect.c -------------------------------------------------------- */

/* As LAPACK's dgeqrf, dormqr (of op(Q) from the left: C rows x cols) and dsytrd ("L"): k reflectors
 * below the diagonal of A and their tau. work: REFLECTORS (rows + 2 cols + 2 REFLECTORS), for the
 * tridiagonal form 3 REFLECTORS n. */
enum { REFLECTORS = 32 };
void product_qr(const instruction_set *set, size_t n, size_t k, double *a, size_t lda, double *tau,
                double *work);
void product_reflect(const instruction_set *set, char trans, size_t rows, size_t cols, size_t k,
                     const double *a, size_t lda, const double *tau, view c, double *work);
void product_tridiagonal(const instruction_set *set, size_t n, double *a, size_t lda,
                         double *diagonal, double *offdiagonal, double *tau, double *work);

/* Of k reflectors H1 H2 ... Hk = I - V T V' of length `rows` below the diagonal of a: V (rows x k)
 * with its ones and zeros, and T (k x k, zeros below) from the lower triangle `inner` of V'V. They
 * need no instructions. */
void reflector_columns(size_t rows, size_t k, const double *a, size_t lda, double *v);
void reflector_triangle(size_t k, const double *inner, const double *tau, double *t);

#endif
