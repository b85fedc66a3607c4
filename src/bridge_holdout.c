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
    w->places = alloc_ints(r->m);
    w->lapack_size = qr_work(n, n > v * c ? n : v * c);
    w->lapack = alloc_doubles(w->lapack_size);
    return w;
}

static constraint_work alloc_constraints(size_t n, size_t d, size_t e)
{
    constraint_work w;
    w.reflect = alloc_doubles(n * e);
    w.points = alloc_doubles(n * d);
    w.gram = alloc_doubles(d * d);
    w.pivots = alloc_doubles(2 * d);
    w.selected = alloc_doubles(e * e);
    w.tau = alloc_doubles(e);
    w.pivot = alloc_ints(d);
    w.lapack_size = qr_work(n, d > e ? d : e);
    w.lapack = alloc_doubles(w.lapack_size);
    return w;
}

/* Which of the rows are not in the fold; `held` (m) is zero before and after. */
static size_t rows_outside(const fold *f, const int *rows, size_t count, int *held, int *outside)
{
    size_t found = 0;
    for (size_t i = 0; i < f->h; i++)
        held[f->rows[i]] = 1;
    for (size_t i = 0; i < count; i++)
        if (!held[rows[i]])
            outside[found++] = rows[i];
    for (size_t i = 0; i < f->h; i++)
        held[f->rows[i]] = 0;
    return found;
}

/* The constraints of all folds that remove basis vectors; spanned: 1-based dropped rows. */
static int constrain_folds(const ridge *r, fold *folds, size_t count, SEXP spanned, size_t e)
{
    const size_t d = (size_t) Rf_xlength(spanned);
    if (d == 0 || e == 0)
        return SR_OK;
    const int *rows = zero_based(spanned, r->m);
    int *held = alloc_ints(r->m), *outside = alloc_ints(d), status = SR_OK;
    constraint_work work = alloc_constraints(r->n, d, e);
    memset(held, 0, r->m * sizeof(int));
    for (size_t i = 0; i < count && status == SR_OK; i++) {
        const size_t left = folds[i].e ? rows_outside(folds + i, rows, d, held, outside) : 0;
        if (left > 0)
            status = constrain_fold(r, folds + i, outside, left,
                                    alloc_doubles(r->n * folds[i].e), &work);
    }
    return status;
}

/* What R/holdout.R calls a plan: 1-based rows that leave, removed basis vectors (of `terms`) and
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
    for (size_t i = 0; i < count; i++) {
        folds[i] = (fold){rows,    (size_t) h[i], basis, (size_t) e[i], NULL, twins,
                          twin_of, (size_t) s[i], NULL};
        rows += h[i];
        basis += e[i];
        twins += s[i];
        twin_of += s[i];
    }
}

/* The largest number of points of a fold that takes the update form; 0 where none does. */
static size_t update_points(const fold *folds, size_t count, const int *form)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t points = folds[i].h + folds[i].e + folds[i].s;
        if (form[i] == FORM_UPDATE && points > most)
            most = points;
    }
    return most;
}

/* Held-out predictions (rows that leave x (v c)) of all folds of the plan. */
SEXP ffi_leave_folds_out(SEXP train, SEXP lambda, SEXP plan)
{
    const ridge r = ridge_from_list(train);
    const spectrum s = spectrum_from_list(list_get(train, "spectrum"), r.v);
    SEXP e = list_get(plan, "e");
    const size_t count = (size_t) Rf_xlength(e), c = (size_t) Rf_length(lambda);
    const int *form = integers(list_get(plan, "forms"), count, FORM_UPDATE, FORM_RETRAIN);
    fold *folds = (fold *) R_alloc(count, sizeof(fold));
    folds_from_list(plan, &r, map_columns(train), count, folds);
    const size_t pairs = (size_t) Rf_xlength(list_get(plan, "leave"));
    const size_t removed = largest_of(INTEGER(e), count, 0), q = update_points(folds, count, form);
    SEXP prediction = PROTECT(new_matrix(pairs, r.v * c));
    for (size_t i = 0, at = 0; i < count; at += folds[i].h, i++)
        folds[i].prediction = REAL(prediction) + at;
    update_work *update = q ? alloc_update(&r, &s, REAL(lambda), c, q) : NULL;
    retrain_work *retrain = alloc_retrain(&r, c, removed);
    size_t failed = 0;
    int status = constrain_folds(&r, folds, count, list_get(plan, "spanned"), removed);
    if (status == SR_OK)
        status = leave_folds_out(&r, folds, count, form, REAL(lambda), c, pairs,
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
