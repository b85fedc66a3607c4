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
 * updates and scores all candidates: time O(k m p v).
 *
 * Without c (greedy_state.c = NULL) t_i = x_i'c_b, and c_i = x_i - sum_s c_s t_i^(s) / D_s is
 * computed anew from the selected columns: time O(k^2 m p), memory m k + k p.
 *
 * Hold-out sets H: the held-out residuals are e = G_HH^-1 (G y)_H. With z = G_HH^-1 c_H (Sherman,
 * Morrison) the candidate's are
 *
 *     e + z (c_H'e - product_i) / (D_i - c_H'z),
 *
 * and when b has been chosen z_i += z_b (c_bH'z_i - t_i) / (D_b - c_bH'z_b). At the start G_HH^-1
 * c_H is c_H + r (r'c_H) / (sum(w) - r'r), r = sqrt(w_H), with an intercept. No block of G is ever
 * formed: a fold costs O(h) for each candidate, whatever its size; memory for c and z.
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

#include "greedy.h"

/* Rows scored at a time, and elements between two looks for an interrupt. */
#define CHUNK 256
#define LOOK 4000000

/* The mark of a candidate that cannot be scored. */
#define ILL_POSED -1.0

static size_t thread_number(void)
{
#ifdef _OPENMP
    return (size_t) omp_get_thread_num();
#else
    return 0;
#endif
}

/* ---- candidates ----------------------------------------------------------- */

static double pivot(const greedy_state *s, size_t i)
{
    return s->lambda + s->square[i];
}

/* What remains of the pivot stands out from the rounding errors of its first value. */
static int resolved(const greedy_state *s, size_t i, double pivot)
{
    return pivot > RESOLUTION * (s->lambda + s->first_square[i]);
}

/* t_i = t: square and product of candidate i after the last choice b. Value: t / D_b. */
static double advance_products(const greedy_data *d, greedy_state *s, size_t i, double t)
{
    const size_t b = (size_t) s->selected[s->count - 1];
    const double share = t / pivot(s, b);
    s->square[i] -= t * share;
    for (size_t k = 0; k < d->v; k++)
        s->product[i + k * d->p] -= share * s->product[b + k * d->p];
    return share;
}

/* c -= share * last, and the leave-one-out score of candidate i, in one sweep. */
WIDE static double advance_and_score(const greedy_data *d, const greedy_state *s, size_t i,
                                     double *c, const double *last, double share)
{
    const double over = 1 / pivot(s, i);
    double score = 0, tightness = 0, inverse[CHUNK];
    for (size_t start = 0; start < d->m; start += CHUNK) {
        const size_t rows = d->m - start < CHUNK ? d->m - start : CHUNK;
        const double *step = last + start, *slack = s->slack + start;
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
#pragma omp simd reduction(+ : score)
            for (size_t j = 0; j < rows; j++) {
                const double e = residual[j] - slope * part[j];
                score += e * e * inverse[j];
            }
        }
    }
    const int fine = resolved(s, i, pivot(s, i)) && tightness < 1 / (RESOLUTION * RESOLUTION);
    return fine ? score : ILL_POSED;
}

static double score_cached(const greedy_data *d, greedy_state *s, size_t i)
{
    double *c = s->c + i * d->m, share = 0;
    if (s->count > 0)
        share = advance_products(d, s, i, dot(d->m, s->feature, c));
    return advance_and_score(d, s, i, c, s->last, share);
}

/* The same without the columns c: `c` is a workspace of m. */
static double score_recomputed(const greedy_data *d, greedy_state *s, size_t i, double *c)
{
    double share = 0, *shares = s->shares + i * s->k;
    greedy_feature(d, i, c);
    if (s->count > 0) {
        share = advance_products(d, s, i, dot(d->m, s->last, c));
        shares[s->count - 1] = share;
    }
    for (size_t start = 0; start < d->m && s->count > 1; start += CHUNK) {
        const size_t rows = d->m - start < CHUNK ? d->m - start : CHUNK;
        for (size_t l = 0; l < s->count - 1; l++)
            add_multiple(rows, -shares[l], s->chosen + start + l * d->m, c + start);
    }
    return advance_and_score(d, s, i, c, s->last, share);
}

/* ---- hold-out sets -------------------------------------------------------- */

