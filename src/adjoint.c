/* adjoint.c: derivatives of the held-out squared error by the values of the kernel and by lambda.
 *
 * L is the sum over folds of sum_H w e^2 at one lambda. A refit of a fold without the rows O and
 * the basis vectors E, in coefficients of the kernel alpha = C^-T b, obeys
 *
 *     sum_T w (y_i - b0 - k_i'alpha) k_i = lambda K_BB alpha    (but for the rows E: alpha_E = 0),
 *     sum_T w (y_i - b0 - k_i'alpha) = 0.
 *
 * With the multipliers beta = C^-T q and q0 of these equations (adjoint_fold.c) the derivatives of
 * what the fold adds to L are
 *
 *     by k_i, i in T:       w_i (r_i beta - (k_i'beta + q0) alpha),   r_i = y_i - b0 - k_i'alpha,
 *     by k_i, i in O:       -2 w_i e_i alpha [in H],
 *     by K_BB:              -lambda beta alpha',
 *     by lambda:            -beta'K_BB alpha = -q'b.
 *
 * No derivative of the Cholesky factor is needed, and none of the constraint alpha_E = 0. Over all
 * folds, and with all rows in place of T, the first line is one product:
 *
 *     w_i (sum_f (y_i - b0) beta - q0 alpha  -  C^-T (M + M') z_i),    M = sum_f q b',
 *
 * from which every fold takes its own share back for its rows O: what is left there of both lines
 * is -w_i e_i beta - g_i alpha. So the price beside that of the refits is 2 m n^2 for this product
 * and 2 v n^2 for every fold. Rows of basis vectors hold K_BB: its derivatives are added to theirs.
 */
#include <R_ext/Utils.h>
#include <string.h>

#include "adjoint.h"
#include "linalg.h"
#include "vector.h"

/* Points of folds by update that are taken together. */
#define BATCH 256

/* Sums over folds. Where folds times outputs are more than half the rows, what belongs to kernel
 * values is gathered in the coordinates b, and turned into those of alpha by C^-T at the end. */
typedef struct {
    const double *cholesky; /* of K_BB */
    int late;
    double *middle;     /* n x n: M */
    double *constant;   /* n: sum_f (b0 beta + q0 alpha), over outputs too */
    double *beta;       /* n x v: sum_f beta */
    double *expansions; /* n x (2 v folds of a batch): alpha, then beta */
    double *by_kernel;  /* n x m */
    double loss;
} adjoint_sums;

/* Space for the adjoints of a batch. */
typedef struct {
    fold_adjoint *fold;
    int *ok;
} adjoint_batch;

void plan_adjoint_forms(size_t n, size_t folds, const int *h, const int *e, int *form)
{
    const double size = (double) n;
    for (size_t i = 0; i < folds; i++) {
        const double q = h[i] + e[i], left = size - e[i];
        const double update = q * size * size + q * q * size + q * q * q / 3;
        const double retrain = h[i] * size * size + left * left * left / 3 + 8 * e[i] * size * size;
        form[i] = update <= retrain ? FORM_UPDATE : FORM_RETRAIN;
    }
}

/* How many folds from `start` on go together. */
static size_t batch_size(const adjoint_request *request, size_t start)
{
    size_t count = 0, points = 0;
    if (request->form[start] == FORM_RETRAIN)
        return 1;
    while (start + count < request->count && request->form[start + count] == FORM_UPDATE) {
        points += fold_points(request->folds + start + count);
        if (count > 0 && points > BATCH)
            break;
        count++;
    }
    return count;
}

/* The largest numbers over batches and folds. */
typedef struct {
    size_t folds, points, rows, removed;
} batch_limits;

static batch_limits limits_of(const adjoint_request *request)
{
    batch_limits most = {0};
    for (size_t start = 0, count; start < request->count; start += count) {
        count = batch_size(request, start);
        size_t points = 0, rows = 0;
        for (size_t i = start; i < start + count; i++) {
            points += fold_points(request->folds + i);
            rows += request->folds[i].h;
            most.removed = larger(most.removed, request->folds[i].e);
        }
        most.folds = larger(most.folds, count);
        most.rows = larger(most.rows, rows);
        if (request->form[start] == FORM_UPDATE)
            most.points = larger(most.points, points);
    }
    return most;
}

