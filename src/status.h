/* status.h: what a numeric routine may answer. Ground. */
#ifndef SPARSERLS_STATUS_H
#define SPARSERLS_STATUS_H

enum sr_status {
    SR_OK = 0,
    SR_NOT_FINITE,     /* NaN or infinite values going in or coming out */
    SR_NOT_POSITIVE,   /* a Cholesky factorization met a pivot <= 0 */
    SR_NO_CONVERGENCE, /* LAPACK's eigensolver gave up */
    SR_ILL_POSED       /* lambda is below what double precision resolves */
};

#endif
