/* holdout.h: leaving folds out: by updating the fit (holdout.c, smoother.c), by training again from
 * gram matrices (retrain.c), the choice between the two (cv.c), and representers of functionals by
 * the same forms (representer.c). */
#ifndef SPARSERLS_HOLDOUT_H
#define SPARSERLS_HOLDOUT_H

#include "refit.h"
#include "ridge.h"

/* Held-out predictions of a fold are h x (v c): all outputs of the first lambda, then those of the
 * next; they stand in `prediction` with leading dimension ld and include y_mean. */
typedef struct fold {
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

/* Points that are eliminated before rows are left out, and all points of a fold. */
static inline size_t eliminated(const fold *f)
{
    return f->e + f->s;
}

static inline size_t fold_points(const fold *f)
{
    return f->e + f->s + f->h;
}

/* ---- constraint.c ---------------------------------------------------------- */

/* The constraint (n x f->e): the coefficients b of the refit are orthogonal to its columns. */
void copy_constraint(const ridge *r, const fold *f, double *columns);

/* The constraints of all folds, where `spanned` (0-based rows of basis vectors that were dropped)
 * leave some in the basis, see constraint.c: where it is not that of f->basis, f->constraint is
 * set, and f->e becomes the number of its columns. */
int constrain_folds(const ridge *r, fold *folds, size_t count, const int *spanned, size_t d,
                    memory from);

/* ---- smoother.c: a fold at one lambda, see its head ------------------------------------------ */

extern const ridge_kind smoother;

/* Basis vectors removed. In block (q x q, lower, q = e + h) M becomes its factor L, F becomes
 * F L^-T, and J0 becomes J; in rhs (q x v) g becomes L^-1 g, and y0 becomes yhat. SR_NOT_POSITIVE:
 * too few digits are left. */
int remove_basis(size_t h, size_t e, size_t v, double *block, double *rhs);

/* system (h x h, lower) = I - S J S, factorized; s: the roots of the weights. */
int factor_system(size_t h, const double *j, size_t ldj, const double *s, double *system);

/* residual (h x v, leading dimension ld) becomes the held-out residual; x: h x v, a workspace. */
void held_out_residuals(size_t h, size_t v, const double *j, size_t ldj, const double *s,
                        const double *system, double *residual, size_t ld, double *x);

/* u (q x columns): to u_H the part u_E = M^-1 (g - F'u_H), from block as remove_basis() leaves it
 * and L^-1 g in place of u_E. */
void removed_multipliers(size_t h, size_t e, size_t columns, const double *block, double *u);

/* ---- holdout.c: the update form ------------------------------------------------------------ */

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
    double *multipliers;  /* q x v */
    double *d;            /* n x c, by spectral_weights */
    double *b;            /* n x (v c), by spectral_weights */
} update_work;

/* points: the largest h + e + s; c values of lambda. */
update_work new_update_work(const ridge *r, const spectrum *s, const double *lambda, size_t c,
                            size_t points, memory from);

/* points (n x fold_points): the removed basis vectors, the rows that join, the rows that leave; and
 * the roots of the weights of these (h). */
void gather_points(const ridge *r, const fold *f, double *points);
void root_weights(const ridge *r, const fold *f, double *root);

/* How many of the folds, at least one, go into one call of holdout_update. */
size_t update_batch(const fold *folds, size_t count);

/* The update form for a batch of folds; r in the coordinates of V. ok[i] = 0
 * where rounding would spoil fold i, which then needs the retrain form. */
void holdout_update(const ridge *r, fold *folds, size_t count, size_t c, size_t ld, int *ok,
                    update_work *work);

/* The coefficients b (n x (v c)) and intercepts of centred y (offset, v c) of the refit without one
 * fold, by the update form. 0 where rounding would spoil them. */
int update_coefficients(const ridge *r, const fold *f, size_t c, double *b, double *offset,
                        update_work *work);

