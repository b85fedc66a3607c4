/* glm_path.c: fits for decreasing lambda, each from the solution before; the first from b = 0. */
#include <math.h>
#include <string.h>

#include "glm.h"
#include "linalg.h"
#include "vector.h"

int null_model(const glm *p, double *b0, double *weight, memory from)
{
    const size_t m = p->r->m;
    double *value = new_doubles(from, m), *score = new_doubles(from, m);
    memset(value, 0, m * sizeof(double));
    *b0 = 0;
    return settle(p, value, b0, score, weight);
}

/* tr((Z'HZ + lambda I)^-1 Z'HZ) = n - lambda |L^-1|^2 at the end; the factor is overwritten. */
static int degrees_of_freedom(const glm *p, glm_work *w, double *df)
{
    const size_t n = p->r->n;
    sum_curvature(p->r, w->weight, &w->curve, &w->sums, &w->block);
    if (factor_curvature(n, p->lambda, &w->curve) != SR_OK)
        return SR_ILL_POSED;
    invert_lower(n, w->curve.factor);
    *df = (double) n - p->lambda * dot(n * n, w->curve.factor, w->curve.factor);
    return SR_OK;
}

static int fit_one(const glm *p, size_t l, glm_path *to, glm_work *w)
{
    const size_t n = p->r->n;
    double *b = to->b + l * n, *b0 = to->b0 + l;
    glm_found found;
    int status = glm_newton(p, NULL, 0, b, b0, w, &found);
    if (status != SR_OK)
        return status;
    to->steps[l] = found.steps;
    to->deviance[l] = deviance(p, w->value, *b0);
    const double spread = spread_of(p, w->value);
    double error = certified_error(p, found.distance, p->largest, b, &found.lost);
    if (error > p->tolerance * spread)
        error = fmin(error, sharp_error(p, NULL, 0, NULL, p->r->m, p->largest, b, w, &found));
    to->distance[l] = found.distance;
    to->error[l] = error > 0 ? error / spread : 0;
    status = degrees_of_freedom(p, w, to->df + l);
    return status == SR_OK && !all_finite(b, n) ? SR_NOT_FINITE : status;
}

int fit_path(glm *p, const double *lambda, size_t c, glm_path *to, size_t *reached, memory from)
{
    const size_t n = p->r->n;
    glm_work w = new_glm_work(p->r, 0, from);
    double b0 = 0;
    int status = null_model(p, &b0, w.weight, from);
    for (*reached = 0; *reached < c && status == SR_OK; ++*reached) {
        const size_t l = *reached;
        p->lambda = lambda[l];
        if (l == 0)
            memset(to->b, 0, n * sizeof(double));
        else
            memcpy(to->b + l * n, to->b + (l - 1) * n, n * sizeof(double));
        to->b0[l] = l == 0 ? b0 : to->b0[l - 1];
        status = fit_one(p, l, to, &w);
        if (status != SR_OK)
            break;
    }
    return status;
}
