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

/* Workspace of constrain_fold; d is the number of spanned rows, e the largest f->e. */
typedef struct {
    double *reflect;  /* n x e */
    double *points;   /* n x d */
    double *gram;     /* d x d */
    double *pivots;   /* 2 d */
    double *selected; /* e x e */
    double *tau;      /* e */
    int *pivot;       /* d */
    double *lapack;   /* lapack_size = qr_work(n, max(d, e)) */
    size_t lapack_size;
} constraint_work;

/* The constraint of a fold that leaves some of the `spanned` rows (count, 0-based) in the basis,
 * see constraint.c: where it is not that of f->basis, f->constraint becomes `constraint` (n x
 * f->e, filled) and f->e the number of its columns. */
int constrain_fold(const ridge *r, fold *f, const int *spanned, size_t count, double *constraint,
                   constraint_work *work);

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

/* How many of the folds, at least one, go into one call of holdout_update. */
size_t update_batch(const fold *folds, size_t count);

/* The update form for a batch of folds; r in the coordinates of V. ok[i] = 0
 * where rounding would spoil fold i, which then needs the retrain form. */
void holdout_update(const ridge *r, const fold *folds, size_t count, size_t c, size_t ld, int *ok,
                    update_work *work);

/* ---- retrain.c: the retrain form ------------------------------------------- */

/* Workspace of the retrain form; e is the largest number of removed vectors. */
typedef struct {
    row_sums sums;    /* of the training rows */
    row_sums held;    /* of the held-out rows */
    double *buffer;   /* row_sums_work(n, v) */
    double *reflect;  /* n x e: Householder vectors of the removal */
    double *tau;      /* e */
    double *solution; /* n x (v c) */
    double *vectors;  /* 5 n: tridiagonal form and its workspaces */
    double *offset;   /* v c */
    int *rows;        /* m */
    int *places;      /* m */
    double *lapack;   /* lapack_size = qr_work(n, max(n, v c)) */
    size_t lapack_size;
} retrain_work;

/* The retrain form for one fold, all lambda (decreasing). SR_ILL_POSED: the
 * refit without the fold is singular to working precision at the smallest of
 * them. */
int holdout_retrain(const ridge *r, const fold *f, const double *lambda, size_t c, size_t ld,
                    retrain_work *work);

/* ---- cv.c: all folds --------------------------------------------------------- */

/* The cheaper form for every fold (sizes h and e). The update form needs the
 * coordinates of V, whose price is part of the comparison. */
void plan_forms(size_t m, size_t n, size_t v, size_t c, size_t folds, const int *h, const int *e,
                int *form);

/* All folds, each by its form; *failed is the fold at which it stopped. ok:
 * one int per fold. */
int leave_folds_out(const ridge *r, const fold *folds, size_t count, const int *form,
                    const double *lambda, size_t c, size_t ld, int *ok, update_work *update,
                    retrain_work *retrain, size_t *failed);

#endif
