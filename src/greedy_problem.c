/* greedy_problem.c: the scaled problem that greedy.c selects features for, and the fits to what it
 * has selected.
 *
 * Columns of x and y are centred by their weighted means (with an intercept), x is divided by its
 * scale, and rows are multiplied by sqrt(w). Columns of x are made when they are needed: no copy
 * of x is kept here. */
#include <math.h>
#include <string.h>

#include "greedy.h"
#include "linalg.h"

/* Weighted mean, exact where the offset is large against the standard deviation: `start` is nearly
 * the mean. */
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

void greedy_scale(greedy_data *d, memory from)
{
    double *root = new_doubles(from, d->m), *centre = new_doubles(from, d->p);
    double *y = new_doubles(from, d->m * d->v), *y_mean = new_doubles(from, d->v);
    d->total = 0;
    for (size_t j = 0; j < d->m; j++) {
        root[j] = sqrt(d->weights[j]);
        d->total += d->weights[j];
    }
    for (size_t i = 0; i < d->p; i++)
        centre[i] = d->intercept ? refined_mean(d, d->x + i * d->m, d->centre[i]) : d->centre[i];
    for (size_t k = 0; k < d->v; k++) {
        const double *column = d->y + k * d->m;
        y_mean[k] = 0;
        if (d->intercept) {
            y_mean[k] = refined_mean(d, column, 0);
            y_mean[k] = refined_mean(d, column, y_mean[k]);
        }
        scaled_column(d->m, column, root, y_mean[k], 1, y + k * d->m);
    }
    d->root = root;
    d->centre = centre;
    d->y = y;
    d->y_mean = y_mean;
}

/* By QR of [X; sqrt(lambda) I] = Q R: the leading blocks of R belong to the first features, and
 * nothing is squared. */
int greedy_path(const greedy_data *d, double lambda, double *beta, memory from)
{
    const size_t m = d->m, k = d->p, v = d->v, n = m + k, lwork = qr_work(n, v);
    double *stacked = new_doubles(from, n * k), *target = new_doubles(from, n * v);
    double *tau = new_doubles(from, k), *lower = new_doubles(from, k * k);
    double *work = new_doubles(from, lwork);
    memset(stacked, 0, n * k * sizeof(double));
    memset(target, 0, n * v * sizeof(double));
    for (size_t i = 0; i < k; i++) {
        greedy_feature(d, i, stacked + i * n);
        stacked[m + i + i * n] = sqrt(lambda);
    }
    for (size_t l = 0; l < v; l++)
        memcpy(target + l * n, d->y + l * m, m * sizeof(double));
    const int status = qr_factor(n, k, stacked, n, tau, work, lwork);
    if (status != SR_OK)
        return status;
    qr_apply('L', 'T', n, v, k, stacked, n, tau, target, n, work, lwork);
    for (size_t i = 0; i < k; i++)
        for (size_t j = i; j < k; j++)
            lower[j + i * k] = stacked[i + j * n];
    memset(beta, 0, k * v * k * sizeof(double));
    for (size_t step = 0; step < k; step++) {
        double *b = beta + step * k * v;
        for (size_t l = 0; l < v; l++)
            memcpy(b + l * k, target + l * n, (step + 1) * sizeof(double));
        solve_lower_left('T', step + 1, v, lower, k, b, k);
    }
    return all_finite(beta, k * v * k) ? SR_OK : SR_NOT_FINITE;
}
