/* kernel.c: the table of kernels. All that the package knows about a kernel is in its entry, and R
 * reads it from here (bridge_kernel.c, R/kernel-constructors.R).
 *
 *   linear      k(a, b) = a'b
 *   Gaussian    k(a, b) = exp(-gamma D),  D = |a - b|^2
 *   Laplacian   k(a, b) = exp(-gamma |a - b|_1)
 *   polynomial  k(a, b) = (scale a'b + offset)^degree
 *   Matern      r^2 = 2 smoothness gamma D; smoothness 1/2: exp(-r), 3/2: (1 + r) exp(-r),
 *               5/2: (1 + r + r^2 / 3) exp(-r)
 *
 * A kernel is a function of one number u: the inner product, D, or |a - b|_1. Its entry computes
 * it, and its derivative by u, for many u at once. At u = 0 the kernels of differences are
 * exactly 1.
 *
 * Other files rely on two limits of a kernel of the squared distance, at gamma = 1, which
 * test-kernel-table.R asks of every entry:
 *   |u dk/du| is below 0.4, so that k has the digits that are left of D (NEAR, constants.h);
 *   |dk/du| is at most 3/2, or has no bound at u = 0 (STEEP, kernel_moments.c). */
#include <float.h>
#include <limits.h>
#include <math.h>

#include "kernel.h"

static void linear(const double *theta, size_t length, double *u, double *slope)
{
    (void) theta;
    (void) u;
    for (size_t i = 0; slope && i < length; i++)
        slope[i] = 1;
}

static void exponential(const double *theta, size_t length, double *u, double *slope)
{
    for (size_t i = 0; i < length; i++)
        u[i] = exp(-theta[0] * u[i]);
    for (size_t i = 0; slope && i < length; i++)
        slope[i] = -theta[0] * u[i];
}

static void exponential_less_one(const double *theta, size_t length, double *u)
{
    for (size_t i = 0; i < length; i++)
        u[i] = expm1(-theta[0] * u[i]);
}

static double power(double x, int degree)
{
    double result = 1;
    for (; degree > 0; degree >>= 1, x *= x)
        if (degree & 1)
            result *= x;
    return result;
}

static void polynomial(const double *theta, size_t length, double *u, double *slope)
{
    const int degree = (int) theta[0];
    const double scale = theta[1], offset = theta[2];
    for (size_t i = 0; slope && i < length; i++)
        slope[i] = degree * scale * power(scale * u[i] + offset, degree - 1);
    for (size_t i = 0; i < length; i++)
        u[i] = power(scale * u[i] + offset, degree);
}

/* exp(-r) is 0 from here on; more would overflow in r^2. */
#define LARGE 800

static double matern_r(const double *theta, double square)
{
    return fmin(sqrt(2 * theta[1] * (theta[0] * square)), LARGE);
}

/* dk/dD = dk/dr smoothness gamma / r. For smoothness 1/2 it has no limit at D = 0 and counts as 0
 * there. */
static void matern(const double *theta, size_t length, double *u, double *slope)
{
    const double smoothness = theta[1], rate = smoothness * theta[0];
    for (size_t i = 0; i < length; i++) {
        const double r = matern_r(theta, u[i]), decay = exp(-r);
        double k, by_square;
        if (smoothness < 1) {
            k = decay;
            by_square = r > 0 ? -rate * decay / r : 0;
        } else if (smoothness < 2) {
            k = (1 + r) * decay;
            by_square = -rate * decay;
        } else {
            k = (1 + r + r * r / 3) * decay;
            by_square = -rate * (1 + r) * decay / 3;
        }
        u[i] = k;
        if (slope)
            slope[i] = by_square;
    }
}

/* exp(r) - 1 - r for r < 1, by its series. */
static double exp_less_line(double r)
{
    double term = r * r / 2, sum = 0;
    for (int j = 3; j < 22; j++) {
        sum += term;
        term *= r / j;
    }
    return sum;
}

/* exp(-r) (1 + r - exp(r)), and with r^2 / 3 likewise: below r = 1 nothing cancels. */
static void matern_less_one(const double *theta, size_t length, double *u)
{
    for (size_t i = 0; i < length; i++) {
        const double r = matern_r(theta, u[i]), square = theta[1] > 2 ? r * r / 3 : 0;
        if (theta[1] < 1)
            u[i] = expm1(-r);
        else if (r < 1)
            u[i] = exp(-r) * (square - exp_less_line(r));
        else
            u[i] = (1 + r + square) * exp(-r) - 1;
    }
}

#define GAMMA                                                                                      \
    {                                                                                              \
        "gamma", DBL_MIN, DBL_MAX                                                                  \
    }

static const kernel_kind table[] = {
    {.name = "linear", .label = "linear", .argument = OF_PRODUCT, .slopes = 1, .evaluate = linear},
    {.name = "gaussian",
     .label = "Gaussian",
     .argument = OF_SQUARED_DISTANCE,
     .parameters = {GAMMA},
     .evaluate = exponential,
     .less_one = exponential_less_one},
    {.name = "laplacian",
     .label = "Laplacian",
     .argument = OF_ABSOLUTE_DISTANCE,
     .parameters = {GAMMA},
     .evaluate = exponential,
     .less_one = exponential_less_one},
    {.name = "polynomial",
     .label = "polynomial",
     .argument = OF_PRODUCT,
     .parameters = {{"degree", 1, INT_MAX}, {"scale", DBL_MIN, DBL_MAX}, {"offset", 0, DBL_MAX}},
     .evaluate = polynomial},
    {.name = "matern",
     .label = "Matern",
     .argument = OF_SQUARED_DISTANCE,
     .parameters = {GAMMA, {"smoothness", 0.5, 2.5}},
     .evaluate = matern,
     .less_one = matern_less_one},
};

const kernel_kind *kernel_table(size_t *count)
{
    *count = sizeof(table) / sizeof(table[0]);
    return table;
}
