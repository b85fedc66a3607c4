/* rls2_set.c: the working set, the kernels whose weights may be positive.
 *
 * Contract: member, weight, v and g hold `count` kernels in the order in which they have joined;
 * inside says of every kernel whether it is one of them. */
#include <string.h>

#include "rls2.h"
#include "vector.h"

/* Kernels beyond as many as there are training rows: those that are about to leave. */
#define SPARE 32

working_set new_working_set(const kernel_bank *bank, memory from)
{
    const size_t n = bank->n, t = bank->t, most = n < t + SPARE ? n : t + SPARE;
    working_set set = {t,
                       0,
                       most,
                       new_ints(from, most),
                       new_ints(from, n),
                       new_doubles(from, most),
                       new_doubles(from, t * most),
                       new_doubles(from, most)};
    return set;
}

void set_clear(working_set *set, size_t n)
{
    memset(set->inside, 0, n * sizeof(int));
    set->count = 0;
}

void set_join(working_set *set, size_t i)
{
    set->member[set->count] = (int) i;
    set->weight[set->count] = 0;
    set->inside[i] = 1;
    set->count++;
}

void set_prune(working_set *set)
{
    const size_t t = set->t;
    size_t kept = 0;
    for (size_t j = 0; j < set->count; j++) {
        set->inside[set->member[j]] = set->weight[j] > 0;
        if (set->weight[j] > 0) {
            set->member[kept] = set->member[j];
            set->weight[kept] = set->weight[j];
            set->g[kept] = set->g[j];
            memmove(set->v + kept * t, set->v + j * t, t * sizeof(double));
            kept++;
        }
    }
    set->count = kept;
}

void set_image(rls2_problem *problem, size_t i, const double *scattered, double *v)
{
    kernel_bank *bank = problem->bank;
    bank_apply(bank, i, scattered, bank->image);
    bank_gather(bank, bank->image, v);
    for (size_t j = 0; j < bank->t; j++)
        v[j] *= problem->scale[i];
}

void set_images(working_set *set, size_t from, rls2_problem *problem, const rls2_solution *at)
{
    const size_t t = set->t;
    for (size_t j = from; j < set->count; j++) {
        set_image(problem, (size_t) set->member[j], at->scattered, set->v + j * t);
        set->g[j] = dot(t, at->c, set->v + j * t);
    }
}

double set_level(const working_set *set)
{
    return dot(set->count, set->weight, set->g);
}
