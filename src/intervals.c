/* intervals.c: jackknife+ and CV+ (Barber, Candes, Ramdas and Tibshirani, 2021) with votes.
 *
 * With one vote for each of m rows and target = level (m + 1) the upper end is the u-th smallest of
 * mu + residual, u = ceiling(level (m + 1)), and infinite where u > m. The lower end is minus the
 * upper end of -mu.
 *
 * With r the residual at which the votes of residuals alone reach the target, the upper end lies
 * between r + min mu and r + max mu. So rows whose residual is below r - (max mu - min mu) are
 * below it whatever their mu, those above r + (max mu - min mu) never are, and only the rows
 * between, few where the refits agree, are looked at for a new row: weighted quickselect. */
#include <R_ext/Arith.h>
#include <R_ext/Utils.h>
#include <float.h>
#include <math.h>

#include "intervals.h"

static void swap(double *x, size_t a, size_t b)
{
    const double kept = x[a];
    x[a] = x[b];
    x[b] = kept;
}

static double middle(double a, double b, double c)
{
    if (a > b)
        return middle(b, a, c);
    return c < a ? a : c > b ? b : c;
}

/* value and vote from lo to hi so that smaller values than the pivot come first, then equal ones;
 * *less and *more become the ends of both, *votes_less and *votes_equal their votes. */
static void divide(double *value, double *vote, size_t lo, size_t hi, double pivot, size_t *less,
                   size_t *more, double *votes_less, double *votes_equal)
{
    size_t i = lo, lt = lo, gt = hi;
    *votes_less = *votes_equal = 0;
    while (i < gt) {
        if (value[i] < pivot) {
            *votes_less += vote[i];
            swap(value, i, lt);
            swap(vote, i++, lt++);
        } else if (value[i] > pivot) {
            swap(value, i, --gt);
            swap(vote, i, gt);
        } else {
            *votes_equal += vote[i++];
        }
    }
    *less = lt;
    *more = gt;
}

/* The smallest value up to which the votes add up to target; both arrays are reordered. */
static double weighted_quantile(size_t n, double *value, double *vote, double target)
{
    size_t lo = 0, hi = n, less, more;
    double below = 0, votes_less, votes_equal;
    while (lo < hi) {
        const double pivot = middle(value[lo], value[lo + (hi - lo) / 2], value[hi - 1]);
        divide(value, vote, lo, hi, pivot, &less, &more, &votes_less, &votes_equal);
        if (less > lo && below + votes_less >= target) {
            hi = less;
        } else if (below + votes_less + votes_equal >= target) {
            return pivot;
        } else {
            below += votes_less + votes_equal;
            lo = more;
        }
    }
    return INFINITY;
}

held_out new_held_out(size_t rows, const int *refit, const double *residual, const double *votes,
                      double target, memory from)
{
    held_out h = {rows,
                  new_ints(from, rows),
                  new_doubles(from, rows),
                  new_doubles(from, rows),
                  new_doubles(from, rows + 1),
                  target,
                  rows,
                  new_doubles(from, rows),
                  new_doubles(from, rows)};
    int *order = new_ints(from, rows);
    for (size_t i = 0; i < rows; i++) {
        h.residual[i] = residual[i];
        order[i] = (int) i;
    }
    rsort_with_index(h.residual, order, (int) rows);
    h.before[0] = 0;
    for (size_t i = 0; i < rows; i++) {
        h.refit[i] = refit[order[i]];
        h.votes[i] = votes[order[i]];
        h.before[i + 1] = h.before[i] + h.votes[i];
        if (h.rank == rows && h.before[i + 1] >= target)
            h.rank = i;
    }
    return h;
}

/* The first row whose residual is not below x. */
static size_t first_from(const held_out *h, double x)
{
    size_t lo = 0, hi = h->rows;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (h->residual[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The upper end for sign mu; spread: the largest mu less the smallest, with room for rounding. */
static double upper_end(held_out *h, const double *mu, double sign, double spread)
{
    const double at = h->residual[h->rank];
    const size_t start = first_from(h, at - spread);
    size_t count = 0;
    for (size_t i = start; i < h->rows && h->residual[i] <= at + spread; i++, count++) {
        h->value[count] = sign * mu[h->refit[i]] + h->residual[i];
        h->vote[count] = h->votes[i];
    }
    return weighted_quantile(count, h->value, h->vote, h->target - h->before[start]);
}

void jackknife_ends(held_out *h, const double *mu, size_t refits, double *lower, double *upper)
{
    double least = mu[0], most = mu[0];
    int whole = 1;
    for (size_t k = 0; k < refits; k++) {
        whole &= !ISNAN(mu[k]);
        least = mu[k] < least ? mu[k] : least;
        most = mu[k] > most ? mu[k] : most;
    }
    if (!whole || h->rank == h->rows) {
        *lower = whole ? -INFINITY : NA_REAL;
        *upper = whole ? INFINITY : NA_REAL;
        return;
    }
    const double size = fmax(fabs(least), fabs(most)) + h->residual[h->rank];
    const double spread = most - least + 8 * DBL_EPSILON * size;
    *lower = -upper_end(h, mu, -1, spread);
    *upper = upper_end(h, mu, 1, spread);
}
