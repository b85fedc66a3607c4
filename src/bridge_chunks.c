/* bridge_chunks.c: sums over chunks of rows, and models from them, for R. A table of sums is a list
 * of gram (n x n x folds), zy (n x (v + 1) x folds), wy and yy (v x folds) and w (folds). */
#include <limits.h>
#include <string.h>

#include "bridge.h"
#include "row_hash.h"

static fold_table table_from_list(SEXP list, size_t n, size_t v)
{
    const size_t count = (size_t) Rf_xlength(list_get(list, "w"));
    fold_table table = {count,
                        n,
                        v,
                        list_doubles(list, "gram", n * n * count),
                        list_doubles(list, "zy", n * (v + 1) * count),
                        list_doubles(list, "wy", v * count),
                        list_doubles(list, "w", count),
                        list_doubles(list, "yy", v * count)};
    return table;
}

static SEXP zeros(size_t length)
{
    SEXP x = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) length));
    if (length > 0)
        memset(REAL(x), 0, length * sizeof(double));
    UNPROTECT(1);
    return x;
}

static SEXP new_table(size_t n, size_t v, size_t count)
{
    const named values[] = {{"gram", PROTECT(zeros(n * n * count))},
                            {"zy", PROTECT(zeros(n * (v + 1) * count))},
                            {"wy", PROTECT(zeros(v * count))},
                            {"w", PROTECT(zeros(count))},
                            {"yy", PROTECT(zeros(v * count))}};
    SEXP table = named_list(COUNT(values), values);
    UNPROTECT(5);
    return table;
}

chunk_coordinates coordinates_from_list(SEXP list, kernel_source *source, kernel_spec *spec,
                                        size_t rows, SEXP threads)
{
    SEXP cholesky = list_get(list, "cholesky"), centre = list_get(list, "centre");
    const size_t n = (size_t) Rf_xlength(centre);
    *source =
        source_from_sexp(list_get(list, "source"), spec, rows, n, NULL, thread_count(threads));
    const chunk_coordinates at = {source, Rf_isNull(cholesky) ? NULL : doubles(cholesky, n * n),
                                  doubles(centre, n), n};
    return at;
}

