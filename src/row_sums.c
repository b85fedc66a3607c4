/* row_sums.c: arithmetic of sums over rows, see row_sums.h. Refits need nothing but these sums,
 * wherever they were computed (a matrix of rows, chunks of a file, other machines). */
#include <string.h>

#include "row_sums.h"

row_sums new_row_sums(size_t n, size_t v, int gram, memory from)
{
    row_sums sums = {gram ? new_doubles(from, n * n) : NULL, new_doubles(from, n * (v + 1)),
                     new_doubles(from, v), 0};
    return sums;
}

void clear_sums(size_t n, size_t v, row_sums *sums)
{
    if (sums->gram)
        memset(sums->gram, 0, n * n * sizeof(double));
    memset(sums->zy, 0, n * (v + 1) * sizeof(double));
    memset(sums->wy, 0, v * sizeof(double));
    sums->w = 0;
}

static void add(size_t length, double factor, const double *from, double *to)
{
    for (size_t i = 0; i < length; i++)
        to[i] += factor * from[i];
}

void add_sums(size_t n, size_t v, double factor, const row_sums *from, row_sums *to)
{
    add(n * n, factor, from->gram, to->gram);
    add(n * (v + 1), factor, from->zy, to->zy);
    add(v, factor, from->wy, to->wy);
    to->w += factor * from->w;
}

void centre_sums(size_t n, size_t v, row_sums *sums)
{
    const double *k = sums->zy + n * v;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++)
            sums->gram[i + j * n] -= k[i] * k[j] / sums->w;
    for (size_t o = 0; o < v; o++)
        for (size_t j = 0; j < n; j++)
            sums->zy[j + o * n] -= k[j] * sums->wy[o] / sums->w;
}

double trace_sums(size_t n, const row_sums *sums)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += sums->gram[j + j * n];
    return sum;
}
