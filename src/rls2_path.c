/* rls2_path.c: the solutions for a decreasing sequence of lambda, each from the one before.
 *
 * Contract: results of output l at the k-th lambda stand at place l + v k of their arrays. Weights
 * that are zero are not written: d and slope come as zeros. lambda = Inf is the start of the path:
 * f is the intercept, J = y'y / 2. */
#include <R_ext/Utils.h>
#include <math.h>

#include "rls2.h"

/* ---- where the path begins ----------------------------------------------------------- */

/* Whether all weight on the member of the working set is optimal. */
static int carries_all(layers *s, double lambda, int *answer)
{
    const int status = layers_evaluate(s, lambda, s->weight);
    if (status == SR_OK)
        *answer = layers_gap(s) <= 1e-9;
    return status;
}

int layers_top(layers *s, double *lambda)
{
    layers_start(s);
    /* Above the kernel's largest eigenvalue c is nearly y, which the start has decided about: the
     * last decades of the search are only where two alignments nearly tie. */
    const double bound = s->bound[s->member[0]] * s->bound[s->member[0]];
    double low = 1e-5 * bound, high = 1e6 * bound;
    int alone = 0, status = carries_all(s, low, &alone);
    if (alone)
        high = low = bound;
    while (status == SR_OK && high > 1.01 * low) {
        R_CheckUserInterrupt();
        const double middle = sqrt(low * high);
        status = carries_all(s, middle, &alone);
        *(alone ? &high : &low) = middle;
    }
    *lambda = high;
    return status;
}

/* ---- following it -------------------------------------------------------------------- */

/* The solution at one lambda; at = output + v * (number of lambda). */
static void store(layers *s, const layers_problem *p, size_t l, size_t at, const layers_result *r,
                  layers_path *to)
{
    const size_t m = p->all.m, n = p->all.n;
    double *f = to->fitted + at * m;
    const double mean = layers_fitted(s, &p->all, f, to->slope ? to->slope + at * n : NULL);
    if (to->d)
        for (size_t j = 0; j < s->count; j++)
            to->d[(size_t) s->member[j] + at * n] = s->weight[j];
    if (to->alpha)
        layers_alpha(s, &p->all, p->response + l * p->all.t, f, p->full, to->alpha + at * m);
    for (size_t k = 0; k < m; k++)
        f[k] += p->mean[l];
    to->a0[at] = p->mean[l] - mean;
    to->objective[at] = r->objective;
    to->gap[at] = r->gap;
    to->df[at] = r->df;
    to->iterations[at] = r->steps;
}

/* lambda = Inf: the intercept, with the weights of the start. */
static void store_limit(const layers *s, const layers_problem *p, size_t l, size_t at,
                        layers_path *to)
{
    for (size_t k = 0; k < p->all.m; k++)
        to->fitted[k + at * p->all.m] = p->mean[l];
    if (to->d)
        to->d[(size_t) s->member[0] + at * p->all.n] = 1;
    to->a0[at] = p->mean[l];
    to->objective[at] = (dot(p->near.t, s->y, s->y) + s->rest) / 2;
}

int layers_follow(layers *s, const layers_problem *p, size_t l, const double *lambda, size_t c,
                  double tolerance, double *images, layers_path *to, size_t *reached)
{
    int status = SR_OK;
    for (*reached = 0; *reached < c && status == SR_OK; (*reached)++) {
        const size_t at = l + p->v * *reached;
        layers_result result = {0};
        if (!isfinite(lambda[*reached])) {
            store_limit(s, p, l, at, to);
            continue;
        }
        status = images ? layers_alternate(s, lambda[*reached], tolerance, images, &result)
                        : layers_minimize(s, lambda[*reached], tolerance, &result);
        if (status == SR_OK)
            store(s, p, l, at, &result, to);
    }
    return status;
}
