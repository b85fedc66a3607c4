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

#include "rls2.h"

/* At most this many rounds. */
#define ROUNDS 100000

/* residual (t) = V d - y + lambda c / shrink. */
static void residual(const layers *s, const double *images, double shrink, double *r)
{
    const size_t t = s->bank->t;
    for (size_t k = 0; k < t; k++)
        r[k] = s->lambda * s->c[k] / shrink - s->y[k];
    for (size_t j = 0; j < s->count; j++)
        add_multiple(t, s->weight[j], images + (size_t) s->member[j] * t, r);
}

static int solve_on_members(layers *s)
{
    const size_t t = s->bank->t, count = s->count;
    syrk_lower('T', count, t, 1, s->v, t, 0, s->h, count);
    for (size_t j = 0; j < count; j++)
        s->linear[j] = dot(t, s->v + j * t, s->y) - s->lambda / 2 * dot(t, s->v + j * t, s->c);
    return simplex_minimize(count, s->h, s->linear, s->weight, s->free, s->simplex);
}

/* Kernel with the steepest descent from the members' minimizer, n if none descends. */
static size_t steepest(const layers *s, const double *images, const double *r)
{
    const size_t t = s->bank->t, n = s->bank->n;
    double level = 0, size = 0, most;
    size_t best = n;
    for (size_t j = 0; j < s->count; j++)
        level -= s->weight[j] * dot(t, images + (size_t) s->member[j] * t, r);
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs(dot(t, images + i * t, r)));
    most = level + 1e-12 * size;
    for (size_t i = 0; i < n; i++) {
        const double descent = -dot(t, images + i * t, r);
        if (!s->inside[i] && descent > most) {
            most = descent;
            best = i;
        }
    }
    return best;
}

/* The weights for the current c. */
static int simplex_least_squares(layers *s, const double *images)
{
    const size_t t = s->bank->t;
    size_t enter;
    do {
        for (size_t j = 0; j < s->count; j++)
            memcpy(s->v + j * t, images + (size_t) s->member[j] * t, t * sizeof(double));
        const int status = solve_on_members(s);
        if (status != SR_OK)
            return status;
        residual(s, images, 2, s->solved);
        enter = steepest(s, images, s->solved);
        if (enter < s->bank->n && s->count < s->most)
            layers_join(s, enter);
        else
            enter = s->bank->n;
    } while (enter < s->bank->n);
    layers_prune(s);
    return SR_OK;
}

int layers_alternate(layers *s, double lambda, double tolerance, double *images,
                     layers_result *result)
{
    const size_t t = s->bank->t;
    const double length = dot(t, s->y, s->y) + s->rest;
    int status = layers_evaluate(s, lambda, s->weight);
    double error = INFINITY;
    for (result->steps = 0; status == SR_OK && error > tolerance && result->steps < ROUNDS;
         result->steps++) {
        R_CheckUserInterrupt();
        bank_spread(s->bank, s->c, s->spread);
        for (size_t i = 0; i < s->bank->n; i++)
            layers_image(s, i, images + i * t);
        status = simplex_least_squares(s, images);
        residual(s, images, 1, s->solved);
        error = length > 0 ? dot(t, s->solved, s->solved) / length : 0;
        if (status == SR_OK)
            status = layers_evaluate(s, lambda, s->weight);
    }
    if (status != SR_OK)
        return status;
    result->objective = lambda / 2 * s->value;
    result->gap = layers_gap(s);
    return layers_df(s, &result->df);
}
