/* cv_gradient.c: the held-out squared error and its gradient, from points: by the logarithm of
 * lambda, and by the logarithms of the widths of all features or by a linear map of them.
 *
 *     points -> k, dk/du -> z = C^-1 k -> refits, adjoints -> by all kernel values -> by widths
 *
 * Three arrays of n x m: z, the slopes dk/du, and the kernel's values, over which their derivatives
 * are written. Cost beside adjoint.c: the kernel once, m n^2 for z and m n^2 for its gram matrix,
 * 2 m n p for the widths, and for a map 2 m p^2 more. */
#include <R_ext/Utils.h>
#include <string.h>

#include "adjoint.h"
#include "linalg.h"

/* Points of the basis, n x p. */
static point_set basis_points(point_set rows, size_t n, const int *basis_rows, memory from)
{
    double *x = new_doubles(from, n * rows.p);
    for (size_t d = 0; d < rows.p; d++)
        for (size_t j = 0; j < n; j++)
            x[j + d * n] = rows.x[(size_t) basis_rows[j] + d * rows.ld];
    point_set basis = {x, n, n, rows.p};
    return basis;
}

static point_set some_rows(point_set rows, size_t start)
{
    rows.x += start;
    rows.rows = rows.rows - start < ROW_BLOCK ? rows.rows - start : ROW_BLOCK;
    return rows;
}

/* values and slopes (n x m). */
static void all_values(const kernel_spec *kernel, point_set basis, point_set rows,
                       const double *centre, int threads, double *values, double *slopes,
                       memory from)
{
    const size_t n = basis.rows;
    double *work = new_doubles(from, kernel_work(kernel, basis, some_rows(rows, 0)));
    for (size_t start = 0; start < rows.rows; start += ROW_BLOCK) {
        kernel_block(kernel, basis, some_rows(rows, start), centre, values + start * n,
                     slopes + start * n, n, work, threads);
        R_CheckUserInterrupt();
    }
}

/* k_bb (n x n, both triangles) with the jitter, from the values of the rows of basis vectors. */
static void basis_values(size_t n, const int *basis_rows, const double *values, double jitter,
                         double *k_bb)
{
    for (size_t j = 0; j < n; j++) {
        memcpy(k_bb + j * n, values + (size_t) basis_rows[j] * n, n * sizeof(double));
        k_bb[j + j * n] += jitter;
    }
    mirror_lower(n, k_bb, n);
}

/* by_kernel (n x m) is overwritten. */
static void sum_moments(const kernel_spec *kernel, centred_set basis, point_set rows, int full,
                        int threads, double *by_kernel, const double *slopes, double *moments,
                        memory from)
{
    const size_t n = basis.points.rows, p = rows.p;
    pair_moments sums = new_pair_moments(kernel, basis, full, ROW_BLOCK, threads, from);
    for (size_t start = 0; start < rows.rows; start += ROW_BLOCK) {
        add_pair_moments(&sums, some_rows(rows, start), by_kernel + start * n, slopes + start * n);
        R_CheckUserInterrupt();
    }
    finish_pair_moments(&sums);
    memcpy(moments, sums.moments, (full ? p * p : p) * sizeof(double));
}

/* From values of a kernel, n x m, to the derivatives by them, which take their place; `to` without
 * moments. */
static int value_gradient(ridge *r, double jitter, double *values, const adjoint_request *request,
                          cv_gradient *to, memory from)
{
    const size_t n = r->n, m = r->m;
    double *k_bb = new_doubles(from, n * n), *cholesky = new_doubles(from, n * n);
    if (!all_finite(values, n * m))
        return SR_NOT_FINITE;
    basis_values(n, request->basis_rows, values, jitter, k_bb);
    const kernel_source source = {.columns = values, .basis_rows = request->basis_rows};
    int status = ridge_coordinates(r, &source, k_bb, cholesky, from);
    if (status != SR_OK)
        return status;
    double by_lambda = 0;
    status = held_out_adjoint(r, cholesky, request, &to->loss, &by_lambda, values, from);
    to->by_log_lambda = request->lambda * by_lambda;
    return status;
}

int cv_gradient_at(ridge *r, const kernel_spec *kernel, centred_set seen, const centred_set *mapped,
                   double jitter, double *values, double *slopes, const adjoint_request *request,
                   int threads, cv_gradient *to, memory from)
{
    const centred_set by = mapped ? *mapped : seen;
    const size_t p = by.points.p, n = r->n;
    all_values(kernel, basis_points(seen.points, n, request->basis_rows, from), seen.points,
               seen.centre, threads, values, slopes, from);
    const int status = value_gradient(r, jitter, values, request, to, from);
    if (status != SR_OK)
        return status;
    const centred_set basis = {basis_points(by.points, n, request->basis_rows, from), by.centre};
    sum_moments(kernel, basis, by.points, mapped != NULL, threads, values, slopes, to->moments,
                from);
    return all_finite(to->moments, mapped ? p * p : p) && all_finite(&to->loss, 1) ? SR_OK
                                                                                   : SR_NOT_FINITE;
}
