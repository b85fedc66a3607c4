/* glm_chord.c: steps of refits by one factorization of the fit's curvature.
 *
 * With c = [z, 1], A = C'HC + diag(lambda, ..., lambda, 0) and points P = [N, c_a sqrt(h_a),
 * c_i sqrt(h_i)] (directions N that b is orthogonal to, rows a that join, rows i that leave) the
 * step d minimizes d'(A + P_a P_a' - P_i P_i') d / 2 + g'd subject to N'd = -gap. It is
 *
 *     d = -A^-1 (g + P u),    (P'A^-1 P + diag(0, I, -I)) u = gap - P'A^-1 g
 *
 * with zeros for N in the diagonal, I for rows that join, -I for rows that leave: positive definite
 * in the first two, and negative definite in the last after these are eliminated. The intercept is
 * eliminated from A, which leaves the factor L of Z'HZ + lambda I about the mean of z and, in
 * products of two rows, 1 / sum(h) more. */
#include <math.h>
#include <string.h>

#include "glm.h"
#include "linalg.h"
#include "vector.h"

curvature new_curvature(size_t n, memory from)
{
    curvature c = {new_doubles(from, n * n), new_doubles(from, n), 0, 0};
    return c;
}

void sum_curvature(const ridge *r, const double *weight, curvature *to, row_sums *sums,
                   row_block *block)
{
    const size_t n = r->n;
    ridge weighted = *r;
    weighted.v = 0;
    weighted.weights = weight;
    weighted.unit_weights = 0;
    to->total = 0;
    for (size_t i = 0; i < r->m; i++)
        to->total += weight[i];
    memset(to->mean, 0, n * sizeof(double));
    if (r->intercept)
        gemv('N', n, r->m, 1 / to->total, r->z, n, weight, 0, to->mean);
    row_sums all = *sums;
    all.gram = to->factor;
    sum_rows(&weighted, NULL, NULL, r->m, to->mean, NULL, &all, block);
}

int factor_curvature(size_t n, double lambda, curvature *of)
{
    of->top = 0;
    for (size_t j = 0; j < n; j++) {
        double *diagonal = of->factor + j + j * n;
        of->top = fmax(of->top, *diagonal);
        *diagonal += lambda;
    }
    return cholesky_lower(n, of->factor, n);
}

void chord_points(const ridge *r, const chord *c, const double *directions, const int *place)
{
    const size_t n = r->n;
    if (c->e > 0)
        memcpy(c->points, directions, n * c->e * sizeof(double));
    for (size_t a = 0; a < c->s + c->h; a++) {
        const double *z = r->z + (size_t) place[a] * n;
        double *point = c->points + (c->e + a) * n;
        for (size_t j = 0; j < n; j++)
            point[j] = z[j] - c->of->mean[j];
    }
}

/* Rows times the roots of their weights; the largest |point|^2 of rows that leave, which is that of
 * [z, 1] in the metric of A^-1 but for the intercept's part. */
static double scale_points(size_t n, const chord *c)
{
    double largest = 0;
    for (size_t a = 0; a < c->s + c->h; a++) {
        double *point = c->points + (c->e + a) * n;
        if (a >= c->s)
            largest = fmax(largest, dot(n, point, point));
        for (size_t j = 0; j < n; j++)
            point[j] *= c->roots[a];
    }
    return largest;
}

/* At least the largest eigenvalue of (G G')^-1, none of which is below 1; G h x h, lower. */
static double inverse_size(size_t h, const double *g, size_t ldg, double *column)
{
    double sum = 1;
    for (size_t j = 0; j < h; j++) {
        memset(column, 0, h * sizeof(double));
        column[j] = 1;
        solve_lower_left('N', h, 1, g, ldg, column, h);
        sum += dot(h, column, column) - 1;
    }
    return sum;
}

int factor_chord(const ridge *r, const chord *c, double *leverage, double *inverse, double *u)
{
    const size_t e = c->e, k = e + c->s, h = c->h, q = k + h;
    double *a = c->system, *across = a + k, *left = a + k + k * q;
    *inverse = 1;
    *leverage = 0;
    if (q == 0)
        return SR_OK;
    *leverage = scale_points(r->n, c) + (r->intercept ? 1 / c->of->total : 0);
    syrk_lower('T', q, r->n, 1, c->points, r->n, 0, a, q);
    for (size_t j = e; j < q; j++)
        for (size_t i = j; i < q && r->intercept; i++)
            a[i + j * q] += c->roots[i - e] * c->roots[j - e] / c->of->total;
    for (size_t j = e; j < k; j++)
        a[j + j * q] += 1;
    if (k > 0) {
        if (cholesky_lower(k, a, q) != SR_OK)
            return SR_NOT_POSITIVE;
        if (h > 0) {
            solve_lower_right('T', h, k, a, q, across, q);
            syrk_lower('N', h, k, -1, across, q, 1, left, q);
        }
    }
    for (size_t j = 0; j < h; j++)
        for (size_t i = j; i < h; i++)
            left[i + j * q] = (i == j) - left[i + j * q];
    if (h == 0)
        return SR_OK;
    const int status = cholesky_lower(h, left, q);
    if (status == SR_OK)
        *inverse = inverse_size(h, left, q, u);
    *leverage *= *inverse;
    return status;
}

/* u = S^-1 u, S the system. */
static void solve_system(const chord *c, double *u)
{
    const size_t k = c->e + c->s, h = c->h, q = k + h;
    const double *a = c->system, *across = a + k, *left = a + k + k * q;
    if (k > 0)
        solve_lower_left('N', k, 1, a, q, u, q);
    if (h > 0) {
        gemv('N', h, k, -1, across, q, u, 1, u + k);
        solve_lower_left('N', h, 1, left, q, u + k, q);
        solve_lower_left('T', h, 1, left, q, u + k, q);
        for (size_t i = k; i < q; i++)
            u[i] = -u[i];
        gemv('T', h, k, -1, across, q, u + k, 1, u);
    }
    if (k > 0)
        solve_lower_left('T', k, 1, a, q, u, q);
}

double chord_step(const ridge *r, const chord *c, double gradient0, const double *gap, double *step,
                  double *step0, double *u)
{
    const size_t n = r->n, e = c->e, q = e + c->s + c->h;
    const double share = r->intercept ? gradient0 / c->of->total : 0;
    double decrement = dot(n, step, step), sum = 0;
    for (size_t a = 0; a < q; a++) {
        const double along = dot(n, c->points + a * n, step);
        u[a] = -along;
        if (a >= e)
            u[a] -= share * c->roots[a - e];
        else if (gap)
            u[a] += gap[a];
    }
    solve_system(c, u);
    for (size_t a = 0; a < q; a++) {
        const double *point = c->points + a * n;
        decrement += dot(n, point, step) * u[a];
        sum += a < e ? 0 : c->roots[a - e] * u[a];
    }
    for (size_t a = 0; a < q; a++)
        add_multiple(n, u[a], c->points + a * n, step);
    for (size_t j = 0; j < n; j++)
        step[j] = -step[j];
    *step0 = r->intercept ? -share - sum / c->of->total : 0;
    return decrement;
}
