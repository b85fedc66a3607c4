/* methods.h: what the bridge may call. The middle storey: the training cache,
 * the two hold-out forms and the loop over folds; greedy selection of features.
 * Plain arrays, no R objects.
 *
 * Symbols, as in the papers: m rows, n basis vectors, v outputs, c values of
 * lambda; H a held-out set, E the basis vectors removed with it. Everything that
 * is m x n there is stored here one observation per column (n x m), so that
 * the rows of a fold are contiguous. */
#ifndef SPARSERLS_METHODS_H
#define SPARSERLS_METHODS_H

#include "ground.h"

/* ---- cache.c: training ------------------------------------------------- */

/* Rows handled at a time: large enough for the BLAS, small against m. */
#define ROW_BLOCK 512

/* A ridge problem in orthogonal coordinates: observation i is column i of
 * `z` and the penalty is lambda |b|^2. With an intercept z and y are centred
 * by their weighted means. The coordinates are either those of the Cholesky
 * factor (z = C^-1 k, gram = Z'WZ) or those of the eigenvectors V of that gram
 * matrix (z = V'C^-1 k, gram = diag(values)). */
typedef struct {
    size_t m, n, v;
    double *z;             /* n x m, centred, not weighted */
    double *y;             /* m x v, centred, not weighted */
    const double *weights; /* m */
    double sum_weights;
    int unit_weights; /* all weights are 1 */
    int intercept;
    int dual;             /* the full kernel, see dual.c */
    double *map;          /* n x n, column j: basis vector j; coefficients = map' b */
    double *gram;         /* n x n, lower triangle, or NULL in the coordinates of V */
    const double *values; /* n eigenvalues of the gram matrix, ascending, >= 0 */
    double *score;        /* n x v, Z'WY */
    double *z_mean;       /* n */
    double *y_mean;       /* v */
} ridge;

/* Weighted means of z and y into z_mean and y_mean, and both centred by them; zero means
 * without an intercept. */
void ridge_centre(ridge *r);

/* What a set of rows adds to a ridge problem: all that any refit needs to know
 * of them. score has v + 1 columns, Z'WY and Z'W1. */
typedef struct {
    double *gram;  /* n x n, Z'WZ, lower triangle */
    double *score; /* n x (v + 1) */
    double *wy;    /* v, the sums of w y */
    double w;      /* the sum of w */
} row_sums;

/* Sums over `count` rows (rows = NULL: the first `count`) of z and y, minus z_centre (n) and
 * y_centre (v) where those are not NULL; no gram matrix where sums->gram is NULL. places: the rows
 * whose z it is, NULL where the same. work: row_sums_work(n, v). */
size_t row_sums_work(size_t n, size_t v);
void sum_rows(const ridge *r, const int *rows, const int *places, size_t count,
              const double *z_centre, const double *y_centre, row_sums *sums, double *work);

/* Weighted means of z (n) and y (v) over the same. */
void mean_rows(const ridge *r, const int *rows, const int *places, size_t count, double *z_mean,
               double *y_mean);

/* The kernel of the basis vectors with all rows, n x m: computed from points in
 * row blocks, or given as `columns`. */
typedef struct {
    const kernel_spec *kernel;
    point_set basis, rows;
    const double *centre; /* p */
    double *work;         /* kernel_work(kernel, basis, ROW_BLOCK rows) */
    int threads;
    const double *columns; /* n x m, or NULL */
    const int *basis_rows; /* n: the rows that are the basis vectors, 0-based */
} kernel_source;

typedef struct {
    double *cholesky; /* n x n */
    double *score;    /* n x (v + 1) */
    double *wy;       /* v */
    double *rows;     /* row_sums_work(n, v) */
} train_work;

/* Fill r->z, map, gram, score, z_mean, y_mean and centre r->y, in the
 * coordinates of the Cholesky factor. k_bb: n x n, both triangles, with the jitter.
 * SR_NOT_POSITIVE: k_bb is singular. */
int ridge_train(ridge *r, const kernel_source *source, const double *k_bb, train_work *work);

/* The eigendecomposition of the gram matrix, and map, score and z_mean in its
 * coordinates: all that solves the problem for any lambda. */
typedef struct {
    size_t n;
    double *vectors; /* n x n */
    double *values;  /* n, ascending, >= 0 */
    double *map;     /* n x n */
    double *score;   /* n x v */
    double *z_mean;  /* n */
} spectrum;

/* cholesky: as ridge_train left it in its workspace. */
int ridge_spectrum(const ridge *r, const double *cholesky, spectrum *s, double *work, int *iwork);

/* ---- primal.c: linear RLS, features as coordinates ---------------------- */

/* The ridge problem whose coordinates are the columns of x (m x n): map = I. Fills z, map,
 * z_mean, y_mean and score, and gram if it is not NULL. sums: workspace. */
void primal_train(ridge *r, const double *x, row_sums *sums, double *work);

/* Its spectrum, from the gram matrix or, where that is NULL, from singular values.
 * work: primal_work(n); iwork: primal_iwork(n). */