/* u = G_HH^-1 u at the start, for a fold of h rows. */
static void first_solve(const greedy_data *d, const int *rows, size_t h, double *u)
{
    if (!d->intercept)
        return;
    double inner = 0, held = 0;
    for (size_t j = 0; j < h; j++) {
        inner += d->root[rows[j]] * u[j];
        held += d->weights[rows[j]];
    }
    for (size_t j = 0; j < h; j++)
        u[j] += d->root[rows[j]] * inner / (d->total - held);
}

static void first_held_out(const greedy_data *d, const greedy_folds *f, const double *from,
                           double *to)
{
    for (size_t j = 0; j < f->pairs; j++)
        to[j] = from[f->rows[j]];
    size_t at = 0;
    for (size_t g = 0; g < f->count; at += (size_t) f->h[g++])
        first_solve(d, f->rows + at, (size_t) f->h[g], to + at);
}

/* z_i after the last choice, t = t_i. */
static void advance_held_out(const greedy_folds *f, const double *z_last, double t, double *z)
{
    size_t at = 0;
    for (size_t g = 0; g < f->count; g++) {
        const size_t h = (size_t) f->h[g];
        const double step = (dot(h, f->last + at, z + at) - t) * f->over[g];
        add_multiple(h, step, z_last + at, z + at);
        at += h;
    }
}

/* Sum of squared held-out residuals of one fold with candidate i; c its column gathered by pairs.
 */
WIDE static double score_fold(const greedy_data *d, const greedy_state *s, const greedy_folds *f,
                              size_t i, size_t at, size_t h, const double *c, const double *z)
{
    const double left = pivot(s, i) - dot(h, c, z);
    if (!resolved(s, i, left))
        return ILL_POSED;
    double score = 0;
    for (size_t k = 0; k < d->v; k++) {
        const double *residual = f->residual + at + k * f->pairs;
        const double step = (dot(h, c, residual) - s->product[i + k * d->p]) / left;
#pragma omp simd reduction(+ : score)
        for (size_t j = 0; j < h; j++) {
            const double e = residual[j] + step * z[j];
            score += e * e;
        }
    }
    return score;
}

/* gathered: a workspace of pairs. */
static double score_held_out(const greedy_data *d, greedy_state *s, const greedy_folds *f, size_t i,
                             double *gathered)
{
    double *c = s->c + i * d->m, *z = f->z + i * f->pairs, score = 0;
    if (s->count > 0) {
        const double t = dot(d->m, s->feature, c);
        add_multiple(d->m, -advance_products(d, s, i, t), s->last, c);
        advance_held_out(f, f->z + (size_t) s->selected[s->count - 1] * f->pairs, t, z);
    }
    for (size_t j = 0; j < f->pairs; j++)
        gathered[j] = c[f->rows[j]];
    size_t at = 0;
    for (size_t g = 0; g < f->count; g++) {
        const size_t h = (size_t) f->h[g];
        const double part = score_fold(d, s, f, i, at, h, gathered + at, z + at);
        if (part == ILL_POSED)
            return ILL_POSED;
        score += part;
        at += h;
    }
    return score;
}

/* Held-out residuals with the feature b, whose column is s->last. */
static void choose_held_out(const greedy_data *d, const greedy_state *s, const greedy_folds *f,
                            size_t b)
{
    const double *z = f->z + b * f->pairs;
    for (size_t j = 0; j < f->pairs; j++)
        f->last[j] = s->last[f->rows[j]];
    size_t at = 0;
    for (size_t g = 0; g < f->count; g++) {
        const size_t h = (size_t) f->h[g];
        f->over[g] = 1 / (pivot(s, b) - dot(h, f->last + at, z + at));
        for (size_t k = 0; k < d->v; k++) {
            double *residual = f->residual + at + k * f->pairs;
            const double inner = dot(h, f->last + at, residual) - s->product[b + k * d->p];
            add_multiple(h, inner * f->over[g], z + at, residual);
        }
        at += h;
    }
}

/* ---- selection ------------------------------------------------------------ */

