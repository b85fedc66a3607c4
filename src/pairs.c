/* pairs.c: leave-pair-out cross-validation.
 *
 * Every two rows that differ in y leave the training set together; the question is whether their
 * held-out predictions are in the order of y. The average over pairs estimates the AUC (or
 * concordance) without the bias that pooling leave-one-out predictions has in small samples.
 *
 * The scaled held-out residuals of a set H are A_HH^-1 g_H: with A = I - S J S and g = S (y - yhat)
 * (smoother.c), or with A = M and g = c~ (dual.c). For two rows that is
 *
 *     e_i = (A_jj g_i - A_ij g_j) / (A_ii A_jj - A_ij^2).
 *
 * Cost for each lambda: m^2 n for A, then a few operations per pair. Memory: m x m. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "linalg.h"
#include "pairs.h"

/* a (m x m, lower) and g (m) at one lambda; scaled: n x m. */
static void pair_system(const ridge *r, const double *d, const double *b, double *scaled, double *a,
                        double *g)
{
    const size_t n = r->n, m = r->m;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            scaled[j + i * n] = sqrt(d[j]) * r->z[j + i * n];
    syrk_lower('T', m, n, 1, scaled, n, 0, a, m);
    gemm('T', 'N', m, 1, n, 1, r->z, n, b, n, 0, g, m);
    r->kind->pair_system(r, a, g);
}

/* Pairs of row j with the rows after it. */
static int count_pairs(const ridge *r, size_t j, const double *a, const double *g,
                       double *concordant, double *pairs)
{
    const size_t m = r->m;
    for (size_t i = j + 1; i < m; i++) {
        const double weight = r->weights[i] * r->weights[j], gap = r->y[i] - r->y[j];
        if (weight == 0 || gap == 0)
            continue;
        const double aii = a[i + i * m], ajj = a[j + j * m], aij = a[i + j * m];
        const double determinant = aii * ajj - aij * aij;
        if (!(determinant > 1e-12 * aii * ajj))
            return SR_ILL_POSED;
        const double ei = (ajj * g[i] - aij * g[j]) / determinant / sqrt(r->weights[i]);
        const double ej = (aii * g[j] - aij * g[i]) / determinant / sqrt(r->weights[j]);
        const double order = (gap - ei + ej) * gap;
        const double value = order > 0 ? weight : order == 0 ? weight / 2 : 0;
        concordant[i] += value;
        concordant[j] += value;
        pairs[i] += weight;
        pairs[j] += weight;
    }
    return SR_OK;
}

int leave_pairs_out(const ridge *r, const spectrum *s, const double *lambda, size_t c,
                    double *concordant, double *pairs, memory from)
{
    const size_t n = r->n, m = r->m;
    double *d = new_doubles(from, n * c), *b = new_doubles(from, n * r->v * c);
    double *scaled = new_doubles(from, n * m), *a = new_doubles(from, m * m);
    double *g = new_doubles(from, m);
    spectral_weights(s, r->v, lambda, c, d, b);
    memset(concordant, 0, m * c * sizeof(double));
    memset(pairs, 0, m * c * sizeof(double));
    for (size_t l = 0; l < c; l++) {
        pair_system(r, d + l * n, b + l * n, scaled, a, g);
        for (size_t j = 0; j < m; j++) {
            const int status = count_pairs(r, j, a, g, concordant + l * m, pairs + l * m);
            if (status != SR_OK)
                return status;
        }
        R_CheckUserInterrupt();
    }
    return SR_OK;
}
