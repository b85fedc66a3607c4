/* chunk_glm.c: what rows add to a pass of penalized likelihood, see chunk_glm.h.
 *
 * All columns are products with the same block of z: linear predictors Z'b and gradients Z s. The
 * curvature of every fold takes one product more; that of a column's own weights takes the rows
 * alone whose weights differ from the fit's by more than SAME_WEIGHT: few, where a fold is a small
 * part of many rows. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "chunk_glm.h"
#include "vector.h"

/* Weights that differ from the fit's by a smaller share are the fit's in a model. */
#define SAME_WEIGHT 0.05

typedef struct {
    double *value;                 /* rows x columns: z'b, then scores */
    double *own, *model, *zero;    /* rows: weights of a column; x (folds + 1): of models; none */
    double *z, *y, *w, *offset;    /* of members, in the order of a column */
    double *left, *right;          /* n x rows */
    row_sums part;
    row_block block;
} pass_work;

/* For so many rows at a time. */
static pass_work new_pass_work(const glm_pass *p, size_t rows, memory from)
{
    const size_t n = p->n, count = p->folds + 1;
    pass_work work = {new_doubles(from, rows * count * p->lambdas),
                      new_doubles(from, rows),
                      new_doubles(from, rows * count),
                      new_doubles(from, rows),
                      new_doubles(from, n * rows),
                      new_doubles(from, rows),
                      new_doubles(from, rows),
                      new_doubles(from, rows),
                      new_doubles(from, n * rows),
                      new_doubles(from, n * rows),
                      new_row_sums(n, 0, 1, from),
                      new_row_block(n, 0, from)};
    memset(work.zero, 0, rows * sizeof(double));
    return work;
}

/* ---- a column ----------------------------------------------------------------------------------
 * value (some): z'b of its rows. */

static double deviances(const glm_pass *p, size_t c, size_t some, const double *y, const double *w,
                        const double *offset, const double *value)
{
    double sum = 0;
    for (size_t i = 0; i < some; i++)
        if (w[i] > 0)
            sum += w[i] * p->loss->deviance(y[i], p->theta, offset[i] + p->b0[c] + value[i]);
    return sum;
}

static void hold_column(glm_pass *p, size_t c, size_t some, const double *y, const double *w,
                        const double *offset, const double *value)
{
    p->held[c] += deviances(p, c, some, y, w, offset, value);
    for (size_t i = 0; i < some; i++)
        p->held_weight[c] += w[i];
}

/* value becomes the scores of rows that train; their weights to own. */
static void train_column(glm_pass *p, size_t c, size_t some, const double *y, const double *w,
                         const double *offset, double *value, double *own)
{
    double size = 0;
    p->deviance[c] += deviances(p, c, some, y, w, offset, value);
    for (size_t i = 0; i < some; i++) {
        p->values[c] += w[i] * value[i];
        p->squares[c] += w[i] * value[i] * value[i];
        size = fmax(size, 4 + fabs(offset[i]) + fabs(p->b0[c]) + fabs(value[i]));
        value[i] += offset[i] + p->b0[c];
    }
    p->loss->derivatives(some, y, w, p->theta, value, value, own);
    for (size_t i = 0; i < some; i++) {
        p->score[c] += value[i];
        p->lost[c] += fabs(value[i]) + size * own[i];
    }
}

static void compare_weights(glm_pass *p, size_t c, size_t some, const double *model,
                            const double *own)
{
    for (size_t i = 0; i < some; i++)
        if (model[i] > p->above[c] * own[i])
            p->above[c] = own[i] > 0 ? model[i] / own[i] : INFINITY;
}

/* change of column k += (to - from) z z' of rows where the weights differ. */
static void add_change(glm_pass *p, size_t k, size_t some, const double *z, const double *from,
                       const double *to, pass_work *work)
{
    const size_t n = p->n;
    row_sums sums = table_entry(&p->change, k);
    size_t count = 0;
    for (size_t i = 0; i < some; i++) {
        const double more = to[i] - from[i];
        if (more == 0)
            continue;
        double *right = work->right + n * count;
        memcpy(work->left + n * count++, z + i * n, n * sizeof(double));
        for (size_t j = 0; j < n; j++)
            right[j] = more * z[j + i * n];
        add_multiple(n, more, z + i * n, sums.zy);
        p->change.w[k] += more;
    }
    gemm('N', 'T', n, n, count, 1, work->left, n, work->right, n, 1, sums.gram, n);
}

static void see_lengths(glm_pass *p, size_t some, const double *z)
{
    for (size_t i = 0; i < some; i++)
        *p->largest = fmax(*p->largest, sqrt(dot(p->n, z + i * p->n, z + i * p->n)));
}

/* ---- rows of a chunk ---------------------------------------------------------------------------
 */

