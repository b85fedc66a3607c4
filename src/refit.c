/* refit.c: ridge regression from sums over rows.
 *
 * Removing the basis vectors E is the constraint q_E'b = 0 on the coefficients, q_E the columns E
 * of map. The last n - e columns of the orthogonal factor of q_E = Q R span what is left, b = Q [0;
 * b'], and the penalty stays lambda |b'|^2: the refit is the ridge regression whose gram matrix is
 * the trailing block of Q'GQ.
 *
 * That block is brought to tridiagonal form, or to band form where it is large (band.c), once: P T
 * P'; every lambda is then a solve in O(n). Cost: 4 n^2 e + 4/3 n^3, and O(n^2) for each lambda and
 * output. For a few lambda a Cholesky factorization of each costs less, n^3 / 3; it solves for any
 * other right-hand side, too. */
#include <string.h>

#include "linalg.h"
#include "refit.h"

/* Up to so many lambda a factorization for each costs least; of the other two the tridiagonal form
 * below this size, where matrices are in a cache, and the band form above it. */
#define FEW 3
#define LARGE 1000

/* What their operations cost against those of a dgemm: a tridiagonal form is half products of a
 * matrix with a vector, and factorizations and panels do not reach the speed of large products. */
#define SLOW_FACTOR 2.5
#define SLOW_BAND 2.0
#define SLOW_TRIDIAGONAL 4.0

double refit_price(double n, double e, double c)
{
    const double left = n - e, cube = left * left * left;
    const double slow = left >= LARGE ? SLOW_BAND : SLOW_TRIDIAGONAL;
    return 4 * n * n * e + (c <= FEW ? SLOW_FACTOR * c / 3 : slow * 4 / 3) * cube;
}

static tridiagonal new_tridiagonal(size_t n, memory from)
{
    tridiagonal form = {new_doubles(from, n), new_doubles(from, n), new_doubles(from, n),
                        new_doubles(from, n), new_doubles(from, n)};
    return form;
}

refit_work new_refit_work(size_t n, size_t v, size_t e, size_t c, memory from)
{
    refit_work w = {0};
    w.constraint = new_doubles(from, n * e);
    w.tau = new_doubles(from, e);
    w.diagonal = new_doubles(from, n);
    w.form = new_tridiagonal(n, from);
    w.band = new_band_work(n, v * c, from);
    w.lapack_size = qr_work(n, n > v * c ? n : v * c);
    w.lapack = new_doubles(from, w.lapack_size);
    return w;
}

static double largest(size_t n, const double *x, size_t step)
{
    double max = x[0];
    for (size_t j = 1; j < n; j++)
        if (x[j * step] > max)
            max = x[j * step];
    return max;
}

/* gram in the coordinates Q of the constraint, where its trailing block is that of the refit. */
static int turn_away(size_t n, row_sums *sums, size_t e, refit_work *work)
{
    const int status =
        qr_factor(n, e, work->constraint, n, work->tau, work->lapack, work->lapack_size);
    if (status == SR_OK)
        turn_symmetric(n, e, work->constraint, n, work->tau, sums->gram, n, &work->band);
    return status;
}

/* b = op(Q) b, n x k. */
static void turn(char trans, size_t n, size_t k, size_t e, double *b, refit_work *work)
{
    if (e > 0)
        qr_apply('L', trans, n, k, e, work->constraint, n, work->tau, b, n, work->lapack,
                 work->lapack_size);
}

/* b (n x v) = zy without its first e rows, which become zero. */
static void right_hand_sides(size_t n, size_t v, const row_sums *sums, size_t e, double *b)
{
    memcpy(b, sums->zy, n * v * sizeof(double));
    for (size_t k = 0; k < v; k++)
        memset(b + k * n, 0, e * sizeof(double));
}

/* The factor of the trailing block of gram plus lambda. */
static int factor_gram(size_t n, row_sums *sums, size_t e, double lambda)
{
    double *gram = sums->gram + e + e * n;
    const double tolerance = RESOLUTION * largest(n - e, gram, n + 1);
    for (size_t j = 0; j < n - e; j++)
        gram[j + j * n] += lambda;
    if (cholesky_lower(n - e, gram, n) != SR_OK)
        return SR_ILL_POSED;
    for (size_t j = 0; j < n - e; j++)
        if (!(gram[j + j * n] * gram[j + j * n] > tolerance))
            return SR_ILL_POSED;
    return SR_OK;
}

static void solve_gram(size_t n, size_t k, const row_sums *sums, size_t e, double *b)
{
    const double *factor = sums->gram + e + e * n;
    solve_lower_left('N', n - e, k, factor, n, b + e, n);
    solve_lower_left('T', n - e, k, factor, n, b + e, n);
}

/* b' for all lambda, the last n - e rows of b, the others zero: here by a factorization for each
 * lambda, from a copy of gram in its upper triangle. */
