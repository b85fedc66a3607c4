/* rls2_reduce.c: fewer rows, where all kernels together have fewer columns than there are
 * training rows.
 *
 * Contract: with W^1/2 P [F_1 ... F_n] = Q R (t x k, k < t) every R(d) lies in the span of Q, so
 * that y'G^-1 y = y_1'(Q'R(d)Q + lambda I)^-1 y_1 + |y - Q y_1|^2 / lambda, y_1 = Q'y: the same
 * problem on k rows, with the columns of R as factors. The way back is rls2_fitted.c. */
#include <string.h>

#include "linalg.h"
#include "rls2.h"
#include "vector.h"

/* Columns of all factors, or 0 where a kernel has none or they are not fewer than rows. */
static size_t reduced_rows(const kernel_bank *bank)
{
    size_t columns = 0;
    for (size_t i = 0; i < bank->n; i++) {
        if (!bank->terms[i].factor)
            return 0;
        columns += bank->terms[i].rank;
        if (columns >= bank->t)
            return 0;
    }
    return columns;
}

/* W^1/2 P [F_1 ... F_n] = Q R: R (k x k) over the first k rows of q (t x k), Q'y over y (t x v). */
static int factorize(const kernel_bank *bank, size_t k, size_t v, double *q, double *y, memory from)
{
    const size_t t = bank->t, lwork = qr_work(t, k > v ? k : v);
    double *tau = new_doubles(from, k), *work = new_doubles(from, lwork), *to = q;
    for (size_t i = 0; i < bank->n; i++) {
        bank_columns(bank, i, to);
        to += t * bank->terms[i].rank;
    }
    const int status = qr_factor(t, k, q, t, tau, work, lwork);
    if (status == SR_OK)
        qr_apply('L', 'T', t, v, k, q, t, tau, y, t, work, lwork);
    /* R as k x k: column j moves forward, over what is not needed any more. */
    for (size_t j = 0; j < k && status == SR_OK; j++) {
        memmove(q + j * k, q + j * t, (j + 1) * sizeof(double));
        memset(q + j * k + j + 1, 0, (k - j - 1) * sizeof(double));
    }
    return status;
}

/* The bank whose factors are the columns of r (k x k), on k rows. */
static kernel_bank reduced_bank(const kernel_bank *bank, size_t k, const double *r, memory from)
{
    kernel_term *terms = from(bank->n, sizeof(kernel_term));
    for (size_t i = 0; i < bank->n; i++) {
        terms[i] = bank->terms[i];
        terms[i].factor = r;
        r += k * bank->terms[i].rank;
    }
    double *ones = new_doubles(from, k);
    for (size_t j = 0; j < k; j++)
        ones[j] = 1;
    return new_bank(k, bank->n, terms, ones, 0, from);
}

int rls2_prepare(rls2_data *data, kernel_bank all, size_t v, const double *y, int intercept,
                 memory from)
{
    const size_t t = all.t, k = reduced_rows(&all);
    double *response = new_doubles(from, t * v), *mean = new_doubles(from, v);
    double *rest = new_doubles(from, v);
    memset(rest, 0, v * sizeof(double));
    bank_response(&all, v, y, intercept, mean, response);
    data->all = data->near = all;
    data->v = v;
    data->response = data->y = response;
    data->mean = mean;
    data->rest = rest;
    if (k == 0)
        return SR_OK;
    double *turned = new_doubles(from, t * v), *q = new_doubles(from, t * k);
    memcpy(turned, response, t * v * sizeof(double));
    const int status = factorize(&all, k, v, q, turned, from);
    if (status != SR_OK)
        return status;
    for (size_t l = 0; l < v; l++)
        rest[l] = dot(t - k, turned + l * t + k, turned + l * t + k);
    data->y = turned;
    data->near = reduced_bank(&all, k, q, from);
    return all_finite(q, k * k) ? SR_OK : SR_NOT_FINITE;
}
