/* kernel.h: the table of kernels, and blocks of kernel matrices. Ground. */
#ifndef SPARSERLS_KERNEL_H
#define SPARSERLS_KERNEL_H

#include <stddef.h>

#include "memory.h"

/* ---- kernel.c: the table ------------------------------------------------------ */

/* The number u(a, b) that a kernel is a function of. */
enum kernel_argument {
    OF_PRODUCT,          /* a'b */
    OF_SQUARED_DISTANCE, /* |a - b|^2 */
    OF_ABSOLUTE_DISTANCE /* sum_d |a_d - b_d| */
};

/* A parameter by R's name, and its finite values from low to high. */
typedef struct {
    const char *name;
    double low, high;
} kernel_parameter;

enum { MOST_PARAMETERS = 3 };

typedef struct {
    const char *name;  /* R's kernel_<name>() */
    const char *label; /* in "<label> kernel" */
    enum kernel_argument argument;
    int slopes;                                   /* k is the inner product itself: f has slopes */
    kernel_parameter parameters[MOST_PARAMETERS]; /* up to the first without a name */
    /* k over its arguments u (length), and dk/du to slope where that is not NULL; theta: the values
     * of the parameters. */
    void (*evaluate)(const double *theta, size_t length, double *u, double *slope);
    /* k - 1 over u with all its digits where k is near 1; NULL where nobody has written it. */
    void (*less_one)(const double *theta, size_t length, double *u);
} kernel_kind;

/* The table, `count` kernels. */
const kernel_kind *kernel_table(size_t *count);

/* ---- kernel_block.c: values on points -------------------------------------------- */

typedef struct {
    const kernel_kind *kind;
    double theta[MOST_PARAMETERS];
    int normalize; /* divide by sqrt(k(a,a) k(b,b)) */
    int less_one;  /* k - 1 in place of k, where the table has it */
} kernel_spec;

/* One side of a kernel block: `rows` points of p coordinates, point i in
 * x[i], x[i + ld], ... */
typedef struct {
    const double *x;
    size_t rows, ld, p;
} point_set;

/* Sparse points: those of row i are the entries start[i], ..., start[i + 1] - 1, columns
 * ascending. */
typedef struct {
    const int *start, *column;
    const double *value;
    size_t rows;
} sparse_set;

/* target (rows x p) = points - centre, or the points themselves without a centre. */
point_set centred_points(point_set points, const double *centre, double *target);

/* |x|^2 of every point. */
void row_squares(point_set points, double *squares);

/* out (a.rows x b.rows, leading dimension ld_out) = k(a_i, b_j), and dk/du to slope, of the same
 * shape, where that is not NULL (not of normalized kernels of the inner product, nor of k - 1).
 * `centre` (length p, or NULL) is subtracted from both sides where k is a function of the squared
 * distance; work holds kernel_work(a, b). */
size_t kernel_work(const kernel_spec *kernel, point_set a, point_set b);
void kernel_block(const kernel_spec *kernel, point_set a, point_set b, const double *centre,
                  double *out, double *slope, size_t ld_out, double *work, int threads);

/* The same from inner products that stand in out (a.rows x b.rows) already: out[i, j] = a_i'b_j,
 * and the squares a_i'a_i and b_j'b_j, which are overwritten. Not for kernels of the absolute
 * distance. a and b may lack their entries where k is a function of the inner product. */
void kernel_from_products(const kernel_spec *kernel, sparse_set a, sparse_set b, double *a_squares,
                          double *b_squares, double *out, int threads);

/* The largest of the values that are less than the bound. */
double largest_below(size_t length, const double *values, double bound);

/* ---- kernel_moments.c: derivatives by widths of features, or by a map of them ---------- */

/* Points and what is subtracted from them: p values, or NULL. */
typedef struct {
    point_set points;
    const double *centre;
} centred_set;

/* Sums over pairs of points that come in blocks; see kernel_moments.c. */
typedef struct {
    const kernel_spec *kernel;
    centred_set a;
    point_set a_centred;
    int full; /* all of S, or its diagonal alone */
    int threads;
    double *b_centred, *b_weighted; /* block x p */
    double *products;               /* a.rows x p */
    double *row_sums;               /* a.rows */
    double *difference;             /* p */
    double *moments;                /* p x p, or p */
} pair_moments;

/* a: before the map, or scaled by the widths. full: not of the absolute distance. block: the
 * largest number of points b at a time. */
pair_moments new_pair_moments(const kernel_spec *kernel, centred_set a, int full, size_t block,
                              int threads, memory from);

/* bar, slope: a.rows x b.rows; bar is overwritten. */
void add_pair_moments(pair_moments *s, point_set b, double *bar, const double *slope);

/* moments are complete after this. */
void finish_pair_moments(pair_moments *s);

#endif
