/* basis.c: choosing basis vectors by looking at y.
 *
 * Randomized greedy selection (Pahikkala, Suominen, Boberg 2012, Algorithm 1) grows a partial
 * Cholesky factorization F F' of the kernel matrix (partial_cholesky.c): of some rows drawn at
 * random the one is added that leaves the smallest training error
 * sum_i w_i (y_i - f(x_i))^2 of the fit with the basis vectors so far and itself. In the columns of
 * F that fit is an ordinary ridge regression (train.c), so a candidate is one more feature
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
#include "linalg.h"

/* The fit with the basis vectors so far. */
typedef struct {
    double lambda;
    partial_cholesky *f; /* k columns */
    double *shrunk;      /* m x k: their c */
    double *pivot;       /* k: their D */
    double *residual;    /* m x v: r */
    double null;         /* training error without basis vectors */
} basis_fit;

/* The candidates of a step, at most q. */
typedef struct {
    size_t count;
    int *row;         /* count */
    double *column;   /* m x count: u */
    double *feature;  /* m x count: x, then c */
    double *gathered; /* k x count */
    double *product;  /* count x v: x'r */
    double *self;     /* count: k(x, x) + jitter */
    double *left;     /* count: u_h, 0 where the candidate is spanned */
    double *pivot;    /* count: D */
    double *error;    /* count: training errors */
} basis_candidates;

/* Rows not chosen, ascending. */
typedef struct {
    size_t count;
    int *row;
} open_rows;

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

static basis_fit new_fit(const greedy_data *d, const basis_request *request, partial_cholesky *f,
                         memory from)
{
    basis_fit fit = {request->lambda,
                     f,
                     new_doubles(from, d->m * f->n),
                     new_doubles(from, f->n),
                     new_doubles(from, d->m * d->v),
                     sum_squares(d->m * d->v, d->y)};
    memcpy(fit.residual, d->y, d->m * d->v * sizeof(double));
    return fit;
}

static basis_candidates new_candidates(const greedy_data *d, const basis_request *request,
                                       memory from)
{
    size_t q = 0;
    for (size_t step = 0; step < request->steps; step++)
        q = (size_t) request->counts[step] > q ? (size_t) request->counts[step] : q;
    basis_candidates c = {0};
    c.row = new_ints(from, q);
    c.column = new_doubles(from, d->m * q);
    c.feature = new_doubles(from, d->m * q);
    c.gathered = new_doubles(from, request->steps * q);
    c.product = new_doubles(from, q * d->v);
    c.self = new_doubles(from, q);
    c.left = new_doubles(from, q);
    c.pivot = new_doubles(from, q);
    c.error = new_doubles(from, q);
    return c;
}

static open_rows new_open_rows(const basis_request *request, memory from)
{
    open_rows open = {request->open_count, new_ints(from, request->open_count)};
    memcpy(open.row, request->open, open.count * sizeof(int));
    return open;
}

/* Kernel columns of the candidates, and u. */
static int candidate_columns(const partial_cholesky *f, double jitter, const kernel_columns *kernel,
                             basis_candidates *c)
{
    const size_t m = f->m;
    kernel->fill(kernel->context, c->row, c->count, c->column);
    if (!all_finite(c->column, m * c->count))
        return SR_NOT_FINITE;
    for (size_t j = 0; j < c->count; j++) {
        double *self = c->column + (size_t) c->row[j] + j * m;
        *self += jitter;
        c->self[j] = *self;
    }
    cholesky_residuals(f, c->row, c->count, c->column, c->gathered);
    for (size_t j = 0; j < c->count; j++) {
        const double left = c->column[(size_t) c->row[j] + j * m];
        c->left[j] = left > RESOLUTION * c->self[j] ? left : 0;
    }
    return SR_OK;
}

/* x of candidate j; zero where it is spanned. */
static void candidate_feature(const greedy_data *d, basis_candidates *c, size_t j)
{
    const double *u = c->column + j * d->m;
    const double centre = d->intercept ? weighted_mean(d, u) : 0;
    const double scale = c->left[j] > 0 ? 1 / sqrt(c->left[j]) : 0;
    double *x = c->feature + j * d->m;
    for (size_t i = 0; i < d->m; i++)
        x[i] = d->root[i] * (u[i] - centre) * scale;
}

