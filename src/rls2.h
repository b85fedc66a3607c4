/* rls2.h: RLS with two layers: kernels that are summed with weights, and the weights that minimize
 * the regularized loss.
 *
 * Symbols: m rows, t of them training rows, n kernels with scales s and weights d (d >= 0,
 * sum(d) = 1); R(d) = sum_i d_i s_i K_i on the training rows, G = R(d) + lambda I, c = G^-1 y. */
#ifndef SPARSERLS_RLS2_H
#define SPARSERLS_RLS2_H

#include "kernel.h"
#include "memory.h"
#include "partial_cholesky.h"

/* ---- rls2_bank.c: the kernels --------------------------------------------- */

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
    double *block; /* workspace of computed kernels */
} kernel_bank;

/* The bank of n terms on m rows, of which those of positive weight train. */
kernel_bank new_bank(size_t m, size_t n, const kernel_term *terms, const double *weights,
                     int center, memory from);

/* What the training rows have to fit: to (t x v) = sqrt(w) (y - mean), mean (v) the weighted means
 * of y (m x v), or zero without an intercept. */
void bank_response(const kernel_bank *bank, size_t v, const double *y, int intercept, double *mean,
                   double *to);

/* to (m) = P' W^1/2 c, zero in other rows: so that K_i c = gather(K_i scatter(c)). */
void bank_scatter(const kernel_bank *bank, const double *c, double *to);
/* v (t) = W^1/2 P image, of an image on all rows. */
void bank_gather(const kernel_bank *bank, const double *image, double *v);
/* c'K_i c, and to (m) = K_i scattered. */
double bank_quadratic(kernel_bank *bank, size_t i, const double *scattered);
void bank_apply(kernel_bank *bank, size_t i, const double *scattered, double *to);
/* to (t x rank) = W^1/2 P F_i. */
void bank_columns(const kernel_bank *bank, size_t i, double *to);
/* Lower triangle of sum (t x t) += scale K_i; then the whole sum of such as training rows see it.
 * means: t. */
void bank_add(kernel_bank *bank, size_t i, double scale, double *sum);
void bank_finish(const kernel_bank *bank, double *sum, double *means);
/* Traces (n) of all K_i as training rows see them; 0 where centring leaves rounding only. */
void bank_traces(kernel_bank *bank, double *trace, memory from);
/* The variances in feature space of the training rows with y > 0 and of those with y < 0, weighted,
 * mean_j k(j, j) - mean_jl k(j, l), summed: variance n x v, y m x v. */
void bank_variances(kernel_bank *bank, size_t v, const double *y, double *variance, memory from);

/* ---- rls2_reduce.c: kernels and responses on as few rows as will do --------- */

typedef struct {
    kernel_bank all, near; /* as given; the one that is worked on, itself or with fewer rows */
    size_t v;
    const double *response; /* all.t x v: sqrt(w) (y - mean) */
    const double *y;        /* near.t x v of it, leading dimension all.t */
    const double *mean;     /* v */
    const double *rest;     /* v: squared length of the part of y that no kernel sees */
} rls2_data;

/* Fills data from all its kernels and y (m x v). */
int rls2_prepare(rls2_data *data, kernel_bank all, size_t v, const double *y, int intercept,
                 memory from);

/* ---- rls2_solve.c: c, at given weights -------------------------------------- */

/* What is minimized: one output. */
typedef struct {
    kernel_bank *bank;   /* written in its workspaces only */
    const double *scale; /* n */
    const double *y;     /* t */
    double rest;         /* see rls2_data */
} rls2_problem;

/* The working set, in which weights may be positive. */
typedef struct {
    size_t t, count, most;
    int *member;    /* most */
    int *inside;    /* n */
    double *weight; /* most: d */
    double *v;      /* t x most: s_i K_i c */
    double *g;      /* most: s_i c'K_i c */
} working_set;

/* What the last evaluation has found, and its factorization. */
typedef struct {
    double lambda;
    double value;      /* y'c + rest / lambda = 2 J / lambda */
    double *c;         /* t */
    double *scattered; /* m: c by bank_scatter */
    int primal;        /* of F'F + lambda I, F the scaled columns of all kernels in use */
    size_t columns;    /* of F */
    double *f;         /* t x t */
    double *factor;    /* t x t */
    double *reduced;   /* columns x most */
} rls2_solution;

rls2_solution new_solution(const kernel_bank *bank, size_t most, memory from);

/* The solution, all but scattered, for the weights of the working set. */
int rls2_evaluate(rls2_problem *problem, const working_set *set, double lambda, rls2_solution *at);

/* Its degrees of freedom; the factorization is overwritten. t: training rows. */
int rls2_df(rls2_solution *at, size_t t, double *df);

/* ---- rls2_set.c: the working set --------------------------------------------- */

working_set new_working_set(const kernel_bank *bank, memory from);

void set_clear(working_set *set, size_t n);
void set_join(working_set *set, size_t i);
/* Members without weight leave, v and g with them. */
void set_prune(working_set *set);

/* v (t) = s_i K_i c, and v and g of members from the j-th on, at scattered and c. */
void set_image(rls2_problem *problem, size_t i, const double *scattered, double *v);
void set_images(working_set *set, size_t from, rls2_problem *problem, const rls2_solution *at);

