/* bridge_constants.c: the numbers of constants.h for R, by name. */
#include "bridge.h"

typedef struct {
    const char *name;
    double value;
} constant;

static const constant statuses[] = {{"ok", SR_OK},
                                    {"not_finite", SR_NOT_FINITE},
                                    {"not_positive", SR_NOT_POSITIVE},
                                    {"no_convergence", SR_NO_CONVERGENCE},
                                    {"ill_posed", SR_ILL_POSED}};
static const constant tolerances[] = {{"resolution", RESOLUTION}, {"tie", TIE}, {"near", NEAR}};

/* A named vector of doubles, or of integers where the constants are codes. */
static SEXP named_constants(const constant *table, R_xlen_t count, SEXPTYPE type)
{
    SEXP values = PROTECT(Rf_allocVector(type, count));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        if (type == INTSXP)
            INTEGER(values)[i] = (int) table[i].value;
        else
            REAL(values)[i] = table[i].value;
        SET_STRING_ELT(names, i, Rf_mkChar(table[i].name));
    }
    Rf_setAttrib(values, R_NamesSymbol, names);
    UNPROTECT(2);
    return values;
}

SEXP ffi_constants(void)
{
    const named values[] = {
        {"status", PROTECT(named_constants(statuses, COUNT(statuses), INTSXP))},
        {"tolerance", PROTECT(named_constants(tolerances, COUNT(tolerances), REALSXP))}};
    SEXP out = named_list(COUNT(values), values);
    UNPROTECT(2);
    return out;
}
