/* derivatives.c: derivatives of f(x) = sum_j a_j k(x, b_j) by the coordinates of x.
 *
 * A kernel is a function of one number u (kernel.c), and k' = dk/du. So with i a row, j a basis
 * vector and d a coordinate
 *
 *   dk(x_i, b_j)/dx_d = P_ij b_jd + R_ij x_id
 *
 *   inner product      P = k',               R = 0
 *     normalized       P = k' / (s_i s_j),   R = -k~ kappa'(|x_i|^2) / kappa(|x_i|^2)
 *   squared distance   P = -2 k',            R = 2 k'
 *
 * where kappa(|x|^2) = k(x, x), s its root and k~ the normalized value; a point with s = 0 has the
 * normalized value 0, and the derivative counts as 0 too. P and R (n x rows of a block) make all
 * coordinates by one matrix product. Where x_i and b_j nearly coincide P b + R x cancels: such
 * pairs are left out of the product and added as 2 k' (x_id - b_jd). The absolute distance has no
 * product: dk/dx_d = k' sign(x_id - b_jd).
 *
 * Kinks count as 0: sign(0) = 0, and the table has k' = 0 at D = 0 where there is no limit.
 *
 * Rows go in blocks; cost of all: m n (2 p (v + 1)) operations beside the kernel's values. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "constants.h"
#include "derivatives.h"
#include "linalg.h"

/* k(u) = u: kernel_block() then leaves the arguments themselves. */
static void itself(const double *theta, size_t length, double *u, double *slope)
{
    (void) theta;
    (void) u;
    (void) length;
    (void) slope;
}

typedef struct {
    kernel_kind argument;                /* of a kernel that is its own argument */
    double *value;                       /* n x ROW_BLOCK: u, then k */
    double *basis_part;                  /* n x ROW_BLOCK: k', then P */
    double *row_part;                    /* n x ROW_BLOCK: R */
    double *weighted;                    /* n x ROW_BLOCK */
    double *basis_squares, *row_squares; /* |b|^2 and |x|^2; then, normalized, 1 / s */
    double *row_slope;                   /* ROW_BLOCK: kappa' / kappa */
    double *sums;                        /* the longer of n and ROW_BLOCK */
    double *total;                       /* n: sum_i share_i P_ij */
    double *basis, *rows; /* n x p and ROW_BLOCK x p: both sides moved by the centre */
    double *kernel_work;
} slopes_work;

static int absolute(const kernel_expansion *f)
{
    return f->kernel->kind->argument == OF_ABSOLUTE_DISTANCE;
}

static int normalized(const kernel_expansion *f)
{
    return f->kernel->kind->argument == OF_PRODUCT && f->kernel->normalize;
}

static int squared(const kernel_expansion *f)
{
    return f->kernel->kind->argument == OF_SQUARED_DISTANCE;
}

static slopes_work new_slopes_work(const kernel_expansion *f, memory from)
{
    const size_t n = f->basis.rows, p = f->basis.p, block = n * ROW_BLOCK;
    point_set rows = {NULL, ROW_BLOCK, ROW_BLOCK, p};
    slopes_work w = {.argument = {.argument = f->kernel->kind->argument, .evaluate = itself}};
    w.value = new_doubles(from, block);
    w.basis_part = new_doubles(from, block);
    w.row_part = new_doubles(from, block);
    w.weighted = new_doubles(from, block);
    w.basis_squares = new_doubles(from, n);
    w.row_squares = new_doubles(from, ROW_BLOCK);
    w.row_slope = new_doubles(from, ROW_BLOCK);
    w.sums = new_doubles(from, n > ROW_BLOCK ? n : ROW_BLOCK);
    w.total = new_doubles(from, n);
    w.basis = new_doubles(from, n * p);
    w.rows = new_doubles(from, ROW_BLOCK * p);
    w.kernel_work = new_doubles(from, kernel_work(f->kernel, f->basis, rows));
    return w;
}

/* Points moved by the centre, where the kernel sees differences only; and their squares. */
static void move_points(const kernel_expansion *f, point_set points, double *moved, double *squares)
{
    row_squares(centred_points(points, squared(f) ? f->centre : NULL, moved), squares);
}

/* Over the squares |x|^2: 1 / s, 0 where s = 0; ratio (or NULL): kappa' / kappa. */
static void self_scales(const kernel_spec *kernel, size_t rows, double *squares, double *ratio)
{
    for (size_t i = 0; i < rows; i++) {
        double slope, *self = squares + i;
        kernel->kind->evaluate(kernel->theta, 1, self, &slope);
        if (ratio)
            ratio[i] = *self > 0 ? slope / *self : 0;
        *self = *self > 0 ? 1 / sqrt(*self) : 0;
    }
}

/* P and R of one row of a normalized kernel. */
static void normalized_row(const slopes_work *w, size_t n, size_t i)
{
    for (size_t j = 0; j < n; j++) {
        const size_t at = j + i * n;
        const double scale = w->basis_squares[j] * w->row_squares[i];
        w->basis_part[at] *= scale;
        w->row_part[at] = -w->value[at] * scale * w->row_slope[i];
    }
}

/* The values and derivatives of a block of rows as P and R. The arguments are kept in `weighted`,
 * which the near pairs ask for. */
static void block_parts(const kernel_expansion *f, point_set rows, slopes_work *w, int threads)
{
    const size_t n = f->basis.rows, length = n * rows.rows;
    const kernel_spec arguments = {.kind = &w->argument};
    kernel_block(&arguments, f->basis, rows, f->centre, w->value, NULL, n, w->kernel_work, threads);
    memcpy(w->weighted, w->value, length * sizeof(double));
    f->kernel->kind->evaluate(f->kernel->theta, length, w->value, w->basis_part);
    if (squared(f))
        for (size_t at = 0; at < length; at++) {
            w->row_part[at] = 2 * w->basis_part[at];
            w->basis_part[at] *= -2;
        }
    if (!normalized(f))
        return;
    self_scales(f->kernel, rows.rows, w->row_squares, w->row_slope);
    for (size_t i = 0; i < rows.rows; i++)
        normalized_row(w, n, i);
}

