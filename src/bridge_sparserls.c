/* bridge_sparserls.c: training and hold-out for R. Every entry point answers a
 * list whose `status` is an sr_status; R raises the conditions. */
#include <string.h>

#include "bridge.h"

static SEXP doubles(size_t rows, size_t columns)
{
    return Rf_allocMatrix(REALSXP, (int) rows, (int) columns);
}

/* The ridge problem that ffi_train returned. */
static ridge ridge_from_list(SEXP train)
{
    SEXP z = list_get(train, "z"), y = list_get(train, "y");
    ridge r;
    r.m = (size_t) Rf_ncols(z);
    r.n = (size_t) Rf_nrows(z);
    r.v = (size_t) Rf_ncols(y);
    r.z = REAL(z);
    r.y = REAL(y);
    r.weights = list_doubles(train, "weights");
    r.sum_weights = Rf_asReal(list_get(train, "sum_weights"));
    r.unit_weights = Rf_asLogical(list_get(train, "unit_weights"));
    r.intercept = Rf_asLogical(list_get(train, "intercept"));
    r.map = list_doubles(train, "map");
    r.gram = list_doubles(train, "gram");
    r.values = list_doubles(list_get(train, "spectrum"), "values");
    r.score = list_doubles(train, "score");
    r.z_mean = list_doubles(train, "z_mean");
    r.y_mean = list_doubles(train, "y_mean");
    return r;
}

static spectrum spectrum_from_list(SEXP list)
{
    spectrum s;
    s.n = (size_t) Rf_length(list_get(list, "values"));
    s.vectors = NULL;
    s.values = list_doubles(list, "values");
    s.map = list_doubles(list, "map");
    s.score = list_doubles(list, "score");
    s.z_mean = list_doubles(list, "z_mean");
    return s;
}

/* Linearly independent basis vectors of K_BB by pivoted Cholesky, 1-based in
 * ascending order. */
SEXP ffi_independent(SEXP k_bb, SEXP tolerance)
{
    const size_t n = (size_t) Rf_nrows(k_bb);
    double *copy = alloc_doubles(n * n), *work = alloc_doubles(2 * n);
    int *pivot = alloc_ints(n);
    size_t rank = 0;
    memcpy(copy, REAL(k_bb), n * n * sizeof(double));
    const int status = pivoted_cholesky(n, copy, Rf_asReal(tolerance), pivot, &rank, work);
    if (status != SR_OK)
        rank = 0;
    R_isort(pivot, (int) rank);
    SEXP kept = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) rank));
    for (size_t i = 0; i < rank; i++)
        INTEGER(kept)[i] = pivot[i] + 1;
    const char *names[] = {"status", "kept"};
    SEXP values[] = {PROTECT(Rf_ScalarInteger(status)), kept};
    SEXP out = named_list(2, names, values);
    UNPROTECT(2);
    return out;
}

/* source: the n x m kernel, or a list of kernel, basis (n x p), rows (m x p) and
 * centre (p). */
static kernel_source source_from_sexp(SEXP source, kernel_spec *spec, size_t m, const int *basis,
                                      int threads)
{
    kernel_source s = {0};
    s.basis_rows = basis;
    s.threads = threads;
    if (Rf_isReal(source)) {
        s.columns = REAL(source);
        return s;
    }
    *spec = kernel_from_list(list_get(source, "kernel"));
    SEXP a = list_get(source, "basis"), b = list_get(source, "rows");
    const size_t p = (size_t) Rf_ncols(a), n = (size_t) Rf_nrows(a);
    point_set basis_points = {REAL(a), n, n, p}, row_points = {REAL(b), m, m, p};
    s.kernel = spec;
    s.basis = basis_points;
    s.rows = row_points;
    s.centre = list_doubles(source, "centre");
    row_points.rows = ROW_BLOCK;
    s.work = alloc_doubles(kernel_work(spec, basis_points, row_points));
    return s;
}

static int all_one(const double *x, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (x[i] != 1)
            return 0;
    return 1;
}

