/* rls2_fitted.c: the solution on all rows.
 *
 * Contract: F_i'c is the same on all rows and on fewer (rls2_reduce.c), so that the function on all
 * rows is sum_i d_i s_i F_i (F_i'c). c itself is known on fewer rows by its image only. */
#include <string.h>

#include "rls2.h"
#include "vector.h"

/* f += weight K_i P' W^1/2 c by the factor; value: weight times the first share, the slope of a
 * single column. */
static double add_factor(const rls2_state *s, const kernel_bank *all, size_t i, double weight,
                         double *f)
{
    const kernel_bank *bank = s->problem.bank;
    const kernel_term *near = bank->terms + i, *far = all->terms + i;
    double first = 0;
    for (size_t k = near->rank; k-- > 0;) {
        first = weight * dot(bank->m, near->factor + k * bank->m, s->at.scattered);
        add_multiple(all->m, first, far->factor + k * all->m, f);
    }
    return first;
}

double rls2_fitted(rls2_state *s, rls2_data *data, double *f, double *slope)
{
    kernel_bank *all = &data->all;
    double mean = 0;
    bank_scatter(s->problem.bank, s->at.c, s->at.scattered);
    memset(f, 0, all->m * sizeof(double));
    for (size_t j = 0; j < s->set.count; j++) {
        const size_t i = (size_t) s->set.member[j];
        const double weight = s->set.weight[j] * s->problem.scale[i];
        if (all->terms[i].factor) {
            const double first = add_factor(s, all, i, weight, f);
            if (slope)
                slope[i] = first;
            continue;
        }
        bank_apply(all, i, s->at.scattered, all->image);
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

void rls2_alpha(const rls2_state *s, const rls2_data *data, size_t l, const double *f, double *c,
                double *alpha)
{
    const kernel_bank *all = &data->all;
    const double *y = data->response + l * all->t;
    if (data->near.terms == all->terms) {
        bank_scatter(all, s->at.c, alpha);
        return;
    }
    /* After a reduction: lambda c = y - f on the training rows. */
    for (size_t j = 0; j < all->t; j++)
        c[j] = (y[j] - all->root[j] * f[all->rows[j]]) / s->at.lambda;
    bank_scatter(all, c, alpha);
}
