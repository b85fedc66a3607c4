/* kernel.h: the table of kernels, and blocks of kernel matrices. Ground. */
#ifndef SPARSERLS_KERNEL_H
#define SPARSERLS_KERNEL_H

#include <stddef.h>

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

/* out (a.rows x b.rows, leading dimension ld_out) = k(a_i, b_j). `centre`
 * (length p, or NULL) is subtracted from both sides where k is a function of the squared distance;
 * work holds kernel_work(a, b). */
size_t kernel_work(const kernel_spec *kernel, point_set a, point_set b);
void kernel_block(const kernel_spec *kernel, point_set a, point_set b, const double *centre,
                  double *out, size_t ld_out, double *work, int threads);

/* The same from inner products that stand in out (a.rows x b.rows) already: out[i, j] = a_i'b_j,
 * and the squares a_i'a_i and b_j'b_j, which are overwritten. Not for kernels of the absolute
 * distance. a and b may lack their entries where k is a function of the inner product. */
void kernel_from_products(const kernel_spec *kernel, sparse_set a, sparse_set b, double *a_squares,
                          double *b_squares, double *out, int threads);

#endif
