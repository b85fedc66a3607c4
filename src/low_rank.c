/* low_rank.c: low-rank factors of kernel matrices.
 *
 * Contract: Cholesky with complete pivoting, one column at a time, so that of K only the pivots'
 * columns are computed: with F (m x k) so far and the rest's diagonal r, the next column is
 *
 *   (K_p - F F_p') / sqrt(r_p),    p the row of the largest r (the first of equals).
 *
 * Of order m k^2, and m k values of the kernel. The rest K - F F' is positive semidefinite, so
 * its diagonal bounds all of it. */
#include <math.h>
#include <string.h>

#include "layers.h"

size_t low_rank_work(const kernel_spec *kernel, point_set points)
{
    point_set one = points;
    one.rows = 1;
    return kernel_work(kernel, points, one);
}

static size_t largest(size_t m, const double *x)
{
    size_t best = 0;
    for (size_t i = 1; i < m; i++)
        if (x[i] > x[best])
            best = i;
    return best;
}

size_t low_rank(const kernel_spec *kernel, point_set points, const double *centre,
                const double *matrix, size_t m, size_t most, double tolerance, double *diagonal,
                double *factor, double *work)
{
    for (size_t k = 0;; k++) {
        const size_t p = largest(m, diagonal);
        if (diagonal[p] <= tolerance || k == most)
            return diagonal[p] <= tolerance ? k : most + 1;
        double *column = factor + k * m;
        if (matrix) {
            memcpy(column, matrix + p * m, m * sizeof(double));
        } else {
            point_set pivot = points;
            pivot.x += p;
            pivot.rows = 1;
            kernel_block(kernel, points, pivot, centre, column, m, work, 1);
        }
        for (size_t j = 0; j < k; j++)
            add_multiple(m, -factor[p + j * m], factor + j * m, column);
        const double root = sqrt(diagonal[p]);
        for (size_t i = 0; i < m; i++) {
            column[i] /= root;
            diagonal[i] -= column[i] * column[i];
        }
        diagonal[p] = 0;
    }
}
