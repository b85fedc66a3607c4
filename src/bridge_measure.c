/* bridge_measure.c: errors of held-out predictions for R. */
#include <limits.h>

#include "bridge.h"

static SEXP error_list(SEXP cvm, SEXP cvsd)
{
    const named values[] = {{"cvm", cvm}, {"cvsd", cvsd}};
    return named_list(COUNT(values), values);
}

/* loss: its name in measure.c; row: 1-based, one per held row; y: m x v; scores: held x (v c);
 * weights: one per held row; unit: 1-based labels without gaps, or NULL where every row is its own
 * unit. */
SEXP ffi_row_errors(SEXP loss, SEXP row, SEXP y, SEXP scores, SEXP weights, SEXP unit)
{
    const size_t held = (size_t) Rf_xlength(row), m = (size_t) Rf_nrows(y);
    const size_t v = (size_t) Rf_ncols(y);
    require(held > 0 && v > 0, "nothing is scored");
    const size_t c = (size_t) Rf_xlength(scores) / (held * v);
    const double *score = doubles(scores, held * v * c), *weight = doubles(weights, held);
    const double *target = doubles(y, m * v);
    row_loss *loss_of = loss_named(string(loss));
    require(loss_of != NULL, "no such loss");
    const int *rows = zero_based(row, m), *label = NULL;
    if (!Rf_isNull(unit)) {
        require((size_t) Rf_xlength(unit) == held, "the units do not fit the rows");
        label = zero_based(unit, held);
    }
    const scored_rows scored = {held, m, v, rows, target, weight, label};
    SEXP cvm = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) c));
    SEXP cvsd = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) c));
    row_errors(&scored, loss_of, score, c, REAL(cvm), REAL(cvsd), alloc);
    SEXP out = error_list(cvm, cvsd);
    UNPROTECT(2);
    return out;
}

/* Sums of weighted losses, units x c, and of weights; unit: 1-based, one per held row. */
SEXP ffi_loss_sums(SEXP loss, SEXP row, SEXP y, SEXP scores, SEXP weights, SEXP unit, SEXP units)
{
    const size_t held = (size_t) Rf_xlength(row), m = (size_t) Rf_nrows(y);
    const size_t v = (size_t) Rf_ncols(y), count = count_of(units, 1, INT_MAX);
    require(held > 0 && v > 0, "nothing is scored");
    require((size_t) Rf_xlength(unit) == held, "the units do not fit the rows");
    const size_t c = (size_t) Rf_xlength(scores) / (held * v);
    row_loss *loss_of = loss_named(string(loss));
    require(loss_of != NULL, "no such loss");
    const scored_rows scored = {held, m, v, zero_based(row, m), doubles(y, m * v),
                                doubles(weights, held), zero_based(unit, count)};
    SEXP sums = PROTECT(new_matrix(count, c));
    SEXP totals = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) count));
    loss_sums(&scored, loss_of, doubles(scores, held * v * c), c, count, REAL(sums), REAL(totals),
              alloc);
    const named values[] = {{"sum", sums}, {"weight", totals}};
    SEXP out = named_list(COUNT(values), values);
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
