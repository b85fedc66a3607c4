/* rls2_alternate.c: the paper's two steps in turn.
 *
 * Contract: with weights d fixed, c = (R(d) + lambda I)^-1 y; with c fixed, d minimizes
 *
 *   |V d - (y - lambda c / 2)|^2 over the simplex,    V = [s_i K_i c]
 *
 * (Problem 7, with Lemma 4), until |R(d) c + lambda c - y|^2 / |y|^2 is small. The least squares
 * problem is solved on a working set that takes in the kernels with the smallest gradient. */
#include <math.h>
#include <R_ext/Utils.h>
#include <string.h>

#include "linalg.h"
#include "rls2.h"
#include "vector.h"

/* At most this many rounds. */
#define ROUNDS 100000

alternate_work new_alternate_work(const working_set *set, size_t n, memory from)
{
    const size_t most = set->most;
    alternate_work work = {new_doubles(from, set->t * n), new_doubles(from, set->t),
                           new_doubles(from, most * most), new_doubles(from, most),
                           new_simplex_work(most, from)};
    return work;
}

/* residual (t) = V d - y + lambda c / shrink. */
static void residual(const rls2_state *s, double shrink, alternate_work *work)
{
    const working_set *set = &s->set;
    const size_t t = set->t;
    for (size_t k = 0; k < t; k++)
        work->residual[k] = s->at.lambda * s->at.c[k] / shrink - s->problem.y[k];
    for (size_t j = 0; j < set->count; j++)
        add_multiple(t, set->weight[j], work->images + (size_t) set->member[j] * t, work->residual);
}

static int solve_on_members(rls2_state *s, alternate_work *work)
{
    const working_set *set = &s->set;
    const size_t t = set->t, count = set->count;
    syrk_lower('T', count, t, 1, set->v, t, 0, work->h, count);
    for (size_t j = 0; j < count; j++) {
        const double *v = set->v + j * t;
        work->linear[j] = dot(t, v, s->problem.y) - s->at.lambda / 2 * dot(t, v, s->at.c);
    }
    return simplex_minimize(count, work->h, work->linear, set->weight, &work->simplex);
}

/* Kernel with the steepest descent from the members' minimizer, n if none descends. */
static size_t steepest(const working_set *set, size_t n, const alternate_work *work)
{
    const size_t t = set->t;
    const double *images = work->images, *r = work->residual;
    double level = 0, size = 0, most;
    size_t best = n;
    for (size_t j = 0; j < set->count; j++)
        level -= set->weight[j] * dot(t, images + (size_t) set->member[j] * t, r);
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs(dot(t, images + i * t, r)));
    most = level + 1e-12 * size;
    for (size_t i = 0; i < n; i++) {
        const double descent = -dot(t, images + i * t, r);
        if (!set->inside[i] && descent > most) {
            most = descent;
            best = i;
        }
    }
    return best;
}

/* The weights for the current c. */
static int simplex_least_squares(rls2_state *s, alternate_work *work)
{
    working_set *set = &s->set;
    const size_t t = set->t, n = s->problem.bank->n;
    size_t enter;
    do {
        for (size_t j = 0; j < set->count; j++)
            memcpy(set->v + j * t, work->images + (size_t) set->member[j] * t, t * sizeof(double));
        const int status = solve_on_members(s, work);
        if (status != SR_OK)
            return status;
        residual(s, 2, work);
        enter = steepest(set, n, work);
        if (enter < n && set->count < set->most)
            set_join(set, enter);
        else
            enter = n;
    } while (enter < n);
    set_prune(set);
    return SR_OK;
}

int rls2_alternate(rls2_state *s, double lambda, double tolerance, alternate_work *work,
                   rls2_result *result)
{
    const size_t t = s->set.t;
    const double *y = s->problem.y, length = dot(t, y, y) + s->problem.rest;
    int status = rls2_evaluate(&s->problem, &s->set, lambda, &s->at);
    double error = INFINITY;
    for (result->steps = 0; status == SR_OK && error > tolerance && result->steps < ROUNDS;
         result->steps++) {
        R_CheckUserInterrupt();
        bank_scatter(s->problem.bank, s->at.c, s->at.scattered);
        for (size_t i = 0; i < s->problem.bank->n; i++)
            set_image(&s->problem, i, s->at.scattered, work->images + i * t);
        status = simplex_least_squares(s, work);
        residual(s, 1, work);
        error = length > 0 ? dot(t, work->residual, work->residual) / length : 0;
        if (status == SR_OK)
            status = rls2_evaluate(&s->problem, &s->set, lambda, &s->at);
    }
    if (status != SR_OK)
        return status;
    rls2_images(s);
    result->objective = lambda / 2 * s->at.value;
    result->gap = rls2_gap(s, INFINITY, NULL);
    return rls2_df(&s->at, t, &result->df);
}
