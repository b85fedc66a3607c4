/* bridge_chunk_glm.c: penalized likelihood of rows in chunks, for R.
 *
 * points: list(name, theta, folds, b, b0), the loss (see loss.c) and the columns of a glm_pass. A
 * pass is a list of `sums`, which add up over rows, and `most`, of which the largest counts. */
#include <string.h>

#include "bridge.h"

/* Without its sums. */
static glm_pass points_from_list(SEXP points, size_t n)
{
    glm_pass p = {0};
    p.n = n;
    p.loss = find_loss(string(list_get(points, "name")));
    require(p.loss != NULL, "no such loss");
    p.theta = *list_doubles(points, "theta", 1);
    p.folds = count_of(list_get(points, "folds"), 0, 1 << 20);
    const size_t columns = (size_t) Rf_xlength(list_get(points, "b0"));
    p.lambdas = columns / (p.folds + 1);
    require(columns == p.lambdas * (p.folds + 1), "the points do not fit the folds");
    p.b = list_doubles(points, "b", n * columns);
    p.b0 = list_doubles(points, "b0", columns);
    return p;
}

typedef struct {
    const char *name;
    size_t length;
    double **to;
} pass_field;

enum { SUMS = 14, MOST = 2 };

static size_t columns_of(const glm_pass *p)
{
    return (p->folds + 1) * p->lambdas;
}

static void pass_fields(glm_pass *p, pass_field *sums, pass_field *most)
{
    const size_t n = p->n, columns = columns_of(p), k = p->folds + 1;
    const size_t parts = p->folds > 0 ? p->folds : 1;
    p->model.count = parts;
    p->change.count = k;
    p->model.n = p->change.n = n;
    const pass_field all[SUMS] = {{"gradient", n * columns, &p->gradient},
                                  {"score", columns, &p->score},
                                  {"deviance", columns, &p->deviance},
                                  {"held", columns, &p->held},
                                  {"held_weight", columns, &p->held_weight},
                                  {"lost", columns, &p->lost},
                                  {"values", columns, &p->values},
                                  {"squares", columns, &p->squares},
                                  {"gram", n * n * parts, &p->model.gram},
                                  {"zy", n * parts, &p->model.zy},
                                  {"w", parts, &p->model.w},
                                  {"change_gram", n * n * k, &p->change.gram},
                                  {"change_zy", n * k, &p->change.zy},
                                  {"change_w", k, &p->change.w}};
    const pass_field largest[MOST] = {{"above", columns, &p->above}, {"largest", 1, &p->largest}};
    memcpy(sums, all, sizeof(all));
    memcpy(most, largest, sizeof(largest));
}

static SEXP new_fields(const pass_field *fields, size_t count)
{
    named values[SUMS];
    for (size_t i = 0; i < count; i++) {
        values[i].name = fields[i].name;
        values[i].value = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) fields[i].length));
        *fields[i].to = REAL(values[i].value);
        memset(*fields[i].to, 0, fields[i].length * sizeof(double));
    }
    SEXP list = named_list((R_xlen_t) count, values);
    UNPROTECT((int) count);
    return list;
}

/* A pass of nothing, whose arrays p has. */
static SEXP new_pass(glm_pass *p)
{
    pass_field sums[SUMS], most[MOST];
    pass_fields(p, sums, most);
    const named values[] = {{"sums", PROTECT(new_fields(sums, SUMS))},
                            {"most", PROTECT(new_fields(most, MOST))}};
    SEXP pass = named_list(COUNT(values), values);
    UNPROTECT(2);
    return pass;
}

static void read_pass(SEXP pass, glm_pass *p)
{
    pass_field sums[SUMS], most[MOST];
    pass_fields(p, sums, most);
    for (size_t i = 0; i < SUMS; i++)
        *sums[i].to = list_doubles(list_get(pass, "sums"), sums[i].name, sums[i].length);
    for (size_t i = 0; i < MOST; i++)
        *most[i].to = list_doubles(list_get(pass, "most"), most[i].name, most[i].length);
}

