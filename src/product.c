/* product.c: C = alpha A B + beta C, fast without a BLAS.
 *
 * A processor adds and multiplies many times faster than memory delivers numbers. Three plain loops
 * read two numbers from memory for every multiplication, and wait. So every number that is fetched
 * must be used many times while it is near:
 *
 * - In registers. The innermost function holds a tile of C, for AVX2 12 x 4 numbers in 12 registers
 *   of four, and runs through k: 12 numbers of a column of A and 4 of a row of B are 48
 *   multiplications. Nothing of C is read or written meanwhile. The tile is as large as there are
 *   registers: 12 for sums, 3 for A, 1 for the number of B that multiplies them.
 * - In caches. k is cut into pieces of DEPTH. Of B, DEPTH x BROAD numbers stay in the outer cache,
 *   of A, TALL x DEPTH in the middle one, and of B the four columns of the tile (8 kB) in the inner
 *   one, while tiles run down A:
 *
 *       for columns of C by BROAD               C        A          B
 *         for k by DEPTH: pack B              +----+   +--+--+   +----+
 *           for rows of C by TALL: pack A     |    |   |TA|  |   |DB  | DEPTH
 *             for columns by 4                |    | = |  |  | * +----+
 *               for rows by 12: a tile        +----+   +--+--+   +----+
 *
 * - In order. Packing copies a piece such that the innermost loop reads it from one end to the
 *   other: of A, 12 rows, column after column; then the next 12. The copy costs one pass over what
 *   is used many times, and makes all layouts alike: transposes are only other strides. Rows and
 *   columns that are missing at the edges of a piece are zeros, whose results nobody stores.
 *
 * A value is summed in the order of k whatever stands beside it. Products of fewer columns than a
 * tile has are no such thing: there each number of A is used once, and packing only costs.
 *
 * The innermost functions and the choice between them are in product_tiles.c.
 *
 * Memory: small products are packed on the stack. For others malloc() lends up to 1.3 MB until the
 * end of the call: interrupts are not checked in between, so nothing can leak, threads may call it
 * (they may not call R_alloc()), and callers need not know. Where malloc() fails the pieces are as
 * small as the stack allows: slow, and right. */
#include <stdlib.h>
#include <string.h>

#include "product.h"
#include "vector.h"

/* Multiples of every tile's sides. */
enum { DEPTH = 256, TALL = 96, BROAD = 512 };
/* Numbers that are packed on the stack. */
enum { ON_STACK = 3072 };

/* ---- packing ------------------------------------------------------------------ */

static size_t rounded_up(size_t a, size_t unit)
{
    return (a + unit - 1) / unit * unit;
}

/* Four numbers of each column, and of four rows: what pieces consist of, so that the compiler
 * moves them as one. */
static void copy_columns(size_t depth, const double *from, size_t right, size_t width, double *to)
{
    for (size_t p = 0; p < depth; p++)
        memcpy(to + p * width, from + p * right, 4 * sizeof(double));
}

static void copy_rows(size_t depth, const double *from, size_t down, size_t width, double *to)
{
    for (size_t p = 0; p < depth; p++)
        for (size_t i = 0; i < 4; i++)
            to[i + p * width] = from[i * down + p];
}

/* Rows of A (of B': columns) in groups of `width`, column after column. */
static void pack(size_t rows, size_t depth, view a, size_t width, double *to)
{
    for (size_t start = 0; start < rows; start += width, to += width * depth) {
        const size_t some = smaller(width, rows - start);
        const double *from = a.at + start * a.down;
        size_t i = 0;
        if (some < width)
            memset(to, 0, width * depth * sizeof(double));
        for (; i + 4 <= some && (a.down == 1 || a.right == 1); i += 4)
            if (a.down == 1)
                copy_columns(depth, from + i, a.right, width, to + i);
            else
                copy_rows(depth, from + i * a.down, a.down, width, to + i);
        for (; i < some; i++)
            for (size_t p = 0; p < depth; p++)
                to[i + p * width] = from[i * a.down + p * a.right];
    }
}

/* Where pieces of A and B are packed, and how large they may be. */
typedef struct {
    size_t depth, tall, broad;
    double *a, *b, *lent;
} pieces;

static pieces new_pieces(const instruction_set *set, size_t m, size_t n, size_t k, double *stack)
{
    pieces p = {smaller(k, DEPTH),
                smaller(rounded_up(m, set->rows), TALL),
                smaller(rounded_up(n, set->columns), BROAD),
                stack,
                NULL,
                NULL};
    const size_t size = p.depth * (p.tall + p.broad);
    if (size > ON_STACK) {
        p.a = p.lent = malloc(size * sizeof(double));
        if (!p.lent) {
            p.a = stack;
            p.tall = set->rows;
            p.broad = set->columns;
            p.depth = smaller(k, ON_STACK / (set->rows + set->columns));
        }
    }
    p.b = p.a + p.depth * p.tall;
    return p;
}

/* ---- products ----------------------------------------------------------------- */

/* What all tiles of a product share; lower: elements below the diagonal and on it alone. Columns of
 * C are contiguous here, C.down = 1. */
typedef struct {
    const instruction_set *set;
    double alpha;
    int lower;
} task;

