/* bridge_kernel.c: kernel blocks for R. */
#include <string.h>

#include "bridge.h"

kernel_spec kernel_from_list(SEXP kernel)
{
    kernel_spec spec;
    spec.type = (enum kernel_type) Rf_asInteger(list_get(kernel, "type"));
    spec.gamma = Rf_asReal(list_get(kernel, "gamma"));
    spec.degree = Rf_asInteger(list_get(kernel, "degree"));
    spec.scale = Rf_asReal(list_get(kernel, "scale"));
    spec.offset = Rf_asReal(list_get(kernel, "offset"));
    spec.normalize = Rf_asLogical(list_get(kernel, "normalize"));
    return spec;
}

static point_set points(SEXP x)
{
    point_set set = {REAL(x), (size_t) Rf_nrows(x), (size_t) Rf_nrows(x), (size_t) Rf_ncols(x)};
    return set;
}

/* a: na x p, b: nb x p, centre: p; value na x nb. */
SEXP ffi_kernel_block(SEXP kernel, SEXP a, SEXP b, SEXP centre, SEXP threads)
{
    const kernel_spec spec = kernel_from_list(kernel);
    const point_set pa = points(a), pb = points(b);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, Rf_nrows(a), Rf_nrows(b)));
    /* Row blocks, so that the workspace stays small. */
    point_set block = pb;
    block.rows = pb.rows < ROW_BLOCK ? pb.rows : ROW_BLOCK;
    double *work = alloc_doubles(kernel_work(&spec, pa, block));
    for (size_t start = 0; start < pb.rows; start += ROW_BLOCK) {
        block.x = pb.x + start;
        block.rows = pb.rows - start < ROW_BLOCK ? pb.rows - start : ROW_BLOCK;
        kernel_block(&spec, pa, block, REAL(centre), REAL(out) + start * pa.rows, pa.rows, work,
                     Rf_asInteger(threads));
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
    SEXP out = PROTECT(Rf_duplicate(products));
    kernel_from_products(&spec, (size_t) Rf_nrows(out), (size_t) Rf_ncols(out), REAL(a_squares),
                         REAL(b_squares), REAL(out), (size_t) Rf_nrows(out), Rf_asInteger(threads));
    UNPROTECT(1);
    return out;
}
