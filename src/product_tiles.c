/* product_tiles.c: the innermost loops of products, for several processors.
 *
 * One text, compiled for several processors by attributes of GCC and clang, with their types for
 * vectors; elsewhere a vector is a single double. Which of them runs depends on the processor at
 * run time, never on the machine that compiled them. A tile is as large as there are registers:
 * with 16 of them 12 for sums, 3 for A, 1 for the number of B that multiplies those three. Loads
 * and stores are unaligned: neither R's vectors nor, on Windows, the stack lie as wide vectors
 * would like. */
#include <string.h>

#include "product.h"

#define SUMS(j) lanes s0##j = {0}, s1##j = {0}, s2##j = {0};
#define ADD(j)                                                                                     \
    s0##j += a0 * b[j];                                                                            \
    s1##j += a1 * b[j];                                                                            \
    s2##j += a2 * b[j];
#define STORE(j)                                                                                   \
    out[3 * j] = s0##j;                                                                            \
    out[3 * j + 1] = s1##j;                                                                        \
    out[3 * j + 2] = s2##j;
#define EACH_OF_4(WHAT) WHAT(0) WHAT(1) WHAT(2) WHAT(3)
#define EACH_OF_8(WHAT) EACH_OF_4(WHAT) WHAT(4) WHAT(5) WHAT(6) WHAT(7)

#define TILE(name, TARGET, vector, EACH, columns)                                                  \
    TARGET static void name(size_t depth, const double *a, const double *b, double *tile)          \
    {                                                                                              \
        typedef vector lanes;                                                                      \
        EACH(SUMS)                                                                                 \
        for (size_t p = 0; p < depth; p++) {                                                       \
            const lanes *from = (const lanes *) a;                                                 \
            const lanes a0 = from[0], a1 = from[1], a2 = from[2];                                  \
            EACH(ADD)                                                                              \
            a = (const double *) (from + 3);                                                       \
            b += columns;                                                                          \
        }                                                                                          \
        lanes *out = (lanes *) tile;                                                               \
        EACH(STORE)                                                                                \
    }

/* Four columns of the lower triangle, both ways: each of their numbers is read once. */
#define SYMMETRIC(name, TARGET, vector)                                                            \
    TARGET static void name(size_t n, const double *a, size_t lda, const double *x, double *y)     \
    {                                                                                              \
        typedef vector lanes;                                                                      \
        enum { WIDE_BY = sizeof(lanes) / sizeof(double) };                                         \
        const double x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];                                   \
        lanes t0 = {0}, t1 = {0}, t2 = {0}, t3 = {0};                                              \
        double sums[4] = {0};                                                                      \
        size_t i = 4;                                                                              \
        for (; i + WIDE_BY <= n; i += WIDE_BY) {                                                   \
            const lanes a0 = *(const lanes *) (a + i), a1 = *(const lanes *) (a + lda + i),        \
                        a2 = *(const lanes *) (a + 2 * lda + i),                                   \
                        a3 = *(const lanes *) (a + 3 * lda + i), at = *(const lanes *) (x + i);    \
            *(lanes *) (y + i) += (a0 * x0 + a1 * x1) + (a2 * x2 + a3 * x3);                       \
            t0 += a0 * at;                                                                         \
            t1 += a1 * at;                                                                         \
            t2 += a2 * at;                                                                         \
            t3 += a3 * at;                                                                         \
        }                                                                                          \
        const lanes t[4] = {t0, t1, t2, t3};                                                       \
        for (size_t j = 0; j < 4; j++)                                                             \
            for (size_t l = 0; l < WIDE_BY; l++)                                                   \
                sums[j] += ((const double *) (t + j))[l];                                          \
        for (; i < n; i++)                                                                         \
            for (size_t j = 0; j < 4; j++) {                                                       \
                y[i] += a[i + j * lda] * x[j];                                                     \
                sums[j] += a[i + j * lda] * x[i];                                                  \
            }                                                                                      \
        for (size_t j = 0; j < 4; j++)                                                             \
            y[j] += sums[j];                                                                       \
    }

#if defined(__GNUC__)
#define LANES(n) __attribute__((vector_size(8 * n), aligned(8), may_alias))
typedef double two_lanes LANES(2);
#else
typedef double two_lanes;
#endif

#if defined(__aarch64__) /* 32 registers */
TILE(tile_plain, , two_lanes, EACH_OF_8, 8)
enum { PLAIN_COLUMNS = 8 };
#else
TILE(tile_plain, , two_lanes, EACH_OF_4, 4)
enum { PLAIN_COLUMNS = 4 };
#endif
SYMMETRIC(symmetric_plain, , two_lanes)

#if defined(__GNUC__) && defined(__x86_64__)
#define CHOICE
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx2,fma")))
typedef double four_lanes LANES(4);
typedef double eight_lanes LANES(8);
TILE(tile_avx2, AVX2, four_lanes, EACH_OF_4, 4)
TILE(tile_avx512, AVX512, eight_lanes, EACH_OF_8, 8)
SYMMETRIC(symmetric_avx2, AVX2, four_lanes)
#endif

/* The best first. */
static const instruction_set sets[] = {
#ifdef CHOICE
    {"avx512", 24, 8, tile_avx512, symmetric_avx2},
    {"avx2", 12, 4, tile_avx2, symmetric_avx2},
#endif
    {"plain", 3 * sizeof(two_lanes) / sizeof(double), PLAIN_COLUMNS, tile_plain, symmetric_plain}};

static int supported(const char *name)
{
#ifdef CHOICE
    const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (strcmp(name, "avx512") == 0)
        return avx2 && __builtin_cpu_supports("avx512f");
    if (strcmp(name, "avx2") == 0)
        return avx2;
#endif
    return strcmp(name, "plain") == 0;
}

const instruction_set *find_instructions(const char *name)
{
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
        if ((*name == '\0' || strcmp(name, sets[i].name) == 0) && supported(sets[i].name))
            return sets + i;
    return NULL;
}
