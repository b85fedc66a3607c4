/* greedy_fit.h: what greedy.c and greedy_held.c both work on: the fit so far, and hold-out sets. */
#ifndef SPARSERLS_GREEDY_FIT_H
#define SPARSERLS_GREEDY_FIT_H

#include "greedy.h"

/* The mark of a candidate that has no criterion. */
#define ILL_POSED -1.0

/* The fit with the features so far, see the head of this file. */
typedef struct {
    double lambda;
    size_t count;         /* features */
    size_t b;             /* the one chosen last */
    const double *last;   /* m: its column of c; before the first choice zeros */
    double *feature;      /* m: x of it */
    double *residual;     /* m x v */
    double *slack;        /* m */
    double *square;       /* p */
    double *first_square; /* p: squares without features */
    double *product;      /* p x v */
} greedy_fit;

static inline double greedy_pivot(const greedy_fit *s, size_t i)
{
    return s->lambda + s->square[i];
}

/* What remains of the pivot stands out from the rounding errors of its first value. */
static inline int greedy_resolved(const greedy_fit *s, size_t i, double pivot)
{
    return pivot > RESOLUTION * (s->lambda + s->first_square[i]);
}

/* t_i = t: square and product of candidate i after the last choice b. Value: t / D_b. */
static inline double greedy_advance(const greedy_data *d, greedy_fit *s, size_t i, double t)
{
    const size_t b = s->b;
    const double share = t / greedy_pivot(s, b);
    s->square[i] -= t * share;
    for (size_t k = 0; k < d->v; k++)
        s->product[i + k * d->p] -= share * s->product[b + k * d->p];
    return share;
}

/* What is kept of hold-out sets. */
typedef struct {
    const greedy_folds *folds;
    double *z;        /* held_rows x p */
    double *residual; /* held_rows x v */
    double *last;     /* held_rows: of the fit's `last` */
    double *over;     /* count: 1 / (D - c'z) of the feature chosen last */
} greedy_held;

greedy_held new_greedy_held(const greedy_data *d, const greedy_folds *f, memory from);

/* G_HH^-1 times a column of m, of all folds one after the other, at the start. */
void held_first(const greedy_data *d, const greedy_folds *f, const double *from, double *to);

/* The criterion of candidate i, whose column is c (m), brought up to date with the last choice;
 * gathered: a workspace of held_rows. */
double held_criterion(const greedy_data *d, greedy_fit *fit, greedy_held *held, size_t i, double *c,
                      double *gathered);

/* Held-out residuals with the feature b, whose column is s->last. */
void held_choose(const greedy_data *d, const greedy_fit *s, greedy_held *held, size_t b);

/* The criterion without features. */
double held_null(const greedy_held *held, size_t v);

#endif
