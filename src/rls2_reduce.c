/* rls2_reduce.c: fewer rows, where all kernels together have fewer columns than there are
 * training rows.
 *
 * Contract: with W^1/2 P [F_1 ... F_n] = Q R (t x k, k < t) every R(d) lies in the span of Q, so
 * that y'G^-1 y = y_1'(Q'R(d)Q + lambda I)^-1 y_1 + |y - Q y_1|^2 / lambda, y_1 = Q'y: the same
 * problem on k rows, with the columns of R as factors. The way back: F_i'c is the same in both,
 * which gives the solution on all rows. */
#include <string.h>

#include "rls2.h"

size_t reduced_rows(const kernel_bank *bank)
{
    size_t columns = 0;
    for (size_t i = 0; i < bank->n; i++) {
        if (!bank->terms[i].factor)
            return 0;
        columns += bank->terms[i].rank;
        if (columns >= bank->t)
            return 0;
    }
    return columns;
}

int reduce_bank(const kernel_bank *bank, size_t k, size_t v, double *q, double *y, double *rest,
                kernel_term *terms, double *tau, double *work, size_t lwork)
{
    const size_t t = bank->t;
    double *to = q;
    for (size_t i = 0; i < bank->n; i++) {
        bank_columns(bank, i, to);
        to += t * bank->terms[i].rank;
    }
    const int status = qr_factor(t, k, q, t, tau, work, lwork);
    if (status != SR_OK)
        return status;
    qr_apply('L', 'T', t, v, k, q, t, tau, y, t, work, lwork);
    for (size_t l = 0; l < v; l++)
        rest[l] = dot(t - k, y + l * t + k, y + l * t + k);
    /* R as k x k: column j moves forward, over what is not needed any more. */
    for (size_t j = 0; j < k; j++) {
        memmove(q + j * k, q + j * t, (j + 1) * sizeof(double));
        memset(q + j * k + j + 1, 0, (k - j - 1) * sizeof(double));
    }
    to = q;
    for (size_t i = 0; i < bank->n; i++) {
        terms[i] = bank->terms[i];
        terms[i].factor = to;
        to += k * bank->terms[i].rank;
    }
    return all_finite(q, k * k) ? SR_OK : SR_NOT_FINITE;
}

/* ---- the way back -------------------------------------------------------------- */

/* f += weight K_i P' W^1/2 c by the factor; value: weight times the first share, the slope of a
 * single column. */
static double add_factor(const layers *s, const kernel_bank *all, size_t i, double weight,
                         double *f)
{
    const kernel_term *near = s->bank->terms + i, *far = all->terms + i;
    double first = 0;
    for (size_t k = near->rank; k-- > 0;) {
        first = weight * dot(s->bank->m, near->factor + k * s->bank->m, s->spread);
        add_multiple(all->m, first, far->factor + k * all->m, f);
    }
    return first;
}

double layers_fitted(layers *s, const kernel_bank *all, double *f, double *slope)
{
    double mean = 0;
    bank_spread(s->bank, s->c, s->spread);
    memset(f, 0, all->m * sizeof(double));
    for (size_t j = 0; j < s->count; j++) {
        const size_t i = (size_t) s->member[j];
        const double weight = s->weight[j] * s->scale[i];
        if (all->terms[i].factor) {
            const double first = add_factor(s, all, i, weight, f);
            if (slope)
                slope[i] = first;
            continue;
        }
        bank_apply(all, i, s->spread, all->image);
        add_multiple(all->m, weight, all->image, f);
    }
    if (!all->center)
        return 0;
    for (size_t j = 0; j < all->t; j++)
        mean += all->root[j] * all->root[j] * f[all->rows[j]] / all->sum_weights;
    for (size_t k = 0; k < all->m; k++)
        f[k] -= mean;
    return mean;
}

void layers_alpha(const layers *s, const kernel_bank *all, const double *y, const double *f,
                  double *c, double *alpha)
{
    if (s->bank->terms == all->terms) {
        bank_spread(all, s->c, alpha);
        return;
    }
    /* After a reduction c is known by its image only: lambda c = y - f on the training rows. */
    for (size_t j = 0; j < all->t; j++)
        c[j] = (y[j] - all->root[j] * f[all->rows[j]]) / s->lambda;
    bank_spread(all, c, alpha);
}
