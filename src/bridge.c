/* bridge.c: helpers of the bridge: named lists, index vectors, workspace.
 *
 * Workspace comes from R_alloc, so that an interrupt or an error leaks nothing.
 * With -DSPARSERLS_EXACT_ALLOC every piece is a malloc of exactly its size (and
 * leaks), so that address sanitizers see one element past its end. */
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

void *alloc(size_t length, size_t size)
{
#ifdef SPARSERLS_EXACT_ALLOC
    return malloc(length * size);
#else
    return R_alloc(length, (int) size);
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
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t i = 0; i < Rf_xlength(list); i++)
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

double *list_doubles(SEXP list, const char *name)
{
    SEXP value = list_get(list, name);
    return Rf_isNull(value) ? NULL : REAL(value);
}

SEXP named_list(int length, const char **names, SEXP *values)
{
    SEXP list = PROTECT(Rf_allocVector(VECSXP, length));
    SEXP list_names = PROTECT(Rf_allocVector(STRSXP, length));
    for (int i = 0; i < length; i++) {
        SET_VECTOR_ELT(list, i, values[i]);
        SET_STRING_ELT(list_names, i, Rf_mkChar(names[i]));
    }
    Rf_setAttrib(list, R_NamesSymbol, list_names);
    UNPROTECT(2);
    return list;
}

size_t largest_of(const int *x, size_t length, size_t least)
{
    for (size_t i = 0; i < length; i++)
        if ((size_t) x[i] > least)
            least = (size_t) x[i];
    return least;
}

int *zero_based(SEXP indices)
{
    const R_xlen_t length = Rf_xlength(indices);
    const int *from = INTEGER(indices);
    int *to = alloc_ints((size_t) length);
    for (R_xlen_t i = 0; i < length; i++)
        to[i] = from[i] - 1;
    return to;
}
