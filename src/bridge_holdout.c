/* bridge_holdout.c: leaving folds out, for R. */
#include <string.h>

#include "bridge.h"

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
    holdout_request q = {alloc(count, sizeof(fold)),  count,
                         alloc_ints(count),           doubles(lambda, (size_t) Rf_xlength(lambda)),
                         (size_t) Rf_length(lambda),  zero_based(spanned, r->m),
                         (size_t) Rf_xlength(spanned)};
    folds_from_list(plan, r, terms, count, q.folds);
    return q;
}

int asked_form(SEXP plan, size_t count, int *form)
{
    const char *solver = string(list_get(plan, "solver"));
    const int update = strcmp(solver, "update") == 0, open = strcmp(solver, "auto") == 0;
    require(update || open || strcmp(solver, "retrain") == 0, "no such solver");
    for (size_t i = 0; i < count; i++)
        form[i] = update ? FORM_UPDATE : FORM_RETRAIN;
    return !open;
}

/* The form of every fold of the plan: the one that is asked for, or the cheaper one. The full
 * kernel has the update form alone, which asks for the coordinates of the eigenvectors: turned,
 * whether the problem is in these or could be. */
static void choose_forms(SEXP plan, const ridge *r, int turned, holdout_request *q)
{
    int *form = q->form;
    const int asked = asked_form(plan, q->count, form);
    if (!r->kind->retrains || !turned) {
        for (size_t i = 0; i < q->count; i++)
            form[i] = turned ? FORM_UPDATE : FORM_RETRAIN;
    } else if (!asked)
        plan_forms(r->m, r->n, r->v, q->c, q->count, INTEGER(list_get(plan, "h")),
                   INTEGER(list_get(plan, "e")), form);
}

/* The training list in the coordinates of its eigenvectors; with a plan only where one of its folds
 * takes the update form for so many values of lambda. */
SEXP ffi_turned(SEXP train, SEXP plan, SEXP lambda)
{
    int wanted = Rf_isNull(plan);
    if (is_turned(train))
        return train;
    if (!wanted) {
        const ridge r = ridge_from_list(train);
        holdout_request q = request_from_list(plan, &r, map_columns(train), lambda);
        choose_forms(plan, &r, 1, &q);
        for (size_t i = 0; i < q.count; i++)
            wanted = wanted || q.form[i] == FORM_UPDATE;
    }
    if (!wanted)
        return train;
    SEXP turned = PROTECT(Rf_shallow_duplicate(train));
    list_set(turned, "z", Rf_duplicate(list_get(train, "z")));
    turn_training(turned);
    UNPROTECT(1);
    return turned;
}

/* What is wanted of the refits without the folds `some` of the plan, the first and the last,
 * 1-based, each by its form: `values` with, but for scores, what belongs to the intercept,
 * `offsets`.
 *
 *   scores        held-out predictions: rows that leave x (v c)
 *   refits        b (n x (v c folds)) in the coordinates of the training list; v x (c folds)
 *   coefficients  of the expansion: terms x (v c folds); v x (c folds)
 *   representers  of v functionals at the rows that leave: rows x (v c); their moments, (v c) x
 *                 folds. train: with sums of the functionals over all rows as zy of its spectrum,
 *                 zero as y and y_mean; moments: the sums over the rows of each of these folds, n x
 *                 (v folds) */
SEXP ffi_hold_out(SEXP train, SEXP plan, SEXP lambda, SEXP want, SEXP some, SEXP moments)
{
    const ridge r = ridge_from_list(train);
    const spectrum s = spectrum_from_list(list_get(train, "spectrum"), r.v);
    const size_t terms = map_columns(train);
    holdout_request q = request_from_list(plan, &r, terms, lambda);
    choose_forms(plan, &r, is_turned(train), &q);
    const int *range = integers(some, 2, 1, q.count);
    require(range[0] <= range[1], "no folds");
    const size_t first = (size_t) range[0] - 1, columns = r.v * q.c;
    q.folds += first;
    q.form += first;
    q.count = (size_t) range[1] - first;

    const char *what = string(want);
    const int scores = strcmp(what, "scores") == 0, represent = strcmp(what, "representers") == 0;
    const int refits = strcmp(what, "refits") == 0, of_rows = scores || represent;
    require(of_rows || refits || strcmp(what, "coefficients") == 0, "nothing known is wanted");
    require(!represent || r.kind->retrains, "no representers of the full kernel");
    SEXP values =
        PROTECT(of_rows ? new_matrix(total(INTEGER(list_get(plan, "h")) + first, q.count), columns)
                        : new_matrix(refits ? r.n : terms, columns * q.count));
    SEXP offsets = PROTECT(scores      ? R_NilValue
                           : represent ? new_matrix(columns, q.count)
                                       : new_matrix(r.v, q.c * q.count));
    double *to = REAL(values), *to_offsets = scores ? NULL : REAL(offsets);
    size_t failed;
    int status;
    if (scores)
        status = leave_folds_out(&r, &s, &q, to, &failed, alloc);
    else if (refits)
        status = fold_refits(&r, &s, &q, to, to_offsets, &failed, alloc);
    else if (represent)
        status = fold_representers(&r, &s, &q, doubles(moments, r.n * r.v * q.count), to,
                                   to_offsets, &failed, alloc);
    else
        status = fold_coefficients(&r, &s, terms, &q, to, to_offsets, &failed, alloc);
    const named found[] = {{"fold", PROTECT(Rf_ScalarInteger((int) (first + failed) + 1))},
                           {"values", values},
                           {"offsets", offsets}};
    SEXP out = answer(status, COUNT(found), found);
    UNPROTECT(3);
    return out;
}
