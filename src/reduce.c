/* reduce.c: fewer rows, where all kernels together have fewer columns than there are training rows.
 *
 * Contract: with W^1/2 P [F_1 ... F_n] = Q R (t x k, k < t) every R(d) lies in the span of Q, so
 * that y'G^-1 y = y_1'(Q'R(d)Q + lambda I)^-1 y_1 + |y - Q y_1|^2 / lambda, y_1 = Q'y: the same
 * problem on k rows, with the columns of R as factors. */
#include <string.h>

#include "layers.h"

size_t reduced_rows(const kernel_bank *bank)
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

int reduce_bank(const kernel_bank *bank, size_t k, size_t v, double *q, double *y, double *rest,
                kernel_term *terms, double *tau, double *work, size_t lwork)
{
    const size_t t = bank->t;
    double *to = q;
    for (size_t i = 0; i < bank->n; i++) {
        bank_columns(bank, i, to);
        to += t * bank->terms[i].rank;
    }
    const int status = qr_factor(t, k, q, t, tau, work, lwork);
    if (status != SR_OK)
        return status;
    qr_apply('L', 'T', t, v, k, q, t, tau, y, t, work, lwork);
    for (size_t l = 0; l < v; l++)
        rest[l] = dot(t - k, y + l * t + k, y + l * t + k);
    /* R as k x k: column j moves forward, over what is not needed any more. */
    for (size_t j = 0; j < k; j++) {
        memmove(q + j * k, q + j * t, (j + 1) * sizeof(double));
        memset(q + j * k + j + 1, 0, (k - j - 1) * sizeof(double));
    }
    to = q;
    for (size_t i = 0; i < bank->n; i++) {
        terms[i] = bank->terms[i];
        terms[i].factor = to;
        to += k * bank->terms[i].rank;
    }
    return all_finite(q, k * k) ? SR_OK : SR_NOT_FINITE;
}
