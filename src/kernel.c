/* kernel.c: blocks of kernel matrices.
 *
 *   linear      k(a, b) = a'b
 *   Gaussian    k(a, b) = exp(-gamma |a - b|^2)
 *   Laplacian   k(a, b) = exp(-gamma |a - b|_1)
 *   polynomial  k(a, b) = (scale a'b + offset)^degree
 *   normalized  k(a, b) / sqrt(k(a, a) k(b, b)), 0 where a point has k(a, a) = 0
 *
 * Contract: out is a.rows x b.rows. Squared distances come from inner
 * products, |a|^2 + |b|^2 - 2 a'b, which loses every digit when the points
 * lie far from the origin; so the caller hands a centre that both sides are
 * moved by first, and what is left of rounding below zero is clipped. Columns
 * of out are independent of each other: any number of threads gives the same
 * bits. */
#include <math.h>
#include <string.h>

#include "ground.h"

static double power(double x, int degree)
{
    double result = 1;
    for (; degree > 0; degree >>= 1, x *= x)
        if (degree & 1)
            result *= x;
    return result;
}

static int sees_differences(const kernel_spec *kernel)
{
    return kernel->type == KERNEL_GAUSSIAN || kernel->type == KERNEL_LAPLACIAN;
}

/* Of values near 1 the difference from 1 has few digits left, unless it is computed as such. */
static double decay(const kernel_spec *kernel, double distance)
{
    const double exponent = -kernel->gamma * distance;
    return kernel->less_one ? expm1(exponent) : exp(exponent);
}

/* k(a, a) from a'a. */
static double self_kernel(const kernel_spec *kernel, double square)
{
    switch (kernel->type) {
    case KERNEL_LINEAR:
        return square;
    case KERNEL_POLYNOMIAL:
        return power(kernel->scale * square + kernel->offset, kernel->degree);
    default:
        return 1;
    }
}

static double root_scale(const kernel_spec *kernel, double square)
{
    const double self = self_kernel(kernel, square);
    return self > 0 ? 1 / sqrt(self) : 0;
}

static void column_from_products(const kernel_spec *kernel, size_t na, const double *a_squares,
                                 double b_square, double *column)
{
    switch (kernel->type) {
    case KERNEL_GAUSSIAN:
        for (size_t i = 0; i < na; i++) {
            const double distance = a_squares[i] + b_square - 2 * column[i];
            column[i] = decay(kernel, distance > 0 ? distance : 0);
        }
        return;
    case KERNEL_POLYNOMIAL:
        for (size_t i = 0; i < na; i++)
            column[i] = power(kernel->scale * column[i] + kernel->offset, kernel->degree);
        break;
    default:
        break;
    }
    if (kernel->normalize) {
        const double b_scale = root_scale(kernel, b_square);
        for (size_t i = 0; i < na; i++)
            column[i] *= root_scale(kernel, a_squares[i]) * b_scale;
    }
}

void kernel_from_products(const kernel_spec *kernel, size_t na, size_t nb, const double *a_squares,
                          const double *b_squares, double *out, size_t ld_out, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (size_t j = 0; j < nb; j++)
        column_from_products(kernel, na, a_squares, b_squares[j], out + j * ld_out);
}

static void laplacian_block(const kernel_spec *kernel, point_set a, point_set b, double *out,
                            size_t ld_out, int threads)
{
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
        for (size_t i = 0; i < a.rows; i++)
            column[i] = decay(kernel, column[i]);
    }
}

/* target (rows x p) = points - centre. */
static point_set centred_copy(point_set points, const double *centre, double *target)
{
    for (size_t k = 0; k < points.p; k++)
        for (size_t i = 0; i < points.rows; i++)
            target[i + k * points.rows] = points.x[i + k * points.ld] - centre[k];
    point_set copy = {target, points.rows, points.rows, points.p};
    return copy;
}

static void row_squares(point_set points, double *squares)
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
    return (a.rows + b.rows) * (1 + (sees_differences(kernel) ? a.p : 0));
}

void kernel_block(const kernel_spec *kernel, point_set a, point_set b, const double *centre,
                  double *out, size_t ld_out, double *work, int threads)
{
    if (kernel->type == KERNEL_LAPLACIAN) {
        laplacian_block(kernel, a, b, out, ld_out, threads);
        return;
    }
    double *a_squares = work, *b_squares = a_squares + a.rows;
    if (sees_differences(kernel) && centre) {
        double *copies = b_squares + b.rows;
        a = centred_copy(a, centre, copies);
        b = centred_copy(b, centre, copies + a.rows * a.p);
    }
    row_squares(a, a_squares);
    row_squares(b, b_squares);
    gemm('N', 'T', a.rows, b.rows, a.p, 1, a.x, a.ld, b.x, b.ld, 0, out, ld_out);
    kernel_from_products(kernel, a.rows, b.rows, a_squares, b_squares, out, ld_out, threads);
}
