/* vector.h: loops over columns, and the smaller and larger of two lengths. Ground. */
#ifndef SPARSERLS_VECTOR_H
#define SPARSERLS_VECTOR_H

#include <stddef.h>

/* The inner loops are compiled for processors with AVX2 as well, where the compiler and the system
 * can choose between two versions of a function. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

static inline size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

double dot(size_t length, const double *a, const double *b);
void add_multiple(size_t length, double factor, const double *from, double *to);

#endif
