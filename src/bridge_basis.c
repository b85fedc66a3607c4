/* bridge_basis.c: choosing basis vectors, for R. Every entry point answers a list of `status`, an
 * sr_status, and `rows`, 1-based in order of choice. `columns` is an R function of row numbers that
 * returns their kernel columns, m x length. */
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

static partial_cholesky new_factorization(size_t m, size_t n)
{
    partial_cholesky f = {m, n, 0, alloc_doubles(m * n), alloc_ints(n)};
    return f;
}

static SEXP chosen_rows(int status, const partial_cholesky *f)
{
    SEXP rows = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) f->rank));
    for (size_t i = 0; i < f->rank; i++)
        INTEGER(rows)[i] = f->rows[i] + 1;
    const char *names[] = {"status", "rows"};
    SEXP values[] = {PROTECT(Rf_ScalarInteger(status)), rows};
    SEXP out = named_list(2, names, values);
    UNPROTECT(2);
    return out;
}

/* self: k(x, x), m; uniform: a number from (0, 1) for every basis vector wanted. */
SEXP ffi_rpcholesky(SEXP columns, SEXP self, SEXP uniform)
{
    const size_t m = (size_t) Rf_xlength(self), n = (size_t) Rf_xlength(uniform);
    r_columns source = {columns, m};
    const kernel_columns kernel = {call_columns, &source};
    partial_cholesky f = new_factorization(m, n);
    const int status =
        rpcholesky(&kernel, &f, doubles(self, m), doubles(uniform, n), alloc_doubles(m),
                   alloc_doubles(n));
    return chosen_rows(status, &f);
}

static greedy_basis new_selection(const greedy_data *d, size_t n, size_t q)
{
    greedy_basis s = {0};
    s.f = new_factorization(d->m, n);
    s.shrunk = alloc_doubles(d->m * n);
    s.chosen_pivot = alloc_doubles(n);
    s.candidate = alloc_ints(q);
    s.column = alloc_doubles(d->m * q);
    s.feature = alloc_doubles(d->m * q);
    s.gathered = alloc_doubles(n * q);
    s.product = alloc_doubles(q * d->v);
    s.self = alloc_doubles(q);
    s.left = alloc_doubles(q);
    s.pivot = alloc_doubles(q);
    s.score = alloc_doubles(q);
    return s;
}

/* Every step may close a row: its draws are among those that are certainly open. */
static void check_draws(const greedy_basis *s, size_t length)
{
    const int *draw = s->draws;
    require(total(s->counts, s->f.n) == length, "the draws do not fit their counts");
    for (size_t step = 0; step < s->f.n; step++)
        for (int j = 0; j < s->counts[step]; j++)
            require((size_t) *draw++ + step < s->open_count, "a draw is no open row");
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
    const int *count = integers(counts, n, 1, left);
    greedy_basis s = new_selection(&d, n, largest_of(count, n, 0));
    s.lambda = Rf_asReal(lambda);
    s.jitter = Rf_asReal(jitter);
    s.counts = count;
    s.draws = zero_based(draws, left);
    s.open = zero_based(open, d.m);
    s.open_count = left;
    check_draws(&s, (size_t) Rf_xlength(draws));
    const int status = greedy_basis_select(&d, &s, &kernel);
    return chosen_rows(status, &s.f);
}
