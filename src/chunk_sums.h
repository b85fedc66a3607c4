/* chunk_sums.h: sums over the rows of chunks, by fold, and cross-validation from them (sums_cv.c).
 * Rows that are members of the basis are not part of the sums: refits have them one by one. */
#ifndef SPARSERLS_CHUNK_SUMS_H
#define SPARSERLS_CHUNK_SUMS_H

#include "holdout.h"

/* Sums of `count` folds one after the other, about provisional centres (zero without an intercept):
 * what row_sums.h says of each, and squares of y. */
typedef struct {
    size_t count, n, v;
    double *gram; /* n x n x count, lower triangles */
    double *zy;   /* n x (v + 1) x count */
    double *wy;   /* v x count */
    double *w;    /* count */
    double *yy;   /* v x count, the sums of w y^2 */
} fold_table;

/* The sums of fold f, whose arrays are those of the table. */
row_sums table_entry(const fold_table *table, size_t f);

/* Rows of a chunk in coordinates: z = C^-1 k less z_centre, or (cholesky NULL) features less it. */
typedef struct {
    const kernel_source *source;
    const double *cholesky; /* n x n, lower triangle, or NULL */
    const double *z_centre; /* n */
    size_t n;
} chunk_coordinates;

/* Sums of a chunk of rows that are in the order of their folds, size[f] of them in fold f.
 * y: rows x v. SR_NOT_FINITE: the kernel has values that are not finite. */
int chunk_sums(const chunk_coordinates *at, const int *size, size_t rows, const double *y,
               const double *weights, const double *y_centre, fold_table *to, memory from);

/* Values of the same rows, rows x columns: z'b + offset, b (n x columns) and offset (columns) those
 * of the row's fold. */
int chunk_scores(const chunk_coordinates *at, const int *size, size_t count, size_t rows,
                 size_t columns, const double *b, const double *offset, double *values,
                 memory from);

/* z (n x some, at most ROW_BLOCK) of the rows from `start` on; work: of kernel_rows_work(). */
int chunk_block(const chunk_coordinates *at, size_t start, size_t some, double *z, double *work);

/* z (n x rows) of a chunk. */
int chunk_z(const chunk_coordinates *at, size_t rows, double *z, memory from);

/* ---- sums_cv.c ------------------------------------------------------------------------- */

/* Which members a fold scores: y and weight of `rows`, z of `places`. */
typedef struct {
    const int *rows, *places;
    size_t count;
} scored_members;

/* Sums over all rows: those of the table and of all members (the rows of r, about the same
 * centres). yy: v. */
void sum_table(const ridge *r, const fold_table *table, row_sums *sums, double *yy, memory from);

/* From sums about the provisional centres to a problem about the means: gram, zy, z_mean and y_mean
 * of r, and its rows, z and y less the provisional centres, less the means; yy less theirs. */
void centre_training(ridge *r, row_sums *all, const double *z_centre, const double *y_centre,
                     double *yy);

/* map, C^-1, or (NULL) the identity. */
void map_training(ridge *r, const double *cholesky);

/* The refits without every fold and their squared errors on it. r: the members about the
 * provisional centres, which are its z_mean and y_mean; folds: members that leave, are removed or
 * join. b: n x (v c) x count; offset (intercepts of y less y_mean) and errors (weighted sums of
 * squares): (v c) x count. */
int leave_sums_out(const ridge *r, const fold_table *table, fold *folds,
                   const scored_members *scored, const int *spanned, size_t d, const double *lambda,
                   size_t c, double *b, double *offset, double *errors, size_t *failed,
                   memory from);

#endif
