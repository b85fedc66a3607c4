/* cv.c: which hold-out form for which fold, and the loop over the folds.
 *
 * The price of a fold in floating point operations, c values of lambda and v
 * outputs: see the heads of holdout.c and retrain.c. Small triangles do not reach the
 * speed of large ones: factors weigh them against a dgemm, here and in refit_price().
 * They move only the border between two ways to the same numbers. */
#include <R_ext/Utils.h>
#include <string.h>

#include "holdout.h"
#include "linalg.h"

static double slow_small(double q)
{
    return q < 100 ? 3 : 1 + 200 / q;
}

static double update_price(double n, double v, double c, double h, double e)
{
    const double q = h + e;
    return c * (slow_small(q) * (q * q * n + q * q * q / 3) + 2 * q * n * v);
}

static double retrain_price(double n, double v, double c, double h, double e)
{
    return h * n * n + refit_price(n, e, c) + c * v * (4 * n * n + 2 * h * n);
}

void plan_forms(size_t m, size_t n, size_t v, size_t c, size_t folds, const int *h, const int *e,
                int *form)
{
    const double rotation = 2 * (double) m * (double) n * (double) n;
    double cheapest = rotation, all_retrain = 0;
    for (size_t i = 0; i < folds; i++) {
        const double update = update_price((double) n, (double) v, (double) c, h[i], e[i]);
        const double retrain = retrain_price((double) n, (double) v, (double) c, h[i], e[i]);
        form[i] = update <= retrain ? FORM_UPDATE : FORM_RETRAIN;
        cheapest += update <= retrain ? update : retrain;
        all_retrain += retrain;
    }
    if (all_retrain < cheapest)
        for (size_t i = 0; i < folds; i++)
            form[i] = FORM_RETRAIN;
}

static size_t same_form(const int *form, size_t count)
{
    size_t run = 1;
    while (run < count && form[run] == form[0])
        run++;
    return run;
}

/* The largest number of points of a fold that takes the update form; 0 where none does. */
static size_t update_points(const holdout_request *q)
{
    size_t most = 0;
    for (size_t i = 0; i < q->count; i++) {
        const size_t points = fold_points(q->folds + i);
        if (q->form[i] == FORM_UPDATE && points > most)
            most = points;
    }
    return most;
}

static size_t most_removed(const holdout_request *q)
{
    size_t most = 0;
    for (size_t i = 0; i < q->count; i++)
        most = q->folds[i].e > most ? q->folds[i].e : most;
    return most;
}

/* ld: rows of all folds. */
static int by_their_forms(const ridge *r, holdout_request *q, size_t ld, update_work *update,
                          retrain_work *retrain, int *ok, size_t *failed)
{
    size_t done = 0;
    while (done < q->count) {
        size_t batch = 1;
        ok[done] = 0;
        if (q->form[done] == FORM_UPDATE) {
            batch = update_batch(q->folds + done, same_form(q->form + done, q->count - done));
            holdout_update(r, q->folds + done, batch, q->c, ld, ok + done, update);
        }
        for (size_t i = done; i < done + batch; i++) {
            if (ok[i])
                continue;
            /* The full kernel has no other form: its inverse has failed. */
            const int status = r->kind->retrains
                                   ? holdout_retrain(r, q->folds + i, q->lambda, q->c, ld, retrain)
                                   : SR_ILL_POSED;
            if (status != SR_OK) {
                *failed = i;
                return status;
            }
        }
        done += batch;
        R_CheckUserInterrupt();
    }
    return SR_OK;
}

int leave_folds_out(const ridge *r, const spectrum *s, holdout_request *request, double *prediction,
                    size_t *failed, memory from)
{
    const size_t points = update_points(request), c = request->c;
    size_t ld = 0;
    for (size_t i = 0; i < request->count; ld += request->folds[i++].h)
        request->folds[i].prediction = prediction + ld;
    update_work update = {0};
    if (points > 0)
        update = new_update_work(r, s, request->lambda, c, points, from);
    retrain_work retrain = new_retrain_work(r, c, most_removed(request), from);
    int *ok = new_ints(from, request->count);
    *failed = 0;
    int status =
        constrain_folds(r, request->folds, request->count, request->spanned, request->d, from);
    if (status == SR_OK)
        status = by_their_forms(r, request, ld, &update, &retrain, ok, failed);
    if (status == SR_OK && !all_finite(prediction, ld * r->v * c))
        status = SR_NOT_FINITE;
    return status;
}

