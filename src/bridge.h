/* bridge.h: what init.c registers, and the few helpers that bridge files share. The
 * upper storey of src: the only files that know SEXP. */
#ifndef SPARSERLS_BRIDGE_H
#define SPARSERLS_BRIDGE_H

#include <Rinternals.h>

#include "adjoint.h"
#include "basis.h"
#include "chunk_glm.h"
#include "chunk_sums.h"
#include "derivatives.h"
#include "dual.h"
#include "glm.h"
#include "greedy.h"
#include "holdout.h"
#include "intervals.h"
#include "kernel.h"
#include "linalg.h"
#include "measure.h"
#include "memory.h"
#include "pairs.h"
#include "partial_cholesky.h"
#include "primal.h"
#include "ridge.h"
#include "rls2.h"
#include "standardize.h"

/* ---- bridge.c ---------------------------------------------------------- */

/* The memory that numeric files are handed. */
void *alloc(size_t length, size_t size);
double *alloc_doubles(size_t length);
int *alloc_ints(size_t length);

SEXP list_get(SEXP list, const char *name);
/* Values of x, which must be `length` doubles; of an element of a list. */
double *doubles(SEXP x, size_t length);
double *list_doubles(SEXP list, const char *name, size_t length);
double *list_doubles_or_null(SEXP list, const char *name, size_t length);

/* Values of x, which must be `length` integers from `least` to `most`; the total; a single one. */
int *integers(SEXP x, size_t length, int least, size_t most);
size_t total(const int *x, size_t length);
size_t count_of(SEXP x, int least, size_t most);
const char *string(SEXP x);

/* An R error unless `fine`. */
void require(int fine, const char *what);

void list_set(SEXP list, const char *name, SEXP value);

/* A named list of values, which the caller protects; answer() puts `status` before them. */
typedef struct {
    const char *name;
    SEXP value;
} named;
SEXP named_list(R_xlen_t length, const named *values);
SEXP answer(int status, R_xlen_t length, const named *values);

/* Entries of an array. */
#define COUNT(table) ((R_xlen_t) (sizeof(table) / sizeof(table)[0]))

/* 0-based copy of R's indices, which must be integers from 1 to `limit`. */
int *zero_based(SEXP indices, size_t limit);

/* What OpenMP may be asked for. */
enum { MOST_THREADS = 1024 };
int thread_count(SEXP threads);

/* ---- bridge_train.c ----------------------------------------------------- */

SEXP new_matrix(size_t rows, size_t columns);
SEXP new_training(size_t n, size_t terms, SEXP y, SEXP weights, SEXP intercept, int dual);
/* Whether it is in the coordinates of its eigenvectors; to these, in place. */
int is_turned(SEXP train);
void turn_training(SEXP train);
size_t map_columns(SEXP train);
ridge ridge_from_list(SEXP train);
spectrum spectrum_from_list(SEXP list, size_t v);

/* ---- bridge_sparserls.c ------------------------------------------------- */

/* source: the n x m kernel, or a list of kernel, basis (n x p), rows (m x p) and centre (p).
 * basis: the rows that are the basis vectors, 0-based, or NULL where they are none of these. */
kernel_source source_from_sexp(SEXP source, kernel_spec *spec, size_t m, size_t n, const int *basis,
                               int threads);

/* ---- bridge_holdout.c --------------------------------------------------- */

/* The folds of a plan (R/fold-plan.R) over a basis of `terms`; their forms are still to be chosen.
 */
holdout_request request_from_list(SEXP plan, const ridge *r, size_t terms, SEXP lambda);

/* The form that a plan asks for, of `count` folds; 0 where it leaves the choice open. */
int asked_form(SEXP plan, size_t count, int *form);

/* ---- bridge_chunks.c ---------------------------------------------------- */

/* list: of source (see source_from_sexp()), cholesky (n x n) or NULL, and centre (n). */
chunk_coordinates coordinates_from_list(SEXP list, kernel_source *source, kernel_spec *spec,
                                        size_t rows, SEXP threads);

/* Members that folds score, 1-based: `scores` and `places` one fold after the other, `scored` of
 * them in each. */
scored_members *scored_from_list(SEXP plan, const ridge *r, size_t count);

/* ---- bridge_greedy.c ---------------------------------------------------- */

greedy_data greedy_data_from_list(SEXP problem);

/* ---- entry points ------------------------------------------------------ */

kernel_spec kernel_from_list(SEXP kernel);
point_set points_of(SEXP x);

SEXP ffi_constants(void);
SEXP ffi_threads(void);
SEXP ffi_instructions(void);
SEXP ffi_use_products(SEXP own, SEXP instructions);
SEXP ffi_algebra(SEXP routine, SEXP trans, SEXP size, SEXP factor, SEXP a, SEXP b, SEXP c);
SEXP ffi_kernel_block(SEXP kernel, SEXP a, SEXP b, SEXP centre, SEXP threads);
SEXP ffi_kernel_table(void);
SEXP ffi_kernel_at(SEXP kernel, SEXP u);
SEXP ffi_largest(SEXP values, SEXP bound);
SEXP ffi_kernel_from_products(SEXP kernel, SEXP products, SEXP a, SEXP b, SEXP a_squares,
                              SEXP b_squares, SEXP threads);
