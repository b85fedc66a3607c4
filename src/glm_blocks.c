/* glm_blocks.c: what the refits of glm_folds.c work in: their blocks of folds, which hold so many
 * numbers at most, the rows of a fold and its directions. */
#include <math.h>
#include <string.h>

#include "glm.h"
#include "linalg.h"
#include "vector.h"

/* Numbers of a block, and its columns. */
#define BLOCK 4000000
#define MOST_COLUMNS 256

/* Folds of at least one in so many rows, on average, are large: products with the rows of each, one
 * at a time, cost what those with all rows do for all columns at once. */
#define LARGE 10

/* ---- sizes ----------------------------------------------------------------------------------- */

size_t next_block(const ridge *r, const holdout_request *q, size_t first, size_t *rows,
                  size_t *directions)
{
    size_t count = 0;
    *rows = *directions = 0;
    for (size_t i = first; i < q->count && count < MOST_COLUMNS; i++, count++) {
        const size_t e = *directions + q->folds[i].e;
        if (count > 0 && (count + 1) * (2 * r->m + 8 * r->n) + e * r->n > BLOCK)
            break;
        *directions = e;
        *rows += q->folds[i].h;
    }
    return count;
}

static double *copied(size_t length, const double *x, memory from)
{
    double *to = new_doubles(from, length);
    memcpy(to, x, length * sizeof(double));
    return to;
}

int new_folds_work(const glm *p, holdout_request *q, glm_work *fit, folds_work *to, memory from)
{
    const ridge *r = p->r;
    const size_t m = r->m, n = r->n;
    const int status = constrain_folds(r, q->folds, q->count, q->spanned, q->d, from);
    size_t columns = 0, rows = 0, directions = 0, e = 0, some_rows, some;
    if (status != SR_OK)
        return status;
    folds_work w = {0};
    for (size_t i = 0, count; i < q->count; i += count) {
        count = next_block(r, q, i, &some_rows, &some);
        columns = larger(columns, count);
        rows = larger(rows, some_rows);
        directions = larger(directions, some);
        w.leave += some_rows;
    }
    for (size_t i = 0; i < q->count; i++)
        e = larger(e, q->folds[i].e);
    w.all = p;
    w.p = *p;
    w.p.y = copied(m, p->y, from);
    w.p.offset = copied(m, p->offset, from);
    w.p.weights = copied(m, p->weights, from);
    w.q = q;
    w.fit = fit;
    w.single = columns == q->count;
    w.gradient = new_doubles(from, n);
    /* Of small folds the lengths of rows make bounds sharper; they cost m n^2. */
    w.leverage = 2 * w.leave <= n * q->count ? new_doubles(from, m) : NULL;
    w.states = from(columns, sizeof(refit_state));
    w.column = from(columns, sizeof(size_t));
    w.rows = new_doubles(from, m * columns);
    w.weights = new_doubles(from, m * columns);
    w.means = new_doubles(from, columns);
    double **arrays[] = {&w.now,      &w.gradients, &w.shift, &w.step,
                         &w.residual, &w.along,     &w.image, &w.solved};
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
        *arrays[i] = new_doubles(from, n * columns);
    w.large = w.leave * LARGE >= m * q->count;
    w.directions = new_doubles(from, n * directions);
    w.dropped = new_doubles(from, rows);
    w.tau = new_doubles(from, e);
    w.reflect = new_doubles(from, n * e);
    w.lapack_size = qr_work(n, e);
    w.lapack = new_doubles(from, w.lapack_size);
    w.newton = new_glm_work(r, e, from);
    *to = w;
    return SR_OK;
}

/* ---- rows of a fold ------------------------------------------------------------------------- */

void enter_fold(folds_work *w, const fold *f)
{
    for (size_t i = 0; i < f->h; i++)
        w->p.weights[f->rows[i]] = 0;
    for (size_t a = 0; a < f->s; a++) {
        const size_t to = (size_t) f->twin_of[a], from = (size_t) f->twins[a];
        w->p.y[to] = w->all->y[from];
        w->p.offset[to] = w->all->offset[from];
        w->p.weights[to] = w->all->weights[from];
    }
}

void quit_fold(folds_work *w, const fold *f)
{
    for (size_t i = 0; i < f->h; i++)
        w->p.weights[f->rows[i]] = w->all->weights[f->rows[i]];
    for (size_t a = 0; a < f->s; a++) {
        const size_t to = (size_t) f->twin_of[a];
        w->p.y[to] = w->all->y[to];
        w->p.offset[to] = w->all->offset[to];
    }
}

/* An orthonormal basis (n x e) of the constraint. */
static int orthonormal(folds_work *w, const fold *f, double *directions)
{
    const size_t n = w->p.r->n, e = f->e;
    if (e == 0)
        return SR_OK;
    copy_constraint(w->p.r, f, w->reflect);
    const int status = qr_factor(n, e, w->reflect, n, w->tau, w->lapack, w->lapack_size);
    memset(directions, 0, n * e * sizeof(double));
    for (size_t i = 0; i < e; i++)
        directions[i + i * n] = 1;
    qr_apply('L', 'N', n, e, e, w->reflect, n, w->tau, directions, n, w->lapack, w->lapack_size);
    return status;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

int begin_block(folds_work *w, size_t first, size_t count, size_t start)
{
    const size_t n = w->p.r->n;
    double *directions = w->directions, *dropped = w->dropped;
    int status = SR_OK;
    for (size_t k = 0; k < count && status == SR_OK; k++) {
        const fold *f = w->q->folds + first + k;
        refit_state *state = w->states + k;
        memset(state, 0, sizeof(refit_state));
        state->f = f;
        state->index = first + k;
        state->start = start;
        state->directions = directions;
        state->dropped = dropped;
        state->distance = state->error = state->previous = INFINITY;
        w->column[k] = k;
        /* A single block has its directions from the lambda before. */
        if (!w->ready)
            status = orthonormal(w, f, directions);
        start += f->h;
        directions += n * f->e;
        dropped += f->h;
    }
    w->ready = w->single;
    w->columns = count;
    return status;
}
