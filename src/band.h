/* band.h: symmetric matrices turned by reflectors, and their band form. */
#ifndef SPARSERLS_BAND_H
#define SPARSERLS_BAND_H

#include "memory.h"

/* Columns that are turned at a time, and the width of the band below the diagonal. */
enum { BAND = 48 };

/* What is needed for matrices of up to n rows. */
typedef struct {
    double *turned;   /* 3 n x BAND: workspace of turn_symmetric() */
    double *small;    /* 3 BAND x BAND */
    double *tau;      /* n: the reflectors of the band form */
    double *diagonal; /* BAND x n: factors of the blocks on the diagonal ... */
    double *below;    /* BAND x n: ... and below it */
    double *lapack;   /* lapack_size */
    size_t lapack_size;
} band_work;

/* k: the most columns that band_apply() turns. */
band_work new_band_work(size_t n, size_t k, memory from);

/* The trailing block, without the first k rows and columns, of Q'AQ (n x n, lower triangle), Q the
 * factor of qr_factor() with k reflectors. The rest of A is spoilt, and so are the upper triangles
 * of blocks on the diagonal. */
void turn_symmetric(size_t n, size_t k, const double *reflectors, size_t ldr, const double *tau,
                    double *a, size_t lda, band_work *work);

/* A (n x n, lower triangle) = P B P' with B zero more than BAND rows below the diagonal; over A,
 * the reflectors of P below the band. And B (n x k) = op(P) B. */
int band_form(size_t n, double *a, size_t lda, band_work *work);
void band_apply(char trans, size_t n, size_t k, const double *a, size_t lda, double *b, size_t ldb,
                band_work *work);

/* (B + lambda I) X = Y for a positive semidefinite B, over y (n x k). SR_ILL_POSED where the square
 * of a pivot is not above `tolerance`. */
int band_solve(size_t n, size_t k, const double *a, size_t lda, double lambda, double tolerance,
               double *y, size_t ldy, band_work *work);

#endif
