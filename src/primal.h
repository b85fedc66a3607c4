/* primal.h: linear RLS, features as coordinates. */
#ifndef SPARSERLS_PRIMAL_H
#define SPARSERLS_PRIMAL_H

#include "ridge.h"

/* The ridge problem whose coordinates are the columns of x (m x n): map = I. Fills z, map,
 * z_mean, y_mean and score, and gram if it is not NULL. sums: workspace. */
void primal_train(ridge *r, const double *x, row_sums *sums, double *work);

/* Its spectrum, from the gram matrix or, where that is NULL, from singular values.
 * work: primal_work(n); iwork: primal_iwork(n). */
size_t primal_work(size_t n);
size_t primal_iwork(size_t n);
int primal_spectrum(const ridge *r, spectrum *s, double *work, int *iwork);

#endif
