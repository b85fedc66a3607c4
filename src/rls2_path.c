/* rls2_path.c: the solutions for a decreasing sequence of lambda, each from the one before.
 *
 * Contract: results of output l at the k-th lambda stand at place l + v k of their arrays. Weights
 * that are zero are not written: d and slope come as zeros. lambda = Inf is the start of the path:
 * f is the intercept, J = y'y / 2. */
#include <R_ext/Utils.h>
#include <math.h>

#include "rls2.h"
#include "vector.h"

static rls2_state new_state(rls2_data *data, memory from)
{
    rls2_state s = {0};
    s.problem.bank = &data->near;
    s.set = new_working_set(&data->near, from);
    s.at = new_solution(&data->near, s.set.most, from);
    s.screen = new_screening(&data->near, from);
    return s;
}

/* Output l becomes the one that is worked on, at the beginning of its path. */
static void set_output(rls2_state *s, const rls2_data *data, const double *scale, size_t l)
{
    s->problem.scale = scale + l * data->near.n;
    s->problem.y = data->y + l * data->all.t;
    s->problem.rest = data->rest[l];
    rls2_start(s);
}

/* ---- where the path begins ----------------------------------------------------------- */

/* Whether all weight on the member of the working set is optimal. */
static int carries_all(rls2_state *s, double lambda, int *answer)
{
    const int status = rls2_evaluate(&s->problem, &s->set, lambda, &s->at);
    if (status != SR_OK)
        return status;
    rls2_images(s);
    *answer = rls2_gap(s, INFINITY, NULL) <= 1e-9;
    return SR_OK;
}

static int top_of(rls2_state *s, double *lambda)
{
    /* Above the kernel's largest eigenvalue c is nearly y, which the start has decided about: the
     * last decades of the search are only where two alignments nearly tie. */
    const double root = s->screen.bound[s->set.member[0]], bound = root * root;
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

int rls2_top(rls2_data *data, const double *scale, double *top, memory from)
{
    rls2_state s = new_state(data, from);
    int status = SR_OK;
    for (size_t l = 0; l < data->v && status == SR_OK; l++) {
        set_output(&s, data, scale, l);
        status = top_of(&s, top + l);
    }
    return status;
}

/* ---- following it -------------------------------------------------------------------- */

/* The solution at one lambda of output l; at: its place. c: all.t, workspace. */
static void store(rls2_state *s, rls2_data *data, size_t l, size_t at, const rls2_result *r,
                  double *c, rls2_paths *to)
{
    const size_t m = data->all.m, n = data->all.n;
    double *f = to->fitted + at * m;
    const double mean = rls2_fitted(s, data, f, to->slope ? to->slope + at * n : NULL);
    if (to->d)
        for (size_t j = 0; j < s->set.count; j++)
            to->d[(size_t) s->set.member[j] + at * n] = s->set.weight[j];
    if (to->alpha)
        rls2_alpha(s, data, l, f, c, to->alpha + at * m);
    for (size_t k = 0; k < m; k++)
        f[k] += data->mean[l];
    to->a0[at] = data->mean[l] - mean;
    to->objective[at] = r->objective;
    to->gap[at] = r->gap;
    to->df[at] = r->df;
    to->iterations[at] = r->steps;
}

/* lambda = Inf: the intercept, with the weights of the start. */
static void store_limit(const rls2_state *s, const rls2_data *data, size_t l, size_t at,
                        rls2_paths *to)
{
    const double *y = s->problem.y;
    for (size_t k = 0; k < data->all.m; k++)
        to->fitted[k + at * data->all.m] = data->mean[l];
    if (to->d)
        to->d[(size_t) s->set.member[0] + at * data->all.n] = 1;
    to->a0[at] = data->mean[l];
    to->objective[at] = (dot(data->near.t, y, y) + s->problem.rest) / 2;
}

int rls2_follow(rls2_data *data, const rls2_request *request, rls2_paths *to, size_t *reached,
                memory from)
{
    rls2_state s = new_state(data, from);
    newton_work newton = {0};
    alternate_work alternate = {0};
    if (request->alternate)
        alternate = new_alternate_work(&s.set, data->near.n, from);
    else
        newton = new_newton_work(&s.set, from);
    double *c = new_doubles(from, data->all.t);
    int status = SR_OK;
    for (size_t l = 0; l < data->v && status == SR_OK; l++) {
        set_output(&s, data, request->scale, l);
        for (*reached = 0; *reached < request->c && status == SR_OK; (*reached)++) {
            const double lambda = request->lambda[*reached], tolerance = request->tolerance;
            const size_t at = l + data->v * *reached;
            rls2_result result = {0};
            if (!isfinite(lambda)) {
                store_limit(&s, data, l, at, to);
                continue;
            }
            status = request->alternate ? rls2_alternate(&s, lambda, tolerance, &alternate, &result)
                                        : rls2_minimize(&s, lambda, tolerance, &newton, &result);
            if (status == SR_OK)
                store(&s, data, l, at, &result, c, to);
        }
    }
    return status;
}
