/* rls2_simplex.c: convex quadratic programs over the simplex.
 *
 * Contract: minimizes x'Hx / 2 - b'x subject to x >= 0, sum(x) = 1 by the primal active set method.
 * On the free variables P (those that may be positive) the minimizer has H_PP x = b_P - mu, where
 *
 *   u = H_PP^-1 b_P,  e = H_PP^-1 1,  mu = (1'u - 1) / 1'e,  x = u - mu e.
 *
 * A step towards it ends where a variable becomes zero, which leaves P; at it, the variable with
 * the largest b_j - (Hx)_j > mu enters, the lower one of equals. Only the lower triangle of H
 * is read. A ridge relative to its diagonal, as small as will do, makes it definite.
 * SR_NOT_POSITIVE where none does. */
#include <math.h>
#include <string.h>

#include "linalg.h"
#include "rls2.h"

simplex_work new_simplex_work(size_t n, memory from)
{
    simplex_work work = {new_ints(from, n),    new_doubles(from, n * n), new_doubles(from, 2 * n),
                         new_doubles(from, n), new_doubles(from, n),     new_doubles(from, n)};
    return work;
}

static double element(const double *h, size_t n, size_t i, size_t j)
{
    return i >= j ? h[i + j * n] : h[j + i * n];
}

typedef struct {
    size_t n, count;
    const double *h, *b;
    double ridge;
    int *free; /* this and the rest: see simplex_work */
    double *factor, *solution, *gradient, *next, *barred;
} program;

/* The minimizer on the free variables into q->next, and mu. */
static int minimizer(program *q)
{
    const size_t k = q->count;
    for (size_t j = 0; j < k; j++) {
        const size_t column = (size_t) q->free[j];
        for (size_t i = j; i < k; i++)
            q->factor[i + j * k] = element(q->h, q->n, (size_t) q->free[i], column);
        q->factor[j + j * k] *= 1 + q->ridge;
        q->solution[j] = q->b[column];
        q->solution[k + j] = 1;
    }
    const int status = cholesky_lower(k, q->factor, k);
    if (status != SR_OK)
        return status;
    solve_lower_left('N', k, 2, q->factor, k, q->solution, k);
    solve_lower_left('T', k, 2, q->factor, k, q->solution, k);
    double u = 0, e = 0;
    for (size_t j = 0; j < k; j++) {
        u += q->solution[j];
        e += q->solution[k + j];
    }
    double sum = 0;
    for (size_t j = 0; j < k; j++) {
        q->next[j] = q->solution[j] - (u - 1) / e * q->solution[k + j];
        sum += q->next[j];
    }
    /* u and e may be large: what is lost of the sum comes back along e. */
    for (size_t j = 0; j < k; j++)
        q->next[j] += (1 - sum) / e * q->solution[k + j];
    return SR_OK;
}

/* Moves x towards q->next; 1 if it got there, else the variables at zero are no longer free. */
static int move(program *q, double *x)
{
    double step = 1;
    for (size_t j = 0; j < q->count; j++) {
        const double from = x[q->free[j]], to = q->next[j];
        if (to <= 0 && from / (from - to) < step)
            step = from > 0 ? from / (from - to) : 0;
    }
    size_t kept = 0;
    for (size_t j = 0; j < q->count; j++) {
        const int i = q->free[j];
        const double from = x[i], to = q->next[j];
        const int leaves = to <= 0 && (from <= 0 || from / (from - to) <= step);
        x[i] = leaves ? 0 : step == 1 ? to : from + step * (to - from);
        if (!leaves)
            q->free[kept++] = i;
    }
    const int arrived = kept == q->count;
    q->count = kept;
    return arrived;
}

/* q->gradient = b - Hx. */
static void gradient_at(program *q, const double *x)
{
    for (size_t i = 0; i < q->n; i++) {
        double value = q->b[i];
        for (size_t j = 0; j < q->count; j++)
            value -= element(q->h, q->n, i, (size_t) q->free[j]) * x[q->free[j]];
        q->gradient[i] = value;
    }
}

/* The variable that enters, or n. The ridge, and rounding, let gradients of free variables differ
 * from mu: the largest of them is what counts, lest a copy of one enters for the ridge's sake. */
static size_t entering(program *q, const double *x)
{
    double free = -INFINITY, size = 0;
    size_t best = q->n;
    gradient_at(q, x);
    for (size_t i = 0; i < q->n; i++)
        size = fmax(size, fabs(q->b[i]));
    for (size_t j = 0; j < q->count; j++)
        free = fmax(free, q->gradient[q->free[j]]);
    double most = 10 * q->ridge * size;
    for (size_t i = 0; i < q->n; i++) {
        const double excess = q->gradient[i] - free;
        if (x[i] == 0 && q->barred[i] == 0 && excess > most * (best < q->n ? 1 + TIE : 1)) {
            most = excess;
            best = i;
        }
    }
    return best;
}

/* Every minimizer has a smaller objective than the one before, so that no set of free variables
 * comes twice; rounding may let one return, hence the limit of rounds. */
static int descend_to_minimum(program *q, double *x)
{
    size_t enter = q->n;
    for (size_t round = 0; round < 10 * q->n + 100; round++) {
        int status = minimizer(q);
        if (status == SR_OK && enter < q->n && q->next[q->count - 1] <= 0) {
            q->barred[enter] = 1;
            q->count--;
        } else {
            while (status == SR_OK && !move(q, x))
                status = minimizer(q);
            memset(q->barred, 0, q->n * sizeof(double));
        }
        if (status != SR_OK)
            return status;
        enter = entering(q, x);
        if (enter == q->n)
            break;
        q->free[q->count++] = (int) enter;
    }
    return SR_OK;
}

int simplex_minimize(size_t n, const double *h, const double *b, double *x, simplex_work *work)
{
    program q = {n,
                 0,
                 h,
                 b,
                 1e-14,
                 work->free,
                 work->factor,
                 work->solution,
                 work->gradient,
                 work->next,
                 work->barred};
    int status = SR_NOT_POSITIVE;
    for (; status == SR_NOT_POSITIVE && q.ridge < 1e-3; q.ridge *= 100) {
        q.count = 0;
        for (size_t i = 0; i < n; i++)
            if (x[i] > 0)
                q.free[q.count++] = (int) i;
        memset(q.barred, 0, n * sizeof(double));
        status = descend_to_minimum(&q, x);
    }
    return status;
}
