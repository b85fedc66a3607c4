/* product_pivoted.c: Cholesky factor with complete pivoting, A(p, p) = L L', columns in blocks.
 *
 * The next pivot is the largest of what is left on the diagonal, and its row and column change
 * places with the next ones. Within a block only the diagonal and the chosen column are brought up
 * to date; the rest, by a product, after the block (Hammarling, Higham and Lucas 2007; LAPACK's
 * dpstrf). Ties go to the lower row. */
#include <math.h>
#include <string.h>

#include "product.h"
#include "vector.h"

enum { BLOCK = 32 };

static void exchange(size_t count, double *a, size_t step_a, double *b, size_t step_b)
{
    for (size_t i = 0; i < count; i++) {
        const double x = a[i * step_a];
        a[i * step_a] = b[i * step_b];
        b[i * step_b] = x;
    }
}

/* Rows and columns j and q > j of a symmetric matrix, its lower triangle. */
static void exchange_rows(size_t n, double *a, size_t j, size_t q)
{
    exchange(j, a + j, n, a + q, n);
    exchange(q - j - 1, a + j + 1 + j * n, 1, a + q + (j + 1) * n, n);
    exchange(n - q - 1, a + q + 1 + j * n, 1, a + q + 1 + q * n, 1);
    exchange(1, a + j + j * n, 1, a + q + q * n, 1);
}

/* The row at or after j of the largest pivot; taken (n): the squares that the block has taken from
 * the diagonal so far. NaN where that is one. */
static size_t largest_pivot(size_t n, const double *a, size_t j, const double *taken, double *pivot)
{
    size_t best = j;
    *pivot = a[j + j * n] - taken[j];
    for (size_t i = j + 1; i < n; i++) {
        const double left = a[i + i * n] - taken[i];
        if (left > *pivot) {
            *pivot = left;
            best = i;
        }
    }
    return best;
}

/* Column j of the factor, from the block's columns start, ..., j - 1. */
static void next_column(size_t n, double *a, size_t start, size_t j, double root, double *taken)
{
    double *column = a + j * n;
    column[j] = root;
    for (size_t p = start; p < j; p++)
        add_multiple(n - j - 1, -a[j + p * n], a + j + 1 + p * n, column + j + 1);
    for (size_t i = j + 1; i < n; i++) {
        column[i] /= root;
        taken[i] += column[i] * column[i];
    }
}

size_t product_pivoted(const instruction_set *set, size_t n, double *a, double tolerance,
                       int *pivot, double *taken)
{
    for (size_t i = 0; i < n; i++)
        pivot[i] = (int) i;
    for (size_t start = 0; start < n; start += BLOCK) {
        const size_t end = n - start < BLOCK ? n : start + BLOCK;
        memset(taken, 0, n * sizeof(double));
        for (size_t j = start; j < end; j++) {
            double largest;
            const size_t best = largest_pivot(n, a, j, taken, &largest);
            if (!(largest > (j == 0 ? 0 : tolerance)))
                return j;
            if (best != j) {
                const int moved = pivot[j];
                pivot[j] = pivot[best];
                pivot[best] = moved;
                taken[best] = taken[j];
                exchange_rows(n, a, j, best);
            }
            next_column(n, a, start, j, sqrt(largest), taken);
        }
        if (end == n)
            return n;
        const view rows = stored('N', a + end + start * n, n);
        product_lower(set, n - end, end - start, -1, rows, transpose(rows), 1,
                      stored('N', a + end + end * n, n));
    }
    return n;
}
