/* cv.c: which hold-out form for which fold, and the loop over the folds.
 *
 * The price of a fold in floating point operations, c values of lambda and v
 * outputs: see the heads of holdout.c and retrain.c. Tridiagonalization is half
 * matrix-vector products and small triangles never reach the speed of large ones:
 * the factors below weigh them against a dgemm. They move only the border between
 * two ways to the same numbers. */
#include <R_ext/Utils.h>

#include "holdout.h"
#include "linalg.h"

#define SLOW_TRIDIAGONAL 4.0
#define SLOW_SMALL 3.0

static double update_price(double n, double v, double c, double h, double e)
{
    const double q = h + e;
    return c * (SLOW_SMALL * (q * q * n + q * q * q / 3) + 2 * q * n * v);
}

static double retrain_price(double n, double v, double c, double h, double e)
{
    const double left = n - e;
    return h * n * n + 8 * n * n * e + SLOW_TRIDIAGONAL * 4 / 3 * left * left * left +
           c * v * (4 * n * n + 2 * h * n);
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
        const size_t points = q->folds[i].h + q->folds[i].e + q->folds[i].s;
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

int fold_coefficients(const ridge *r, size_t terms, holdout_request *request, double *alpha,
                      double *a0, size_t *failed, memory from)
{
    const size_t columns = r->v * request->c;
    retrain_work work = new_retrain_work(r, request->c, most_removed(request), from);
    *failed = 0;
    int status =
        constrain_folds(r, request->folds, request->count, request->spanned, request->d, from);
    for (size_t i = 0; i < request->count && status == SR_OK; i++) {
        *failed = i;
        status = retrain(r, request->folds + i, request->lambda, request->c, &work);
        if (status == SR_OK)
            retrained_expansion(r, terms, request->c, &work, alpha + i * terms * columns,
                                a0 + i * columns);
        R_CheckUserInterrupt();
    }
    return status;
}