/* x'r and D of the candidates, and c over their x. */
static void shrink_features(const basis_fit *fit, size_t v, basis_candidates *c)
{
    const size_t m = fit->f->m, k = fit->f->rank, count = c->count;
    gemm('T', 'N', count, v, m, 1, c->feature, m, fit->residual, m, 0, c->product, count);
    if (k > 0)
        gemm('T', 'N', k, count, m, 1, fit->shrunk, m, c->feature, m, 0, c->gathered, k);
    for (size_t j = 0; j < count; j++) {
        const double first = fit->lambda + sum_squares(m, c->feature + j * m);
        c->pivot[j] = first;
        for (size_t l = 0; l < k; l++) {
            double *t = c->gathered + l + j * k;
            c->pivot[j] -= *t * *t / fit->pivot[l];
            *t /= fit->pivot[l];
        }
        if (!(c->pivot[j] > RESOLUTION * first))
            c->left[j] = 0;
    }
    if (k > 0)
        gemm('N', 'N', m, count, k, -1, fit->shrunk, m, c->gathered, k, 1, c->feature, m);
}

/* Training error with candidate j, whose feature has become its column of c. */
static double training_error(const basis_fit *fit, size_t v, const basis_candidates *q, size_t j)
{
    const size_t m = fit->f->m;
    const double *c = q->feature + j * m;
    double error = 0;
    for (size_t k = 0; k < v; k++) {
        const double *r = fit->residual + k * m;
        const double slope = q->product[j + k * q->count] / q->pivot[j];
#pragma omp simd reduction(+ : error)
        for (size_t i = 0; i < m; i++) {
            const double e = r[i] - slope * c[i];
            error += e * e;
        }
    }
    return error;
}

/* Training errors of the candidates, whose u is there; INFINITY for those that are spanned. */
static int candidate_errors(const greedy_data *d, const basis_fit *fit, basis_candidates *c)
{
    for (size_t j = 0; j < c->count; j++)
        candidate_feature(d, c, j);
    shrink_features(fit, d->v, c);
    for (size_t j = 0; j < c->count; j++) {
        c->error[j] = c->left[j] > 0 ? training_error(fit, d->v, c, j) : INFINITY;
        if (c->left[j] > 0 && !isfinite(c->error[j]))
            return SR_NOT_FINITE;
    }
    return SR_OK;
}

/* The candidate of the smallest error; near-ties go to the lower row. The number of candidates
 * where all are spanned. */
static size_t best_candidate(const basis_candidates *c, double null)
{
    double smallest = INFINITY;
    for (size_t j = 0; j < c->count; j++)
        if (c->error[j] < smallest)
            smallest = c->error[j];
    const double limit = smallest + TIE * smallest + TIE_ZERO * null;
    size_t best = c->count;
    for (size_t j = 0; j < c->count; j++)
        if (c->left[j] > 0 && c->error[j] <= limit &&
            (best == c->count || c->row[j] < c->row[best]))
            best = j;
    return best;
}

static void add_candidate(basis_fit *fit, size_t v, const basis_candidates *q, size_t j)
{
    partial_cholesky *f = fit->f;
    const size_t m = f->m, k = f->rank;
    const double scale = 1 / sqrt(q->left[j]), *c = q->feature + j * m;
    for (size_t i = 0; i < m; i++)
        f->factor[i + k * m] = scale * q->column[i + j * m];
    memcpy(fit->shrunk + k * m, c, m * sizeof(double));
    fit->pivot[k] = q->pivot[j];
    for (size_t l = 0; l < v; l++)
        for (size_t i = 0; i < m; i++)
            fit->residual[i + l * m] -= q->product[j + l * q->count] / q->pivot[j] * c[i];
    f->rows[f->rank++] = q->row[j];
}

static void close_row(open_rows *open, int row)
{
    size_t i = 0;
    while (open->row[i] != row)
        i++;
    memmove(open->row + i, open->row + i + 1, (--open->count - i) * sizeof(int));
}

int basis_greedy(const greedy_data *d, const basis_request *request, const kernel_columns *kernel,
                 partial_cholesky *f, memory from)
{
    const int *draw = request->draws;
    basis_fit fit = new_fit(d, request, f, from);
    basis_candidates c = new_candidates(d, request, from);
    open_rows open = new_open_rows(request, from);
    for (size_t step = 0; step < request->steps; step++) {
        c.count = (size_t) request->counts[step];
        for (size_t j = 0; j < c.count; j++)
            c.row[j] = open.row[draw[j]];
        draw += c.count;
        int status = candidate_columns(f, request->jitter, kernel, &c);
        if (status == SR_OK)
            status = candidate_errors(d, &fit, &c);
        if (status != SR_OK)
            return status;
        const size_t best = best_candidate(&c, fit.null);
        if (best < c.count) {
            add_candidate(&fit, d->v, &c, best);
            close_row(&open, c.row[best]);
        }
        R_CheckUserInterrupt();
    }
    return SR_OK;
}
