/* glm_newton.c: penalized likelihood by damped Newton steps in b, the intercept always the best
 * one.
 *
 * A step that does not lower J is halved. Where what it promises may be less than the rounding of
 * J, as J is a sum of differences of large numbers where weights are large, it may also end where J
 * is half as steep. A curvature is kept for as long as the steps that it gives fall fast: near the
 * end another one would cost m n^2 and say nothing new. Steps by a kept curvature are directions of
 * conjugate gradients that it preconditions; J's second derivative along a direction gives the
 * length of its step. Steps end where the certificate is good enough or the gradient is what
 * rounding may have made it; or where a step promises less than the rounding of J and no less than
 * the last one, which was not halved. */
#include <R_ext/Utils.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "glm.h"
#include "linalg.h"
#include "vector.h"

#define MOST_STEPS 200
#define MOST_HALVINGS 60

/* Steps' squared lengths fall by this factor or the curvature is summed again. */
#define FAST 1e-1

/* Shares of J that are rounding, and may be. */
#define SAME 1e-12
#define HIDDEN 1e-8

glm_work new_glm_work(const ridge *r, size_t e, memory from)
{
    const size_t m = r->m, n = r->n;
    glm_work w = {new_doubles(from, m),     new_doubles(from, m),   new_doubles(from, m),
                  new_doubles(from, m),     new_doubles(from, m),   new_doubles(from, n),
                  new_doubles(from, n),     new_doubles(from, n),   new_doubles(from, n),
                  new_doubles(from, n),     new_curvature(r, from), new_doubles(from, n * e),
                  new_doubles(from, e * e), new_doubles(from, e)};
    return w;
}

/* The gradient at b, and bounds that go with it. Returns whether that is enough. */
static int look(const glm *p, const double *directions, size_t e, const double *b, double b0,
                glm_work *w, glm_found *found)
{
    const size_t n = p->r->n;
    for (size_t j = 0; j < n; j++)
        w->gradient[j] = p->lambda * b[j];
    add_rows(p->r, 1, w->score, w->gradient);
    project(n, e, directions, 1, w->gradient);
    const double length = sqrt(dot(n, w->gradient, w->gradient));
    found->lost = rounding_at(p, w->score, w->weight, b, b0);
    found->distance = certified_distance(p, length, &found->lost, b);
    found->error = certified_error(p, found->distance, p->largest, b, &found->lost);
    return length <= found->lost.gradient;
}

static int good_enough(const glm *p, const glm_work *w, const glm_found *found)
{
    return found->error <= p->tolerance * (p->spread > 0 ? p->spread : spread_of(p, w->value));
}

/* The sharper bound, where it says more, of rows of this norm; decrement: of a model's step. */
static void sharper(const glm *p, const glm_lengths *rows, double norm, double moved,
                    double decrement, const double *b, glm_found *found)
{
    const double distance = sharp_distance(p, rows, moved, sqrt(fabs(decrement)), &found->lost);
    const double error =
        sqrt(rows->asked) * distance + certified_error(p, 0, norm, b, &found->lost);
    found->distance = fmin(found->distance, distance / sqrt(p->lambda));
    if (error < found->error)
        found->error = error;
}

static glm_lengths own_lengths(const glm *p, const curvature *of)
{
    const size_t n = p->r->n;
    const double all = longest(p, of, p->largest, sqrt(dot(n, of->mean, of->mean)), of->total);
    const glm_lengths rows = {all, all, of->total};
    return rows;
}

/* The factor of a curvature that is at hand, and the directions in the metric of its inverse. */
static int factor_model(const glm *p, const double *directions, size_t e, glm_work *w)
{
    const size_t n = p->r->n;
    const int status = factor_curvature(p, &w->curve);
    if (status != SR_OK || e == 0)
        return status;
    memcpy(w->points, directions, n * e * sizeof(double));
    solve_lower_left('N', n, e, w->curve.factor, n, w->points, n);
    syrk_lower('T', e, n, 1, w->points, n, 0, w->system, e);
    return cholesky_lower(e, w->system, e) == SR_OK ? SR_OK : SR_ILL_POSED;
}

/* step = -A^-1 (gradient + N u), u such that N'step = 0; its squared length in the metric of A. */
static double model_step(const glm *p, const double *directions, size_t e, glm_work *w)
{
    const size_t n = p->r->n;
    const double *factor = w->curve.factor;
    for (size_t j = 0; j < n; j++)
        w->step[j] = -w->gradient[j];
    solve_lower_left('N', n, 1, factor, n, w->step, n);
    if (e > 0) {
        gemv('T', n, e, 1, w->points, n, w->step, 0, w->u);
        solve_lower_left('N', e, 1, w->system, e, w->u, e);
        solve_lower_left('T', e, 1, w->system, e, w->u, e);
        gemv('N', n, e, -1, w->points, n, w->u, 1, w->step);
    }
    const double decrement = dot(n, w->step, w->step);
    solve_lower_left('T', n, 1, factor, n, w->step, n);
    project(n, e, directions, 1, w->step);
    return decrement;
}

/* The step from a curvature that is at hand, if it is fast, or from that of this point; and the
 * direction, conjugate to the last one as far as the curvature stayed. */
