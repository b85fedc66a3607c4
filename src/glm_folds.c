/* glm_folds.c: the refits without every fold at one lambda, all folds of a block at once.
 *
 * A refit begins with the step of the fit's own quadratic model, in which it is that of squared
 * loss (the rows O leave, others join, b becomes orthogonal to what removed basis vectors span),
 * and goes on by steps of the same model (glm_chord.c) from the gradients of all folds, two
 * products of m x n by n x folds, until its certificate is good enough. A fold that is done drops
 * out. Where more rows leave than half the number of coordinates the model has a factor of its own.
 * Where steps stop falling, or fall so slowly that Newton steps of the fold's own cost less, the
 * fold is finished by those (glm_newton.c), from where J is lower, here or at the fit.
 *
 * Nothing here is m x m: a block has as many folds as fit into BLOCK numbers. Within a fold row
 * `twin_of`, which leaves, stands for the row that joins with its z (constraint.c). */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "glm.h"
#include "linalg.h"
#include "vector.h"

#define BLOCK 4000000
#define MOST_COLUMNS 256
#define MOST_STEPS 200

/* Steps that fall by more than this are never slow. */
#define FALL 0.5

/* A refit under way. */
typedef struct {
    const fold *f;
    size_t index, start; /* among the folds, and of its rows among all that leave */
    chord model;
    curvature own;            /* if it has one */
    double *directions;       /* n x e */
    double *roots;            /* s + h */
    double leverage, inverse; /* of factor_chord() */
    double b0;                /* of its column */
    glm_rounding lost;        /* at b */
    double moved;             /* the most that a linear predictor is from that of the fit */
    double distance, error;   /* of b from the best, and of predictions, at most */
    int rounded;              /* whether the gradient is rounding */
    double decrement;         /* at the last step */
    int steps;
} refit_state;

/* What a block needs at most. */
typedef struct {
    size_t folds, points, directions, squares, factors;
} block_size;

typedef struct {
    const glm *all;
    glm p; /* of a fold, whose rows have y, offset and weights of their own */
    const holdout_request *q;
    glm_refits *to;
    /* of the fit */
    const double *b;
    double b0, gradient0;
    double *value, *score, *weight; /* m */
    double *gradient;               /* n */
    curvature curve;
    double *gram; /* of curve without its factor, for factors of folds' own; or NULL */
    /* of a block, by columns */
    refit_state *states;
    size_t *column; /* the state of each column */
    size_t columns;
    double *rows; /* m x columns */
    double *now;  /* n x columns: b */
    double *step; /* n x columns: gradients, then steps */
    double *points, *directions, *systems, *roots, *factors, *means;
    double *u, *row_weight; /* the largest q; m */
    int *place;             /* m */
    row_sums sums, held;
    row_block block;
    double *reflect, *tau, *lapack;
    size_t lapack_size;
    glm_work newton;
} folds_work;

/* ---- sizes ---------------------------------------------------------------------------------- */

static int has_factor(const ridge *r, const fold *f)
{
    return 2 * (f->s + f->h) > r->n;
}

static size_t model_points(const ridge *r, const fold *f)
{
    return f->e + (has_factor(r, f) ? 0 : f->s + f->h);
}

static size_t numbers(const ridge *r, const block_size *s)
{
    return s->folds * (r->m + 2 * r->n) + r->n * (s->points + s->directions) + s->squares +
           s->factors * r->n * r->n;
}

static void count_fold(const ridge *r, const fold *f, block_size *s)
{
    const size_t q = model_points(r, f);
    s->folds++;
    s->points += q;
    s->directions += f->e;
    s->squares += q * q;
    s->factors += has_factor(r, f) ? 1 : 0;
}

/* How many folds from the first-th on make a block, and its size. */
static size_t next_block(const ridge *r, const holdout_request *q, size_t first, block_size *size)
{
    block_size s = {0};
    size_t i = first;
    for (; i < q->count && s.folds < MOST_COLUMNS; i++) {
        block_size more = s;
        count_fold(r, q->folds + i, &more);
        if (i > first && numbers(r, &more) > BLOCK)
            break;
        s = more;
    }
    *size = s;
    return i - first;
}

