/* glm_sums.c: steps of penalized likelihood from what a pass over rows adds up (chunk_glm.c).
 *
 * At b, b0 the model of a column is A, of [z, 1], and g the gradient of the rows. Its step leads to
 * the least squares of a working response, whose sums are A [b, b0] - g: a refit (refit.c), with
 * the constraint of the fold. Between the point and the best one a curvature is at least that at
 * the point times e^-x (glm_bound.c), and this is at least A over the largest factor by which
 * weights of the model are above those of the column. */
#include <math.h>
#include <string.h>

#include "chunk_glm.h"
#include "vector.h"

typedef struct {
    row_sums model, sums;
    double *b, offset[2]; /* n x 2 */
    double *square, *inverse; /* n x n */
    refit_work refit;
} step_work;

/* The model of column k: the folds that train it, and its change. */
static void sum_model(const glm_pass *p, size_t k, row_sums *to)
{
    clear_sums(p->n, 0, to);
    for (size_t f = 0; f < p->model.count; f++) {
        const row_sums fold = table_entry(&p->model, f);
        if (f + 1 != k)
            add_sums(p->n, 0, 1, &fold, to);
    }
    const row_sums change = table_entry(&p->change, k);
    add_sums(p->n, 0, 1, &change, to);
    mirror_lower(p->n, to->gram, p->n);
}

/* The sums of the working response at column c, about its mean. */
static void working_sums(const ridge *r, const glm_pass *p, size_t c, step_work *work)
{
    const size_t n = p->n;
    const double *b = p->b + c * n, *means = work->model.zy;
    row_sums *to = &work->sums;
    memcpy(to->gram, work->model.gram, n * n * sizeof(double));
    memcpy(to->zy, p->gradient + c * n, n * sizeof(double));
    gemv('N', n, n, 1, to->gram, n, b, -1, to->zy);
    memcpy(to->zy + n, means, n * sizeof(double));
    to->w = work->model.w;
    to->wy[0] = 0;
    if (!r->intercept)
        return;
    add_multiple(n, p->b0[c], means, to->zy);
    to->wy[0] = dot(n, means, b) + to->w * p->b0[c] - p->score[c];
    centre_sums(n, 1, to);
}

/* The bound at column c, whose step leads to b and b0. */
static void look(const ridge *r, const glm_pass *p, size_t c, double lambda, const double *b,
                 double b0, const step_work *work, glm_next *to)
{
    const size_t n = p->n;
    const double *at = p->b + c * n, *g = p->gradient + c * n, total = work->model.w;
    glm of = {0};
    of.r = r;
    of.lambda = lambda;
    of.largest = *p->largest;
    curvature top = {0};
    double decrement = r->intercept ? -p->score[c] * (b0 - p->b0[c]) : 0;
    for (size_t j = 0; j < n; j++) {
        decrement -= (g[j] + lambda * at[j]) * (b[j] - at[j]);
        top.top = fmax(top.top, work->model.gram[j + j * n]);
    }
    const double length = sqrt(fabs(decrement)), norm = of.largest;
    const double mean = r->intercept ? sqrt(dot(n, work->model.zy, work->model.zy)) / total : 0;
    const glm_rounding lost = rounding_of(&of, sqrt(dot(n, at, at)), norm * p->lost[c], p->lost[c],
                                          norm * total, total);
    const double row = longest(&of, &top, norm, mean, total);
    const glm_lengths rows = {row, row, total};
    to->error[c] = sqrt(row) * sharp_distance(&of, &rows, log(p->above[c]), length, &lost) +
                   certified_error(&of, 0, norm, at, &lost);
    to->rounded[c] = length <= lost.gradient / sqrt(lambda) +
                                   (r->intercept ? lost.scores / sqrt(total) : 0);
}

/* NAN where the curvature is singular to working precision. */
static double fit_df(size_t n, double lambda, step_work *work)
{
    memcpy(work->square, work->sums.gram, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++)
        work->square[j + j * n] += lambda;
    return cholesky_lower(n, work->square, n) == SR_OK
               ? degrees_of_freedom(n, lambda, work->square, work->inverse)
               : NAN;
}

int next_points(const ridge *r, const fold *folds, const glm_pass *p, const double *lambda,
                const int *fine, glm_next *to, memory from)
{
    const size_t n = p->n, count = p->folds + 1, last = p->lambdas - 1;
    const fold nothing = {0};
    size_t e = 0;
    for (size_t f = 0; f < p->folds; f++)
        e = larger(e, folds[f].e);
    step_work work = {new_row_sums(n, 0, 1, from), new_row_sums(n, 1, 1, from),
                      new_doubles(from, 2 * n),    {0, 0},
                      new_doubles(from, n * n),    new_doubles(from, n * n),
                      new_refit_work(n, 1, e, 2, from)};
    for (size_t k = 0; k < count; k++) {
        sum_model(p, k, &work.model);
        if (r->intercept && !(work.model.w > 0))
            return SR_ILL_POSED; /* rows of one kind: the intercept is infinite */
        for (size_t l = 0; l <= last; l++) {
            const size_t c = k + l * count, some = to->more && l == last ? 2 : 1;
            if (!fine[c])
                continue;
            working_sums(r, p, c, &work);
            if (c == 0)
                *to->df = fit_df(n, lambda[0], &work);
            const int status = refit_fold(r, k ? folds + k - 1 : &nothing, &work.sums, lambda + l,
                                          some, work.b, work.offset, &work.refit);
            if (status != SR_OK)
                return status;
            memcpy(to->b + c * n, work.b, n * sizeof(double));
            to->b0[c] = work.offset[0];
            look(r, p, c, lambda[l], work.b, work.offset[0], &work, to);
            if (some == 2) {
                memcpy(to->start + k * n, work.b + n, n * sizeof(double));
                to->start0[k] = work.offset[1];
            }
        }
    }
    return SR_OK;
}
