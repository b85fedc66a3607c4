/* kernel_widths.c: derivatives of a sum over kernel values by the widths of the features.
 *
 * With one width gamma_d for each feature a kernel is a function of u(a, b), the sum over d of
 * gamma_d (a_d - b_d)^2, gamma_d |a_d - b_d| or gamma_d a_d b_d. Points come scaled, so that
 * gamma = 1 (R/kernel-points.R): then the derivative of u by log gamma_d is the term d of
 * that sum itself. With W = bar o dk/du the answer is, for the squared distance,
 *
 *     sum_i a_id^2 (W 1)_i + sum_j b_jd^2 (W'1)_j - 2 sum_i a_id (W b)_id,
 *
 * one product W b for all features; for the inner product the last sum alone, without its -2; for
 * the absolute distance sum_ij W_ij |a_id - b_jd|, as it stands.
 *
 * The sum of three cancels where points nearly coincide. That is harmless as long as dk/du is
 * bounded: what is lost is small against all other pairs. The slope of the Matern kernel of
 * smoothness 1/2 is not; pairs at which it is STEEP are summed by their differences.
 *
 * Contract: blocks of points b come one after the other; `bar` is overwritten by W. Features are
 * independent of each other: any number of threads gives the same bits. */
#include <math.h>
#include <string.h>

#include "constants.h"
#include "kernel.h"
#include "linalg.h"
#include "vector.h"

/* Above this are only slopes that have no bound: those of the others are at most 3/2 (kernel.c). */
#define STEEP 8

width_sums new_width_sums(const kernel_spec *kernel, point_set a, const double *centre,
                          size_t block, int threads, memory from)
{
    if (kernel->kind->argument != OF_SQUARED_DISTANCE)
        centre = NULL;
    width_sums s = {.kernel = kernel, .a = a, .centre = centre, .threads = threads};
    s.a_centred = centred_points(a, centre, new_doubles(from, a.rows * a.p));
    s.b_centred = new_doubles(from, block * a.p);
    s.products = new_doubles(from, a.rows * a.p);
    s.row_sums = new_doubles(from, a.rows);
    s.gradient = new_doubles(from, a.p);
    memset(s.products, 0, a.rows * a.p * sizeof(double));
    memset(s.row_sums, 0, a.rows * sizeof(double));
    memset(s.gradient, 0, a.p * sizeof(double));
    return s;
}

/* Pairs at which the slope is steep leave w. */
static void add_steep_pairs(width_sums *s, point_set b, double *w, const double *slope)
{
    const point_set a = s->a;
    for (size_t j = 0; j < b.rows; j++)
        for (size_t i = 0; i < a.rows; i++) {
            if (!(fabs(slope[i + j * a.rows]) > STEEP))
                continue;
            for (size_t d = 0; d < a.p; d++) {
                const double difference = a.x[i + d * a.ld] - b.x[j + d * b.ld];
                s->gradient[d] += w[i + j * a.rows] * difference * difference;
            }
            w[i + j * a.rows] = 0;
        }
}

/* (W 1)_i, and sum_j b_jd^2 (W'1)_j. */
static void add_squares(width_sums *s, size_t rows, const double *w)
{
    const size_t n = s->a.rows;
    for (size_t j = 0; j < rows; j++) {
        double column = 0;
        for (size_t i = 0; i < n; i++) {
            column += w[i + j * n];
            s->row_sums[i] += w[i + j * n];
        }
        for (size_t d = 0; d < s->a.p; d++)
            s->gradient[d] += column * s->b_centred[j + d * rows] * s->b_centred[j + d * rows];
    }
}

static void add_absolute(width_sums *s, point_set b, const double *w)
{
    const point_set a = s->a;
#pragma omp parallel for num_threads(s->threads) schedule(static) if (s->threads > 1)
    for (size_t d = 0; d < a.p; d++) {
        const double *a_d = a.x + d * a.ld;
        double sum = 0;
        for (size_t j = 0; j < b.rows; j++) {
            const double b_jd = b.x[j + d * b.ld], *w_j = w + j * a.rows;
            for (size_t i = 0; i < a.rows; i++)
                sum += w_j[i] * fabs(a_d[i] - b_jd);
        }
        s->gradient[d] += sum;
    }
}

void add_width_sums(width_sums *s, point_set b, double *bar, const double *slope)
{
    const enum kernel_argument argument = s->kernel->kind->argument;
    const size_t n = s->a.rows, p = s->a.p;
    for (size_t i = 0; i < n * b.rows; i++)
        bar[i] *= slope[i];
    if (argument == OF_ABSOLUTE_DISTANCE) {
        add_absolute(s, b, bar);
        return;
    }
    centred_points(b, s->centre, s->b_centred);
    if (argument == OF_SQUARED_DISTANCE) {
        add_steep_pairs(s, b, bar, slope);
        add_squares(s, b.rows, bar);
    }
    gemm('N', 'N', n, p, b.rows, 1, bar, n, s->b_centred, b.rows, 1, s->products, n);
}

void finish_width_sums(width_sums *s)
{
    const enum kernel_argument argument = s->kernel->kind->argument;
    const size_t n = s->a.rows;
    if (argument == OF_ABSOLUTE_DISTANCE)
        return;
    const double factor = argument == OF_SQUARED_DISTANCE ? -2 : 1;
    for (size_t d = 0; d < s->a.p; d++) {
        const double *a_d = s->a_centred.x + d * n;
        s->gradient[d] += factor * dot(n, a_d, s->products + d * n);
        if (argument == OF_SQUARED_DISTANCE)
            for (size_t i = 0; i < n; i++)
                s->gradient[d] += s->row_sums[i] * a_d[i] * a_d[i];
    }
}