/* sum_i d_i g_i = c'R c. */
double set_level(const working_set *set);

/* ---- rls2_screen.c: kernels that violate the optimum ------------------------- */

/* What is known of all kernels from an earlier c. */
typedef struct {
    double *trace;     /* n: tr K_i */
    double *bound;     /* n: sqrt(s_i tr K_i), at least sqrt(s_i lmax(K_i)) */
    double *reference; /* t: that c */
    double *root;      /* n: sqrt(s_i c'K_i c) there */
} screening;

/* One output on its path. */
typedef struct {
    rls2_problem problem;
    rls2_solution at;
    working_set set;
    screening screen;
} rls2_state;

screening new_screening(kernel_bank *bank, memory from);

/* Where a path begins: all weight on the kernel of largest alignment s_i y'K_i y, the lower one of
 * equals, which is the solution for lambda = Inf. Needs the problem, and trace. */
void rls2_start(rls2_state *s);

/* Kernels that join the working set at a time. */
#define ENTER 10

/* The violators that are going to enter, the largest g first. */
typedef struct {
    size_t count;
    size_t index[ENTER];
    double g[ENTER];
} violators;

/* scattered, and all members' v and g, at the current c. */
void rls2_images(rls2_state *s);

/* The relative duality gap, after rls2_images. Kernels outside the working set with g above `limit`
 * are queued; q may be NULL for limit = INFINITY. */
double rls2_gap(rls2_state *s, double limit, violators *q);

/* ---- rls2_simplex.c: quadratic programs over the simplex ----------------------- */

/* Workspace for at most n variables. */
typedef struct {
    int *free;        /* n: the variables that may be positive */
    double *factor;   /* n x n */
    double *solution; /* 2 n: u and e */
    double *gradient; /* n: b - Hx */
    double *next;     /* n */
    double *barred;   /* n: 1 where rounding does not let the variable grow */
} simplex_work;

simplex_work new_simplex_work(size_t n, memory from);

/* Minimizes x'Hx / 2 - b'x over the simplex, from a feasible x (n). */
int simplex_minimize(size_t n, const double *h, const double *b, double *x, simplex_work *work);

/* ---- rls2_newton.c ------------------------------------------------------------ */

typedef struct {
    double objective; /* J */
    double gap, df;
    int steps;
} rls2_result;

/* The quadratic model of a step, and the line to its minimizer. */
typedef struct {
    double *solved; /* t x most */
    double *h;      /* most x most */
    double *linear; /* most */
    double *start;  /* most */
    double *target; /* most */
    simplex_work simplex;
} newton_work;

newton_work new_newton_work(const working_set *set, memory from);

/* Newton steps from the weights in the working set until the relative duality gap is at most
 * `tolerance`, or rounding allows no more. */
int rls2_minimize(rls2_state *s, double lambda, double tolerance, newton_work *work,
                  rls2_result *result);

/* ---- rls2_alternate.c --------------------------------------------------------- */

typedef struct {
    double *images;   /* t x n: s_i K_i c */
    double *residual; /* t */
    double *h;        /* most x most */
    double *linear;   /* most */
    simplex_work simplex;
} alternate_work;

alternate_work new_alternate_work(const working_set *set, size_t n, memory from);

/* The paper's alternation of c and d, until the squared relative residual of the linear system is
 * at most `tolerance`. */
int rls2_alternate(rls2_state *s, double lambda, double tolerance, alternate_work *work,
                   rls2_result *result);

/* ---- rls2_fitted.c: the way back to all rows --------------------------------- */

/* f (m) = sum_i d_i s_i K_i P' W^1/2 c on all rows; minus its weighted mean over training rows with
 * centring, which is the value. slope (n, where not NULL, for factors of one column):
 * d_i s_i F_i'c. */
double rls2_fitted(rls2_state *s, rls2_data *data, double *f, double *slope);

/* alpha (m) with f = sum_i d_i s_i K_i alpha, zero in rows that do not train; l: the output;
 * c: t, workspace. */
void rls2_alpha(const rls2_state *s, const rls2_data *data, size_t l, const double *f, double *c,
                double *alpha);

/* ---- rls2_path.c --------------------------------------------------------------- */

/* For every output the smallest lambda, up to 1 %, from which on one kernel carries all the weight;
 * that kernel's s_i tr K_i where it does so down to 1e-5 of this. scale: n x v; top: v. */
int rls2_top(rls2_data *data, const double *scale, double *top, memory from);

/* What paths are asked for. */
typedef struct {
    const double *scale;  /* n x v */
    const double *lambda; /* c, decreasing, Inf allowed */
    size_t c;
    double tolerance;
    int alternate; /* the paper's alternation instead of Newton steps */
} rls2_request;

/* Where they put their results: arrays of m, n or 1 values for every output (v) and lambda (c),
 * zeros before. */
typedef struct {
    double *d, *slope, *alpha, *fitted; /* n, n, m, m; the first three may be NULL */
    double *a0, *objective, *gap, *df;
    int *iterations;
} rls2_paths;

/* The paths of all outputs. *reached: how many lambda were tried of the last output. */
int rls2_follow(rls2_data *data, const rls2_request *request, rls2_paths *to, size_t *reached,
                memory from);

#endif
