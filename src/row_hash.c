/* row_hash.c: random numbers that belong to labels.
 *
 * A label gets the same number on every machine and in any order, so that rows are dealt to folds,
 * and sampled, without communication. Bytes are hashed by FNV-1a (Fowler, Noll and Vo), whose last
 * bits are good and whose first are not; the finalizer of splitmix64 (Steele, Lea and Flood 2014)
 * spreads them. The seed is hashed first. */
#include <stdint.h>
#include <string.h>

#include "row_hash.h"

static uint64_t more_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * UINT64_C(1099511628211);
    return hash;
}

/* A number as its eight bytes, the lowest first. */
static uint64_t more_number(uint64_t hash, double x)
{
    uint64_t bits;
    unsigned char bytes[8];
    x += 0.0; /* -0 is 0 */
    memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char) (bits >> (8 * i));
    return more_bytes(hash, bytes, sizeof bytes);
}

/* The first 53 bits after mixing, a double's worth. */
static double unit_interval(uint64_t hash)
{
    hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
    hash ^= hash >> 31;
    return (double) (hash >> 11) * 0x1p-53;
}

static uint64_t seeded(double seed)
{
    return more_number(UINT64_C(14695981039346656037), seed);
}

double hash_bytes(const char *bytes, size_t length, double seed)
{
    return unit_interval(more_bytes(seeded(seed), bytes, length));
}

double hash_number(double x, double seed)
{
    return unit_interval(more_number(seeded(seed), x));
}