static int next_step(const glm *p, const double *directions, size_t e, double previous, double b0,
                     double *decrement, glm_work *w)
{
    const size_t n = p->r->n;
    double conjugate = 0;
    if (w->curve.lambda > 0)
        *decrement = model_step(p, directions, e, w);
    if (w->curve.lambda > 0 && *decrement <= FAST * previous) {
        if (isfinite(previous))
            conjugate = fmax((*decrement + dot(n, w->step, w->last)) / previous, 0);
    } else {
        take_curvature(p, w->value, b0, w->weight, &w->curve);
        const int status = factor_model(p, directions, e, w);
        if (status != SR_OK)
            return status;
        *decrement = model_step(p, directions, e, w);
    }
    for (size_t j = 0; j < n; j++)
        w->along[j] = w->step[j] + (conjugate > 0 ? conjugate * w->along[j] : 0);
    if (!(dot(n, w->along, w->gradient) < 0))
        memcpy(w->along, w->step, n * sizeof(double));
    memcpy(w->last, w->gradient, n * sizeof(double));
    return isfinite(*decrement) ? SR_OK : SR_NOT_FINITE;
}

/* The slope of J / 2 along the direction at b, where scores are those of the best b0. */
static double slope(const glm *p, const double *b, const glm_work *w)
{
    return dot(p->r->m, w->score, w->move) + p->lambda * dot(p->r->n, b, w->along);
}

/* How far along the direction J falls, by its slope and its second derivative here. */
static double first_share(const glm *p, double slope_here, const glm_work *w)
{
    double total = 0, mean = 0, squares = 0;
    for (size_t i = 0; i < p->r->m; i++) {
        total += w->weight[i];
        mean += w->weight[i] * w->move[i];
        squares += w->weight[i] * w->move[i] * w->move[i];
    }
    if (p->r->intercept)
        squares -= mean * mean / total;
    const double share = -slope_here / (squares + p->lambda * dot(p->r->n, w->along, w->along));
    return share > 0 && isfinite(share) ? share : 1;
}

/* b, b0 and what is known there moved along the direction as far as J falls; *share: how far. */
static int descend(const glm *p, double *b, double *b0, glm_work *w, double *share, int *halving)
{
    const size_t m = p->r->m, n = p->r->n;
    const double before = objective(p, w->value, *b0, b);
    row_values(p->r, 1, w->along, w->move);
    const double down = slope(p, b, w), steep = fabs(down);
    *share = first_share(p, down, w);
    for (*halving = 0; *halving < MOST_HALVINGS; ++*halving, *share /= 2) {
        double next0 = *b0;
        memcpy(w->to, b, n * sizeof(double));
        memcpy(w->next, w->value, m * sizeof(double));
        add_multiple(n, *share, w->along, w->to);
        add_multiple(m, *share, w->move, w->next);
        if (settle(p, w->next, &next0, w->score, w->weight) != SR_OK)
            continue;
        if (!(objective(p, w->next, next0, w->to) <= before * (1 + SAME)) &&
            !(steep <= HIDDEN * before && fabs(slope(p, w->to, w)) <= steep / 2))
            continue;
        memcpy(b, w->to, n * sizeof(double));
        *b0 = next0;
        return SR_OK;
    }
    return SR_NO_CONVERGENCE;
}

/* Linear predictors, the best b0, scores and weights at b. */
static int values_at(const glm *p, const double *b, double *b0, glm_work *w)
{
    row_values(p->r, 1, b, w->value);
    return settle(p, w->value, b0, w->score, w->weight);
}

int glm_newton(const glm *p, const double *directions, size_t e, double *b, double *b0, glm_work *w,
               glm_found *found)
{
    const size_t m = p->r->m, n = p->r->n;
    double previous = INFINITY, decrement = INFINITY, share = 1;
    int status = SR_OK, halvings = 0;
    project(n, e, directions, 1, b);
    if (w->curve.lambda > 0 && factor_model(p, directions, e, w) != SR_OK)
        w->curve.lambda = 0;
    status = values_at(p, b, b0, w);
    for (found->steps = 0; found->steps < MOST_STEPS; found->steps++) {
        if (status != SR_OK || look(p, directions, e, b, *b0, w, found) || good_enough(p, w, found))
            return status;
        status = next_step(p, directions, e, previous, *b0, &decrement, w);
        if (status != SR_OK)
            return status;
        const glm_lengths rows = own_lengths(p, &w->curve);
        sharper(p, &rows, p->largest, largest_move(p, &w->curve, w->value, *b0), decrement, b,
                found);
        const double noise = SAME * objective(p, w->value, *b0, b);
        if (good_enough(p, w, found) ||
            (halvings == 0 && decrement <= noise && decrement >= previous))
            return SR_OK;
        status = descend(p, b, b0, w, &share, &halvings);
        if (status != SR_OK)
            return status;
        previous = decrement;
        /* What the step left at b is good there, unless larger numbers cancelled on the way. */
        if (e > 0 || share * share * dot(n, w->along, w->along) > dot(n, b, b)) {
            project(n, e, directions, 1, b);
            status = values_at(p, b, b0, w);
        } else
            memcpy(w->value, w->next, m * sizeof(double));
        R_CheckUserInterrupt();
    }
    return SR_NO_CONVERGENCE;
}

void sharpen(const glm *p, const double *directions, size_t e, const int *rows, size_t count,
             double norm, const double *b, double b0, int taken, glm_work *w, glm_found *found)
{
    if (!taken)
        take_curvature(p, w->value, b0, w->weight, &w->curve);
    if (factor_model(p, directions, e, w) != SR_OK)
        return;
    const double decrement = model_step(p, directions, e, w);
    glm_lengths lengths = own_lengths(p, &w->curve);
    lengths.asked = largest_leverage(p->r, &w->curve, rows, count, NULL);
    sharper(p, &lengths, norm, 0, decrement, b, found);
}

double objective_at(const glm *p, const double *directions, size_t e, double *b, double *b0,
                    glm_work *w)
{
    const ridge *r = p->r;
    project(r->n, e, directions, 1, b);
    if (!all_finite(b, r->n) || values_at(p, b, b0, w) != SR_OK)
        return INFINITY;
    const double found = objective(p, w->value, *b0, b);
    return isnan(found) ? INFINITY : found;
}
