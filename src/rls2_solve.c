/* rls2_solve.c: c = G^-1 y at given weights, G = R(d) + lambda I.
 *
 * Contract: G is factorized as it stands (t x t) or, where the kernels in use have factors of few
 * columns in all, through F'F + lambda I with F = [sqrt(d_i s_i) F_i]: c = (y - F (F'F + lambda
 * I)^-1 F'y) / lambda. SR_NOT_POSITIVE and SR_NOT_FINITE: lambda is below what rounding leaves of
 * R. */
#include <math.h>
#include <string.h>

#include "linalg.h"
#include "rls2.h"
#include "vector.h"

/* The primal form pays below t / PRIMAL_GAIN columns. */
#define PRIMAL_GAIN 4

rls2_solution new_solution(const kernel_bank *bank, size_t most, memory from)
{
    const size_t t = bank->t;
    rls2_solution at = {0};
    at.c = new_doubles(from, t);
    at.scattered = new_doubles(from, bank->m);
    at.f = new_doubles(from, t * t);
    at.factor = new_doubles(from, t * t);
    at.reduced = new_doubles(from, t / PRIMAL_GAIN * most);
    return at;
}

/* Columns of all kernels in use, or 0 where one has no factor or they are too many. */
static size_t columns_in_use(const kernel_bank *bank, const working_set *set)
{
    size_t columns = 0;
    for (size_t j = 0; j < set->count; j++) {
        if (set->weight[j] == 0)
            continue;
        const kernel_term *term = bank->terms + set->member[j];
        if (!term->factor)
            return 0;
        columns += term->rank;
        if (columns * PRIMAL_GAIN > bank->t)
            return 0;
    }
    return columns;
}

/* Columns of sqrt(d s) F_i that member j has; 0 without weight. */
static size_t member_columns(const rls2_problem *problem, const working_set *set, size_t j)
{
    return set->weight[j] > 0 ? problem->bank->terms[set->member[j]].rank : 0;
}

/* The k-th of them. */
static void scaled_column(const rls2_problem *problem, const working_set *set, size_t j, size_t k,
                          double *to)
{
    const kernel_bank *bank = problem->bank;
    const size_t i = (size_t) set->member[j];
    const double root = sqrt(set->weight[j] * problem->scale[i]);
    bank_gather(bank, bank->terms[i].factor + k * bank->m, to);
    for (size_t l = 0; l < bank->t; l++)
        to[l] *= root;
}

static void add_lambda(size_t n, double lambda, double *a)
{
    for (size_t j = 0; j < n; j++)
        a[j + j * n] += lambda;
}

static int factorize_primal(const rls2_problem *problem, const working_set *set, rls2_solution *at)
{
    const size_t t = problem->bank->t, k = at->columns;
    size_t filled = 0;
    for (size_t j = 0; j < set->count; j++)
        for (size_t l = 0; l < member_columns(problem, set, j); l++)
            scaled_column(problem, set, j, l, at->f + t * filled++);
    syrk_lower('T', k, t, 1, at->f, t, 0, at->factor, k);
    add_lambda(k, at->lambda, at->factor);
    return cholesky_lower(k, at->factor, k);
}

/* factor = R(d) of the kernels without factors. */
static void sum_plain(rls2_problem *problem, const working_set *set, rls2_solution *at)
{
    kernel_bank *bank = problem->bank;
    int plain = 0;
    memset(at->factor, 0, bank->t * bank->t * sizeof(double));
    for (size_t j = 0; j < set->count; j++) {
        const size_t i = (size_t) set->member[j];
        if (set->weight[j] > 0 && !bank->terms[i].factor) {
            bank_add(bank, i, set->weight[j] * problem->scale[i], at->factor);
            plain = 1;
        }
    }
    if (plain)
        bank_finish(bank, at->factor, at->f);
}

/* R(d) from kernels without factors, then from columns of factors, t of them at a time. */
static int factorize_dual(rls2_problem *problem, const working_set *set, rls2_solution *at)
{
    const size_t t = problem->bank->t;
    sum_plain(problem, set, at);
    size_t filled = 0;
    for (size_t j = 0; j < set->count; j++)
        for (size_t l = 0; l < member_columns(problem, set, j); l++) {
            if (filled == t) {
                syrk_lower('N', t, t, 1, at->f, t, 1, at->factor, t);
                filled = 0;
            }
            scaled_column(problem, set, j, l, at->f + t * filled++);
        }
    syrk_lower('N', t, filled, 1, at->f, t, 1, at->factor, t);
    add_lambda(t, at->lambda, at->factor);
    return cholesky_lower(t, at->factor, t);
}

int rls2_evaluate(rls2_problem *problem, const working_set *set, double lambda, rls2_solution *at)
{
    const size_t t = problem->bank->t;
    at->lambda = lambda;
    at->columns = columns_in_use(problem->bank, set);
    at->primal = at->columns > 0;
    const int status =
        at->primal ? factorize_primal(problem, set, at) : factorize_dual(problem, set, at);
    if (status != SR_OK)
        return status;
    memcpy(at->c, problem->y, t * sizeof(double));
    if (at->primal) {
        const size_t k = at->columns;
        gemv('T', t, k, 1, at->f, t, problem->y, 0, at->reduced);
        solve_lower_left('N', k, 1, at->factor, k, at->reduced, k);
        solve_lower_left('T', k, 1, at->factor, k, at->reduced, k);
        gemv('N', t, k, -1 / lambda, at->f, t, at->reduced, 1 / lambda, at->c);
    } else {
        solve_lower_left('N', t, 1, at->factor, t, at->c, t);
        solve_lower_left('T', t, 1, at->factor, t, at->c, t);
    }
    at->value = dot(t, problem->y, at->c) + problem->rest / lambda;
    return isfinite(at->value) && all_finite(at->c, t) ? SR_OK : SR_NOT_FINITE;
}

/* tr(R (R + lambda I)^-1) = k - lambda tr((A + lambda I)^-1), A the k x k matrix that was
 * factorized. */
int rls2_df(rls2_solution *at, size_t t, double *df)
{
    const size_t k = at->primal ? at->columns : t;
    invert_lower(k, at->factor);
    *df = (double) k - at->lambda * dot(k * k, at->factor, at->factor);
    return isfinite(*df) ? SR_OK : SR_NOT_FINITE;
}
