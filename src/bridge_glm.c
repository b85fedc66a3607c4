/* bridge_glm.c: penalized likelihood for R. */
#include <string.h>

#include "bridge.h"

static double *copy(SEXP x, size_t length)
{
    double *to = alloc_doubles(length);
    memcpy(to, doubles(x, length), length * sizeof(double));
    return to;
}

/* of: list(name, theta, y, offset, weights), the loss (see loss.c) and m of each; tolerance: of
 * certificates. */
static glm glm_of(const ridge *r, SEXP of, SEXP tolerance)
{
    glm p = {0};
    require(r->kind->retrains, "no likelihood of the full kernel");
    p.r = r;
    p.loss = find_loss(string(list_get(of, "name")));
    require(p.loss != NULL, "no such loss");
    p.theta = *list_doubles(of, "theta", 1);
    p.y = copy(list_get(of, "y"), r->m);
    p.offset = copy(list_get(of, "offset"), r->m);
    p.weights = copy(list_get(of, "weights"), r->m);
    p.tolerance = *doubles(tolerance, 1);
    double *norms = alloc_doubles(r->m);
    p.largest = row_norms(r, norms);
    p.norms = norms;
    return p;
}

static SEXP new_vector(size_t length)
{
    return Rf_allocVector(REALSXP, (R_xlen_t) length);
}

/* Unit deviances of y at linear predictors eta (as many), and scores and weights there. */
SEXP ffi_loss_values(SEXP of, SEXP y, SEXP eta)
{
    const size_t length = (size_t) Rf_xlength(y);
    const loss *l = find_loss(string(list_get(of, "name")));
    require(l != NULL, "no such loss");
    const double theta = *list_doubles(of, "theta", 1);
    const double *at = doubles(eta, length), *given = doubles(y, length);
    double *ones = alloc_doubles(length);
    SEXP deviance = PROTECT(new_vector(length));
    SEXP score = PROTECT(new_vector(length)), weight = PROTECT(new_vector(length));
    for (size_t i = 0; i < length; i++) {
        ones[i] = 1;
        REAL(deviance)[i] = l->deviance(given[i], theta, at[i]);
    }
    l->derivatives(length, given, ones, theta, at, REAL(score), REAL(weight));
    const named values[] = {{"deviance", deviance}, {"score", score}, {"weight", weight}};
    SEXP out = named_list(COUNT(values), values);
    UNPROTECT(3);
    return out;
}

/* The model without z: b0, its weights (m) and its deviance. */
SEXP ffi_glm_null(SEXP train, SEXP of)
{
    const ridge r = ridge_from_list(train);
    SEXP zero = PROTECT(Rf_ScalarReal(0)), weight = PROTECT(new_vector(r.m));
    const glm p = glm_of(&r, of, zero);
    double b0, *value = alloc_doubles(r.m);
    memset(value, 0, r.m * sizeof(double));
    const int status = null_model(&p, &b0, REAL(weight), alloc);
    const named values[] = {
        {"b0", PROTECT(Rf_ScalarReal(b0))},
        {"weights", weight},
        {"deviance", PROTECT(Rf_ScalarReal(status == SR_OK ? deviance(&p, value, b0) : NA_REAL))}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(4);
    return out;
}

/* Fits for decreasing lambda, in the coordinates of the training list: see glm_path. `reached`: how
 * many there are. */
SEXP ffi_glm_path(SEXP train, SEXP of, SEXP lambda, SEXP tolerance)
{
    const ridge r = ridge_from_list(train);
    glm p = glm_of(&r, of, tolerance);
    const size_t c = (size_t) Rf_xlength(lambda);
    SEXP b = PROTECT(new_matrix(r.n, c)), b0 = PROTECT(new_vector(c));
    SEXP dev = PROTECT(new_vector(c)), df = PROTECT(new_vector(c));
    SEXP distance = PROTECT(new_vector(c)), error = PROTECT(new_vector(c));
    SEXP steps = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) c));
    glm_path to = {REAL(b),        REAL(b0),    REAL(dev),     REAL(df),
                   REAL(distance), REAL(error), INTEGER(steps)};
    size_t reached;
    const int status = fit_path(&p, doubles(lambda, c), c, &to, &reached, alloc);
    const named values[] = {{"reached", PROTECT(Rf_ScalarInteger((int) reached))},
                            {"b", b},
                            {"b0", b0},
                            {"deviance", dev},
                            {"df", df},
                            {"distance", distance},
                            {"certificate", error},
                            {"steps", steps}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(8);
    return out;
}

/* The refits without every fold of the plan at one lambda, from the fit b, b0 there: see
 * glm_refits. coefficients: whether b (n x folds) is answered. */
SEXP ffi_glm_folds(SEXP train, SEXP of, SEXP lambda, SEXP tolerance, SEXP plan, SEXP b, SEXP b0,
                   SEXP coefficients)
{
    const ridge r = ridge_from_list(train);
    glm p = glm_of(&r, of, tolerance);
    p.lambda = *doubles(lambda, 1);
    holdout_request q = request_from_list(plan, &r, map_columns(train), lambda);
    const size_t leave = (size_t) Rf_xlength(list_get(plan, "leave"));
    SEXP prediction = PROTECT(new_vector(leave)), at0 = PROTECT(new_vector(q.count));
    SEXP at = PROTECT(Rf_asLogical(coefficients) ? new_matrix(r.n, q.count) : R_NilValue);
    SEXP distance = PROTECT(new_vector(q.count)), error = PROTECT(new_vector(q.count));
    SEXP steps = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) q.count));
    SEXP own = PROTECT(Rf_allocVector(LGLSXP, (R_xlen_t) q.count));
    SEXP ends = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) q.count));
    glm_refits to = {REAL(prediction), Rf_isNull(at) ? NULL : REAL(at),
                     REAL(at0),        REAL(distance),
                     REAL(error),      INTEGER(steps),
                     LOGICAL(own),     INTEGER(ends)};
    const int status = glm_leave_out(&p, &q, doubles(b, r.n), *doubles(b0, 1), &to, alloc);
    const named values[] = {{"prediction", prediction},
                            {"b", at},
                            {"b0", at0},
                            {"distance", distance},
                            {"certificate", error},
                            {"spread", PROTECT(Rf_ScalarReal(p.spread))},
                            {"steps", steps},
                            {"own", own},
                            {"ends", ends}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(9);
    return out;
}
