/* intervals.h: prediction intervals from the refits of a cross-validation. */
#ifndef SPARSERLS_INTERVALS_H
#define SPARSERLS_INTERVALS_H

#include <stddef.h>

/* Held-out rows: the refit that was made without each (0-based), the absolute residual of its
 * prediction there, and how much the row counts. */
typedef struct {
    size_t rows;
    const int *refit;
    const double *residual;
    const double *votes; /* > 0 */
} held_out;

/* The ends at one new row, from its predictions by all refits, scores[0], scores[step], ...: the
 * smallest of scores + residual up to which the votes add up to `target`, and the largest of
 * scores - residual down to which they do; infinite where all votes are fewer. value, vote: rows,
 * workspaces. */
void jackknife_ends(const held_out *held, const double *scores, size_t step, double target,
                    double *lower, double *upper, double *value, double *vote);

#endif
