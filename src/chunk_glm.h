/* chunk_glm.h: penalized likelihood (glm.h) of rows in chunks, by passes over all rows
 * (chunk_glm.c) and steps from what they add up (glm_sums.c). */
#ifndef SPARSERLS_CHUNK_GLM_H
#define SPARSERLS_CHUNK_GLM_H

#include "chunk_sums.h"
#include "glm.h"

/* A pass: `columns` points (folds + 1) x lambdas, of each lambda the fit's and one without each
 * fold, in coordinates about the provisional centres, and sums over the rows that train them.
 *
 * The model of a column is Z'HZ: of the rows of every fold by the fit's weights at the first
 * lambda, and what a column's own weights there add to it, where rows differ by more than a few
 * percent. */
typedef struct {
    size_t n, folds, lambdas;
    const loss *loss;
    double theta;
    const double *b, *b0; /* n x columns, columns */
    double *gradient;     /* n x columns: Z score */
    /* columns: sums of scores and deviances, and of deviances and weights of rows held out */
    double *score, *deviance, *held, *held_weight;
    double *lost;             /* columns: what of scores may be rounding, in units of it */
    double *values, *squares; /* columns: of w z'b and of its square */
    fold_table model;         /* of every fold, max(1, folds) of them; v = 0 */
    fold_table change;        /* of the columns of the first lambda, and all of its members */
    double *above;            /* columns: the largest factor of a model's weight to the column's */
    double *largest;          /* 1: |z| */
} glm_pass;

/* Rows of a chunk, as of chunk_sums(). */
int chunk_glm(const chunk_coordinates *at, const int *size, const double *y, const double *weights,
              const double *offset, glm_pass *p, memory from);

/* The members of the basis, the rows of r; scored: of every fold. */
void member_glm(const ridge *r, const fold *folds, const scored_members *scored,
                const double *offset, glm_pass *p, memory from);

/* ---- glm_sums.c ------------------------------------------------------------------------------ */

/* From a pass, by columns: the next point; a bound of the error of linear predictors where the pass
 * was; and whether what is left of the gradient is rounding. `start` (n x (folds + 1)): what the
 * models of the last lambda say of the one after it, lambda[lambdas]; df: degrees of freedom of the
 * fit at the first lambda. Columns that are not `fine` are left out. */
typedef struct {
    double *b, *b0, *error;
    int *rounded;
    double *start, *start0, *df;
    int more; /* whether there is a next lambda */
} glm_next;

/* r: the members about the provisional centres; folds: their constraints are known. */
int next_points(const ridge *r, const fold *folds, const glm_pass *p, const double *lambda,
                const int *fine, glm_next *to, memory from);

#endif