static block_size largest_block(const ridge *r, const holdout_request *q)
{
    block_size most = {0}, s;
    for (size_t i = 0; i < q->count; i += next_block(r, q, i, &s)) {
        next_block(r, q, i, &s);
        most.folds = larger(most.folds, s.folds);
        most.points = larger(most.points, s.points);
        most.directions = larger(most.directions, s.directions);
        most.squares = larger(most.squares, s.squares);
        most.factors = larger(most.factors, s.factors);
    }
    return most;
}

static double *copied(size_t length, const double *x, memory from)
{
    double *to = new_doubles(from, length);
    memcpy(to, x, length * sizeof(double));
    return to;
}

static void new_columns(folds_work *w, const ridge *r, const block_size *s, memory from)
{
    const size_t n = r->n;
    w->states = from(s->folds, sizeof(refit_state));
    w->column = from(s->folds, sizeof(size_t));
    w->rows = new_doubles(from, r->m * s->folds);
    w->now = new_doubles(from, n * s->folds);
    w->step = new_doubles(from, n * s->folds);
    w->points = new_doubles(from, n * s->points);
    w->directions = new_doubles(from, n * s->directions);
    w->systems = new_doubles(from, s->squares);
    w->factors = new_doubles(from, n * n * s->factors);
    w->means = new_doubles(from, n * s->factors);
    w->gram = s->factors > 0 ? new_doubles(from, n * n) : NULL;
}

static folds_work new_folds_work(const glm *p, const holdout_request *q, const double *b,
                                 memory from)
{
    const ridge *r = p->r;
    const size_t m = r->m, n = r->n;
    const block_size most = largest_block(r, q);
    size_t e = 0, points = 0, rows = 0;
    for (size_t i = 0; i < q->count; i++) {
        e = larger(e, q->folds[i].e);
        points = larger(points, fold_points(q->folds + i));
        rows += q->folds[i].s + q->folds[i].h;
    }
    folds_work w = {0};
    w.all = p;
    w.p = *p;
    w.p.y = copied(m, p->y, from);
    w.p.offset = copied(m, p->offset, from);
    w.p.weights = copied(m, p->weights, from);
    w.q = q;
    w.b = b;
    w.value = new_doubles(from, m);
    w.score = new_doubles(from, m);
    w.weight = new_doubles(from, m);
    w.gradient = new_doubles(from, n);
    w.curve = new_curvature(n, from);
    new_columns(&w, r, &most, from);
    w.roots = new_doubles(from, rows);
    w.u = new_doubles(from, points);
    w.row_weight = new_doubles(from, m);
    w.place = new_ints(from, 2 * m);
    w.sums = new_row_sums(n, 0, most.factors > 0, from);
    w.held = new_row_sums(n, 0, most.factors > 0, from);
    w.block = new_row_block(n, 0, from);
    w.reflect = new_doubles(from, n * e);
    w.tau = new_doubles(from, e);
    w.lapack_size = qr_work(n, e);
    w.lapack = new_doubles(from, w.lapack_size);
    w.newton = new_glm_work(r, e, from);
    return w;
}

/* ---- rows of a fold ------------------------------------------------------------------------- */

static void enter_fold(folds_work *w, const fold *f)
{
    for (size_t i = 0; i < f->h; i++)
        w->p.weights[f->rows[i]] = 0;
    for (size_t a = 0; a < f->s; a++) {
        const size_t to = (size_t) f->twin_of[a], from = (size_t) f->twins[a];
        w->p.y[to] = w->all->y[from];
        w->p.offset[to] = w->all->offset[from];
        w->p.weights[to] = w->all->weights[from];
    }
}

static void quit_fold(folds_work *w, const fold *f)
{
    for (size_t i = 0; i < f->h; i++)
        w->p.weights[f->rows[i]] = w->all->weights[f->rows[i]];
    for (size_t a = 0; a < f->s; a++) {
        const size_t to = (size_t) f->twin_of[a];
        w->p.y[to] = w->all->y[to];
        w->p.offset[to] = w->all->offset[to];
    }
}

