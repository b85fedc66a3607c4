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

/* b0 of b = 0 and its weights (m). */
int null_model(const glm *p, double *b0, double *weight, memory from);

/* ---- glm_curvature.c: the quadratic model that steps are made by ----------------------------- */

/* Z'HZ + lambda I, z about its mean weighted by H (without an intercept: as it is), H the weights
 * at a point that may be another one, at another lambda. */
typedef struct {
    double *gram;    /* n x n, without lambda */
    double *factor;  /* n x n, lower: L L' = gram + lambda I */
    double *mean;    /* n */
    double *weight;  /* m: H, and ... */
    double *value;   /* ... the linear predictors, less offsets, that it belongs to */
    double total;    /* of H */
    double top;      /* the largest diagonal element of gram */
    double lambda;   /* at which it was taken; 0: there is none yet */
    double factored; /* the lambda of its factor, 0: there is none */
    row_sums sums;
    row_block block;
} curvature;

curvature new_curvature(const ridge *r, memory from);

/* At b0 + value, where weights are these; and its factor for the lambda of p. */
void take_curvature(const glm *p, const double *value, double b0, const double *weight,
                    curvature *to);
int factor_curvature(const glm *p, curvature *of);

/* tr((Z'HZ + lambda I)^-1 Z'HZ) = n - lambda |L^-1|^2; inverse: n x n, a workspace. */
double degrees_of_freedom(size_t n, double lambda, const double *factor, double *inverse);

/* The most that b0 + value is from where it was taken, over rows that train. */
double largest_move(const glm *p, const curvature *of, const double *value, double b0);

/* The largest square of the length of [z, 1] of rows (NULL: the first `count`) in the metric of the
 * inverse; each of them to `each`, if it is not NULL. */
double largest_leverage(const ridge *r, curvature *of, const int *rows, size_t count, double *each);

/* x (n x k) less its parts along orthonormal directions (n x e). */
void project(size_t n, size_t e, const double *directions, size_t k, double *x);

/* ---- glm_rows.c: products of the rows of z with few columns ---------------------------------- */

/* values (m x columns) = Z'x, x n x columns. */
void row_values(const ridge *r, size_t columns, const double *x, double *values);

/* sums (n x columns) += Z factors, factors m x columns. */
void add_rows(const ridge *r, size_t columns, const double *factors, double *sums);

/* sums += Z values, values (m x columns) = weights times (Z'x - mean), mean by columns. */
void weighted_products(const ridge *r, size_t columns, const double *x, const double *mean,
                       const double *weights, double *values, double *sums);

/* ---- glm_bound.c: how far a point is from the best one --------------------------------------- */

/* What rounding may have made of Z score + lambda b (its norm), of the sum of scores, and of the
 * best b0 for b. */
typedef struct {
    double gradient, scores, b0;
} glm_rounding;

glm_rounding rounding_at(const glm *p, const double *score, const double *weight, const double *b,
                         double b0);

/* The same from sums: of what rows lose times their norms, of what they lose, of weights times
 * norms, and of weights; length: of b. */
glm_rounding rounding_of(const glm *p, double length, double rows, double scores, double means,
                         double total);

/* Bounds of |b - best| and, at a row z of this norm, of the error of b0 + z'b, for a gradient
 * (orthogonal to what b is) of norm `gradient`. */
double certified_distance(const glm *p, double gradient, const glm_rounding *lost, const double *b);
double certified_error(const glm *p, double distance, double norm, const double *b,
                       const glm_rounding *lost);

/* What a model says of its rows: squares of the lengths of [z, 1] in the metric of its inverse, of
 * all that train and of those that are asked for, at most; the sum of its weights. */
typedef struct {
    double all, asked, total;
} glm_lengths;

/* Without a factor: of rows of this norm about a mean of this norm, as every model is at least
 * lambda I. INFINITY where lambda is below what the curvature resolves. */
double longest(const glm *p, const curvature *of, double norm, double mean, double total);