/* rows: list(y, weights, offset), in the order of their folds, of which there are `size` each. */
SEXP ffi_chunk_glm(SEXP coordinates, SEXP size, SEXP rows, SEXP points, SEXP threads)
{
    const size_t count = (size_t) Rf_xlength(list_get(rows, "y"));
    kernel_spec spec;
    kernel_source source;
    const chunk_coordinates at = coordinates_from_list(coordinates, &source, &spec, count, threads);
    glm_pass p = points_from_list(points, at.n);
    SEXP pass = PROTECT(new_pass(&p));
    const int *sizes = integers(size, p.model.count, 0, count);
    require(total(sizes, p.model.count) == count, "the folds do not fit the rows");
    const int status = chunk_glm(&at, sizes, list_doubles(rows, "y", count),
                                 list_doubles(rows, "weights", count),
                                 list_doubles(rows, "offset", count), &p, alloc);
    const named values[] = {{"pass", pass}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(1);
    return out;
}

/* The folds of a plan; none without one. lambda is not read. */
static const fold *folds_from_plan(SEXP train, SEXP plan, const ridge *r, const glm_pass *p)
{
    if (Rf_isNull(plan))
        return NULL;
    SEXP none = PROTECT(Rf_allocVector(REALSXP, 0));
    holdout_request q = request_from_list(plan, r, map_columns(train), none);
    UNPROTECT(1);
    require(q.count == p->folds, "the folds do not fit the points");
    require(constrain_folds(r, q.folds, q.count, q.spanned, q.d, alloc) == SR_OK,
            "the constraints of the folds cannot be found");
    return q.folds;
}

/* train: of the members, about the provisional centres; offset: of each. */
SEXP ffi_member_glm(SEXP train, SEXP plan, SEXP offset, SEXP points)
{
    const ridge r = ridge_from_list(train);
    glm_pass p = points_from_list(points, r.n);
    SEXP pass = PROTECT(new_pass(&p));
    const fold *folds = folds_from_plan(train, plan, &r, &p);
    member_glm(&r, folds, folds ? scored_from_list(plan, &r, p.folds) : NULL, doubles(offset, r.m),
               &p, alloc);
    UNPROTECT(1);
    return pass;
}

/* lambda: of the points, and perhaps the next one, for which there is a start then; fine: which
 * columns are wanted. See glm_next. */
SEXP ffi_next_points(SEXP train, SEXP plan, SEXP points, SEXP pass, SEXP lambda, SEXP fine)
{
    const ridge r = ridge_from_list(train);
    require(r.v == 1, "no likelihood of several outputs");
    glm_pass p = points_from_list(points, r.n);
    read_pass(pass, &p);
    const size_t columns = columns_of(&p), c = (size_t) Rf_xlength(lambda), k = p.folds + 1;
    require(c == p.lambdas || c == p.lambdas + 1, "the values of lambda do not fit the points");
    const fold *folds = folds_from_plan(train, plan, &r, &p);
    SEXP b = PROTECT(new_matrix(r.n, columns)), b0 = PROTECT(new_matrix(k, p.lambdas));
    SEXP error = PROTECT(new_matrix(k, p.lambdas));
    SEXP rounded = PROTECT(Rf_allocMatrix(LGLSXP, (int) k, (int) p.lambdas));
    SEXP start = PROTECT(new_matrix(r.n, k)), start0 = PROTECT(new_matrix(k, 1));
    SEXP df = PROTECT(Rf_ScalarReal(NA_REAL));
    memcpy(REAL(b), p.b, r.n * columns * sizeof(double));
    memcpy(REAL(b0), p.b0, columns * sizeof(double));
    memcpy(REAL(start), p.b + (columns - k) * r.n, r.n * k * sizeof(double));
    memcpy(REAL(start0), p.b0 + columns - k, k * sizeof(double));
    for (size_t i = 0; i < columns; i++) {
        REAL(error)[i] = R_PosInf;
        LOGICAL(rounded)[i] = 0;
    }
    glm_next to = {REAL(b),       REAL(b0),     REAL(error), LOGICAL(rounded), REAL(start),
                   REAL(start0), REAL(df), c > p.lambdas};
    const int status = next_points(&r, folds, &p, doubles(lambda, c),
                                   integers(fine, columns, 0, 1), &to, alloc);
    const named values[] = {{"b", b},         {"b0", b0},         {"error", error},
                            {"df", df},       {"start", start},   {"start0", start0},
                            {"rounded", rounded}};
    SEXP out = answer(status, COUNT(values), values);
    UNPROTECT(7);
    return out;
}
