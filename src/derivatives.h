/* derivatives.h: derivatives of kernel expansions by the coordinates of a point (derivatives.c). */
#ifndef SPARSERLS_DERIVATIVES_H
#define SPARSERLS_DERIVATIVES_H

#include "kernel.h"
#include "memory.h"

/* f_o(x) = sum_j alpha[j, o] k(x, b_j) */
typedef struct {
    const kernel_spec *kernel;
    point_set basis;      /* n x p */
    const double *centre; /* p: see kernel_block() */
    const double *alpha;  /* n x v */
    size_t v;
} kernel_expansion;

/* slopes (rows x p x v): df_o/dx_d at every row. average (n x p): sum_i share_i dk(x_i, b_j)/dx_d,
 * what the coefficient of b_j adds to the average slope. share: one for each row. */
void expansion_slopes(const kernel_expansion *f, point_set rows, const double *share,
                      double *slopes, double *average, int threads, memory from);

#endif
