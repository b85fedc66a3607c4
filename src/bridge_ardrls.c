/* bridge_ardrls.c: the held-out error and its gradient, for R. */
#include <string.h>

#include "bridge.h"

/* What cv_gradient_at() fills, z in the space it is given; y is copied, for it is centred. */
static ridge new_ridge(size_t n, double *z, SEXP y, SEXP weights, SEXP intercept)
{
    ridge r = {.n = n, .m = (size_t) Rf_nrows(y), .v = (size_t) Rf_ncols(y), .kind = &smoother};
    r.z = z;
    r.y = alloc_doubles(r.m * r.v);
    memcpy(r.y, doubles(y, r.m * r.v), r.m * r.v * sizeof(double));
    r.weights = doubles(weights, r.m);
    r.sum_weights = sum_weights(r.m, r.weights, &r.unit_weights);
    r.intercept = Rf_asLogical(intercept);
    r.map = alloc_doubles(n * n);
    r.gram = alloc_doubles(n * n);
    r.zy = alloc_doubles(n * r.v);
    r.z_mean = alloc_doubles(n);
    r.y_mean = alloc_doubles(r.v);
    return r;
}

static adjoint_request request_of(SEXP plan, const ridge *r, SEXP basis, SEXP lambda)
{
    holdout_request folds = request_from_list(plan, r, r->n, lambda);
    SEXP scored = list_get(plan, "scored");
    require(TYPEOF(scored) == LGLSXP && Rf_xlength(scored) == Rf_xlength(list_get(plan, "leave")),
            "the scored rows do not fit");
    if (!asked_form(plan, folds.count, folds.form))
        plan_adjoint_forms(r->n, folds.count, INTEGER(list_get(plan, "h")),
                           INTEGER(list_get(plan, "e")), folds.form);
    const adjoint_request request = {
        folds.folds,        folds.count, LOGICAL(scored), folds.form, zero_based(basis, r->m),
        *doubles(lambda, 1)};
    return request;
}

static centred_set centred_set_of(SEXP x, SEXP centre, size_t m)
{
    const size_t p = (size_t) Rf_ncols(x);
    const centred_set set = {{doubles(x, m * p), m, m, p}, doubles(centre, p)};
    return set;
}

/* basis: 1-based rows; x: m points of the kernel, scaled by their widths or mapped; mapped: NULL,
 * or a list of `x`, the points before the map (m x p), and their `centre`. Then the answer has the
 * `moments` of a map (p x p), else `by_log_width` (p). blocks: 3 n m numbers that are overwritten;
 * new ones at every step of a search would cost a fifth of its time. */
SEXP ffi_cv_gradient(SEXP kernel, SEXP x, SEXP centre, SEXP basis, SEXP jitter, SEXP y,
                     SEXP weights, SEXP intercept, SEXP lambda, SEXP plan, SEXP blocks,
                     SEXP threads, SEXP mapped)
{
    const size_t m = (size_t) Rf_nrows(x), n = (size_t) Rf_xlength(basis);
    const int has_map = !Rf_isNull(mapped);
    const kernel_spec spec = kernel_from_list(kernel);
    require((size_t) Rf_nrows(y) == m && n > 0, "the rows do not fit");
    require(!has_map || spec.kind->argument != OF_ABSOLUTE_DISTANCE, "the kernel has no map");
    const centred_set seen = centred_set_of(x, centre, m);
    centred_set before = seen;
    if (has_map)
        before = centred_set_of(list_get(mapped, "x"), list_get(mapped, "centre"), m);
    const size_t p = before.points.p;
    double *z = doubles(blocks, 3 * n * m);
    ridge r = new_ridge(n, z, y, weights, intercept);
    const adjoint_request request = request_of(plan, &r, basis, lambda);
    SEXP moments = PROTECT(has_map ? new_matrix(p, p) : Rf_allocVector(REALSXP, (R_xlen_t) p));
    cv_gradient to = {.moments = REAL(moments)};
    const int status =
        cv_gradient_at(&r, &spec, seen, has_map ? &before : NULL, Rf_asReal(jitter), z + n * m,
                       z + 2 * n * m, &request, thread_count(threads), &to, alloc);
    const named values[] = {{"loss", PROTECT(Rf_ScalarReal(to.loss))},
                            {"by_log_lambda", PROTECT(Rf_ScalarReal(to.by_log_lambda))},
                            {has_map ? "moments" : "by_log_width", moments}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(3);
    return out;
}
