/* bridge_standardize.c: columns of x for R. */
#include "bridge.h"

SEXP ffi_standard_moments(SEXP x, SEXP weights)
{
    const size_t m = (size_t) Rf_nrows(x), p = (size_t) Rf_ncols(x);
    SEXP centre = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) p));
    SEXP sd = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) p));
    standard_moments(m, p, doubles(x, m * p), doubles(weights, m), REAL(centre), REAL(sd));
    const named values[] = {{"centre", centre}, {"sd", sd}};
    SEXP out = named_list(COUNT(values), values);
    UNPROTECT(2);
    return out;
}

SEXP ffi_standardize(SEXP x, SEXP centre, SEXP scale)
{
    const size_t m = (size_t) Rf_nrows(x), p = (size_t) Rf_ncols(x);
    SEXP out = PROTECT(new_matrix(m, p));
    standardize(m, p, doubles(x, m * p), doubles(centre, p), doubles(scale, p), REAL(out));
    UNPROTECT(1);
    return out;
}
