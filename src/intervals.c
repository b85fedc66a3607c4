/* intervals.c: jackknife+ and CV+ (Barber, Candes, Ramdas and Tibshirani, 2021) with votes.
 *
 * With one vote for each of m rows and target = level (m + 1) the upper end is the u-th smallest of
 * scores + residual, u = ceiling(level (m + 1)), and infinite where u > m. The lower end is minus
 * the upper end of -scores. Weighted quickselect, O(rows) on average for a new row. */
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

void jackknife_ends(const held_out *held, const double *scores, size_t step, double target,
                    double *lower, double *upper, double *value, double *vote)
{
    const double signs[] = {-1, 1};
    double end[2];
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < held->rows; i++) {
            value[i] = signs[s] * scores[(size_t) held->refit[i] * step] + held->residual[i];
            vote[i] = held->votes[i];
        }
        end[s] = weighted_quantile(held->rows, value, vote, target);
    }
    *lower = -end[0];
    *upper = end[1];
}
