/* primal.h: linear RLS, features as coordinates. */
#ifndef SPARSERLS_PRIMAL_H
#define SPARSERLS_PRIMAL_H

#include "ridge.h"

/* The ridge problem whose coordinates are the columns of x (m x n): map = I. Fills z, map,
 * z_mean, y_mean and zy, and gram if it is not NULL. */
void primal_train(ridge *r, const double *x, memory from);

/* Its spectrum, from the gram matrix or, where that is NULL, from singular values. */
int primal_spectrum(const ridge *r, spectrum *s, memory from);

#endif
