/* glm.h: penalized likelihood in the coordinates of a ridge problem, and its refits without folds.
 *
 * Minimized is J(b, b0) = sum_i w_i d(y_i, o_i + b0 + z_i'b) + lambda |b|^2, d a unit deviance
 * (loss.h), o offsets, z the centred coordinates of a `ridge`; b0 is 0 without an intercept. All
 * gradients are of J / 2, and b0 is the best one for b wherever it is not said otherwise: then J is
 * a function of b alone, and J less lambda |b|^2 is convex in it. */
#ifndef SPARSERLS_GLM_H
#define SPARSERLS_GLM_H

#include "holdout.h"
#include "loss.h"

/* ---- glm_point.c: J at a point ------------------------------------------------------------- */

/* A problem at one lambda. A refit has values of its own in y, offset and weights. */
typedef struct {
    const ridge *r; /* z, its size and the intercept: y and weights are not read */
    const loss *loss;
    double theta;
    double *y, *offset, *weights; /* m */
    const double *norms;          /* m: |z_i| */
    double largest;               /* of these */
    double lambda;
    double tolerance; /* what certificates are to reach, as a share of ... */
    double spread;    /* ... this, or, where it is 0, of the spread of the fit itself */
} glm;

/* norms (m) of the rows of z; the largest is returned. */
double row_norms(const ridge *r, double *norms);

/* From value (m), z'b: b0, of which the search starts at the one given, and scores and weights
 * (m). SR_ILL_POSED: there is no best b0, or no row trains. */
int settle(const glm *p, const double *value, double *b0, double *score, double *weight);

/* The weighted mean deviance times the sum of weights, and J. */
double deviance(const glm *p, const double *value, double b0);
double objective(const glm *p, const double *value, double b0, const double *b);

/* The standard deviation of value over the rows of positive weight. */
double spread_of(const glm *p, const double *value);

/* ---- glm_chord.c: steps by a factorization that is kept ------------------------------------- */

/* Z'HZ + lambda I, z about its mean weighted by H (without an intercept: as it is). */
typedef struct {
    double *factor; /* n x n, lower: the matrix, then its factor L */
    double *mean;   /* n */
    double total;   /* of H */
    double top;     /* the largest diagonal element without lambda */
} curvature;

curvature new_curvature(size_t n, memory from);

/* Without lambda, and its factor with it. */
void sum_curvature(const ridge *r, const double *weight, curvature *to, row_sums *sums,
                   row_block *block);
int factor_curvature(size_t n, double lambda, curvature *of);

/* A quadratic model of a refit: the curvature less rows that leave and plus rows that join, on the
 * b that are orthogonal to some directions. */
typedef struct {
    const curvature *of;
    size_t e, s, h;      /* directions, rows that join, that leave */
    double *points;      /* n x q, q = e + s + h: L^-1 [directions, roots (z - mean)] */
    const double *roots; /* s + h: of the rows' weights */
    double *system;      /* q x q, factorized */
} chord;

/* points without L^-1 and roots, from directions (n x e) and the rows `place` (s + h). */
void chord_points(const ridge *r, const chord *c, const double *directions, const int *place);

/* From points without roots, which they are multiplied by. *inverse: the model's curvature is at
 * least that of the fit divided by this; *leverage: the square of the length of [z, 1] of rows that
 * leave, in the metric of the inverse of the model's, is at most this. u (q) is a workspace.
 * SR_NOT_POSITIVE: what leaves takes all curvature with it. */
int factor_chord(const ridge *r, const chord *c, double *leverage, double *inverse, double *u);

/* step (n), L^-1 (gradient - gradient0 mean), becomes L' times the step of b; that of b0 is *step0
 * less mean times that of b. gap: NULL, or what the step takes from b along the directions (e).
 * u (q) is a workspace. The step's length in the model's metric, squared, where gap is NULL. */
double chord_step(const ridge *r, const chord *c, double gradient0, const double *gap, double *step,
                  double *step0, double *u);

/* ---- glm_bound.c: how far a point is from the best one --------------------------------------- */

