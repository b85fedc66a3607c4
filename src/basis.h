/* basis.h: choosing basis vectors. */
#ifndef SPARSERLS_BASIS_H
#define SPARSERLS_BASIS_H

#include "greedy.h"
#include "memory.h"
#include "partial_cholesky.h"

/* What a randomized greedy selection is asked for. */
typedef struct {
    double lambda, jitter;
    size_t steps;
    const int *counts; /* steps: candidates of every step */
    const int *draws;  /* their positions (0-based) among the open rows, step after step */
    const int *open;   /* the rows that may be chosen, ascending */
    size_t open_count;
} basis_request;

/* The basis vectors are the rows of f, a factorization without columns so far of m rows and at most
 * `steps` columns. */
int basis_greedy(const greedy_data *d, const basis_request *request, const kernel_columns *kernel,
                 partial_cholesky *f, memory from);

#endif
