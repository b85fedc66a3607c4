/* sums_cv.c: leaving folds out of sums over rows (chunk_sums.c).
 *
 * The rows that train without fold f are those of all other folds and the members of the basis that
 * stay. The sums of the other folds are added, as those before f and those after it: with no rows
 * to fall back on, subtracting f from all would lose digits for good. What is left is a refit
 * (refit.c). Its squared error over rows H, intercept o, needs only their sums, about the same
 * centres:
 *
 *     sum w (y - z'b - o)^2 = yy - 2 b't - 2 o wy + b'Sb + 2 o b'k + o^2 w,
 *
 * S = Z'WZ, t = Z'Wy, k = Z'w. It loses the digits that y'y about the centre has above the error.
 */
#include <R_ext/Utils.h>
#include <string.h>

#include "chunk_sums.h"

static double member_squares(const ridge *r, size_t k, const int *rows, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t row = rows ? (size_t) rows[i] : i;
        sum += r->weights[row] * r->y[row + k * r->m] * r->y[row + k * r->m];
    }
    return sum;
}

void sum_table(const ridge *r, const fold_table *table, row_sums *sums, double *yy, memory from)
{
    const size_t n = r->n, v = r->v;
    row_block block = new_row_block(n, v, from);
    sum_rows(r, NULL, NULL, r->m, NULL, NULL, sums, &block);
    for (size_t k = 0; k < v; k++)
        yy[k] = member_squares(r, k, NULL, r->m);
    for (size_t f = 0; f < table->count; f++) {
        const row_sums entry = table_entry(table, f);
        add_sums(n, v, 1, &entry, sums);
        for (size_t k = 0; k < v; k++)
            yy[k] += table->yy[k + f * v];
    }
}

void centre_training(ridge *r, row_sums *all, const double *z_centre, const double *y_centre,
                     double *yy)
{
    const size_t n = r->n, v = r->v;
    const double share = r->intercept ? 1 / all->w : 0;
    for (size_t j = 0; j < n; j++) {
        const double shift = share * all->zy[j + n * v];
        r->z_mean[j] = z_centre[j] + shift;
        for (size_t i = 0; i < r->m; i++)
            r->z[j + i * n] -= shift;
    }
    for (size_t k = 0; k < v; k++) {
        const double shift = share * all->wy[k];
        r->y_mean[k] = y_centre[k] + shift;
        yy[k] -= shift * all->wy[k];
        for (size_t i = 0; i < r->m; i++)
            r->y[i + k * r->m] -= shift;
    }
    if (r->intercept)
        centre_sums(n, v, all);
    memcpy(r->gram, all->gram, n * n * sizeof(double));
    memcpy(r->zy, all->zy, n * v * sizeof(double));
}

void map_training(ridge *r, const double *cholesky)
{
    const size_t n = r->n;
    if (cholesky) {
        memcpy(r->map, cholesky, n * n * sizeof(double));
        invert_lower(n, r->map);
        return;
    }
    memset(r->map, 0, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++)
        r->map[j + j * n] = 1;
}

/* Sums of all folds after each: the table that it answers has those of f + 1, f + 2, ... as f. */
static fold_table sums_after(const fold_table *table, memory from)
{
    const size_t n = table->n, v = table->v, count = table->count;
    fold_table after = {count,
                        n,
                        v,
                        new_doubles(from, n * n * count),
                        new_doubles(from, n * (v + 1) * count),
                        new_doubles(from, v * count),
                        new_doubles(from, count),
                        NULL};
    row_sums last = table_entry(&after, count - 1);
    clear_sums(n, v, &last);
    after.w[count - 1] = 0;
    for (size_t f = count - 1; f-- > 0;) {
        row_sums sums = table_entry(&after, f);
        const row_sums next = table_entry(&after, f + 1), own = table_entry(table, f + 1);
        clear_sums(n, v, &sums);
        add_sums(n, v, 1, &own, &sums);
        add_sums(n, v, 1, &next, &sums);
        after.w[f] = sums.w;
    }
    return after;
}

typedef struct {
    row_sums before, train, held, part;
    row_block block;
    refit_work refit;
    double *products; /* n x (v c) */
    int *rows, *places;
} sums_work;