/* ---- the fit --------------------------------------------------------------------------------- */

/* Scores, weights, gradient and factor of the fit. */
static int look_at_fit(folds_work *w, glm *p, double b0)
{
    const ridge *r = p->r;
    const size_t m = r->m, n = r->n;
    gemv('T', n, m, 1, r->z, n, w->b, 0, w->value);
    w->b0 = b0;
    int status = settle(p, w->value, &w->b0, w->score, w->weight);
    if (status != SR_OK)
        return status;
    p->spread = w->p.spread = spread_of(p, w->value);
    memcpy(w->gradient, w->b, n * sizeof(double));
    gemv('N', n, m, 1, r->z, n, w->score, p->lambda, w->gradient);
    w->gradient0 = 0;
    for (size_t i = 0; i < m; i++)
        w->gradient0 += w->score[i];
    row_sums sums = w->sums;
    sum_curvature(r, w->weight, &w->curve, &sums, &w->block);
    if (w->gram)
        memcpy(w->gram, w->curve.factor, n * n * sizeof(double));
    return factor_curvature(n, p->lambda, &w->curve) == SR_OK ? SR_OK : SR_ILL_POSED;
}

/* ---- the model of a fold ----------------------------------------------------------------------
 */

/* The score and weight of a row that joins, at the fit. */
static void joined(const folds_work *w, const fold *f, size_t a, double *score, double *weight)
{
    const glm *p = w->all;
    const size_t row = (size_t) f->twins[a];
    const double eta = p->offset[row] + w->b0 + w->value[f->twin_of[a]];
    p->loss->derivatives(1, p->y + row, p->weights + row, p->theta, &eta, score, weight);
}

/* The fit's gradient without the fold, n, and of b0. */
static double fold_gradient(const folds_work *w, const fold *f, double *gradient)
{
    const ridge *r = w->p.r;
    double gradient0 = w->gradient0, score, weight;
    memcpy(gradient, w->gradient, r->n * sizeof(double));
    for (size_t i = 0; i < f->h; i++) {
        const size_t row = (size_t) f->rows[i];
        add_multiple(r->n, -w->score[row], r->z + row * r->n, gradient);
        gradient0 -= w->score[row];
    }
    for (size_t a = 0; a < f->s; a++) {
        joined(w, f, a, &score, &weight);
        add_multiple(r->n, score, r->z + (size_t) f->twin_of[a] * r->n, gradient);
        gradient0 += score;
    }
    return r->intercept ? gradient0 : 0;
}

/* An orthonormal basis (n x e) of the constraint. */
static int orthonormal(folds_work *w, const fold *f, double *directions)
{
    const size_t n = w->p.r->n, e = f->e;
    if (e == 0)
        return SR_OK;
    copy_constraint(w->p.r, f, w->reflect);
    const int status = qr_factor(n, e, w->reflect, n, w->tau, w->lapack, w->lapack_size);
    memset(directions, 0, n * e * sizeof(double));
    for (size_t i = 0; i < e; i++)
        directions[i + i * n] = 1;
    qr_apply('L', 'N', n, e, e, w->reflect, n, w->tau, directions, n, w->lapack, w->lapack_size);
    return status;
}

/* The curvature without the fold over state->own: all rows less those that leave, about the mean of
 * the rest. */
static int own_curvature(folds_work *w, refit_state *state)
{
    const ridge *r = w->p.r;
    const fold *f = state->f;
    const size_t n = r->n;
    ridge weighted = *r;
    weighted.v = 0;
    weighted.weights = w->row_weight;
    weighted.unit_weights = 0;
    row_sums left = {state->own.factor, w->sums.zy, w->sums.wy, w->curve.total};
    memcpy(left.gram, w->gram, n * n * sizeof(double));
    memset(left.zy, 0, n * sizeof(double));
    memcpy(w->row_weight, w->weight, r->m * sizeof(double));
    sum_rows(&weighted, f->rows, NULL, f->h, w->curve.mean, NULL, &w->held, &w->block);
    add_sums(n, 0, -1, &w->held, &left);
    for (size_t a = 0; a < f->s; a++) {
        double score;
        joined(w, f, a, &score, w->row_weight + f->twin_of[a]);
    }
    sum_rows(&weighted, f->twin_of, NULL, f->s, w->curve.mean, NULL, &w->held, &w->block);
    add_sums(n, 0, 1, &w->held, &left);
    memcpy(state->own.mean, w->curve.mean, n * sizeof(double));
    if (r->intercept) {
        centre_sums(n, 0, &left);
        add_multiple(n, 1 / left.w, left.zy, state->own.mean);
    }
    state->own.total = left.w;
    return factor_curvature(n, w->p.lambda, &state->own);
}

