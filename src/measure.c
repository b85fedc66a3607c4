/* measure.c: losses of held-out predictions, their mean and its standard error.
 *
 * Rows here are held rows, a row as often as a fold scores it; everything is for one lambda. The
 * squared and absolute loss are summed over outputs. A class is the sign of one score (a tie goes
 * to the first class, -1) or the output with the largest score (a tie goes to the first). */
#include <math.h>
#include <string.h>

#include "measure.h"

static size_t largest_at(const double *x, size_t step, size_t length)
{
    size_t best = 0;
    for (size_t k = 1; k < length; k++)
        if (x[k * step] > x[best * step])
            best = k;
    return best;
}

static double squared(const double *y, size_t y_step, const double *score, size_t step, size_t v)
{
    double loss = 0;
    for (size_t k = 0; k < v; k++) {
        const double residual = y[k * y_step] - score[k * step];
        loss += residual * residual;
    }
    return loss;
}

static double absolute(const double *y, size_t y_step, const double *score, size_t step, size_t v)
{
    double loss = 0;
    for (size_t k = 0; k < v; k++)
        loss += fabs(y[k * y_step] - score[k * step]);
    return loss;
}

static double misclassified(const double *y, size_t y_step, const double *score, size_t step,
                            size_t v)
{
    return v == 1 ? (*score > 0) != (*y > 0)
                  : largest_at(score, step, v) != largest_at(y, y_step, v);
}

static const struct {
    const char *name;
    row_loss *loss;
} losses[] = {{"squared", squared}, {"absolute", absolute}, {"class", misclassified}};

row_loss *loss_named(const char *name)
{
    for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
        if (strcmp(losses[i].name, name) == 0)
            return losses[i].loss;
    return NULL;
}

/* The weighted losses of every unit, and the units' weights. */
static void unit_sums(size_t rows, size_t units, const int *unit, const double *loss,
                      const double *weights, double *sums, double *totals)
{
    memset(sums, 0, units * sizeof(double));
    memset(totals, 0, units * sizeof(double));
    for (size_t i = 0; i < rows; i++)
        if (weights[i] > 0) {
            totals[unit[i]] += weights[i];
            sums[unit[i]] += weights[i] * loss[i];
        }
}

/* The weighted mean loss of every unit, and the units' weights. */
static void unit_means(size_t rows, size_t units, const int *unit, const double *loss,
                       const double *weights, double *means, double *totals)
{
    unit_sums(rows, units, unit, loss, weights, means, totals);
    for (size_t u = 0; u < units; u++)
        if (totals[u] > 0)
            means[u] /= totals[u];
}

void weighted_error(size_t rows, const double *loss, const double *weights, double *mean,
                    double *error)
{
    double total = 0, used = 0, sum = 0, square = 0;
    for (size_t i = 0; i < rows; i++)
        if (weights[i] > 0) {
            total += weights[i];
            sum += weights[i] * loss[i];
            used++;
        }
    *mean = sum / total;
    for (size_t i = 0; i < rows; i++)
        if (weights[i] > 0)
            square += weights[i] * (loss[i] - *mean) * (loss[i] - *mean);
    *error = used > 1 ? sqrt(square / total / (used - 1)) : NAN;
}

/* One more than the largest label. */
static size_t count_units(size_t rows, const int *unit)
{
    size_t units = 0;
    for (size_t i = 0; i < rows; i++)
        units = (size_t) unit[i] >= units ? (size_t) unit[i] + 1 : units;
    return units;
}

static void row_losses(const scored_rows *scored, row_loss *loss_of, const double *scores,
                       double *loss)
{
    for (size_t i = 0; i < scored->rows; i++)
        loss[i] = loss_of(scored->y + scored->row[i], scored->m, scores + i, scored->rows,
                          scored->v);
}

void loss_sums(const scored_rows *scored, row_loss *loss_of, const double *scores, size_t c,
               size_t units, double *sums, double *totals, memory from)
{
    double *loss = new_doubles(from, scored->rows);
    for (size_t l = 0; l < c; l++) {
        row_losses(scored, loss_of, scores + l * scored->v * scored->rows, loss);
        unit_sums(scored->rows, units, scored->unit, loss, scored->weights, sums + l * units,
                  totals);
    }
}

void row_errors(const scored_rows *scored, row_loss *loss_of, const double *scores, size_t c,
                double *mean, double *error, memory from)
{
    const size_t rows = scored->rows;
    const size_t units = scored->unit ? count_units(rows, scored->unit) : rows;
    double *loss = new_doubles(from, rows), *means = loss;
    const double *weights = scored->weights;
    double *totals = NULL;
    if (scored->unit) {
        means = new_doubles(from, units);
        weights = totals = new_doubles(from, units);
    }
    for (size_t l = 0; l < c; l++) {
        row_losses(scored, loss_of, scores + l * scored->v * rows, loss);
        if (scored->unit)
            unit_means(rows, units, scored->unit, loss, scored->weights, means, totals);
        weighted_error(units, means, weights, mean + l, error + l);
    }
}
