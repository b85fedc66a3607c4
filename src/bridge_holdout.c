/* bridge_holdout.c: leaving folds out, for R. */
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

static update_work *alloc_update(const ridge *r, const spectrum *s, const double *lambda, size_t c,
                                 size_t q)
{
    const size_t n = r->n, v = r->v, columns = q > UPDATE_COLUMNS ? q : UPDATE_COLUMNS;
    update_work *w = (update_work *) R_alloc(1, sizeof(update_work));
    w->points = alloc_doubles(n * columns);
    w->products = alloc_doubles(n * columns);
    w->roots = alloc_doubles(n);
    w->root_weights = alloc_doubles(q);
    w->inner = alloc_doubles(c * UPDATE_COLUMNS);
    w->fitted = alloc_doubles(columns * v * c);
    w->block = alloc_doubles(q * q);
    w->system = alloc_doubles(q * q);
    w->rhs = alloc_doubles(q * v);
    w->solution = alloc_doubles(q * v);
    w->d = alloc_doubles(n * c);
    w->b = alloc_doubles(n * v * c);
    spectral_weights(s, v, lambda, c, w->d, w->b);
    return w;
}

static row_sums alloc_sums(size_t n, size_t v)
{
    row_sums sums = {alloc_doubles(n * n), alloc_doubles(n * (v + 1)), alloc_doubles(v), 0};
    return sums;
}

static retrain_work *alloc_retrain(const ridge *r, size_t c, size_t e)
{
    const size_t n = r->n, v = r->v;
    retrain_work *w = (retrain_work *) R_alloc(1, sizeof(retrain_work));
    w->sums = alloc_sums(n, v);
    w->held = alloc_sums(n, v);
    w->buffer = alloc_doubles(row_sums_work(n, v));
    w->reflect = alloc_doubles(n * e);
    w->tau = alloc_doubles(e);
    w->solution = alloc_doubles(n * v * c);
    w->vectors = alloc_doubles(5 * n);
    w->offset = alloc_doubles(v * c);
    w->rows = alloc_ints(r->m);
    w->lapack_size = qr_work(n, n > v * c ? n : v * c);
    w->lapack = alloc_doubles(w->lapack_size);
    return w;
}

/* rows and basis: the 1-based held-out rows and removed basis vectors of all folds
 * one after the other; h, e and form: one value per fold. */
SEXP ffi_leave_folds_out(SEXP train, SEXP lambda, SEXP rows, SEXP h, SEXP basis, SEXP e, SEXP form)
{
    const ridge r = ridge_from_list(train);
    const spectrum s = spectrum_from_list(list_get(train, "spectrum"), r.v);
    const size_t count = (size_t) Rf_xlength(h), c = (size_t) Rf_length(lambda);
    const size_t pairs = (size_t) Rf_xlength(rows);
    const int *row = zero_based(rows, r.m), *removed = zero_based(basis, map_columns(train));
    const int *held = integers(h, count, 0, r.m), *lost = integers(e, count, 0, r.n);
    const int *forms = integers(form, count, FORM_UPDATE, FORM_RETRAIN);
    require(total(held, count) == pairs && total(lost, count) == (size_t) Rf_xlength(basis),
            "the folds do not fit their rows");
    SEXP prediction = PROTECT(new_matrix(pairs, r.v * c));
    fold *folds = (fold *) R_alloc(count, sizeof(fold));
    size_t q = 0, at = 0, at_basis = 0, updates = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t hi = (size_t) held[i], ei = (size_t) lost[i];
        fold f = {row + at, hi, removed + at_basis, ei, REAL(prediction) + at};
        folds[i] = f;
        at += hi;
        at_basis += ei;
        if (forms[i] == FORM_UPDATE) {
            updates++;
            q = hi + ei > q ? hi + ei : q;
        }
    }
    update_work *update = updates ? alloc_update(&r, &s, REAL(lambda), c, q) : NULL;
    retrain_work *retrain = alloc_retrain(&r, c, largest_of(lost, count, 0));
    size_t failed = 0;
    int status = leave_folds_out(&r, folds, count, forms, REAL(lambda), c, pairs,
                                 alloc_ints(count), update, retrain, &failed);
    if (status == SR_OK && !all_finite(REAL(prediction), pairs * r.v * c))
        status = SR_NOT_FINITE;
    const char *names[] = {"status", "fold", "prediction"};
    SEXP values[] = {PROTECT(Rf_ScalarInteger(status)), PROTECT(Rf_ScalarInteger((int) failed + 1)),
                     prediction};
    SEXP out = named_list(3, names, values);
    UNPROTECT(3);
    return out;
}
