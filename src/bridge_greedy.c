/* bridge_greedy.c: greedy selection of features for R. Every entry point answers a list
 * whose `status` is an sr_status; R raises the conditions. */
#include <limits.h>
#include <string.h>

#include "bridge.h"

static double *copy_of(SEXP x, size_t length)
{
    double *copy = alloc_doubles(length);
    memcpy(copy, doubles(x, length), length * sizeof(double));
    return copy;
}

/* problem: a list of x (m x p), y (m x v), weights (m), centre (p), scale (p) and intercept. */
greedy_data greedy_data_from_list(SEXP problem)
{
    SEXP x = list_get(problem, "x"), y = list_get(problem, "y");
    greedy_data d;
    d.m = (size_t) Rf_nrows(x);
    d.p = (size_t) Rf_ncols(x);
    d.v = (size_t) Rf_ncols(y);
    d.x = doubles(x, d.m * d.p);
    d.weights = list_doubles(problem, "weights", d.m);
    d.scale = list_doubles(problem, "scale", d.p);
    d.intercept = Rf_asLogical(list_get(problem, "intercept"));
    d.centre = copy_of(list_get(problem, "centre"), d.p);
    d.y = copy_of(y, d.m * d.v);
    d.y_mean = alloc_doubles(d.v);
    d.root = alloc_doubles(d.m);
    greedy_scale(&d);
    return d;
}

static greedy_folds folds_from_list(SEXP folds, const greedy_data *d)
{
    SEXP h = list_get(folds, "h"), rows = list_get(folds, "rows");
    greedy_folds f;
    f.count = (size_t) Rf_xlength(h);
    f.pairs = (size_t) Rf_xlength(rows);
    f.h = integers(h, f.count, 0, d->m);
    f.rows = zero_based(rows, d->m);
    require(total(f.h, f.count) == f.pairs, "the folds do not fit their rows");
    f.z = alloc_doubles(f.pairs * d->p);
    f.residual = alloc_doubles(f.pairs * d->v);
    f.last = alloc_doubles(f.pairs);
    f.over = alloc_doubles(f.count);
    return f;
}

/* `open` is a copy of the candidates; threads and pairs decide about the buffers. */
static greedy_state new_state(const greedy_data *d, double lambda, size_t k, int *open, int cache,
                              size_t pairs, int threads)
{
    greedy_state s;
    s.lambda = lambda;
    s.k = k;
    s.count = 0;
    s.selected = alloc_ints(k);
    s.path = alloc_doubles(k);
    s.open = open;
    s.residual = alloc_doubles(d->m * d->v);
    s.slack = alloc_doubles(d->m);
    s.feature = alloc_doubles(d->m);
    s.last = alloc_doubles(d->m);
    s.square = alloc_doubles(d->p);
    s.first_square = alloc_doubles(d->p);
    s.product = alloc_doubles(d->p * d->v);
    s.score = alloc_doubles(d->p);
    s.c = cache ? alloc_doubles(d->m * d->p) : NULL;
    s.chosen = cache ? NULL : alloc_doubles(d->m * k);
    s.shares = cache ? NULL : alloc_doubles(k * d->p);
    s.buffer_size = d->m > pairs ? d->m : pairs;
    s.buffers = alloc_doubles(s.buffer_size * (size_t) threads);
    return s;
}

/* candidates: p logicals; folds: a list of rows and h (sizes), or NULL for leave-one-out. Value:
 * status, selected (1-based) and error (sums of weighted squared held-out residuals), as far as the
 * selection went. */
SEXP ffi_greedy_select(SEXP problem, SEXP lambda, SEXP candidates, SEXP k, SEXP patience,
                       SEXP cache, SEXP folds, SEXP threads)
{
    const greedy_data d = greedy_data_from_list(problem);
    const int with_folds = !Rf_isNull(folds), parallel = thread_count(threads);
    require(Rf_isLogical(candidates) && (size_t) Rf_xlength(candidates) == d.p,
            "not a candidate for every column");
    greedy_folds f = {0};
    if (with_folds)
        f = folds_from_list(folds, &d);
    int *open = alloc_ints(d.p);
    memcpy(open, LOGICAL(candidates), d.p * sizeof(int));
    greedy_state s = new_state(&d, Rf_asReal(lambda), count_of(k, 1, total(open, d.p)), open,
                               Rf_asLogical(cache), f.pairs, parallel);
    const int status = greedy_select(&d, &s, with_folds ? &f : NULL,
                                     count_of(patience, 0, INT_MAX), parallel);
    SEXP selected = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) s.count));
    SEXP error = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) s.count));
    for (size_t i = 0; i < s.count; i++) {
        INTEGER(selected)[i] = s.selected[i] + 1;
        REAL(error)[i] = s.path[i];
    }
    const char *names[] = {"status", "selected", "error"};
    SEXP values[] = {PROTECT(Rf_ScalarInteger(status)), selected, error};
    SEXP out = named_list(3, names, values);
    UNPROTECT(3);
    return out;
}

/* problem: of the k selected features only, in order. Value: coefficients of the standardized
 * features after each step (k x (v k)), their centre (k) and the intercept (v). */
SEXP ffi_greedy_path(SEXP problem, SEXP lambda)
{
    const greedy_data d = greedy_data_from_list(problem);
    const size_t k = d.p, v = d.v, n = d.m + k;
    const size_t lapack = qr_work(n, v);
    path_work work = {alloc_doubles(n * k), alloc_doubles(n * v),  alloc_doubles(k),
                      alloc_doubles(k * k), alloc_doubles(lapack), lapack};
    SEXP beta = PROTECT(Rf_allocMatrix(REALSXP, (int) k, (int) (v * k)));
    SEXP centre = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) k));
    SEXP a0 = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) v));
    memcpy(REAL(centre), d.centre, k * sizeof(double));
    memcpy(REAL(a0), d.y_mean, v * sizeof(double));
    const int status = greedy_path(&d, Rf_asReal(lambda), REAL(beta), &work);
    const char *names[] = {"status", "beta", "centre", "a0"};
    SEXP values[] = {PROTECT(Rf_ScalarInteger(status)), beta, centre, a0};
    SEXP out = named_list(4, names, values);
    UNPROTECT(4);
    return out;
}
