/* bridge_glm.c: penalized likelihood for R. */
#include <limits.h>
#include <string.h>

#include "bridge.h"

static double *copy(SEXP x, size_t length)
{
    double *to = alloc_doubles(length);
    memcpy(to, doubles(x, length), length * sizeof(double));
    return to;
}

/* of: list(name, theta, y, offset, weights), the loss (see loss.c) and m of each. */
static glm glm_of(const ridge *r, SEXP of)
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
    SEXP weight = PROTECT(new_vector(r.m));
    const glm p = glm_of(&r, of);
    double b0, *value = alloc_doubles(r.m);
    memset(value, 0, r.m * sizeof(double));
    const int status = null_model(&p, &b0, REAL(weight), alloc);
    const named values[] = {
        {"b0", PROTECT(Rf_ScalarReal(b0))},
        {"weights", weight},
        {"deviance", PROTECT(Rf_ScalarReal(status == SR_OK ? deviance(&p, value, b0) : NA_REAL))}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(3);
    return out;
}

/* A matrix of doubles, or of integers, whose first columns are those of an element of `given`,
 * which has so many. */
static SEXP grown(SEXP given, const char *name, SEXPTYPE type, size_t rows, size_t known, size_t c)
{
    SEXP to = PROTECT(Rf_allocMatrix(type, (int) rows, (int) c));
    const size_t length = rows * known;
    SEXP from = known > 0 ? list_get(given, name) : R_NilValue;
    if (!Rf_isNull(from) && type == REALSXP)
        memcpy(REAL(to), doubles(from, length), length * sizeof(double));
    if (!Rf_isNull(from) && type == INTSXP)
        memcpy(INTEGER(to), integers(from, length, 0, INT_MAX), length * sizeof(int));
    UNPROTECT(1);
    return to;
}

/* Of all folds and values of lambda, see glm_refits; their b only if wanted. */
static SEXP grown_refits(SEXP given, size_t n, size_t leave, size_t folds, int wanted, size_t known,
                         size_t c, glm_refits *to)
{
    SEXP values[8];
    const char *names[] = {"prediction", "b", "b0", "distance", "certificate", "steps", "own",
                           "ends"};
    named fields[8];
    for (size_t i = 0; i < 8; i++) {
        const size_t rows = i == 0 ? leave : i == 1 ? n * folds : folds;
        values[i] = PROTECT(i == 1 && !wanted
                                ? R_NilValue
                                : grown(given, names[i], i < 5 ? REALSXP : INTSXP, rows, known, c));
        fields[i].name = names[i];
        fields[i].value = values[i];
    }
    const glm_refits filled = {REAL(values[0]),    wanted ? REAL(values[1]) : NULL,
                               REAL(values[2]),    REAL(values[3]),
                               REAL(values[4]),    INTEGER(values[5]),
                               INTEGER(values[6]), INTEGER(values[7])};
    *to = filled;
    SEXP out = named_list(8, fields);
    UNPROTECT(8);
    return out;
}

/* Fits for decreasing lambda, in the coordinates of the training list, and with a plan the refits
 * without every fold: see glm_path and glm_refits, a column for each value of lambda. `reached`:
 * how many there are. how: list(fit, folds, apart, keep), see path_request; keep: whether b of
 * refits is answered, and starts others. given: NULL, or the answer for the first values. */
SEXP ffi_glm_path(SEXP train, SEXP of, SEXP lambda, SEXP how, SEXP plan, SEXP given)
{
    const ridge r = ridge_from_list(train);
    glm p = glm_of(&r, of);
    const size_t c = (size_t) Rf_xlength(lambda), n = r.n;
    const size_t known = Rf_isNull(given) ? 0 : (size_t) Rf_xlength(list_get(given, "b0"));
    require(known <= c, "more is known than is asked for");
    SEXP before = known > 0 ? list_get(given, "refits") : R_NilValue;
    const int again = known > 0 && !Rf_isNull(before);
    path_request asked = {doubles(lambda, c),          c,
                          known,                       again ? 0 : known,
                          *list_doubles(how, "fit", 1), list_doubles(how, "folds", c),
                          list_doubles(how, "apart", c)};
    const char *names[] = {"b", "b0", "deviance", "df", "distance", "certificate", "spread",
                           "steps"};
    SEXP values[8];
    for (size_t i = 0; i < 8; i++)
        values[i] = PROTECT(
            grown(given, names[i], i < 7 ? REALSXP : INTSXP, i == 0 ? n : 1, known, c));
    glm_path to = {REAL(values[0]), REAL(values[1]), REAL(values[2]), REAL(values[3]),
                   REAL(values[4]), REAL(values[5]), REAL(values[6]), INTEGER(values[7])};
    glm_refits refits;
    SEXP held = R_NilValue;
    holdout_request q;
    if (!Rf_isNull(plan)) {
        q = request_from_list(plan, &r, map_columns(train), lambda);
        const size_t leave = (size_t) Rf_xlength(list_get(plan, "leave"));
        const int keep = Rf_asLogical(list_get(how, "keep"));
        if (again && keep && Rf_isNull(list_get(before, "b")))
            asked.refitted = known;
        held = grown_refits(before, n, leave, q.count, keep, again ? known : 0, c, &refits);
    }
    PROTECT(held);
    size_t reached;
    const int status =
        fit_path(&p, &asked, Rf_isNull(plan) ? NULL : &q, &to, &refits, &reached, alloc);
    named fields[10] = {{"reached", PROTECT(Rf_ScalarInteger((int) reached))}, {"refits", held}};
    for (size_t i = 0; i < 8; i++) {
        fields[i + 2].name = names[i];
        fields[i + 2].value = values[i];
    }
    SEXP out = answer(status, 10, fields);
    UNPROTECT(10);
    return out;
}
