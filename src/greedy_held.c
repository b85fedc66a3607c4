/* greedy_held.c: hold-out sets as the criterion of a selection (greedy.c, whose symbols these are).
 *
 * Hold-out sets H: the held-out residuals are e = G_HH^-1 (G y)_H. With z = G_HH^-1 c_H (Sherman,
 * Morrison) the candidate's are
 *
 *     e + z (c_H'e - product_i) / (D_i - c_H'z),
 *
 * and when b has been chosen z_i += z_b (c_bH'z_i - t_i) / (D_b - c_bH'z_b). At the start G_HH^-1
 * c_H is c_H + r (r'c_H) / (sum(w) - r'r), r = sqrt(w_H), with an intercept. No block of G is ever
 * formed: a fold costs O(h) for each candidate, whatever its size; memory for c and z. */
#include "greedy_fit.h"
#include "linalg.h"
#include "vector.h"

greedy_held new_greedy_held(const greedy_data *d, const greedy_folds *f, memory from)
{
    greedy_held held = {f, new_doubles(from, f->held_rows * d->p),
                        new_doubles(from, f->held_rows * d->v), new_doubles(from, f->held_rows),
                        new_doubles(from, f->count)};
    return held;
}

/* u = G_HH^-1 u at the start, for a fold of h rows. */
static void first_solve(const greedy_data *d, const int *rows, size_t h, double *u)
{
    if (!d->intercept)
        return;
    double inner = 0, held = 0;
    for (size_t j = 0; j < h; j++) {
        inner += d->root[rows[j]] * u[j];
        held += d->weights[rows[j]];
    }
    for (size_t j = 0; j < h; j++)
        u[j] += d->root[rows[j]] * inner / (d->total - held);
}

void held_first(const greedy_data *d, const greedy_folds *f, const double *from, double *to)
{
    for (size_t j = 0; j < f->held_rows; j++)
        to[j] = from[f->rows[j]];
    size_t at = 0;
    for (size_t g = 0; g < f->count; at += (size_t) f->h[g++])
        first_solve(d, f->rows + at, (size_t) f->h[g], to + at);
}

/* z_i after the last choice, t = t_i. */
static void held_advance(const greedy_held *held, const double *z_last, double t, double *z)
{
    const greedy_folds *f = held->folds;
    size_t at = 0;
    for (size_t g = 0; g < f->count; g++) {
        const size_t h = (size_t) f->h[g];
        const double step = (dot(h, held->last + at, z + at) - t) * held->over[g];
        add_multiple(h, step, z_last + at, z + at);
        at += h;
    }
}

/* Sum of squared held-out residuals of the first `scored` of a fold's h rows with candidate i; c
 * its column gathered. */
WIDE static double fold_criterion(const greedy_data *d, const greedy_fit *s,
                                  const greedy_held *held, size_t i, size_t at, size_t h,
                                  size_t scored, const double *c, const double *z)
{
    const double left = greedy_pivot(s, i) - dot(h, c, z);
    if (!greedy_resolved(s, i, left))
        return ILL_POSED;
    double criterion = 0;
    for (size_t k = 0; k < d->v; k++) {
        const double *residual = held->residual + at + k * held->folds->held_rows;
        const double step = (dot(h, c, residual) - s->product[i + k * d->p]) / left;
#pragma omp simd reduction(+ : criterion)
        for (size_t j = 0; j < scored; j++) {
            const double e = residual[j] + step * z[j];
            criterion += e * e;
        }
    }
    return criterion;
}

double held_criterion(const greedy_data *d, greedy_fit *fit, greedy_held *held, size_t i, double *c,
                      double *gathered)
{
    const greedy_folds *f = held->folds;
    double *z = held->z + i * f->held_rows, criterion = 0;
    if (fit->count > 0) {
        const double t = dot(d->m, fit->feature, c);
        add_multiple(d->m, -greedy_advance(d, fit, i, t), fit->last, c);
        held_advance(held, held->z + fit->b * f->held_rows, t, z);
    }
    for (size_t j = 0; j < f->held_rows; j++)
        gathered[j] = c[f->rows[j]];
    size_t at = 0;
    for (size_t g = 0; g < f->count; g++) {
        const size_t h = (size_t) f->h[g];
        const size_t scored = (size_t) f->scored[g];
        const double part = fold_criterion(d, fit, held, i, at, h, scored, gathered + at, z + at);
        if (part == ILL_POSED)
            return ILL_POSED;
        criterion += part;
        at += h;
    }
    return criterion;
}

void held_choose(const greedy_data *d, const greedy_fit *s, greedy_held *held, size_t b)
{
    const greedy_folds *f = held->folds;
    const double *z = held->z + b * f->held_rows;
    for (size_t j = 0; j < f->held_rows; j++)
        held->last[j] = s->last[f->rows[j]];
    size_t at = 0;
    for (size_t g = 0; g < f->count; g++) {
        const size_t h = (size_t) f->h[g];
        held->over[g] = 1 / (greedy_pivot(s, b) - dot(h, held->last + at, z + at));
        for (size_t k = 0; k < d->v; k++) {
            double *residual = held->residual + at + k * f->held_rows;
            const double inner = dot(h, held->last + at, residual) - s->product[b + k * d->p];
            add_multiple(h, inner * held->over[g], z + at, residual);
        }
        at += h;
    }
}

double held_null(const greedy_held *held, size_t v)
{
    const greedy_folds *f = held->folds;
    double criterion = 0;
    size_t at = 0;
    for (size_t g = 0; g < f->count; at += (size_t) f->h[g++])
        for (size_t k = 0; k < v; k++) {
            const double *residual = held->residual + at + k * f->held_rows;
            criterion += dot((size_t) f->scored[g], residual, residual);
        }
    return criterion;
}
