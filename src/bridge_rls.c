/* bridge_rls.c: RLS on all rows for R: features as coordinates, the full kernel, pairs. */
#include "bridge.h"

/* x: m x p, dense. singular: by singular values instead of the gram matrix, which then is not
 * formed: the list comes turned. */
SEXP ffi_primal(SEXP x, SEXP y, SEXP weights, SEXP intercept, SEXP singular)
{
    const size_t n = (size_t) Rf_ncols(x), v = (size_t) Rf_ncols(y);
    const double *features = doubles(x, (size_t) Rf_nrows(y) * n);
    const int svd = Rf_asLogical(singular);
    SEXP train = PROTECT(new_training(n, n, y, weights, intercept, 0));
    if (svd)
        list_set(train, "gram", R_NilValue);
    ridge r = ridge_from_list(train);
    spectrum s = spectrum_from_list(list_get(train, "spectrum"), v);
    s.vectors = list_doubles(train, "vectors", n * n);
    primal_train(&r, features, alloc);
    const int status = primal_spectrum(&r, &s, alloc);
    if (status == SR_OK && svd)
        turn_training(train);
    list_set(train, "status", Rf_ScalarInteger(status));
    UNPROTECT(1);
    return train;
}

static size_t positive(const double *x, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += x[i] > 0;
    return count;
}

/* kernel: t x t of the rows of positive weight; cross: t x (m - t), those with the others. */
SEXP ffi_dual(SEXP kernel, SEXP cross, SEXP y, SEXP weights, SEXP intercept)
{
    const size_t t = (size_t) Rf_nrows(kernel), m = (size_t) Rf_nrows(y);
    require(t <= m && t == positive(doubles(weights, m), m), "not the kernel of the training rows");
    require(t > (size_t) (Rf_asLogical(intercept) == 1), "no row is left");
    const size_t n = t - (size_t) (Rf_asLogical(intercept) == 1);
    const double *values = doubles(kernel, t * t), *others = doubles(cross, t * (m - t));
    SEXP train = PROTECT(new_training(n, t, y, weights, intercept, 1));
    ridge r = ridge_from_list(train);
    const full_kernel k = {t, values, others};
    const int status =
        dual_train(&r, &k, list_doubles(list_get(train, "spectrum"), "values", n), alloc);
    list_set(train, "status", Rf_ScalarInteger(status));
    UNPROTECT(1);
    return train;
}

/* For every row and lambda the weights of its pairs that are in order, and of all its pairs. */
SEXP ffi_leave_pairs_out(SEXP train, SEXP lambda)
{
    const ridge r = ridge_from_list(train);
    const spectrum s = spectrum_from_list(list_get(train, "spectrum"), r.v);
    const size_t c = (size_t) Rf_length(lambda);
    SEXP concordant = PROTECT(new_matrix(r.m, c)), pairs = PROTECT(new_matrix(r.m, c));
    const int status =
        leave_pairs_out(&r, &s, doubles(lambda, c), c, REAL(concordant), REAL(pairs), alloc);
    const named values[] = {{"concordant", concordant}, {"pairs", pairs}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(2);
    return out;
}
