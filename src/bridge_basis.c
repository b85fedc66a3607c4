/* bridge_basis.c: choosing basis vectors, for R. Every entry point answers a list of `status`, an
 * sr_status, and `rows`, 1-based in order of choice. `columns` is an R function of row numbers that
 * returns their kernel columns, m x length. */
#include <R_ext/Random.h>
#include <string.h>

#include "bridge.h"

typedef struct {
    SEXP function;
    size_t m;
} r_columns;

static void call_columns(void *context, const int *rows, size_t count, double *out)
{
    const r_columns *source = context;
    SEXP numbers = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) count));
    for (size_t j = 0; j < count; j++)
        INTEGER(numbers)[j] = rows[j] + 1;
    SEXP call = PROTECT(Rf_lang2(source->function, numbers));
    SEXP values = PROTECT(Rf_eval(call, R_GlobalEnv));
    if (!Rf_isReal(values) || (size_t) Rf_xlength(values) != source->m * count)
        Rf_error("internal error: not the kernel columns that were asked for");
    memcpy(out, REAL(values), source->m * count * sizeof(double));
    UNPROTECT(3);
}

static SEXP chosen_rows(int status, const partial_cholesky *f)
{
    SEXP rows = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) f->rank));
    for (size_t i = 0; i < f->rank; i++)
        INTEGER(rows)[i] = f->rows[i] + 1;
    const named values[] = {{"rows", rows}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(1);
    return out;
}

/* The user's stream: it is put back after each block, as the kernel columns may be R's. */
static void from_stream(size_t count, double *out)
{
    GetRNGstate();
    for (size_t i = 0; i < count; i++)
        out[i] = unif_rand();
    PutRNGstate();
}

/* self: k(x, x), m; most: how many rows are wanted. */
SEXP ffi_rpcholesky(SEXP columns, SEXP self, SEXP most)
{
    const size_t m = (size_t) Rf_xlength(self);
    r_columns source = {columns, m};
    const kernel_columns kernel = {call_columns, &source};
    partial_cholesky f = new_partial_cholesky(m, count_of(most, 1, m), alloc);
    const int status = rpcholesky(&kernel, &f, doubles(self, m), from_stream, alloc);
    return chosen_rows(status, &f);
}

/* Every step may close a row: its draws are among those that are certainly open. */
static void check_draws(const basis_request *r, size_t length)
{
    const int *draw = r->draws;
    require(total(r->counts, r->steps) == length, "the draws do not fit their counts");
    for (size_t step = 0; step < r->steps; step++)
        for (int j = 0; j < r->counts[step]; j++)
            require((size_t) *draw++ + step < r->open_count, "a draw is no open row");
}

/* problem: as for greedy_data_from_list, x without columns; open: the rows that may be chosen;
 * counts: candidates of every step; draws: their positions among the open rows. */
SEXP ffi_greedy_basis(SEXP columns, SEXP problem, SEXP lambda, SEXP jitter, SEXP open, SEXP counts,
                      SEXP draws)
{
    const greedy_data d = greedy_data_from_list(problem);
    r_columns source = {columns, d.m};
    const kernel_columns kernel = {call_columns, &source};
    const size_t n = (size_t) Rf_xlength(counts), left = (size_t) Rf_xlength(open);
    const basis_request request = {
        Rf_asReal(lambda),       Rf_asReal(jitter),     n,   integers(counts, n, 1, left),
        zero_based(draws, left), zero_based(open, d.m), left};
    check_draws(&request, (size_t) Rf_xlength(draws));
    partial_cholesky f = new_partial_cholesky(d.m, n, alloc);
    const int status = basis_greedy(&d, &request, &kernel, &f, alloc);
    return chosen_rows(status, &f);
}
