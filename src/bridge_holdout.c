/* bridge_holdout.c: leaving folds out, for R. */
#include <string.h>

#include "bridge.h"

SEXP ffi_plan_forms(SEXP m, SEXP n, SEXP v, SEXP c, SEXP h, SEXP e)
{
    const size_t count = (size_t) Rf_xlength(h), rows = (size_t) Rf_asInteger(m);
    const size_t terms = (size_t) Rf_asInteger(n);
    SEXP form = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) count));
    plan_forms(rows, terms, (size_t) Rf_asInteger(v), (size_t) Rf_asInteger(c), count,
               integers(h, count, 0, rows), integers(e, count, 0, terms), INTEGER(form));
    UNPROTECT(1);
    return form;
}

/* No row leaves a fold twice, and no more rows join a fold than leave it: then at most m train, for
 * which there is room (staying_rows()). */
static void check_rows(const int *rows, const int *h, const int *s, size_t count, size_t m)
{
    size_t *last = alloc(m, sizeof(size_t));
    memset(last, 0, m * sizeof(size_t));
    for (size_t i = 0; i < count; i++) {
        require(s[i] <= h[i], "more rows join a fold than leave it");
        for (int a = 0; a < h[i]; a++, rows++) {
            require(last[*rows] != i + 1, "a row leaves a fold twice");
            last[*rows] = i + 1;
        }
    }
}

/* What R/fold-plan.R calls a plan: 1-based rows that leave, removed basis vectors (of `terms`) and
 * rows that join of all folds one after the other, and h, e and s of them in each fold. */
static void folds_from_list(SEXP plan, const ridge *r, size_t terms, size_t count, fold *folds)
{
    SEXP leave = list_get(plan, "leave"), removed = list_get(plan, "removed");
    SEXP joined = list_get(plan, "twins");
    const int *h = integers(list_get(plan, "h"), count, 0, r->m);
    const int *e = integers(list_get(plan, "e"), count, 0, r->n);
    const int *s = integers(list_get(plan, "s"), count, 0, r->m);
    const int *rows = zero_based(leave, r->m), *basis = zero_based(removed, terms);
    const int *twins = zero_based(joined, r->m);
    const int *twin_of = zero_based(list_get(plan, "twin_of"), r->m);
    require(total(h, count) == (size_t) Rf_xlength(leave) &&
                total(e, count) == (size_t) Rf_xlength(removed) &&
                total(s, count) == (size_t) Rf_xlength(joined) &&
                Rf_xlength(joined) == Rf_xlength(list_get(plan, "twin_of")),
            "the folds do not fit their rows");
    check_rows(rows, h, s, count, r->m);
    for (size_t i = 0; i < count; i++) {
        folds[i] = (fold){rows,  (size_t) h[i], basis,         (size_t) e[i], NULL,
                          twins, twin_of,       (size_t) s[i], NULL};
        rows += h[i];
        basis += e[i];
        twins += s[i];
        twin_of += s[i];
    }
}

holdout_request request_from_list(SEXP plan, const ridge *r, size_t terms, SEXP lambda)
{
    SEXP spanned = list_get(plan, "spanned");
    const size_t count = (size_t) Rf_xlength(list_get(plan, "e"));
    holdout_request q = {alloc(count, sizeof(fold)),
                         count,
                         integers(list_get(plan, "forms"), count, FORM_UPDATE, FORM_RETRAIN),
                         doubles(lambda, (size_t) Rf_xlength(lambda)),
                         (size_t) Rf_length(lambda),
                         zero_based(spanned, r->m),
                         (size_t) Rf_xlength(spanned)};
    folds_from_list(plan, r, terms, count, q.folds);
    return q;
}

/* Held-out predictions (rows that leave x (v c)) of all folds of the plan. */
SEXP ffi_leave_folds_out(SEXP train, SEXP lambda, SEXP plan)
{
    const ridge r = ridge_from_list(train);
    const spectrum s = spectrum_from_list(list_get(train, "spectrum"), r.v);
    holdout_request q = request_from_list(plan, &r, map_columns(train), lambda);
    SEXP prediction = PROTECT(new_matrix((size_t) Rf_xlength(list_get(plan, "leave")), r.v * q.c));
    size_t failed;
    const int status = leave_folds_out(&r, &s, &q, REAL(prediction), &failed, alloc);
    const named values[] = {{"fold", PROTECT(Rf_ScalarInteger((int) failed + 1))},
                            {"prediction", prediction}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(2);
    return out;
}

/* Of the refits without every fold: coefficients, terms x (v c folds), and intercepts, v x (c
 * folds). */
SEXP ffi_fold_coefficients(SEXP train, SEXP lambda, SEXP plan)
{
    const ridge r = ridge_from_list(train);
    const spectrum s = spectrum_from_list(list_get(train, "spectrum"), r.v);
    const size_t terms = map_columns(train);
    holdout_request q = request_from_list(plan, &r, terms, lambda);
    SEXP alpha = PROTECT(new_matrix(terms, r.v * q.c * q.count));
    SEXP a0 = PROTECT(new_matrix(r.v, q.c * q.count));
    size_t failed;
    const int status = fold_coefficients(&r, &s, terms, &q, REAL(alpha), REAL(a0), &failed, alloc);
    const named values[] = {
        {"fold", PROTECT(Rf_ScalarInteger((int) failed + 1))}, {"alpha", alpha}, {"a0", a0}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(3);
    return out;
}

/* The same in the coordinates of the training list: b, n x (v c folds), offsets, v x (c folds). */
SEXP ffi_fold_refits(SEXP train, SEXP lambda, SEXP plan)
{
    const ridge r = ridge_from_list(train);
    const spectrum s = spectrum_from_list(list_get(train, "spectrum"), r.v);
    holdout_request q = request_from_list(plan, &r, map_columns(train), lambda);
    SEXP b = PROTECT(new_matrix(r.n, r.v * q.c * q.count));
    SEXP offset = PROTECT(new_matrix(r.v, q.c * q.count));
    size_t failed;
    const int status = fold_refits(&r, &s, &q, REAL(b), REAL(offset), &failed, alloc);
    const named values[] = {
        {"fold", PROTECT(Rf_ScalarInteger((int) failed + 1))}, {"b", b}, {"offset", offset}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(3);
    return out;
}

/* Of the representers without every fold, of v functionals: values at the rows that leave, alpha,
 * rows x (v c), and moment, (v c) x folds. train: with the functionals' sums over all rows as zy
 * (n x v), zero as y (m x v) and y_mean. moments: the sums over the rows of each fold, n x (v
 * folds). */
SEXP ffi_fold_representers(SEXP train, SEXP lambda, SEXP plan, SEXP moments)
{
    const ridge r = ridge_from_list(train);
    SEXP spectral = list_get(train, "spectrum");
    const spectrum s = spectrum_from_list(spectral, (size_t) Rf_ncols(list_get(spectral, "zy")));
    holdout_request q = request_from_list(plan, &r, map_columns(train), lambda);
    require(r.kind->retrains, "no representers of the full kernel");
    SEXP alpha = PROTECT(new_matrix((size_t) Rf_xlength(list_get(plan, "leave")), r.v * q.c));
    SEXP moment = PROTECT(new_matrix(r.v * q.c, q.count));
    size_t failed;
    const int status = fold_representers(&r, &s, &q, doubles(moments, r.n * r.v * q.count),
                                         REAL(alpha), REAL(moment), &failed, alloc);
    const named values[] = {{"fold", PROTECT(Rf_ScalarInteger((int) failed + 1))},
                            {"alpha", alpha},
                            {"moment", moment}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(3);
    return out;
}
