/* bridge_intervals.c: prediction intervals for R. */
#include <R_ext/Utils.h>

#include "bridge.h"

/* Rows that are gathered at a time: a cache line of every column. */
#define ROWS_AT_ONCE 8

/* scores: new rows x (outputs refits), offset: outputs x refits, to be added; output: which, from
 * 1; refit (1-based), residual, votes: of the held-out rows. Answers new rows x (lower, upper). */
SEXP ffi_jackknife_ends(SEXP scores, SEXP offset, SEXP output, SEXP refit, SEXP residual,
                        SEXP votes, SEXP target)
{
    const size_t rows = (size_t) Rf_nrows(scores), m = (size_t) Rf_xlength(refit);
    const size_t outputs = (size_t) Rf_nrows(offset), refits = (size_t) Rf_ncols(offset);
    const size_t j = count_of(output, 1, outputs) - 1;
    const double *from = doubles(scores, rows * outputs * refits);
    const double *added = doubles(offset, outputs * refits);
    held_out held = new_held_out(m, zero_based(refit, refits), doubles(residual, m),
                                 doubles(votes, m), Rf_asReal(target), alloc);
    double *mu = alloc_doubles(refits * ROWS_AT_ONCE);
    SEXP ends = PROTECT(new_matrix(rows, 2));
    double *lower = REAL(ends), *upper = lower + rows;
    for (size_t start = 0; start < rows; start += ROWS_AT_ONCE) {
        const size_t some = rows - start < ROWS_AT_ONCE ? rows - start : ROWS_AT_ONCE;
        for (size_t k = 0; k < refits; k++)
            for (size_t i = 0; i < some; i++)
                mu[k + i * refits] =
                    from[start + i + (j + k * outputs) * rows] + added[j + k * outputs];
        for (size_t i = 0; i < some; i++)
            jackknife_ends(&held, mu + i * refits, refits, lower + start + i, upper + start + i);
        R_CheckUserInterrupt();
    }
    UNPROTECT(1);
    return ends;
}
