/* bridge_derivatives.c: derivatives of kernel expansions, for R. */
#include "bridge.h"

/* basis: n x p, centre: p, alpha: n x v, x: m x p, share: m. A list of `slopes`, m x (p v), and
 * `average`, n x p. */
SEXP ffi_slopes(SEXP kernel, SEXP basis, SEXP centre, SEXP alpha, SEXP x, SEXP share, SEXP threads)
{
    const kernel_spec spec = kernel_from_list(kernel);
    const point_set vectors = points_of(basis), rows = points_of(x);
    const size_t n = vectors.rows, p = vectors.p, v = (size_t) Rf_ncols(alpha);
    require(rows.p == p, "points of different dimensions");
    kernel_expansion f = {&spec, vectors, doubles(centre, p), doubles(alpha, n * v), v};
    SEXP slopes = PROTECT(new_matrix(rows.rows, p * v)), average = PROTECT(new_matrix(n, p));
    expansion_slopes(&f, rows, doubles(share, rows.rows), REAL(slopes), REAL(average),
                     thread_count(threads), alloc);
    const named values[] = {{"slopes", slopes}, {"average", average}};
    SEXP out = named_list(COUNT(values), values);
    UNPROTECT(2);
    return out;
}
