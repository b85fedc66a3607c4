/* glm_bound.c: how far a point is from the best one.
 *
 * With the best b0 for every b, J less lambda |b|^2 is a convex function of b, and so
 *
 *     |b - best| <= |g| / lambda,    g = Z s + lambda b,
 *
 * s the scores. b0 follows b as minus a weighted mean of rows z (the derivative of the equation
 * that sets it), so that a linear predictor b0 + z'b is off by at most (|z| + max |z_i|) times
 * that.
 *
 * The curvature says more where lambda is small. Every loss has |d'''| <= d'', so that where linear
 * predictors are at most x from those at which a curvature A was taken it is at least e^-x A. Let
 * they be at most `moved` from there at the point, D the distance of the point from the best one in
 * the metric A, b0 with b, and K the largest length of a row [z, 1] in the metric A^-1. On the way
 * there, after a length t of it, x is at most moved + t K. The slope of J / 2 along the way falls
 * from at most the length of the gradient (in the metric A^-1) to 0, and so
 *
 *     length >= int_0^D e^-(moved + t K) dt = e^-moved (1 - e^-(K D)) / K,
 *     D <= -log(1 - K e^moved length) / K.
 *
 * All this holds on a subspace of b, too. A linear predictor is off by D times its row's length. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "glm.h"
#include "linalg.h"
#include "vector.h"

/* Operations whose roundings may add up, beside the number of terms. */
#define ROUNDINGS (4 * DBL_EPSILON)

glm_rounding rounding_of(const glm *p, double length, double rows, double scores, double means,
                         double total)
{
    glm_rounding found = {ROUNDINGS * (p->lambda * length + rows), 0, 0};
    if (p->r->intercept && total > 0) {
        found.scores = ROUNDINGS * scores;
        found.b0 = found.scores / total;
        found.gradient += means / total * found.scores;
    }
    return found;
}

/* Of every loss the parts that cancel in a score are at most |score| + 4 weight in size (see
 * loss.h), and an error of eta moves the score by the weight times that. What b0 is off by moves
 * the gradient by the weighted mean of z times the sum of scores. */
glm_rounding rounding_at(const glm *p, const double *score, const double *weight, const double *b,
                         double b0)
{
    const double length = sqrt(dot(p->r->n, b, b));
    double rows = 0, scores = 0, means = 0, total = 0;
    for (size_t i = 0; i < p->r->m; i++) {
        const double eta = 4 + fabs(p->offset[i]) + fabs(b0) + p->norms[i] * length;
        const double lost = fabs(score[i]) + weight[i] * eta;
        rows += p->norms[i] * lost;
        means += p->norms[i] * weight[i];
        scores += lost;
        total += weight[i];
    }
    return rounding_of(p, length, rows, scores, means, total);
}

double certified_distance(const glm *p, double gradient, const glm_rounding *lost, const double *b)
{
    return (gradient + lost->gradient) / p->lambda + ROUNDINGS * sqrt(dot(p->r->n, b, b));
}

double certified_error(const glm *p, double distance, double norm, const double *b,
                       const glm_rounding *lost)
{
    const double others = p->r->intercept ? p->largest : 0;
    return (norm + others) * distance + lost->b0 + ROUNDINGS * norm * sqrt(dot(p->r->n, b, b));
}

double longest(const glm *p, const curvature *of, double norm, double mean, double total)
{
    if (p->lambda < RESOLUTION * of->top)
        return INFINITY;
    return (norm + mean) * (norm + mean) / p->lambda + (p->r->intercept ? 1 / total : 0);
}

double sharp_distance(const glm *p, const glm_lengths *rows, double moved, double length,
                      const glm_rounding *lost)
{
    const double row = sqrt(rows->all);
    length += lost->gradient / sqrt(p->lambda) +
              (p->r->intercept ? lost->scores / sqrt(rows->total) : 0);
    const double found = -log1p(-row * exp(moved) * length);
    return isfinite(found) ? found / row : INFINITY;
}
