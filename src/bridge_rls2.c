/* bridge_rls2.c: RLS with two layers for R. */
#include <string.h>

#include "bridge.h"

/* ---- banks of kernels --------------------------------------------------------- */

/* A kernel by its values (m x m), or, where those are NULL, by points. */
static kernel_term plain_term(SEXP kernel, SEXP x, SEXP centre, SEXP values, size_t m)
{
    kernel_term term = {0};
    if (!Rf_isNull(values)) {
        term.matrix = doubles(values, m * m);
        return term;
    }
    const size_t p = (size_t) Rf_ncols(x);
    const point_set points = {doubles(x, m * p), m, m, p};
    term.kernel = kernel_from_list(kernel);
    term.points = points;
    term.centre = doubles(centre, p);
    return term;
}

static kernel_term term_from_list(SEXP list, size_t m)
{
    SEXP factor = list_get(list, "factor");
    if (Rf_isNull(factor))
        return plain_term(list_get(list, "kernel"), list_get(list, "x"), list_get(list, "centre"),
                          list_get(list, "matrix"), m);
    kernel_term term = {0};
    term.rank = (size_t) Rf_ncols(factor);
    term.factor = doubles(factor, m * term.rank);
    return term;
}

static kernel_term column_term(const double *column)
{
    kernel_term term = {0};
    term.rank = 1;
    term.factor = column;
    return term;
}

/* bank: a matrix (m x n), every column the factor of a linear kernel; or a list of terms. Training
 * rows are those of positive weight. */
static kernel_bank bank_from_sexp(SEXP bank, SEXP weights, int center)
{
    const int linear = Rf_isMatrix(bank) == TRUE;
    const size_t m = (size_t) Rf_xlength(weights);
    const size_t n = (size_t) (linear ? Rf_ncols(bank) : Rf_length(bank));
    const double *columns = linear ? doubles(bank, m * n) : NULL;
    require(linear || Rf_isNewList(bank), "not a bank of kernels");
    kernel_term *terms = alloc(n, sizeof(kernel_term));
    for (size_t i = 0; i < n; i++)
        terms[i] = linear ? column_term(columns + i * m)
                          : term_from_list(VECTOR_ELT(bank, (R_xlen_t) i), m);
    const kernel_bank b = new_bank(m, n, terms, doubles(weights, m), center, alloc);
    require(b.t > 0, "no row trains");
    return b;
}

/* ---- entry points: what kernels are -------------------------------------------- */

/* Traces of all kernels (n). */
SEXP ffi_bank_traces(SEXP bank, SEXP weights, SEXP center)
{
    kernel_bank b = bank_from_sexp(bank, weights, Rf_asLogical(center));
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) b.n));
    bank_traces(&b, REAL(out), alloc);
    UNPROTECT(1);
    return out;
}

/* The variances within both classes, y > 0 and y < 0, summed (n x v). */
SEXP ffi_bank_variances(SEXP bank, SEXP weights, SEXP y)
{
    kernel_bank b = bank_from_sexp(bank, weights, 0);
    const size_t v = (size_t) Rf_ncols(y);
    SEXP out = PROTECT(new_matrix(b.n, v));
    bank_variances(&b, v, doubles(y, b.m * v), REAL(out), alloc);
    UNPROTECT(1);
    return out;
}

/* ---- entry points: problems ------------------------------------------------------ */

static int prepare(rls2_data *data, SEXP bank, SEXP y, SEXP weights, SEXP intercept, SEXP center)
{
    const kernel_bank all = bank_from_sexp(bank, weights, Rf_asLogical(center));
    const size_t v = (size_t) Rf_ncols(y);
    return rls2_prepare(data, all, v, doubles(y, all.m * v), Rf_asLogical(intercept), alloc);
}

/* The smallest lambda from which on one kernel carries all the weight, for every output. */
SEXP ffi_rls2_top(SEXP bank, SEXP y, SEXP weights, SEXP intercept, SEXP center, SEXP scale)
{
    rls2_data data;
    int status = prepare(&data, bank, y, weights, intercept, center);
    SEXP top = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) data.v));
    if (status == SR_OK)
        status = rls2_top(&data, doubles(scale, data.all.n * data.v), REAL(top), alloc);
    const named values[] = {{"top", top}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(1);
    return out;
}

/* A new array of zeros of the given length, and its values. */
static SEXP zeros(size_t length, double **values)
{
    SEXP x = Rf_allocVector(REALSXP, (R_xlen_t) length);
    *values = REAL(x);
    memset(*values, 0, length * sizeof(double));
    return x;
}

/* scale: n x v; lambda: decreasing, Inf allowed. keep: answer d, and what predicts new rows: slopes
 * (of a matrix of features) or expansions over the rows (of a list of kernels). Arrays are n or
 * m x v x c; a0, objective, gap, df and iterations v x c. */
SEXP ffi_rls2_path(SEXP bank, SEXP y, SEXP weights, SEXP intercept, SEXP center, SEXP scale,
                   SEXP lambda, SEXP tolerance, SEXP alternate, SEXP keep)
{
    rls2_data data;
    int status = prepare(&data, bank, y, weights, intercept, center);
    const size_t c = (size_t) Rf_length(lambda), m = data.all.m, n = data.all.n, size = data.v * c;
    const rls2_request request = {doubles(scale, n * data.v), doubles(lambda, c), c,
                                  Rf_asReal(tolerance), Rf_asLogical(alternate)};
    const int all = Rf_asLogical(keep), linear = Rf_isMatrix(bank) == TRUE;
    rls2_paths to = {0};
    SEXP d = PROTECT(all ? zeros(n * size, &to.d) : R_NilValue);
    SEXP slope = PROTECT(all && linear ? zeros(n * size, &to.slope) : R_NilValue);
    SEXP alpha = PROTECT(all && !linear ? zeros(m * size, &to.alpha) : R_NilValue);
    SEXP fitted = PROTECT(zeros(m * size, &to.fitted));
    SEXP a0 = PROTECT(zeros(size, &to.a0)), objective = PROTECT(zeros(size, &to.objective));
    SEXP gap = PROTECT(zeros(size, &to.gap)), df = PROTECT(zeros(size, &to.df));
    SEXP iterations = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) size));
    to.iterations = INTEGER(iterations);
    memset(to.iterations, 0, size * sizeof(int));
    size_t reached = 0;
    if (status == SR_OK)
        status = rls2_follow(&data, &request, &to, &reached, alloc);
    const named values[] = {{"reached", PROTECT(Rf_ScalarInteger((int) reached))},
                            {"d", d},
                            {"slope", slope},
                            {"alpha", alpha},
                            {"fitted", fitted},
                            {"a0", a0},
                            {"objective", objective},
                            {"gap", gap},
                            {"df", df},
                            {"iterations", iterations}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(10);
    return out;
}
