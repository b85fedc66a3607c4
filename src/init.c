/* init.c: the registration table. */
#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#include "bridge.h"

/* Through void (*)(void), the one type of function that compilers let stand for all others. */
#define ENTRY(name, arguments)                                                                     \
    {                                                                                              \
#name, (DL_FUNC) (void (*)(void)) &name, arguments                                         \
    }

static const R_CallMethodDef entries[] = {ENTRY(ffi_constants, 0),
                                          ENTRY(ffi_threads, 0),
                                          ENTRY(ffi_instructions, 0),
                                          ENTRY(ffi_use_products, 2),
                                          ENTRY(ffi_algebra, 7),
                                          ENTRY(ffi_kernel_block, 5),
                                          ENTRY(ffi_kernel_from_products, 7),
                                          ENTRY(ffi_kernel_table, 0),
                                          ENTRY(ffi_kernel_at, 2),
                                          ENTRY(ffi_largest, 2),
                                          ENTRY(ffi_slopes, 7),
                                          ENTRY(ffi_independent, 2),
                                          ENTRY(ffi_train, 7),
                                          ENTRY(ffi_primal, 5),
                                          ENTRY(ffi_dual, 5),
                                          ENTRY(ffi_leave_pairs_out, 2),
                                          ENTRY(ffi_coefficients, 3),
                                          ENTRY(ffi_row_errors, 6),
                                          ENTRY(ffi_standard_moments, 2),
                                          ENTRY(ffi_standardize, 3),
                                          ENTRY(ffi_weighted_error, 2),
                                          ENTRY(ffi_fitted, 2),
                                          ENTRY(ffi_hold_out, 6),
                                          ENTRY(ffi_cv_gradient, 13),
                                          ENTRY(ffi_jackknife_ends, 7),
                                          ENTRY(ffi_turned, 3),
                                          ENTRY(ffi_loss_values, 3),
                                          ENTRY(ffi_glm_null, 2),
                                          ENTRY(ffi_glm_path, 6),
                                          ENTRY(ffi_greedy_select, 8),
                                          ENTRY(ffi_greedy_path, 2),
                                          ENTRY(ffi_low_rank, 4),
                                          ENTRY(ffi_bank_traces, 3),
                                          ENTRY(ffi_bank_variances, 3),
                                          ENTRY(ffi_rls2_top, 6),
                                          ENTRY(ffi_rls2_path, 10),
                                          ENTRY(ffi_rpcholesky, 4),
                                          ENTRY(ffi_greedy_basis, 8),
                                          ENTRY(ffi_chunk_sums, 6),
                                          ENTRY(ffi_chunk_scores, 5),
                                          ENTRY(ffi_chunk_z, 3),
                                          ENTRY(ffi_chunk_glm, 5),
                                          ENTRY(ffi_member_glm, 4),
                                          ENTRY(ffi_next_points, 6),
                                          ENTRY(ffi_train_sums, 8),
                                          ENTRY(ffi_leave_sums_out, 4),
                                          ENTRY(ffi_row_hash, 2),
                                          ENTRY(ffi_loss_sums, 7),
                                          {NULL, NULL, 0}};

void attribute_visible R_init_sparserls(DllInfo *dll)
{
    R_registerRoutines(dll, NULL, entries, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
}