static int solve_each(size_t n, size_t v, row_sums *sums, size_t e, const double *lambda, size_t c,
                      double *b, refit_work *work)
{
    const size_t left = n - e;
    double *gram = sums->gram + e + e * n;
    int status = SR_OK;
    mirror_lower(left, gram, n);
    for (size_t j = 0; j < left; j++)
        work->diagonal[j] = gram[j + j * n];
    for (size_t l = 0; l < c && status == SR_OK; l++) {
        for (size_t j = 0; j < left && l > 0; j++) {
            gram[j + j * n] = work->diagonal[j];
            for (size_t i = j + 1; i < left; i++)
                gram[i + j * n] = gram[j + i * n];
        }
        right_hand_sides(n, v, sums, e, b + l * v * n);
        status = factor_gram(n, sums, e, lambda[l]);
        if (status == SR_OK)
            solve_gram(n, v, sums, e, b + l * v * n);
    }
    return status;
}

/* The same by the band form. */
static int solve_band(size_t n, size_t v, row_sums *sums, size_t e, const double *lambda, size_t c,
                      double *b, refit_work *work)
{
    const size_t left = n - e;
    double *gram = sums->gram + e + e * n;
    int status = band_form(left, gram, n, &work->band);
    const double tolerance = RESOLUTION * largest(left, gram, n + 1);
    if (status == SR_OK)
        band_apply('T', left, v, gram, n, sums->zy + e, n, &work->band);
    for (size_t l = 0; l < c && status == SR_OK; l++) {
        double *at = b + l * v * n;
        right_hand_sides(n, v, sums, e, at);
        status = band_solve(left, v, gram, n, lambda[l], tolerance, at + e, n, &work->band);
    }
    if (status == SR_OK)
        band_apply('N', left, v * c, gram, n, b + e, n, &work->band);
    return status;
}

/* The same by the tridiagonal form. */
static int solve_tridiagonal(size_t n, size_t v, row_sums *sums, size_t e, const double *lambda,
                             size_t c, double *b, refit_work *work)
{
    const size_t left = n - e;
    double *gram = sums->gram + e + e * n;
    tridiagonal *t = &work->form;
    int status = tridiagonalize(left, gram, n, t->diagonal, t->offdiagonal, t->tau, work->lapack,
                                work->lapack_size);
    if (status != SR_OK)
        return status;
    const double tolerance = RESOLUTION * largest(left, t->diagonal, 1);
    tridiagonal_apply('T', left, v, gram, n, t->tau, sums->zy + e, n, work->lapack,
                      work->lapack_size);
    for (size_t l = 0; l < c; l++) {
        double *at = b + l * v * n;
        right_hand_sides(n, v, sums, e, at);
        status = tridiagonal_solve(left, v, t->diagonal, t->offdiagonal, lambda[l], tolerance,
                                   at + e, n, t->d, t->e);
        if (status != SR_OK)
            return status;
    }
    tridiagonal_apply('N', left, v * c, gram, n, t->tau, b + e, n, work->lapack, work->lapack_size);
    return SR_OK;
}

static int solve_path(size_t n, size_t v, row_sums *sums, size_t e, const double *lambda, size_t c,
                      double *b, refit_work *work)
{
    if (c <= FEW)
        return solve_each(n, v, sums, e, lambda, c, b, work);
    if (n - e >= LARGE)
        return solve_band(n, v, sums, e, lambda, c, b, work);
    return solve_tridiagonal(n, v, sums, e, lambda, c, b, work);
}

int refit(size_t n, size_t v, row_sums *sums, size_t e, const double *lambda, size_t c, double *b,
          refit_work *work)
{
    int status = e > 0 ? turn_away(n, sums, e, work) : SR_OK;
    if (status != SR_OK)
        return status;
    turn('T', n, v, e, sums->zy, work);
    status = solve_path(n, v, sums, e, lambda, c, b, work);
    if (status == SR_OK)
        turn('N', n, v * c, e, b, work);
    return status;
}

int factor_refit(size_t n, row_sums *sums, size_t e, double lambda, refit_work *work)
{
    const int status = e > 0 ? turn_away(n, sums, e, work) : SR_OK;
    return status == SR_OK ? factor_gram(n, sums, e, lambda) : status;
}

void solve_refit(size_t n, size_t k, const row_sums *sums, size_t e, double *b, refit_work *work)
{
    turn('T', n, k, e, b, work);
    for (size_t j = 0; j < k; j++)
        memset(b + j * n, 0, e * sizeof(double));
    solve_gram(n, k, sums, e, b);
    turn('N', n, k, e, b, work);
}

void refit_offsets(size_t n, size_t v, const row_sums *sums, size_t c, const double *b,
                   double *offset)
{
    gemm('T', 'N', 1, v * c, n, -1 / sums->w, sums->zy + n * v, n, b, n, 0, offset, 1);
    for (size_t k = 0; k < v * c; k++)
        offset[k] += sums->wy[k % v] / sums->w;
}
