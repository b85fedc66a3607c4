/* bridge.c: helpers of the bridge: named lists, values and indices of a known size, workspace.
 *
 * Whatever R hands over is read through doubles(), zero_based() and their like, which compare its
 * length and its range with what the numeric core will read: an R error, never a read outside
 * memory. Users' mistakes are found in R before; an edited object is stopped here.
 *
 * Workspace comes from R_alloc, so that an interrupt or an error leaks nothing.
 * With -DSPARSERLS_EXACT_ALLOC every piece is a malloc of exactly its size (and
 * leaks), so that address sanitizers see one element past its end. */
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "bridge.h"

void *alloc(size_t length, size_t size)
{
#ifdef SPARSERLS_EXACT_ALLOC
    return malloc(length * size);
#else
    /* Of nothing R_alloc answers NULL, which memcpy() of no bytes must not be given. */
    return R_alloc(length > 0 ? length : 1, (int) size);
#endif
}

double *alloc_doubles(size_t length)
{
    return alloc(length, sizeof(double));
}

int *alloc_ints(size_t length)
{
    return alloc(length, sizeof(int));
}

static R_xlen_t list_position(SEXP list, const char *name)
{
    require(Rf_isNewList(list) == TRUE, "not a list");
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t i = 0; i < Rf_xlength(names); i++)
        if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0)
            return i;
    Rf_error("internal error: no element `%s`", name);
}

SEXP list_get(SEXP list, const char *name)
{
    return VECTOR_ELT(list, list_position(list, name));
}

void list_set(SEXP list, const char *name, SEXP value)
{
    PROTECT(value);
    SET_VECTOR_ELT(list, list_position(list, name), value);
    UNPROTECT(1);
}

void require(int fine, const char *what)
{
    if (!fine)
        Rf_error("internal error: %s", what);
}

static double *named_doubles(SEXP x, size_t length, const char *name)
{
    if (!Rf_isReal(x) || (size_t) Rf_xlength(x) != length)
        Rf_error("internal error: `%s` is not a vector of %.0f doubles", name, (double) length);
    return REAL(x);
}

double *doubles(SEXP x, size_t length)
{
    return named_doubles(x, length, "an argument");
}

double *list_doubles(SEXP list, const char *name, size_t length)
{
    return named_doubles(list_get(list, name), length, name);
}

double *list_doubles_or_null(SEXP list, const char *name, size_t length)
{
    SEXP value = list_get(list, name);
    return Rf_isNull(value) ? NULL : named_doubles(value, length, name);
}

int *integers(SEXP x, size_t length, int least, size_t most)
{
    require(Rf_isInteger(x) && (size_t) Rf_xlength(x) == length, "not the integers expected");
    int *values = INTEGER(x);
    for (size_t i = 0; i < length; i++)
        require(values[i] >= least && (values[i] < 0 || (size_t) values[i] <= most),
                "an integer is outside its range");
    return values;
}

size_t total(const int *x, size_t length)
{
    size_t sum = 0;
    for (size_t i = 0; i < length; i++)
        sum += (size_t) x[i];
    return sum;
}

size_t count_of(SEXP x, int least, size_t most)
{
    return (size_t) *integers(x, 1, least, most);
}

const char *string(SEXP x)
{
    require(Rf_isString(x) && Rf_xlength(x) == 1, "not a string");
    return CHAR(STRING_ELT(x, 0));
}

SEXP named_list(R_xlen_t length, const named *values)
{
    SEXP list = PROTECT(Rf_allocVector(VECSXP, length));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, length));
    for (R_xlen_t i = 0; i < length; i++) {
        SET_VECTOR_ELT(list, i, values[i].value);
        SET_STRING_ELT(names, i, Rf_mkChar(values[i].name));
    }
    Rf_setAttrib(list, R_NamesSymbol, names);
    UNPROTECT(2);
    return list;
}

SEXP answer(int status, R_xlen_t length, const named *values)
{
    named *all = alloc((size_t) length + 1, sizeof(named));
    all[0] = (named){"status", PROTECT(Rf_ScalarInteger(status))};
    memcpy(all + 1, values, (size_t) length * sizeof(named));
    SEXP out = named_list(length + 1, all);
    UNPROTECT(1);
    return out;
}

int thread_count(SEXP threads)
{
    return (int) count_of(threads, 1, MOST_THREADS);
}

/* The threads that this process may use. */
SEXP ffi_threads(void)
{
    int most = 1;
#ifdef _OPENMP
    const int cores = omp_get_num_procs(), limit = omp_get_thread_limit();
    most = limit < cores ? limit : cores;
#endif
    return Rf_ScalarInteger(most < MOST_THREADS ? most : MOST_THREADS);
}

int *zero_based(SEXP indices, size_t limit)
{
    const size_t length = (size_t) Rf_xlength(indices);
    const int *from = integers(indices, length, 1, limit);
    int *to = alloc_ints(length);
    for (size_t i = 0; i < length; i++)
        to[i] = from[i] - 1;
    return to;
}
