/* refit.c: ridge regression from sums over rows.
 *
 * Removing the basis vectors E is the constraint q_E'b = 0 on the coefficients, q_E the columns E
 * of map. The last n - e columns of the orthogonal factor of q_E = Q R span what is left, b = Q [0;
 * b'], and the penalty stays lambda |b'|^2: the refit is the ridge regression whose gram matrix is
 * the trailing block of Q'GQ.
 *
 * That gram matrix is brought to tridiagonal form once, P T P'; every lambda is then a tridiagonal
 * solve, O(n). Cost: 8 n^2 e + 4/3 n^3, and O(n^2) for each lambda and output. For a single lambda
 * a Cholesky factorization does, n^3 / 3, and solves for any other right-hand side. */
#include <string.h>

#include "linalg.h"
#include "refit.h"

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
    w.form = new_tridiagonal(n, from);
    w.lapack_size = qr_work(n, n > v * c ? n : v * c);
    w.lapack = new_doubles(from, w.lapack_size);
    return w;
}

static double largest(size_t n, const double *x)
{
    double max = x[0];
    for (size_t j = 1; j < n; j++)
        if (x[j] > max)
            max = x[j];
    return max;
}

/* gram in the coordinates Q of the constraint: Q'GQ. */
static int turn_away(size_t n, row_sums *sums, size_t e, refit_work *work)
{
    double *q = work->constraint, *tau = work->tau, *lapack = work->lapack;
    const size_t size = work->lapack_size;
    const int status = qr_factor(n, e, q, n, tau, lapack, size);
    if (status != SR_OK)
        return status;
    mirror_lower(n, sums->gram, n);
    qr_apply('L', 'T', n, n, e, q, n, tau, sums->gram, n, lapack, size);
    qr_apply('R', 'N', n, n, e, q, n, tau, sums->gram, n, lapack, size);
    return SR_OK;
}

/* b = op(Q) b, n x k. */
static void turn(char trans, size_t n, size_t k, size_t e, double *b, refit_work *work)
{
    if (e > 0)
        qr_apply('L', trans, n, k, e, work->constraint, n, work->tau, b, n, work->lapack,
                 work->lapack_size);
}

/* b' for all lambda, the last n - e rows of b; the others become zero. */
static int solve_path(size_t n, size_t v, row_sums *sums, size_t e, const double *lambda, size_t c,
                      double *b, refit_work *work)
{
    const size_t left = n - e;
    double *gram = sums->gram + e + e * n;
    tridiagonal *t = &work->form;
    int status = tridiagonalize(left, gram, n, t->diagonal, t->offdiagonal, t->tau, work->lapack,
                                work->lapack_size);
    if (status != SR_OK)
        return status;
    const double tolerance = RESOLUTION * largest(left, t->diagonal);
    tridiagonal_apply('T', left, v, gram, n, t->tau, sums->zy + e, n, work->lapack,
                      work->lapack_size);
    for (size_t l = 0; l < c; l++) {
        double *at = b + l * v * n;
        memcpy(at, sums->zy, n * v * sizeof(double));
        for (size_t k = 0; k < v; k++)
            memset(at + k * n, 0, e * sizeof(double));
        status = tridiagonal_solve(left, v, t->diagonal, t->offdiagonal, lambda[l], tolerance,
                                   at + e, n, t->d, t->e);
        if (status != SR_OK)
            return status;
    }
    tridiagonal_apply('N', left, v * c, gram, n, t->tau, b + e, n, work->lapack, work->lapack_size);
    return SR_OK;
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
    if (status != SR_OK)
        return status;
    double *gram = sums->gram + e + e * n, largest = 0;
    for (size_t j = 0; j < n - e; j++) {
        largest = gram[j + j * n] > largest ? gram[j + j * n] : largest;
        gram[j + j * n] += lambda;
    }
    if (cholesky_lower(n - e, gram, n) != SR_OK)
        return SR_ILL_POSED;
    for (size_t j = 0; j < n - e; j++)
        if (!(gram[j + j * n] * gram[j + j * n] > RESOLUTION * largest))
            return SR_ILL_POSED;
    return SR_OK;
}

void solve_refit(size_t n, size_t k, const row_sums *sums, size_t e, double *b, refit_work *work)
{
    const double *factor = sums->gram + e + e * n;
    turn('T', n, k, e, b, work);
    for (size_t j = 0; j < k; j++)
        memset(b + j * n, 0, e * sizeof(double));
    solve_lower_left('N', n - e, k, factor, n, b + e, n);
    solve_lower_left('T', n - e, k, factor, n, b + e, n);
    turn('N', n, k, e, b, work);
}

void refit_offsets(size_t n, size_t v, const row_sums *sums, size_t c, const double *b,
                   double *offset)
{
    gemm('T', 'N', 1, v * c, n, -1 / sums->w, sums->zy + n * v, n, b, n, 0, offset, 1);
    for (size_t k = 0; k < v * c; k++)
        offset[k] += sums->wy[k % v] / sums->w;
}