static sums_work new_sums_work(const ridge *r, size_t e, size_t c, memory from)
{
    const size_t n = r->n, v = r->v;
    sums_work work = {new_row_sums(n, v, 1, from),
                      new_row_sums(n, v, 1, from),
                      new_row_sums(n, v, 1, from),
                      new_row_sums(n, v, 1, from),
                      new_row_block(n, v, from),
                      new_refit_work(n, v, e, c, from),
                      new_doubles(from, n * v * c),
                      new_ints(from, r->m),
                      new_ints(from, r->m)};
    clear_sums(n, v, &work.before);
    return work;
}

/* work->train: folds before and after f, members that stay and those that join. */
static void sum_others(const ridge *r, const fold *f, const row_sums *after, sums_work *work)
{
    const size_t n = r->n, v = r->v;
    const size_t stay = staying_rows(r, f, work->rows, work->places);
    sum_rows(r, work->rows, work->places, stay, NULL, NULL, &work->train, &work->block);
    add_sums(n, v, 1, &work->before, &work->train);
    add_sums(n, v, 1, after, &work->train);
    if (r->intercept)
        centre_sums(n, v, &work->train);
}

/* work->held: rows of the fold that are scored. */
static void sum_scored(const ridge *r, const row_sums *own, const scored_members *scored,
                       sums_work *work)
{
    sum_rows(r, scored->rows, scored->places, scored->count, NULL, NULL, &work->held, &work->block);
    add_sums(r->n, r->v, 1, own, &work->held);
    mirror_lower(r->n, work->held.gram, r->n);
}

/* errors (v c) of the refit b, offset on work->held; yy: v. */
static void squared_errors(const ridge *r, size_t c, const double *b, const double *offset,
                           const double *yy, double *errors, sums_work *work)
{
    const size_t n = r->n, v = r->v;
    const row_sums *held = &work->held;
    const double *means = held->zy + n * v;
    gemm('N', 'N', n, v * c, n, 1, held->gram, n, b, n, 0, work->products, n);
    for (size_t column = 0; column < v * c; column++) {
        const size_t k = column % v;
        const double *at = b + column * n, *t = held->zy + k * n, o = offset[column];
        double sum = yy[k] + o * (o * held->w - 2 * held->wy[k]);
        for (size_t j = 0; j < n; j++)
            sum += at[j] * (work->products[j + column * n] - 2 * t[j] + 2 * o * means[j]);
        errors[column] = sum > 0 ? sum : 0;
    }
}

static int one_fold(const ridge *r, const fold_table *table, size_t i, const fold *f,
                    const row_sums *after, const scored_members *scored, const double *lambda,
                    size_t c, double *b, double *offset, double *errors, double *yy,
                    sums_work *work)
{
    const size_t v = r->v;
    const row_sums own = table_entry(table, i);
    sum_others(r, f, after, work);
    const int status = refit_fold(r, f, &work->train, lambda, c, b, offset, &work->refit);
    if (status != SR_OK)
        return status;
    sum_scored(r, &own, scored, work);
    for (size_t k = 0; k < v; k++)
        yy[k] = table->yy[k + i * v] + member_squares(r, k, scored->rows, scored->count);
    squared_errors(r, c, b, offset, yy, errors, work);
    add_sums(r->n, v, 1, &own, &work->before);
    return SR_OK;
}

int leave_sums_out(const ridge *r, const fold_table *table, fold *folds,
                   const scored_members *scored, const int *spanned, size_t d, const double *lambda,
                   size_t c, double *b, double *offset, double *errors, size_t *failed, memory from)
{
    const size_t columns = r->v * c;
    size_t e = 0;
    for (size_t i = 0; i < table->count; i++)
        e = folds[i].e > e ? folds[i].e : e;
    sums_work work = new_sums_work(r, e, c, from);
    const fold_table after = sums_after(table, from);
    double *yy = new_doubles(from, r->v);
    *failed = 0;
    int status = constrain_folds(r, folds, table->count, spanned, d, from);
    for (size_t i = 0; i < table->count && status == SR_OK; i++) {
        const row_sums rest = table_entry(&after, i);
        *failed = i;
        status = one_fold(r, table, i, folds + i, &rest, scored + i, lambda, c,
                          b + i * r->n * columns, offset + i * columns, errors + i * columns, yy,
                          &work);
        R_CheckUserInterrupt();
    }
    return status;
}