/* The points of a fold that has no factor of its own. */
static void row_points(folds_work *w, refit_state *state)
{
    const fold *f = state->f;
    double score, weight;
    for (size_t a = 0; a < f->s; a++) {
        joined(w, f, a, &score, &weight);
        state->roots[a] = sqrt(weight);
        w->place[a] = f->twin_of[a];
    }
    for (size_t i = 0; i < f->h; i++) {
        state->roots[f->s + i] = sqrt(w->weight[f->rows[i]]);
        w->place[f->s + i] = f->rows[i];
    }
    chord_points(w->p.r, &state->model, state->directions, w->place);
}

/* A fold's model, its points not yet multiplied by L^-1. */
static int begin_model(folds_work *w, refit_state *state)
{
    const ridge *r = w->p.r;
    const fold *f = state->f;
    int status = orthonormal(w, f, state->directions);
    state->model.e = f->e;
    state->model.roots = state->roots;
    if (!has_factor(r, f)) {
        state->model.s = f->s;
        state->model.h = f->h;
        state->model.of = &w->curve;
        row_points(w, state);
        return status;
    }
    state->model.s = state->model.h = 0;
    state->model.of = &state->own;
    if (status == SR_OK)
        status = own_curvature(w, state);
    chord_points(r, &state->model, state->directions, NULL);
    return status;
}

/* ---- columns ----------------------------------------------------------------------------------
 */

/* The columns of `step` times L^-1 (trans 'N') or L^-T of their models, those of one factor at
 * once. */
static void solve_columns(folds_work *w, char trans)
{
    const size_t n = w->p.r->n;
    for (size_t k = 0, some; k < w->columns; k += some) {
        const curvature *of = w->states[w->column[k]].model.of;
        for (some = 1; k + some < w->columns; some++)
            if (w->states[w->column[k + some]].model.of != of)
                break;
        solve_lower_left(trans, n, some, of->factor, n, w->step + k * n, n);
    }
}

/* Column k becomes column `to`, which is not behind it. */
static void keep_column(folds_work *w, size_t k, size_t to)
{
    const size_t n = w->p.r->n;
    if (k == to)
        return;
    w->column[to] = w->column[k];
    memcpy(w->now + to * n, w->now + k * n, n * sizeof(double));
    memcpy(w->step + to * n, w->step + k * n, n * sizeof(double));
}

/* b of column k after its step of the model; step0 is that of b0 but for the mean's part. */
static void move_column(folds_work *w, size_t k, double step0)
{
    const size_t n = w->p.r->n;
    refit_state *state = w->states + w->column[k];
    const double *step = w->step + k * n;
    if (w->p.r->intercept)
        state->b0 += step0 - dot(n, state->model.of->mean, step);
    add_multiple(n, 1, step, w->now + k * n);
    project(n, state->f->e, state->directions, 1, w->now + k * n);
    state->steps++;
}

/* ---- ends of a refit --------------------------------------------------------------------------
 */

static double largest_norm(const folds_work *w, const fold *f)
{
    double largest = 0;
    for (size_t i = 0; i < f->h; i++)
        largest = fmax(largest, w->p.norms[f->rows[i]]);
    return largest;
}

/* The largest error of a prediction of rows that leave, by the distance of b. */
static double held_out_error(const folds_work *w, const refit_state *state, double distance,
                             const double *b)
{
    return certified_error(&w->p, distance, largest_norm(w, state->f), b, &state->lost);
}

