/* constants.h: the numbers that C and R share. bridge_constants.c hands them to R by name
 * (R/conditions.R), so that each is defined in one place only. */
#ifndef SPARSERLS_CONSTANTS_H
#define SPARSERLS_CONSTANTS_H

#include <float.h>

/* What a numeric routine may answer. */
enum sr_status {
    SR_OK = 0,
    SR_NOT_FINITE,     /* NaN or infinite values going in or coming out */
    SR_NOT_POSITIVE,   /* a Cholesky factorization met a pivot <= 0 */
    SR_NO_CONVERGENCE, /* LAPACK's eigensolver gave up */
    SR_ILL_POSED       /* lambda is below what double precision resolves */
};

/* How a fold is held out, holdout.c and retrain.c. */
enum holdout_form { FORM_UPDATE = 0, FORM_RETRAIN };

/* What is smaller than this share of its first value is a rounding error. The gram matrix has
 * errors of about eps times its largest eigenvalue: a smallest eigenvalue, lambda included, below
 * this share of the largest leaves fewer than four digits of a refit. */
#define RESOLUTION (1e4 * DBL_EPSILON)

/* Errors, criteria and gradients that differ by less than this share of the best are equal: the
 * lower index is taken, so that every BLAS chooses alike. Where the best may be zero, TIE_ZERO is
 * the share of the error without features or basis vectors. */
#define TIE 1e-10
#define TIE_ZERO 1e-20

/* Squared distances below this share of the squares they are the difference of are computed anew
 * from the differences of coordinates (kernel_block.c). What is left has a relative error of about
 * eps / NEAR = 2e-13; no kernel of the table moves by more than 0.4 of that (kernel.c). */
#define NEAR 1e-3

#endif
