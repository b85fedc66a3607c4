/* standardize.h: columns of x. */
#ifndef SPARSERLS_STANDARDIZE_H
#define SPARSERLS_STANDARDIZE_H

#include <stddef.h>

/* Weighted means and standard deviations (p) of the columns of x (m x p). */
void standard_moments(size_t m, size_t p, const double *x, const double *w, double *centre,
                      double *sd);

/* out = (x - centre) / scale, column by column. */
void standardize(size_t m, size_t p, const double *x, const double *centre, const double *scale,
                 double *out);

#endif
