/* retrain.c: leaving out a set of rows by training again: sums over the rows that stay
 * (fold_sums.c), the refit from them (refit.c), and its predictions. Cost of a fold: h n^2 for the
 * sums, and O(n^2 + h n) for each lambda and output beside that of the refit. */
#include <string.h>

#include "holdout.h"
#include "linalg.h"

retrain_work new_retrain_work(const ridge *r, size_t c, size_t e, memory from)
{
    retrain_work w = {0};
    w.sums = new_fold_sums(r, from);
    w.refit = new_refit_work(r->n, r->v, e, c, from);
    w.b = new_doubles(from, r->n * r->v * c);
    w.offset = new_doubles(from, r->v * c);
    return w;
}

int refit_fold(const ridge *r, const fold *f, row_sums *sums, const double *lambda, size_t c,
               double *b, double *offset, refit_work *work)
{
    copy_constraint(r, f, work->constraint);
    const int status = refit(r->n, r->v, sums, f->e, lambda, c, b, work);
    memset(offset, 0, r->v * c * sizeof(double));
    if (status == SR_OK && r->intercept)
        refit_offsets(r->n, r->v, sums, c, b, offset);
    return status;
}

int retrain(const ridge *r, const fold *f, const double *lambda, size_t c, retrain_work *work)
{
    const int status = sum_training_rows(r, f, &work->sums);
    if (status != SR_OK)
        return status;
    return refit_fold(r, f, &work->sums.train, lambda, c, work->b, work->offset, &work->refit);
}

size_t gather_rows(const ridge *r, const fold *f, size_t start, double *block)
{
    const size_t some = f->h - start < ROW_BLOCK ? f->h - start : ROW_BLOCK;
    for (size_t i = 0; i < some; i++)
        memcpy(block + i * r->n, r->z + (size_t) f->rows[start + i] * r->n, r->n * sizeof(double));
    return some;
}

void add_fold_values(const ridge *r, const fold *f, size_t columns, const double *b, double *values,
                     size_t ld, double *block)
{
    for (size_t start = 0, some; start < f->h; start += some) {
        some = gather_rows(r, f, start, block);
        gemm('T', 'N', some, columns, r->n, 1, block, r->n, b, r->n, 1, values + start, ld);
    }
}

/* prediction = offset + y_mean + z'b. */
static void predict_fold(const ridge *r, fold *f, size_t c, size_t ld, retrain_work *work)
{
    const size_t columns = r->v * c;
    for (size_t k = 0; k < columns; k++)
        for (size_t i = 0; i < f->h; i++)
            f->prediction[i + k * ld] = work->offset[k] + r->y_mean[k % r->v];
    add_fold_values(r, f, columns, work->b, f->prediction, ld, work->sums.block.z);
}

int holdout_retrain(const ridge *r, fold *f, const double *lambda, size_t c, size_t ld,
                    retrain_work *work)
{
    const int status = retrain(r, f, lambda, c, work);
    if (status == SR_OK)
        predict_fold(r, f, c, ld, work);
    return status;
}
