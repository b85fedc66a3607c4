/* product_reflect.c: Householder reflectors in blocks, by products.
 *
 * A reflector is H = I - tau v v', v = [1; ...]: the ones are not stored. Several of them, Q = H1
 * H2 ... Hk, are Q = I - V T V' with an upper triangle T (Schreiber and Van Loan 1989): T's
 * diagonal is tau, and its column j is -tau_j T V'v_j. So Q C costs three products, V'C, T times
 * that, and V times that.
 *
 * Tridiagonal form, A = Q T Q' (Dongarra, Hammarling and Sorensen 1989): H A H = A - v w' - w v',
 * where w = tau A v, less half its part along v. A panel has REFLECTORS columns. Each in turn is
 * brought up to date with the reflectors before it, and its own v and w are found; the rest of A
 * waits for the whole panel, A - V W' - W V'. The products A v with that rest are half of the work,
 * and bound by memory.
 *
 * Layouts are LAPACK's, so that its other functions can read what these leave. */
#include <math.h>
#include <string.h>

#include "product.h"
#include "vector.h"

/* The length of x, whose squares may leave the range of doubles; NaN where x has one. */
static double length_of(size_t n, const double *x)
{
    const double square = dot(n, x, x);
    if ((square > 1e-280 && square < 1e280) || isnan(square))
        return sqrt(square);
    double largest = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    for (size_t i = 0; i < n && largest > 0; i++)
        sum += (x[i] / largest) * (x[i] / largest);
    return largest * sqrt(sum);
}

/* H x = [beta; 0]: x becomes [beta; v without its 1], tau is returned; 0 where there is nothing to
 * reflect. */
static double make_reflector(size_t n, double *x)
{
    const double alpha = x[0], below = length_of(n - 1, x + 1);
    if (below == 0)
        return 0;
    const double length = hypot(alpha, below), beta = alpha > 0 ? -length : length;
    for (size_t i = 1; i < n; i++)
        x[i] /= alpha - beta;
    x[0] = beta;
    return (beta - alpha) / beta;
}

void reflector_columns(size_t rows, size_t k, const double *a, size_t lda, double *v)
{
    for (size_t j = 0; j < k; j++, v += rows) {
        memset(v, 0, j * sizeof(double));
        v[j] = 1;
        memcpy(v + j + 1, a + j + 1 + j * lda, (rows - j - 1) * sizeof(double));
    }
}

void reflector_triangle(size_t k, const double *inner, const double *tau, double *t)
{
    memset(t, 0, k * k * sizeof(double));
    for (size_t j = 0; j < k; j++) {
        double *column = t + j * k;
        for (size_t p = 0; p < j; p++)
            for (size_t i = 0; i <= p; i++)
                column[i] -= tau[j] * t[i + p * k] * inner[j + p * k];
        column[j] = tau[j];
    }
}

/* C = op(I - V T V') C for at most REFLECTORS reflectors. */
static void reflect_block(const instruction_set *set, char trans, size_t rows, size_t cols,
                          size_t k, const double *a, size_t lda, const double *tau, view c,
                          double *work)
{
    double *v = work, *t = v + rows * k, *inner = t + k * k;
    const view all = stored('N', v, rows), products = stored('N', inner + k * k, k),
               turned = part(products, 0, cols);
    reflector_columns(rows, k, a, lda, v);
    product_lower(set, k, rows, 1, transpose(all), all, 0, stored('N', inner, k));
    reflector_triangle(k, inner, tau, t);
    product(set, k, cols, rows, 1, transpose(all), c, 0, products);
    product(set, k, cols, k, 1, stored(trans, t, k), products, 0, turned);
    product(set, rows, cols, k, -1, all, turned, 1, c);
}

void product_reflect(const instruction_set *set, char trans, size_t rows, size_t cols, size_t k,
                     const double *a, size_t lda, const double *tau, view c, double *work)
{
    const size_t blocks = (k + REFLECTORS - 1) / REFLECTORS;
    for (size_t step = 0; step < blocks; step++) {
        const size_t j = REFLECTORS * (trans == 'T' ? step : blocks - 1 - step);
        reflect_block(set, trans, rows - j, cols, smaller(REFLECTORS, k - j), a + j + j * lda, lda,
                      tau + j, part(c, j, 0), work);
    }
}

