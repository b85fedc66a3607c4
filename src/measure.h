/* measure.h: errors of held-out predictions. */
#ifndef SPARSERLS_MEASURE_H
#define SPARSERLS_MEASURE_H

#include <stddef.h>

enum loss_type { LOSS_SQUARED = 0, LOSS_ABSOLUTE, LOSS_CLASS };

/* loss (rows) of scores (rows x v) for y (m x v); row: the row of y of each, 0-based. */
void row_losses(enum loss_type type, size_t rows, size_t m, size_t v, const int *row,
                const double *y, const double *scores, double *loss);

/* The weighted mean loss of every unit (unit: 0-based labels of the rows), and the units' weights.
 */
void unit_means(size_t rows, size_t units, const int *unit, const double *loss,
                const double *weights, double *means, double *totals);

/* The weighted mean of loss, and its standard error
 * sqrt(sum_i w_i (loss_i - mean)^2 / sum(w) / (k - 1)), k rows of positive weight. */
void weighted_error(size_t rows, const double *loss, const double *weights, double *mean,
                    double *error);

#endif
