/* dual.h: RLS on the full kernel. */
#ifndef SPARSERLS_DUAL_H
#define SPARSERLS_DUAL_H

#include "holdout.h"
#include "ridge.h"

/* The full kernel as a `ridge`, see dual.c: the first t of its m rows are training rows. */
typedef struct {
    size_t t;             /* rows of positive weight */
    const double *kernel; /* t x t */
    const double *cross;  /* t x (m - t): kernel of the training rows with the others, or NULL */
} full_kernel;

/* Fills r->z (n x m), map (n x t), values, zy, z_mean, y_mean and centres r->y. n is t, or
 * t - 1 with an intercept. */
int dual_train(ridge *r, const full_kernel *k, double *values, memory from);

extern const ridge_kind full_kernel_problem;

#endif