/* Coefficients of some folds in the coordinates of r, columns side by side, become those of the
 * expansion: alpha = map'b, a0 = offset + y_mean - z_mean'b. a0: offset. */
static void as_expansions(const ridge *r, size_t terms, size_t columns, const double *b,
                          double *alpha, double *a0)
{
    const size_t n = r->n;
    gemm('T', 'N', terms, columns, n, 1, r->map, n, b, n, 0, alpha, terms);
    gemm('T', 'N', 1, columns, n, -1, r->z_mean, n, b, n, 1, a0, 1);
    for (size_t k = 0; k < columns; k++)
        a0[k] += r->y_mean[k % r->v];
}

static int one_refit(const ridge *r, const holdout_request *q, size_t i, double *b, double *offset,
                     update_work *update, retrain_work *retrained)
{
    const size_t columns = r->v * q->c;
    if (q->form[i] == FORM_UPDATE && update_coefficients(r, q->folds + i, q->c, b, offset, update))
        return SR_OK;
    if (!r->kind->retrains)
        return SR_ILL_POSED;
    const int status = retrain(r, q->folds + i, q->lambda, q->c, retrained);
    memcpy(b, retrained->b, r->n * columns * sizeof(double));
    memcpy(offset, retrained->offset, columns * sizeof(double));
    return status;
}

refit_works new_refit_works(const ridge *r, const spectrum *s, const holdout_request *q,
                            memory from)
{
    const size_t points = update_points(q);
    refit_works works = {0};
    if (points > 0)
        works.update = new_update_work(r, s, q->lambda, q->c, points, from);
    works.retrained = new_retrain_work(r, q->c, most_removed(q), from);
    return works;
}

/* `some` folds from the first-th on; constrain_folds() has been called. */
static int some_refits(const ridge *r, const holdout_request *q, size_t first, size_t some,
                       double *b, double *offset, refit_works *works, size_t *failed)
{
    const size_t columns = r->v * q->c;
    int status = SR_OK;
    for (size_t i = 0; i < some && status == SR_OK; i++) {
        *failed = first + i;
        status = one_refit(r, q, first + i, b + i * r->n * columns, offset + i * columns,
                           &works->update, &works->retrained);
        R_CheckUserInterrupt();
    }
    return status;
}

int fold_refits(const ridge *r, const spectrum *s, holdout_request *request, double *b,
                double *offset, size_t *failed, memory from)
{
    refit_works works = new_refit_works(r, s, request, from);
    *failed = 0;
    int status =
        constrain_folds(r, request->folds, request->count, request->spanned, request->d, from);
    if (status == SR_OK)
        status = some_refits(r, request, 0, request->count, b, offset, &works, failed);
    if (status == SR_OK && !all_finite(b, r->n * r->v * request->c * request->count))
        status = SR_NOT_FINITE;
    return status;
}

int fold_coefficients(const ridge *r, const spectrum *s, size_t terms, holdout_request *request,
                      double *alpha, double *a0, size_t *failed, memory from)
{
    const size_t columns = r->v * request->c;
    const size_t batch = columns < UPDATE_COLUMNS ? UPDATE_COLUMNS / columns : 1;
    refit_works works = new_refit_works(r, s, request, from);
    double *b = new_doubles(from, r->n * columns * batch);
    *failed = 0;
    int status =
        constrain_folds(r, request->folds, request->count, request->spanned, request->d, from);
    for (size_t start = 0; start < request->count && status == SR_OK; start += batch) {
        const size_t some = request->count - start < batch ? request->count - start : batch;
        double *offset = a0 + start * columns;
        status = some_refits(r, request, start, some, b, offset, &works, failed);
        if (status == SR_OK)
            as_expansions(r, terms, some * columns, b, alpha + start * terms * columns, offset);
    }
    if (status == SR_OK && !all_finite(alpha, terms * columns * request->count))
        status = SR_NOT_FINITE;
    return status;
}
