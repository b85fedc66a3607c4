/* kernel_block.c: values of a kernel on points, whatever the kernel.
 *
 * Contract: out is a.rows x b.rows. Kernels of the inner product and of the squared distance start
 * from inner products, D = |a|^2 + |b|^2 - 2 a'b. That loses every digit when the points lie far
 * from the origin; so the caller gives a centre, which is subtracted from both sides first. And it
 * loses them where two points nearly coincide: D below NEAR (|a|^2 + |b|^2) is summed anew from the
 * differences of the coordinates as they came, which is what the Matern kernel of smoothness 1/2
 * asks for (its slope has no bound at D = 0: k would be wrong by 2e-7), and narrow Gaussians. So D
 * = 0 where points coincide, and k(x, x) of kernels of differences is exactly 1.
 *
 * normalized  k(a, b) / sqrt(k(a, a) k(b, b)), 0 where a point has k(a, a) = 0; kernels of
 *             differences are normalized as they are.
 *
 * Columns of out are independent of each other: any number of threads gives the same bits. */
#include <math.h>
#include <string.h>

#include "constants.h"
#include "kernel.h"
#include "linalg.h"

/* ---- squared distances by differences --------------------------------------------- */

/* |a_i - b_j|^2 of the points behind a and b. */
typedef double pair_distance(const void *a, size_t i, const void *b, size_t j);

static double dense_distance(const void *a, size_t i, const void *b, size_t j)
{
    const point_set *left = a, *right = b;
    double sum = 0;
    for (size_t k = 0; k < left->p; k++) {
        const double difference = left->x[i + k * left->ld] - right->x[j + k * right->ld];
        sum += difference * difference;
    }
    return sum;
}

static double sparse_distance(const void *a, size_t i, const void *b, size_t j)
{
    const sparse_set *left = a, *right = b;
    int l = left->start[i], r = right->start[j];
    const int l_end = left->start[i + 1], r_end = right->start[j + 1];
    double sum = 0;
    while (l < l_end || r < r_end) {
        const int at_left = r == r_end || (l < l_end && left->column[l] <= right->column[r]);
        const int at_right = l == l_end || (r < r_end && right->column[r] <= left->column[l]);
        const double difference = (at_left ? left->value[l] : 0) - (at_right ? right->value[r] : 0);
        l += at_left;
        r += at_right;
        sum += difference * difference;
    }
    return sum;
}

/* ---- one block -------------------------------------------------------------------- */

/* Both sides of a block: one number for each point (see finish_side), and the points themselves. */
typedef struct {
    double *a, *b;
    size_t a_rows, b_rows;
    const void *a_points, *b_points;
    pair_distance *distance;
} block_sides;

/* Over the squares |a|^2 of one side: kept for the squared distance; 1 / sqrt(k(a, a)) for
 * normalized kernels of the inner product. */
static void finish_side(const kernel_spec *kernel, size_t rows, double *squares)
{
    if (kernel->kind->argument != OF_PRODUCT || !kernel->normalize)
        return;
    kernel->kind->evaluate(kernel->theta, rows, squares, NULL);
    for (size_t i = 0; i < rows; i++)
        squares[i] = squares[i] > 0 ? 1 / sqrt(squares[i]) : 0;
}

/* k, or k - 1, over its arguments, and dk/du where slope is not NULL. */
static void values_over(const kernel_spec *kernel, size_t length, double *u, double *slope)
{
    if (kernel->less_one && kernel->kind->less_one)
        kernel->kind->less_one(kernel->theta, length, u);
    else
        kernel->kind->evaluate(kernel->theta, length, u, slope);
}

/* Squared distances over inner products. */
static void column_of_distances(const block_sides *s, size_t j, double *column)
{
    const double b_square = s->b[j];
    for (size_t i = 0; i < s->a_rows; i++) {
        const double distance = s->a[i] + b_square - 2 * column[i];
        column[i] = distance > 0 ? distance : 0;
    }
    for (size_t i = 0; i < s->a_rows; i++)
        if (column[i] < NEAR * (s->a[i] + b_square))
            column[i] = s->distance(s->a_points, i, s->b_points, j);
}

