/* product_triangular.c: triangular solves, inverses and Cholesky factors by recursion onto
 * products.
 *
 * A triangular matrix is two of half the size and a rectangle,
 *
 *     L = [L1 0; R L2],   L^-1 B = [X1; L2^-1 (B2 - R X1)] with X1 = L1^-1 B1,
 *
 * so nearly all the work is products. What is left are triangles of at most LEAF rows, which are
 * substituted for LANES columns of B side by side: never inverted, so that a solve is as accurate
 * as substitution is (backward stable), however ill-conditioned L. Overwritten as said in
 * product.h. */
#include <math.h>
#include <string.h>

#include "product.h"
#include "vector.h"

enum { LEAF = 32, LANES = 8 };

static double *element(view a, size_t i, size_t j)
{
    return a.at + i * a.down + j * a.right;
}

/* Halves that are multiples of LEAF, where they can be. */
static size_t half(size_t n)
{
    return n / 2 < LEAF ? n - n / 2 : n / 2 / LEAF * LEAF;
}

/* ---- solves ------------------------------------------------------------------- */

/* X = L^-1 X for LANES columns, row by row of x. */
WIDE static void substitute(int upper, size_t n, view l, double (*x)[LANES])
{
    for (size_t step = 0; step < n; step++) {
        const size_t i = upper ? n - 1 - step : step;
        const size_t from = upper ? i + 1 : 0, to = upper ? n : i;
        const double pivot = *element(l, i, i);
        double sum[LANES];
        memcpy(sum, x[i], sizeof(sum));
        for (size_t j = from; j < to; j++) {
            const double factor = *element(l, i, j);
#pragma omp simd
            for (size_t lane = 0; lane < LANES; lane++)
                sum[lane] -= factor * x[j][lane];
        }
#pragma omp simd
        for (size_t lane = 0; lane < LANES; lane++)
            x[i][lane] = sum[lane] / pivot;
    }
}

static void solve_leaf(int upper, size_t n, size_t k, view l, view b)
{
    double x[LEAF][LANES] = {{0}};
    for (size_t start = 0; start < k; start += LANES) {
        const size_t some = k - start < LANES ? k - start : LANES;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < some; j++)
                x[i][j] = *element(b, i, start + j);
        substitute(upper, n, l, x);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < some; j++)
                *element(b, i, start + j) = x[i][j];
    }
}

void product_solve(const instruction_set *set, int upper, size_t n, size_t k, view l, view b)
{
    if (n <= LEAF) {
        solve_leaf(upper, n, k, l, b);
        return;
    }
    const size_t top = half(n), bottom = n - top;
    const view low = part(b, top, 0), last = part(l, top, top);
    if (upper) {
        product_solve(set, upper, bottom, k, last, low);
        product(set, top, k, bottom, -1, part(l, 0, top), low, 1, b);
        product_solve(set, upper, top, k, l, b);
    } else {
        product_solve(set, upper, top, k, l, b);
        product(set, bottom, k, top, -1, part(l, top, 0), b, 1, low);
        product_solve(set, upper, bottom, k, last, low);
    }
}

/* ---- inverses ----------------------------------------------------------------- */

/* From the last column on: x_jj = 1 / l_jj, and below X l_j / -l_jj, X the inverse so far. */
static void invert_leaf(size_t n, double *l, size_t ldl)
{
    for (size_t j = n; j-- > 0;) {
        double *column = l + j * ldl;
        column[j] = 1 / column[j];
        for (size_t i = n; i-- > j + 1;) {
            double sum = 0;
            for (size_t p = j + 1; p <= i; p++)
                sum += l[i + p * ldl] * column[p];
            column[i] = -sum * column[j];
        }
    }
}

/* L^-1 = [L1^-1 0; -L2^-1 R L1^-1, L2^-1]. */
void product_invert(const instruction_set *set, size_t n, double *l, size_t ldl)
{
    if (n <= LEAF) {
        invert_leaf(n, l, ldl);
        return;
    }
    const size_t top = half(n), bottom = n - top;
    const view first = stored('N', l, ldl), rest = part(first, top, 0),
               last = part(first, top, top);
    product_solve(set, 0, bottom, top, last, rest);
    product_solve(set, 1, top, bottom, transpose(first), transpose(rest));
    for (size_t j = 0; j < top; j++)
        for (size_t i = 0; i < bottom; i++)
            rest.at[i + j * ldl] = -rest.at[i + j * ldl];
    product_invert(set, top, l, ldl);
    product_invert(set, bottom, last.at, ldl);
}

/* ---- Cholesky ----------------------------------------------------------------- */

static int cholesky_leaf(size_t n, double *a, size_t lda)
{
    for (size_t j = 0; j < n; j++) {
        double pivot = a[j + j * lda];
        for (size_t k = 0; k < j; k++)
            pivot -= a[j + k * lda] * a[j + k * lda];
        if (!(pivot > 0) || !isfinite(pivot))
            return 0;
        const double root = sqrt(pivot);
        a[j + j * lda] = root;
        for (size_t i = j + 1; i < n; i++) {
            double x = a[i + j * lda];
            for (size_t k = 0; k < j; k++)
                x -= a[i + k * lda] * a[j + k * lda];
            a[i + j * lda] = x / root;
        }
    }
    return 1;
}

/* A = [A1 R'; R A2]: the factor of A1, R = R L1'^-1, and the factor of A2 - R R'. */
int product_cholesky(const instruction_set *set, size_t n, double *a, size_t lda)
{
    if (n <= LEAF)
        return cholesky_leaf(n, a, lda);
    const size_t top = half(n), bottom = n - top;
    const view first = stored('N', a, lda), rest = part(first, top, 0),
               last = part(first, top, top);
    if (!product_cholesky(set, top, a, lda))
        return 0;
    product_solve(set, 0, top, bottom, first, transpose(rest));
    product_lower(set, bottom, top, -1, rest, transpose(rest), 1, last);
    return product_cholesky(set, bottom, last.at, lda);
}
