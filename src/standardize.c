/* standardize.c: centring and scaling of the columns of a dense x (m x p).
 *
 * Means and standard deviations are weighted, with divisor sum(w). Columns are divided by their
 * largest value before anything is squared, since the squares of 1e200 and 1e-200 are no doubles. A
 * column that is constant on the rows of positive weight has standard deviation exactly 0 and is
 * centred by that very value: its mean may be off by a rounding error, which would be all that is
 * left of it.
 */
#include <math.h>

#include "standardize.h"

static void column_moments(size_t m, const double *x, const double *w, double total, double *centre,
                           double *sd)
{
    size_t first = 0;
    double largest = 0, mean = 0, square = 0;
    int constant = 1;
    while (w[first] == 0)
        first++;
    for (size_t i = first; i < m; i++) {
        const double size = w[i] > 0 ? fabs(x[i]) : 0;
        largest = size > largest ? size : largest;
        constant &= w[i] == 0 || x[i] == x[first];
    }
    *centre = x[first];
    *sd = 0;
    if (constant)
        return;
    /* Not 1 / largest, which overflows for 1e-310. */
    for (size_t i = 0; i < m; i++)
        mean += w[i] > 0 ? w[i] * (x[i] / largest) : 0;
    mean /= total;
    for (size_t i = 0; i < m; i++) {
        const double deviation = w[i] > 0 ? x[i] / largest - mean : 0;
        square += w[i] * deviation * deviation;
    }
    *centre = largest * mean;
    *sd = largest * sqrt(square / total);
}

void standard_moments(size_t m, size_t p, const double *x, const double *w, double *centre,
                      double *sd)
{
    double total = 0;
    for (size_t i = 0; i < m; i++)
        total += w[i];
    for (size_t j = 0; j < p; j++)
        column_moments(m, x + j * m, w, total, centre + j, sd + j);
}

void standardize(size_t m, size_t p, const double *x, const double *centre, const double *scale,
                 double *out)
{
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i < m; i++)
            out[i + j * m] = (x[i + j * m] - centre[j]) / scale[j];
}
