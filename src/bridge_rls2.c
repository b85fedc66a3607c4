/* bridge_rls2.c: RLS with two layers for R. */
#include <string.h>

#include "bridge.h"
#include "layers.h"

/* ---- banks of kernels --------------------------------------------------------- */

static kernel_term term_from_list(SEXP list, size_t m)
{
    kernel_term term = {0};
    SEXP factor = list_get(list, "factor");
    if (!Rf_isNull(factor)) {
        term.rank = (size_t) Rf_ncols(factor);
        term.factor = doubles(factor, m * term.rank);
    }
    term.matrix = list_doubles_or_null(list, "matrix", m * m);
    if (term.factor || term.matrix)
        return term;
    SEXP x = list_get(list, "x");
    term.kernel = kernel_from_list(list_get(list, "kernel"));
    const size_t p = (size_t) Rf_ncols(x);
    point_set points = {doubles(x, m * p), m, m, p};
    term.points = points;
    term.centre = list_doubles(list, "centre", p);
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
static kernel_bank new_bank(SEXP bank, SEXP weights, SEXP center)
{
    const int linear = Rf_isMatrix(bank);
    kernel_bank b = {0};
    b.m = (size_t) Rf_xlength(weights);
    b.n = (size_t) (linear ? Rf_ncols(bank) : Rf_length(bank));
    kernel_term *terms = (kernel_term *) R_alloc(b.n, sizeof(kernel_term));
    const double *columns = linear ? doubles(bank, b.m * b.n) : NULL;
    require(linear || Rf_isNewList(bank), "not a bank of kernels");
    for (size_t i = 0; i < b.n; i++) {
        terms[i] = linear ? column_term(columns + i * b.m)
                          : term_from_list(VECTOR_ELT(bank, (R_xlen_t) i), b.m);
    }
    b.terms = terms;
    bank_train(&b, doubles(weights, b.m), alloc_ints(b.m), alloc_doubles(b.m));
    require(b.t > 0, "no row trains");
    b.center = Rf_asLogical(center);
    b.image = alloc_doubles(b.m);
    b.block = alloc_doubles(bank_block(&b));
    return b;
}

/* ---- entry points: what kernels are -------------------------------------------- */

/* A kernel as kernel_columns: computed from points, or read from its values. */
typedef struct {
    kernel_spec kernel;
    point_set points;
    const double *centre;
    double *work;
    const double *values; /* m x m, or NULL */
} term_source;

static void fill_columns(void *context, const int *rows, size_t count, double *out)
{
    const term_source *source = context;
    const size_t m = source->points.rows;
    for (size_t j = 0; j < count; j++) {
        if (source->values) {
            memcpy(out + j * m, source->values + (size_t) rows[j] * m, m * sizeof(double));
            continue;
        }
        const point_set pivot = {source->points.x + rows[j], 1, m, source->points.p};
        kernel_block(&source->kernel, source->points, pivot, source->centre, out + j * m, m,
                     source->work, 1);
    }
}

static term_source source_of(SEXP kernel, SEXP x, SEXP centre, SEXP values, size_t m)
{
    term_source source = {0};
    source.points.rows = m;
    if (!Rf_isNull(values)) {
        source.values = doubles(values, m * m);
        return source;
    }
    source.kernel = kernel_from_list(kernel);
    const size_t p = (size_t) Rf_ncols(x);
    const point_set points = {doubles(x, m * p), m, m, p};
    source.points = points;
    source.centre = doubles(centre, p);
    point_set pivot = points;
    pivot.rows = 1;
    source.work = alloc_doubles(kernel_work(&source.kernel, points, pivot));
    return source;
}

/* The factor (m x rank) of a kernel with the given diagonal (m), from its values (m x m) or, where
 * those are NULL, from points; NULL where it has more than `most` columns. */
SEXP ffi_low_rank(SEXP kernel, SEXP x, SEXP centre, SEXP values, SEXP diagonal, SEXP most)
{
    const size_t m = (size_t) Rf_xlength(diagonal), limit = count_of(most, 1, m);
    term_source source = source_of(kernel, x, centre, values, m);
    const kernel_columns columns = {fill_columns, &source};
    partial_cholesky f = {m, limit, 0, alloc_doubles(m * limit), alloc_ints(limit)};
    if (low_rank(&columns, &f, doubles(diagonal, m), alloc_doubles(m), alloc_doubles(limit)) !=
        SR_OK)
        return R_NilValue;
    SEXP out = PROTECT(new_matrix(m, f.rank));
    memcpy(REAL(out), f.factor, m * f.rank * sizeof(double));
    UNPROTECT(1);
    return out;
}

/* Traces of all kernels (n). */
SEXP ffi_bank_traces(SEXP bank, SEXP weights, SEXP center)
{
    const kernel_bank b = new_bank(bank, weights, center);
    double *spread = alloc_doubles(b.m);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) b.n));
    for (size_t i = 0; i < b.n; i++)
        REAL(out)[i] = bank_trace(&b, i, spread);
    UNPROTECT(1);
    return out;
}

/* The variances within both classes, y > 0 and y < 0, summed (n x v). */
SEXP ffi_bank_variances(SEXP bank, SEXP weights, SEXP y)
{
    const kernel_bank b = new_bank(bank, weights, PROTECT(Rf_ScalarLogical(0)));
    const size_t v = (size_t) Rf_ncols(y);
    const double *target = doubles(y, b.m * v);
    double *spread = alloc_doubles(b.m);
    SEXP out = PROTECT(new_matrix(b.n, v));
    double *to = REAL(out);
    for (size_t l = 0; l < v; l++)
        for (size_t i = 0; i < b.n; i++)
            *to++ = bank_variance(&b, i, target + l * b.m, 1, spread) +
                    bank_variance(&b, i, target + l * b.m, -1, spread);
    UNPROTECT(2);
    return out;
}