static double sum(const double *x, size_t length)
{
    double total = 0;
    for (size_t i = 0; i < length; i++)
        total += x[i];
    return total;
}

/* Trains and decomposes. y: m x v. With rotate z, map, score and z_mean come in
 * the coordinates of the eigenvectors, and gram and vectors are NULL. */
SEXP ffi_train(SEXP source, SEXP k_bb, SEXP basis, SEXP y, SEXP weights, SEXP intercept,
               SEXP rotate, SEXP threads)
{
    const size_t n = (size_t) Rf_nrows(k_bb), m = (size_t) Rf_nrows(y), v = (size_t) Rf_ncols(y);
    kernel_spec spec;
    const kernel_source from =
        source_from_sexp(source, &spec, m, zero_based(basis), Rf_asInteger(threads));

    enum {
        STATUS,
        Z,
        Y,
        WEIGHTS,
        SUM_WEIGHTS,
        UNIT_WEIGHTS,
        INTERCEPT,
        MAP,
        GRAM,
        SCORE,
        Z_MEAN,
        Y_MEAN,
        VECTORS,
        SPECTRUM,
        FIELDS
    };
    const char *names[FIELDS] = {"status",       "z",         "y",       "weights", "sum_weights",
                                 "unit_weights", "intercept", "map",     "gram",    "score",
                                 "z_mean",       "y_mean",    "vectors", "spectrum"};
    const char *spectrum_names[] = {"values", "map", "score", "z_mean"};
    SEXP x[FIELDS];
    x[Z] = PROTECT(doubles(n, m));
    x[Y] = PROTECT(Rf_duplicate(y));
    x[WEIGHTS] = weights;
    x[SUM_WEIGHTS] = PROTECT(Rf_ScalarReal(sum(REAL(weights), m)));
    x[UNIT_WEIGHTS] = PROTECT(Rf_ScalarLogical(all_one(REAL(weights), m)));
    x[INTERCEPT] = intercept;
    x[MAP] = PROTECT(doubles(n, n));
    x[GRAM] = PROTECT(doubles(n, n));
    x[SCORE] = PROTECT(doubles(n, v));
    x[Z_MEAN] = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) n));
    x[Y_MEAN] = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) v));
    x[VECTORS] = PROTECT(doubles(n, n));
    SEXP spectral[] = {PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) n)), PROTECT(doubles(n, n)),
                       PROTECT(doubles(n, v)), PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) n))};
    x[SPECTRUM] = PROTECT(named_list(4, spectrum_names, spectral));

    ridge r = {m,
               n,
               v,
               REAL(x[Z]),
               REAL(x[Y]),
               REAL(weights),
               Rf_asReal(x[SUM_WEIGHTS]),
               Rf_asLogical(x[UNIT_WEIGHTS]),
               Rf_asLogical(intercept),
               REAL(x[MAP]),
               REAL(x[GRAM]),
               REAL(spectral[0]),
               REAL(x[SCORE]),
               REAL(x[Z_MEAN]),
               REAL(x[Y_MEAN])};
    spectrum s = {n,
                  REAL(x[VECTORS]),
                  REAL(spectral[0]),
                  REAL(spectral[1]),
                  REAL(spectral[2]),
                  REAL(spectral[3])};
    train_work work = {alloc_doubles(n * n), alloc_doubles(n * (v + 1)), alloc_doubles(v),
                       alloc_doubles(row_sums_work(n, v))};
    int status = ridge_train(&r, &from, REAL(k_bb), &work);
    if (status == SR_OK)
        status = ridge_spectrum(&r, work.cholesky, &s, alloc_doubles(eigen_work(n)),
                                alloc_ints(eigen_iwork(n)));
    if (status == SR_OK && Rf_asLogical(rotate)) {
        rotate_z(&r, s.vectors, work.rows);
        x[MAP] = spectral[1];
        x[SCORE] = spectral[2];
        x[Z_MEAN] = spectral[3];
        x[GRAM] = x[VECTORS] = R_NilValue;
    }
    x[STATUS] = PROTECT(Rf_ScalarInteger(status));
    SEXP out = named_list(FIELDS, names, x);
    UNPROTECT(16);
    return out;
}

