/* greedy.h: forward selection of features (greedy.c) in a scaled problem (greedy_problem.c). */
#ifndef SPARSERLS_GREEDY_H
#define SPARSERLS_GREEDY_H

#include "memory.h"
#include "constants.h"

/* The regression problem. Column i enters as sqrt(w) (x_i - centre_i) / scale_i. */
typedef struct {
    size_t m, p, v;
    const double *x;       /* m x p, as supplied */
    const double *weights; /* m */
    const double *scale;   /* p */
    int intercept;
    const double *centre; /* p */
    const double *y;      /* m x v */
    const double *y_mean; /* v, by greedy_scale, and the next two */
    const double *root;   /* m, sqrt(w) */
    double total;         /* sum of w */
} greedy_data;

/* Finds root, total and y_mean; y as supplied becomes sqrt(w) (y - y_mean). With an intercept
 * centre may be any numbers near the weighted means, and becomes these. In new arrays. */
void greedy_scale(greedy_data *d, memory from);

/* Column i of the scaled problem, m values. */
void greedy_feature(const greedy_data *d, size_t i, double *to);

/* What a selection is asked for. */
typedef struct {
    double lambda;
    size_t k;              /* how many to select at most */
    size_t patience;       /* > 0: stop after so many steps without improvement */
    const int *candidates; /* p: which features may be selected */
    int cache;             /* keep c of all features; hold-out sets need it */
    int threads;
} greedy_request;

/* Hold-out sets. */
typedef struct {
    size_t count, held_rows; /* folds, and their rows, a row as often as it is held out */
    const int *h;            /* count, sizes */
    const int *scored;       /* count: how many rows of a fold count, its first ones */
    const int *rows;         /* held_rows, 0-based, fold after fold */
} greedy_folds;

typedef struct {
    size_t count;
    int *selected; /* 0-based, in order */
    double *error; /* sums of squared held-out residuals after each step */
} greedy_selection;

/* Selects features by their leave-one-out error, or, with hold-out sets f, by theirs. In new
 * arrays, as far as the selection went. */
int greedy_select(const greedy_data *d, const greedy_request *request, const greedy_folds *f,
                  greedy_selection *to, memory from);

/* Coefficients of the first 1, ..., p features of d: beta (p x v x p, zero for the features to
 * come); the last index is the number of features. */
int greedy_path(const greedy_data *d, double lambda, double *beta, memory from);

#endif
