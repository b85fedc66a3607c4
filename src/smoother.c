/* smoother.c: one fold at one lambda by updating the full fit of a smoother (subsets of regressors,
 * features); dual.c does the same for the full kernel.
 *
 * Rows H leave the training set and the basis vectors E leave the basis. In the
 * coordinates of V the full fit has normal matrix D^-1 = diag(values) + lambda I,
 * hat matrix Z'DZ + 1/sum(w) (the second term only with an intercept, which is
 * orthogonal to the centred z) and dual coefficients a = map' b, b = D zy.
 *
 * Removing basis vectors is the constraint a_E = q_E'b = 0, with q_E the columns E
 * of map. Constrained least squares replaces D by D - D q_E M^-1 q_E'D,
 * M = q_E'D q_E, so with J0 = z_H'D z_H, F = z_H'D q_E, fitted values y0 = z_H'b
 * and g = q_E'b
 *
 *     J = J0 - F M^-1 F' (+ 1/sum(w)),    yhat = y0 - F M^-1 g.
 *
 * (The papers also subtract K_HE q_E' from z_H and K_EH Y_H from z'y. Both
 * terms are multiples of q_E, and (D - D q_E M^-1 q_E'D) q_E = 0, so they vanish.)
 *
 * A row that joins (the twin of a held-out basis vector, constraint.c) is a constraint that
 * gives way: z_a instead of q_a, 1/w_a more on the diagonal of M, and y_a subtracted from g_a; with
 * an intercept 1/sum(w) in all products of two rows.
 *
 * Leaving rows out of a penalized least squares fit with hat matrix J W:
 * the refit without H is the fit to data whose y_H are its own predictions, so
 * the held-out residual e = y_H - f(x_H) solves (I - J W) e = y_H - yhat. With
 * S = sqrt(W), in symmetric form,
 *
 *     s = (I - S J S)^-1 S (y_H - yhat),   e = s / S,
 *
 * and e = (y_H - yhat) + J S s for rows of weight zero.
 *
 * The refit's coefficients are b - D P u with the points P = [q_E, z_a, z_H] and
 * u_H = W e, u_E = M^-1 (g - F'W e), by which q_E'b vanishes; rows that join count as in E. The
 * intercept of centred y is minus the sum of u over rows by sum(w). */
#include <math.h>
#include <string.h>

#include "holdout.h"
#include "linalg.h"

/* Squared pivots of I - SJS, and those of M relative to its diagonal, below this
 * leave fewer than nine digits. */
#define PIVOT_LIMIT 1e-6

/* Rows that join are constraints that give way: of their weight, and with a value. */
static void join_twins(const ridge *r, const fold *f, double *block, double *rhs)
{
    const size_t e = f->e, q = fold_points(f);
    const double share = r->intercept ? 1 / r->sum_weights : 0;
    for (size_t b = e; b < eliminated(f); b++) {
        const size_t row = (size_t) f->twins[b - e];
        for (size_t a = b; a < q; a++)
            block[a + b * q] += share;
        block[b + b * q] += 1 / r->weights[row];
        for (size_t k = 0; k < r->v; k++)
            rhs[b + k * q] -= r->y[row + k * r->m];
    }
}

int remove_basis(size_t h, size_t e, size_t v, double *block, double *rhs)
{
    const size_t q = h + e;
    double *f = block + e, *j = block + e + e * q;
    if (cholesky_lower(e, block, q) != SR_OK)
        return SR_NOT_POSITIVE;
    for (size_t a = 0; a < e; a++) {
        double diagonal = 0;
        for (size_t b = 0; b <= a; b++)
            diagonal += block[a + b * q] * block[a + b * q];
        if (block[a + a * q] * block[a + a * q] < PIVOT_LIMIT * diagonal)
            return SR_NOT_POSITIVE;
    }
    solve_lower_right('T', h, e, block, q, f, q);
    syrk_lower('N', h, e, -1, f, q, 1, j, q);
    solve_lower_left('N', e, v, block, q, rhs, q);
    gemm('N', 'N', h, v, e, -1, f, q, rhs, q, 1, rhs + e, q);
    return SR_OK;
}

static double lower_entry(const double *a, size_t lda, size_t i, size_t j)
{
    return i >= j ? a[i + j * lda] : a[j + i * lda];
}

int factor_system(size_t h, const double *j, size_t ldj, const double *s, double *system)
{
    for (size_t b = 0; b < h; b++)
        for (size_t a = b; a < h; a++)
            system[a + b * h] = (a == b) - s[a] * s[b] * j[a + b * ldj];
    if (cholesky_lower(h, system, h) != SR_OK)
        return SR_NOT_POSITIVE;
    for (size_t a = 0; a < h; a++)
        if (system[a + a * h] * system[a + a * h] < PIVOT_LIMIT)
            return SR_NOT_POSITIVE;
    return SR_OK;
}

