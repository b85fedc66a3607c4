/* row_hash.h: a number for every label, the same on every machine. */
#ifndef SPARSERLS_ROW_HASH_H
#define SPARSERLS_ROW_HASH_H

#include <stddef.h>

/* Evenly distributed in [0, 1): of a string of bytes, and of a number. */
double hash_bytes(const char *bytes, size_t length, double seed);
double hash_number(double x, double seed);

#endif
