/* vector.c: the inner loops of everything that works column by column.
 *
 * Contract: plain arrays of doubles. The same sums in the same order on every machine: faster than
 * a call of the BLAS for short columns. */
#include "vector.h"

/* Four sums side by side: a single one would wait for every addition. */
WIDE double dot(size_t length, const double *a, const double *b)
{
    const size_t q = length / 4;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
    for (size_t j = 0; j < q; j++) {
        s0 += a[j] * b[j];
        s1 += a[j + q] * b[j + q];
        s2 += a[j + 2 * q] * b[j + 2 * q];
        s3 += a[j + 3 * q] * b[j + 3 * q];
    }
    for (size_t j = 4 * q; j < length; j++)
        s0 += a[j] * b[j];
    return (s0 + s1) + (s2 + s3);
}

WIDE void add_multiple(size_t length, double factor, const double *from, double *to)
{
#pragma omp simd
    for (size_t j = 0; j < length; j++)
        to[j] += factor * from[j];
}
