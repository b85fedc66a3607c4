/* retrain.c: leaving out a set of rows by training again from gram matrices.
 *
 * The gram matrix, score and sums of the rows that stay are those of all rows
 * minus those of the fold; centring them by their own means gives the intercept of the
 * refit. Where the subtraction or the centring would cancel (an outlier is held out), or
 * the fold is more than half of the rows, the rows that stay are summed directly, in two
 * passes: their means first.
 *
 * Rows that join (twins of held-out basis vectors, constraint.c) are added.
 *
 * Removing the basis vectors E is the constraint q_E'b = 0 on the coefficients,
 * q_E the columns E of map. The last n - e columns of the orthogonal factor of
 * q_E = Q R span what is left, b = Q [0; b'], and the penalty stays
 * lambda |b'|^2: the refit is the ridge regression whose gram matrix is the
 * trailing block of Q'GQ.
 *
 * That gram matrix is brought to tridiagonal form once, P T P'; every lambda
 * is then a tridiagonal solve, O(n). Cost of a fold: h n^2 + 8 n^2 e + 4/3 n^3, and
 * O(n^2 + h n) for each lambda and output. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "methods.h"

/* The gram matrix has rounding errors of about eps times its largest eigenvalue. A smallest
 * eigenvalue, lambda included, below this multiple of the largest leaves fewer than four digits
 * of the refit. R/check-args.R has the same number for the full fit. */
#define RESOLUTION (1e4 * DBL_EPSILON)

/* A difference that keeps less than this share of the trace is summed anew. */
#define CANCELLATION 1e-2

static double trace(size_t n, const double *a)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += a[j + j * n];
    return sum;
}

static double largest(size_t n, const double *x)
{
    double max = x[0];
    for (size_t j = 1; j < n; j++)
        if (x[j] > max)
            max = x[j];
    return max;
}

/* Sums over all rows, from what the cache holds: z and y are centred, so that with
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
    memcpy(sums->score, r->score, n * r->v * sizeof(double));
    memset(sums->score + n * r->v, 0, n * sizeof(double));
    memset(sums->wy, 0, r->v * sizeof(double));
    sums->w = r->sum_weights;
}

static void subtract(size_t length, double *x, const double *y)
{
    for (size_t i = 0; i < length; i++)
        x[i] -= y[i];
}

static void add(size_t length, double *x, const double *y)
{
    for (size_t i = 0; i < length; i++)
        x[i] += y[i];
}

/* rows (m) becomes the list of rows that train, places (m) that of their z; their number is
 * returned. */
static size_t complement(const ridge *r, const fold *f, int *rows, int *places)
{
    size_t stay = 0;
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

/* Centre by the means of the rows that stay: S - k k'/w, t - k (wy)'/w. */
static void centre_sums(const ridge *r, row_sums *sums)
{
    const size_t n = r->n;
    const double *k = sums->score + n * r->v;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++)
            sums->gram[i + j * n] -= k[i] * k[j] / sums->w;
    for (size_t o = 0; o < r->v; o++)
        for (size_t j = 0; j < n; j++)
            sums->score[j + o * n] -= k[j] * sums->wy[o] / sums->w;
}

/* The sums of the rows that stay, centred with an intercept, as all minus held.
 * 0 where too few digits are left. */
static int subtracted_sums(const ridge *r, const fold *f, retrain_work *work)
{
    const size_t n = r->n, v = r->v;
    row_sums *sums = &work->sums, *held = &work->held;
    if (2 * f->h > r->m)
        return 0;
    all_sums(r, sums);
    const double before = trace(n, sums->gram);
    sum_rows(r, f->rows, NULL, f->h, NULL, NULL, held, work->buffer);
    subtract(n * n, sums->gram, held->gram);
    subtract(n * (v + 1), sums->score, held->score);
    subtract(v, sums->wy, held->wy);
    sums->w -= held->w;
    if (f->s > 0) {
        sum_rows(r, f->twins, f->twin_of, f->s, NULL, NULL, held, work->buffer);
        add(n * n, sums->gram, held->gram);
        add(n * (v + 1), sums->score, held->score);
        add(v, sums->wy, held->wy);
        sums->w += held->w;
    }
    if (!(sums->w > CANCELLATION * r->sum_weights))
        return 0;
    if (r->intercept)
        centre_sums(r, sums);
    return trace(n, sums->gram) > CANCELLATION * before;
}

/* The same directly, in two passes: means first, so that centring does not cancel. */
static void direct_sums(const ridge *r, const fold *f, retrain_work *work)
{
    const size_t n = r->n, v = r->v;
    row_sums *sums = &work->sums, *means = &work->held;
    double *z_mean = means->score, *y_mean = means->wy;
    const size_t stay = complement(r, f, work->rows, work->places);
    if (!r->intercept) {
        sum_rows(r, work->rows, work->places, stay, NULL, NULL, sums, work->buffer);
        return;
    }
    mean_rows(r, work->rows, work->places, stay, z_mean, y_mean);
    sum_rows(r, work->rows, work->places, stay, z_mean, y_mean, sums, work->buffer);
    for (size_t j = 0; j < n; j++)
        sums->score[j + n * v] = sums->w * z_mean[j];
    for (size_t k = 0; k < v; k++)
        sums->wy[k] = sums->w * y_mean[k];
}

