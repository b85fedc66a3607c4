/* bridge_kernel.c: the table of kernels, and kernel blocks, for R. */
#include <limits.h>
#include <string.h>

#include "bridge.h"

/* ---- the table ------------------------------------------------------------------ */

static const kernel_kind *kind_named(const char *name)
{
    size_t count;
    const kernel_kind *table = kernel_table(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return table + i;
    Rf_error("internal error: no kernel `%s`", name);
}

static int parameter_count(const kernel_kind *kind)
{
    int count = 0;
    while (count < MOST_PARAMETERS && kind->parameters[count].name)
        count++;
    return count;
}

/* kernel: a list of `name`, the parameters of that kernel and `normalize`. */
kernel_spec kernel_from_list(SEXP kernel)
{
    kernel_spec spec = {.kind = kind_named(string(list_get(kernel, "name")))};
    for (int i = 0; i < parameter_count(spec.kind); i++) {
        const kernel_parameter *parameter = spec.kind->parameters + i;
        const double value = *list_doubles(kernel, parameter->name, 1);
        require(value >= parameter->low && value <= parameter->high,
                "a parameter of the kernel is outside its range");
        spec.theta[i] = value;
    }
    spec.normalize = Rf_asLogical(list_get(kernel, "normalize"));
    spec.less_one = Rf_asLogical(list_get(kernel, "less_one"));
    return spec;
}

/* k(x, x) of a kernel of differences, NA of others: it depends on x. */
static double constant_self(const kernel_kind *kind)
{
    double theta[MOST_PARAMETERS], value = 0;
    if (kind->argument == OF_PRODUCT)
        return NA_REAL;
    for (int i = 0; i < parameter_count(kind); i++)
        theta[i] = kind->parameters[i].low;
    kind->evaluate(theta, 1, &value, NULL);
    return value;
}

static SEXP kind_list(const kernel_kind *kind)
{
    static const char *arguments[] = {[OF_PRODUCT] = "product",
                                      [OF_SQUARED_DISTANCE] = "squared distance",
                                      [OF_ABSOLUTE_DISTANCE] = "absolute distance"};
    const int count = parameter_count(kind);
    SEXP parameters = PROTECT(Rf_allocVector(STRSXP, count));
    SEXP low = PROTECT(Rf_allocVector(REALSXP, count));
    SEXP high = PROTECT(Rf_allocVector(REALSXP, count));
    for (int i = 0; i < count; i++) {
        SET_STRING_ELT(parameters, i, Rf_mkChar(kind->parameters[i].name));
        REAL(low)[i] = kind->parameters[i].low;
        REAL(high)[i] = kind->parameters[i].high;
    }
    Rf_setAttrib(low, R_NamesSymbol, parameters);
    Rf_setAttrib(high, R_NamesSymbol, parameters);
    const named values[] = {{"label", PROTECT(Rf_mkString(kind->label))},
                            {"argument", PROTECT(Rf_mkString(arguments[kind->argument]))},
                            {"self", PROTECT(Rf_ScalarReal(constant_self(kind)))},
                            {"slopes", PROTECT(Rf_ScalarLogical(kind->slopes))},
                            {"parameters", parameters},
                            {"low", low},
                            {"high", high}};
    SEXP out = named_list(COUNT(values), values);
    UNPROTECT(7);
    return out;
}

/* What R needs to know of every kernel, a list by name. */
SEXP ffi_kernel_table(void)
{
    size_t count;
    const kernel_kind *table = kernel_table(&count);
    SEXP out = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t) count));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t) count));
    for (size_t i = 0; i < count; i++) {
        SET_VECTOR_ELT(out, (R_xlen_t) i, kind_list(table + i));
        SET_STRING_ELT(names, (R_xlen_t) i, Rf_mkChar(table[i].name));
    }
    Rf_setAttrib(out, R_NamesSymbol, names);
    UNPROTECT(2);
    return out;
}

/* ---- values --------------------------------------------------------------------- */

