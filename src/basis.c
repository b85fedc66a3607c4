/* basis.c: choosing basis vectors by looking at y.
 *
 * Randomized greedy selection (Pahikkala, Suominen, Boberg 2012, Algorithm 1) grows a partial
 * Cholesky factorization F F' of the kernel matrix (partial_cholesky.c): of some rows drawn at
 * random the one is added that leaves the smallest training error
 * sum_i w_i (y_i - f(x_i))^2 of the fit with the basis vectors so far and itself. In the columns of
 * F that fit is an ordinary ridge regression (cache.c), so a candidate is one more feature
 * x = sqrt(w) u / sqrt(u_h), centred with an intercept, and with G as in greedy.c
 *
 *     c = G x = x - sum_s c_s (c_s'x) / D_s,   D = lambda + x'c,   residual r - c (x'r) / D.
 *
 * The candidates of a step are the columns of one block: three products of m q k multiply-adds
 * for q candidates and k basis vectors, O(m n) for each candidate.
 *
 * A row whose u_h has sunk into rounding errors is spanned by the basis and never chosen; a step
 * that meets only such rows adds none. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "basis.h"

/* ---- randomized greedy selection ------------------------------------------ */

static double weighted_mean(const greedy_data *d, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < d->m; i++)
        sum += d->weights[i] * x[i];
    return sum / d->total;
}

static double sum_squares(size_t length, const double *x)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < length; i++)
        sum += x[i] * x[i];
    return sum;
}

/* Kernel columns of the candidates, and u. */
static int candidate_columns(greedy_basis *s, const kernel_columns *kernel, size_t count)
{
    const size_t m = s->f.m;
    kernel->fill(kernel->context, s->candidate, count, s->column);
    if (!all_finite(s->column, m * count))
        return SR_NOT_FINITE;
    for (size_t j = 0; j < count; j++) {
        double *self = s->column + (size_t) s->candidate[j] + j * m;
        *self += s->jitter;
        s->self[j] = *self;
    }
    cholesky_residuals(&s->f, s->candidate, count, s->column, s->gathered);
    for (size_t j = 0; j < count; j++) {
        const double left = s->column[(size_t) s->candidate[j] + j * m];
        s->left[j] = left > RESOLUTION * s->self[j] ? left : 0;
    }
    return SR_OK;
}

/* x of candidate j; zero where it is spanned. */
static void candidate_feature(const greedy_data *d, greedy_basis *s, size_t j)
{
    const double *u = s->column + j * d->m;
    const double centre = d->intercept ? weighted_mean(d, u) : 0;
    const double scale = s->left[j] > 0 ? 1 / sqrt(s->left[j]) : 0;
    double *x = s->feature + j * d->m;
    for (size_t i = 0; i < d->m; i++)
        x[i] = d->root[i] * (u[i] - centre) * scale;
}

/* x'r and D of the candidates, and c over their x. */
static void shrink_features(const greedy_data *d, greedy_basis *s, size_t count)
{
    const size_t m = d->m, k = s->f.rank;
    gemm('T', 'N', count, d->v, m, 1, s->feature, m, d->y, m, 0, s->product, count);
    if (k > 0)
        gemm('T', 'N', k, count, m, 1, s->shrunk, m, s->feature, m, 0, s->gathered, k);
    for (size_t j = 0; j < count; j++) {
        const double first = s->lambda + sum_squares(m, s->feature + j * m);
        s->pivot[j] = first;
        for (size_t l = 0; l < k; l++) {
            double *t = s->gathered + l + j * k;
            s->pivot[j] -= *t * *t / s->chosen_pivot[l];
            *t /= s->chosen_pivot[l];
        }
        if (!(s->pivot[j] > RESOLUTION * first))
            s->left[j] = 0;
    }
    if (k > 0)
        gemm('N', 'N', m, count, k, -1, s->shrunk, m, s->gathered, k, 1, s->feature, m);
}

/* Training error with candidate j, whose feature has become its column of c. */
static double training_error(const greedy_data *d, const greedy_basis *s, size_t count, size_t j)
{
    const double *c = s->feature + j * d->m;
    double error = 0;
    for (size_t k = 0; k < d->v; k++) {
        const double *r = d->y + k * d->m;
        const double slope = s->product[j + k * count] / s->pivot[j];
#pragma omp simd reduction(+ : error)
        for (size_t i = 0; i < d->m; i++) {
            const double e = r[i] - slope * c[i];
            error += e * e;
        }
    }
    return error;
}

/* Training errors of the candidates; INFINITY for those that are spanned. */
static int score_candidates(const greedy_data *d, greedy_basis *s, const kernel_columns *kernel,
                            size_t count)
{
    const int status = candidate_columns(s, kernel, count);
    if (status != SR_OK)
        return status;
    for (size_t j = 0; j < count; j++)
        candidate_feature(d, s, j);
    shrink_features(d, s, count);
    for (size_t j = 0; j < count; j++) {
        s->score[j] = s->left[j] > 0 ? training_error(d, s, count, j) : INFINITY;
        if (s->left[j] > 0 && !isfinite(s->score[j]))
            return SR_NOT_FINITE;
    }
    return SR_OK;
}

/* The candidate of the smallest error; near-ties go to the lower row. `count` where all are
 * spanned. */
static size_t best_candidate(const greedy_basis *s, size_t count)
{
    double smallest = INFINITY;
    for (size_t j = 0; j < count; j++)
        if (s->score[j] < smallest)
            smallest = s->score[j];
    const double limit = smallest + TIE * smallest + TIE_ZERO * s->null;
    size_t best = count;
    for (size_t j = 0; j < count; j++)
        if (s->left[j] > 0 && s->score[j] <= limit &&
            (best == count || s->candidate[j] < s->candidate[best]))
            best = j;
    return best;
}

static void add_candidate(const greedy_data *d, greedy_basis *s, size_t count, size_t j)
{
    const size_t m = d->m, k = s->f.rank;
    const double scale = 1 / sqrt(s->left[j]), *c = s->feature + j * m;
    for (size_t i = 0; i < m; i++)
        s->f.factor[i + k * m] = scale * s->column[i + j * m];
    memcpy(s->shrunk + k * m, c, m * sizeof(double));
    s->chosen_pivot[k] = s->pivot[j];
    for (size_t l = 0; l < d->v; l++)
        for (size_t i = 0; i < m; i++)
            d->y[i + l * m] -= s->product[j + l * count] / s->pivot[j] * c[i];
    s->f.rows[s->f.rank++] = s->candidate[j];
}

/* Takes a row from the open ones, which stay in ascending order. */
static void close_row(greedy_basis *s, int row)
{
    size_t i = 0;
    while (s->open[i] != row)
        i++;
    memmove(s->open + i, s->open + i + 1, (--s->open_count - i) * sizeof(int));
}

int greedy_basis_select(const greedy_data *d, greedy_basis *s, const kernel_columns *kernel)
{
    const int *draw = s->draws;
    s->f.rank = 0;
    s->null = sum_squares(d->m * d->v, d->y);
    for (size_t step = 0; step < s->f.n; step++) {
        const size_t count = (size_t) s->counts[step];
        for (size_t j = 0; j < count; j++)
            s->candidate[j] = s->open[draw[j]];
        draw += count;
        const int status = score_candidates(d, s, kernel, count);
        if (status != SR_OK)
            return status;
        const size_t best = best_candidate(s, count);
        if (best < count) {
            add_candidate(d, s, count, best);
            close_row(s, s->candidate[best]);
        }
        R_CheckUserInterrupt();
    }
    return SR_OK;
}