/* size: rows of each fold, which they are in the order of. */
SEXP ffi_chunk_sums(SEXP coordinates, SEXP size, SEXP y, SEXP weights, SEXP y_centre, SEXP threads)
{
    const size_t rows = (size_t) Rf_nrows(y), v = (size_t) Rf_ncols(y);
    const size_t count = (size_t) Rf_xlength(size);
    kernel_spec spec;
    kernel_source source;
    const chunk_coordinates at = coordinates_from_list(coordinates, &source, &spec, rows, threads);
    const int *sizes = integers(size, count, 0, rows);
    require(total(sizes, count) == rows, "the folds do not fit the rows");
    SEXP table = PROTECT(new_table(at.n, v, count));
    fold_table to = table_from_list(table, at.n, v);
    const int status = chunk_sums(&at, sizes, rows, doubles(y, rows * v), doubles(weights, rows),
                                  doubles(y_centre, v), &to, alloc);
    const named values[] = {{"table", table}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(1);
    return out;
}

/* b: n x (columns folds); offset: columns x folds. */
SEXP ffi_chunk_scores(SEXP coordinates, SEXP size, SEXP b, SEXP offset, SEXP threads)
{
    const size_t count = (size_t) Rf_xlength(size), columns = (size_t) Rf_nrows(offset);
    const int *sizes = integers(size, count, 0, INT_MAX);
    const size_t rows = total(sizes, count);
    kernel_spec spec;
    kernel_source source;
    const chunk_coordinates at = coordinates_from_list(coordinates, &source, &spec, rows, threads);
    SEXP scores = PROTECT(new_matrix(rows, columns));
    const int status =
        chunk_scores(&at, sizes, count, rows, columns, doubles(b, at.n * columns * count),
                     doubles(offset, columns * count), REAL(scores), alloc);
    const named values[] = {{"scores", scores}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(1);
    return out;
}

/* z, n x rows. */
SEXP ffi_chunk_z(SEXP coordinates, SEXP rows, SEXP threads)
{
    const size_t count = count_of(rows, 0, INT_MAX);
    kernel_spec spec;
    kernel_source source;
    const chunk_coordinates at = coordinates_from_list(coordinates, &source, &spec, count, threads);
    SEXP z = PROTECT(new_matrix(at.n, count));
    const int status = chunk_z(&at, count, REAL(z), alloc);
    const named values[] = {{"z", z}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(1);
    return out;
}

/* A training list (bridge_train.c) whose rows are the members of the basis, z (n x members) and y
 * less the centres, and whose sums are those of all rows; beside its fields `squares` (v), the sums
 * of w y^2 about the mean, and zero without an intercept about zero. */
SEXP ffi_train_sums(SEXP z, SEXP y, SEXP weights, SEXP table, SEXP cholesky, SEXP z_centre,
                    SEXP y_centre, SEXP intercept)
{
    const size_t n = (size_t) Rf_nrows(z), members = (size_t) Rf_ncols(z);
    const size_t v = (size_t) Rf_ncols(y);
    const double *zc = doubles(z_centre, n), *yc = doubles(y_centre, v);
    const fold_table sums = table_from_list(table, n, v);
    SEXP train = PROTECT(new_training(n, n, y, weights, intercept, 0));
    ridge r = ridge_from_list(train);
    memcpy(r.z, doubles(z, n * members), n * members * sizeof(double));
    SEXP squares = PROTECT(zeros(v));
    row_sums all = new_row_sums(n, v, 1, alloc);
    sum_table(&r, &sums, &all, REAL(squares), alloc);
    centre_training(&r, &all, zc, yc, REAL(squares));
    spectrum s = spectrum_from_list(list_get(train, "spectrum"), v);
    s.vectors = list_doubles(train, "vectors", n * n);
    const double *factor = Rf_isNull(cholesky) ? NULL : doubles(cholesky, n * n);
    map_training(&r, factor);
    const int status = decompose(&r, factor, &s, alloc);
    list_set(train, "sum_weights", Rf_ScalarReal(all.w));
    list_set(train, "status", Rf_ScalarInteger(status));
    const named values[] = {{"training", train}, {"squares", squares}};
    SEXP out = named_list(COUNT(values), values);
    UNPROTECT(2);
    return out;
}

scored_members *scored_from_list(SEXP plan, const ridge *r, size_t count)
{
    SEXP rows = list_get(plan, "scores"), places = list_get(plan, "places");
    const int *size = integers(list_get(plan, "scored"), count, 0, r->m);
    const int *row = zero_based(rows, r->m), *place = zero_based(places, r->m);
    require(total(size, count) == (size_t) Rf_xlength(rows) &&
                Rf_xlength(rows) == Rf_xlength(places),
            "the scored members do not fit their folds");
    scored_members *scored = alloc(count, sizeof(scored_members));
    for (size_t f = 0; f < count; row += size[f], place += size[f], f++)
        scored[f] = (scored_members){row, place, (size_t) size[f]};
    return scored;
}

/* Refits without every fold and their errors on it, see leave_sums_out(). train: about the
 * provisional centres. */
SEXP ffi_leave_sums_out(SEXP train, SEXP lambda, SEXP plan, SEXP table)
{
    const ridge r = ridge_from_list(train);
    const fold_table sums = table_from_list(table, r.n, r.v);
    holdout_request q = request_from_list(plan, &r, map_columns(train), lambda);
    require(q.count == sums.count, "the folds do not fit their sums");
    const size_t columns = r.v * q.c;
    SEXP b = PROTECT(new_matrix(r.n, columns * q.count));
    SEXP offset = PROTECT(new_matrix(columns, q.count));
    SEXP errors = PROTECT(new_matrix(columns, q.count));
    size_t failed;
    const int status =
        leave_sums_out(&r, &sums, q.folds, scored_from_list(plan, &r, q.count), q.spanned, q.d,
                       q.lambda, q.c, REAL(b), REAL(offset), REAL(errors), &failed, alloc);
    const named values[] = {{"fold", PROTECT(Rf_ScalarInteger((int) failed + 1))},
                            {"b", b},
                            {"offset", offset},
                            {"errors", errors}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(4);
    return out;
}

/* labels: numbers or strings; seed: one, or one for each. */
SEXP ffi_row_hash(SEXP labels, SEXP seed)
{
    const R_xlen_t length = Rf_xlength(labels), seeds = Rf_xlength(seed);
    require(seeds == 1 || seeds == length, "the seeds do not fit the labels");
    const double *start = doubles(seed, (size_t) seeds);
    SEXP hash = PROTECT(Rf_allocVector(REALSXP, length));
    for (R_xlen_t i = 0; i < length; i++) {
        const double from = start[seeds == 1 ? 0 : i];
        if (Rf_isReal(labels))
            REAL(hash)[i] = hash_number(REAL(labels)[i], from);
        else {
            const void *before = vmaxget();
            const char *label = Rf_translateCharUTF8(STRING_ELT(labels, i));
            REAL(hash)[i] = hash_bytes(label, strlen(label), from);
            vmaxset(before); /* a translation is a copy, one for each row */
        }
    }
    UNPROTECT(1);
    return hash;
}
