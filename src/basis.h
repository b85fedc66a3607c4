/* basis.h: choosing basis vectors. */
#ifndef SPARSERLS_BASIS_H
#define SPARSERLS_BASIS_H

#include "greedy.h"
#include "partial_cholesky.h"

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

#endif
