/* ridge.h: ridge problems in orthogonal coordinates, and their training (train.c).
 *
 * Symbols, as in the papers: m rows, n basis vectors, v outputs, c values of lambda; H a held-out
 * set, E the basis vectors removed with it. Everything that is m x n there is stored here one
 * observation per column (n x m), so that the rows of a fold are contiguous. */
#ifndef SPARSERLS_RIDGE_H
#define SPARSERLS_RIDGE_H

#include "kernel.h"
#include "linalg.h"
#include "memory.h"
#include "row_sums.h"

struct fold;       /* holdout.h */
struct ridge_kind; /* below */

/* A ridge problem in orthogonal coordinates: observation i is column i of
 * `z` and the penalty is lambda |b|^2. With an intercept z and y are centred
 * by their weighted means. The coordinates are either those of the Cholesky
 * factor (z = C^-1 k, gram = Z'WZ) or those of the eigenvectors V of that gram
 * matrix (z = V'C^-1 k; gram is NULL, values are its diagonal). */
typedef struct ridge {
    size_t m, n, v;
    double *z;             /* n x m, centred, not weighted */
    double *y;             /* m x v, centred, not weighted */
    const double *weights; /* m */
    double sum_weights;
    int unit_weights; /* all weights are 1 */
    int intercept;
    int partial; /* the rows are some of those that gram, zy, the means and the sum are of */
    const struct ridge_kind *kind; /* what z'b means, see ridge_kind below */
    double *map;                   /* n x n, column j: basis vector j; coefficients = map' b */
    double *gram;                  /* n x n, lower triangle, or NULL in the coordinates of V */
    const double *values;          /* n eigenvalues of the gram matrix, ascending, >= 0 */
    double *zy;                    /* n x v, Z'WY */
    double *z_mean;                /* n */
    double *y_mean;                /* v */
} ridge;

/* What the value z'b of a row means and what leaving rows out makes of it, in the two kinds of
 * ridge problems. In `smoother`s (smoother.c: subsets of regressors, features) it is the fitted
 * value of centred y, and inner products weighted by D are entries of the hat matrix. On the full
 * kernel (dual.c) it is c~, and they are entries of the inverse M; but for rows of weight zero. */
typedef struct ridge_kind {
    /* Values z'b of all rows (m x (v c)) become fitted values, y_mean included. */
    void (*fit)(const ridge *r, const double *lambda, size_t c, double *values);
    /* One fold at one lambda: block (q x q, lower) holds the inner products of its points, values
     * (q x v) their z'b; the last h rows of values become held-out predictions, y_mean included.
     * root_weights: h; workspaces: system q x q, x q x v. Both are overwritten. */
    int (*leave_out)(const ridge *r, const struct fold *f, double *block, double *values,
                     const double *root_weights, double *system, double *x);
    /* The same fold and lambda after that, workspaces as leave_out() has left them: u (q x v), what
     * its points take from the coefficients, b - D points u; and what rows take from the intercept
     * times sum(w), v. */
    void (*multipliers)(const ridge *r, const struct fold *f, const double *block,
                        const double *values, const double *root_weights, const double *x,
                        double *u, double *sums);
    /* A fold of one row of weight w: what its residual is divided by, 0 or less where rounding has
     * spoilt it; and its held-out prediction of centred y. */
    double (*pivot)(const ridge *r, double w, double product);
    double (*prediction)(double y, double w, double value, double pivot);
    /* All rows: inner products a (m x m, lower) and values g (m) of one output become the system
     * whose blocks A_HH^-1 g_H are scaled held-out residuals. */
    void (*pair_system)(const ridge *r, double *a, double *g);
    int retrains; /* whether there is the retrain form */
} ridge_kind;

/* Sum of the weights (m), and whether all are 1. */
double sum_weights(size_t m, const double *weights, int *unit);

/* Weighted means of z and y into z_mean and y_mean, and both centred by them; zero means
 * without an intercept. */
void ridge_centre(ridge *r);

/* The second step of centring y: subtracts the mean that centred y still has, the rounding error of
 * the first step, which matters where the mean of y is far above its spread. All that follows takes
 * the mean of centred y for zero. */
void refine_centre(ridge *r);

