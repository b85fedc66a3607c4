/* bridge_kernel.c: kernel blocks for R. */
#include <limits.h>

#include "bridge.h"

kernel_spec kernel_from_list(SEXP kernel)
{
    kernel_spec spec;
    spec.type = (enum kernel_type) count_of(list_get(kernel, "type"), 0, KERNEL_POLYNOMIAL);
    spec.gamma = Rf_asReal(list_get(kernel, "gamma"));
    spec.degree = (int) count_of(list_get(kernel, "degree"), 1, INT_MAX);
    spec.scale = Rf_asReal(list_get(kernel, "scale"));
    spec.offset = Rf_asReal(list_get(kernel, "offset"));
    spec.normalize = Rf_asLogical(list_get(kernel, "normalize"));
    spec.less_one = Rf_asLogical(list_get(kernel, "less_one"));
    return spec;
}

static point_set points(SEXP x)
{
    const size_t rows = (size_t) Rf_nrows(x), p = (size_t) Rf_ncols(x);
    point_set set = {doubles(x, rows * p), rows, rows, p};
    return set;
}

/* a: na x p, b: nb x p, centre: p; value na x nb. */
SEXP ffi_kernel_block(SEXP kernel, SEXP a, SEXP b, SEXP centre, SEXP threads)
{
    const kernel_spec spec = kernel_from_list(kernel);
    const point_set pa = points(a), pb = points(b);
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
        kernel_block(&spec, pa, block, middle, REAL(out) + start * pa.rows, pa.rows, work,
                     parallel);
        R_CheckUserInterrupt();
    }
    UNPROTECT(1);
    return out;
}

/* products: na x nb inner products; the value has the same shape. */
SEXP ffi_kernel_from_products(SEXP kernel, SEXP products, SEXP a_squares, SEXP b_squares,
                              SEXP threads)
{
    const kernel_spec spec = kernel_from_list(kernel);
    const size_t na = (size_t) Rf_nrows(products), nb = (size_t) Rf_ncols(products);
    SEXP out = PROTECT(Rf_duplicate(products));
    kernel_from_products(&spec, na, nb, doubles(a_squares, na), doubles(b_squares, nb),
                         doubles(out, na * nb), na, thread_count(threads));
    UNPROTECT(1);
    return out;
}
