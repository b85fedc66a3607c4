/* ridge_path.c: the solutions of a ridge problem at any lambda, read off its spectrum.
 *
 * With d = 1 / (values + lambda) the coefficients in the coordinates of V are b = d zy, those of
 * the expansion map'b, the intercept is y_mean - z_mean'b, and the degrees of freedom are the sum
 * of values d. Several lambda and outputs stand side by side, all outputs of the first lambda
 * first. */
#include <string.h>

#include "linalg.h"
#include "ridge.h"

void spectral_weights(const spectrum *s, size_t v, const double *lambda, size_t c, double *d,
                      double *b)
{
    const size_t n = s->n;
    for (size_t l = 0; l < c; l++) {
        for (size_t j = 0; j < n; j++)
            d[j + l * n] = 1 / (s->values[j] + lambda[l]);
        for (size_t k = 0; k < v; k++)
            for (size_t j = 0; j < n; j++)
                b[j + (k + l * v) * n] = d[j + l * n] * s->zy[j + k * n];
    }
}

/* sum_i w_i (y_ik - fitted_ik)^2 over all outputs; fitted (m x v) includes y_mean. */
static double residual_squares(const ridge *r, const double *fitted)
{
    double sum = 0;
    for (size_t k = 0; k < r->v; k++)
        for (size_t i = 0; i < r->m; i++) {
            const double residual = r->y[i + k * r->m] + r->y_mean[k] - fitted[i + k * r->m];
            sum += r->weights[i] * residual * residual;
        }
    return sum;
}

void ridge_coefficients(const spectrum *s, size_t terms, size_t v, const double *y_mean,
                        const double *lambda, size_t c, ridge_solutions *to, memory from)
{
    const size_t n = s->n, columns = v * c;
    double *d = new_doubles(from, n * c), *b = new_doubles(from, n * columns);
    spectral_weights(s, v, lambda, c, d, b);
    gemm('T', 'N', terms, columns, n, 1, s->map, n, b, n, 0, to->alpha, terms);
    gemm('T', 'N', 1, columns, n, -1, s->z_mean, n, b, n, 0, to->a0, 1);
    for (size_t k = 0; k < columns; k++)
        to->a0[k] += y_mean[k % v];
    gemm('T', 'N', 1, c, n, 1, s->values, n, d, n, 0, to->df, 1);
}

void ridge_fitted(const ridge *r, const spectrum *s, const double *lambda, size_t c, double *fitted,
                  double *rss, memory from)
{
    const size_t m = r->m, n = r->n, v = r->v, columns = v * c;
    double *d = new_doubles(from, n * c), *b = new_doubles(from, n * columns);
    spectral_weights(s, v, lambda, c, d, b);
    if (s->vectors) {
        double *turned = new_doubles(from, n * columns);
        gemm('N', 'N', n, columns, n, 1, s->vectors, n, b, n, 0, turned, n);
        b = turned;
    }
    gemm('T', 'N', m, columns, n, 1, r->z, n, b, n, 0, fitted, m);
    r->kind->fit(r, lambda, c, fitted);
    for (size_t l = 0; l < c; l++)
        rss[l] = residual_squares(r, fitted + l * v * m);
}
