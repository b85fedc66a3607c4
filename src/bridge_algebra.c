/* bridge_algebra.c: which dense algebra is used, set by R; and single routines of linalg.c, for
 * tests alone. */
#include <limits.h>
#include <string.h>

#include "band.h"
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

/* The best instructions of this processor. */
SEXP ffi_instructions(void)
{
    return Rf_mkString(find_instructions("")->name);
}

/* ---- single routines ------------------------------------------------------------ */

typedef struct {
    double *x;
    size_t ld, columns;
} matrix;

static matrix matrix_of(SEXP x)
{
    require(Rf_isReal(x) && Rf_isMatrix(x), "not a matrix of doubles");
    const matrix m = {REAL(x), (size_t) Rf_nrows(x), (size_t) Rf_ncols(x)};
    return m;
}

/* The values of a matrix whose head, rows x columns or its transpose, a routine will use. */
static double *head(matrix a, char trans, size_t rows, size_t columns)
{
    const size_t down = trans == 'T' ? columns : rows, across = trans == 'T' ? rows : columns;
    require(down <= a.ld && across <= a.columns, "a matrix is too small");
    return a.x;
}

/* Sizes m, n, k, factors alpha and beta, two letters; c is overwritten. */
typedef struct {
    char first, second;
    size_t m, n, k;
    double alpha, beta;
    matrix a, b, c;
} operands;

static int run_product(const char *routine, const operands *o)
{
    const size_t m = o->m, n = o->n, k = o->k;
    const matrix a = o->a, b = o->b, c = o->c;
    if (strcmp(routine, "gemm") == 0)
        gemm(o->first, o->second, m, n, k, o->alpha, head(a, o->first, m, k), a.ld,
             head(b, o->second, k, n), b.ld, o->beta, head(c, 'N', m, n), c.ld);
    else if (strcmp(routine, "gemv") == 0)
        gemv(o->first, m, n, o->alpha, head(a, 'N', m, n), a.ld,
             head(b, 'N', o->first == 'T' ? m : n, 1), o->beta,
             head(c, 'N', o->first == 'T' ? n : m, 1));
    else if (strcmp(routine, "symv") == 0)
        symv_lower(n, head(a, 'N', n, n), a.ld, head(b, 'N', n, 1), head(c, 'N', n, 1));
    else if (strcmp(routine, "syrk") == 0)
        syrk_lower(o->first, n, k, o->alpha, head(a, o->first, n, k), a.ld, o->beta,
                   head(c, 'N', n, n), c.ld);
    else
        return 0;
    return 1;
}

static int run_triangular(const char *routine, const operands *o, int *status)
{
    const size_t n = o->n, k = o->k;
    const matrix a = o->a, c = o->c;
    if (strcmp(routine, "solve_left") == 0)
        solve_lower_left(o->first, n, k, head(a, 'N', n, n), a.ld, head(c, 'N', n, k), c.ld);
    else if (strcmp(routine, "solve_right") == 0)
        solve_lower_right(o->first, k, n, head(a, 'N', n, n), a.ld, head(c, 'N', k, n), c.ld);
    else if (strcmp(routine, "invert") == 0)
        invert_lower(n, head(c, 'N', c.ld == n ? n : INT_MAX, n));
    else if (strcmp(routine, "cholesky") == 0)
        *status = cholesky_lower(n, head(c, 'N', n, n), c.ld);
    else
        return 0;
    return 1;
}

/* c (n x (n + 1)): eigenvectors, then eigenvalues. */
static int run_eigen(const operands *o)
{
    double *values = alloc_doubles(o->n), *c = head(o->c, 'N', o->n, o->n + 1);
    const int status = eigen_symmetric(o->n, c, o->c.ld, values, alloc);
    memcpy(c + o->n * o->c.ld, values, o->n * sizeof(double));
    return status;
}

/* Q of the QR factorization of a (rows x k) on c (m x n), from the left or the right. */
static int run_qr(const operands *o)
{
    const size_t rows = o->first == 'L' ? o->m : o->n, k = o->k, size = qr_work(o->m + o->n, k);
    double *factor = alloc_doubles(o->a.ld * k), *tau = alloc_doubles(k);
    double *work = alloc_doubles(size);
    require(k <= rows, "more reflectors than rows");
    memcpy(factor, head(o->a, 'N', rows, k), o->a.ld * k * sizeof(double));
    const int status = qr_factor(rows, k, factor, o->a.ld, tau, work, size);
    qr_apply(o->first, o->second, o->m, o->n, k, factor, o->a.ld, tau, head(o->c, 'N', o->m, o->n),
             o->c.ld, work, size);
    return status;
}

/* c (n x k) = (a + alpha I)^-1 c by the band form; pivots whose squares are not above beta fail. */
static int run_band(const operands *o)
{
    const size_t n = o->n, k = o->k, lda = o->a.ld;
    double *a = alloc_doubles(lda * n), *c = head(o->c, 'N', n, k);
    band_work work = new_band_work(n, k, alloc);
    memcpy(a, head(o->a, 'N', n, n), lda * n * sizeof(double));
    int status = band_form(n, a, lda, &work);
    if (status == SR_OK) {
        band_apply('T', n, k, a, lda, c, o->c.ld, &work);
        status = band_solve(n, k, a, lda, o->alpha, o->beta, c, o->c.ld, &work);
        band_apply('N', n, k, a, lda, c, o->c.ld, &work);
    }
    return status;
}

/* c (n x n, lower) turned by the QR factorization of a (n x k): its trailing block. */
static int run_turn(const operands *o)
{
    const size_t n = o->n, k = o->k, size = qr_work(n, k);
    double *factor = alloc_doubles(o->a.ld * k), *tau = alloc_doubles(k);
    band_work work = new_band_work(n, k, alloc);
    require(k <= n, "more reflectors than rows");
    memcpy(factor, head(o->a, 'N', n, k), o->a.ld * k * sizeof(double));
    const int status = qr_factor(n, k, factor, o->a.ld, tau, alloc_doubles(size), size);
    turn_symmetric(n, k, factor, o->a.ld, tau, head(o->c, 'N', n, n), o->c.ld, &work);
    return status;
}

/* letters: trans of A and B, or side and trans; size: m, n, k; factor: alpha, beta. Answers what
 * became of c, and the status as an attribute. */
SEXP ffi_algebra(SEXP routine, SEXP letters, SEXP size, SEXP factor, SEXP a, SEXP b, SEXP c)
{
    SEXP out = PROTECT(Rf_duplicate(c));
    const char *name = string(routine), *letter = string(letters);
    const int *sizes = integers(size, 3, 0, INT_MAX);
    const double *factors = doubles(factor, 2);
    require(strlen(letter) == 2, "not two letters");
    const operands o = {letter[0],         letter[1],     (size_t) sizes[0], (size_t) sizes[1],
                        (size_t) sizes[2], factors[0],    factors[1],        matrix_of(a),
                        matrix_of(b),      matrix_of(out)};
    int status = SR_OK;
    if (strcmp(name, "eigen") == 0)
        status = run_eigen(&o);
    else if (strcmp(name, "qr") == 0)
        status = run_qr(&o);
    else if (strcmp(name, "band") == 0)
        status = run_band(&o);
    else if (strcmp(name, "turn") == 0)
        status = run_turn(&o);
    else
        require(run_product(name, &o) || run_triangular(name, &o, &status), "no such routine");
    SEXP found = PROTECT(Rf_ScalarInteger(status));
    Rf_setAttrib(out, Rf_install("status"), found);
    UNPROTECT(2);
    return out;
}
