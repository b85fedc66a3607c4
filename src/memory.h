/* memory.h: where workspaces come from. Ground.
 *
 * Numeric files own no memory, but only they know how much they need. So they are given a `memory`:
 * a function that returns a new array of so many elements of so many bytes, or does not return. The
 * array belongs to the caller (the bridge; it lasts for the call of .Call). Every piece is
 * allocated separately, so that address sanitizers see the end of each. */
#ifndef SPARSERLS_MEMORY_H
#define SPARSERLS_MEMORY_H

#include <stddef.h>

typedef void *(*memory)(size_t length, size_t size);

static inline double *new_doubles(memory from, size_t length)
{
    return from(length, sizeof(double));
}

static inline int *new_ints(memory from, size_t length)
{
    return from(length, sizeof(int));
}

#endif
