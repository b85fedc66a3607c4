/* rls2.h: RLS with two layers: kernels that are summed with weights, and the weights that minimize
 * the regularized loss.
 *
 * Symbols: m rows, t of them training rows, n kernels with scales s and weights d (d >= 0,
 * sum(d) = 1); R(d) = sum_i d_i s_i K_i on the training rows, G = R(d) + lambda I, c = G^-1 y. */
#ifndef SPARSERLS_RLS2_H
#define SPARSERLS_RLS2_H

#include "kernel.h"
#include "linalg.h"
#include "vector.h"

/* ---- rls2_bank.c: the kernels -------------------------------------------------- */

/* One kernel on all m rows, in one of three forms. */
typedef struct {
    size_t rank;          /* columns of factor */
    const double *factor; /* m x rank, K = F F'; or NULL */
    const double *matrix; /* m x m; or NULL */
    kernel_spec kernel;   /* without both: computed whenever it is needed */
    point_set points;
    const double *centre;
} kernel_term;

/* The kernels as the training rows see them: W^1/2 P K P' W^1/2, where P = I - 1 w'/sum(w) centres
 * in feature space (or P = I). */
typedef struct {
    size_t m, n, t;
    const kernel_term *terms;
    const int *rows;    /* t: training rows, 0-based */
    const double *root; /* t: square roots of their weights */
    double sum_weights;
    int center;
    double *image; /* m, workspace */
    double *block; /* bank_block(), workspace of computed kernels, or NULL */
} kernel_bank;

/* Fills t, rows (m), root (m) and sum_weights from the weights (m) of all rows. */
void bank_train(kernel_bank *bank, const double *weights, int *rows, double *root);

/* What the training rows have to fit: to (t x v) = sqrt(w) (y - mean), mean (v) the weighted means
 * of y (m x v), or zero without an intercept. */
void bank_response(const kernel_bank *bank, size_t v, const double *y, int intercept, double *mean,
                   double *to);

size_t bank_block(const kernel_bank *bank);

/* to (m) = P' W^1/2 c, zero in other rows: so that K_i c = gather(K_i spread(c)). */
void bank_spread(const kernel_bank *bank, const double *c, double *to);
/* v (t) = W^1/2 P image, of an image on all rows. */
void bank_gather(const kernel_bank *bank, const double *image, double *v);
/* c'K_i c, and to (m) = K_i spread. */
double bank_quadratic(const kernel_bank *bank, size_t i, const double *spread);
void bank_apply(const kernel_bank *bank, size_t i, const double *spread, double *to);
/* to (t x rank) = W^1/2 P F_i. */
void bank_columns(const kernel_bank *bank, size_t i, double *to);
/* Lower triangle of sum (t x t) += scale K_i; then the whole sum of such as training rows see it.
 * means: t. */
void bank_add(const kernel_bank *bank, size_t i, double scale, double *sum);
void bank_finish(const kernel_bank *bank, double *sum, double *means);
/* Trace of K_i as training rows see it; 0 where centring leaves rounding only. spread: m,
 * workspace. */
double bank_trace(const kernel_bank *bank, size_t i, double *spread);
/* The variance in feature space of the training rows whose y has this sign, weighted:
 * mean_j k(j, j) - mean_jl k(j, l). y: m. */
double bank_variance(const kernel_bank *bank, size_t i, const double *y, double sign,
                     double *spread);

/* ---- rls2_reduce.c: factors with fewer columns than there are training rows ------- */

/* Columns of all factors, or 0 where a kernel has none or they are not fewer than rows. */
size_t reduced_rows(const kernel_bank *bank);

/* W^1/2 P [F_1 ... F_n] = Q R: R over q (t x k, k = reduced_rows(), of which the first k rows
 * count), its columns as terms of a bank of k rows, Q'y over y (t x v; the first k rows count), and
 * the squared lengths of the rest of y into rest (v). lwork >= qr_work(t, max(k, v)). */
int reduce_bank(const kernel_bank *bank, size_t k, size_t v, double *q, double *y, double *rest,
                kernel_term *terms, double *tau, double *work, size_t lwork);

/* ---- rls2_simplex.c ------------------------------------------------------------ */

/* Minimizes x'Hx / 2 - b'x over the simplex, from a feasible x (n). free: n; work:
 * simplex_work(n). */
size_t simplex_work(size_t n);
int simplex_minimize(size_t n, const double *h, const double *b, double *x, int *free,
                     double *work);

/* ---- rls2.c --------------------------------------------------------------- */

/* Kernels that join the working set at a time. */
#define ENTER 10

