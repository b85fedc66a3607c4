/* loss.c: the table of losses.
 *
 * Each is minus twice a log-likelihood, less its value at a perfect fit, as a function of the
 * linear predictor; eta may be anything. With mu = e^eta (binomial: 1 / (1 + e^-eta)):
 *
 *     gaussian            (y - eta)^2
 *     binomial            2 (y log(y / mu) + (1 - y) log((1 - y) / (1 - mu))), y a share
 *     poisson             2 (y log(y / mu) - y + mu)
 *     gamma               2 (y / mu - 1 - log(y / mu))
 *     negative_binomial   2 (y log(y / mu) - (y + theta) log((y + theta) / (mu + theta)))
 *
 * Half their second derivatives are the observed weights, not Fisher's. The last is a binomial of
 * y + theta trials: with x = eta - log(theta) and p = 1 / (1 + e^-x) half of it is, but for a
 * constant, theta log(1 + e^x) + y log(1 + e^-x), its derivative theta p - y (1 - p). */
#include <math.h>
#include <string.h>

#include "loss.h"

/* p = 1 / (1 + e^-x) and 1 - p, each to full relative precision. */
static inline void logistic(double x, double *p, double *rest)
{
    const double q = exp(-fabs(x)), larger = 1 / (1 + q), smaller = q * larger;
    *p = x >= 0 ? larger : smaller;
    *rest = x >= 0 ? smaller : larger;
}

/* log(1 + e^x). */
static double softplus(double x)
{
    return log1p(exp(-fabs(x))) + (x > 0 ? x : 0);
}

/* e^x - 1 - x, which cancels where x is small. */
static double exp_rest(double x)
{
    if (fabs(x) > 0.05)
        return expm1(x) - x;
    double sum = 0, term = x * x / 2;
    for (int k = 3; k < 12; k++) {
        sum += term;
        term *= x / k;
    }
    return sum;
}

static double positive(double deviance)
{
    return deviance < 0 ? 0 : deviance;
}

static double gaussian_deviance(double y, double theta, double eta)
{
    (void) theta;
    return (y - eta) * (y - eta);
}

static double binomial_deviance(double y, double theta, double eta)
{
    (void) theta;
    const double fail = 1 - y;
    const double loss = (y > 0 ? y * (log(y) + softplus(-eta)) : 0) +
                        (fail > 0 ? fail * (log(fail) + softplus(eta)) : 0);
    return positive(2 * loss);
}

static double poisson_deviance(double y, double theta, double eta)
{
    (void) theta;
    return 2 * (y > 0 ? y * exp_rest(eta - log(y)) : exp(eta));
}

static double gamma_deviance(double y, double theta, double eta)
{
    (void) theta;
    return 2 * exp_rest(log(y) - eta);
}

static double negative_binomial_deviance(double y, double theta, double eta)
{
    const double x = eta - log(theta);
    if (!(y > 0))
        return 2 * theta * softplus(x);
    const double best = log(y / theta);
    return positive(
        2 * (theta * (softplus(x) - softplus(best)) + y * (softplus(-x) - softplus(-best))));
}

static inline void gaussian(double y, double theta, double eta, double *score, double *weight)
{
    (void) theta;
    *score = eta - y;
    *weight = 1;
}

static inline void binomial(double y, double theta, double eta, double *score, double *weight)
{
    (void) theta;
    double p, rest;
    logistic(eta, &p, &rest);
    *score = (1 - y) * p - y * rest;
    *weight = p * rest;
}

static inline void poisson(double y, double theta, double eta, double *score, double *weight)
{
    (void) theta;
    *weight = exp(eta);
    *score = *weight - y;
}

static inline void gamma_log(double y, double theta, double eta, double *score, double *weight)
{
    (void) theta;
    *weight = y * exp(-eta);
    *score = 1 - *weight;
}

/* x: eta - log(theta). */
static inline void negative_binomial(double y, double theta, double x, double *score,
                                     double *weight)
{
    double p, rest;
    logistic(x, &p, &rest);
    *score = theta * p - y * rest;
    *weight = (y + theta) * p * rest;
}

/* The loops over rows; `centre` is subtracted from eta. */
#define ROWS(name, centre)                                                                         \
    static void name##_rows(size_t m, const double *y, const double *w, double theta,              \
                            const double *eta, double *score, double *weight)                      \
    {                                                                                              \
        const double less = centre;                                                                \
        for (size_t i = 0; i < m; i++) {                                                           \
            double s = 0, h = 0;                                                                   \
            if (w[i] > 0)                                                                          \
                name(y[i], theta, eta[i] - less, &s, &h);                                          \
            score[i] = w[i] * s;                                                                   \
            weight[i] = w[i] * h;                                                                  \
        }                                                                                          \
    }

ROWS(gaussian, 0)
ROWS(binomial, 0)
ROWS(poisson, 0)
ROWS(gamma_log, 0)
ROWS(negative_binomial, log(theta))

static double gaussian_shift(double x, double *growth)
{
    *growth = 1;
    return -x;
}

/* The weights are the means: their sum becomes that of y. */
static double poisson_shift(double x, double *growth)
{
    *growth = 1 - x;
    return log1p(-x);
}

/* The weights y / mu: their sum becomes that of w. */
static double gamma_shift(double x, double *growth)
{
    *growth = 1 + x;
    return -log1p(x);
}

static const loss losses[] = {
    {"gaussian", gaussian_deviance, gaussian_rows, gaussian_shift},
    {"binomial", binomial_deviance, binomial_rows, NULL},
    {"poisson", poisson_deviance, poisson_rows, poisson_shift},
    {"gamma", gamma_deviance, gamma_log_rows, gamma_shift},
    {"negative_binomial", negative_binomial_deviance, negative_binomial_rows, NULL}};

const loss *find_loss(const char *name)
{
    for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
        if (strcmp(losses[i].name, name) == 0)
            return losses + i;
    return NULL;
}
