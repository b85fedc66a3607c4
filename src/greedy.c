/* greedy.c: greedy forward selection of features for regularized least squares.
 *
 * Pahikkala, Airola, Salakoski: Speeding up greedy forward selection for regularized least-squares
 * (2010), here for weights, an intercept, several outputs and any hold-out sets.
 *
 * Rows of x (standardized) and y are scaled by sqrt(w); with an intercept both are centred by their
 * weighted means first, so that P = I - sqrt(w) sqrt(w)' / sum(w) leaves them alone. S are the
 * features selected so far and G = lambda P (P X_S X_S' P + lambda I)^-1 P (the paper's G times
 * lambda, so that no number here is of the size of 1 / lambda). Kept are
 *
 *     residual   G y, the residuals   m x v
 *     slack      diag(G), 1 - h       m
 *     c          c_i = G x_i          m x p
 *     square     x_i'G x_i            p
 *     product    x_i'G y              p x v
 *
 * Adding feature i takes c_i c_i' / D_i from G, D_i = lambda + square_i. Its leave-one-out
 * residuals are (residual_j - c_ji product_i / D_i) / (slack_j - c_ji^2 / D_i). When b has been
 * chosen, t_i = x_b'c_i (= x_i'c_b) brings a candidate up to date:
 *
 *     c_i -= c_b t_i / D_b,   square_i -= t_i^2 / D_b,   product_i -= t_i product_b / D_b.
 *
 * So x_i itself is read once, at the start, and one sweep over c, read once and written once,
 * updates and judges all candidates: time O(k m p v).
 *
 * Without c (greedy_request.cache = 0) t_i = x_i'c_b, and c_i = x_i - sum_s c_s t_i^(s) / D_s is
 * computed anew from the selected columns: time O(k^2 m p), memory m k + k p.
 *
 * Hold-out sets in place of leave-one-out: greedy_held.c.
 *
 * Every candidate is computed by one thread in a fixed order: any number of threads gives the same
 * bits. SR_ILL_POSED: 1 - h of a row, or lambda against a feature that is spanned by others, has
 * sunk into rounding errors. */
#include <math.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include <R_ext/Utils.h>

#include "greedy_fit.h"
#include "linalg.h"
#include "vector.h"

/* Rows of a sweep at a time, and elements between two looks for an interrupt. */
#define CHUNK 256
#define LOOK 4000000

/* c of all features, or what it takes to compute them anew. */
typedef struct {
    size_t k;
    double *all;    /* m x p, or NULL */
    double *chosen; /* m x k: columns of c of the selected features, or NULL */
    double *shares; /* k x p: t / D of every feature, or NULL */
} greedy_columns;

/* The candidates: which are open, and their criteria. */
typedef struct {
    int *open;         /* p */
    double *criterion; /* p */
    double *buffers;   /* buffer_size for every thread */
    size_t buffer_size;
    int threads;
} greedy_candidates;

typedef struct {
    greedy_fit fit;
    greedy_columns columns;
    greedy_candidates candidates;
    greedy_held *held; /* NULL: leave-one-out */
} greedy_state;

static greedy_state new_state(const greedy_data *d, const greedy_request *r, greedy_held *held,
                              memory from)
{
    const size_t m = d->m, p = d->p, k = r->k, held_rows = held ? held->folds->held_rows : 0;
    const size_t size = m > held_rows ? m : held_rows;
    const greedy_fit fit = {r->lambda,
                            0,
                            0,
                            NULL,
                            new_doubles(from, m),
                            new_doubles(from, m * d->v),
                            new_doubles(from, m),
                            new_doubles(from, p),
                            new_doubles(from, p),
                            new_doubles(from, p * d->v)};
    const greedy_columns columns = {k, r->cache ? new_doubles(from, m * p) : NULL,
                                    r->cache ? NULL : new_doubles(from, m * k),
                                    r->cache ? NULL : new_doubles(from, k * p)};
    greedy_candidates candidates = {new_ints(from, p), new_doubles(from, p),
                                    new_doubles(from, size * (size_t) r->threads), size,
                                    r->threads};
    memcpy(candidates.open, r->candidates, p * sizeof(int));
    greedy_state s = {fit, columns, candidates, held};
    return s;
}

static size_t thread_number(void)
{
#ifdef _OPENMP
    return (size_t) omp_get_thread_num();
#else
    return 0;
#endif
}

