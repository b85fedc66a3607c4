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

/* A list of the fields of `ridge` and its spectrum, to be filled; unprotected: what
 * R/train-training.R calls a training list. terms: columns of map. The dual form has no other
 * coordinates than those of its spectrum. */
SEXP new_training(size_t n, size_t terms, SEXP y, SEXP weights, SEXP intercept, int dual)
{
    const size_t m = (size_t) Rf_nrows(y), v = (size_t) Rf_ncols(y);
    int unit;
    const double total = sum_weights(m, doubles(weights, m), &unit);
    const named spectral[] = {{"values", PROTECT(new_vector(n))},
                              {"map", PROTECT(new_matrix(n, terms))},
                              {"zy", PROTECT(new_matrix(n, v))},
                              {"z_mean", PROTECT(new_vector(n))}};
    const named fields[] = {{"status", R_NilValue},
                            {"z", PROTECT(new_matrix(n, m))},
                            {"y", PROTECT(Rf_duplicate(y))},
                            {"weights", weights},
                            {"sum_weights", PROTECT(Rf_ScalarReal(total))},
                            {"intercept", intercept},
                            {"partial", PROTECT(Rf_ScalarLogical(0))},
                            {"dual", PROTECT(Rf_ScalarLogical(dual))},
                            {"y_mean", PROTECT(new_vector(v))},
                            {"spectrum", PROTECT(named_list(COUNT(spectral), spectral))},
                            {"largest", R_NilValue},
                            {"map", PROTECT(dual ? R_NilValue : new_matrix(n, terms))},
                            {"gram", PROTECT(dual ? R_NilValue : new_matrix(n, n))},
                            {"zy", PROTECT(dual ? R_NilValue : new_matrix(n, v))},
                            {"z_mean", PROTECT(dual ? R_NilValue : new_vector(n))},
                            {"vectors", PROTECT(dual ? R_NilValue : new_matrix(n, n))}};
    SEXP train = named_list(COUNT(fields), fields);
    UNPROTECT(16);
    return train;
}

int is_turned(SEXP train)
{
    return list_get(train, "vectors") == R_NilValue;
}

void turn_training(SEXP train)
{
    ridge r = ridge_from_list(train);
    rotate_z(&r, list_doubles(train, "vectors", r.n * r.n), alloc);
    static const char *const left[] = {"map", "gram", "zy", "z_mean", "vectors"};
    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++)
        list_set(train, left[i], R_NilValue);
}

/* Whose map, zy and z_mean are those of z. */
static SEXP coordinates_of(SEXP train)
{
    return is_turned(train) ? list_get(train, "spectrum") : train;
}

static size_t columns_of_map(SEXP list)
{
    return (size_t) Rf_ncols(list_get(list, "map"));
}

size_t map_columns(SEXP train)
{
    return columns_of_map(coordinates_of(train));
}

ridge ridge_from_list(SEXP train)
{
    SEXP z = list_get(train, "z"), y = list_get(train, "y"), spectral = list_get(train, "spectrum");
    SEXP at = coordinates_of(train);
    int unit;
    ridge r;
    r.m = (size_t) Rf_ncols(z);
    r.n = (size_t) Rf_nrows(z);
    r.v = (size_t) Rf_ncols(y);
    r.z = doubles(z, r.n * r.m);
    r.y = doubles(y, r.m * r.v);
    r.weights = list_doubles(train, "weights", r.m);
    sum_weights(r.m, r.weights, &unit);
    r.unit_weights = unit;
    r.sum_weights = *list_doubles(train, "sum_weights", 1);
    r.intercept = Rf_asLogical(list_get(train, "intercept"));
    r.partial = Rf_asLogical(list_get(train, "partial"));
    r.kind = Rf_asLogical(list_get(train, "dual")) ? &full_kernel_problem : &smoother;
    r.map = list_doubles(at, "map", r.n * columns_of_map(at));
    r.gram = at == train ? list_doubles_or_null(train, "gram", r.n * r.n) : NULL;
    r.values = list_doubles(spectral, "values", r.n);
    r.zy = list_doubles(at, "zy", r.n * r.v);
    r.z_mean = list_doubles(at, "z_mean", r.n);
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
    s.map = list_doubles(list, "map", s.n * columns_of_map(list));
    s.zy = list_doubles(list, "zy", s.n * v);
    s.z_mean = list_doubles(list, "z_mean", s.n);
    return s;
}

/* Coefficients of the expansion (columns of map x (v c)), intercepts (v c) and degrees of
 * freedom (c) for every lambda. */
SEXP ffi_coefficients(SEXP spectral, SEXP y_mean, SEXP lambda)
{
    const size_t v = (size_t) Rf_length(y_mean), c = (size_t) Rf_length(lambda);
    const size_t terms = columns_of_map(spectral);
    const spectrum s = spectrum_from_list(spectral, v);
    SEXP alpha = PROTECT(new_matrix(terms, v * c)), a0 = PROTECT(new_matrix(v, c));
    SEXP df = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) c));
    ridge_solutions to = {REAL(alpha), REAL(a0), REAL(df)};
    ridge_coefficients(&s, terms, v, doubles(y_mean, v), doubles(lambda, c), c, &to, alloc);
    const named values[] = {{"alpha", alpha}, {"a0", a0}, {"df", df}};
    SEXP out = named_list(COUNT(values), values);
    UNPROTECT(3);
    return out;
}

/* Fitted values, m x (v c), and weighted sums of squared residuals, c. */
SEXP ffi_fitted(SEXP train, SEXP lambda)
{
    const ridge r = ridge_from_list(train);
    spectrum s = spectrum_from_list(list_get(train, "spectrum"), r.v);
    s.vectors = is_turned(train) ? NULL : list_doubles(train, "vectors", r.n * r.n);
    const size_t c = (size_t) Rf_length(lambda);
    SEXP fitted = PROTECT(new_matrix(r.m, r.v * c));
    SEXP rss = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) c));
    ridge_fitted(&r, &s, doubles(lambda, c), c, REAL(fitted), REAL(rss), alloc);
    const named values[] = {{"fitted", fitted}, {"rss", rss}};
    SEXP out = named_list(COUNT(values), values);
    UNPROTECT(2);
    return out;
}