void held_out_residuals(size_t h, size_t v, const double *j, size_t ldj, const double *s,
                        const double *system, double *residual, size_t ld, double *x)
{
    for (size_t k = 0; k < v; k++)
        for (size_t a = 0; a < h; a++)
            x[a + k * h] = s[a] * residual[a + k * ld];
    solve_lower_left('N', h, v, system, h, x, h);
    solve_lower_left('T', h, v, system, h, x, h);
    for (size_t k = 0; k < v; k++)
        for (size_t a = 0; a < h; a++) {
            double *held_out = residual + a + k * ld;
            if (s[a] > 0)
                *held_out = x[a + k * h] / s[a];
            else
                for (size_t b = 0; b < h; b++)
                    *held_out += lower_entry(j, ldj, a, b) * s[b] * x[b + k * h];
        }
}

/* One fold at one lambda. block (q x q, lower) holds the inner products and rhs
 * (q x v) the values g and y0; block is overwritten, and the last h rows of rhs become the
 * held-out predictions. */
static int leave_out(const ridge *r, const fold *f, double *block, double *rhs,
                     const double *root_weights, double *system, double *x)
{
    const size_t h = f->h, e = eliminated(f), v = r->v, q = h + e;
    join_twins(r, f, block, rhs);
    if (e > 0 && remove_basis(h, e, v, block, rhs) != SR_OK)
        return SR_NOT_POSITIVE;
    double *j = block + e + e * q, *value = rhs + e;
    if (r->intercept)
        for (size_t b = 0; b < h; b++)
            for (size_t a = b; a < h; a++)
                j[a + b * q] += 1 / r->sum_weights;
    if (factor_system(h, j, q, root_weights, system) != SR_OK)
        return SR_NOT_POSITIVE;
    for (size_t k = 0; k < v; k++)
        for (size_t a = 0; a < h; a++)
            value[a + k * q] = r->y[(size_t) f->rows[a] + k * r->m] - value[a + k * q];
    held_out_residuals(h, v, j, q, root_weights, system, value, q, x);
    for (size_t k = 0; k < v; k++)
        for (size_t a = 0; a < h; a++)
            value[a + k * q] =
                r->y[(size_t) f->rows[a] + k * r->m] - value[a + k * q] + r->y_mean[k];
    return SR_OK;
}

static void add_means(const ridge *r, const double *lambda, size_t c, double *values)
{
    (void) lambda;
    for (size_t k = 0; k < r->v * c; k++)
        for (size_t i = 0; i < r->m; i++)
            values[i + k * r->m] += r->y_mean[k % r->v];
}

void removed_multipliers(size_t h, size_t e, size_t columns, const double *block, double *u)
{
    const size_t q = h + e;
    if (e == 0)
        return;
    gemm('T', 'N', e, columns, h, -1, block + e, q, u + e, q, 1, u, q);
    solve_lower_left('T', e, columns, block, q, u, q);
}

/* x: S e of the rows that leave; block: the factor of M, and F times the inverse of its transpose;
 * values: g solved by the factor. */
static void smoother_multipliers(const ridge *r, const fold *f, const double *block,
                                 const double *values, const double *root_weights, const double *x,
                                 double *u, double *sums)
{
    const size_t h = f->h, e = eliminated(f), v = r->v, q = h + e;
    for (size_t k = 0; k < v; k++) {
        memcpy(u + k * q, values + k * q, e * sizeof(double));
        for (size_t a = 0; a < h; a++)
            u[e + a + k * q] = root_weights[a] * x[a + k * h];
    }
    removed_multipliers(h, e, v, block, u);
    for (size_t k = 0; k < v; k++) {
        sums[k] = 0;
        for (size_t a = f->e; a < q; a++)
            sums[k] += u[a + k * q];
    }
}

static double mean_share(const ridge *r)
{
    return r->intercept ? 1 / r->sum_weights : 0;
}

/* e = (y - yhat) / (1 - w J). */
static double left_of_one(const ridge *r, double w, double product)
{
    const double pivot = 1 - w * (product + mean_share(r));
    return pivot > PIVOT_LIMIT ? pivot : 0;
}

static double without_residual(double y, double w, double value, double pivot)
{
    (void) w;
    return y - (y - value) / pivot;
}

/* A = I - S J S, g = S (y - yhat). */
static void residual_system(const ridge *r, double *a, double *g)
{
    const size_t m = r->m;
    for (size_t j = 0; j < m; j++)
        for (size_t i = j; i < m; i++)
            a[i + j * m] =
                (i == j) - sqrt(r->weights[i] * r->weights[j]) * (a[i + j * m] + mean_share(r));
    for (size_t i = 0; i < m; i++)
        g[i] = sqrt(r->weights[i]) * (r->y[i] - g[i]);
}

const ridge_kind smoother = {
    add_means, leave_out, smoother_multipliers, left_of_one, without_residual, residual_system, 1};
