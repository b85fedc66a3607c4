/* loss.h: losses of a linear predictor. */
#ifndef SPARSERLS_LOSS_H
#define SPARSERLS_LOSS_H

#include <stddef.h>

/* A loss is a unit deviance d(y, eta) >= 0, convex in the linear predictor eta, with |d'''| <= d''
 * (on which the sharper bound of glm_bound.c rests; the complementary log-log link breaks it), whose
 * parts that cancel in a score are at most |score| + 4 weight in size (rounding, same file). `theta`
 * is the size of the negative binomial; others do not read it. */
typedef struct {
    const char *name;
    double (*deviance)(double y, double theta, double eta);
    /* Scores w d' / 2 and weights w d'' / 2 of m rows; score may be eta. Rows of weight zero have
     * zeros, whatever their eta. */
    void (*derivatives)(size_t m, const double *y, const double *w, double theta, const double *eta,
                        double *score, double *weight);
    /* What added to all eta makes the scores add up to zero, where x is the sum of the scores by
     * that of the weights: then each score changes by -x times its weight, and each weight by the
     * factor `growth`. NULL where that has no closed form. */
    double (*shift)(double x, double *growth);
} loss;

/* By the names that R calls them by; NULL for a name that there is not. */
const loss *find_loss(const char *name);

#endif
