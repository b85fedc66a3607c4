/* kernel_moments.c: derivatives of a sum over kernel values by the widths of the features, or by a
 * linear map of them.
 *
 * A kernel is a function of u(a, b): |L'(a - b)|^2, (L'a)'(L'b), or the sum over d of
 * gamma_d |a_d - b_d|. With W = bar o dk/du the second moments of all pairs are
 *
 *     S = sum_ij W_ij (a_i - b_j)(a_i - b_j)',
 *
 * of the inner product S = sum_ij W_ij (a_i b_j' + b_j a_i') / 2, and the derivative by L is
 * 2 S L, for du = 2 (a - b)'dL L'(a - b). One width gamma_d for each feature is a diagonal map.
 * Where points come scaled, so that gamma = 1 (R/kernel-points.R), the derivative of u by log
 * gamma_d is the term d of its own sum: of widths the diagonal of S is all there is to sum, of the
 * absolute distance sum_ij W_ij |a_id - b_jd| as it stands.
 *
 * One product P = W B serves all of it:
 *
 *     S = A'diag(W 1) A + B'diag(W'1) B - A'P - P'A,    or (A'P + P'A) / 2.
 *
 * The sum of four cancels where points nearly coincide. That is harmless as long as dk/du is
 * bounded: what is lost is small against all other pairs. The slope of the Matern kernel of
 * smoothness 1/2 is not; pairs at which it is STEEP are summed by their differences. Under a map two
 * points may coincide although a - b is not small: where rounding alone keeps them apart, W (a - b)
 * (a - b)' would be noise. Such pairs count as coinciding ones do: the slope there is 0 (kernel.c).
 * Pairs of points that are as close before the map lose no more than their distance.
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

/* From here on points of order 1 are no farther apart than their rounding errors: the slope of the
 * Matern kernel is 1 / (2 r) for small r, and here r is 5e-13. */
#define COINCIDENT 1e12

pair_moments new_pair_moments(const kernel_spec *kernel, centred_set a, int full, size_t block,
                              int threads, memory from)
{
    const size_t rows = a.points.rows, p = a.points.p, size = full ? p * p : p;
    if (kernel->kind->argument != OF_SQUARED_DISTANCE)
        a.centre = NULL;
    pair_moments s = {.kernel = kernel, .a = a, .full = full, .threads = threads};
    s.a_centred = centred_points(a.points, a.centre, new_doubles(from, rows * p));
    s.b_centred = new_doubles(from, block * p);
    s.b_weighted = new_doubles(from, full ? block * p : 1);
    s.products = new_doubles(from, rows * p);
    s.row_sums = new_doubles(from, rows);
    s.difference = new_doubles(from, p);
    s.moments = new_doubles(from, size);
    memset(s.products, 0, rows * p * sizeof(double));
    memset(s.row_sums, 0, rows * sizeof(double));
    memset(s.moments, 0, size * sizeof(double));
    return s;
}

static void add_difference(pair_moments *s, double w, point_set b, size_t i, size_t j)
{
    const point_set a = s->a.points;
    double *difference = s->difference;
    for (size_t d = 0; d < a.p; d++)
        difference[d] = a.x[i + d * a.ld] - b.x[j + d * b.ld];
    for (size_t d = 0; d < a.p; d++) {
        const double by_one = w * difference[d];
        if (s->full)
            add_multiple(a.p, by_one, difference, s->moments + d * a.p);
        else
            s->moments[d] += by_one * difference[d];
    }
}

/* Pairs at which the slope is steep leave w. */
static void add_steep_pairs(pair_moments *s, point_set b, double *w, const double *slope)
{
    const size_t n = s->a.points.rows;
    for (size_t j = 0; j < b.rows; j++)
        for (size_t i = 0; i < n; i++) {
            const double steepness = fabs(slope[i + j * n]);
            if (!(steepness > STEEP))
                continue;
            if (steepness < COINCIDENT)
                add_difference(s, w[i + j * n], b, i, j);
            w[i + j * n] = 0;
        }
}

/* W 1, and B'diag(W'1) B. */
static void add_squares(pair_moments *s, size_t rows, const double *w)
{
    const size_t n = s->a.points.rows, p = s->a.points.p;
    for (size_t j = 0; j < rows; j++) {
        double column = 0;
        for (size_t i = 0; i < n; i++) {
            column += w[i + j * n];
            s->row_sums[i] += w[i + j * n];
        }
        for (size_t d = 0; d < p; d++) {
            const double b_jd = s->b_centred[j + d * rows];
            if (s->full)
                s->b_weighted[j + d * rows] = column * b_jd;
            else
                s->moments[d] += column * b_jd * b_jd;
        }
    }
    if (s->full)
        gemm('T', 'N', p, p, rows, 1, s->b_centred, rows, s->b_weighted, rows, 1, s->moments, p);
}

static void add_absolute(pair_moments *s, point_set b, const double *w)
{
    const point_set a = s->a.points;
#pragma omp parallel for num_threads(s->threads) schedule(static) if (s->threads > 1)
    for (size_t d = 0; d < a.p; d++) {
        const double *a_d = a.x + d * a.ld;
        double sum = 0;
        for (size_t j = 0; j < b.rows; j++) {
            const double b_jd = b.x[j + d * b.ld], *w_j = w + j * a.rows;
            for (size_t i = 0; i < a.rows; i++)
                sum += w_j[i] * fabs(a_d[i] - b_jd);
        }
        s->moments[d] += sum;
    }
}

void add_pair_moments(pair_moments *s, point_set b, double *bar, const double *slope)
{
    const enum kernel_argument argument = s->kernel->kind->argument;
    const size_t n = s->a.points.rows, p = s->a.points.p;
    for (size_t i = 0; i < n * b.rows; i++)
        bar[i] *= slope[i];
    if (argument == OF_ABSOLUTE_DISTANCE) {
        add_absolute(s, b, bar);
        return;
    }
    centred_points(b, s->a.centre, s->b_centred);
    if (argument == OF_SQUARED_DISTANCE) {
        add_steep_pairs(s, b, bar, slope);
        add_squares(s, b.rows, bar);
    }
    gemm('N', 'N', n, p, b.rows, 1, bar, n, s->b_centred, b.rows, 1, s->products, n);
}

/* (T + T') / 2 over T. */
static void symmetrize(size_t p, double *t)
{
    for (size_t d = 0; d < p; d++)
        for (size_t e = 0; e < d; e++)
            t[d + e * p] = t[e + d * p] = (t[d + e * p] + t[e + d * p]) / 2;
}

/* With Q = diag(W 1) A - 2 P, or P, what is left is the symmetric part of A'Q. */
void finish_pair_moments(pair_moments *s)
{
    const size_t n = s->a.points.rows, p = s->a.points.p;
    const double *a = s->a_centred.x;
    double *q = s->products;
    if (s->kernel->kind->argument == OF_ABSOLUTE_DISTANCE)
        return;
    if (s->kernel->kind->argument == OF_SQUARED_DISTANCE)
        for (size_t d = 0; d < p; d++)
            for (size_t i = 0; i < n; i++)
                q[i + d * n] = s->row_sums[i] * a[i + d * n] - 2 * q[i + d * n];
    if (s->full) {
        gemm('T', 'N', p, p, n, 1, a, n, q, n, 1, s->moments, p);
        symmetrize(p, s->moments);
    } else {
        for (size_t d = 0; d < p; d++)
            s->moments[d] += dot(n, a + d * n, q + d * n);
    }
}
