/* glm_newton.c: penalized likelihood by damped Newton steps in b, the intercept always the best
 * one.
 *
 * A step that does not lower J is halved. A factor is kept for as long as the steps that it gives
 * fall fast: near the end another factor would cost m n^2 and say nothing new. Steps end where the
 * certificate is good enough or the gradient is what rounding may have made it; or where a full
 * step promises less than the rounding of J and the last one did not lower the gradient either. */
#include <R_ext/Utils.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "glm.h"
#include "linalg.h"
#include "vector.h"

#define MOST_STEPS 200
#define MOST_HALVINGS 60

/* Steps' squared lengths fall by this factor or the curvature is summed anew. */
#define FAST 1e-2

/* Shares of J that are rounding. */
#define SAME 1e-12

glm_work new_glm_work(const ridge *r, size_t e, memory from)
{
    const size_t m = r->m, n = r->n;
    glm_work w = {new_doubles(from, m),        new_doubles(from, m),      new_doubles(from, m),
                  new_doubles(from, m),        new_doubles(from, m),      new_doubles(from, n),
                  new_doubles(from, n),        new_doubles(from, n),      new_curvature(n, from),
                  new_row_sums(n, 0, 0, from), new_row_block(n, 0, from), new_doubles(from, n * e),
                  new_doubles(from, e * e),    new_doubles(from, e)};
    return w;
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

/* The gradient at b, and bounds that go with it. Returns whether that is enough. */
static int look(const glm *p, const double *directions, size_t e, const double *b, double b0,
                glm_work *w, glm_found *found)
{
    const size_t n = p->r->n;
    memcpy(w->gradient, b, n * sizeof(double));
    gemv('N', n, p->r->m, 1, p->r->z, n, w->score, p->lambda, w->gradient);
    project(n, e, directions, 1, w->gradient);
    const double length = sqrt(dot(n, w->gradient, w->gradient));
    const double spread = p->spread > 0 ? p->spread : spread_of(p, w->value);
    found->lost = rounding_at(p, w->score, w->weight, b, b0);
    found->distance = certified_distance(p, length, &found->lost, b);
    return length <= found->lost.gradient || certified_error(p, found->distance, p->largest, b,
                                                             &found->lost) <= p->tolerance * spread;
}

/* The model of the problem itself: nothing leaves or joins. */
static chord own_model(const glm_work *w, size_t e)
{
    const chord c = {&w->curve, e, 0, 0, w->points, NULL, w->system};
    return c;
}

static int factor_model(const glm *p, const double *directions, size_t e, glm_work *w)
{
    const ridge *r = p->r;
    const chord c = own_model(w, e);
    sum_curvature(r, w->weight, &w->curve, &w->sums, &w->block);
    if (factor_curvature(r->n, p->lambda, &w->curve) != SR_OK)
        return SR_ILL_POSED;
    if (e == 0)
        return SR_OK;
    chord_points(r, &c, directions, NULL);
    solve_lower_left('N', r->n, e, w->curve.factor, r->n, w->points, r->n);
    double leverage, inverse;
    return factor_chord(r, &c, &leverage, &inverse, w->u) == SR_OK ? SR_OK : SR_ILL_POSED;
}

/* step from the gradient; its squared length. */
static double model_step(const glm *p, const double *directions, size_t e, glm_work *w)
{
    const size_t n = p->r->n;
    const chord c = own_model(w, e);
    double step0;
    memcpy(w->step, w->gradient, n * sizeof(double));
    solve_lower_left('N', n, 1, w->curve.factor, n, w->step, n);
    const double decrement = chord_step(p->r, &c, 0, NULL, w->step, &step0, w->u);
    solve_lower_left('T', n, 1, w->curve.factor, n, w->step, n);
    project(n, e, directions, 1, w->step);
    return decrement;
}

/* The step from a factor that is at hand, if it is fast, or from a new one. */
static int next_step(const glm *p, const double *directions, size_t e, double previous,
                     double *decrement, glm_work *w)
{
    if (isfinite(previous)) {
        *decrement = model_step(p, directions, e, w);
        if (*decrement <= FAST * previous)
            return SR_OK;
    }
    const int status = factor_model(p, directions, e, w);
    if (status == SR_OK)
        *decrement = model_step(p, directions, e, w);
    return status == SR_OK && !isfinite(*decrement) ? SR_NOT_FINITE : status;
}

/* b, b0 and what is known there moved along the step as far as J falls; *share: how far. */
static int descend(const glm *p, double *b, double *b0, glm_work *w, double *share)
{
    const size_t m = p->r->m, n = p->r->n;
    const double before = objective(p, w->value, *b0, b);
    gemv('T', n, m, 1, p->r->z, n, w->step, 0, w->move);
    *share = 1;
    for (int halving = 0; halving < MOST_HALVINGS; halving++, *share /= 2) {
        double next0 = *b0;
        memcpy(w->to, b, n * sizeof(double));
        memcpy(w->next, w->value, m * sizeof(double));
        add_multiple(n, *share, w->step, w->to);
        add_multiple(m, *share, w->move, w->next);
        if (settle(p, w->next, &next0, w->score, w->weight) != SR_OK ||
            !(objective(p, w->next, next0, w->to) <= before * (1 + SAME)))
            continue;
        memcpy(b, w->to, n * sizeof(double));
        *b0 = next0;
        return SR_OK;
    }
    return SR_NO_CONVERGENCE;
}

int glm_newton(const glm *p, const double *directions, size_t e, double *b, double *b0, glm_work *w,
               glm_found *found)
{
    const size_t m = p->r->m, n = p->r->n;
    double previous = INFINITY, decrement = INFINITY, share = 1;
    int status = SR_OK;
    project(n, e, directions, 1, b);
    for (found->steps = 0; found->steps < MOST_STEPS; found->steps++) {
        gemv('T', n, m, 1, p->r->z, n, b, 0, w->value);
        status = settle(p, w->value, b0, w->score, w->weight);
        if (status != SR_OK || look(p, directions, e, b, *b0, w, found))
            return status;
        status = next_step(p, directions, e, previous, &decrement, w);
        if (status != SR_OK)
            return status;
        const double noise = SAME * objective(p, w->value, *b0, b);
        if (share == 1 && decrement <= noise && decrement > previous / 4)
            return SR_OK;
        status = descend(p, b, b0, w, &share);
        if (status != SR_OK)
            return status;
        project(n, e, directions, 1, b);
        previous = decrement;
        R_CheckUserInterrupt();
    }
    return SR_NO_CONVERGENCE;
}

double sharp_error(const glm *p, const double *directions, size_t e, const int *rows, size_t count,
                   double norm, const double *b, glm_work *w, glm_found *found)
{
    if (factor_model(p, directions, e, w) != SR_OK)
        return INFINITY;
    const double decrement = model_step(p, directions, e, w);
    const double distance = sharp_distance(p, &w->curve, 1, 0, decrement, &found->lost);
    const double leverage = largest_leverage(p, &w->curve, rows, count, &w->block);
    found->distance = fmin(found->distance, distance / sqrt(p->lambda));
    return sqrt(leverage) * distance + certified_error(p, 0, norm, b, &found->lost);
}
