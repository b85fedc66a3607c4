/* intervals.h: prediction intervals from the refits of a cross-validation. */
#ifndef SPARSERLS_INTERVALS_H
#define SPARSERLS_INTERVALS_H

#include <stddef.h>

#include "memory.h"

/* Held-out rows by increasing residual: the refit that was made without each (0-based), the
 * absolute residual of its prediction there, how much the row counts, and how much those before it
 * count. */
typedef struct {
    size_t rows;
    int *refit;
    double *residual;
    double *votes;  /* > 0 */
    double *before; /* rows + 1 */
    double target;  /* votes that an end is to have on its inner side */
    size_t rank;    /* the row at which residuals alone reach them; `rows` where they never do */
    double *value, *vote; /* rows, workspaces */
} held_out;

held_out new_held_out(size_t rows, const int *refit, const double *residual, const double *votes,
                      double target, memory from);

/* The ends at one new row, from its predictions mu by all refits: the smallest of mu + residual up
 * to which the votes add up to the target, and the largest of mu - residual down to which they do;
 * infinite where all votes are fewer, and NaN where a prediction is. */
void jackknife_ends(held_out *held, const double *mu, size_t refits, double *lower, double *upper);

#endif
