/* rls2.c: the weights of kernels, by Newton steps on the face of those that are in use.
 *
 * Contract: minimizes over the simplex the convex function
 *
 *   J(d) = lambda/2 y'(R(d) + lambda I)^-1 y,    R(d) = sum_i d_i s_i K_i.
 *
 * With G = R + lambda I, c = G^-1 y, v_i = s_i K_i c and g_i = c'v_i, in units of lambda / 2:
 * value y'c, gradient -g, Hessian 2 v_i'G^-1 v_j, and by convexity
 *
 *   (max_i g_i - sum_i d_i g_i) / y'c >= (J(d) - min J) / J(d),
 *
 * the relative duality gap. Each step minimizes the quadratic model over the simplex of the working
 * set (rls2_simplex.c), and searches along the line to it by the derivative. The working set holds
 * the kernels in use and those that violate g_i <= sum_i d_i g_i most.
 *
 * G is factorized as it stands (t x t) or, where the kernels in use have factors of few columns in
 * all, through F'F + lambda I with F = [sqrt(d_i s_i) F_i]: c = (y - F (F'F + lambda I)^-1 F'y) /
 * lambda. */
#include <float.h>
#include <math.h>
#include <R_ext/Utils.h>
#include <string.h>

#include "rls2.h"

/* At most this many Newton steps, cuts of a step, and steps in a row that do not lower the smallest
 * gap so far by a tenth. */
#define STEPS 200
#define CUTS 20
#define IDLE 15

/* The primal form pays below t / PRIMAL_GAIN columns. */
#define PRIMAL_GAIN 4

/* ---- evaluation -------------------------------------------------------------- */

/* Columns of all kernels in use, or 0 where one has no factor or they are too many. */
static size_t columns_in_use(const layers *s, const double *weight)
{
    size_t columns = 0;
    for (size_t j = 0; j < s->count; j++) {
        if (weight[j] == 0)
            continue;
        const kernel_term *term = s->bank->terms + s->member[j];
        if (!term->factor)
            return 0;
        columns += term->rank;
        if (columns * PRIMAL_GAIN > s->bank->t)
            return 0;
    }
    return columns;
}

/* Column k of sqrt(d s) F_i, of member j. */
static void scaled_column(const layers *s, size_t j, double weight, size_t k, double *to)
{
    const size_t i = (size_t) s->member[j];
    const double root = sqrt(weight * s->scale[i]);
    bank_gather(s->bank, s->bank->terms[i].factor + k * s->bank->m, to);
    for (size_t l = 0; l < s->bank->t; l++)
        to[l] *= root;
}

static void add_lambda(size_t n, double lambda, double *a)
{
    for (size_t j = 0; j < n; j++)
        a[j + j * n] += lambda;
}

static int factorize_primal(layers *s, const double *weight)
{
    const size_t t = s->bank->t, k = s->columns;
    size_t filled = 0;
    for (size_t j = 0; j < s->count; j++)
        for (size_t l = 0; weight[j] > 0 && l < s->bank->terms[s->member[j]].rank; l++)
            scaled_column(s, j, weight[j], l, s->f + t * filled++);
    syrk_lower('T', k, t, 1, s->f, t, 0, s->factor, k);
    add_lambda(k, s->lambda, s->factor);
    return cholesky_lower(k, s->factor, k);
}

/* R(d) from kernels without factors, then from columns of factors, t of them at a time. */
static int factorize_dual(layers *s, const double *weight)
{
    const size_t t = s->bank->t;
    int plain = 0;
    memset(s->factor, 0, t * t * sizeof(double));
    for (size_t j = 0; j < s->count; j++)
        if (weight[j] > 0 && !s->bank->terms[s->member[j]].factor) {
            bank_add(s->bank, (size_t) s->member[j], weight[j] * s->scale[s->member[j]], s->factor);
            plain = 1;
        }
    if (plain)
        bank_finish(s->bank, s->factor, s->f);
    size_t filled = 0;
    for (size_t j = 0; j < s->count; j++)
        for (size_t l = 0; weight[j] > 0 && l < s->bank->terms[s->member[j]].rank; l++) {
            if (filled == t) {
                syrk_lower('N', t, t, 1, s->f, t, 1, s->factor, t);
                filled = 0;
            }
            scaled_column(s, j, weight[j], l, s->f + t * filled++);
        }
    syrk_lower('N', t, filled, 1, s->f, t, 1, s->factor, t);
    add_lambda(t, s->lambda, s->factor);
    return cholesky_lower(t, s->factor, t);
}

