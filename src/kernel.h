/* kernel.h: blocks of kernel matrices. Ground. */
#ifndef SPARSERLS_KERNEL_H
#define SPARSERLS_KERNEL_H

#include <stddef.h>

enum kernel_type { KERNEL_LINEAR = 0, KERNEL_GAUSSIAN, KERNEL_LAPLACIAN, KERNEL_POLYNOMIAL };

typedef struct {
    enum kernel_type type;
    double gamma;         /* Gaussian, Laplacian */
    int degree;           /* polynomial */
    double scale, offset; /* polynomial */
    int normalize;        /* divide by sqrt(k(a,a) k(b,b)) */
} kernel_spec;

/* One side of a kernel block: `rows` points of p coordinates, point i in
 * x[i], x[i + ld], ... */
typedef struct {
    const double *x;
    size_t rows, ld, p;
} point_set;

/* out (a.rows x b.rows, leading dimension ld_out) = k(a_i, b_j). `centre`
 * (length p, or NULL) is subtracted from both sides where the kernel only sees
 * differences; work holds kernel_work(a, b). */
size_t kernel_work(const kernel_spec *kernel, point_set a, point_set b);
void kernel_block(const kernel_spec *kernel, point_set a, point_set b, const double *centre,
                  double *out, size_t ld_out, double *work, int threads);

/* The same from inner products that stand in out already: out[i, j] = a_i'b_j,
 * squares a_i'a_i and b_j'b_j. Not for the Laplacian kernel. */
void kernel_from_products(const kernel_spec *kernel, size_t na, size_t nb, const double *a_squares,
                          const double *b_squares, double *out, size_t ld_out, int threads);

#endif
