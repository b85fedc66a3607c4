/* glm_folds.h: what glm_folds.c and glm_fold_models.c share. */
#ifndef SPARSERLS_GLM_FOLDS_H
#define SPARSERLS_GLM_FOLDS_H

#include "glm.h"

/* A refit under way. */
typedef struct {
    const fold *f;
    size_t index, start; /* among the folds, and of its rows among all that leave */
    int fine;            /* whether there is a model */
    chord model;
    curvature own;            /* of a fold with a factor of its own */
    double *directions;       /* n x e */
    double *roots;            /* s + h */
    double leverage, inverse; /* of factor_chord() */
    double b0;                /* of its column */
    glm_rounding lost;        /* at b */
    double moved;             /* the most that a linear predictor is from that of the fit */
    double distance, error;   /* of b from the best, and of predictions, at most */
    int rounded;              /* whether the gradient is rounding */
    double decrement;         /* at the last step */
    int steps;
} refit_state;

/* What a block needs. squares: numbers of the systems; rows: those that leave or join. */
typedef struct {
    size_t folds, points, directions, squares, factors, rows;
} block_size;

/* All refits at one lambda. */
typedef struct {
    const glm *all;
    glm p; /* of a fold, whose rows have y, offset and weights of their own */
    const holdout_request *q;
    glm_refits *to;
    /* of the fit */
    const double *b;
    double b0, gradient0;
    double *value, *score, *weight; /* m */
    double *gradient;               /* n */
    curvature curve;
    double *gram; /* of curve without its factor, for factors of folds' own; or NULL */
    /* of a block, by columns */
    refit_state *states;
    size_t *column; /* the state of each column */
    size_t columns;
    double *rows; /* m x columns: linear predictors, then scores; also b0's part of every step */
    double *now;  /* n x columns: b */
    double *step; /* n x columns: gradients, then steps */
    double *points, *directions, *systems, *roots, *factors, *means;
    double *u, *row_weight; /* the largest q; m */
    int *place;             /* 2 m */
    row_sums sums, held;
    row_block block;
    double *reflect, *tau, *lapack; /* of a QR factorization, n x e, e, lapack_size */
    size_t lapack_size;
    glm_work newton; /* between Newton steps a workspace */
} folds_work;

folds_work new_folds_work(const glm *p, const holdout_request *q, const double *b, memory from);

/* Scores, weights, gradient and factor of the fit, and the spread in p and w->p. */
int look_at_fit(folds_work *w, glm *p, double b0);

/* How many folds from the first-th on make a block, and its size. */
size_t next_block(const ridge *r, const holdout_request *q, size_t first, block_size *size);

/* The states and models of a block; start: where its rows are among all that leave. */
void begin_block(folds_work *w, size_t first, size_t count, size_t start);

/* The fit's gradient without the fold, n, and of b0, which is returned. */
double fold_gradient(const folds_work *w, const fold *f, double *gradient);

#endif
