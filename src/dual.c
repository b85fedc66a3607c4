/* dual.c: RLS on the full kernel.
 *
 * With S = sqrt(W), K~ = S K S, y~ = S y and s = S 1, the coefficients c = S c~ of the problem
 * with an unpenalized intercept solve (K~ + lambda I) c~ + s b_0 = y~, s'c~ = 0. Let the columns
 * of P be an orthonormal basis of the complement of s. Then
 *
 *     c~ = M y~,   M = P (P'K~P + lambda I)^-1 P' = U D U',   D = (diag(values) + lambda I)^-1
 *
 * with P'K~P = Q diag(values) Q' and U = P Q. P comes from the Householder reflection that
 * turns s into the first axis: P'K~P is what is left of the reflected K~ without its first row
 * and column. Without an intercept P = I. (Centring K and using the formulas of the plain
 * kernel would be wrong.)
 *
 * The held-out residuals of a fold are S^-1 (M_HH)^-1 c~_H: entries of the inverse of a gram
 * matrix, which stay right at tiny lambda, where 1 - h would have no digits left.
 *
 * Without the fold c~ loses M_.H (M_HH)^-1 c~_H, and b_0 loses s_H'(M_HH)^-1 c~_H / sum(w).
 *
 * In terms of `ridge`: column i of z is row i of U for a row of positive weight. For a row
 * of weight zero, which trains nothing, it is its centred kernel in the same coordinates,
 *
 *     z_i = U'(S k_i - u),   u = K~ s / sum(w)  (zero without an intercept),
 *
 * so that its prediction is y_mean + z_i'D zy. zy = U'y~, z_mean = U'u, and map = U'S
 * gives the coefficients c = map'D zy. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "dual.h"
#include "linalg.h"

/* kernel = S K S (both triangles). */
static void scale_kernel(size_t t, const double *root, double *kernel)
{
    for (size_t j = 0; j < t; j++)
        for (size_t i = 0; i < t; i++)
            kernel[i + j * t] *= root[i] * root[j];
}

/* kernel = H K H with H = I - beta v v', H s / |s| = -e_1; beta is returned. p: t. */
static double reflect(size_t t, const double *root, double *kernel, double *v, double *p)
{
    double norm = 0, square = 0, inner = 0;
    for (size_t i = 0; i < t; i++)
        norm += root[i] * root[i];
    for (size_t i = 0; i < t; i++)
        v[i] = root[i] / sqrt(norm);
    v[0] += 1;
    for (size_t i = 0; i < t; i++)
        square += v[i] * v[i];
    const double beta = 2 / square;
    gemm('N', 'N', t, 1, t, beta, kernel, t, v, t, 0, p, t);
    for (size_t i = 0; i < t; i++)
        inner += v[i] * p[i];
    for (size_t i = 0; i < t; i++)
        p[i] -= beta / 2 * inner * v[i];
    for (size_t j = 0; j < t; j++)
        for (size_t i = 0; i < t; i++)
            kernel[i + j * t] -= v[i] * p[j] + p[i] * v[j];
    return beta;
}

/* map (n x t) = U', U = Q or H [0; Q]; the eigenvectors Q (n x n) have leading dimension t. */
static void transposed_vectors(size_t n, size_t t, const double *q, double beta, const double *v,
                               double *g, double *map)
{
    const size_t shift = t - n; /* 1 with an intercept */
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            map[j + (i + shift) * n] = q[i + j * t];
    if (!shift)
        return;
    memset(map, 0, n * sizeof(double));
    gemm('T', 'N', n, 1, n, beta, q, t, v + 1, n, 0, g, n);
    for (size_t i = 0; i < t; i++)
        for (size_t j = 0; j < n; j++)
            map[j + i * n] -= v[i] * g[j];
}

static void centre_y(ridge *r)
{
    memset(r->y_mean, 0, r->v * sizeof(double));
    if (!r->intercept)
        return;
    for (size_t k = 0; k < r->v; k++) {
        double *y = r->y + k * r->m;
        for (size_t i = 0; i < r->m; i++)
            r->y_mean[k] += r->weights[i] / r->sum_weights * y[i];
        for (size_t i = 0; i < r->m; i++)
            y[i] -= r->y_mean[k];
    }
    refine_centre(r);
}

/* zy, z_mean and z from map = U'S; u: t, in units of c~. */
static void project(ridge *r, const full_kernel *k, const double *root, double *u)
{
    const size_t n = r->n, m = r->m, t = k->t;
    size_t train = 0, other = 0;
    for (size_t i = 0; i < t; i++)
        u[i] /= root[i];
    gemm('N', 'N', n, 1, t, 1, r->map, n, u, t, 0, r->z_mean, n);
    memset(r->zy, 0, n * r->v * sizeof(double));
    for (size_t i = 0; i < m; i++) {
        double *z = r->z + i * n;
        if (r->weights[i] > 0) {
            const double *map = r->map + train * n;
            for (size_t j = 0; j < n; j++)
                z[j] = map[j] / root[train];
            for (size_t o = 0; o < r->v; o++)
                for (size_t j = 0; j < n; j++)
                    r->zy[j + o * n] += map[j] * r->y[i + o * m];
            train++;
        } else {
            memcpy(z, r->z_mean, n * sizeof(double));
            gemm('N', 'N', n, 1, t, 1, r->map, n, k->cross + other * t, t, -1, z, n);
            other++;
            R_CheckUserInterrupt();
        }
    }
}