static adjoint_batch new_batch(const ridge *r, batch_limits most, memory from)
{
    const size_t n = r->n, v = r->v;
    adjoint_batch batch = {from(most.folds, sizeof(fold_adjoint)), new_ints(from, most.folds)};
    double *b = new_doubles(from, n * v * most.folds), *q = new_doubles(from, n * v * most.folds);
    double *intercepts = new_doubles(from, 2 * v * most.folds);
    for (size_t i = 0; i < most.folds; i++) {
        fold_adjoint *a = batch.fold + i;
        a->b = b + i * n * v;
        a->q = q + i * n * v;
        a->offset = intercepts + 2 * i * v;
        a->shift = a->offset + v;
    }
    batch.fold[0].residual = new_doubles(from, most.rows * v);
    batch.fold[0].pull = new_doubles(from, most.rows * v);
    return batch;
}

/* The factor of the full fit and its coefficients. */
static int fit_all_rows(full_fit *fit, memory from)
{
    const ridge *r = fit->r;
    const size_t n = r->n;
    fit->factor = new_doubles(from, n * n);
    fit->b = new_doubles(from, n * r->v);
    memcpy(fit->factor, r->gram, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++)
        fit->factor[j + j * n] += fit->lambda;
    if (cholesky_lower(n, fit->factor, n) != SR_OK)
        return SR_ILL_POSED;
    memcpy(fit->b, r->zy, n * r->v * sizeof(double));
    solve_lower_left('N', n, r->v, fit->factor, n, fit->b, n);
    solve_lower_left('T', n, r->v, fit->factor, n, fit->b, n);
    return SR_OK;
}

static adjoint_sums new_adjoint_sums(const ridge *r, const double *cholesky, size_t folds,
                                     size_t most, double *by_kernel, memory from)
{
    const size_t n = r->n, v = r->v;
    adjoint_sums s = {.cholesky = cholesky, .late = 2 * v * folds > r->m, .by_kernel = by_kernel};
    s.middle = new_doubles(from, n * n);
    s.constant = new_doubles(from, n);
    s.beta = new_doubles(from, n * v);
    s.expansions = new_doubles(from, 2 * n * v * most);
    memset(s.middle, 0, n * n * sizeof(double));
    memset(s.constant, 0, n * sizeof(double));
    memset(s.beta, 0, n * v * sizeof(double));
    memset(by_kernel, 0, n * r->m * sizeof(double));
    return s;
}

/* What a fold adds: to L, and for its own rows. alpha, beta: n x v. */
static void add_fold(const ridge *r, const fold_adjoint *a, const double *alpha, const double *beta,
                     adjoint_sums *s)
{
    const size_t n = r->n, h = a->f->h;
    for (size_t k = 0; k < r->v; k++, alpha += n, beta += n) {
        add_multiple(n, 1, beta, s->beta + k * n);
        add_multiple(n, a->offset[k], beta, s->constant);
        add_multiple(n, a->shift[k], alpha, s->constant);
        for (size_t i = 0; i < h; i++) {
            const size_t row = (size_t) a->f->rows[i];
            const double w = r->weights[row], e = a->residual[i + k * h];
            double *by_row = s->by_kernel + row * n;
            add_multiple(n, -w * e, beta, by_row);
            add_multiple(n, -a->pull[i + k * h], alpha, by_row);
            if (a->scored[i])
                s->loss += w * e * e;
        }
    }
}

static void add_batch(const ridge *r, const fold_adjoint *folds, size_t count, adjoint_sums *s)
{
    const size_t n = r->n, v = r->v, columns = v * count;
    double *alpha = s->expansions, *beta = alpha + n * columns;
    gemm('N', 'T', n, n, columns, 1, folds->q, n, folds->b, n, 1, s->middle, n);
    memcpy(alpha, folds->b, n * columns * sizeof(double));
    memcpy(beta, folds->q, n * columns * sizeof(double));
    if (!s->late)
        solve_lower_left('T', n, 2 * columns, s->cholesky, n, alpha, n);
    for (size_t i = 0; i < count; i++)
        add_fold(r, folds + i, alpha + i * n * v, beta + i * n * v, s);
}

/* by_kernel += W (y beta' - constant - z (M + M') C^-1), row by row; work: n x ROW_BLOCK. */
static void add_all_rows(const ridge *r, adjoint_sums *s, const double *both, double *work)
{
    const size_t n = r->n, v = r->v;
    for (size_t start = 0; start < r->m; start += ROW_BLOCK) {
        const size_t some = r->m - start < ROW_BLOCK ? r->m - start : ROW_BLOCK;
        for (size_t i = 0; i < some; i++)
            for (size_t j = 0; j < n; j++)
                work[j + i * n] = -s->constant[j];
        gemm('N', 'T', n, some, v, 1, s->beta, n, r->y + start, r->m, 1, work, n);
        gemm('N', 'N', n, some, n, -1, both, n, r->z + start * n, n, 1, work, n);
        for (size_t i = 0; i < some; i++)
            add_multiple(n, r->weights[start + i], work + i * n, s->by_kernel + (start + i) * n);
        R_CheckUserInterrupt();
    }
}

