/* representer.c: what represents a linear functional in the refit without each fold.
 *
 * Of a functional m(x; f), linear in f and zero on constants, the representer a without the rows O
 * minimizes sum_i (w_i a(x_i)^2 - 2 s_i m(x_i; a)) + lambda |a|^2 over all rows i but those of O:
 * in the coordinates of r, the constant unpenalized and N'b = 0 for removed basis vectors,
 *
 *     (Z'WZ - Z_O'W_O Z_O + lambda I) b = G - G_O,    G = sum_i s_i m(x_i; z).
 *
 * So it is the refit of a ridge problem whose Z'WY is G - G_O and whose y is zero: rows that leave
 * or join take nothing from the right-hand side and do not move its centre, for m of a constant is
 * zero. The update form begins with D (G - G_O) in place of the coefficients of all rows; the
 * retrain form has G - G_O put into its sums, which may have been made anew from y = 0. */
#include <R_ext/Utils.h>
#include <string.h>

#include "holdout.h"
#include "linalg.h"
#include "vector.h"

/* zy = G - G_O. */
static void subtract(size_t length, const double *all, const double *held, double *zy)
{
    for (size_t i = 0; i < length; i++)
        zy[i] = all[i] - held[i];
}

/* b (n x (v c)) and offset (v c) of one fold; the zy of r and s are G - G_O. */
static int one_representer(const ridge *r, const spectrum *s, const holdout_request *q, size_t i,
                           double *b, double *offset, refit_works *works)
{
    const fold *f = q->folds + i;
    if (q->form[i] == FORM_UPDATE) {
        spectral_weights(s, r->v, q->lambda, q->c, works->update.d, works->update.b);
        if (update_coefficients(r, f, q->c, b, offset, &works->update))
            return SR_OK;
    }
    retrain_work *retrained = &works->retrained;
    const int status = sum_training_rows(r, f, &retrained->sums);
    if (status != SR_OK)
        return status;
    memcpy(retrained->sums.train.zy, r->zy, r->n * r->v * sizeof(double));
    return refit_fold(r, f, &retrained->sums.train, q->lambda, q->c, b, offset, &retrained->refit);
}

/* alpha (h x (v c), leading dimension ld) = offset + z'b of the rows that leave; moment (v c) =
 * G_O'b, each output with its own. */
static void evaluate(const ridge *r, const fold *f, size_t c, const double *held, const double *b,
                     const double *offset, double *alpha, size_t ld, double *moment, double *block)
{
    const size_t n = r->n, columns = r->v * c;
    for (size_t k = 0; k < columns; k++) {
        moment[k] = dot(n, held + k % r->v * n, b + k * n);
        for (size_t i = 0; i < f->h; i++)
            alpha[i + k * ld] = offset[k];
    }
    add_fold_values(r, f, columns, b, alpha, ld, block);
}

int fold_representers(const ridge *all, const spectrum *of_all, holdout_request *request,
                      const double *moments, double *alpha, double *moment, size_t *failed,
                      memory from)
{
    const size_t n = all->n, v = all->v, columns = v * request->c;
    ridge r = *all;
    spectrum s = *of_all;
    r.zy = s.zy = new_doubles(from, n * v);
    memcpy(r.zy, all->zy, n * v * sizeof(double));
    refit_works works = new_refit_works(&r, &s, request, from);
    double *b = new_doubles(from, n * columns), *offset = new_doubles(from, columns);
    size_t ld = 0, start = 0;
    for (size_t i = 0; i < request->count; i++)
        ld += request->folds[i].h;
    *failed = 0;
    int status =
        constrain_folds(&r, request->folds, request->count, request->spanned, request->d, from);
    for (size_t i = 0; i < request->count && status == SR_OK; i++) {
        const fold *f = request->folds + i;
        const double *held = moments + i * n * v;
        *failed = i;
        subtract(n * v, all->zy, held, r.zy);
        status = one_representer(&r, &s, request, i, b, offset, &works);
        if (status == SR_OK)
            evaluate(&r, f, request->c, held, b, offset, alpha + start, ld, moment + i * columns,
                     works.retrained.sums.block.z);
        start += f->h;
        R_CheckUserInterrupt();
    }
    if (status == SR_OK &&
        !(all_finite(alpha, ld * columns) && all_finite(moment, columns * request->count)))
        status = SR_NOT_FINITE;
    return status;
}