int layers_evaluate(layers *s, double lambda, const double *weight)
{
    const size_t t = s->bank->t;
    s->lambda = lambda;
    s->columns = columns_in_use(s, weight);
    s->primal = s->columns > 0;
    const int status = s->primal ? factorize_primal(s, weight) : factorize_dual(s, weight);
    if (status != SR_OK)
        return status;
    memcpy(s->c, s->y, t * sizeof(double));
    if (s->primal) {
        gemv('T', t, s->columns, 1, s->f, t, s->y, 0, s->reduced);
        solve_lower_left('N', s->columns, 1, s->factor, s->columns, s->reduced, s->columns);
        solve_lower_left('T', s->columns, 1, s->factor, s->columns, s->reduced, s->columns);
        gemv('N', t, s->columns, -1 / lambda, s->f, t, s->reduced, 1 / lambda, s->c);
    } else {
        solve_lower_left('N', t, 1, s->factor, t, s->c, t);
        solve_lower_left('T', t, 1, s->factor, t, s->c, t);
    }
    s->value = dot(t, s->y, s->c) + s->rest / lambda;
    return isfinite(s->value) && all_finite(s->c, t) ? SR_OK : SR_NOT_FINITE;
}

/* tr(R (R + lambda I)^-1) = k - lambda tr((A + lambda I)^-1), A the k x k matrix that was
 * factorized; the factorization is overwritten. */
int layers_df(layers *s, double *df)
{
    const size_t k = s->primal ? s->columns : s->bank->t;
    invert_lower(k, s->factor);
    *df = (double) k - s->lambda * dot(k * k, s->factor, s->factor);
    return isfinite(*df) ? SR_OK : SR_NOT_FINITE;
}

/* ---- the working set ----------------------------------------------------------- */

void layers_image(layers *s, size_t i, double *v)
{
    const size_t t = s->bank->t;
    bank_apply(s->bank, i, s->spread, s->bank->image);
    bank_gather(s->bank, s->bank->image, v);
    for (size_t j = 0; j < t; j++)
        v[j] *= s->scale[i];
}

void layers_join(layers *s, size_t i)
{
    s->member[s->count] = (int) i;
    s->weight[s->count] = 0;
    s->inside[i] = 1;
    s->count++;
}

void layers_prune(layers *s)
{
    const size_t t = s->bank->t;
    size_t kept = 0;
    for (size_t j = 0; j < s->count; j++) {
        s->inside[s->member[j]] = s->weight[j] > 0;
        if (s->weight[j] > 0) {
            s->member[kept] = s->member[j];
            s->weight[kept] = s->weight[j];
            s->g[kept] = s->g[j];
            memmove(s->v + kept * t, s->v + j * t, t * sizeof(double));
            kept++;
        }
    }
    s->count = kept;
}

void layers_traces(layers *s)
{
    for (size_t i = 0; i < s->bank->n; i++)
        s->trace[i] = bank_trace(s->bank, i, s->spread);
}

void layers_start(layers *s)
{
    double best = -1;
    size_t first = 0;
    bank_spread(s->bank, s->y, s->spread);
    for (size_t i = 0; i < s->bank->n; i++) {
        s->bound[i] = sqrt(s->scale[i] * s->trace[i]);
        const double alignment = s->scale[i] * bank_quadratic(s->bank, i, s->spread);
        s->root[i] = sqrt(alignment > 0 ? alignment : 0);
        if (s->bound[i] > 0 && alignment > best * (1 + TIE)) {
            best = alignment;
            first = i;
        }
    }
    memcpy(s->reference, s->y, s->bank->t * sizeof(double));
    memset(s->inside, 0, s->bank->n * sizeof(int));
    s->count = 0;
    layers_join(s, first);
    s->weight[0] = 1;
}

/* v and g of members from the j-th on, at the current c (spread). */
static void member_images(layers *s, size_t from)
{
    const size_t t = s->bank->t;
    for (size_t j = from; j < s->count; j++) {
        layers_image(s, (size_t) s->member[j], s->v + j * t);
        s->g[j] = dot(t, s->c, s->v + j * t);
    }
}

static void all_images(layers *s)
{
    bank_spread(s->bank, s->c, s->spread);
    member_images(s, 0);
}

/* sum_i d_i g_i = c'R c. */
static double level(const layers *s)
{
    return dot(s->count, s->weight, s->g);
}

/* ---- the gap ------------------------------------------------------------------- */

/* (max_i g_i - sum_i d_i g_i) / y'c; a response that is zero leaves no gap. */
static double relative_gap(layers *s, double limit, violators *q)
{
    return s->value > 0 ? (layers_screen(s, limit, q) - level(s)) / s->value : 0;
}

double layers_gap(layers *s)
{
    violators q = {0};
    all_images(s);
    return relative_gap(s, INFINITY, &q);
}

/* ---- Newton steps ----------------------------------------------------------------- */