/* A block of rows, scaled by the roots of their weights. */
typedef struct {
    double *z; /* n x ROW_BLOCK */
    double *y; /* ROW_BLOCK x (v + 1) */
} row_block;

row_block new_row_block(size_t n, size_t v, memory from);

/* Sums over `count` rows (rows = NULL: the first `count`) of z and y, minus z_centre (n) and
 * y_centre (v) where those are not NULL; no gram matrix where sums->gram is NULL. places: the rows
 * whose z it is, NULL where the same. */
void sum_rows(const ridge *r, const int *rows, const int *places, size_t count,
              const double *z_centre, const double *y_centre, row_sums *sums, row_block *block);

/* zy, and gram if it is not NULL, of the whole problem, from its z and y. */
void sum_all_rows(ridge *r, memory from);

/* Weighted means of z (n) and y (v) over the same. */
void mean_rows(const ridge *r, const int *rows, const int *places, size_t count, double *z_mean,
               double *y_mean);

/* The kernel of the basis vectors with all rows, n x m: computed from points in
 * row blocks, or given as `columns`. */
typedef struct {
    const kernel_spec *kernel;
    point_set basis, rows;
    const double *centre; /* p */
    int threads;
    const double *columns; /* n x m, or NULL */
    const int *basis_rows; /* n: the rows that are the basis vectors, 0-based; NULL: none are */
    double *largest; /* m: filled with each row's largest value below 1, so that a basis vector's
                      * value with itself does not count; NULL: it is not asked for */
} kernel_source;

/* Columns of the source: out (n x rows) = those of the rows from `start` on, at most ROW_BLOCK;
 * work is that of kernel_rows_work(). */
double *kernel_rows_work(const kernel_source *source, memory from);
void kernel_rows(const kernel_source *source, size_t n, size_t start, size_t rows, double *out,
                 double *work);

/* The eigendecomposition of the gram matrix, and map, zy and z_mean in its
 * coordinates: all that solves the problem for any lambda. */
typedef struct {
    size_t n;
    double *vectors; /* n x n */
    double *values;  /* n, ascending, >= 0 */
    double *map;     /* n x n */
    double *zy;      /* n x v */
    double *z_mean;  /* n */
} spectrum;

/* Fills r->z, map, gram, zy, z_mean, y_mean and centres r->y, in the coordinates of the Cholesky
 * factor, which goes to `cholesky` (n x n). k_bb: n x n, both triangles, with the jitter.
 * SR_NOT_POSITIVE: k_bb is singular. */
int ridge_coordinates(ridge *r, const kernel_source *source, const double *k_bb, double *cholesky,
                      memory from);

/* The same and s. */
int ridge_train(ridge *r, spectrum *s, const kernel_source *source, const double *k_bb,
                memory from);

/* s from the gram matrix, zy and z_mean of r, whose coordinates are those of the Cholesky factor,
 * or (NULL) features. */
int decompose(const ridge *r, const double *cholesky, spectrum *s, memory from);

/* Values clipped at 0, map = V', zy and z_mean in the coordinates of s->vectors. */
void finish_spectrum(const ridge *r, spectrum *s);

/* r->z = V'z in place. */
void rotate_z(ridge *r, const double *vectors, memory from);

/* ---- ridge_path.c: the solutions at any lambda ----------------------------- */

/* d = 1 / (values + lambda), n x c, and coefficients b = d zy, n x (v c). */
void spectral_weights(const spectrum *s, size_t v, const double *lambda, size_t c, double *d,
                      double *b);

/* For all lambda (c) and outputs (v). */
typedef struct {
    double *alpha; /* terms x (v c): coefficients of the expansion */
    double *a0;    /* v x c: intercepts */
    double *df;    /* c */
} ridge_solutions;

/* terms: columns of map. */
void ridge_coefficients(const spectrum *s, size_t terms, size_t v, const double *y_mean,
                        const double *lambda, size_t c, ridge_solutions *to, memory from);

/* Fitted values, m x (v c), and weighted sums of squared residuals over all outputs, c. s->vectors
 * is NULL where r is in their coordinates. */
void ridge_fitted(const ridge *r, const spectrum *s, const double *lambda, size_t c, double *fitted,
                  double *rss, memory from);

#endif
