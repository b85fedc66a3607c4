/* rls2_newton.c: the weights of kernels, by Newton steps on the face of those that are in use.
 *
 * Contract: minimizes over the simplex the convex function
 *
 *   J(d) = lambda/2 y'(R(d) + lambda I)^-1 y,    R(d) = sum_i d_i s_i K_i.
 *
 * With G = R + lambda I, c = G^-1 y, v_i = s_i K_i c and g_i = c'v_i, in units of lambda / 2:
 * value y'c, gradient -g, Hessian 2 v_i'G^-1 v_j (rls2_solve.c), and by convexity
 *
 *   (max_i g_i - sum_i d_i g_i) / y'c >= (J(d) - min J) / J(d),
 *
 * the relative duality gap. Each step minimizes the quadratic model over the simplex of the working
 * set (rls2_simplex.c), and searches along the line to it by the derivative. The working set holds
 * the kernels in use and those that violate g_i <= sum_i d_i g_i most. */
#include <math.h>
#include <R_ext/Utils.h>
#include <string.h>

#include "linalg.h"
#include "rls2.h"
#include "vector.h"

/* At most this many Newton steps, cuts of a step, and steps in a row that do not lower the smallest
 * gap so far by a tenth. */
#define STEPS 200
#define CUTS 20
#define IDLE 15

newton_work new_newton_work(const working_set *set, memory from)
{
    const size_t most = set->most;
    newton_work work = {new_doubles(from, set->t * most), new_doubles(from, most * most),
                        new_doubles(from, most),          new_doubles(from, most),
                        new_doubles(from, most),          new_simplex_work(most, from)};
    return work;
}

/* H = V'G^-1 V, lower triangle. */
static void hessian(const working_set *set, rls2_solution *at, newton_work *work)
{
    const size_t t = set->t, k = at->columns, count = set->count;
    if (!at->primal) {
        memcpy(work->solved, set->v, t * count * sizeof(double));
        solve_lower_left('N', t, count, at->factor, t, work->solved, t);
        syrk_lower('T', count, t, 1, work->solved, t, 0, work->h, count);
        return;
    }
    syrk_lower('T', count, t, 1 / at->lambda, set->v, t, 0, work->h, count);
    gemm('T', 'N', k, count, t, 1, at->f, t, set->v, t, 0, at->reduced, k);
    solve_lower_left('N', k, count, at->factor, k, at->reduced, k);
    syrk_lower('T', count, k, -1 / at->lambda, at->reduced, k, 1, work->h, count);
}

/* The minimizer of the quadratic model over the simplex of the working set, into target:
 * of x'Hx - (2 H d + g)'x. */
static int model_minimizer(const working_set *set, rls2_solution *at, newton_work *work)
{
    const size_t count = set->count;
    const double *h = work->h;
    hessian(set, at, work);
    for (size_t i = 0; i < count; i++) {
        double product = 0;
        for (size_t j = 0; j < count; j++)
            product += (i >= j ? h[i + j * count] : h[j + i * count]) * set->weight[j];
        work->linear[i] = product + set->g[i] / 2;
    }
    memcpy(work->target, set->weight, count * sizeof(double));
    return simplex_minimize(count, h, work->linear, work->target, &work->simplex);
}

/* Derivative of the value along target - start, at the current g. The direction sums to zero but
 * for rounding, so that g may be taken relative to its level, which all of it is near in the end.
 */
static double line_slope(const working_set *set, const newton_work *work)
{
    const double g = set_level(set);
    double slope = 0;
    for (size_t j = 0; j < set->count; j++)
        slope -= (set->g[j] - g) * (work->target[j] - work->start[j]);
    return slope;
}

/* Moves the weights to start + step (target - start), and evaluates there. *slope: the derivative
 * along that line. */
static int evaluate_at(rls2_state *s, double step, const newton_work *work, double *slope)
{
    const double *start = work->start, *target = work->target;
    for (size_t j = 0; j < s->set.count; j++)
        s->set.weight[j] = step == 1 ? target[j] : start[j] + step * (target[j] - start[j]);
    const int status = rls2_evaluate(&s->problem, &s->set, s->at.lambda, &s->at);
    if (status == SR_OK)
        rls2_images(s);
    *slope = line_slope(&s->set, work);
    return status;
}

/* A point of the bracket, where the secant meets zero but not near an end. */
static double inside_bracket(double low, double low_slope, double high, double high_slope)
{
    const double share = low_slope / (low_slope - high_slope);
    return low + (high - low) * (share < 0.3 ? 0.3 : share > 0.7 ? 0.7 : share);
}

/* To the model's minimizer, or where that is beyond the minimum on the line to a point near this:
 * where the derivative has half its first size. By convexity the value has fallen where the
 * derivative is negative; it is the derivative that is looked at, because rounding hides small
 * differences of values. */
static int search_line(rls2_state *s, newton_work *work)
{
    memcpy(work->start, s->set.weight, s->set.count * sizeof(double));
    const double first = line_slope(&s->set, work);
    double low = 0, low_slope = first, high = 1, high_slope, slope;
    int status = evaluate_at(s, high, work, &high_slope);
    for (int cut = 0; status == SR_OK && first < 0 && high_slope > -first / 2 && cut < CUTS;
         cut++) {
        const double step = inside_bracket(low, low_slope, high, high_slope);
        status = evaluate_at(s, step, work, &slope);
        if (fabs(slope) <= -first / 2)
            break;
        if (slope > 0) {
            high = step;
            high_slope = slope;
        } else {
            low = step;
            low_slope = slope;
        }
    }
    return status;
}

int rls2_minimize(rls2_state *s, double lambda, double tolerance, newton_work *work,
                  rls2_result *result)
{
    working_set *set = &s->set;
    set_prune(set);
    double best = INFINITY;
    int status = rls2_evaluate(&s->problem, set, lambda, &s->at), idle = 0;
    if (status == SR_OK)
        rls2_images(s);
    for (result->steps = 1; status == SR_OK; result->steps++) {
        R_CheckUserInterrupt();
        violators q = {0};
        result->gap = rls2_gap(s, set_level(set) + 0.5 * tolerance * s->at.value, &q);
        idle = result->gap > 0.9 * best ? idle + 1 : 0;
        best = result->gap < best ? result->gap : best;
        if (result->gap <= tolerance || result->steps == STEPS || idle == IDLE)
            break;
        const size_t before = set->count;
        for (size_t j = 0; j < q.count && set->count < set->most; j++)
            set_join(set, q.index[j]);
        set_images(set, before, &s->problem, &s->at);
        status = model_minimizer(set, &s->at, work);
        if (status == SR_OK)
            status = search_line(s, work);
        set_prune(set);
    }
    if (status != SR_OK)
        return status;
    result->objective = lambda / 2 * s->at.value;
    return rls2_df(&s->at, set->t, &result->df);
}