/* What rounding may have made of Z score + lambda b (its norm), of the sum of scores, and of the
 * best b0 for b. */
typedef struct {
    double gradient, scores, b0;
} glm_rounding;

glm_rounding rounding_at(const glm *p, const double *score, const double *weight, const double *b,
                         double b0);

/* Bounds of |b - best| and, at a row z of this norm, of the error of b0 + z'b, for a gradient
 * (orthogonal to what b is) of norm `gradient`. */
double certified_distance(const glm *p, double gradient, const glm_rounding *lost, const double *b);
double certified_error(const glm *p, double distance, double norm, const double *b,
                       const glm_rounding *lost);

/* A bound of the distance of b and b0 from the best in the metric of a curvature A with the factor
 * `of`, or of one that is at least A / inverse, from the square of the length of the gradient in
 * the metric of its inverse, `decrement`. moved: the most that a linear predictor of a row that
 * trains is from those at which A was taken. INFINITY where that says nothing. */
double sharp_distance(const glm *p, const curvature *of, double inverse, double moved,
                      double decrement, const glm_rounding *lost);

/* The largest square of the length of [z, 1] of rows (NULL: the first `count`) in the metric of
 * A^-1. */
double largest_leverage(const glm *p, const curvature *of, const int *rows, size_t count,
                        row_block *block);

/* ---- glm_newton.c: one problem by damped Newton steps -----------------------------------------
 */

typedef struct {
    double *value, *score, *weight; /* m: at b */
    double *move, *next;            /* m */
    double *gradient, *step, *to;   /* n */
    curvature curve;
    row_sums sums;
    row_block block;
    double *points, *system, *u; /* n x e, e x e, e */
} glm_work;

glm_work new_glm_work(const ridge *r, size_t e, memory from);

/* What is found: how far b is from the best at most. */
typedef struct {
    double distance;
    glm_rounding lost;
    int steps;
} glm_found;

/* x (n x k) less its parts along orthonormal directions (n x e). */
void project(size_t n, size_t e, const double *directions, size_t k, double *x);

/* From b and b0, b orthogonal to directions (n x e). work->value, score and weight are those of
 * the end. */
int glm_newton(const glm *p, const double *directions, size_t e, double *b, double *b0,
               glm_work *work, glm_found *found);

/* A bound of the error of b0 + z'b at rows (NULL: the first `count`) whose largest norm this is, by
 * a factor of the curvature at the end of glm_newton(), whose distance becomes the lesser one. */
double sharp_error(const glm *p, const double *directions, size_t e, const int *rows, size_t count,
                   double norm, const double *b, glm_work *work, glm_found *found);

/* ---- glm_path.c: the fits of a path --------------------------------------------------------- */

/* For c values of lambda: b (n x c), b0, deviance, degrees of freedom but for the constant's, the
 * bound of |b - best|, that of the error of fitted linear predictors as a share of their spread,
 * and steps (c each). */
typedef struct {
    double *b, *b0, *deviance, *df, *distance, *error;
    int *steps;
} glm_path;

/* lambda decreasing; *reached: how many were fitted. */
int fit_path(glm *p, const double *lambda, size_t c, glm_path *to, size_t *reached, memory from);

/* b0 of b = 0 and its weights (m). */
int null_model(const glm *p, double *b0, double *weight, memory from);

/* ---- glm_folds.c: the refits without every fold (its models: glm_fold_models.c) ------------- */

/* Of all folds: b0 + z'b of rows that leave, one fold after the other; b (n x folds) or NULL, and
 * by folds b0, bounds of |b - best| and of the errors of these predictions, steps, whether the fold
 * had Newton steps of its own, and an sr_status. */
typedef struct {
    double *prediction, *b, *b0, *distance, *error;
    int *steps, *own, *status;
} glm_refits;

/* From the fit b, b0 of p, whose spread becomes that of the fit. */
int glm_leave_out(glm *p, holdout_request *request, const double *b, double b0, glm_refits *to,
                  memory from);

#endif