static void column_from_products(const kernel_spec *kernel, const block_sides *s, size_t j,
                                 double *column, double *slope)
{
    const int differences = kernel->kind->argument == OF_SQUARED_DISTANCE;
    if (differences)
        column_of_distances(s, j, column);
    values_over(kernel, s->a_rows, column, slope);
    if (!differences && kernel->normalize)
        for (size_t i = 0; i < s->a_rows; i++)
            column[i] *= s->a[i] * s->b[j];
}

static void block_from_products(const kernel_spec *kernel, const block_sides *s, double *out,
                                double *slope, size_t ld_out, int threads)
{
    finish_side(kernel, s->a_rows, s->a);
    finish_side(kernel, s->b_rows, s->b);
    (void) threads; /* nobody else reads it where there is no OpenMP */
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (size_t j = 0; j < s->b_rows; j++)
        column_from_products(kernel, s, j, out + j * ld_out, slope ? slope + j * ld_out : NULL);
}

void kernel_from_products(const kernel_spec *kernel, sparse_set a, sparse_set b, double *a_squares,
                          double *b_squares, double *out, int threads)
{
    const block_sides sides = {a_squares, b_squares, a.rows, b.rows, &a, &b, sparse_distance};
    block_from_products(kernel, &sides, out, NULL, a.rows, threads);
}

static void absolute_block(const kernel_spec *kernel, point_set a, point_set b, double *out,
                           double *slope, size_t ld_out, int threads)
{
    (void) threads; /* nobody else reads it where there is no OpenMP */
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (size_t j = 0; j < b.rows; j++) {
        double *column = out + j * ld_out;
        memset(column, 0, a.rows * sizeof(double));
        for (size_t k = 0; k < a.p; k++) {
            const double b_jk = b.x[j + k * b.ld];
            const double *a_k = a.x + k * a.ld;
            for (size_t i = 0; i < a.rows; i++)
                column[i] += fabs(a_k[i] - b_jk);
        }
        values_over(kernel, a.rows, column, slope ? slope + j * ld_out : NULL);
    }
}

point_set centred_points(point_set points, const double *centre, double *target)
{
    for (size_t k = 0; k < points.p; k++)
        for (size_t i = 0; i < points.rows; i++)
            target[i + k * points.rows] = points.x[i + k * points.ld] - (centre ? centre[k] : 0);
    point_set copy = {target, points.rows, points.rows, points.p};
    return copy;
}

void row_squares(point_set points, double *squares)
{
    memset(squares, 0, points.rows * sizeof(double));
    for (size_t k = 0; k < points.p; k++)
        for (size_t i = 0; i < points.rows; i++) {
            const double x = points.x[i + k * points.ld];
            squares[i] += x * x;
        }
}

size_t kernel_work(const kernel_spec *kernel, point_set a, point_set b)
{
    const int copies = kernel->kind->argument == OF_SQUARED_DISTANCE;
    return (a.rows + b.rows) * (1 + (copies ? a.p : 0));
}

void kernel_block(const kernel_spec *kernel, point_set a, point_set b, const double *centre,
                  double *out, double *slope, size_t ld_out, double *work, int threads)
{
    if (kernel->kind->argument == OF_ABSOLUTE_DISTANCE) {
        absolute_block(kernel, a, b, out, slope, ld_out, threads);
        return;
    }
    const point_set a_points = a, b_points = b;
    double *a_squares = work, *b_squares = a_squares + a.rows;
    if (kernel->kind->argument == OF_SQUARED_DISTANCE && centre) {
        double *copies = b_squares + b.rows;
        a = centred_points(a, centre, copies);
        b = centred_points(b, centre, copies + a.rows * a.p);
    }
    row_squares(a, a_squares);
    row_squares(b, b_squares);
    gemm('N', 'T', a.rows, b.rows, a.p, 1, a.x, a.ld, b.x, b.ld, 0, out, ld_out);
    const block_sides sides = {a_squares, b_squares, a.rows,        b.rows,
                               &a_points, &b_points, dense_distance};
    block_from_products(kernel, &sides, out, slope, ld_out, threads);
}

double largest_below(size_t length, const double *values, double bound)
{
    double largest = -INFINITY;
#ifndef __clang__ /* which warns that it cannot */
#pragma omp simd reduction(max : largest)
#endif
    for (size_t j = 0; j < length; j++) {
        const double value = values[j] < bound ? values[j] : -INFINITY;
        largest = value > largest ? value : largest;
    }
    return largest;
}