static void store(folds_work *w, const refit_state *state, const double *b, int own, int status)
{
    const size_t n = w->p.r->n, i = state->index;
    const fold *f = state->f;
    glm_refits *to = w->to;
    if (to->b)
        memcpy(to->b + i * n, b, n * sizeof(double));
    for (size_t a = 0; a < f->h; a++)
        to->prediction[state->start + a] += state->b0;
    to->b0[i] = state->b0;
    to->distance[i] = state->distance;
    to->error[i] = state->error;
    to->steps[i] = state->steps;
    to->own[i] = own;
    to->status[i] = status;
}

/* J at b, which becomes orthogonal to the fold's directions. */
static double objective_at(folds_work *w, const refit_state *state, double *b, double *b0)
{
    const ridge *r = w->p.r;
    glm_work *at = &w->newton;
    project(r->n, state->f->e, state->directions, 1, b);
    gemv('T', r->n, r->m, 1, r->z, r->n, b, 0, at->value);
    if (!all_finite(b, r->n) || settle(&w->p, at->value, b0, at->score, at->weight) != SR_OK)
        return INFINITY;
    return objective(&w->p, at->value, *b0, b);
}

/* The refit by Newton steps of its own, from b or, where J is lower there, from the fit. */
static void finish_alone(folds_work *w, refit_state *state, double *b)
{
    const size_t n = w->p.r->n;
    const fold *f = state->f;
    double *fit = w->newton.gradient, fit0 = w->b0;
    glm_found found = {INFINITY, {0, 0, 0}, 0};
    enter_fold(w, f);
    memcpy(fit, w->b, n * sizeof(double));
    const double here = objective_at(w, state, b, &state->b0);
    const double there = objective_at(w, state, fit, &fit0);
    if (!(here <= there)) {
        memcpy(b, fit, n * sizeof(double));
        state->b0 = fit0;
    }
    const int status =
        glm_newton(&w->p, state->directions, f->e, b, &state->b0, &w->newton, &found);
    for (size_t a = 0; a < f->h; a++)
        w->to->prediction[state->start + a] = w->newton.value[f->rows[a]];
    state->steps += found.steps;
    state->lost = found.lost;
    state->error = held_out_error(w, state, found.distance, b);
    if (status == SR_OK && state->error > w->p.tolerance * w->p.spread)
        state->error = fmin(state->error, sharp_error(&w->p, state->directions, f->e, f->rows, f->h,
                                                      largest_norm(w, f), b, &w->newton, &found));
    state->distance = found.distance;
    quit_fold(w, f);
    store(w, state, b, 1, status);
}

/* ---- the steps of a block ---------------------------------------------------------------------
 */

/* The first step of every fold, from the fit. Those whose model fails go on alone. */
static void first_steps(folds_work *w, const int *fine)
{
    const size_t n = w->p.r->n;
    double *gradient0 = w->rows, *step0 = w->rows + w->columns;
    for (size_t k = 0; k < w->columns; k++) {
        const refit_state *state = w->states + k;
        gradient0[k] = fold_gradient(w, state->f, w->step + k * n);
        add_multiple(n, -gradient0[k], state->model.of->mean, w->step + k * n);
        memcpy(w->now + k * n, w->b, n * sizeof(double));
    }
    solve_columns(w, 'N');
    for (size_t k = 0; k < w->columns; k++) {
        const refit_state *state = w->states + k;
        double *gap = w->newton.gradient;
        if (state->f->e > 0)
            gemv('T', n, state->f->e, 1, state->directions, n, w->b, 0, gap);
        if (fine[k])
            chord_step(w->p.r, &state->model, gradient0[k], state->f->e > 0 ? gap : NULL,
                       w->step + k * n, step0 + k, w->u);
    }
    solve_columns(w, 'T');
    size_t kept = 0;
    for (size_t k = 0; k < w->columns; k++) {
        if (fine[k] && all_finite(w->step + k * n, n)) {
            move_column(w, k, step0[k]);
            keep_column(w, k, kept++);
        } else
            finish_alone(w, w->states + k, w->now + k * n);
    }
    w->columns = kept;
}