/* The product over all rows, and the derivative by K_BB, -lambda C^-T M C^-1, to the rows of basis
 * vectors. by_lambda = -tr M. */
static double finish_sums(const ridge *r, const adjoint_request *request, adjoint_sums *s,
                          memory from)
{
    const size_t n = r->n;
    double *m = s->middle, *by_basis = new_doubles(from, n * n), trace = 0;
    memcpy(by_basis, m, n * n * sizeof(double));
    solve_lower_left('T', n, n, s->cholesky, n, by_basis, n);
    solve_lower_right('N', n, n, s->cholesky, n, by_basis, n);
    for (size_t j = 0; j < n; j++) {
        trace += m[j + j * n];
        for (size_t i = 0; i <= j; i++)
            m[i + j * n] = m[j + i * n] = m[i + j * n] + m[j + i * n];
    }
    if (!s->late)
        solve_lower_left('T', n, n, s->cholesky, n, m, n);
    add_all_rows(r, s, m, new_doubles(from, n * ROW_BLOCK));
    if (s->late)
        solve_lower_left('T', n, r->m, s->cholesky, n, s->by_kernel, n);
    for (size_t j = 0; j < n; j++)
        add_multiple(n, -request->lambda, by_basis + j * n,
                     s->by_kernel + (size_t) request->basis_rows[j] * n);
    return -trace;
}

/* The folds of a batch, those that the update form would spoil by training again. */
static int adjoint_of_batch(const full_fit *fit, adjoint_batch *batch, size_t count, int update,
                            adjoint_work *work)
{
    for (size_t i = 0; i < count; i++)
        batch->ok[i] = 0;
    if (update)
        adjoint_update(fit, batch->fold, count, batch->ok, work);
    int status = SR_OK;
    for (size_t i = 0; i < count && status == SR_OK; i++)
        if (!batch->ok[i])
            status = adjoint_retrain(fit->r, fit->lambda, batch->fold + i, work);
    return status;
}

/* The folds from `start` on, `count` of them; the number of their rows is returned. */
static size_t fill_batch(const ridge *r, const adjoint_request *request, size_t start, size_t count,
                         const int *scored, adjoint_batch *batch)
{
    size_t rows = 0;
    for (size_t i = 0; i < count; i++) {
        fold_adjoint *a = batch->fold + i;
        a->f = request->folds + start + i;
        a->scored = scored + rows;
        a->residual = batch->fold[0].residual + rows * r->v;
        a->pull = batch->fold[0].pull + rows * r->v;
        rows += a->f->h;
    }
    return rows;
}

/* The fit at the end of a search asks that lambda stands out from the largest eigenvalue, which is
 * at most the trace. */
static int is_resolvable(const ridge *r, double lambda)
{
    double trace = 0;
    for (size_t j = 0; j < r->n; j++)
        trace += r->gram[j + j * r->n];
    return lambda > RESOLUTION * trace;
}

int held_out_adjoint(const ridge *r, const double *cholesky, const adjoint_request *request,
                     double *loss, double *by_lambda, double *by_kernel, memory from)
{
    if (!is_resolvable(r, request->lambda))
        return SR_ILL_POSED;
    const batch_limits most = limits_of(request);
    adjoint_batch batch = new_batch(r, most, from);
    adjoint_work work = new_adjoint_work(r, most.points, most.rows, most.removed, from);
    adjoint_sums sums = new_adjoint_sums(r, cholesky, request->count, most.folds, by_kernel, from);
    full_fit fit = {.r = r, .lambda = request->lambda};
    int status = most.points > 0 ? fit_all_rows(&fit, from) : SR_OK;
    const int *scored = request->scored;
    for (size_t i = 0, count; i < request->count && status == SR_OK; i += count) {
        const int update = request->form[i] == FORM_UPDATE;
        count = batch_size(request, i);
        scored += fill_batch(r, request, i, count, scored, &batch);
        status = adjoint_of_batch(&fit, &batch, count, update, &work);
        if (status == SR_OK)
            add_batch(r, batch.fold, count, &sums);
        R_CheckUserInterrupt();
    }
    if (status != SR_OK)
        return status;
    *by_lambda = finish_sums(r, request, &sums, from);
    *loss = sums.loss;
    return SR_OK;
}
