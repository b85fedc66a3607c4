/* cv_gradient.c: the held-out squared error and its gradient by the logarithms of lambda and of the
 * widths of all features, from points.
 *
 *     points -> k, dk/du -> z = C^-1 k -> refits, adjoints -> by every kernel value -> by widths
 *
 * Three arrays of n x m: z, the slopes dk/du, and the kernel's values, over which their derivatives
 * are written. Cost beside adjoint.c: the kernel once, m n^2 for z and m n^2 for its gram matrix,
 * and 2 m n p for the widths. */
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
static void by_log_widths(const kernel_spec *kernel, point_set basis, point_set rows,
                          const double *centre, int threads, double *by_kernel,
                          const double *slopes, double *gradient, memory from)
{
    const size_t n = basis.rows;
    width_sums sums = new_width_sums(kernel, basis, centre, ROW_BLOCK, threads, from);
    for (size_t start = 0; start < rows.rows; start += ROW_BLOCK) {
        add_width_sums(&sums, some_rows(rows, start), by_kernel + start * n, slopes + start * n);
        R_CheckUserInterrupt();
    }
    finish_width_sums(&sums);
    memcpy(gradient, sums.gradient, rows.p * sizeof(double));
}

int value_gradient(ridge *r, double jitter, double *values, const adjoint_request *request,
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

int cv_gradient_at(ridge *r, const kernel_spec *kernel, point_set rows, const double *centre,
                   double jitter, double *values, double *slopes, const adjoint_request *request,
                   int threads, cv_gradient *to, memory from)
{
    const point_set basis = basis_points(rows, r->n, request->basis_rows, from);
    all_values(kernel, basis, rows, centre, threads, values, slopes, from);
    const int status = value_gradient(r, jitter, values, request, to, from);
    if (status != SR_OK)
        return status;
    by_log_widths(kernel, basis, rows, centre, threads, values, slopes, to->by_log_width, from);
    return all_finite(to->by_log_width, rows.p) && all_finite(&to->loss, 1) ? SR_OK : SR_NOT_FINITE;
}