/* ---- problems ------------------------------------------------------------------- */

static void set_near(layers_problem *p, size_t k, kernel_term *terms)
{
    p->near.m = p->near.t = k;
    p->near.terms = terms;
    int *rows = alloc_ints(k);
    double *root = alloc_doubles(k), *ones = alloc_doubles(k);
    for (size_t j = 0; j < k; j++)
        ones[j] = 1;
    bank_train(&p->near, ones, rows, root);
    p->near.center = 0;
}

static int new_problem(layers_problem *p, SEXP bank, SEXP y, SEXP weights, SEXP intercept,
                       SEXP center)
{
    p->all = p->near = new_bank(bank, weights, center);
    p->v = (size_t) Rf_ncols(y);
    const double *target = doubles(y, p->all.m * p->v);
    p->response = p->y = alloc_doubles(p->all.t * p->v);
    p->mean = alloc_doubles(p->v);
    p->rest = alloc_doubles(p->v);
    p->full = alloc_doubles(p->all.t);
    memset(p->rest, 0, p->v * sizeof(double));
    bank_response(&p->all, p->v, target, Rf_asLogical(intercept), p->mean, p->y);
    const size_t k = reduced_rows(&p->all), t = p->all.t;
    if (k == 0)
        return SR_OK;
    p->y = alloc_doubles(t * p->v);
    memcpy(p->y, p->response, t * p->v * sizeof(double));
    kernel_term *terms = (kernel_term *) R_alloc(p->all.n, sizeof(kernel_term));
    const size_t lapack = qr_work(t, k > p->v ? k : p->v);
    const int status = reduce_bank(&p->all, k, p->v, alloc_doubles(t * k), p->y, p->rest, terms,
                                   alloc_doubles(k), alloc_doubles(lapack), lapack);
    set_near(p, k, terms);
    return status;
}

static layers new_layers(const layers_problem *p)
{
    const kernel_bank *b = &p->near;
    layers s = {0};
    const size_t t = b->t, n = b->n;
    s.bank = b;
    s.most = n < t + 32 ? n : t + 32;
    s.trace = alloc_doubles(n);
    s.bound = alloc_doubles(n);
    s.c = alloc_doubles(t);
    s.f = alloc_doubles(t * t);
    s.factor = alloc_doubles(t * t);
    s.reduced = alloc_doubles((t / 4 + 1) * s.most);
    s.member = alloc_ints(s.most);
    s.inside = alloc_ints(n);
    s.weight = alloc_doubles(s.most);
    s.v = alloc_doubles(t * s.most);
    s.g = alloc_doubles(s.most);
    s.solved = alloc_doubles(t * s.most);
    s.h = alloc_doubles(s.most * s.most);
    s.root = alloc_doubles(n);
    s.reference = alloc_doubles(t);
    s.spread = alloc_doubles(b->m);
    s.target = alloc_doubles(s.most);
    s.start = alloc_doubles(s.most);
    s.linear = alloc_doubles(s.most);
    s.free = alloc_ints(s.most);
    s.simplex = alloc_doubles(simplex_work(s.most));
    layers_traces(&s);
    return s;
}

/* Output l becomes the one that is worked on, at the beginning of its path. */
static void set_output(layers *s, const layers_problem *p, size_t l, SEXP scale)
{
    s->scale = doubles(scale, p->near.n * p->v) + l * p->near.n;
    s->y = p->y + l * p->all.t;
    s->rest = p->rest[l];
    layers_start(s);
}

/* The smallest lambda from which on one kernel carries all the weight, for every output. */
SEXP ffi_rls2_top(SEXP bank, SEXP y, SEXP weights, SEXP intercept, SEXP center, SEXP scale)
{
    layers_problem p;
    int status = new_problem(&p, bank, y, weights, intercept, center);
    SEXP top = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) p.v));
    if (status == SR_OK) {
        layers s = new_layers(&p);
        for (size_t l = 0; l < p.v && status == SR_OK; l++) {
            set_output(&s, &p, l, scale);
            status = layers_top(&s, REAL(top) + l);
        }
    }
    const char *names[] = {"status", "top"};
    SEXP values[] = {PROTECT(Rf_ScalarInteger(status)), top};
    SEXP out = named_list(2, names, values);
    UNPROTECT(2);
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
    layers_problem p;
    int status = new_problem(&p, bank, y, weights, intercept, center);
    const size_t c = (size_t) Rf_length(lambda), m = p.all.m, n = p.all.n, size = p.v * c;
    const int all = Rf_asLogical(keep), linear = Rf_isMatrix(bank);
    layers_path to = {0};
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
    if (status == SR_OK) {
        layers s = new_layers(&p);
        double *images = Rf_asLogical(alternate) ? alloc_doubles(p.near.t * n) : NULL;
        for (size_t l = 0; l < p.v && status == SR_OK; l++) {
            set_output(&s, &p, l, scale);
            status = layers_follow(&s, &p, l, REAL(lambda), c, Rf_asReal(tolerance), images, &to,
                                   &reached);
        }
    }
    const char *names[] = {"status", "reached",   "d",   "slope", "alpha",     "fitted",
                           "a0",     "objective", "gap", "df",    "iterations"};
    SEXP values[] = {PROTECT(Rf_ScalarInteger(status)),
                     PROTECT(Rf_ScalarInteger((int) reached)),
                     d,
                     slope,
                     alpha,
                     fitted,
                     a0,
                     objective,
                     gap,
                     df,
                     iterations};
    SEXP out = named_list(11, names, values);
    UNPROTECT(11);
    return out;
}
