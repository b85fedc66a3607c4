/* partial_cholesky.h: factors of kernel matrices. */
#ifndef SPARSERLS_PARTIAL_CHOLESKY_H
#define SPARSERLS_PARTIAL_CHOLESKY_H

#include "constants.h"
#include "kernel.h"
#include "memory.h"

/* Columns of the kernel of all m rows: `fill` writes those of `rows` (0-based) to out, m x
 * count. */
typedef struct {
    void (*fill)(void *context, const int *rows, size_t count, double *out);
    void *context;
} kernel_columns;

/* A context of fill_known_columns(): the kernel by its values, or by points. */
typedef struct {
    size_t m;
    const double *values; /* m x m, or NULL */
    kernel_spec kernel;
    point_set points;
    const double *centre;
    int threads;
    double *some, *work; /* points of a block of columns */
} known_columns;

known_columns new_point_columns(kernel_spec kernel, point_set points, const double *centre,
                                int threads, memory from);
void fill_known_columns(void *context, const int *rows, size_t count, double *out);

/* A Cholesky factorization that grows column by column. */
typedef struct {
    size_t m, n;    /* n: columns at most */
    size_t rank;    /* columns so far */
    double *factor; /* m x n */
    int *rows;      /* n, 0-based: the rows chosen, in order */
} partial_cholesky;

/* Without columns so far. */
partial_cholesky new_partial_cholesky(size_t m, size_t n, memory from);

/* Writes `count` numbers from (0, 1). */
typedef void uniform_numbers(size_t count, double *out);

/* Randomly pivoted Cholesky; fewer than n columns where nothing is left. self: k(x, x), m. */
int rpcholesky(const kernel_columns *kernel, partial_cholesky *f, const double *self,
               uniform_numbers *uniform, memory from);

/* Kernel columns (m x count) of `rows` become what F lacks of them. gathered: n x count. */
void cholesky_residuals(const partial_cholesky *f, const int *rows, size_t count, double *columns,
                        double *gathered);

/* Largest pivots, until the rest is rounding. self: k(x, x), m. SR_ILL_POSED: n columns are not
 * enough. */
int low_rank(const kernel_columns *kernel, partial_cholesky *f, const double *self, memory from);

#endif