/* The most that a linear predictor of a row that trains is from that of the fit. */
static double largest_move(const folds_work *w, const double *value, double by0)
{
    double most = 0;
    for (size_t i = 0; i < w->p.r->m; i++) {
        const double move = fabs(value[i] - w->value[i] + by0);
        if (w->p.weights[i] > 0 && move > most)
            most = move;
    }
    return most;
}

/* Scores of all columns over `rows`, and gradients over `step`; what fails is finished alone. */
static void block_gradients(folds_work *w)
{
    const ridge *r = w->p.r;
    const size_t m = r->m, n = r->n;
    size_t kept = 0;
    gemm('T', 'N', m, w->columns, n, 1, r->z, n, w->now, n, 0, w->rows, m);
    for (size_t k = 0; k < w->columns; k++) {
        refit_state *state = w->states + w->column[k];
        double *value = w->rows + k * m, *score = w->rows + kept * m;
        double *b = w->now + k * n, *scores = w->newton.score, *weight = w->newton.weight;
        for (size_t a = 0; a < state->f->h; a++)
            w->to->prediction[state->start + a] = value[state->f->rows[a]];
        enter_fold(w, state->f);
        const int status = settle(&w->p, value, &state->b0, scores, weight);
        if (status == SR_OK)
            state->lost = rounding_at(&w->p, scores, weight, b, state->b0);
        state->moved = largest_move(w, value, state->b0 - w->b0);
        quit_fold(w, state->f);
        if (status == SR_OK) {
            memcpy(score, scores, m * sizeof(double));
            keep_column(w, k, kept++);
        } else
            finish_alone(w, state, b);
    }
    w->columns = kept;
    memcpy(w->step, w->now, n * kept * sizeof(double));
    gemm('N', 'N', n, kept, m, 1, r->z, n, w->rows, m, w->p.lambda, w->step, n);
}

/* Folds whose certificate is good enough are done. */
static void drop_finished(folds_work *w)
{
    const size_t n = w->p.r->n;
    size_t kept = 0;
    for (size_t k = 0; k < w->columns; k++) {
        refit_state *state = w->states + w->column[k];
        double *gradient = w->step + k * n;
        const double *b = w->now + k * n;
        project(n, state->f->e, state->directions, 1, gradient);
        const double length = sqrt(dot(n, gradient, gradient));
        state->rounded = length <= state->lost.gradient;
        state->distance = certified_distance(&w->p, length, &state->lost, b);
        state->error = held_out_error(w, state, state->distance, b);
        if (state->error <= w->p.tolerance * w->p.spread)
            store(w, state, b, 0, SR_OK);
        else
            keep_column(w, k, kept++);
    }
    w->columns = kept;
}

/* Whether Newton steps of the fold's own are the shorter way. */
static int too_slow(const folds_work *w, const refit_state *state, double decrement)
{
    if (!(decrement <= state->decrement))
        return 1;
    const double fall = sqrt(decrement / state->decrement);
    if (fall <= FALL)
        return 0;
    const double m = (double) w->p.r->m, n = (double) w->p.r->n;
    const double left = log(w->p.tolerance * w->p.spread / state->error) / log(fall);
    return left * (4 * m * n + 2 * n * n) > 2 * (m * n * n + n * n * n / 3);
}

/* The sharper bound, which is used where it says more. A factor of the fold's own comes without the
 * lengths of rows that leave, and they are dear: only where nothing else is to come. */
static void sharpen(folds_work *w, refit_state *state, double decrement, const double *b)
{
    const curvature *of = state->model.of;
    const int own = of != &w->curve;
    if (own && !state->rounded)
        return;
    if (own)
        state->leverage = largest_leverage(&w->p, of, state->f->rows, state->f->h, &w->block);
    const double distance =
        sharp_distance(&w->p, of, state->inverse, state->moved, decrement, &state->lost);
    const double error = sqrt(state->leverage) * distance + held_out_error(w, state, 0, b);
    state->distance = fmin(state->distance, distance / sqrt(w->p.lambda));
    state->error = fmin(state->error, error);
}

