/* bridge_measure.c: errors of held-out predictions for R. */
#include "bridge.h"

static SEXP error_list(SEXP cvm, SEXP cvsd)
{
    const char *names[] = {"cvm", "cvsd"};
    SEXP values[] = {cvm, cvsd};
    return named_list(2, names, values);
}

/* type: enum loss_type; row: 1-based, one per scored pair; y: m x v; scores: pairs x (v c);
 * weights: one per pair; unit: 1-based labels without gaps, or NULL where every pair is its own
 * unit. */
SEXP ffi_row_errors(SEXP type, SEXP row, SEXP y, SEXP scores, SEXP weights, SEXP unit)
{
    const size_t pairs = (size_t) Rf_xlength(row), m = (size_t) Rf_nrows(y);
    const size_t v = (size_t) Rf_ncols(y);
    require(pairs > 0 && v > 0, "nothing is scored");
    const size_t c = (size_t) Rf_xlength(scores) / (pairs * v);
    const double *score = doubles(scores, pairs * v * c), *weight = doubles(weights, pairs);
    const double *target = doubles(y, m * v);
    const enum loss_type loss_type = (enum loss_type) count_of(type, LOSS_SQUARED, LOSS_CLASS);
    const int *rows = zero_based(row, m), *label = NULL;
    if (!Rf_isNull(unit)) {
        require((size_t) Rf_xlength(unit) == pairs, "the units do not fit the pairs");
        label = zero_based(unit, pairs);
    }
    size_t units = 0;
    for (size_t i = 0; label && i < pairs; i++)
        units = (size_t) label[i] >= units ? (size_t) label[i] + 1 : units;
    double *loss = alloc_doubles(pairs), *means = alloc_doubles(units);
    double *totals = alloc_doubles(units);
    SEXP cvm = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) c));
    SEXP cvsd = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) c));
    for (size_t l = 0; l < c; l++) {
        row_losses(loss_type, pairs, m, v, rows, target, score + l * v * pairs, loss);
        if (label)
            unit_means(pairs, units, label, loss, weight, means, totals);
        weighted_error(label ? units : pairs, label ? means : loss, label ? totals : weight,
                       REAL(cvm) + l, REAL(cvsd) + l);
    }
    SEXP out = error_list(cvm, cvsd);
    UNPROTECT(2);
    return out;
}

/* values: sets x c, a measure of every set; weights: one per set. */
SEXP ffi_weighted_error(SEXP values, SEXP weights)
{
    const size_t rows = (size_t) Rf_nrows(values), c = (size_t) Rf_ncols(values);
    const double *value = doubles(values, rows * c), *weight = doubles(weights, rows);
    SEXP cvm = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) c));
    SEXP cvsd = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) c));
    for (size_t l = 0; l < c; l++)
        weighted_error(rows, value + l * rows, weight, REAL(cvm) + l, REAL(cvsd) + l);
    SEXP out = error_list(cvm, cvsd);
    UNPROTECT(2);
    return out;
}