/* H = V'G^-1 V, lower triangle. */
static void hessian(layers *s)
{
    const size_t t = s->bank->t, k = s->columns, count = s->count;
    if (!s->primal) {
        memcpy(s->solved, s->v, t * count * sizeof(double));
        solve_lower_left('N', t, count, s->factor, t, s->solved, t);
        syrk_lower('T', count, t, 1, s->solved, t, 0, s->h, count);
        return;
    }
    syrk_lower('T', count, t, 1 / s->lambda, s->v, t, 0, s->h, count);
    gemm('T', 'N', k, count, t, 1, s->f, t, s->v, t, 0, s->reduced, k);
    solve_lower_left('N', k, count, s->factor, k, s->reduced, k);
    syrk_lower('T', count, k, -1 / s->lambda, s->reduced, k, 1, s->h, count);
}

/* The minimizer of the quadratic model over the simplex of the working set, into target:
 * of x'Hx - (2 H d + g)'x. */
static int model_minimizer(layers *s)
{
    const size_t count = s->count;
    hessian(s);
    for (size_t i = 0; i < count; i++) {
        double product = 0;
        for (size_t j = 0; j < count; j++)
            product += (i >= j ? s->h[i + j * count] : s->h[j + i * count]) * s->weight[j];
        s->linear[i] = product + s->g[i] / 2;
    }
    memcpy(s->target, s->weight, count * sizeof(double));
    return simplex_minimize(count, s->h, s->linear, s->target, s->free, s->simplex);
}

/* Derivative of the value along target - start, at the current g. The direction sums to zero but
 * for rounding, so that g may be taken relative to its level, which all of it is near in the end.
 */
static double line_slope(const layers *s)
{
    const double g = level(s);
    double slope = 0;
    for (size_t j = 0; j < s->count; j++)
        slope -= (s->g[j] - g) * (s->target[j] - s->start[j]);
    return slope;
}

/* Moves the weights to start + step (target - start), and evaluates there. *slope: the derivative
 * along that line. */
static int evaluate_at(layers *s, double step, double *slope)
{
    for (size_t j = 0; j < s->count; j++)
        s->weight[j] = step == 1 ? s->target[j] : s->start[j] + step * (s->target[j] - s->start[j]);
    const int status = layers_evaluate(s, s->lambda, s->weight);
    if (status == SR_OK)
        all_images(s);
    *slope = line_slope(s);
    return status;
}

/* A point of the bracket, where the secant meets zero but not near an end. */
static double inside_bracket(double low, double low_slope, double high, double high_slope)
{
    const double share = low_slope / (low_slope - high_slope);
    return low + (high - low) * (share < 0.3 ? 0.3 : share > 0.7 ? 0.7 : share);
}

/* To the model's minimizer, or where that is beyond the minimum on the line to a point near this:
 * where the derivative has half its first size. By convexity the value has fallen where the
 * derivative is negative; it is the derivative that is looked at, because rounding hides small
 * differences of values. */
static int search_line(layers *s)
{
    memcpy(s->start, s->weight, s->count * sizeof(double));
    const double first = line_slope(s);
    double low = 0, low_slope = first, high = 1, high_slope, slope;
    int status = evaluate_at(s, high, &high_slope);
    for (int cut = 0; status == SR_OK && first < 0 && high_slope > -first / 2 && cut < CUTS;
         cut++) {
        const double step = inside_bracket(low, low_slope, high, high_slope);
        status = evaluate_at(s, step, &slope);
        if (fabs(slope) <= -first / 2)
            break;
        if (slope > 0) {
            high = step;
            high_slope = slope;
        } else {
            low = step;
            low_slope = slope;
        }
    }
    return status;
}

int layers_minimize(layers *s, double lambda, double tolerance, layers_result *result)
{
    layers_prune(s);
    double best = INFINITY;
    int status = layers_evaluate(s, lambda, s->weight), idle = 0;
    if (status == SR_OK)
        all_images(s);
    for (result->steps = 1; status == SR_OK; result->steps++) {
        R_CheckUserInterrupt();
        violators q = {0};
        result->gap = relative_gap(s, level(s) + 0.5 * tolerance * s->value, &q);
        idle = result->gap > 0.9 * best ? idle + 1 : 0;
        best = result->gap < best ? result->gap : best;
        if (result->gap <= tolerance || result->steps == STEPS || idle == IDLE)
            break;
        const size_t before = s->count;
        for (size_t j = 0; j < q.count && s->count < s->most; j++)
            layers_join(s, q.index[j]);
        member_images(s, before);
        status = model_minimizer(s);
        if (status == SR_OK)
            status = search_line(s);
        layers_prune(s);
    }
    if (status != SR_OK)
        return status;
    result->objective = lambda / 2 * s->value;
    return layers_df(s, &result->df);
}