/* ---- fold_sums.c: sums over the rows that train without a fold ---------------- */

typedef struct {
    row_sums train;  /* of the rows that train, centred with an intercept */
    row_sums held;   /* of the rows that leave, a workspace */
    row_block block; /* of these or those */
    int *rows;       /* m */
    int *places;     /* m */
} fold_sums;

fold_sums new_fold_sums(const ridge *r, memory from);

/* rows (m) becomes the list of rows that train, places (m) that of their z; their number is
 * returned. */
size_t staying_rows(const ridge *r, const fold *f, int *rows, int *places);

/* SR_ILL_POSED: too few digits are left, and the rows are not at hand. */
int sum_training_rows(const ridge *r, const fold *f, fold_sums *s);

/* ---- retrain.c: the retrain form ------------------------------------------- */

/* Sums, refit and what it has found; e is the largest number of removed vectors. */
typedef struct {
    fold_sums sums;
    refit_work refit;
    double *b;      /* n x (v c) */
    double *offset; /* v c: intercepts of centred y */
} retrain_work;

retrain_work new_retrain_work(const ridge *r, size_t c, size_t e, memory from);

/* The rows that leave, a block at a time: block (n x ROW_BLOCK) = z from `start` on; how many they
 * are is returned. values (h x columns, leading dimension ld) += z'b. */
size_t gather_rows(const ridge *r, const fold *f, size_t start, double *block);
void add_fold_values(const ridge *r, const fold *f, size_t columns, const double *b, double *values,
                     size_t ld, double *block);

/* The refit from the sums over the rows that train without a fold, all lambda (decreasing): b and
 * offset; sums are overwritten. SR_ILL_POSED: it is singular to working precision at the smallest
 * of them. */
int refit_fold(const ridge *r, const fold *f, row_sums *sums, const double *lambda, size_t c,
               double *b, double *offset, refit_work *work);

/* The same; the sums are made here, without the rows of the fold. */
int retrain(const ridge *r, const fold *f, const double *lambda, size_t c, retrain_work *work);

/* The same, and the held-out predictions. */
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
    int *form;            /* count: enum holdout_form */
    const double *lambda; /* c, decreasing */
    size_t c;
    const int *spanned; /* d: see constrain_folds */
    size_t d;
} holdout_request;

/* All folds, each by its form: prediction is (rows of all folds, one fold after the other) x (v c).
 * *failed: the fold at which it stopped. */
int leave_folds_out(const ridge *r, const spectrum *s, holdout_request *request, double *prediction,
                    size_t *failed, memory from);

/* Workspaces of refits one by one, each by its form. */
typedef struct {
    update_work update;
    retrain_work retrained;
} refit_works;

refit_works new_refit_works(const ridge *r, const spectrum *s, const holdout_request *request,
                            memory from);

/* Every refit by its form, in the coordinates of r: b (n x (v c)) and offset (v c: intercepts of
 * centred y), one fold after the other. */
int fold_refits(const ridge *r, const spectrum *s, holdout_request *request, double *b,
                double *offset, size_t *failed, memory from);

/* The coefficients of every refit, each by its form: alpha (terms x (v c)) and a0 (v x c), one fold
 * after the other. terms: columns of map. */
int fold_coefficients(const ridge *r, const spectrum *s, size_t terms, holdout_request *request,
                      double *alpha, double *a0, size_t *failed, memory from);

/* ---- representer.c: functionals in place of y ------------------------------------------------ */

/* The representers of v functionals without every fold, each by its form, see its head: their
 * values at the rows that leave, alpha (rows of all folds, one fold after the other) x (v c), and
 * moment, (v c) x folds, G_O'b. r is no full kernel; its zy is G (the spectrum's is not read), its
 * y and y_mean are zero. moments: n x (v folds), G_O of every fold. */
int fold_representers(const ridge *r, const spectrum *s, holdout_request *request,
                      const double *moments, double *alpha, double *moment, size_t *failed,
                      memory from);

#endif
