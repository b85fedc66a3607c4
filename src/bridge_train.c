/* bridge_train.c: the training list that all methods share, and what is read off it. */
#include <string.h>

#include "bridge.h"

SEXP new_matrix(size_t rows, size_t columns)
{
    return Rf_allocMatrix(REALSXP, (int) rows, (int) columns);
}

static SEXP new_vector(size_t length)
{
    return Rf_allocVector(REALSXP, (R_xlen_t) length);
}

/* A list of the fields of `ridge` and its spectrum, to be filled; unprotected. terms: columns of
 * map. The dual form has no gram matrix and no vectors, and one map and zy. */
SEXP new_training(size_t n, size_t terms, SEXP y, SEXP weights, SEXP intercept, int dual)
{
    const size_t m = (size_t) Rf_nrows(y), v = (size_t) Rf_ncols(y);
    int unit;
    const double total = sum_weights(m, doubles(weights, m), &unit);
    const char *names[] = {"status",       "z",         "y",      "weights", "sum_weights",
                           "unit_weights", "intercept", "partial", "dual",  "map",     "gram",
                           "zy",           "z_mean",    "y_mean", "vectors", "spectrum"};
    const char *spectrum_names[] = {"values", "map", "zy", "z_mean"};
    SEXP nil[16];
    for (int i = 0; i < 16; i++)
        nil[i] = R_NilValue;
    SEXP train = PROTECT(named_list(16, names, nil)), spectral = named_list(4, spectrum_names, nil);
    list_set(train, "spectrum", spectral);
    list_set(train, "z", new_matrix(n, m));
    list_set(train, "y", Rf_duplicate(y));
    list_set(train, "weights", weights);
    list_set(train, "sum_weights", Rf_ScalarReal(total));
    list_set(train, "unit_weights", Rf_ScalarLogical(unit));
    list_set(train, "intercept", intercept);
    list_set(train, "partial", Rf_ScalarLogical(0));
    list_set(train, "dual", Rf_ScalarLogical(dual));
    list_set(train, "map", new_matrix(n, terms));
    list_set(train, "zy", new_matrix(n, v));
    list_set(train, "z_mean", new_vector(n));
    list_set(train, "y_mean", new_vector(v));
    list_set(spectral, "values", new_vector(n));
    if (dual) {
        use_spectrum(train, spectral, 1);
    } else {
        list_set(train, "gram", new_matrix(n, n));
        list_set(train, "vectors", new_matrix(n, n));
        list_set(spectral, "map", new_matrix(n, terms));
        list_set(spectral, "zy", new_matrix(n, v));
        list_set(spectral, "z_mean", new_vector(n));
    }
    UNPROTECT(1);
    return train;
}

/* The same map, zy and z_mean in the training list and its spectrum: those of the
 * spectrum, or, `outwards`, those of the list. */
void use_spectrum(SEXP train, SEXP spectral, int outwards)
{
    const char *names[] = {"map", "zy", "z_mean"};
    for (int i = 0; i < 3; i++)
        if (outwards)
            list_set(spectral, names[i], list_get(train, names[i]));
        else
            list_set(train, names[i], list_get(spectral, names[i]));
}

/* Turns the problem to the coordinates of its eigenvectors. */
void rotate_training(SEXP train)
{
    ridge r = ridge_from_list(train);
    rotate_z(&r, list_doubles(train, "vectors", r.n * r.n), alloc);
    use_spectrum(train, list_get(train, "spectrum"), 0);
    list_set(train, "gram", R_NilValue);
    list_set(train, "vectors", R_NilValue);
}

/* The same as a new list. */
SEXP ffi_turned(SEXP train)
{
    SEXP turned = PROTECT(Rf_shallow_duplicate(train));
    list_set(turned, "z", Rf_duplicate(list_get(train, "z")));
    rotate_training(turned);
    UNPROTECT(1);
    return turned;
}

size_t map_columns(SEXP list)
{
    return (size_t) Rf_ncols(list_get(list, "map"));
}

ridge ridge_from_list(SEXP train)
{
    SEXP z = list_get(train, "z"), y = list_get(train, "y");
    ridge r;
    r.m = (size_t) Rf_ncols(z);
    r.n = (size_t) Rf_nrows(z);
    r.v = (size_t) Rf_ncols(y);
    r.z = doubles(z, r.n * r.m);
    r.y = doubles(y, r.m * r.v);
    r.weights = list_doubles(train, "weights", r.m);
    r.sum_weights = Rf_asReal(list_get(train, "sum_weights"));
    r.unit_weights = Rf_asLogical(list_get(train, "unit_weights"));
    r.intercept = Rf_asLogical(list_get(train, "intercept"));
    r.partial = Rf_asLogical(list_get(train, "partial"));
    r.kind = Rf_asLogical(list_get(train, "dual")) ? &full_kernel_problem : &smoother;
    r.map = list_doubles(train, "map", r.n * map_columns(train));
    r.gram = list_doubles_or_null(train, "gram", r.n * r.n);
    r.values = list_doubles(list_get(train, "spectrum"), "values", r.n);
    r.zy = list_doubles(train, "zy", r.n * r.v);
    r.z_mean = list_doubles(train, "z_mean", r.n);
    r.y_mean = list_doubles(train, "y_mean", r.v);
    return r;
}

/* v: columns of zy. */
spectrum spectrum_from_list(SEXP list, size_t v)
{
    spectrum s;
    s.n = (size_t) Rf_length(list_get(list, "values"));
    s.vectors = NULL;
    s.values = list_doubles(list, "values", s.n);
    s.map = list_doubles(list, "map", s.n * map_columns(list));
    s.zy = list_doubles(list, "zy", s.n * v);
    s.z_mean = list_doubles(list, "z_mean", s.n);
    return s;
}

/* Coefficients of the expansion (columns of map x (v c)), intercepts (v c) and degrees of
 * freedom (c) for every lambda. */
SEXP ffi_coefficients(SEXP spectral, SEXP y_mean, SEXP lambda)
{
    const size_t v = (size_t) Rf_length(y_mean), c = (size_t) Rf_length(lambda);
    const size_t terms = map_columns(spectral);
    const spectrum s = spectrum_from_list(spectral, v);
    SEXP alpha = PROTECT(new_matrix(terms, v * c)), a0 = PROTECT(new_matrix(v, c));
    SEXP df = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) c));
    ridge_solutions to = {REAL(alpha), REAL(a0), REAL(df)};
    ridge_coefficients(&s, terms, v, doubles(y_mean, v), REAL(lambda), c, &to, alloc);
    const char *names[] = {"alpha", "a0", "df"};
    SEXP values[] = {alpha, a0, df};
    SEXP out = named_list(3, names, values);
    UNPROTECT(3);
    return out;
}

/* Fitted values, m x (v c), and weighted sums of squared residuals, c; share: see
 * residual_squares(). */
SEXP ffi_fitted(SEXP train, SEXP lambda, SEXP share)
{
    const ridge r = ridge_from_list(train);
    spectrum s = spectrum_from_list(list_get(train, "spectrum"), r.v);
    s.vectors = list_doubles_or_null(train, "vectors", r.n * r.n);
    const size_t c = (size_t) Rf_length(lambda);
    SEXP fitted = PROTECT(new_matrix(r.m, r.v * c));
    SEXP rss = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) c));
    ridge_fitted(&r, &s, REAL(lambda), c, doubles(share, r.v), REAL(fitted), REAL(rss), alloc);
    const char *names[] = {"fitted", "rss"};
    SEXP values[] = {fitted, rss};
    SEXP out = named_list(2, names, values);
    UNPROTECT(2);
    return out;
}