/* ---- candidates ----------------------------------------------------------- */

/* c -= share * last, and the leave-one-out criterion of candidate i, in one sweep. */
WIDE static double advanced_criterion(const greedy_data *d, const greedy_fit *s, size_t i,
                                      double *c, double share)
{
    const double over = 1 / greedy_pivot(s, i);
    double criterion = 0, tightness = 0, inverse[CHUNK];
    for (size_t start = 0; start < d->m; start += CHUNK) {
        const size_t rows = d->m - start < CHUNK ? d->m - start : CHUNK;
        const double *step = s->last + start, *slack = s->slack + start;
        double *part = c + start;
#pragma omp simd reduction(+ : tightness)
        for (size_t j = 0; j < rows; j++) {
            part[j] -= share * step[j];
            const double q = 1 / (slack[j] - part[j] * part[j] * over);
            inverse[j] = q * q;
            tightness += q * q;
        }
        for (size_t k = 0; k < d->v; k++) {
            const double *residual = s->residual + start + k * d->m;
            const double slope = s->product[i + k * d->p] * over;
#pragma omp simd reduction(+ : criterion)
            for (size_t j = 0; j < rows; j++) {
                const double e = residual[j] - slope * part[j];
                criterion += e * e * inverse[j];
            }
        }
    }
    const int fine =
        greedy_resolved(s, i, greedy_pivot(s, i)) && tightness < 1 / (RESOLUTION * RESOLUTION);
    return fine ? criterion : ILL_POSED;
}

static double criterion_cached(const greedy_data *d, greedy_state *s, size_t i)
{
    greedy_fit *fit = &s->fit;
    double *c = s->columns.all + i * d->m, share = 0;
    if (fit->count > 0)
        share = greedy_advance(d, fit, i, dot(d->m, fit->feature, c));
    return advanced_criterion(d, fit, i, c, share);
}

/* The same without the columns c: `c` is a workspace of m. */
static double criterion_recomputed(const greedy_data *d, greedy_state *s, size_t i, double *c)
{
    greedy_fit *fit = &s->fit;
    double share = 0, *shares = s->columns.shares + i * s->columns.k;
    greedy_feature(d, i, c);
    if (fit->count > 0) {
        share = greedy_advance(d, fit, i, dot(d->m, fit->last, c));
        shares[fit->count - 1] = share;
    }
    for (size_t start = 0; start < d->m && fit->count > 1; start += CHUNK) {
        const size_t rows = d->m - start < CHUNK ? d->m - start : CHUNK;
        for (size_t l = 0; l < fit->count - 1; l++)
            add_multiple(rows, -shares[l], s->columns.chosen + start + l * d->m, c + start);
    }
    return advanced_criterion(d, fit, i, c, share);
}

/* ---- selection ------------------------------------------------------------ */

/* The state without features. */
static int start(const greedy_data *d, greedy_state *s)
{
    greedy_fit *fit = &s->fit;
    greedy_held *held = s->held;
    for (size_t j = 0; j < d->m; j++)
        fit->slack[j] = d->intercept ? 1 - d->weights[j] / d->total : 1;
    memcpy(fit->residual, d->y, d->m * d->v * sizeof(double));
    memset(fit->feature, 0, d->m * sizeof(double));
    fit->last = fit->feature;
    for (size_t i = 0; i < d->p; i++) {
        double *c = s->columns.all ? s->columns.all + i * d->m : s->candidates.buffers;
        greedy_feature(d, i, c);
        fit->square[i] = fit->first_square[i] = dot(d->m, c, c);
        for (size_t k = 0; k < d->v; k++)
            fit->product[i + k * d->p] = dot(d->m, c, fit->residual + k * d->m);
        if (held)
            held_first(d, held->folds, c, held->z + i * held->folds->held_rows);
    }
    for (size_t k = 0; held && k < d->v; k++)
        held_first(d, held->folds, fit->residual + k * d->m,
                   held->residual + k * held->folds->held_rows);
    return all_finite(fit->square, d->p) && all_finite(fit->product, d->p * d->v) ? SR_OK
                                                                                  : SR_NOT_FINITE;
}

