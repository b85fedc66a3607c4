/* glm_fold_models.c: a quadratic model for every fold, at the fit.
 *
 * It is the fit's own, of which the fold's rows leave, others join, and b becomes orthogonal to
 * what removed basis vectors span: a chord of the fit's curvature (glm_chord.c). Where more rows
 * leave or join than half the number of coordinates the fold has a curvature and a factor of its
 * own, and the chord has the directions alone. Models are made a block of folds at a time; nothing
 * is m x m: a block has as many folds as fit into BLOCK numbers. Within a fold row `twin_of`, which
 * leaves, stands for the row that joins with its z (constraint.c). */
#include <math.h>
#include <string.h>

#include "glm_folds.h"
#include "linalg.h"
#include "vector.h"

#define BLOCK 4000000
#define MOST_COLUMNS 256

/* ---- sizes ----------------------------------------------------------------------------------- */

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
    s->rows += f->s + f->h;
}

size_t next_block(const ridge *r, const holdout_request *q, size_t first, block_size *size)
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
        most.rows = larger(most.rows, s.rows);
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
    w->roots = new_doubles(from, s->rows);
    w->factors = new_doubles(from, n * n * s->factors);
    w->means = new_doubles(from, n * s->factors);
    w->gram = s->factors > 0 ? new_doubles(from, n * n) : NULL;
}

folds_work new_folds_work(const glm *p, const holdout_request *q, const double *b, memory from)
{
    const ridge *r = p->r;
    const size_t m = r->m, n = r->n;
    const block_size most = largest_block(r, q);
    size_t e = 0, points = 0;
    for (size_t i = 0; i < q->count; i++) {
        e = larger(e, q->folds[i].e);
        points = larger(points, fold_points(q->folds + i));
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
    w.u = new_doubles(from, points);
    w.row_weight = new_doubles(from, m);
    w.place = new_ints(from, 2 * m);
    w.sums = new_row_sums(n, 0, 0, from);
    w.held = new_row_sums(n, 0, most.factors > 0, from);
    w.block = new_row_block(n, 0, from);
    w.reflect = new_doubles(from, n * e);
    w.tau = new_doubles(from, e);
    w.lapack_size = qr_work(n, e);
    w.lapack = new_doubles(from, w.lapack_size);
    w.newton = new_glm_work(r, e, from);
    return w;
}

/* ---- the fit --------------------------------------------------------------------------------- */

int look_at_fit(folds_work *w, glm *p, double b0)
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
    sum_curvature(r, w->weight, &w->curve, &w->sums, &w->block);
    if (w->gram)
        memcpy(w->gram, w->curve.factor, n * n * sizeof(double));
    return factor_curvature(n, p->lambda, &w->curve) == SR_OK ? SR_OK : SR_ILL_POSED;
}

/* ---- the model of a fold --------------------------------------------------------------------- */

/* The score and weight of a row that joins, at the fit. */
static void joined(const folds_work *w, const fold *f, size_t a, double *score, double *weight)
{
    const glm *p = w->all;
    const size_t row = (size_t) f->twins[a];
    const double eta = p->offset[row] + w->b0 + w->value[f->twin_of[a]];
    p->loss->derivatives(1, p->y + row, p->weights + row, p->theta, &eta, score, weight);
}

double fold_gradient(const folds_work *w, const fold *f, double *gradient)
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

/* ---- blocks ---------------------------------------------------------------------------------- */

/* L^-1 of all points, those of one factor at once, and the systems from them. */
static void finish_models(folds_work *w)
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
    for (size_t k = 0; k < w->columns; k++) {
        refit_state *state = w->states + k;
        state->fine = state->fine && factor_chord(r, &state->model, &state->leverage,
                                                  &state->inverse, w->u) == SR_OK;
    }
}

void begin_block(folds_work *w, size_t first, size_t count, size_t start)
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
        state->fine = begin_model(w, state) == SR_OK;
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
    finish_models(w);
}