/* ---- pairs that the product does not serve ---------------------------------------- */

/* One pair by the differences of its coordinates: factor, or factor times their signs. m: leading
 * dimension of slopes. */
static void add_pair(const kernel_expansion *f, point_set rows, size_t i, size_t j, double factor,
                     double share, double *slopes, size_t m, double *average)
{
    const size_t n = f->basis.rows, p = f->basis.p;
    for (size_t d = 0; d < p; d++) {
        double step = rows.x[i + d * rows.ld] - f->basis.x[j + d * f->basis.ld];
        if (absolute(f))
            step = (step > 0) - (step < 0);
        average[j + d * n] += share * factor * step;
        for (size_t o = 0; o < f->v; o++)
            slopes[i + (d + o * p) * m] += f->alpha[j + o * n] * factor * step;
    }
}

/* Pairs that nearly coincide, which leave P and R. */
static void near_pairs(const kernel_expansion *f, point_set rows, const double *share,
                       double *slopes, size_t m, double *average, const slopes_work *w)
{
    const size_t n = f->basis.rows;
    for (size_t i = 0; i < rows.rows; i++)
        for (size_t j = 0; j < n; j++) {
            const size_t at = j + i * n;
            if (w->weighted[at] >= NEAR * (w->basis_squares[j] + w->row_squares[i]))
                continue;
            add_pair(f, rows, i, j, w->row_part[at], share[i], slopes, m, average);
            w->basis_part[at] = w->row_part[at] = 0;
        }
}

static void absolute_pairs(const kernel_expansion *f, point_set rows, const double *share,
                           double *slopes, size_t m, double *average, const slopes_work *w)
{
    const size_t n = f->basis.rows;
    for (size_t i = 0; i < rows.rows; i++)
        for (size_t j = 0; j < n; j++)
            add_pair(f, rows, i, j, w->basis_part[j + i * n], share[i], slopes, m, average);
}

/* ---- pairs that it serves ---------------------------------------------------------- */

/* slopes[, d, o] += sum_j a_jo (P_ij b_jd + R_ij x_id) */
static void add_products(const kernel_expansion *f, size_t rows, size_t o, double *slopes, size_t m,
                         const slopes_work *w)
{
    const size_t n = f->basis.rows, p = f->basis.p;
    const double *alpha = f->alpha + o * n;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < n; j++)
            w->weighted[j + i * n] = alpha[j] * w->basis_part[j + i * n];
    gemm('T', 'N', rows, p, n, 1, w->weighted, n, w->basis, n, 1, slopes + o * p * m, m);
    if (!squared(f) && !normalized(f))
        return;
    gemv('T', n, rows, 1, w->row_part, n, alpha, 0, w->sums);
    for (size_t d = 0; d < p; d++)
        for (size_t i = 0; i < rows; i++)
            slopes[i + (d + o * p) * m] += w->sums[i] * w->rows[i + d * rows];
}

/* total[j] += sum_i share_i P_ij, average[j, d] += sum_i share_i R_ij x_id */
static void add_average(const kernel_expansion *f, size_t rows, const double *share,
                        double *average, const slopes_work *w)
{
    const size_t n = f->basis.rows, p = f->basis.p;
    gemv('N', n, rows, 1, w->basis_part, n, share, 1, w->total);
    if (!squared(f) && !normalized(f))
        return;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < n; j++)
            w->weighted[j + i * n] = share[i] * w->row_part[j + i * n];
    gemm('N', 'N', n, p, rows, 1, w->weighted, n, w->rows, rows, 1, average, n);
}

static void add_block(const kernel_expansion *f, point_set rows, const double *share,
                      double *slopes, size_t m, double *average, slopes_work *w, int threads)
{
    move_points(f, rows, w->rows, w->row_squares);
    block_parts(f, rows, w, threads);
    if (absolute(f)) {
        absolute_pairs(f, rows, share, slopes, m, average, w);
        return;
    }
    if (squared(f))
        near_pairs(f, rows, share, slopes, m, average, w);
    for (size_t o = 0; o < f->v; o++)
        add_products(f, rows.rows, o, slopes, m, w);
    add_average(f, rows.rows, share, average, w);
}

void expansion_slopes(const kernel_expansion *f, point_set rows, const double *share,
                      double *slopes, double *average, int threads, memory from)
{
    const size_t n = f->basis.rows, p = f->basis.p;
    slopes_work w = new_slopes_work(f, from);
    memset(slopes, 0, rows.rows * p * f->v * sizeof(double));
    memset(average, 0, n * p * sizeof(double));
    memset(w.total, 0, n * sizeof(double));
    move_points(f, f->basis, w.basis, w.basis_squares);
    if (normalized(f))
        self_scales(f->kernel, n, w.basis_squares, NULL);
    for (size_t start = 0; start < rows.rows; start += ROW_BLOCK) {
        point_set block = rows;
        block.x = rows.x + start;
        block.rows = rows.rows - start < ROW_BLOCK ? rows.rows - start : ROW_BLOCK;
        add_block(f, block, share + start, slopes + start, rows.rows, average, &w, threads);
        R_CheckUserInterrupt();
    }
    for (size_t d = 0; d < p; d++)
        for (size_t j = 0; j < n; j++)
            average[j + d * n] += w.total[j] * w.basis[j + d * n];
}