/* Coefficients of the basis vectors (n x (v c)), intercepts (v c) and degrees of
 * freedom (c) for every lambda. */
SEXP ffi_coefficients(SEXP spectral, SEXP y_mean, SEXP lambda)
{
    const spectrum s = spectrum_from_list(spectral);
    const size_t n = s.n, v = (size_t) Rf_length(y_mean), c = (size_t) Rf_length(lambda);
    double *d = alloc_doubles(n * c), *b = alloc_doubles(n * v * c);
    spectral_weights(&s, v, REAL(lambda), c, d, b);
    SEXP alpha = PROTECT(doubles(n, v * c)), a0 = PROTECT(doubles(v, c));
    SEXP df = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) c));
    gemm('T', 'N', n, v * c, n, 1, s.map, n, b, n, 0, REAL(alpha), n);
    gemm('T', 'N', 1, v * c, n, -1, s.z_mean, n, b, n, 0, REAL(a0), 1);
    for (size_t k = 0; k < v * c; k++)
        REAL(a0)[k] += REAL(y_mean)[k % v];
    gemm('T', 'N', 1, c, n, 1, s.values, n, d, n, 0, REAL(df), 1);
    const char *names[] = {"alpha", "a0", "df"};
    SEXP values[] = {alpha, a0, df};
    SEXP out = named_list(3, names, values);
    UNPROTECT(3);
    return out;
}

/* Fitted values, m x (v c), and weighted sums of squared residuals, c. */
SEXP ffi_fitted(SEXP train, SEXP lambda)
{
    const ridge r = ridge_from_list(train);
    const spectrum s = spectrum_from_list(list_get(train, "spectrum"));
    const size_t m = r.m, n = r.n, v = r.v, c = (size_t) Rf_length(lambda);
    double *d = alloc_doubles(n * c), *b = alloc_doubles(n * v * c), *vectors = NULL;
    spectral_weights(&s, v, REAL(lambda), c, d, b);
    if ((vectors = list_doubles(train, "vectors"))) {
        double *turned = alloc_doubles(n * v * c);
        gemm('N', 'N', n, v * c, n, 1, vectors, n, b, n, 0, turned, n);
        b = turned;
    }
    SEXP fitted = PROTECT(doubles(m, v * c));
    for (size_t k = 0; k < v * c; k++)
        for (size_t i = 0; i < m; i++)
            REAL(fitted)[i + k * m] = r.y_mean[k % v];
    gemm('T', 'N', m, v * c, n, 1, r.z, n, b, n, 1, REAL(fitted), m);
    SEXP rss = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) c));
    for (size_t l = 0; l < c; l++)
        REAL(rss)[l] = residual_squares(&r, REAL(fitted) + l * v * m);
    const char *names[] = {"fitted", "rss"};
    SEXP values[] = {fitted, rss};
    SEXP out = named_list(2, names, values);
    UNPROTECT(2);
    return out;
}

SEXP ffi_plan_forms(SEXP m, SEXP n, SEXP v, SEXP c, SEXP h, SEXP e)
{
    SEXP form = PROTECT(Rf_allocVector(INTSXP, Rf_xlength(h)));
    plan_forms((size_t) Rf_asInteger(m), (size_t) Rf_asInteger(n), (size_t) Rf_asInteger(v),
               (size_t) Rf_asInteger(c), (size_t) Rf_xlength(h), INTEGER(h), INTEGER(e),
               INTEGER(form));
    UNPROTECT(1);
    return form;
}

static size_t largest(const int *x, size_t length, size_t least)
{
    for (size_t i = 0; i < length; i++)
        if ((size_t) x[i] > least)
            least = (size_t) x[i];
    return least;
}

