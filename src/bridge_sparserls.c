/* bridge_sparserls.c: training on a subset of regressors for R. Every entry point answers
 * a list whose `status` is an sr_status; R raises the conditions. */
#include <string.h>

#include "bridge.h"

/* Linearly independent basis vectors of K_BB by pivoted Cholesky, 1-based in
 * ascending order. */
SEXP ffi_independent(SEXP k_bb, SEXP tolerance)
{
    const size_t n = (size_t) Rf_nrows(k_bb);
    const double *from = doubles(k_bb, n * n);
    double *copy = alloc_doubles(n * n), *work = alloc_doubles(2 * n);
    int *pivot = alloc_ints(n);
    size_t rank = 0;
    memcpy(copy, from, n * n * sizeof(double));
    const int status = pivoted_cholesky(n, copy, Rf_asReal(tolerance), pivot, &rank, work);
    if (status != SR_OK)
        rank = 0;
    R_isort(pivot, (int) rank);
    SEXP kept = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) rank));
    for (size_t i = 0; i < rank; i++)
        INTEGER(kept)[i] = pivot[i] + 1;
    const named values[] = {{"kept", kept}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(1);
    return out;
}

kernel_source source_from_sexp(SEXP source, kernel_spec *spec, size_t m, size_t n, const int *basis,
                               int threads)
{
    kernel_source s = {0};
    s.basis_rows = basis;
    s.threads = threads;
    if (Rf_isReal(source)) {
        s.columns = doubles(source, n * m);
        return s;
    }
    *spec = kernel_from_list(list_get(source, "kernel"));
    SEXP a = list_get(source, "basis"), b = list_get(source, "rows");
    const size_t p = (size_t) Rf_ncols(a);
    point_set basis_points = {doubles(a, n * p), n, n, p};
    point_set row_points = {doubles(b, m * p), m, m, p};
    s.kernel = spec;
    s.basis = basis_points;
    s.rows = row_points;
    s.centre = list_doubles(source, "centre", p);
    return s;
}

/* Trains and decomposes. y: m x v; basis: the rows that are basis vectors, or NULL where none is.
 * largest: of kernel_source, m. */
SEXP ffi_train(SEXP source, SEXP k_bb, SEXP basis, SEXP y, SEXP weights, SEXP intercept,
               SEXP threads)
{
    const size_t n = (size_t) Rf_nrows(k_bb), m = (size_t) Rf_nrows(y), v = (size_t) Rf_ncols(y);
    kernel_spec spec;
    const double *values = doubles(k_bb, n * n);
    const int among = !Rf_isNull(basis);
    require(!among || (size_t) Rf_xlength(basis) == n, "the basis does not fit its kernel");
    kernel_source from = source_from_sexp(source, &spec, m, n, among ? zero_based(basis, m) : NULL,
                                          thread_count(threads));
    SEXP train = PROTECT(new_training(n, n, y, weights, intercept, 0));
    list_set(train, "largest", Rf_allocVector(REALSXP, (R_xlen_t) m));
    from.largest = list_doubles(train, "largest", m);
    ridge r = ridge_from_list(train);
    spectrum s = spectrum_from_list(list_get(train, "spectrum"), v);
    s.vectors = list_doubles(train, "vectors", n * n);
    const int status = ridge_train(&r, &s, &from, values, alloc);
    list_set(train, "status", Rf_ScalarInteger(status));
    UNPROTECT(1);
    return train;
}
