/* rls2_bank.c: kernels that are summed with weights, as the training rows see them.
 *
 * Contract: a kernel is held on all m rows, as a factor K = F F' (m x rank), as a matrix (m x m),
 * or not at all: then its values are computed in blocks of rows whenever they are needed. Training
 * rows (t, weights w > 0) see W^1/2 P K P' W^1/2 with P = I - 1 w'/sum(w) where kernels are centred
 * in feature space, else P = I. Kernels themselves are never copied, so that a fold costs no
 * memory: rows, weights and centring act on vectors, and on sums of kernels. A bank that is not
 * const is written in its workspaces only. */
#include <R_ext/Utils.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg.h"
#include "rls2.h"
#include "vector.h"

/* Workspace of computed kernels: a block of values, and kernel_work(). */
static size_t block_size(const kernel_bank *bank)
{
    size_t most = 0;
    for (size_t i = 0; i < bank->n; i++) {
        const kernel_term *term = bank->terms + i;
        if (term->factor || term->matrix)
            continue;
        point_set rows = term->points;
        rows.rows = ROW_BLOCK;
        const size_t size = bank->m * ROW_BLOCK + kernel_work(&term->kernel, term->points, rows);
        most = size > most ? size : most;
    }
    return most;
}

kernel_bank new_bank(size_t m, size_t n, const kernel_term *terms, const double *weights,
                     int center, memory from)
{
    kernel_bank bank = {0};
    int *rows = new_ints(from, m);
    double *root = new_doubles(from, m);
    bank.m = m;
    bank.n = n;
    bank.terms = terms;
    bank.center = center;
    for (size_t j = 0; j < m; j++)
        if (weights[j] > 0) {
            rows[bank.t] = (int) j;
            root[bank.t++] = sqrt(weights[j]);
            bank.sum_weights += weights[j];
        }
    bank.rows = rows;
    bank.root = root;
    bank.image = new_doubles(from, m);
    bank.block = new_doubles(from, block_size(&bank));
    return bank;
}

void bank_response(const kernel_bank *bank, size_t v, const double *y, int intercept, double *mean,
                   double *to)
{
    for (size_t l = 0; l < v; l++) {
        const double *from = y + l * bank->m;
        double sum = 0;
        for (size_t j = 0; j < bank->t; j++)
            sum += bank->root[j] * bank->root[j] * from[bank->rows[j]];
        mean[l] = intercept ? sum / bank->sum_weights : 0;
        for (size_t j = 0; j < bank->t; j++)
            to[j + l * bank->t] = bank->root[j] * (from[bank->rows[j]] - mean[l]);
    }
}

void bank_scatter(const kernel_bank *bank, const double *c, double *to)
{
    const double mean = bank->center ? dot(bank->t, bank->root, c) / bank->sum_weights : 0;
    memset(to, 0, bank->m * sizeof(double));
    for (size_t j = 0; j < bank->t; j++)
        to[bank->rows[j]] = bank->root[j] * (c[j] - bank->root[j] * mean);
}

void bank_gather(const kernel_bank *bank, const double *image, double *v)
{
    double mean = 0;
    if (bank->center) {
        for (size_t j = 0; j < bank->t; j++)
            mean += bank->root[j] * bank->root[j] * image[bank->rows[j]];
        mean /= bank->sum_weights;
    }
    for (size_t j = 0; j < bank->t; j++)
        v[j] = bank->root[j] * (image[bank->rows[j]] - mean);
}

/* Values of a computed kernel, all rows with rows start, ..., start + count - 1. */
static const double *computed_block(kernel_bank *bank, const kernel_term *term, size_t start,
                                    size_t count)
{
    point_set rows = term->points;
    rows.x += start;
    rows.rows = count;
    kernel_block(&term->kernel, term->points, rows, term->centre, bank->block, NULL, bank->m,
                 bank->block + bank->m * ROW_BLOCK, 1);
    return bank->block;
}

