/* glm_path.c: fits for decreasing lambda and the refits without every fold, each from what is known
 * of larger lambdas: solutions are smooth functions of log(lambda), and so a cubic through the last
 * four says where the next one is; of a refit, its difference from the fit is. Where lambda
 * falls in large steps the start is the last fit, and refits start from the fit itself.
 *
 * Steps are made by a curvature that several values of lambda share. */
#include <math.h>
#include <string.h>

#include "glm.h"
#include "linalg.h"
#include "vector.h"

/* A cubic is no guide over larger steps than this. */
#define NEAR_BY 3.0
#define POINTS 4

/* Where linear predictors have moved by no more than this, weights are the same to these digits. */
#define SAME_WEIGHTS 1e-7

int null_model(const glm *p, double *b0, double *weight, memory from)
{
    const size_t m = p->r->m;
    double *value = new_doubles(from, m), *score = new_doubles(from, m);
    memset(value, 0, m * sizeof(double));
    *b0 = 0;
    return settle(p, value, b0, score, weight);
}

/* The factors (at most POINTS) of the last of l solutions, the last one first, that give the next
 * one; how many there are: those whose steps were not much smaller than the next one, over which
 * small errors would grow. */
static size_t factors_of(const double *lambda, size_t l, double *factor)
{
    size_t some = 0;
    for (double next = 0; some < POINTS && some < l; some++) {
        const double step = log(lambda[l - some - 1] / lambda[l - some]);
        if (!(step > 0) || !(step < log(NEAR_BY)) || step < next / 2)
            break;
        if (some == 0)
            next = step;
    }
    for (size_t i = 0; i < some; i++) {
        factor[i] = 1;
        for (size_t j = 0; j < some; j++)
            if (j != i)
                factor[i] *=
                    log(lambda[l] / lambda[l - 1 - j]) / log(lambda[l - 1 - i] / lambda[l - 1 - j]);
    }
    return some;
}

/* to = what values (length, of every lambda) before the l-th say that the l-th are. */
static void go_on(size_t length, const double *values, size_t l, size_t some, const double *factor,
                  double *to)
{
    memset(to, 0, length * sizeof(double));
    for (size_t i = 0; i < some; i++)
        add_multiple(length, factor[i], values + (l - 1 - i) * length, to);
}

/* Where the l-th lambda is among those known; l: nowhere. */
static size_t known_at(const path_request *asked, size_t l)
{
    for (size_t i = 0; i < asked->known; i++)
        if (asked->lambda[i] == asked->lambda[l])
            return i;
    return l;
}

/* b and b0 at the l-th lambda where the search starts. */
static void start_fit(const path_request *asked, size_t l, size_t n, glm_path *to)
{
    double factor[POINTS] = {1}, *b = to->b + l * n;
    const size_t same = known_at(asked, l);
    if (same < l) {
        memcpy(b, to->b + same * n, n * sizeof(double));
        to->b0[l] = to->b0[same];
        return;
    }
    const size_t some = larger(factors_of(asked->lambda, l, factor), 1);
    go_on(n, to->b, l, some, factor, b);
    go_on(1, to->b0, l, some, factor, to->b0 + l);
}

static int fit_one(const glm *p, size_t l, double apart, glm_path *to, double *inverse, glm_work *w)
{
    const size_t n = p->r->n;
    double *b = to->b + l * n, *b0 = to->b0 + l;
    glm_found found;
    int status = glm_newton(p, NULL, 0, b, b0, w, &found);
    if (status != SR_OK)
        return status;
    const double spread = to->spread[l] = spread_of(p, w->value);
    const int loose = found.error > p->tolerance * spread;
    /* Refits have their model, and the next fit its first steps, from here. */
    const int here =
        w->curve.lambda == p->lambda && largest_move(p, &w->curve, w->value, *b0) <= SAME_WEIGHTS;
    const int shared = w->curve.lambda > 0 && w->curve.lambda < apart * p->lambda;
    const int old = !loose && (here || shared);
    if (!old)
        take_curvature(p, w->value, *b0, w->weight, &w->curve);
    status = factor_curvature(p, &w->curve);
    if (status != SR_OK)
        return status;
    if (loose)
        sharpen(p, NULL, 0, NULL, p->r->m, p->largest, b, *b0, 1, w, &found);
    to->df[l] = old && !here ? NAN : degrees_of_freedom(n, p->lambda, w->curve.factor, inverse);
    to->steps[l] = found.steps;
    to->deviance[l] = deviance(p, w->value, *b0);
    to->distance[l] = found.distance;
    to->error[l] = spread > 0 ? found.error / spread : found.error > 0 ? INFINITY : 0;
    return all_finite(b, n) ? SR_OK : SR_NOT_FINITE;
}

