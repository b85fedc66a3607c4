/* glm_curvature.c: the curvature of a penalized likelihood at a point, the quadratic model that
 * steps are made by. It need not be that of the point, nor of the lambda, where a step begins. */
#include <math.h>
#include <string.h>

#include "glm.h"
#include "linalg.h"
#include "vector.h"

curvature new_curvature(const ridge *r, memory from)
{
    const size_t m = r->m, n = r->n;
    curvature c = {new_doubles(from, n * n),
                   new_doubles(from, n * n),
                   new_doubles(from, n),
                   new_doubles(from, m),
                   new_doubles(from, m),
                   0,
                   0,
                   0,
                   0,
                   new_row_sums(n, 0, 0, from),
                   new_row_block(n, 0, from)};
    return c;
}

void take_curvature(const glm *p, const double *value, double b0, const double *weight,
                    curvature *to)
{
    const size_t m = p->r->m, n = p->r->n;
    ridge weighted = *p->r;
    weighted.v = 0;
    weighted.weights = weight;
    weighted.unit_weights = 0;
    to->total = to->top = to->factored = 0;
    to->lambda = p->lambda;
    memcpy(to->weight, weight, m * sizeof(double));
    for (size_t i = 0; i < m; i++) {
        to->total += weight[i];
        to->value[i] = b0 + value[i];
    }
    memset(to->mean, 0, n * sizeof(double));
    if (p->r->intercept)
        gemv('N', n, m, 1 / to->total, p->r->z, n, weight, 0, to->mean);
    to->sums.gram = to->gram;
    sum_rows(&weighted, NULL, NULL, m, to->mean, NULL, &to->sums, &to->block);
    mirror_lower(n, to->gram, n);
    for (size_t j = 0; j < n; j++)
        to->top = fmax(to->top, to->gram[j + j * n]);
}

int factor_curvature(const glm *p, curvature *of)
{
    const size_t n = p->r->n;
    if (of->factored == p->lambda)
        return SR_OK;
    memcpy(of->factor, of->gram, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++)
        of->factor[j + j * n] += p->lambda;
    of->factored = cholesky_lower(n, of->factor, n) == SR_OK ? p->lambda : 0;
    return of->factored > 0 ? SR_OK : SR_ILL_POSED;
}

double degrees_of_freedom(size_t n, double lambda, const double *factor, double *inverse)
{
    memcpy(inverse, factor, n * n * sizeof(double));
    invert_lower(n, inverse);
    return (double) n - lambda * dot(n * n, inverse, inverse);
}

double largest_move(const glm *p, const curvature *of, const double *value, double b0)
{
    double most = 0;
    for (size_t i = 0; i < p->r->m; i++) {
        const double move = fabs(value[i] + b0 - of->value[i]);
        if (p->weights[i] > 0 && move > most)
            most = move;
    }
    return most;
}

double largest_leverage(const ridge *r, curvature *of, const int *rows, size_t count, double *each)
{
    const size_t n = r->n;
    double largest = 0;
    for (size_t start = 0, some; start < count; start += some) {
        some = smaller(ROW_BLOCK, count - start);
        double *block = of->block.z;
        for (size_t i = 0; i < some; i++) {
            const double *z = r->z + (rows ? (size_t) rows[start + i] : start + i) * n;
            for (size_t j = 0; j < n; j++)
                block[i * n + j] = z[j] - of->mean[j];
        }
        solve_lower_left('N', n, some, of->factor, n, block, n);
        for (size_t i = 0; i < some; i++) {
            const double squared =
                dot(n, block + i * n, block + i * n) + (r->intercept ? 1 / of->total : 0);
            largest = fmax(largest, squared);
            if (each)
                each[start + i] = squared;
        }
    }
    return largest;
}

/* Twice, so that what is left is orthogonal to working precision. */
void project(size_t n, size_t e, const double *directions, size_t k, double *x)
{
    for (int again = 0; again < 2; again++)
        for (size_t c = 0; c < k; c++)
            for (size_t j = 0; j < e; j++) {
                const double *along = directions + j * n;
                add_multiple(n, -dot(n, along, x + c * n), along, x + c * n);
            }
}
