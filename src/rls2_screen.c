/* rls2_screen.c: which kernels outside the working set violate the optimum, and how much.
 *
 * Contract: g_i = s_i c'K_i c, and sqrt(g_i) is a seminorm of c. So with its value at an earlier
 * point p,
 *
 *   sqrt(g_i(c)) <= |a| sqrt(g_i(p)) + b_i |c - a p|,    b_i^2 = s_i tr K_i,  a = c'p / p'p,
 *
 * and a kernel for which this is below the largest g in the working set is not touched. Where more
 * than a quarter of the kernels cannot be told so, all are computed, and c becomes the next p. The
 * path begins with c = y, which is c up to its length for lambda = Inf. */
#include <math.h>
#include <string.h>

#include "rls2.h"
#include "vector.h"

screening new_screening(kernel_bank *bank, memory from)
{
    screening screen = {new_doubles(from, bank->n), new_doubles(from, bank->n),
                        new_doubles(from, bank->t), new_doubles(from, bank->n)};
    bank_traces(bank, screen.trace, from);
    return screen;
}

void rls2_start(rls2_state *s)
{
    kernel_bank *bank = s->problem.bank;
    const double *scale = s->problem.scale, *y = s->problem.y;
    double best = -1;
    size_t first = 0;
    bank_scatter(bank, y, s->at.scattered);
    for (size_t i = 0; i < bank->n; i++) {
        s->screen.bound[i] = sqrt(scale[i] * s->screen.trace[i]);
        const double alignment = scale[i] * bank_quadratic(bank, i, s->at.scattered);
        s->screen.root[i] = sqrt(alignment > 0 ? alignment : 0);
        if (s->screen.bound[i] > 0 && alignment > best * (1 + TIE)) {
            best = alignment;
            first = i;
        }
    }
    memcpy(s->screen.reference, y, bank->t * sizeof(double));
    set_clear(&s->set, bank->n);
    set_join(&s->set, first);
    s->set.weight[0] = 1;
}

static double largest_member(const working_set *set)
{
    double most = 0;
    for (size_t j = 0; j < set->count; j++)
        if (set->g[j] > most)
            most = set->g[j];
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
static double reference_distance(size_t t, const double *c, const double *reference, double *a)
{
    double sum = 0;
    *a = dot(t, c, reference) / dot(t, reference, reference);
    for (size_t j = 0; j < t; j++) {
        const double difference = c[j] - *a * reference[j];
        sum += difference * difference;
    }
    return sqrt(sum);
}

/* An upper bound of g_i. */
static double upper_bound(const screening *screen, size_t i, double a, double distance)
{
    const double root = fabs(a) * screen->root[i] + screen->bound[i] * distance;
    return root * root;
}

/* The largest g of all kernels; those above `limit` outside the working set are queued. */
static double largest(rls2_state *s, double limit, violators *q)
{
    kernel_bank *bank = s->problem.bank;
    const size_t n = bank->n, t = bank->t;
    const int *inside = s->set.inside;
    const double threshold = largest_member(&s->set);
    double most = threshold, a;
    /* A little more than the distance, for its rounding errors. */
    const double distance = 1.000001 * reference_distance(t, s->at.c, s->screen.reference, &a);
    size_t near = 0;
    for (size_t i = 0; i < n; i++)
        near += !inside[i] && upper_bound(&s->screen, i, a, distance) > threshold;
    const int all = near > n / 4;
    for (size_t i = 0; i < n; i++) {
        if (!all && (inside[i] || upper_bound(&s->screen, i, a, distance) <= threshold))
            continue;
        const double g = s->problem.scale[i] * bank_quadratic(bank, i, s->at.scattered);
        if (all)
            s->screen.root[i] = sqrt(g > 0 ? g : 0);
        if (inside[i])
            continue;
        if (g > most)
            most = g;
        if (g > limit)
            enqueue(q, i, g);
    }
    if (all)
        memcpy(s->screen.reference, s->at.c, t * sizeof(double));
    return most;
}

void rls2_images(rls2_state *s)
{
    bank_scatter(s->problem.bank, s->at.c, s->at.scattered);
    set_images(&s->set, 0, &s->problem, &s->at);
}

/* (max_i g_i - sum_i d_i g_i) / y'c; a response that is zero leaves no gap. */
double rls2_gap(rls2_state *s, double limit, violators *q)
{
    return s->at.value > 0 ? (largest(s, limit, q) - set_level(&s->set)) / s->at.value : 0;
}