/* Where refits at the l-th lambda start, over their b and b0; whether not at the fit. */
static int start_refits(const path_request *asked, size_t l, size_t n, size_t count,
                        const glm_path *fits, const glm_refits *all, double *shift)
{
    const double *lambda = asked->lambda;
    double factor[POINTS], *b = all->b + l * n * count, *b0 = all->b0 + l * count;
    const size_t same = known_at(asked, l);
    if (!all->b || l <= asked->refitted || same < asked->refitted)
        return 0;
    if (same < l) {
        memcpy(b, all->b + same * n * count, n * count * sizeof(double));
        memcpy(b0, all->b0 + same * count, count * sizeof(double));
        return 1;
    }
    const size_t some = factors_of(lambda + asked->refitted, l - asked->refitted, factor);
    if (some < 2)
        return 0;
    double shift0 = fits->b0[l];
    memcpy(shift, fits->b + l * n, n * sizeof(double));
    for (size_t i = 0; i < some; i++) {
        shift0 -= factor[i] * fits->b0[l - 1 - i];
        add_multiple(n, -factor[i], fits->b + (l - 1 - i) * n, shift);
    }
    go_on(n * count, all->b, l, some, factor, b);
    go_on(count, all->b0, l, some, factor, b0);
    for (size_t f = 0; f < count; f++) {
        add_multiple(n, 1, shift, b + f * n);
        b0[f] += shift0;
    }
    return 1;
}

static int refit_all(const path_request *asked, size_t l, const glm_path *fits,
                     const glm_refits *all, double *shift, folds_work *w)
{
    const size_t n = w->p.r->n, count = w->q->count;
    glm_refits to = {all->prediction + l * w->leave,
                     all->b ? all->b + l * n * count : NULL,
                     all->b0 + l * count,
                     all->distance + l * count,
                     all->error + l * count,
                     all->steps + l * count,
                     all->own + l * count,
                     all->status + l * count};
    const int started = start_refits(asked, l, n, count, fits, all, shift);
    return leave_out(w, fits->b + l * n, fits->b0[l], started ? to.b : NULL, to.b0, &to);
}

int fit_path(glm *p, const path_request *asked, holdout_request *q, glm_path *to,
             const glm_refits *refits, size_t *reached, memory from)
{
    const size_t n = p->r->n;
    glm_work w = new_glm_work(p->r, 0, from);
    double *next = new_doubles(from, n), *inverse = new_doubles(from, n * n), b0 = 0;
    folds_work folds;
    int status = null_model(p, &b0, w.weight, from);
    if (status == SR_OK && q)
        status = new_folds_work(p, q, &w, &folds, from);
    for (*reached = asked->known; *reached < asked->c && status == SR_OK; ++*reached) {
        const size_t l = *reached;
        p->lambda = asked->lambda[l];
        p->tolerance = asked->fit;
        p->spread = 0;
        if (l > 0)
            start_fit(asked, l, n, to);
        else {
            memset(to->b, 0, n * sizeof(double));
            to->b0[0] = b0;
        }
        status = fit_one(p, l, asked->apart[l], to, inverse, &w);
        p->tolerance = asked->folds[l];
        p->spread = to->spread[l];
        if (status == SR_OK && q)
            status = refit_all(asked, l, to, refits, next, &folds);
        if (status != SR_OK)
            break;
    }
    return status;
}