/* The reflectors of a panel of k columns, one after the other. */
static void factor_panel(size_t n, size_t k, double *a, size_t lda, double *tau)
{
    for (size_t j = 0; j < k; j++) {
        double *v = a + j + j * lda;
        const size_t rows = n - j;
        tau[j] = make_reflector(rows, v);
        for (size_t p = 1; p < k - j; p++) {
            double *c = v + p * lda;
            const double inner = tau[j] * (c[0] + dot(rows - 1, v + 1, c + 1));
            c[0] -= inner;
            add_multiple(rows - 1, -inner, v + 1, c + 1);
        }
    }
}

void product_qr(const instruction_set *set, size_t n, size_t k, double *a, size_t lda, double *tau,
                double *work)
{
    for (size_t j = 0; j < k; j += REFLECTORS) {
        const size_t some = smaller(REFLECTORS, k - j);
        double *corner = a + j + j * lda;
        factor_panel(n - j, some, corner, lda, tau + j);
        if (j + some < k)
            product_reflect(set, 'T', n - j, k - j - some, some, corner, lda, tau + j,
                            stored('N', corner + some * lda, lda), work);
    }
}

/* ---- tridiagonal form --------------------------------------------------------- */

/* w = tau (A v - V W'v - W V'v), less half its part along v: A (n x n) has not had the j reflectors
 * of the panel yet, whose rows of V and W (columns ld apart) begin at v_rest and w_rest. */
static void second_vector(const instruction_set *set, size_t n, size_t j, const double *a,
                          size_t lda, const double *v, double tau, const double *v_rest,
                          const double *w_rest, size_t ld, double *w)
{
    product_symmetric(set, n, a, lda, v, w);
    for (size_t p = 0; p < j; p++) {
        const double along_w = dot(n, w_rest + p * ld, v), along_v = dot(n, v_rest + p * ld, v);
        add_multiple(n, -along_w, v_rest + p * ld, w);
        add_multiple(n, -along_v, w_rest + p * ld, w);
    }
    for (size_t i = 0; i < n; i++)
        w[i] *= tau;
    add_multiple(n, -tau / 2 * dot(n, w, v), v, w);
}

/* The first k columns of a (n x n, k < n), and V and W (n x k), which have zeros above. */
static void tridiagonal_panel(const instruction_set *set, size_t n, size_t k, double *a, size_t lda,
                              double *diagonal, double *offdiagonal, double *tau, double *v,
                              double *w)
{
    memset(v, 0, n * k * sizeof(double));
    memset(w, 0, n * k * sizeof(double));
    for (size_t j = 0; j < k; j++) {
        double *column = a + j * lda, *v_j = v + j * n + j + 1, *w_j = w + j * n + j + 1;
        const size_t rest = n - j - 1;
        for (size_t p = 0; p < j; p++) {
            add_multiple(n - j, -w[j + p * n], v + j + p * n, column + j);
            add_multiple(n - j, -v[j + p * n], w + j + p * n, column + j);
        }
        diagonal[j] = column[j];
        tau[j] = make_reflector(rest, column + j + 1);
        offdiagonal[j] = column[j + 1];
        memcpy(v_j, column + j + 1, rest * sizeof(double));
        v_j[0] = 1;
        second_vector(set, rest, j, column + lda + j + 1, lda, v_j, tau[j], v + j + 1, w + j + 1, n,
                      w_j);
    }
}

void product_tridiagonal(const instruction_set *set, size_t n, double *a, size_t lda,
                         double *diagonal, double *offdiagonal, double *tau, double *work)
{
    while (n > 1) {
        const size_t k = smaller(REFLECTORS, n - 1);
        double *v = work, *w = v + n * k, *again = w + n * k;
        tridiagonal_panel(set, n, k, a, lda, diagonal, offdiagonal, tau, v, w);
        memcpy(again, v, n * k * sizeof(double));
        a += k + k * lda;
        /* [V W] [W V]' */
        product_lower(set, n - k, 2 * k, -1, stored('N', v + k, n), stored('T', w + k, n), 1,
                      stored('N', a, lda));
        n -= k;
        diagonal += k;
        offdiagonal += k;
        tau += k;
    }
    if (n == 1)
        diagonal[0] = a[0];
}
