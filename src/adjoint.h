/* adjoint.h: the held-out squared error at one lambda and its derivatives: refits with their
 * adjoints (adjoint_fold.c), all folds (adjoint.c), and the derivatives by the widths of the
 * features or by a map of them (cv_gradient.c). */
#ifndef SPARSERLS_ADJOINT_H
#define SPARSERLS_ADJOINT_H

#include "holdout.h"

/* ---- adjoint_fold.c ---------------------------------------------------------------- */

/* A refit without one fold and its adjoint, in the coordinates of the Cholesky factor and of
 * centred z and y; h rows leave, v outputs. See the head of adjoint_fold.c. */
typedef struct {
    const fold *f;
    const int *scored; /* h: which of the rows count */
    double *b, *q;     /* n x v: coefficients and their adjoint */
    double *offset;    /* v: intercepts that go with b */
    double *shift;     /* v: and with q */
    double *residual;  /* h x v: e */
    double *pull;      /* h x v: g */
} fold_adjoint;

/* The fit to all rows: `factor` of Z'WZ + lambda I (n x n, lower) and b (n x v). */
typedef struct {
    const ridge *r;
    double lambda;
    double *factor, *b;
} full_fit;

/* Workspace for folds by update with `points` removed basis vectors and rows together, and folds by
 * training again with `rows` rows, e removed vectors in one fold. */
typedef struct {
    double *points;       /* n x points: gathered, then L^-1 times that */
    double *values;       /* points x v, or rows x v */
    double *block;        /* points x points */
    double *system;       /* points x points */
    double *rhs;          /* points x v */
    double *solution;     /* points x v */
    double *root_weights; /* points */
    double *combine;      /* points x 2v */
    fold_sums sums;
    refit_work refit;
} adjoint_work;

adjoint_work new_adjoint_work(const ridge *r, size_t points, size_t rows, size_t e, memory from);

/* The update form for folds of at most `points` points together; b and q of the folds stand one
 * after the other. ok[i] = 0 where rounding would spoil fold i. */
void adjoint_update(const full_fit *fit, fold_adjoint *folds, size_t count, int *ok,
                    adjoint_work *work);

/* One fold by training again. */
int adjoint_retrain(const ridge *r, double lambda, fold_adjoint *a, adjoint_work *work);

/* ---- adjoint.c ----------------------------------------------------------------------- */

/* What is asked for. */
typedef struct {
    const fold *folds; /* without twins and constraints of their own */
    size_t count;
    const int *scored;     /* of the rows of all folds, one fold after the other */
    const int *form;       /* count: enum holdout_form */
    const int *basis_rows; /* n, 0-based */
    double lambda;
} adjoint_request;

/* The cheaper form for every fold (sizes h and e) at a single lambda. */
void plan_adjoint_forms(size_t n, size_t folds, const int *h, const int *e, int *form);

/* The weighted sum of squared held-out errors of all folds and outputs, its derivative by lambda,
 * and by every kernel value: by_kernel (n x m), the values of K_BB among those of the rows of basis
 * vectors. cholesky: the factor of K_BB. SR_ILL_POSED: lambda does not stand out from rounding. */
int held_out_adjoint(const ridge *r, const double *cholesky, const adjoint_request *request,
                     double *loss, double *by_lambda, double *by_kernel, memory from);

/* ---- cv_gradient.c ------------------------------------------------------------------- */

/* From points to the gradient. */
typedef struct {
    double loss, by_log_lambda;
    double *moments; /* p x p of a map, whose derivative is 2 S L; else p, by the logs of widths */
} cv_gradient;

/* seen: m points as the kernel sees them, scaled by their widths or mapped; mapped: the points
 * before the map, or NULL without one. r: m, n, v, z, y (overwritten) and weights are set. values,
 * slopes: workspaces, n x m. */
int cv_gradient_at(ridge *r, const kernel_spec *kernel, centred_set seen, const centred_set *mapped,
                   double jitter, double *values, double *slopes, const adjoint_request *request,
                   int threads, cv_gradient *to, memory from);

#endif
