/* glm_point.c: penalized likelihood at a point: the best intercept, scores and weights. */
#include <math.h>

#include "glm.h"
#include "linalg.h"
#include "vector.h"

/* A step of b0 as small as this is the last, as the next one's size is its square. */
#define LAST_STEP 1e-8
#define MOST_STEPS 200

double row_norms(const ridge *r, double *norms)
{
    double largest = 0;
    for (size_t i = 0; i < r->m; i++) {
        norms[i] = sqrt(dot(r->n, r->z + i * r->n, r->z + i * r->n));
        largest = fmax(largest, norms[i]);
    }
    return largest;
}

/* Scores and weights at b0, and their sums. */
static void derivatives(const glm *p, const double *value, double b0, double *score, double *weight,
                        double *scores, double *weights)
{
    const size_t m = p->r->m;
    for (size_t i = 0; i < m; i++)
        score[i] = p->offset[i] + b0 + value[i];
    p->loss->derivatives(m, p->y, p->weights, p->theta, score, score, weight);
    *scores = *weights = 0;
    for (size_t i = 0; i < m; i++) {
        *scores += score[i];
        *weights += weight[i];
    }
}

/* What is left after a shift of b0: exact by `shift`, or to first order. */
static void move_scores(size_t m, double x, double growth, double *score, double *weight)
{
    for (size_t i = 0; i < m; i++) {
        score[i] -= x * weight[i];
        weight[i] *= growth;
    }
}

/* The next b0 of a bracketed Newton search for the root of an increasing function; a step is at
 * most *reach, which doubles where that is too short. */
static double next_intercept(double b0, double step, double below, double above, double *reach)
{
    if (!(fabs(step) <= *reach)) {
        step = step > 0 ? *reach : -*reach;
        *reach *= 2;
    }
    const double next = b0 + step;
    return next > below && next < above ? next : (below + above) / 2;
}

int settle(const glm *p, const double *value, double *b0, double *score, double *weight)
{
    const size_t m = p->r->m;
    double below = -INFINITY, above = INFINITY, reach = 4, scores, weights;
    for (int step = 0; step < MOST_STEPS; step++) {
        derivatives(p, value, *b0, score, weight, &scores, &weights);
        if (!p->r->intercept)
            return isfinite(scores) && isfinite(weights) ? SR_OK : SR_NOT_FINITE;
        if (isnan(scores) || (scores == 0 && weights == 0))
            return SR_ILL_POSED;
        if (scores > 0)
            above = *b0;
        else
            below = *b0;
        const double x = scores / weights;
        double growth = 1, shift = -x;
        if (p->loss->shift && isfinite(x))
            shift = p->loss->shift(x, &growth);
        if (isfinite(weights) && fabs(shift) <= (p->loss->shift ? 1 : LAST_STEP)) {
            move_scores(m, x, growth, score, weight);
            *b0 += shift;
            return SR_OK;
        }
        if (isnan(shift))
            shift = scores > 0 ? -INFINITY : INFINITY;
        *b0 = next_intercept(*b0, shift, below, above, &reach);
    }
    return SR_ILL_POSED;
}

double deviance(const glm *p, const double *value, double b0)
{
    double sum = 0;
    for (size_t i = 0; i < p->r->m; i++)
        if (p->weights[i] > 0)
            sum +=
                p->weights[i] * p->loss->deviance(p->y[i], p->theta, p->offset[i] + b0 + value[i]);
    return sum;
}

double objective(const glm *p, const double *value, double b0, const double *b)
{
    return deviance(p, value, b0) + p->lambda * dot(p->r->n, b, b);
}

double spread_of(const glm *p, const double *value)
{
    double total = 0, mean = 0, squares = 0;
    for (size_t i = 0; i < p->r->m; i++) {
        total += p->weights[i];
        mean += p->weights[i] * value[i];
    }
    mean /= total;
    for (size_t i = 0; i < p->r->m; i++)
        squares += p->weights[i] * (value[i] - mean) * (value[i] - mean);
    return sqrt(squares / total);
}
