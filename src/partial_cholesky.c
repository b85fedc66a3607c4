/* partial_cholesky.c: Cholesky factorizations F F' of a kernel matrix that stop early.
 *
 * Contract: with the columns of the rows chosen so far in F (m x k), row h adds
 *
 *     u = k_h - F F_h',   new column u / sqrt(u_h)
 *
 * for the kernel column k_h of row h. F is C^-T K' of train.c transposed, one basis vector per
 * column here because it grows by them. The m x m kernel matrix need not exist: its columns are
 * asked for when they are needed. What F lacks of the kernel is positive semidefinite, so that its
 * diagonal d_i = k_ii - |F_i|^2 bounds all of it. Time m n^2 and n kernel columns.
 *
 * Random pivots (Chen, Epperly, Tropp, Webber 2025): the next row is drawn with probability
 * proportional to d_i. Many at once (Epperly, Tropp, Webber 2024): rows S are proposed by d as it
 * is, and row i is accepted, in the order of S, with probability H_ii / d_i, where
 *
 *     H = K_SS - F_S F_S'
 *
 * less what the rows accepted before it have taken out. A draw by the old d that is kept with the
 * ratio of new to old is a draw by the new d: the rows have the same distribution, and all work on
 * m rows is a product of matrices.
 *
 * Largest pivots: the next row is that of the largest d_i / k_ii, the first of equals; Cholesky
 * does not care about the scale of rows, so an outlier must not make others look done. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "linalg.h"
#include "partial_cholesky.h"
#include "vector.h"

/* ---- columns ------------------------------------------------------------------- */

known_columns new_point_columns(kernel_spec kernel, point_set points, const double *centre,
                                int threads, memory from)
{
    const size_t m = points.rows, most = smaller(m, ROW_BLOCK);
    const point_set some = {NULL, most, most, points.p};
    known_columns columns = {m,
                             NULL,
                             kernel,
                             points,
                             centre,
                             threads,
                             new_doubles(from, most * points.p),
                             new_doubles(from, kernel_work(&kernel, points, some))};
    return columns;
}

/* At most ROW_BLOCK columns. */
static void fill_block(const known_columns *c, const int *rows, size_t count, double *out)
{
    const point_set some = {c->some, count, count, c->points.p};
    for (size_t k = 0; k < some.p; k++)
        for (size_t j = 0; j < count; j++)
            c->some[j + k * count] = c->points.x[(size_t) rows[j] + k * c->points.ld];
    kernel_block(&c->kernel, c->points, some, c->centre, out, NULL, c->m, c->work, c->threads);
}

void fill_known_columns(void *context, const int *rows, size_t count, double *out)
{
    const known_columns *c = context;
    const size_t m = c->m;
    for (size_t j = 0; c->values && j < count; j++)
        memcpy(out + j * m, c->values + (size_t) rows[j] * m, m * sizeof(double));
    for (size_t start = 0; !c->values && start < count; start += ROW_BLOCK)
        fill_block(c, rows + start, smaller(ROW_BLOCK, count - start), out + start * m);
}

/* ---- the factor ---------------------------------------------------------------- */

partial_cholesky new_partial_cholesky(size_t m, size_t n, memory from)
{
    partial_cholesky f = {m, n, 0, new_doubles(from, m * n), new_ints(from, n)};
    return f;
}

void cholesky_residuals(const partial_cholesky *f, const int *rows, size_t count, double *columns,
                        double *gathered)
{
    const size_t m = f->m, k = f->rank;
    for (size_t j = 0; j < count; j++)
        for (size_t l = 0; l < k; l++)
            gathered[l + j * k] = f->factor[(size_t) rows[j] + l * m];
    if (count == 1)
        gemv('N', m, k, -1, f->factor, m, gathered, 1, columns);
    else if (k > 0)
        gemm('N', 'N', m, count, k, -1, f->factor, m, gathered, k, 1, columns, m);
}

/* u of the row in place of the next column; 0 where it is not finite. */
static int next_column(const kernel_columns *kernel, partial_cholesky *f, int row, double *gathered)
{
    double *column = f->factor + f->rank * f->m;
    kernel->fill(kernel->context, &row, 1, column);
    cholesky_residuals(f, &row, 1, column, gathered);
    return all_finite(column, f->m);
}

/* ---- random pivots ------------------------------------------------------------- */

/* Rows proposed at a time: more are rejected more often, fewer make narrow products. */
#define PROPOSALS 64

typedef struct {
    partial_cholesky *f;
    const double *self;
    double *lacking, *cumulative; /* m: d, and its running sums */
    double *gathered;             /* n x PROPOSALS */
    int rows[PROPOSALS];
    double share[PROPOSALS], h[PROPOSALS * PROPOSALS];
} random_pivots;

/* `count` rows with probabilities proportional to d; 0 where it is zero. */
static int propose(random_pivots *p, size_t count)
{
    const size_t m = p->f->m;
    double total = 0;
    for (size_t i = 0; i < m; i++)
        p->cumulative[i] = total += p->lacking[i];
    for (size_t j = 0; j < count; j++) {
        size_t low = 0, high = m - 1;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (p->cumulative[middle] > p->share[j] * total)
                high = middle;
            else
                low = middle + 1;
        }
        p->rows[j] = (int) low;
    }
    return total > 0;
}

/* What F lacks of the rows proposed: the lower triangle of H (count x count). columns: of these
 * rows. d takes its diagonal, which is nearer to the truth than d less many squares. */