/* A bound of the distance of b and b0 from the best in the metric of a model, from the length of
 * the gradient in the metric of its inverse. moved: the most that a linear predictor of a row that
 * trains is from those at which the model's weights were taken. INFINITY where that says
 * nothing. */
double sharp_distance(const glm *p, const glm_lengths *rows, double moved, double length,
                      const glm_rounding *lost);

/* ---- glm_newton.c: one problem by damped Newton steps -----------------------------------------
 */

typedef struct {
    double *value, *score, *weight; /* m: at b */
    double *move, *next;            /* m */
    double *gradient, *step, *to;   /* n */
    double *along, *last;           /* n: the direction, and the gradient before */
    curvature curve;
    double *points, *system, *u; /* n x e, e x e, e: directions in the metric of the inverse */
} glm_work;

glm_work new_glm_work(const ridge *r, size_t e, memory from);

/* What is found: how far b is from the best at most, and linear predictors of rows. */
typedef struct {
    double distance, error;
    glm_rounding lost;
    int steps;
} glm_found;

/* From b and b0, b orthogonal to directions (n x e), and from the curvature of the workspace, if it
 * has one. work->value, score and weight are those of the end. */
int glm_newton(const glm *p, const double *directions, size_t e, double *b, double *b0,
               glm_work *work, glm_found *found);

/* The error of b0 + z'b at rows (NULL: the first `count`) whose largest norm this is, by the
 * curvature at the end of glm_newton(), which is taken there unless `taken`. */
void sharpen(const glm *p, const double *directions, size_t e, const int *rows, size_t count,
             double norm, const double *b, double b0, int taken, glm_work *work, glm_found *found);

/* J at b, which becomes orthogonal to directions; INFINITY where there is none. */
double objective_at(const glm *p, const double *directions, size_t e, double *b, double *b0,
                    glm_work *work);

/* ---- glm_folds.c, glm_steps.c: the refits without every fold ---------------------------------
 */

/* Of all folds: b0 + z'b of rows that leave, one fold after the other; b (n x folds) or NULL, and
 * by folds b0, bounds of |b - best| and of the errors of these predictions, steps, whether the fold
 * had Newton steps of its own, and an sr_status. */
typedef struct {
    double *prediction, *b, *b0, *distance, *error;
    int *steps, *own, *status;
} glm_refits;

/* A refit under way. Lengths in it are squared: of the gradient in the metric of the inverse of the
 * model's curvature, of the step in that of the curvature. */
typedef struct {
    const fold *f;
    size_t index, start;  /* among the folds, and of its rows among all that leave */
    double *directions;   /* n x e, orthonormal: b is orthogonal to them */
    double *dropped;      /* h: what the rows that leave take from the weights of the model */
    double b0, gradient0; /* of its column; the sum of scores */
    double moved;         /* the most that a linear predictor is from where H was taken */
    glm_rounding lost;
    double distance, error; /* of b from the best, and of predictions, at most */
    int rounded;            /* whether the gradient is rounding */
    /* of the model and its step */
    int fine;           /* whether there is one */
    double total, mean; /* the sum of its weights, the norm of its mean */
    double along0;      /* the step of b0 */
    double decrement;   /* length of the gradient (INFINITY at a b off the constraint), and ... */
    double previous;    /* ... before */
    double length;      /* of the step */
    double rest;        /* of what it leaves of the gradient */
    double left, at_first; /* conjugate gradients: what is left, and was */
    int steps;
} refit_state;