static size_t block_rows(const kernel_bank *bank, size_t start)
{
    return bank->m - start < ROW_BLOCK ? bank->m - start : ROW_BLOCK;
}

void bank_apply(kernel_bank *bank, size_t i, const double *scattered, double *to)
{
    const kernel_term *term = bank->terms + i;
    const size_t m = bank->m;
    memset(to, 0, m * sizeof(double));
    if (term->factor) {
        for (size_t k = 0; k < term->rank; k++) {
            const double *column = term->factor + k * m;
            add_multiple(m, dot(m, column, scattered), column, to);
        }
    } else if (term->matrix) {
        symv_lower(m, term->matrix, m, scattered, to);
    } else {
        for (size_t start = 0; start < m; start += ROW_BLOCK) {
            const size_t count = block_rows(bank, start);
            const double *values = computed_block(bank, term, start, count);
            R_CheckUserInterrupt();
            gemv('N', m, count, 1, values, m, scattered + start, 1, to);
        }
    }
}

double bank_quadratic(kernel_bank *bank, size_t i, const double *scattered)
{
    const kernel_term *term = bank->terms + i;
    if (term->factor) {
        double sum = 0;
        for (size_t k = 0; k < term->rank; k++) {
            const double share = dot(bank->m, term->factor + k * bank->m, scattered);
            sum += share * share;
        }
        return sum;
    }
    bank_apply(bank, i, scattered, bank->image);
    return dot(bank->m, scattered, bank->image);
}

void bank_columns(const kernel_bank *bank, size_t i, double *to)
{
    const kernel_term *term = bank->terms + i;
    for (size_t k = 0; k < term->rank; k++)
        bank_gather(bank, term->factor + k * bank->m, to + k * bank->t);
}

void bank_add(kernel_bank *bank, size_t i, double scale, double *sum)
{
    const kernel_term *term = bank->terms + i;
    const size_t t = bank->t, m = bank->m;
    const int *rows = bank->rows;
    if (term->matrix) {
        for (size_t l = 0; l < t; l++) {
            const double *column = term->matrix + (size_t) rows[l] * m;
            for (size_t j = l; j < t; j++)
                sum[j + l * t] += scale * column[rows[j]];
        }
        return;
    }
    /* Training rows are in increasing order: those of a block follow one another. */
    size_t l = 0;
    for (size_t start = 0; start < m; start += ROW_BLOCK) {
        const size_t count = block_rows(bank, start);
        const double *values = computed_block(bank, term, start, count);
        for (; l < t && (size_t) rows[l] < start + count; l++) {
            const double *column = values + ((size_t) rows[l] - start) * m;
            for (size_t j = l; j < t; j++)
                sum[j + l * t] += scale * column[rows[j]];
        }
    }
}

/* The means of the rows of a symmetric sum, weighted, and their mean; then
 * k(j, l) - mean_j - mean_l + mean. */
static void centre_sum(const kernel_bank *bank, double *sum, double *means)
{
    const size_t t = bank->t;
    double mean = 0;
    memset(means, 0, t * sizeof(double));
    for (size_t l = 0; l < t; l++) {
        const double weight = bank->root[l] * bank->root[l];
        means[l] += weight * sum[l + l * t];
        for (size_t j = l + 1; j < t; j++) {
            means[j] += weight * sum[j + l * t];
            means[l] += bank->root[j] * bank->root[j] * sum[j + l * t];
        }
    }
    for (size_t j = 0; j < t; j++) {
        means[j] /= bank->sum_weights;
        mean += bank->root[j] * bank->root[j] * means[j] / bank->sum_weights;
    }
    for (size_t l = 0; l < t; l++)
        for (size_t j = l; j < t; j++)
            sum[j + l * t] += mean - means[j] - means[l];
}