/* Sum of squared held-out residuals without features. */
static double null_criterion(const greedy_data *d, const greedy_state *s)
{
    const greedy_fit *fit = &s->fit;
    if (s->held)
        return held_null(s->held, d->v);
    double criterion = 0;
    for (size_t k = 0; k < d->v; k++)
        for (size_t j = 0; j < d->m; j++) {
            const double e = fit->residual[j + k * d->m] / fit->slack[j];
            criterion += e * e;
        }
    return criterion;
}

/* Criteria of all open candidates, brought up to date with the last choice. */
static int sweep(const greedy_data *d, greedy_state *s)
{
    greedy_candidates *all = &s->candidates;
    const size_t block = 1 + LOOK / d->m;
    for (size_t from = 0; from < d->p; from += block) {
        const size_t to = d->p - from < block ? d->p : from + block;
#pragma omp parallel for num_threads(all->threads) schedule(static) if (all->threads > 1)
        for (size_t i = from; i < to; i++) {
            if (!all->open[i])
                continue;
            double *buffer = all->buffers + thread_number() * all->buffer_size;
            all->criterion[i] =
                s->held ? held_criterion(d, &s->fit, s->held, i, s->columns.all + i * d->m, buffer)
                : s->columns.all ? criterion_cached(d, s, i)
                                 : criterion_recomputed(d, s, i, buffer);
        }
        R_CheckUserInterrupt();
    }
    for (size_t i = 0; i < d->p; i++) {
        if (all->open[i] && all->criterion[i] == ILL_POSED)
            return SR_ILL_POSED;
        if (all->open[i] && !isfinite(all->criterion[i]))
            return SR_NOT_FINITE;
    }
    return SR_OK;
}

/* The open candidate with the smallest criterion; near-ties go to the lower index. */
static size_t best_candidate(const greedy_candidates *all, size_t p, double null)
{
    double smallest = INFINITY;
    for (size_t i = 0; i < p; i++)
        if (all->open[i] && all->criterion[i] < smallest)
            smallest = all->criterion[i];
    const double limit = smallest + TIE * smallest + TIE_ZERO * null;
    size_t best = 0;
    while (!all->open[best] || all->criterion[best] > limit)
        best++;
    return best;
}

/* The column c of feature b, which is going to be the next one: where it stands. */
static const double *column_of(const greedy_data *d, greedy_columns *columns, size_t count,
                               size_t b, const double *feature)
{
    if (columns->all)
        return columns->all + b * d->m;
    double *c = columns->chosen + count * d->m;
    memcpy(c, feature, d->m * sizeof(double));
    for (size_t l = 0; l < count; l++)
        add_multiple(d->m, -columns->shares[l + b * columns->k], columns->chosen + l * d->m, c);
    return c;
}

static void choose(const greedy_data *d, greedy_state *s, size_t b)
{
    greedy_fit *fit = &s->fit;
    const double over = 1 / greedy_pivot(fit, b);
    greedy_feature(d, b, fit->feature);
    const double *c = column_of(d, &s->columns, fit->count, b, fit->feature);
    fit->last = c;
    for (size_t k = 0; k < d->v; k++)
        add_multiple(d->m, -over * fit->product[b + k * d->p], c, fit->residual + k * d->m);
    for (size_t j = 0; j < d->m; j++)
        fit->slack[j] -= over * c[j] * c[j];
    if (s->held)
        held_choose(d, fit, s->held, b);
    s->candidates.open[b] = 0;
    fit->b = b;
    fit->count++;
}

int greedy_select(const greedy_data *d, const greedy_request *request, const greedy_folds *f,
                  greedy_selection *to, memory from)
{
    greedy_held held = {0};
    if (f)
        held = new_greedy_held(d, f, from);
    greedy_state s = new_state(d, request, f ? &held : NULL, from);
    to->count = 0;
    to->selected = new_ints(from, request->k);
    to->error = new_doubles(from, request->k);
    int status = start(d, &s);
    const double null = null_criterion(d, &s);
    size_t best = 0;
    while (status == SR_OK && to->count < request->k) {
        status = sweep(d, &s);
        if (status != SR_OK)
            break;
        const size_t b = best_candidate(&s.candidates, d->p, null), step = to->count++;
        to->selected[step] = (int) b;
        to->error[step] = s.candidates.criterion[b];
        choose(d, &s, b);
        if (to->error[step] < (1 - TIE) * to->error[best])
            best = step;
        if (request->patience > 0 && step - best >= request->patience)
            break;
    }
    return status;
}