/* Refits at one lambda, a block of folds at a time, a column each. */
typedef struct {
    const glm *all;
    glm p; /* of a fold, whose rows have y, offset and weights of their own */
    const holdout_request *q;
    glm_refits *to;
    size_t leave;      /* rows of all folds */
    int single, ready; /* whether all folds are one block, and its directions are at hand */
    int large;         /* whether folds are */
    /* of the fit */
    glm_work *fit;        /* value, score, weight and curvature */
    const double *b;      /* n */
    double b0, gradient0; /* the sum of its scores */
    double *gradient;     /* n */
    double moved;         /* as above */
    glm_rounding lost;
    double *leverage, longest; /* m: squares of the lengths of rows, or NULL; the largest */
    /* of a block, by columns */
    refit_state *states;
    size_t *column, columns; /* the state of each column */
    size_t active;           /* columns whose step is not done, the first ones */
    double *rows, *weights;  /* m x columns: linear predictors, then scores; weights */
    double *means;           /* columns: of a product with these weights */
    int exact;               /* whether the model is that of each column's own weights */
    double *now, *gradients; /* n x columns each: b, gradients, ... */
    double *shift;           /* ... what the fold takes from total times mean, or its mean, ... */
    double *step, *residual, *along, *image, *solved; /* ... and conjugate gradients */
    double *directions, *dropped;
    double *reflect, *tau, *lapack; /* of a QR factorization, n x e, e, lapack_size */
    size_t lapack_size;
    glm_work newton; /* between Newton steps a workspace */
} folds_work;

/* glm_blocks.c: what the folds need; their constraints become known. fit: of the problem. */
int new_folds_work(const glm *p, holdout_request *q, glm_work *fit, folds_work *to, memory from);

/* How many folds from the first-th on make a block, and their rows and directions. */
size_t next_block(const ridge *r, const holdout_request *q, size_t first, size_t *rows,
                  size_t *directions);

/* The states of a block of `count` folds, with their directions. start: rows of the folds before.
 */
int begin_block(folds_work *w, size_t first, size_t count, size_t start);

/* p of the work becomes the problem without a fold, where row `twin_of`, which leaves, stands for
 * the row that joins with its z; and that of all rows again. */
void enter_fold(folds_work *w, const fold *f);
void quit_fold(folds_work *w, const fold *f);

/* From the fit b, b0 of p, at the end of glm_newton() and with a factor for its lambda, and at
 * every fold from start (n x folds) and start0 or (NULL) from the fit itself. */
int leave_out(folds_work *w, const double *b, double b0, const double *start, const double *start0,
              glm_refits *to);

/* glm_steps.c: of the columns the steps (n x columns) from their gradients, and what states know of
 * them; rows are overwritten. toward: whether b is not yet orthogonal to the directions. */
void column_steps(folds_work *w, int toward);

/* Of a refit under way: the largest norm of rows that leave; lengths of rows in its model; and the
 * most that weights on the way of a step differ from the model's, as a share, on average. */
double held_norm(const folds_work *w, const fold *f);
glm_lengths lengths_of(const folds_work *w, const refit_state *state);
double bend_of(const glm_lengths *rows, const refit_state *state);

/* ---- glm_path.c: the fits of a path, and all their refits ------------------------------------ */

/* By values of lambda: b (n x c), b0, deviance, degrees of freedom but for the constant's (NaN
 * where the curvature is that of another lambda), the bound of |b - best|, that of the error of
 * fitted linear predictors as a share of their spread, this spread, and steps. */
typedef struct {
    double *b, *b0, *deviance, *df, *distance, *error, *spread;
    int *steps;
} glm_path;

/* What is asked of a path: lambda (c), decreasing, of which the first `known` have b and b0 and,
 * from the `refitted`-th on, refits, from which others start. Those known may stand there again, to
 * be known better. */
typedef struct {
    const double *lambda;
    size_t c, known, refitted;
    double fit;                  /* its tolerance, and ... */
    const double *folds, *apart; /* ... (c) that of refits; how far lambda may be from that of a
                                  * curvature, as a factor */
} path_request;

/* q: NULL without refits, which are those of c values of lambda, one after the other. *reached: how
 * many values have fits. */
int fit_path(glm *p, const path_request *asked, holdout_request *q, glm_path *to,
             const glm_refits *refits, size_t *reached, memory from);

#endif