void bank_finish(const kernel_bank *bank, double *sum, double *means)
{
    const size_t t = bank->t;
    if (bank->center)
        centre_sum(bank, sum, means);
    for (size_t l = 0; l < t; l++)
        for (size_t j = l; j < t; j++)
            sum[j + l * t] *= bank->root[j] * bank->root[l];
}

static point_set one_row(const kernel_term *term, size_t row)
{
    point_set point = term->points;
    point.x += row;
    point.rows = 1;
    return point;
}

/* k(j, j) of a row of a kernel without factor. */
static double self(kernel_bank *bank, const kernel_term *term, size_t j)
{
    if (term->matrix)
        return term->matrix[j + j * bank->m];
    double value = 0;
    const point_set row = one_row(term, j);
    kernel_block(&term->kernel, row, row, term->centre, &value, NULL, 1, bank->block, 1);
    return value;
}

/* sum_j w_j k(j, j) over all rows, weights w (m); centred: minus sum_jl w_j w_l k(j, l) / total,
 * which is 0 where it is rounding. */
static double plain_trace(kernel_bank *bank, size_t i, const double *weights, double total,
                          int centred)
{
    double sum = 0;
    for (size_t j = 0; j < bank->m; j++)
        if (weights[j] > 0)
            sum += weights[j] * self(bank, bank->terms + i, j);
    if (!centred || !isfinite(sum))
        return sum;
    const double left = sum - bank_quadratic(bank, i, weights) / total;
    return left > (double) bank->t * DBL_EPSILON * sum ? left : 0;
}

/* The same from a factor, column by column: nothing cancels. */
static double factor_trace(const kernel_bank *bank, const kernel_term *term, const double *weights,
                           double total, int centred)
{
    const double rounding = (double) bank->t * DBL_EPSILON;
    double sum = 0, raw = 0;
    for (size_t k = 0; k < term->rank; k++) {
        const double *column = term->factor + k * bank->m;
        const double mean = centred ? dot(bank->m, weights, column) / total : 0;
        for (size_t j = 0; j < bank->m; j++) {
            sum += weights[j] * (column[j] - mean) * (column[j] - mean);
            raw += weights[j] * column[j] * column[j];
        }
    }
    return !isfinite(raw) ? raw : sum > rounding * rounding * raw ? sum : 0;
}

static double trace_of(kernel_bank *bank, size_t i, const double *weights, double total,
                       int centred)
{
    const kernel_term *term = bank->terms + i;
    return term->factor ? factor_trace(bank, term, weights, total, centred)
                        : plain_trace(bank, i, weights, total, centred);
}

void bank_traces(kernel_bank *bank, double *trace, memory from)
{
    double *weights = new_doubles(from, bank->m);
    memset(weights, 0, bank->m * sizeof(double));
    for (size_t j = 0; j < bank->t; j++)
        weights[bank->rows[j]] = bank->root[j] * bank->root[j];
    for (size_t i = 0; i < bank->n; i++)
        trace[i] = trace_of(bank, i, weights, bank->sum_weights, bank->center);
}

/* The variance of the training rows whose y has this sign. weights: m, workspace. */
static double class_variance(kernel_bank *bank, size_t i, const double *y, double sign,
                             double *weights)
{
    double total = 0;
    memset(weights, 0, bank->m * sizeof(double));
    for (size_t j = 0; j < bank->t; j++) {
        if (y[bank->rows[j]] * sign <= 0)
            continue;
        weights[bank->rows[j]] = bank->root[j] * bank->root[j];
        total += weights[bank->rows[j]];
    }
    return total > 0 ? trace_of(bank, i, weights, total, 1) / total : 0;
}

void bank_variances(kernel_bank *bank, size_t v, const double *y, double *variance, memory from)
{
    double *weights = new_doubles(from, bank->m);
    for (size_t l = 0; l < v; l++)
        for (size_t i = 0; i < bank->n; i++)
            *variance++ = class_variance(bank, i, y + l * bank->m, 1, weights) +
                          class_variance(bank, i, y + l * bank->m, -1, weights);
}
