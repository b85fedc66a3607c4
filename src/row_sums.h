/* row_sums.h: sums over rows, all that a refit needs to know of them. */
#ifndef SPARSERLS_ROW_SUMS_H
#define SPARSERLS_ROW_SUMS_H

#include "memory.h"

/* What a set of rows adds to a ridge problem in coordinates z (n) with v outputs. */
typedef struct {
    double *gram; /* n x n, Z'WZ, lower triangle */
    double *zy;   /* n x (v + 1): Z'WY and Z'W1 */
    double *wy;   /* v, the sums of w y */
    double w;     /* the sum of w */
} row_sums;

/* With a gram matrix of the sums' own, or none. */
row_sums new_row_sums(size_t n, size_t v, int gram, memory from);

/* All zero; gram may be NULL. */
void clear_sums(size_t n, size_t v, row_sums *sums);

/* to += factor from, factor 1 or -1. */
void add_sums(size_t n, size_t v, double factor, const row_sums *from, row_sums *to);

/* gram and the first v columns of zy about the means of the rows: S - k k' / w and
 * t - k (wy)' / w, k = Z'W1. */
void centre_sums(size_t n, size_t v, row_sums *sums);

/* Trace of gram. */
double trace_sums(size_t n, const row_sums *sums);

#endif
