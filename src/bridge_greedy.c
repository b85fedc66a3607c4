/* bridge_greedy.c: greedy selection of features for R. Every entry point answers a list
 * whose `status` is an sr_status; R raises the conditions. */
#include <limits.h>
#include <string.h>

#include "bridge.h"

/* problem: a list of x (m x p), y (m x v), weights (m), centre (p), scale (p) and intercept. */
greedy_data greedy_data_from_list(SEXP problem)
{
    SEXP x = list_get(problem, "x"), y = list_get(problem, "y");
    greedy_data d = {0};
    d.m = (size_t) Rf_nrows(x);
    d.p = (size_t) Rf_ncols(x);
    d.v = (size_t) Rf_ncols(y);
    d.x = doubles(x, d.m * d.p);
    d.weights = list_doubles(problem, "weights", d.m);
    d.scale = list_doubles(problem, "scale", d.p);
    d.intercept = Rf_asLogical(list_get(problem, "intercept"));
    d.centre = list_doubles(problem, "centre", d.p);
    d.y = doubles(y, d.m * d.v);
    greedy_scale(&d, alloc);
    return d;
}

static greedy_folds folds_from_list(SEXP folds, size_t m)
{
    SEXP h = list_get(folds, "h"), rows = list_get(folds, "rows");
    const size_t count = (size_t) Rf_xlength(h), held_rows = (size_t) Rf_xlength(rows);
    const greedy_folds f = {count, held_rows, integers(h, count, 0, m),
                            integers(list_get(folds, "scores"), count, 0, m), zero_based(rows, m)};
    require(total(f.h, count) == held_rows, "the folds do not fit their rows");
    for (size_t g = 0; g < count; g++)
        require(f.scored[g] <= f.h[g], "a fold scores more rows than it has");
    return f;
}

/* candidates: p logicals; folds: a list of rows, h (sizes) and scores (how many rows of each
 * count, its first ones), or NULL for leave-one-out. Value:
 * status, selected (1-based) and error (sums of weighted squared held-out residuals), as far as the
 * selection went. */
SEXP ffi_greedy_select(SEXP problem, SEXP lambda, SEXP candidates, SEXP k, SEXP patience,
                       SEXP cache, SEXP folds, SEXP threads)
{
    const greedy_data d = greedy_data_from_list(problem);
    const int with_folds = !Rf_isNull(folds);
    require(Rf_isLogical(candidates) && (size_t) Rf_xlength(candidates) == d.p,
            "not a candidate for every column");
    greedy_folds f = {0};
    if (with_folds)
        f = folds_from_list(folds, d.m);
    const greedy_request request = {Rf_asReal(lambda),
                                    count_of(k, 1, total(LOGICAL(candidates), d.p)),
                                    count_of(patience, 0, INT_MAX),
                                    LOGICAL(candidates),
                                    Rf_asLogical(cache),
                                    thread_count(threads)};
    greedy_selection to;
    const int status = greedy_select(&d, &request, with_folds ? &f : NULL, &to, alloc);
    SEXP selected = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) to.count));
    SEXP error = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) to.count));
    for (size_t i = 0; i < to.count; i++) {
        INTEGER(selected)[i] = to.selected[i] + 1;
        REAL(error)[i] = to.error[i];
    }
    const named values[] = {{"selected", selected}, {"error", error}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(2);
    return out;
}

/* problem: of the k selected features only, in order. Value: coefficients of the standardized
 * features after each step (k x (v k)), their centre (k) and the intercept (v). */
SEXP ffi_greedy_path(SEXP problem, SEXP lambda)
{
    const greedy_data d = greedy_data_from_list(problem);
    const size_t k = d.p, v = d.v;
    SEXP beta = PROTECT(Rf_allocMatrix(REALSXP, (int) k, (int) (v * k)));
    SEXP centre = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) k));
    SEXP a0 = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) v));
    memcpy(REAL(centre), d.centre, k * sizeof(double));
    memcpy(REAL(a0), d.y_mean, v * sizeof(double));
    const int status = greedy_path(&d, Rf_asReal(lambda), REAL(beta), alloc);
    const named values[] = {{"beta", beta}, {"centre", centre}, {"a0", a0}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(3);
    return out;
}
