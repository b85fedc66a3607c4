/* bridge_basis.c: choosing basis vectors, and factors of kernels of low rank, for R. `columns` is a
 * kernel of all rows: its values (m x m); a list of `kernel`, `rows` (m x p) and `centre` (p); or an
 * R function of row numbers that returns their kernel columns, m x length. */
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

static kernel_columns columns_from_sexp(SEXP columns, size_t m, SEXP threads)
{
    if (Rf_isFunction(columns)) {
        r_columns *source = alloc(1, sizeof(r_columns));
        source->function = columns;
        source->m = m;
        return (kernel_columns){call_columns, source};
    }
    known_columns *source = alloc(1, sizeof(known_columns));
    if (Rf_isReal(columns)) {
        *source = (known_columns){.m = m, .values = doubles(columns, m * m)};
        return (kernel_columns){fill_known_columns, source};
    }
    const point_set points = points_of(list_get(columns, "rows"));
    require(points.rows == m, "points that are not the rows");
    *source = new_point_columns(kernel_from_list(list_get(columns, "kernel")), points,
                                list_doubles(columns, "centre", points.p), thread_count(threads),
                                alloc);
    return (kernel_columns){fill_known_columns, source};
}

/* A list of `status`, an sr_status, and `rows`, 1-based in order of choice. */
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
SEXP ffi_rpcholesky(SEXP columns, SEXP self, SEXP most, SEXP threads)
{
    const size_t m = (size_t) Rf_xlength(self);
    const kernel_columns kernel = columns_from_sexp(columns, m, threads);
    partial_cholesky f = new_partial_cholesky(m, count_of(most, 1, m), alloc);
    const int status = rpcholesky(&kernel, &f, doubles(self, m), from_stream, alloc);
    return chosen_rows(status, &f);
}

/* The factor (m x rank) of a kernel with the given diagonal (m); NULL where it has more than `most`
 * columns. */
SEXP ffi_low_rank(SEXP columns, SEXP diagonal, SEXP most, SEXP threads)
{
    const size_t m = (size_t) Rf_xlength(diagonal);
    const kernel_columns kernel = columns_from_sexp(columns, m, threads);
    partial_cholesky f = new_partial_cholesky(m, count_of(most, 1, m), alloc);
    if (low_rank(&kernel, &f, doubles(diagonal, m), alloc) != SR_OK)
        return R_NilValue;
    SEXP out = PROTECT(new_matrix(m, f.rank));
    memcpy(REAL(out), f.factor, m * f.rank * sizeof(double));
    UNPROTECT(1);
    return out;
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
                      SEXP draws, SEXP threads)
{
    const greedy_data d = greedy_data_from_list(problem);
    const kernel_columns kernel = columns_from_sexp(columns, d.m, threads);
    const size_t n = (size_t) Rf_xlength(counts), left = (size_t) Rf_xlength(open);
    const basis_request request = {
        Rf_asReal(lambda),       Rf_asReal(jitter),     n,   integers(counts, n, 1, left),
        zero_based(draws, left), zero_based(open, d.m), left};
    check_draws(&request, (size_t) Rf_xlength(draws));
    partial_cholesky f = new_partial_cholesky(d.m, n, alloc);
    const int status = basis_greedy(&d, &request, &kernel, &f, alloc);
    return chosen_rows(status, &f);
}
