/* constraint.c: what basis a refit has, where basis vectors are redundant.
 *
 * A basis vector that was dropped as redundant is still a member of the basis: the refit without
 * a fold has all members outside the fold, and where the fold removes vectors that had made others
 * redundant, those others come back. In the coordinates of b the kernel's column of row j is z_j =
 * C^-1 k_j (uncentred), for a basis vector that was kept and, to working precision, for one that
 * the kept ones span. So the refit without the kept vectors E has its b in the span of the z_j of
 * all members outside the fold, and the constraint is the complement of that span: a subspace of
 * the complement of the kept ones alone, which is the span of the columns q_E of map. With q_E = Q
 * [R; 0] the first e rows P of Q'z_j, j dropped and outside the fold, are what these add; of P = U
 * [S; 0] the last columns of U are the constraint that is left, Q [U; 0].
 *
 * |P_j|^2 / |z_j|^2 is the pivot of j, were its kernel matrix with the other members scaled to a
 * unit diagonal and factorized: the rule that dropped redundant vectors, pivots above n eps, says
 * here which of them come back, most of all first.
 *
 * Rows that coincide are the exception, because the shift belongs to one row: k_j of the refit has
 * it in row j. Where the kept vector i is held out and its twin d is not, q_i is no constraint.
 * Instead row d takes the place of row i: it leaves with its z_d, joins with z_i, and its
 * prediction, that of k_i without the shift, is the held-out one of row i. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "holdout.h"
#include "linalg.h"
#include "vector.h"

/* Workspace; d is the number of spanned rows, e the largest f->e. */
typedef struct {
    double *reflect;  /* n x e */
    double *points;   /* n x d */
    double *gram;     /* d x d */
    double *pivots;   /* 2 d */
    double *selected; /* e x e */
    double *tau;      /* e */
    int *pivot;       /* d */
    double *lapack;   /* lapack_size */
    size_t lapack_size;
} constraint_work;

static constraint_work new_constraint_work(size_t n, size_t d, size_t e, memory from)
{
    const size_t lapack_size = qr_work(n, d > e ? d : e);
    constraint_work work = {
        new_doubles(from, n * e), new_doubles(from, n * d),       new_doubles(from, d * d),
        new_doubles(from, 2 * d), new_doubles(from, e * e),       new_doubles(from, e),
        new_ints(from, d),        new_doubles(from, lapack_size), lapack_size};
    return work;
}

void copy_constraint(const ridge *r, const fold *f, double *columns)
{
    const size_t n = r->n;
    for (size_t i = 0; i < f->e; i++)
        memcpy(columns + i * n,
               f->constraint ? f->constraint + i * n : r->map + (size_t) f->basis[i] * n,
               n * sizeof(double));
}

/* points (n x count) = Q'z / |z|; a row on which the kernel is zero stays zero. */
static void rotated_points(const ridge *r, const fold *f, const int *spanned, size_t count,
                          constraint_work *work)
{
    const size_t n = r->n;
    for (size_t i = 0; i < count; i++) {
        const double *z = r->z + (size_t) spanned[i] * n;
        double *point = work->points + i * n;
        for (size_t j = 0; j < n; j++)
            point[j] = z[j] + r->z_mean[j];
        const double norm = sqrt(dot(n, point, point));
        for (size_t j = 0; j < n && norm > 0; j++)
            point[j] /= norm;
    }
    qr_apply('L', 'T', n, count, f->e, work->reflect, n, work->tau, work->points, n, work->lapack,
             work->lapack_size);
}

/* How many columns of P, and in work->pivot which, are independent. */
static int independent_columns(size_t n, size_t e, size_t count, size_t *rank,
                               constraint_work *work)
{
    const double tolerance = (double) (n + count) * DBL_EPSILON;
    double largest = 0;
    syrk_lower('T', count, e, 1, work->points, n, 0, work->gram, count);
    for (size_t j = 0; j < count; j++)
        if (work->gram[j + j * count] > largest)
            largest = work->gram[j + j * count];
    *rank = 0;
    if (largest <= tolerance)
        return SR_OK;
    const int status =
        pivoted_cholesky(count, work->gram, tolerance, work->pivot, rank, work->pivots);
    *rank = *rank > e ? e : *rank;
    return status;
}

/* One fold; spanned: the dropped rows outside it. */
static int constrain_fold(const ridge *r, fold *f, const int *spanned, size_t count,
                          constraint_work *work, memory from)
{
    const size_t n = r->n, e = f->e, size = work->lapack_size;
    size_t rank = 0;
    copy_constraint(r, f, work->reflect);
    int status = qr_factor(n, e, work->reflect, n, work->tau, work->lapack, size);
    if (status != SR_OK)
        return status;
    rotated_points(r, f, spanned, count, work);
    status = independent_columns(n, e, count, &rank, work);
    if (status != SR_OK || rank == 0)
        return status;
    for (size_t i = 0; i < rank; i++)
        memcpy(work->selected + i * e, work->points + (size_t) work->pivot[i] * n,
               e * sizeof(double));
    const size_t left = e - rank;
    double *constraint = new_doubles(from, n * left);
    memset(constraint, 0, n * left * sizeof(double));
    for (size_t i = 0; i < left; i++)
        constraint[rank + i + i * n] = 1;
    double *tau = work->pivots; /* not needed any more */
    status = qr_factor(e, rank, work->selected, e, tau, work->lapack, size);
    if (status != SR_OK)
        return status;
    qr_apply('L', 'N', e, left, rank, work->selected, e, tau, constraint, n, work->lapack, size);
    qr_apply('L', 'N', n, left, e, work->reflect, n, work->tau, constraint, n, work->lapack, size);
    f->constraint = constraint;
    f->e = left;
    return SR_OK;
}

/* Which of the rows are not in the fold; `held` (m) is zero before and after. */
static size_t rows_outside(const fold *f, const int *rows, size_t count, int *held, int *outside)
{
    size_t found = 0;
    for (size_t i = 0; i < f->h; i++)
        held[f->rows[i]] = 1;
    for (size_t i = 0; i < count; i++)
        if (!held[rows[i]])
            outside[found++] = rows[i];
    for (size_t i = 0; i < f->h; i++)
        held[f->rows[i]] = 0;
    return found;
}

int constrain_folds(const ridge *r, fold *folds, size_t count, const int *spanned, size_t d,
                    memory from)
{
    size_t e = 0;
    for (size_t i = 0; i < count; i++)
        e = folds[i].e > e ? folds[i].e : e;
    if (d == 0 || e == 0)
        return SR_OK;
    int *held = new_ints(from, r->m), *outside = new_ints(from, d), status = SR_OK;
    constraint_work work = new_constraint_work(r->n, d, e, from);
    memset(held, 0, r->m * sizeof(int));
    for (size_t i = 0; i < count && status == SR_OK; i++) {
        const size_t left = folds[i].e ? rows_outside(folds + i, spanned, d, held, outside) : 0;
        if (left > 0)
            status = constrain_fold(r, folds + i, outside, left, &work, from);
    }
    return status;
}