static void propose_residuals(random_pivots *p, size_t count, const double *columns)
{
    const size_t m = p->f->m, k = p->f->rank;
    for (size_t j = 0; j < count; j++) {
        for (size_t i = 0; i < count; i++)
            p->h[i + j * count] = columns[(size_t) p->rows[i] + j * m];
        for (size_t l = 0; l < k; l++)
            p->gathered[l + j * k] = p->f->factor[(size_t) p->rows[j] + l * m];
    }
    if (k > 0)
        syrk_lower('T', count, k, -1, p->gathered, k, 1, p->h, count);
}

/* Cholesky steps of the rows accepted, over H; their positions. share: as propose() used them. */
static size_t accept(random_pivots *p, size_t count, int *accepted)
{
    size_t taken = 0;
    double drawn[PROPOSALS];
    for (size_t i = 0; i < count; i++) {
        const size_t row = (size_t) p->rows[i];
        drawn[i] = p->lacking[row];
        if (!(p->h[i + i * count] > RESOLUTION * p->self[row]))
            p->lacking[row] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        double *column = p->h + i * count;
        const double left = column[i];
        if (!(left > RESOLUTION * p->self[p->rows[i]]) || p->share[i] * drawn[i] >= left)
            continue;
        for (size_t j = i; j < count; j++)
            column[j] /= sqrt(left);
        for (size_t k = i + 1; k < count; k++)
            for (size_t j = k; j < count; j++)
                p->h[j + k * count] -= column[j] * column[k];
        accepted[taken++] = (int) i;
    }
    return taken;
}

/* The columns of the rows accepted move to the front, become columns of F, and their squares leave
 * d. */
static void append(random_pivots *p, size_t count, const int *accepted, size_t taken)
{
    const size_t m = p->f->m;
    double *columns = p->f->factor + p->f->rank * m, l[PROPOSALS * PROPOSALS];
    int *rows = p->f->rows + p->f->rank;
    for (size_t j = 0; j < taken; j++) {
        const size_t from = (size_t) accepted[j];
        rows[j] = p->rows[from];
        if (from != j)
            memcpy(columns + j * m, columns + from * m, m * sizeof(double));
        for (size_t i = j; i < taken; i++)
            l[i + j * taken] = p->h[(size_t) accepted[i] + from * count];
    }
    cholesky_residuals(p->f, rows, taken, columns, p->gathered);
    solve_lower_right('T', m, taken, l, taken, columns, m);
    for (size_t j = 0; j < taken; j++)
        for (size_t i = 0; i < m; i++)
            p->lacking[i] -= columns[i + j * m] * columns[i + j * m];
    for (size_t i = 0; i < m; i++)
        if (!(p->lacking[i] > RESOLUTION * p->self[i]))
            p->lacking[i] = 0;
    for (size_t j = 0; j < taken; j++)
        p->lacking[rows[j]] = 0;
    p->f->rank += taken;
}

int rpcholesky(const kernel_columns *kernel, partial_cholesky *f, const double *self,
               uniform_numbers *uniform, memory from)
{
    const size_t m = f->m;
    random_pivots p = {.f = f,
                       .self = self,
                       .lacking = new_doubles(from, m),
                       .cumulative = new_doubles(from, m),
                       .gathered = new_doubles(from, f->n * PROPOSALS)};
    memcpy(p.lacking, self, m * sizeof(double));
    f->rank = 0;
    while (f->rank < f->n) {
        const size_t count = smaller(PROPOSALS, f->n - f->rank);
        double *columns = f->factor + f->rank * m;
        int accepted[PROPOSALS];
        uniform(count, p.share);
        if (!propose(&p, count))
            break;
        kernel->fill(kernel->context, p.rows, count, columns);
        if (!all_finite(columns, m * count))
            return SR_NOT_FINITE;
        propose_residuals(&p, count, columns);
        uniform(count, p.share);
        append(&p, count, accepted, accept(&p, count, accepted));
        R_CheckUserInterrupt();
    }
    return SR_OK;
}

/* ---- largest pivots ---------------------------------------------------------- */

/* The row of the largest lacking / self. */
static size_t largest(size_t m, const double *lacking, const double *self)
{
    size_t best = 0;
    for (size_t i = 1; i < m; i++)
        if (lacking[i] * self[best] > lacking[best] * self[i])
            best = i;
    return best;
}

int low_rank(const kernel_columns *kernel, partial_cholesky *f, const double *self, memory from)
{
    double *lacking = new_doubles(from, f->m), *gathered = new_doubles(from, f->n);
    memcpy(lacking, self, f->m * sizeof(double));
    for (f->rank = 0;; f->rank++) {
        const size_t row = largest(f->m, lacking, self);
        if (lacking[row] <= (double) (10 + f->rank) * DBL_EPSILON * self[row])
            return SR_OK;
        if (f->rank == f->n)
            return SR_ILL_POSED;
        if (!next_column(kernel, f, (int) row, gathered))
            return SR_NOT_FINITE;
        f->rows[f->rank] = (int) row;
        double *column = f->factor + f->rank * f->m;
        const double scale = 1 / sqrt(lacking[row]);
        for (size_t i = 0; i < f->m; i++) {
            column[i] *= scale;
            lacking[i] -= column[i] * column[i];
        }
        lacking[row] = 0;
        R_CheckUserInterrupt();
    }
}