int dual_train(ridge *r, const full_kernel *k, double *values, memory from)
{
    const size_t n = r->n, t = k->t, shift = t - n;
    double *root = new_doubles(from, t), *v = new_doubles(from, t), *p = new_doubles(from, t);
    double *u = new_doubles(from, t), *kernel = new_doubles(from, t * t);
    memcpy(kernel, k->kernel, t * t * sizeof(double));
    for (size_t i = 0, train = 0; i < r->m; i++)
        if (r->weights[i] > 0)
            root[train++] = sqrt(r->weights[i]);
    centre_y(r);
    scale_kernel(t, root, kernel);
    memset(u, 0, t * sizeof(double));
    double beta = 0;
    if (r->intercept) {
        gemm('N', 'N', t, 1, t, 1 / r->sum_weights, kernel, t, root, t, 0, u, t);
        beta = reflect(t, root, kernel, v, p);
    }
    double *q = kernel + shift + shift * t;
    const int status = eigen_symmetric(n, q, t, values, from);
    if (status != SR_OK)
        return status;
    transposed_vectors(n, t, q, beta, v, p, r->map);
    for (size_t i = 0; i < t; i++)
        for (size_t j = 0; j < n; j++)
            r->map[j + i * n] *= root[i];
    project(r, k, root, u);
    return all_finite(r->z, n * r->m) ? SR_OK : SR_NOT_FINITE;
}

static void dual_fitted(const ridge *r, const double *lambda, size_t c, double *fitted)
{
    const size_t m = r->m, v = r->v;
    for (size_t k = 0; k < v * c; k++)
        for (size_t i = 0; i < m; i++) {
            double *value = fitted + i + k * m;
            if (r->weights[i] > 0)
                *value = r->y[i + k % v * m] - lambda[k / v] * *value / sqrt(r->weights[i]);
            *value += r->y_mean[k % v];
        }
}

/* block: M_HH (rows of weight zero: z_i'D z_j); rhs: c~_H (those rows: their predictions less
 * y_mean); rhs becomes the held-out predictions. */
static int leave_out_dual(const ridge *r, const fold *f, double *block, double *rhs,
                          const double *s, double *system, double *x)
{
    const size_t h = f->h, v = r->v;
    for (size_t b = 0; b < h; b++)
        for (size_t a = b; a < h; a++)
            system[a + b * h] = s[a] > 0 && s[b] > 0 ? block[a + b * h] : a == b;
    if (cholesky_lower(h, system, h) != SR_OK)
        return SR_NOT_POSITIVE;
    for (size_t k = 0; k < v; k++)
        for (size_t a = 0; a < h; a++)
            x[a + k * h] = s[a] > 0 ? rhs[a + k * h] : 0;
    solve_lower_left('N', h, v, system, h, x, h);
    solve_lower_left('T', h, v, system, h, x, h);
    const double share = r->intercept ? 1 / r->sum_weights : 0;
    for (size_t k = 0; k < v; k++)
        for (size_t a = 0; a < h; a++) {
            const double y = r->y[(size_t) f->rows[a] + k * r->m];
            double *value = rhs + a + k * h;
            if (s[a] > 0) {
                *value = y - x[a + k * h] / s[a];
            } else {
                /* Held-out residuals act on this prediction by its row of the hat matrix. */
                for (size_t b = 0; b < h; b++)
                    if (s[b] > 0)
                        *value -=
                            (block[a > b ? a + b * h : b + a * h] + share * s[b]) * x[b + k * h];
            }
            *value += r->y_mean[k];
        }
    return SR_OK;
}

/* x: (M_HH)^-1 c~_H. */
static void dual_multipliers(const ridge *r, const fold *f, const double *block,
                             const double *values, const double *root_weights, const double *x,
                             double *u, double *sums)
{
    (void) block;
    (void) values;
    memcpy(u, x, f->h * r->v * sizeof(double));
    for (size_t k = 0; k < r->v; k++) {
        sums[k] = 0;
        for (size_t a = 0; a < f->h; a++)
            sums[k] += root_weights[a] * x[a + k * f->h];
    }
}

/* e = c~ / (s M). */
static double inverse_entry(const ridge *r, double w, double product)
{
    (void) r;
    (void) w;
    return product;
}

/* A row of weight zero has its prediction already. */
static double less_residual(double y, double w, double value, double pivot)
{
    return w > 0 ? y - value / (sqrt(w) * pivot) : value;
}

/* A = M and g = c~: they are there. */
static void inverse_system(const ridge *r, double *a, double *g)
{
    (void) r;
    (void) a;
    (void) g;
}

const ridge_kind full_kernel_problem = {
    dual_fitted, leave_out_dual, dual_multipliers, inverse_entry, less_residual, inverse_system, 0};
