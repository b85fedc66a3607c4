/* fold_sums.c: sums over the rows that train without a fold.
 *
 * They are those of all rows minus those of the fold; with an intercept centred by their own means.
 * Where the subtraction or the centring would cancel (an outlier is held out), or the fold is more
 * than half of the rows, the rows that stay are summed directly, in two passes: their means first.
 * Of a partial problem not all rows are at hand, and there is nothing to sum directly.
 * Rows that join (twins of held-out basis vectors, constraint.c) are added. */
#include <string.h>

#include "holdout.h"

/* A difference that keeps less than this share of the trace is summed anew. */
#define CANCELLATION 1e-2

fold_sums new_fold_sums(const ridge *r, memory from)
{
    fold_sums s = {0};
    s.train = new_row_sums(r->n, r->v, 1, from);
    s.held = new_row_sums(r->n, r->v, 1, from);
    s.block = new_row_block(r->n, r->v, from);
    s.rows = new_ints(from, r->m);
    s.places = new_ints(from, r->m);
    return s;
}

/* Sums over all rows, from what training left: z and y are centred, so that with
 * an intercept the sums of w z and w y are zero. Without one they are not used. */
static void all_sums(const ridge *r, row_sums *sums)
{
    const size_t n = r->n;
    if (r->gram)
        memcpy(sums->gram, r->gram, n * n * sizeof(double));
    else {
        memset(sums->gram, 0, n * n * sizeof(double));
        for (size_t j = 0; j < n; j++)
            sums->gram[j + j * n] = r->values[j];
    }
    memcpy(sums->zy, r->zy, n * r->v * sizeof(double));
    memset(sums->zy + n * r->v, 0, n * sizeof(double));
    memset(sums->wy, 0, r->v * sizeof(double));
    sums->w = r->sum_weights;
}

size_t staying_rows(const ridge *r, const fold *f, int *rows, int *places)
{
    size_t stay = 0;
    /* `rows` holds flags at first, and their list afterwards, which never overtakes them. */
    for (size_t i = 0; i < r->m; i++)
        rows[i] = 1;
    for (size_t i = 0; i < f->h; i++)
        rows[f->rows[i]] = 0;
    for (size_t i = 0; i < r->m; i++)
        if (rows[i])
            rows[stay++] = (int) i;
    memcpy(places, rows, stay * sizeof(int));
    for (size_t a = 0; a < f->s; a++, stay++) {
        rows[stay] = f->twins[a];
        places[stay] = f->twin_of[a];
    }
    return stay;
}

/* The sums of the rows that stay as all minus held. 0 where too few digits are left. */
static int subtracted_sums(const ridge *r, const fold *f, fold_sums *s)
{
    const size_t n = r->n, v = r->v;
    row_sums *sums = &s->train, *held = &s->held;
    if (2 * f->h > r->m && !r->partial)
        return 0;
    all_sums(r, sums);
    const double before = trace_sums(n, sums);
    sum_rows(r, f->rows, NULL, f->h, NULL, NULL, held, &s->block);
    add_sums(n, v, -1, held, sums);
    if (f->s > 0) {
        sum_rows(r, f->twins, f->twin_of, f->s, NULL, NULL, held, &s->block);
        add_sums(n, v, 1, held, sums);
    }
    if (!(sums->w > CANCELLATION * r->sum_weights))
        return 0;
    if (r->intercept)
        centre_sums(n, v, sums);
    return trace_sums(n, sums) > CANCELLATION * before;
}

/* The same directly, in two passes: means first, so that centring does not cancel. */
static void direct_sums(const ridge *r, const fold *f, fold_sums *s)
{
    const size_t n = r->n, v = r->v;
    row_sums *sums = &s->train, *means = &s->held;
    double *z_mean = means->zy, *y_mean = means->wy;
    const size_t stay = staying_rows(r, f, s->rows, s->places);
    if (!r->intercept) {
        sum_rows(r, s->rows, s->places, stay, NULL, NULL, sums, &s->block);
        return;
    }
    mean_rows(r, s->rows, s->places, stay, z_mean, y_mean);
    sum_rows(r, s->rows, s->places, stay, z_mean, y_mean, sums, &s->block);
    for (size_t j = 0; j < n; j++)
        sums->zy[j + n * v] = sums->w * z_mean[j];
    for (size_t k = 0; k < v; k++)
        sums->wy[k] = sums->w * y_mean[k];
}

int sum_training_rows(const ridge *r, const fold *f, fold_sums *s)
{
    if (subtracted_sums(r, f, s))
        return SR_OK;
    if (r->partial)
        return SR_ILL_POSED;
    direct_sums(r, f, s);
    return SR_OK;
}