/* The state without features. */
static int start(const greedy_data *d, greedy_state *s, const greedy_folds *f)
{
    for (size_t j = 0; j < d->m; j++)
        s->slack[j] = d->intercept ? 1 - d->weights[j] / d->total : 1;
    memcpy(s->residual, d->y, d->m * d->v * sizeof(double));
    memset(s->last, 0, d->m * sizeof(double));
    for (size_t i = 0; i < d->p; i++) {
        double *c = s->c ? s->c + i * d->m : s->buffers;
        greedy_feature(d, i, c);
        s->square[i] = s->first_square[i] = dot(d->m, c, c);
        for (size_t k = 0; k < d->v; k++)
            s->product[i + k * d->p] = dot(d->m, c, s->residual + k * d->m);
        if (f)
            first_held_out(d, f, c, f->z + i * f->pairs);
    }
    for (size_t k = 0; f && k < d->v; k++)
        first_held_out(d, f, s->residual + k * d->m, f->residual + k * f->pairs);
    s->count = 0;
    return all_finite(s->square, d->p) && all_finite(s->product, d->p * d->v) ? SR_OK
                                                                              : SR_NOT_FINITE;
}

/* Sum of squared held-out residuals without features. */
static double null_score(const greedy_data *d, const greedy_state *s, const greedy_folds *f)
{
    if (f)
        return dot(f->pairs * d->v, f->residual, f->residual);
    double score = 0;
    for (size_t k = 0; k < d->v; k++)
        for (size_t j = 0; j < d->m; j++) {
            const double e = s->residual[j + k * d->m] / s->slack[j];
            score += e * e;
        }
    return score;
}

/* Scores of all open candidates, brought up to date with the last choice. */
static int sweep(const greedy_data *d, greedy_state *s, const greedy_folds *f, int threads)
{
    const size_t block = 1 + LOOK / d->m;
    for (size_t from = 0; from < d->p; from += block) {
        const size_t to = d->p - from < block ? d->p : from + block;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
        for (size_t i = from; i < to; i++) {
            if (!s->open[i])
                continue;
            double *buffer = s->buffers + thread_number() * s->buffer_size;
            s->score[i] = f      ? score_held_out(d, s, f, i, buffer)
                          : s->c ? score_cached(d, s, i)
                                 : score_recomputed(d, s, i, buffer);
        }
        R_CheckUserInterrupt();
    }
    for (size_t i = 0; i < d->p; i++) {
        if (s->open[i] && s->score[i] == ILL_POSED)
            return SR_ILL_POSED;
        if (s->open[i] && !isfinite(s->score[i]))
            return SR_NOT_FINITE;
    }
    return SR_OK;
}

/* The open candidate with the smallest score; near-ties go to the lower index. */
static size_t best_candidate(const greedy_data *d, const greedy_state *s, double null)
{
    double smallest = INFINITY;
    for (size_t i = 0; i < d->p; i++)
        if (s->open[i] && s->score[i] < smallest)
            smallest = s->score[i];
    const double limit = smallest + TIE * smallest + TIE_ZERO * null;
    size_t best = 0;
    while (!s->open[best] || s->score[best] > limit)
        best++;
    return best;
}

static void choose(const greedy_data *d, greedy_state *s, const greedy_folds *f, size_t b)
{
    const double over = 1 / pivot(s, b);
    double *c = s->c ? s->c + b * d->m : s->chosen + s->count * d->m;
    greedy_feature(d, b, s->feature);
    if (!s->c) {
        memcpy(c, s->feature, d->m * sizeof(double));
        for (size_t l = 0; l < s->count; l++)
            add_multiple(d->m, -s->shares[l + b * s->k], s->chosen + l * d->m, c);
    }
    s->last = c;
    for (size_t k = 0; k < d->v; k++)
        add_multiple(d->m, -over * s->product[b + k * d->p], c, s->residual + k * d->m);
    for (size_t j = 0; j < d->m; j++)
        s->slack[j] -= over * c[j] * c[j];
    if (f)
        choose_held_out(d, s, f, b);
    s->open[b] = 0;
    s->selected[s->count++] = (int) b;
}

int greedy_select(const greedy_data *d, greedy_state *s, const greedy_folds *f, size_t patience,
                  int threads)
{
    int status = start(d, s, f);
    const double null = null_score(d, s, f);
    size_t best = 0;
    while (status == SR_OK && s->count < s->k) {
        status = sweep(d, s, f, threads);
        if (status != SR_OK)
            break;
        const size_t b = best_candidate(d, s, null), step = s->count;
        s->path[step] = s->score[b];
        choose(d, s, f, b);
        if (s->path[step] < (1 - TIE) * s->path[best])
            best = step;
        if (patience > 0 && step - best >= patience)
            break;
    }
    return status;
}
