/* greedy.h: forward selection of features (greedy.c) in a scaled problem (greedy_problem.c). */
#ifndef SPARSERLS_GREEDY_H
#define SPARSERLS_GREEDY_H

#include "linalg.h"
#include "vector.h"

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
