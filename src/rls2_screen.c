/* rls2_screen.c: which kernels outside the working set violate the optimum, and how much.
 *
 * Contract: g_i = s_i c'K_i c, and sqrt(g_i) is a seminorm of c. So with its value at an earlier
 * point p,
 *
 *   sqrt(g_i(c)) <= |a| sqrt(g_i(p)) + b_i |c - a p|,    b_i^2 = s_i tr K_i,  a = c'p / p'p,
 *
 * and a kernel for which this is below the largest g in the working set is not touched. Where more
 * than a quarter of the kernels cannot be told so, all are computed, and c becomes the next p. */
#include <math.h>
#include <string.h>

#include "rls2.h"

static double largest_member(const layers *s)
{
    double most = 0;
    for (size_t j = 0; j < s->count; j++)
        if (s->g[j] > most)
            most = s->g[j];
    return most;
}

static void enqueue(violators *q, size_t i, double g)
{
    size_t place = q->count < ENTER ? q->count : ENTER;
    while (place > 0 && g > q->g[place - 1] * (1 + TIE))
        place--;
    if (place == ENTER)
        return;
    if (q->count < ENTER)
        q->count++;
    for (size_t j = q->count - 1; j > place; j--) {
        q->index[j] = q->index[j - 1];
        q->g[j] = q->g[j - 1];
    }
    q->index[place] = i;
    q->g[place] = g;
}

/* |c - a reference| with the best a, which is returned in *a. */
static double reference_distance(const layers *s, double *a)
{
    const size_t t = s->bank->t;
    double sum = 0;
    *a = dot(t, s->c, s->reference) / dot(t, s->reference, s->reference);
    for (size_t j = 0; j < t; j++) {
        const double difference = s->c[j] - *a * s->reference[j];
        sum += difference * difference;
    }
    return sqrt(sum);
}

/* An upper bound of g_i. */
static double upper_bound(const layers *s, size_t i, double a, double distance)
{
    const double root = fabs(a) * s->root[i] + s->bound[i] * distance;
    return root * root;
}

double layers_screen(layers *s, double limit, violators *q)
{
    const size_t n = s->bank->n;
    const double threshold = largest_member(s);
    double most = threshold, a;
    /* A little more than the distance, for its rounding errors. */
    const double distance = 1.000001 * reference_distance(s, &a);
    size_t near = 0;
    for (size_t i = 0; i < n; i++)
        near += !s->inside[i] && upper_bound(s, i, a, distance) > threshold;
    const int all = near > n / 4;
    for (size_t i = 0; i < n; i++) {
        if (!all && (s->inside[i] || upper_bound(s, i, a, distance) <= threshold))
            continue;
        const double g = s->scale[i] * bank_quadratic(s->bank, i, s->spread);
        if (all)
            s->root[i] = sqrt(g > 0 ? g : 0);
        if (s->inside[i])
            continue;
        if (g > most)
            most = g;
        if (g > limit)
            enqueue(q, i, g);
    }
    if (all)
        memcpy(s->reference, s->c, s->bank->t * sizeof(double));
    return most;
}