SEXP ffi_slopes(SEXP kernel, SEXP basis, SEXP centre, SEXP alpha, SEXP x, SEXP share, SEXP threads);
SEXP ffi_independent(SEXP k_bb, SEXP tolerance);
SEXP ffi_train(SEXP source, SEXP k_bb, SEXP basis, SEXP y, SEXP weights, SEXP intercept,
               SEXP threads);
SEXP ffi_standard_moments(SEXP x, SEXP weights);
SEXP ffi_standardize(SEXP x, SEXP centre, SEXP scale);
SEXP ffi_row_errors(SEXP loss, SEXP row, SEXP y, SEXP scores, SEXP weights, SEXP unit);
SEXP ffi_loss_sums(SEXP loss, SEXP row, SEXP y, SEXP scores, SEXP weights, SEXP unit, SEXP units);
SEXP ffi_weighted_error(SEXP values, SEXP weights);
SEXP ffi_primal(SEXP x, SEXP y, SEXP weights, SEXP intercept, SEXP singular);
SEXP ffi_dual(SEXP kernel, SEXP cross, SEXP y, SEXP weights, SEXP intercept);
SEXP ffi_leave_pairs_out(SEXP train, SEXP lambda);
SEXP ffi_coefficients(SEXP spectral, SEXP y_mean, SEXP lambda);
SEXP ffi_fitted(SEXP train, SEXP lambda);
SEXP ffi_hold_out(SEXP train, SEXP plan, SEXP lambda, SEXP want, SEXP some, SEXP moments);
SEXP ffi_jackknife_ends(SEXP scores, SEXP offset, SEXP output, SEXP refit, SEXP residual,
                        SEXP votes, SEXP target);
SEXP ffi_turned(SEXP train, SEXP plan, SEXP lambda);

SEXP ffi_loss_values(SEXP of, SEXP y, SEXP eta);
SEXP ffi_glm_null(SEXP train, SEXP of);
SEXP ffi_glm_path(SEXP train, SEXP of, SEXP lambda, SEXP how, SEXP plan, SEXP given);

SEXP ffi_chunk_sums(SEXP coordinates, SEXP size, SEXP y, SEXP weights, SEXP y_centre, SEXP threads);
SEXP ffi_chunk_scores(SEXP coordinates, SEXP size, SEXP b, SEXP offset, SEXP threads);
SEXP ffi_chunk_z(SEXP coordinates, SEXP rows, SEXP threads);
SEXP ffi_train_sums(SEXP z, SEXP y, SEXP weights, SEXP table, SEXP cholesky, SEXP z_centre,
                    SEXP y_centre, SEXP intercept);
SEXP ffi_leave_sums_out(SEXP train, SEXP lambda, SEXP plan, SEXP table);
SEXP ffi_row_hash(SEXP labels, SEXP seed);

SEXP ffi_chunk_glm(SEXP coordinates, SEXP size, SEXP rows, SEXP points, SEXP threads);
SEXP ffi_member_glm(SEXP train, SEXP plan, SEXP offset, SEXP points);
SEXP ffi_next_points(SEXP train, SEXP plan, SEXP points, SEXP sums, SEXP lambda, SEXP fine);

SEXP ffi_cv_gradient(SEXP kernel, SEXP x, SEXP centre, SEXP basis, SEXP jitter, SEXP y,
                     SEXP weights, SEXP intercept, SEXP lambda, SEXP plan, SEXP blocks,
                     SEXP threads, SEXP mapped);
SEXP ffi_greedy_select(SEXP problem, SEXP lambda, SEXP candidates, SEXP k, SEXP patience,
                       SEXP cache, SEXP folds, SEXP threads);
SEXP ffi_greedy_path(SEXP problem, SEXP lambda);
SEXP ffi_rpcholesky(SEXP columns, SEXP self, SEXP most, SEXP threads);
SEXP ffi_greedy_basis(SEXP columns, SEXP problem, SEXP lambda, SEXP jitter, SEXP open, SEXP counts,
                      SEXP draws, SEXP threads);

SEXP ffi_low_rank(SEXP columns, SEXP diagonal, SEXP most, SEXP threads);
SEXP ffi_bank_traces(SEXP bank, SEXP weights, SEXP center);
SEXP ffi_bank_variances(SEXP bank, SEXP weights, SEXP y);
SEXP ffi_rls2_top(SEXP bank, SEXP y, SEXP weights, SEXP intercept, SEXP center, SEXP scale);
SEXP ffi_rls2_path(SEXP bank, SEXP y, SEXP weights, SEXP intercept, SEXP center, SEXP scale,
                   SEXP lambda, SEXP tolerance, SEXP alternate, SEXP keep);

#endif