static void next_steps(folds_work *w)
{
    const size_t n = w->p.r->n;
    double *step0 = w->rows;
    size_t kept = 0;
    solve_columns(w, 'N');
    for (size_t k = 0; k < w->columns; k++) {
        refit_state *state = w->states + w->column[k];
        double by0;
        const double decrement =
            chord_step(w->p.r, &state->model, 0, NULL, w->step + k * n, &by0, w->u);
        sharpen(w, state, decrement, w->now + k * n);
        if (state->rounded || state->error <= w->p.tolerance * w->p.spread)
            store(w, state, w->now + k * n, 0, SR_OK);
        else if (state->steps < MOST_STEPS && !too_slow(w, state, decrement)) {
            state->decrement = decrement;
            step0[kept] = by0;
            keep_column(w, k, kept++);
        } else
            finish_alone(w, state, w->now + k * n);
    }
    w->columns = kept;
    solve_columns(w, 'T');
    for (size_t k = 0; k < w->columns; k++)
        move_column(w, k, step0[k]);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The folds of a block, their models with points times L^-1; fine: which have one. */
static void begin_block(folds_work *w, size_t first, size_t count, size_t start, int *fine)
{
    const ridge *r = w->p.r;
    const size_t n = r->n;
    double *points = w->points, *directions = w->directions, *system = w->systems;
    double *roots = w->roots, *factor = w->factors, *mean = w->means;
    for (size_t k = 0; k < count; k++) {
        const fold *f = w->q->folds + first + k;
        const size_t q = model_points(r, f);
        refit_state *state = w->states + k;
        memset(state, 0, sizeof(refit_state));
        state->f = f;
        state->index = first + k;
        state->start = start;
        state->own.factor = factor;
        state->own.mean = mean;
        state->directions = directions;
        state->roots = roots;
        state->b0 = w->b0;
        state->distance = state->error = state->decrement = INFINITY;
        state->model.points = points;
        state->model.system = system;
        w->column[k] = k;
        fine[k] = begin_model(w, state) == SR_OK;
        start += f->h;
        points += n * q;
        directions += n * f->e;
        system += q * q;
        roots += f->s + f->h;
        if (has_factor(r, f)) {
            factor += n * n;
            mean += n;
        }
    }
    w->columns = count;
}

/* L^-1 of all points, those of one factor at once, and the systems from them. */
static void finish_models(folds_work *w, int *fine)
{
    const ridge *r = w->p.r;
    for (size_t k = 0, some; k < w->columns; k += some) {
        const chord *first = &w->states[k].model;
        size_t points = model_points(r, w->states[k].f);
        for (some = 1; k + some < w->columns && w->states[k + some].model.of == first->of; some++)
            points += model_points(r, w->states[k + some].f);
        if (points > 0)
            solve_lower_left('N', r->n, points, first->of->factor, r->n, first->points, r->n);
    }
    for (size_t k = 0; k < w->columns; k++)
        fine[k] = fine[k] && factor_chord(r, &w->states[k].model, &w->states[k].leverage,
                                          &w->states[k].inverse, w->u) == SR_OK;
}

int glm_leave_out(glm *p, holdout_request *request, const double *b, double b0, glm_refits *to,
                  memory from)
{
    int status =
        constrain_folds(p->r, request->folds, request->count, request->spanned, request->d, from);
    if (status != SR_OK)
        return status;
    folds_work w = new_folds_work(p, request, b, from);
    int *fine = new_ints(from, MOST_COLUMNS);
    w.to = to;
    status = look_at_fit(&w, p, b0);
    size_t start = 0, count;
    block_size size;
    for (size_t i = 0; i < request->count && status == SR_OK; i += count) {
        count = next_block(p->r, request, i, &size);
        begin_block(&w, i, count, start, fine);
        finish_models(&w, fine);
        first_steps(&w, fine);
        while (w.columns > 0) {
            block_gradients(&w);
            drop_finished(&w);
            next_steps(&w);
            R_CheckUserInterrupt();
        }
        for (size_t k = i; k < i + count; k++)
            start += request->folds[k].h;
    }
    return status;
}