/* The model of the fold by the fit's weights. */
static void add_model(glm_pass *p, size_t f, size_t some, const double *z, pass_work *work)
{
    ridge r = {0};
    row_sums sums = table_entry(&p->model, f);
    r.n = p->n;
    r.z = (double *) z;
    r.weights = work->model;
    sum_rows(&r, NULL, NULL, some, NULL, NULL, &work->part, &work->block);
    add_sums(p->n, 0, 1, &work->part, &sums);
    p->model.w[f] = sums.w;
}

/* Rows of fold f. */
static void add_block(glm_pass *p, size_t f, size_t some, const double *z, const double *y,
                     const double *w, const double *offset, pass_work *work)
{
    const size_t n = p->n, count = p->folds + 1, columns = count * p->lambdas;
    gemm('T', 'N', some, columns, n, 1, z, n, p->b, n, 0, work->value, some);
    for (size_t c = 0; c < columns; c++) {
        const size_t k = c % count;
        double *value = work->value + c * some, *model = work->model + k * some;
        if (k == f + 1) {
            hold_column(p, c, some, y, w, offset, value);
            memset(value, 0, some * sizeof(double));
            continue;
        }
        train_column(p, c, some, y, w, offset, value, work->own);
        for (size_t i = 0; i < some && c < count; i++) {
            const double fit = k == 0 ? work->own[i] : work->model[i];
            model[i] = fabs(work->own[i] - fit) <= SAME_WEIGHT * fit ? fit : work->own[i];
        }
        compare_weights(p, c, some, model, work->own);
    }
    gemm('N', 'N', n, columns, some, 1, z, n, work->value, some, 1, p->gradient, n);
    add_model(p, f, some, z, work);
    for (size_t k = 1; k < count; k++)
        if (k != f + 1)
            add_change(p, k, some, z, work->model, work->model + k * some, work);
    see_lengths(p, some, z);
}

int chunk_glm(const chunk_coordinates *at, const int *size, const double *y, const double *weights,
              const double *offset, glm_pass *p, memory from)
{
    double *kernel = kernel_rows_work(at->source, from), *z = new_doubles(from, p->n * ROW_BLOCK);
    pass_work work = new_pass_work(p, ROW_BLOCK, from);
    size_t start = 0, some;
    for (size_t f = 0; f < p->model.count; f++)
        for (size_t end = start + (size_t) size[f]; start < end; start += some) {
            some = smaller(ROW_BLOCK, end - start);
            const int status = chunk_block(at, start, some, z, kernel);
            if (status != SR_OK)
                return status;
            add_block(p, f, some, z, y + start, weights + start, offset + start, &work);
        }
    return SR_OK;
}

/* ---- members of the basis ----------------------------------------------------------------------
 */

/* y, weight and offset of these rows, with the z of these places. */
static void gather(const ridge *r, const double *offset, const int *rows, const int *places,
                   size_t count, pass_work *work)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(work->z + i * r->n, r->z + (size_t) places[i] * r->n, r->n * sizeof(double));
        work->y[i] = r->y[rows[i]];
        work->w[i] = r->weights[rows[i]];
        work->offset[i] = offset[rows[i]];
    }
}

void member_glm(const ridge *r, const fold *folds, const scored_members *scored,
                const double *offset, glm_pass *p, memory from)
{
    const size_t n = p->n, most = r->m;
    const fold nothing = {0};
    pass_work work = new_pass_work(p, most, from);
    int *rows = new_ints(from, most), *places = new_ints(from, most);
    for (size_t k = 0; k <= p->folds; k++) {
        const size_t count = staying_rows(r, k ? folds + k - 1 : &nothing, rows, places);
        for (size_t c = k; c < (p->folds + 1) * p->lambdas; c += p->folds + 1) {
            if (k > 0) {
                const scored_members *held = scored + k - 1;
                gather(r, offset, held->rows, held->places, held->count, &work);
                gemv('T', n, held->count, 1, work.z, n, p->b + c * n, 0, work.value);
                hold_column(p, c, held->count, work.y, work.w, work.offset, work.value);
            }
            gather(r, offset, rows, places, count, &work);
            gemv('T', n, count, 1, work.z, n, p->b + c * n, 0, work.value);
            train_column(p, c, count, work.y, work.w, work.offset, work.value, work.own);
            if (c == k) {
                memcpy(work.model, work.own, count * sizeof(double));
                add_change(p, k, count, work.z, work.zero, work.model, &work);
            }
            compare_weights(p, c, count, work.model, work.own);
            gemv('N', n, count, 1, work.z, n, work.value, 1, p->gradient + c * n);
        }
        see_lengths(p, count, work.z);
        R_CheckUserInterrupt();
    }
}
