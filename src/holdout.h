/* holdout.h: leaving folds out: by updating the fit (holdout.c), by training again from gram
 * matrices (retrain.c), and the choice between the two (cv.c). */
#ifndef SPARSERLS_HOLDOUT_H
#define SPARSERLS_HOLDOUT_H

#include "ridge.h"

/* Held-out predictions of a fold are h x (v c): all outputs of the first
 * lambda, then those of the next; they stand in `prediction` with leading
 * dimension ld and include y_mean. */
typedef struct {
    const int *rows; /* rows that leave, 0-based */
    size_t h;
    const int *basis; /* basis vectors removed with them, 0-based */
    size_t e;
    const double *constraint; /* n x e in place of the columns `basis` of map, or NULL */
    const int *twins;         /* s rows that join: y and weight of row `twins`, but ... */
    const int *twin_of;       /* ... z of row `twin_of`, see constraint.c */
    size_t s;
    double *prediction;
} fold;

/* ---- constraint.c ---------------------------------------------------------- */

/* Column i of the constraint: the coefficients b of the refit are orthogonal to it. */
const double *constraint_column(const ridge *r, const fold *f, size_t i);

/* The constraints of all folds, where `spanned` (0-based rows of basis vectors that were dropped)
 * leave some in the basis, see constraint.c: where it is not that of f->basis, f->constraint is
 * set, and f->e becomes the number of its columns. */
int constrain_folds(const ridge *r, fold *folds, size_t count, const int *spanned, size_t d,
                    memory from);

/* ---- holdout.c: the update form -------------------------------------------- */

/* Products of coordinates that the update form makes at a time. */
#define UPDATE_COLUMNS 256

/* Workspace of the update form; q is the largest h + e + s, and q_max the larger of
 * q and UPDATE_COLUMNS. */
typedef struct {
    double *points;       /* n x q_max: gathered columns of map and z */
    double *products;     /* n x q_max */
    double *roots;        /* n */
    double *root_weights; /* q */
    double *inner;        /* c x UPDATE_COLUMNS */
    double *fitted;       /* q_max x (v c) */
    double *block;        /* q x q */
    double *system;       /* q x q */
    double *rhs;          /* q x v */
    double *solution;     /* q x v */
    double *d;            /* n x c, by spectral_weights */
    double *b;            /* n x (v c), by spectral_weights */
} update_work;

/* points: the largest h + e + s; c values of lambda. */
update_work new_update_work(const ridge *r, const spectrum *s, const double *lambda, size_t c,
                            size_t points, memory from);

/* How many of the folds, at least one, go into one call of holdout_update. */
size_t update_batch(const fold *folds, size_t count);

/* The update form for a batch of folds; r in the coordinates of V. ok[i] = 0
 * where rounding would spoil fold i, which then needs the retrain form. */
void holdout_update(const ridge *r, fold *folds, size_t count, size_t c, size_t ld, int *ok,
                    update_work *work);

/* ---- retrain.c: the retrain form ------------------------------------------- */

/* A symmetric matrix in tridiagonal form, and the workspaces of its solver. */
typedef struct {
    double *diagonal;    /* n */
    double *offdiagonal; /* n */
    double *tau;         /* n: reflectors */
    double *d, *e;       /* n, n */
} tridiagonal;

/* Workspace of the retrain form; e is the largest number of removed vectors. */
typedef struct {
    row_sums sums;   /* of the training rows */
    row_sums held;   /* of the held-out rows */
    row_block block; /* of these or those */
    int *rows;       /* m */
    int *places;     /* m */
    double *reflect; /* n x e: Householder vectors of the removal */
    double *tau;     /* e */
    tridiagonal form;
    double *solution; /* n x (v c) */
    double *offset;   /* v c */
    double *lapack;   /* lapack_size */
    size_t lapack_size;
} retrain_work;

retrain_work new_retrain_work(const ridge *r, size_t c, size_t e, memory from);

/* The retrain form for one fold, all lambda (decreasing). SR_ILL_POSED: the
 * refit without the fold is singular to working precision at the smallest of
 * them. */
int holdout_retrain(const ridge *r, fold *f, const double *lambda, size_t c, size_t ld,
                    retrain_work *work);

/* ---- cv.c: all folds --------------------------------------------------------- */

/* The cheaper form for every fold (sizes h and e). The update form needs the
 * coordinates of V, whose price is part of the comparison. */
void plan_forms(size_t m, size_t n, size_t v, size_t c, size_t folds, const int *h, const int *e,
                int *form);

/* What is asked for. */
typedef struct {
    fold *folds; /* without prediction and constraint, which are set */
    size_t count;
    const int *form;      /* count: enum holdout_form */
    const double *lambda; /* c, decreasing */
    size_t c;
    const int *spanned; /* d: see constrain_folds */
    size_t d;
} holdout_request;

/* All folds, each by its form: prediction is (rows of all folds, one fold after the other) x (v c).
 * *failed: the fold at which it stopped. */
int leave_folds_out(const ridge *r, const spectrum *s, holdout_request *request, double *prediction,
                    size_t *failed, memory from);

#endif