/* The part of a tile at (row, column) of C that belongs to C, rows x columns. */
static void store_tile(const task *t, const double *tile, size_t row, size_t column, size_t rows,
                       size_t columns, double beta, view c)
{
    for (size_t j = 0; j < columns; j++) {
        const double *from = tile + j * t->set->rows;
        double *to = c.at + row + (column + j) * c.right;
        const size_t start = t->lower && column + j > row ? column + j - row : 0;
        if (beta == 0) {
#pragma omp simd
            for (size_t i = start; i < rows; i++)
                to[i] = t->alpha * from[i];
        } else {
#pragma omp simd
            for (size_t i = start; i < rows; i++)
                to[i] = beta * to[i] + t->alpha * from[i];
        }
    }
}

/* C = beta C + alpha A B of packed pieces that begin at (row, column) of C. */
static void multiply_pieces(const task *t, size_t row, size_t column, size_t m, size_t n, size_t k,
                            const pieces *packed, double beta, view c)
{
    double tile[LARGEST_TILE];
    const size_t high = t->set->rows, wide = t->set->columns;
    for (size_t j = 0; j < n; j += wide)
        for (size_t i = 0; i < m; i += high) {
            const size_t rows = smaller(high, m - i);
            if (t->lower && row + i + rows <= column + j)
                continue;
            t->set->tile(k, packed->a + i * k, packed->b + j * k, tile);
            store_tile(t, tile, row + i, column + j, rows, smaller(wide, n - j), beta, c);
        }
}

static void multiply(const task *t, size_t m, size_t n, size_t k, view a, view b, double beta,
                     view c)
{
    double stack[ON_STACK];
    const pieces packed = new_pieces(t->set, m, n, k, stack);
    for (size_t j = 0; j < n; j += packed.broad)
        for (size_t p = 0; p < k; p += packed.depth) {
            const size_t broad = smaller(packed.broad, n - j), deep = smaller(packed.depth, k - p);
            pack(broad, deep, transpose(part(b, p, j)), t->set->columns, packed.b);
            for (size_t i = t->lower ? j - j % packed.tall : 0; i < m; i += packed.tall) {
                const size_t tall = smaller(packed.tall, m - i);
                pack(tall, deep, part(a, i, p), t->set->rows, packed.a);
                multiply_pieces(t, i, j, tall, broad, deep, &packed, p == 0 ? beta : 1, c);
            }
        }
    free(packed.lent);
}

/* C = beta C: whatever C holds where beta is zero. */
static void scale(size_t m, size_t n, int lower, double beta, view c)
{
    for (size_t j = 0; j < n && beta != 1; j++)
        for (size_t i = lower ? j : 0; i < m; i++) {
            double *to = c.at + i * c.down + j * c.right;
            *to = beta == 0 ? 0 : beta * *to;
        }
}

/* C = alpha A b + beta C column by column, where C has few; 0 where strides do not suit. */
static int narrow(size_t m, size_t n, size_t k, double alpha, view a, view b, double beta, view c)
{
    const int by_columns = a.down == 1 && c.down == 1, by_rows = a.right == 1 && b.down == 1;
    if (n > 3 || !(by_columns || by_rows))
        return 0;
    scale(m, n, 0, beta, c);
    for (size_t j = 0; j < n; j++) {
        double *to = c.at + j * c.right;
        const double *from = b.at + j * b.right;
        if (by_columns)
            for (size_t p = 0; p < k; p++)
                add_multiple(m, alpha * from[p * b.down], a.at + p * a.right, to);
        else
            for (size_t i = 0; i < m; i++)
                to[i * c.down] += alpha * dot(k, a.at + i * a.down, from);
    }
    return 1;
}

void product(const instruction_set *set, size_t m, size_t n, size_t k, double alpha, view a, view b,
             double beta, view c)
{
    const task whole = {set, alpha, 0};
    if (k == 0 || alpha == 0)
        scale(m, n, 0, beta, c);
    else if (narrow(m, n, k, alpha, a, b, beta, c) ||
             narrow(n, m, k, alpha, transpose(b), transpose(a), beta, transpose(c)))
        return;
    else if (c.down == 1)
        multiply(&whole, m, n, k, a, b, beta, c);
    else
        multiply(&whole, n, m, k, transpose(b), transpose(a), beta, transpose(c));
}

void product_lower(const instruction_set *set, size_t n, size_t k, double alpha, view a, view b,
                   double beta, view c)
{
    const task lower = {set, alpha, 1};
    if (k == 0 || alpha == 0)
        scale(n, n, 1, beta, c);
    else
        multiply(&lower, n, n, k, a, b, beta, c);
}

void product_symmetric(const instruction_set *set, size_t n, const double *a, size_t lda,
                       const double *x, double *y)
{
    memset(y, 0, n * sizeof(double));
    for (size_t j = 0; j < n; j += 4) {
        const size_t some = smaller(4, n - j);
        const double *corner = a + j + j * lda;
        for (size_t q = 0; q < some; q++)
            for (size_t p = q; p < some; p++) {
                y[j + p] += corner[p + q * lda] * x[j + q];
                if (p > q)
                    y[j + q] += corner[p + q * lda] * x[j + p];
            }
        if (some == 4)
            set->symmetric(n - j, corner, lda, x + j, y + j);
    }
}
