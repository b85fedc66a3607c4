/* greedy_problem.c: the scaled problem that greedy.c selects features for, and the fits to what it
 * has selected.
 *
 * Columns of x and y are centred by their weighted means (with an intercept), x is divided by its
 * scale, and rows are multiplied by sqrt(w). Columns of x are made when they are needed: no copy
 * of x is kept here. */
#include <math.h>
#include <string.h>

#include "methods.h"

/* Weighted mean, exact where the offset is large against the spread: `start` is nearly the mean. */
static double refined_mean(const greedy_data *d, const double *x, double start)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t j = 0; j < d->m; j++)
        sum += d->weights[j] * (x[j] - start);
    return start + sum / d->total;
}

static void scaled_column(size_t m, const double *x, const double *root, double centre,
                          double scale, double *to)
{
    /* 1 / 1e-310 overflows: twice 2^-100 before. */
    const double lift = scale < 1e-300 ? 0x1p100 : 1, factor = 1 / (lift * scale);
#pragma omp simd
    for (size_t j = 0; j < m; j++)
        to[j] = root[j] * (lift * (x[j] - centre) * factor);
}

void greedy_feature(const greedy_data *d, size_t i, double *to)
{
    scaled_column(d->m, d->x + i * d->m, d->root, d->centre[i], d->scale[i], to);
}

void greedy_scale(greedy_data *d)
{
    d->total = 0;
    for (size_t j = 0; j < d->m; j++) {
        d->root[j] = sqrt(d->weights[j]);
        d->total += d->weights[j];
    }
    if (d->intercept)
        for (size_t i = 0; i < d->p; i++)
            d->centre[i] = refined_mean(d, d->x + i * d->m, d->centre[i]);
    for (size_t k = 0; k < d->v; k++) {
        double *column = d->y + k * d->m;
        d->y_mean[k] = 0;
        if (d->intercept) {
            d->y_mean[k] = refined_mean(d, column, 0);
            d->y_mean[k] = refined_mean(d, column, d->y_mean[k]);
        }
        scaled_column(d->m, column, d->root, d->y_mean[k], 1, column);
    }
}

/* By QR of [X; sqrt(lambda) I] = Q R: the leading blocks of R belong to the first features, and
 * nothing is squared. */
int greedy_path(const greedy_data *d, double lambda, double *beta, path_work *w)
{
    const size_t m = d->m, k = d->p, v = d->v, n = m + k;
    memset(w->stacked, 0, n * k * sizeof(double));
    memset(w->target, 0, n * v * sizeof(double));
    for (size_t i = 0; i < k; i++) {
        greedy_feature(d, i, w->stacked + i * n);
        w->stacked[m + i + i * n] = sqrt(lambda);
    }
    for (size_t l = 0; l < v; l++)
        memcpy(w->target + l * n, d->y + l * m, m * sizeof(double));
    const int status = qr_factor(n, k, w->stacked, n, w->tau, w->lapack, w->lapack_size);
    if (status != SR_OK)
        return status;
    qr_apply('L', 'T', n, v, k, w->stacked, n, w->tau, w->target, n, w->lapack, w->lapack_size);
    for (size_t i = 0; i < k; i++)
        for (size_t j = i; j < k; j++)
            w->lower[j + i * k] = w->stacked[i + j * n];
    memset(beta, 0, k * v * k * sizeof(double));
    for (size_t step = 0; step < k; step++) {
        double *b = beta + step * k * v;
        for (size_t l = 0; l < v; l++)
            memcpy(b + l * k, w->target + l * n, (step + 1) * sizeof(double));
        solve_lower_left('T', step + 1, v, w->lower, k, b, k);
    }
    return all_finite(beta, k * v * k) ? SR_OK : SR_NOT_FINITE;
}