/* k as a function of its argument, without normalization: value and derivative at every u. */
SEXP ffi_kernel_at(SEXP kernel, SEXP u)
{
    const kernel_spec spec = kernel_from_list(kernel);
    const size_t length = (size_t) Rf_xlength(u);
    SEXP value = PROTECT(Rf_allocVector(REALSXP, Rf_xlength(u)));
    SEXP slope = PROTECT(Rf_allocVector(REALSXP, Rf_xlength(u)));
    if (length > 0)
        memcpy(REAL(value), doubles(u, length), length * sizeof(double));
    spec.kind->evaluate(spec.theta, length, REAL(value), REAL(slope));
    const named values[] = {{"value", value}, {"slope", slope}};
    SEXP out = named_list(COUNT(values), values);
    UNPROTECT(2);
    return out;
}

point_set points_of(SEXP x)
{
    const size_t rows = (size_t) Rf_nrows(x), p = (size_t) Rf_ncols(x);
    point_set set = {doubles(x, rows * p), rows, rows, p};
    return set;
}

/* a: na x p, b: nb x p, centre: p; value na x nb. */
SEXP ffi_kernel_block(SEXP kernel, SEXP a, SEXP b, SEXP centre, SEXP threads)
{
    const kernel_spec spec = kernel_from_list(kernel);
    const point_set pa = points_of(a), pb = points_of(b);
    const double *middle = doubles(centre, pa.p);
    const int parallel = thread_count(threads);
    require(pa.p == pb.p, "points of different dimensions");
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, Rf_nrows(a), Rf_nrows(b)));
    /* Row blocks, so that the workspace stays small. */
    point_set block = pb;
    block.rows = pb.rows < ROW_BLOCK ? pb.rows : ROW_BLOCK;
    double *work = alloc_doubles(kernel_work(&spec, pa, block));
    for (size_t start = 0; start < pb.rows; start += ROW_BLOCK) {
        block.x = pb.x + start;
        block.rows = pb.rows - start < ROW_BLOCK ? pb.rows - start : ROW_BLOCK;
        kernel_block(&spec, pa, block, middle, REAL(out) + start * pa.rows, NULL, pa.rows, work,
                     parallel);
        R_CheckUserInterrupt();
    }
    UNPROTECT(1);
    return out;
}

/* The largest value below the bound of every column. */
SEXP ffi_largest(SEXP values, SEXP bound)
{
    const size_t rows = (size_t) Rf_nrows(values), columns = (size_t) Rf_ncols(values);
    const double *x = doubles(values, rows * columns);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) columns));
    for (size_t j = 0; j < columns; j++)
        REAL(out)[j] = largest_below(rows, x + j * rows, Rf_asReal(bound));
    UNPROTECT(1);
    return out;
}

/* x: a dgRMatrix, or NULL for rows without their entries. */
static sparse_set sparse_rows(SEXP x, size_t rows)
{
    sparse_set set = {.rows = rows};
    if (Rf_isNull(x))
        return set;
    SEXP value = PROTECT(R_do_slot(x, Rf_install("x")));
    const size_t count = (size_t) Rf_xlength(value);
    set.value = doubles(value, count);
    set.start = integers(PROTECT(R_do_slot(x, Rf_install("p"))), rows + 1, 0, count);
    set.column = integers(PROTECT(R_do_slot(x, Rf_install("j"))), count, 0, INT_MAX);
    UNPROTECT(3);
    return set;
}

/* products: na x nb inner products of the rows of a and b; the value has the same shape. a and b:
 * see sparse_rows. */
SEXP ffi_kernel_from_products(SEXP kernel, SEXP products, SEXP a, SEXP b, SEXP a_squares,
                              SEXP b_squares, SEXP threads)
{
    const kernel_spec spec = kernel_from_list(kernel);
    const size_t na = (size_t) Rf_nrows(products), nb = (size_t) Rf_ncols(products);
    const sparse_set pa = sparse_rows(a, na), pb = sparse_rows(b, nb);
    require(spec.kind->argument == OF_PRODUCT || (pa.start && pb.start), "no points");
    double *a_work = alloc_doubles(na), *b_work = alloc_doubles(nb);
    if (na > 0)
        memcpy(a_work, doubles(a_squares, na), na * sizeof(double));
    if (nb > 0)
        memcpy(b_work, doubles(b_squares, nb), nb * sizeof(double));
    SEXP out = PROTECT(Rf_duplicate(products));
    kernel_from_products(&spec, pa, pb, a_work, b_work, doubles(out, na * nb),
                         thread_count(threads));
    UNPROTECT(1);
    return out;
}