/* gram and score in the coordinates Q of the removal: Q'GQ and Q't. */
static int turn_away(const ridge *r, const fold *f, retrain_work *work)
{
    const size_t n = r->n, e = f->e;
    row_sums *sums = &work->sums;
    for (size_t i = 0; i < e; i++)
        memcpy(work->reflect + i * n, constraint_column(r, f, i), n * sizeof(double));
    int status = qr_factor(n, e, work->reflect, n, work->tau, work->lapack, work->lapack_size);
    if (status != SR_OK)
        return status;
    mirror_lower(n, sums->gram, n);
    qr_apply('L', 'T', n, n, e, work->reflect, n, work->tau, sums->gram, n, work->lapack,
             work->lapack_size);
    qr_apply('R', 'N', n, n, e, work->reflect, n, work->tau, sums->gram, n, work->lapack,
             work->lapack_size);
    qr_apply('L', 'T', n, r->v, e, work->reflect, n, work->tau, sums->score, n, work->lapack,
             work->lapack_size);
    return SR_OK;
}

/* Coefficients b of the refit for all lambda into work->solution (n x (v c)). */
static int solve_path(const ridge *r, const fold *f, const double *lambda, size_t c,
                      retrain_work *work)
{
    const size_t n = r->n, v = r->v, e = f->e, left = n - e;
    double *gram = work->sums.gram + e + e * n;
    double *diagonal = work->vectors, *offdiagonal = diagonal + n, *tau = offdiagonal + n;
    double *d = tau + n, *o = d + n;
    int status =
        tridiagonalize(left, gram, n, diagonal, offdiagonal, tau, work->lapack, work->lapack_size);
    if (status != SR_OK)
        return status;
    const double tolerance = RESOLUTION * largest(left, diagonal);
    tridiagonal_apply('T', left, v, gram, n, tau, work->sums.score + e, n, work->lapack,
                      work->lapack_size);
    for (size_t l = 0; l < c; l++) {
        double *b = work->solution + l * v * n;
        memcpy(b, work->sums.score, n * v * sizeof(double));
        for (size_t k = 0; k < v; k++)
            memset(b + k * n, 0, e * sizeof(double));
        status =
            tridiagonal_solve(left, v, diagonal, offdiagonal, lambda[l], tolerance, b + e, n, d, o);
        if (status != SR_OK)
            return status;
    }
    tridiagonal_apply('N', left, v * c, gram, n, tau, work->solution + e, n, work->lapack,
                      work->lapack_size);
    if (e > 0)
        qr_apply('L', 'N', n, v * c, e, work->reflect, n, work->tau, work->solution, n,
                 work->lapack, work->lapack_size);
    return SR_OK;
}

/* offset = means of the rows that stay: wy / w - (k / w)'b; 0 without an intercept. */
static void path_offsets(const ridge *r, size_t c, retrain_work *work)
{
    const size_t n = r->n, columns = r->v * c;
    const row_sums *sums = &work->sums;
    memset(work->offset, 0, columns * sizeof(double));
    if (!r->intercept)
        return;
    gemm('T', 'N', 1, columns, n, -1 / sums->w, sums->score + n * r->v, n, work->solution, n, 0,
         work->offset, 1);
    for (size_t k = 0; k < columns; k++)
        work->offset[k] += sums->wy[k % r->v] / sums->w;
}

static void predict_fold(const ridge *r, const fold *f, size_t c, size_t ld, retrain_work *work)
{
    const size_t n = r->n, columns = r->v * c;
    for (size_t k = 0; k < columns; k++)
        for (size_t i = 0; i < f->h; i++)
            f->prediction[i + k * ld] = work->offset[k] + r->y_mean[k % r->v];
    for (size_t start = 0; start < f->h; start += ROW_BLOCK) {
        const size_t some = f->h - start < ROW_BLOCK ? f->h - start : ROW_BLOCK;
        for (size_t i = 0; i < some; i++)
            memcpy(work->buffer + i * n, r->z + (size_t) f->rows[start + i] * n,
                   n * sizeof(double));
        gemm('T', 'N', some, columns, n, 1, work->buffer, n, work->solution, n, 1,
             f->prediction + start, ld);
    }
}

int holdout_retrain(const ridge *r, const fold *f, const double *lambda, size_t c, size_t ld,
                    retrain_work *work)
{
    int status = SR_OK;
    if (!subtracted_sums(r, f, work))
        direct_sums(r, f, work);
    if (f->e > 0)
        status = turn_away(r, f, work);
    if (status == SR_OK)
        status = solve_path(r, f, lambda, c, work);
    if (status != SR_OK)
        return status;
    path_offsets(r, c, work);
    predict_fold(r, f, c, ld, work);
    return SR_OK;
}