static update_work *alloc_update(const ridge *r, const spectrum *s, const double *lambda, size_t c,
                                 size_t q)
{
    const size_t n = r->n, v = r->v, columns = q > UPDATE_COLUMNS ? q : UPDATE_COLUMNS;
    update_work *w = (update_work *) R_alloc(1, sizeof(update_work));
    w->points = alloc_doubles(n * columns);
    w->products = alloc_doubles(n * columns);
    w->roots = alloc_doubles(n);
    w->root_weights = alloc_doubles(q);
    w->inner = alloc_doubles(c * UPDATE_COLUMNS);
    w->fitted = alloc_doubles(columns * v * c);
    w->block = alloc_doubles(q * q);
    w->system = alloc_doubles(q * q);
    w->rhs = alloc_doubles(q * v);
    w->solution = alloc_doubles(q * v);
    w->d = alloc_doubles(n * c);
    w->b = alloc_doubles(n * v * c);
    spectral_weights(s, v, lambda, c, w->d, w->b);
    return w;
}

static row_sums alloc_sums(size_t n, size_t v)
{
    row_sums sums = {alloc_doubles(n * n), alloc_doubles(n * (v + 1)), alloc_doubles(v), 0};
    return sums;
}

static retrain_work *alloc_retrain(const ridge *r, size_t c, size_t e)
{
    const size_t n = r->n, v = r->v;
    retrain_work *w = (retrain_work *) R_alloc(1, sizeof(retrain_work));
    w->sums = alloc_sums(n, v);
    w->held = alloc_sums(n, v);
    w->buffer = alloc_doubles(row_sums_work(n, v));
    w->reflect = alloc_doubles(n * e);
    w->tau = alloc_doubles(e);
    w->solution = alloc_doubles(n * v * c);
    w->vectors = alloc_doubles(5 * n);
    w->offset = alloc_doubles(v * c);
    w->rows = alloc_ints(r->m);
    w->lapack_size = qr_work(n, n > v * c ? n : v * c);
    w->lapack = alloc_doubles(w->lapack_size);
    return w;
}

/* rows and basis: the 1-based held-out rows and removed basis vectors of all folds
 * one after the other; h, e and form: one value per fold. */
SEXP ffi_leave_folds_out(SEXP train, SEXP lambda, SEXP rows, SEXP h, SEXP basis, SEXP e, SEXP form)
{
    const ridge r = ridge_from_list(train);
    const spectrum s = spectrum_from_list(list_get(train, "spectrum"));
    const size_t count = (size_t) Rf_xlength(h), c = (size_t) Rf_length(lambda);
    const size_t total = (size_t) Rf_xlength(rows);
    const int *row = zero_based(rows), *removed = zero_based(basis);
    SEXP prediction = PROTECT(doubles(total, r.v * c));
    fold *folds = (fold *) R_alloc(count, sizeof(fold));
    size_t q = 0, at = 0, at_basis = 0, updates = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t hi = (size_t) INTEGER(h)[i], ei = (size_t) INTEGER(e)[i];
        fold f = {row + at, hi, removed + at_basis, ei, REAL(prediction) + at};
        folds[i] = f;
        at += hi;
        at_basis += ei;
        if (INTEGER(form)[i] == FORM_UPDATE) {
            updates++;
            q = hi + ei > q ? hi + ei : q;
        }
    }
    update_work *update = updates ? alloc_update(&r, &s, REAL(lambda), c, q) : NULL;
    retrain_work *retrain = alloc_retrain(&r, c, largest(INTEGER(e), count, 0));
    size_t failed = 0;
    const int status = leave_folds_out(&r, folds, count, INTEGER(form), REAL(lambda), c, total,
                                       alloc_ints(count), update, retrain, &failed);
    const char *names[] = {"status", "fold", "prediction"};
    SEXP values[] = {PROTECT(Rf_ScalarInteger(status)), PROTECT(Rf_ScalarInteger((int) failed + 1)),
                     prediction};
    SEXP out = named_list(3, names, values);
    UNPROTECT(3);
    return out;
}