/* One problem, and what its minimization keeps. */
typedef struct {
    const kernel_bank *bank;
    const double *scale; /* n */
    const double *y;     /* t */
    double rest;         /* squared length of the part of y that no kernel sees */
    double *trace;       /* n: tr K_i */
    double *bound;       /* n: sqrt(s_i tr K_i), at least sqrt(s_i lmax(K_i)) */
    double lambda;
    double value; /* y'c + rest / lambda = 2 J / lambda */
    double *c;    /* t */
    /* the factorization of the last evaluation */
    int primal;      /* of F'F + lambda I, F the scaled columns of all kernels in use */
    size_t columns;  /* of F */
    double *f;       /* t x t */
    double *factor;  /* t x t */
    double *reduced; /* t x most */
    /* the working set, in which weights may be positive */
    size_t count, most;
    int *member;    /* most */
    int *inside;    /* n */
    double *weight; /* most */
    double *v;      /* t x most: s_i K_i c */
    double *g;      /* most: s_i c'K_i c */
    double *solved; /* t x most */
    double *h;      /* most x most */
    /* screening: sqrt(s_i c'K_i c) of all kernels at an earlier c */
    double *root;      /* n */
    double *reference; /* t */
    double *spread;    /* m */
    double *target;    /* most */
    double *start;     /* most */
    double *linear;    /* most */
    int *free;         /* most */
    double *simplex;   /* simplex_work(most) */
} layers;

typedef struct {
    double objective; /* J */
    double gap, df;
    int steps;
} layers_result;

/* Fills trace. */
void layers_traces(layers *s);

/* Where a path for scale, y and rest begins: all weight on the kernel of largest alignment
 * s_i y'K_i y, the lower one of equals, which is the solution for lambda = Inf. */
void layers_start(layers *s);

/* c and the rest for the weights of the working set. */
int layers_evaluate(layers *s, double lambda, const double *weight);

/* Newton steps from the weights in the working set until the relative duality gap is at most
 * `tolerance`, or rounding allows no more. */
int layers_minimize(layers *s, double lambda, double tolerance, layers_result *result);

/* Pieces that rls2_alternate.c shares: s_i K_i c into v (t), the members without weight leave the
 * working set (v and g with them), and the relative gap and the degrees of freedom at the last
 * evaluation. */
void layers_image(layers *s, size_t i, double *v);
void layers_join(layers *s, size_t i);
void layers_prune(layers *s);
double layers_gap(layers *s);
int layers_df(layers *s, double *df);

/* ---- rls2_screen.c ------------------------------------------------------------- */

/* The violators that are going to enter, the largest g first. */
typedef struct {
    size_t count;
    size_t index[ENTER];
    double g[ENTER];
} violators;

/* The largest g of all kernels, at the current c (spread) with the g of members; those above
 * `limit` outside the working set are queued. */
double layers_screen(layers *s, double limit, violators *q);

/* ---- rls2_alternate.c ---------------------------------------------------------- */

/* The paper's alternation of c and d, until the squared relative residual of the linear system is
 * at most `tolerance`. images: t x n. */
int layers_alternate(layers *s, double lambda, double tolerance, double *images,
                     layers_result *result);

/* ---- rls2_reduce.c: the way back -------------------------------------------------- */

/* f (m) = sum_i d_i s_i K_i P' W^1/2 c on all rows of `all`, the bank that the problem's bank is or
 * was reduced from; minus its weighted mean over training rows with centring, which is the value.
 * slope (n, where not NULL, for factors of one column): d_i s_i F_i'c. */
double layers_fitted(layers *s, const kernel_bank *all, double *f, double *slope);

/* alpha (m) with f = sum_i d_i s_i K_i alpha, zero in rows that do not train; y: t,
 * sqrt(w) (y - mean); c: t, workspace. */
void layers_alpha(const layers *s, const kernel_bank *all, const double *y, const double *f,
                  double *c, double *alpha);

/* ---- rls2_path.c ------------------------------------------------------------------ */

/* The smallest lambda, up to 1 %, from which on one kernel carries all the weight; that kernel's
 * s_i tr K_i where it does so down to 1e-5 of this. */
int layers_top(layers *s, double *lambda);

/* A bank, the one that is worked on (itself or with fewer rows), and the responses. */
typedef struct {
    kernel_bank all, near;
    size_t v;
    double *response; /* all.t x v: sqrt(w) (y - mean) */
    double *y;        /* near.t x v of it, leading dimension all.t */
    double *mean;     /* v */
    double *rest;     /* v */
    double *full;     /* all.t, workspace */
} layers_problem;

/* Where a path puts its results: arrays of m, n or 1 values for every output (v) and lambda (c). */
typedef struct {
    double *d, *slope, *alpha, *fitted; /* n, n, m, m; the first three may be NULL */
    double *a0, *objective, *gap, *df;
    int *iterations;
} layers_path;

/* All lambda (c, decreasing, Inf allowed) of output l, whose path has begun (layers_start).
 * images: t x n for the alternation, NULL for Newton steps. *reached: how many lambda were tried.
 */
int layers_follow(layers *s, const layers_problem *p, size_t l, const double *lambda, size_t c,
                  double tolerance, double *images, layers_path *to, size_t *reached);

#endif