size_t primal_work(size_t n);
size_t primal_iwork(size_t n);
int primal_spectrum(const ridge *r, spectrum *s, double *work, int *iwork);

/* ---- dual.c: RLS on the full kernel -------------------------------------- */

/* The full kernel as a `ridge`, see dual.c: the first t of its m rows are training rows. */
typedef struct {
    size_t t;       /* rows of positive weight */
    double *kernel; /* t x t, overwritten */
    double *cross;  /* t x (m - t): kernel of the training rows with the others, or NULL */
} full_kernel;

/* Fills r->z (n x m), map (n x t), values, score, z_mean, y_mean and centres r->y. n is t, or
 * t - 1 with an intercept. work: dual_work(t); iwork: eigen_iwork(t). */
size_t dual_work(size_t t);
int dual_train(ridge *r, full_kernel *k, double *values, double *work, int *iwork);

/* Fitted values m x (v c), y_mean included, over what z'b has left there. */
void dual_fitted(const ridge *r, const double *lambda, size_t c, double *fitted);

/* Leave-pair-out: held-out predictions of two rows that leave together, for all pairs with
 * different y. concordant and pairs (m x c) become, per row, the weights of its pairs that are
 * ordered as y is (ties half), and of all its pairs. work: pairs_work(r). */
size_t pairs_work(const ridge *r);
int leave_pairs_out(const ridge *r, const double *d, const double *b, size_t c, double *concordant,
                    double *pairs, double *work);

/* Values clipped at 0, map = V', score and z_mean in the coordinates of s->vectors. */
void finish_spectrum(const ridge *r, spectrum *s);

/* r->z = V'z in place. work: n * ROW_BLOCK. */
void rotate_z(const ridge *r, const double *vectors, double *work);

/* d = 1 / (values + lambda), n x c, and coefficients b = d score, n x (v c). */
void spectral_weights(const spectrum *s, size_t v, const double *lambda, size_t c, double *d,
                      double *b);

/* sum_i w_i (share (y_i - fitted_i))^2 over all outputs; fitted is m x v and includes y_mean, share
 * (v) brings outputs to one scale. */
double residual_squares(const ridge *r, const double *fitted, const double *share);

/* ---- holdout.c, retrain.c, cv.c: leaving rows out ----------------------- */

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

/* One fold at one lambda for the full kernel, see dual.c. */
int leave_out_dual(const ridge *r, const fold *f, double *block, double *rhs, update_work *work);

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

enum holdout_form { FORM_UPDATE = 0, FORM_RETRAIN };

/* The cheaper form for every fold (sizes h and e). The update form needs the
 * coordinates of V, whose price is part of the comparison. */
void plan_forms(size_t m, size_t n, size_t v, size_t c, size_t folds, const int *h, const int *e,
                int *form);

/* All folds, each by its form; *failed is the fold at which it stopped. ok:
 * one int per fold. */
int leave_folds_out(const ridge *r, const fold *folds, size_t count, const int *form,
                    const double *lambda, size_t c, size_t ld, int *ok, update_work *update,
                    retrain_work *retrain, size_t *failed);

/* ---- measure.c: errors of held-out predictions --------------------------- */

enum loss_type { LOSS_SQUARED = 0, LOSS_ABSOLUTE, LOSS_CLASS };

/* loss (rows) of scores (rows x v) for y (m x v); row: the row of y of each, 0-based. */
void row_losses(enum loss_type type, size_t rows, size_t m, size_t v, const int *row,
                const double *y, const double *scores, double *loss);

/* The weighted mean loss of every unit (unit: 0-based labels of the rows), and the units' weights.
 */
void unit_means(size_t rows, size_t units, const int *unit, const double *loss,
                const double *weights, double *means, double *totals);

/* The weighted mean of loss, and its standard error
 * sqrt(sum_i w_i (loss_i - mean)^2 / sum(w) / (k - 1)), k rows of positive weight. */
void weighted_error(size_t rows, const double *loss, const double *weights, double *mean,
                    double *error);

/* ---- standardize.c: columns of x ------------------------------------------ */

/* Weighted means and standard deviations (p) of the columns of x (m x p). */
void standard_moments(size_t m, size_t p, const double *x, const double *w, double *centre,
                      double *spread);

/* out = (x - centre) / scale, column by column. */
void standardize(size_t m, size_t p, const double *x, const double *centre, const double *scale,
                 double *out);

/* ---- greedy.c: forward selection of features ---------------------------- */

/* The regression problem. Column i enters as sqrt(w) (x_i - centre_i) / scale_i. */
typedef struct {
    size_t m, p, v;
    const double *x;       /* m x p, as supplied */
    const double *weights; /* m */
    const double *scale;   /* p */
    int intercept;
    double *centre; /* p; with an intercept any numbers near the weighted means: see greedy_scale */
    double *y;      /* m x v */
    double *y_mean; /* v */
    double *root;   /* m, sqrt(w) */
    double total;   /* sum of w */
} greedy_data;

/* Fills root, total and y_mean, refines centre to the weighted means (with an intercept), and
 * overwrites y by sqrt(w) (y - y_mean). */
