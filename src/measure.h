/* measure.h: errors of held-out predictions. */
#ifndef SPARSERLS_MEASURE_H
#define SPARSERLS_MEASURE_H

#include "memory.h"

/* The loss of one row of v outputs: output k of y and of the scores in y[k * y_step] and
 * score[k * step]. By the names that R calls them by; NULL for a name that there is not. */
typedef double row_loss(const double *y, size_t y_step, const double *score, size_t step, size_t v);
row_loss *loss_named(const char *name);

/* Held-out predictions are scored row by row, a row as often as it is held out. */
typedef struct {
    size_t rows, m, v;
    const int *row;        /* rows: the row of y of each, 0-based */
    const double *y;       /* m x v */
    const double *weights; /* rows */
    const int *unit;       /* rows: 0-based labels without gaps; or NULL, each is its own unit */
} scored_rows;

/* Means and standard errors (c) of the loss of scores (rows x (v c)), by weighted_error over units,
 * each of which counts by the weighted mean of its losses. */
void row_errors(const scored_rows *scored, row_loss *loss_of, const double *scores, size_t c,
                double *mean, double *error, memory from);

/* The weighted mean of loss, and its standard error
 * sqrt(sum_i w_i (loss_i - mean)^2 / sum(w) / (k - 1)), k rows of positive weight; NaN for one. */
void weighted_error(size_t rows, const double *loss, const double *weights, double *mean,
                    double *error);

/* Sums of weighted losses, units x c, and of weights, units (scored->unit below `units`). */
void loss_sums(const scored_rows *scored, row_loss *loss_of, const double *scores, size_t c,
               size_t units, double *sums, double *totals, memory from);

#endif
