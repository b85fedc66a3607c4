/* bridge_algebra.c: which dense algebra is used, set by R; and single routines of linalg.c, for
 * tests alone. */
#include <limits.h>
#include <string.h>

#include "bridge.h"

/* own: whether our own products are wanted; instructions: a name of product_tiles.c, or "" for the
 * best. Answers the name of what is used, "" for R's BLAS; NA where there are no such instructions,
 * and all stays as it was. */
SEXP ffi_use_products(SEXP own, SEXP instructions)
{
    const instruction_set *set = NULL;
    if (Rf_asLogical(own) == 1) {
        set = find_instructions(string(instructions));
        if (!set)
            return Rf_ScalarString(NA_STRING);
    }
    use_own_products(set);
    return Rf_mkString(set ? set->name : "");
}

/* What a routine works on: sizes m, n, k, factors alpha, beta; matrices with their leading
 * dimensions. c, a copy, is what it overwrites. */
typedef struct {
    char left, right; /* trans */
    size_t m, n, k;
    double alpha, beta;
    const double *a, *b;
    double *c;
    size_t lda, ldb, ldc;
} operands;

static int eigenvectors(operands *o)
{
    double *values = alloc_doubles(o->n);
    const int status = eigen_symmetric(o->n, o->c, o->ldc, values, alloc);
    memcpy(o->c + o->n * o->ldc, values, o->n * sizeof(double));
    return status;
}

/* B becomes op(Q) B from the left (m x n) or B op(Q) from the right; Q of A's k columns. */
static int orthogonal(operands *o)
{
    const size_t rows = o->left == 'L' ? o->m : o->n, size = qr_work(o->m + o->n, o->k);
    double *copy = alloc_doubles(o->lda * o->k), *tau = alloc_doubles(o->k);
    double *work = alloc_doubles(size);
    memcpy(copy, o->a, o->lda * o->k * sizeof(double));
    const int status = qr_factor(rows, o->k, copy, o->lda, tau, work, size);
    qr_apply(o->left, o->right, o->m, o->n, o->k, copy, o->lda, tau, o->c, o->ldc, work, size);
    return status;
}

static int run(const char *routine, operands *o)
{
    const size_t m = o->m, n = o->n, k = o->k;
    int status = SR_OK;
    if (strcmp(routine, "gemm") == 0)
        gemm(o->left, o->right, m, n, k, o->alpha, o->a, o->lda, o->b, o->ldb, o->beta, o->c,
             o->ldc);
    else if (strcmp(routine, "gemv") == 0)
        gemv(o->left, m, n, o->alpha, o->a, o->lda, o->b, o->beta, o->c);
    else if (strcmp(routine, "symv") == 0)
        symv_lower(n, o->a, o->lda, o->b, o->c);
    else if (strcmp(routine, "syrk") == 0)
        syrk_lower(o->left, n, k, o->alpha, o->a, o->lda, o->beta, o->c, o->ldc);
    else if (strcmp(routine, "solve_left") == 0)
        solve_lower_left(o->left, n, k, o->a, o->lda, o->c, o->ldc);
    else if (strcmp(routine, "solve_right") == 0)
        solve_lower_right(o->left, k, n, o->a, o->lda, o->c, o->ldc);
    else if (strcmp(routine, "invert") == 0)
        invert_lower(n, o->c);
    else if (strcmp(routine, "cholesky") == 0)
        status = cholesky_lower(n, o->c, o->ldc);
    else if (strcmp(routine, "eigen") == 0)
        status = eigenvectors(o);
    else if (strcmp(routine, "qr") == 0)
        status = orthogonal(o);
    else
        require(0, "no such routine");
    return status;
}

/* trans: two letters; size: m, n, k; factor: alpha, beta; c, with the status as an attribute. */
SEXP ffi_algebra(SEXP routine, SEXP trans, SEXP size, SEXP factor, SEXP a, SEXP b, SEXP c)
{
    SEXP out = PROTECT(Rf_duplicate(c));
    const int *sizes = integers(size, 3, 0, INT_MAX);
    const double *factors = doubles(factor, 2);
    operands o = {string(trans)[0],
                  string(trans)[1],
                  (size_t) sizes[0],
                  (size_t) sizes[1],
                  (size_t) sizes[2],
                  factors[0],
                  factors[1],
                  REAL(a),
                  REAL(b),
                  REAL(out),
                  (size_t) Rf_nrows(a),
                  (size_t) Rf_nrows(b),
                  (size_t) Rf_nrows(c)};
    Rf_setAttrib(out, Rf_install("status"), Rf_ScalarInteger(run(string(routine), &o)));
    UNPROTECT(1);
    return out;
}
