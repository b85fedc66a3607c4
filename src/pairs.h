/* pairs.h: leave-pair-out cross-validation. */
#ifndef SPARSERLS_PAIRS_H
#define SPARSERLS_PAIRS_H

#include "ridge.h"

/* Leave-pair-out: held-out predictions of two rows that leave together, for all pairs with
 * different y. concordant and pairs (m x c) become, per row, the weights of its pairs that are
 * ordered as y is (ties half), and of all its pairs. */
int leave_pairs_out(const ridge *r, const spectrum *s, const double *lambda, size_t c,
                    double *concordant, double *pairs, memory from);

#endif
