/* bridge_intervals.c: prediction intervals for R. */
#include <R_ext/Utils.h>

#include "bridge.h"

/* scores: new rows x refits; refit (1-based), residual, votes: of the held-out rows. Answers new
 * rows x (lower, upper). */
SEXP ffi_jackknife_ends(SEXP scores, SEXP refit, SEXP residual, SEXP votes, SEXP target)
{
    const size_t rows = (size_t) Rf_nrows(scores), refits = (size_t) Rf_ncols(scores);
    const size_t m = (size_t) Rf_xlength(refit);
    const double *from = doubles(scores, rows * refits);
    const held_out held = {m, zero_based(refit, refits), doubles(residual, m), doubles(votes, m)};
    double *value = alloc_doubles(m), *vote = alloc_doubles(m);
    SEXP ends = PROTECT(new_matrix(rows, 2));
    double *lower = REAL(ends), *upper = lower + rows;
    for (size_t i = 0; i < rows; i++) {
        jackknife_ends(&held, from + i, rows, Rf_asReal(target), lower + i, upper + i, value, vote);
        if (i % 256 == 255)
            R_CheckUserInterrupt();
    }
    UNPROTECT(1);
    return ends;
}