void greedy_scale(greedy_data *d);

/* Column i of the scaled problem, m values. */
void greedy_feature(const greedy_data *d, size_t i, double *to);

/* What a selection keeps, see the head of greedy.c. */
typedef struct {
    double lambda;
    size_t k;             /* how many to select at most */
    size_t count;         /* how many are */
    int *selected;        /* k, 0-based, in order */
    double *path;         /* k: sums of squared held-out residuals after each step */
    int *open;            /* p: which features are candidates; the selected ones are closed */
    double *residual;     /* m x v */
    double *slack;        /* m */
    double *feature;      /* m: x of the feature chosen last */
    double *last;         /* m: its column of c; before the first choice a workspace */
    double *square;       /* p */
    double *first_square; /* p */
    double *product;      /* p x v */
    double *score;        /* p */
    double *c;            /* m x p, or NULL: compute its columns anew from the next two */
    double *chosen;       /* m x k, columns of c of the selected features, or NULL */
    double *shares;       /* k x p, t / D of every feature, or NULL */
    double *buffers;      /* buffer_size = max(m, pairs) for every thread */
    size_t buffer_size;
} greedy_state;

/* Hold-out sets, and what a selection keeps of them. */
typedef struct {
    size_t count, pairs; /* folds, and row-fold pairs */
    const int *h;        /* count, sizes */
    const int *rows;     /* pairs, 0-based, fold after fold */
    double *z;           /* pairs x p */
    double *residual;    /* pairs x v */
    double *last;        /* pairs: s->last by pairs */
    double *over;        /* count: 1 / (D - c'z) of the feature chosen last */
} greedy_folds;

/* Selects s->k features, or fewer: with patience > 0 it stops after so many steps without
 * improvement. Leave-one-out, or with hold-out sets f (needs s->c) their error. */
int greedy_select(const greedy_data *d, greedy_state *s, const greedy_folds *f, size_t patience,
                  int threads);

/* ---- partial_cholesky.c: factors of kernel matrices ------------------------ */

/* Columns of the kernel of all m rows: `fill` writes those of `rows` (0-based) to out, m x
 * count. */
typedef struct {
    void (*fill)(void *context, const int *rows, size_t count, double *out);
    void *context;
} kernel_columns;

/* A Cholesky factorization that grows column by column. */
typedef struct {
    size_t m, n;    /* n: columns at most */
    size_t rank;    /* columns so far */
    double *factor; /* m x n */
    int *rows;      /* n, 0-based: the rows chosen, in order */
} partial_cholesky;

/* Randomly pivoted Cholesky. self: k(x, x), m; uniform: n numbers from (0, 1).
 * Workspaces: lacking m, gathered n. */
int rpcholesky(const kernel_columns *kernel, partial_cholesky *f, const double *self,
               const double *uniform, double *lacking, double *gathered);

/* Kernel columns (m x count) of `rows` become what F lacks of them. gathered: n x count. */
void cholesky_residuals(const partial_cholesky *f, const int *rows, size_t count, double *columns,
                        double *gathered);

/* Largest pivots, until the rest is rounding. self: k(x, x), m. Workspaces: lacking m, gathered n.
 * SR_ILL_POSED: n columns are not enough. */
int low_rank(const kernel_columns *kernel, partial_cholesky *f, const double *self, double *lacking,
             double *gathered);

/* ---- basis.c: choosing basis vectors ------------------------------------- */

/* What the greedy selection keeps. q: the most candidates of a step. */
typedef struct {
    double lambda, jitter;
    const int *counts; /* n: candidates of every step */
    const int *draws;  /* their positions (0-based) among the open rows, step after step */
    int *open;         /* rows not chosen, ascending; overwritten */
    size_t open_count;
    partial_cholesky f;
    double *shrunk;       /* m x n: c of the basis vectors */
    double *chosen_pivot; /* n: their D */
    double null;          /* training error without basis vectors */
    int *candidate;       /* q rows */
    double *column;       /* m x q: u */
    double *feature;      /* m x q: x, then c */
    double *gathered;     /* n x q */
    double *product;      /* q x v: x'r */
    double *self;         /* q: k(x, x) + jitter */
    double *left;         /* q: u_h, 0 where the candidate is spanned */
    double *pivot;        /* q: D */
    double *score;        /* q: training errors */
} greedy_basis;

/* Randomized greedy selection; d (p = 0) by greedy_scale, its y becomes the residuals. */
int greedy_basis_select(const greedy_data *d, greedy_basis *s, const kernel_columns *kernel);

typedef struct {
    double *stacked; /* (m + p) x p */
    double *target;  /* (m + p) x v */
    double *tau;     /* p */
    double *lower;   /* p x p */
    double *lapack;  /* lapack_size = qr_work(m + p, v) */
    size_t lapack_size;
} path_work;

/* Coefficients of the first 1, ..., p features of d: beta (p x v x p, zero for the features to
 * come); the last index is the number of features. */
int greedy_path(const greedy_data *d, double lambda, double *beta, path_work *work);

#endif
