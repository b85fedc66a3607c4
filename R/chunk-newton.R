# Paths of penalized likelihood by passes over chunks (src/chunk_glm.c). In one pass up to three
# values of lambda are at work, and of each the fit and the refits without every fold, all of them
# columns. A pass adds up gradients at their points and a model of the curvature at the first
# lambda, from which every column takes its Newton step (src/glm_sums.c); a lambda that comes in
# starts with the step that the models of the one before it would take there. Where the penalized
# deviance has risen a column goes half of its way back.
#
# A state is a list of
#   lambda, asked   the path, led by a lambda so large that it is that of the null model, and what
#                   certificates are to reach
#   k               columns of each lambda: the fit and its folds
#   columns         a data frame of those of the lambdas that have come in:
#     b, b0                 coordinates about the provisional centres (a row each), and intercepts
#     to, to0               the points of the next pass
#     deviance, objective   at b, of the rows that train; with the penalty
#     held, held_weight     deviance and weight of the fold
#     error, rounded        a bound of the error of linear predictors; whether rounding hides more
#     steps                 passes that moved it
#   fits            a data frame of these lambdas:
#     spread, df            standard deviation of the fit's linear predictors; degrees of freedom,
#                           NA where the curvature was that of another lambda
#     tries                 at how many passes this lambda was the first
#   passes, last    how many there were; the last one, of take_pass()

null_lambda <- 1e150
abreast <- 3
most_passes <- 60

# share: what certificates of refits are to reach along the path.
solved_chunks <- function(problem, candidate, folds, plan, share) {
  setup <- list(problem = problem, cell = candidate$cell, folds = folds, plan = plan,
                training = train_sums(problem, candidate$cell))
  state <- go_on(setup, null_state(setup))
  null <- null_chunks(setup, state)
  state$lambda <- c(null_lambda, null$lambda)
  state$asked <- c(fold_tolerance, rep(share, length(null$lambda)))
  state <- go_on(setup, advance(setup, state), is.null(problem$local$lambda))
  training <- replace(null$training, "z_mean", list(candidate$cell$coordinates$centre))
  chunk_model(list(candidate = replace(candidate, "kernel", list(candidate$cell$part$kernel)),
                   part = candidate$cell$part, training = training, null = null, setup = setup),
              state)
}

exact_chunks <- function(model, wanted) {
  model$state$asked[wanted + 1] <- fold_tolerance
  chunk_model(model, go_on(model$setup, model$state))
}

# With `solved` as core_path() has it.
chunk_model <- function(model, state) {
  fits <- state$columns[point_columns(state, -1)[1, ], ]
  spread <- state$fits$spread[-1]
  model$solved <- list(list(
    b = t(fits$b), b0 = fits$b0, deviance = fits$deviance, df = state$fits$df[-1],
    spread = matrix(spread, 1), certificate = fits$error / spread, steps = fits$steps,
    refits = list(certificate = by_folds(state, "error"), steps = by_folds(state, "steps"),
                  own = 0 * by_folds(state, "steps"))
  ))
  replace(model, c("state", "path", "asked"),
          list(state, new_path(lambda = state$lambda[-1]), state$asked[-1]))
}

# The positions of columns, k x lambdas; at: of lambdas.
point_columns <- function(state, at) {
  columns_at(matrix(seq_len(nrow(state$columns)), state$k), at)
}

# For refits, folds x lambdas.
by_folds <- function(state, name) matrix(state$columns[[name]], state$k)[-1, -1, drop = FALSE]

# The held-out deviance, of errors() (chunk-held.R).
fold_deviance <- function(state) {
  held_sums(by_folds(state, "held"), by_folds(state, "held_weight")[, 1])
}

# As leave_sums_out() has them.
state_refits <- function(state) {
  folds <- t(rows_at(point_columns(state, -1), -1))
  list(b = t(rows_at(state$columns$b, folds)),
       offset = matrix(state$columns$b0[folds], nrow(folds)))
}

# ---- the null model ------------------------------------------------------------------------------

null_state <- function(setup) {
  k <- length(setup$folds$folds) + 1L
  empty <- list(lambda = null_lambda, asked = fold_tolerance, k = k, passes = 0)
  new_columns(empty, matrix(0, k, length(setup$cell$coordinates$centre)),
              null_start(setup$problem$local), Inf)
}

# Columns of a further lambda that go from b, b0 to other points.
new_columns <- function(state, b, b0, objective, to = b, to0 = b0) {
  columns <- data.frame(b = I(b), b0 = b0, to = I(to), to0 = to0, objective = objective,
                        deviance = 0, held = 0, held_weight = 0, error = Inf, rounded = FALSE,
                        steps = 0)
  state$columns <- rbind(state$columns, columns)
  state$fits <- rbind(state$fits, data.frame(spread = 1, df = NA_real_, tries = 0))
  state
}

# Sums of the members of the basis, and of the table of other rows by folds: the training list of
# src/bridge_chunks.c, about the provisional centres or, with a table, about means.
train_sums <- function(problem, cell, weights = cell$members$weights, sums = NULL) {
  n <- length(cell$coordinates$centre)
  found <- sums %||% list(gram = numeric(n^2), zy = numeric(n), w = 0)
  zy <- matrix(found$zy, n)
  none <- 0 * found$w
  table <- list(gram = found$gram, zy = rbind(0 * zy, zy), wy = none, w = found$w, yy = none)
  training <- .Call(ffi_train_sums, cell$members$z, cell$members$y, weights, table, cell$cholesky,
                    cell$coordinates$centre, 0, problem$intercept && !is.null(sums))$training
  stop_status(training$status, format(cell$part$kernel))
  replace(training, "intercept", problem$intercept)
}

# The values of lambda, and what they follow: the spectrum by the weights of the null model.
null_chunks <- function(setup, state) {
  problem <- setup$problem
  local <- problem$local
  members <- setup$cell$members
  rate <- members$weights *
    loss_values(problem$family, members$y[, 1], state$columns$b0[1] + members$offset)$weight
  training <- train_sums(problem, setup$cell, rate, state$last$pass$sums)
  values <- training$spectrum$values
  part <- setup$cell$part
  if (is.null(part$basis) && max(values) <= 0) stop_constant(part)
  shift <- jitter_shares(local, part, training, rate[seq_along(part$basis)])
  lambda <- local$lambda %||%
    fitting_lambda(local, part, values, max(values) / max(local$weights), shift)
  check_resolvable(lambda, values)
  list(lambda = lambda, values = values, shift = shift, training = training)
}

# ---- passes --------------------------------------------------------------------------------------

# Until all certificates are what is asked of them. open: whether the path may end before: where a
# lambda is too small for a fit, or where the deviance of the folds is two standard errors above its
# least, and df is known.
go_on <- function(setup, state, open = FALSE) {
  repeat {
    at <- head(which(!finished(state)), abreast)
    if (!length(at)) return(state)
    state$passes <- state$passes + 1
    state$last <- take_pass(setup, state, at)
    state <- advance(setup, state)
    state$fits$tries[at[1]] <- state$fits$tries[at[1]] + 1
    if (state$fits$tries[at[1]] > most_passes) {
      if (!open || at[1] < 3) stop_passes(state, at[1])
      return(cut_path(state, at[1] - 1))
    }
    if (open && state$k > 1 && any(finished(state)[-1])) {
      done <- which(finished(state)[-1])
      error <- lapply(errors(fold_deviance(state), setup$problem), `[`, done)
      best <- which.min(error$cvm)
      risen <- error$cvm > error$cvm[best] + 2 * error$cvsd[best]
      ended <- done[risen & done > done[best] & !is.na(state$fits$df[done + 1])]
      if (length(ended)) state <- cut_path(state, ended[1] + 1)
    }
  }
}

# A fold without which rows are all of one kind has an infinite intercept, and no deviance.
stop_passes <- function(state, at, topic = "no_convergence") {
  deviance <- head(state$columns$deviance, state$k)
  lone <- which(deviance < 1e-6 * deviance[1])
  if (at == 1 && length(lone)) stop_lone_folds(lone - 1)
  stop_unfitted(topic, sprintf("lambda %s", three_digits(state$lambda[at])))
}

cut_path <- function(state, last) {
  by_lambda <- c("lambda", "asked", "fits")
  state[by_lambda] <- lapply(state[by_lambda], head, last)
  state$columns <- head(state$columns, last * state$k)
  state
}

# By column, k x lambdas; the fit is known as well as at the choice.
is_done <- function(state) {
  spread <- state$fits$spread
  asked <- matrix(state$asked[seq_along(spread)], state$k, length(spread), byrow = TRUE)
  asked[1, ] <- pmin(asked[1, ], fold_tolerance)
  columns <- state$columns
  matrix(columns$rounded | columns$error <= asked * rep(spread, each = state$k), state$k)
}

# Lambdas whose columns are done and, where the choice is made and at the end of the path, whose
# degrees of freedom are known.
finished <- function(state) {
  lambdas <- seq_len(nrow(state$fits))
  asked <- state$asked[lambdas] <= fold_tolerance | lambdas == length(state$asked)
  apply(is_done(state), 2, all) & !(asked & is.na(state$fits$df))
}

# A pass at the points of these lambdas.
take_pass <- function(setup, state, at) {
  problem <- setup$problem
  columns <- state$columns[point_columns(state, at), ]
  points <- list(name = problem$family$name, theta = problem$family$theta, folds = state$k - 1L,
                 b = t(columns$to), b0 = columns$to0)
  payload <- chunk_payload(problem, setup$folds, list(setup$cell), points = points)
  pass <- over_chunks(problem, newton_work, payload, sprintf("newton-%d", state$passes),
                      combine = add_passes)
  members <- .Call(ffi_member_glm, setup$training, setup$plan, setup$cell$members$offset, points)
  list(at = at, points = points, pass = add_passes(pass, members))
}

add_passes <- function(a, b) {
  list(sums = add_fields(a$sums, b$sums), most = Map(pmax, a$most, b$most))
}

newton_work <- function(payload, i) {
  rows <- known_rows(payload, i)
  others <- other_rows(payload, payload$cells[[1]], rows)
  used <- others$used
  computed(.Call(
    ffi_chunk_glm, others$coordinates, others$counts,
    list(y = rows$y[used, 1], weights = rows$weights[used], offset = offset_of(rows$offset, used)),
    payload$points, payload$threads
  ))$pass
}

# From what the last pass has found, the points of the next one.
advance <- function(setup, state) {
  at <- state$last$at
  points <- state$last$points
  sums <- state$last$pass$sums
  columns <- as.vector(point_columns(state, at))
  squares <- colSums(points$b^2)
  objective <- sums$deviance + rep(state$lambda[at], each = state$k) * squares
  was <- state$columns[columns, ]
  fine <- is.finite(objective) & objective <= was$objective * (1 + 1e-9)
  open <- !as.vector(is_done(state)[, at])
  last <- nrow(state$fits)
  starts <- fine[1] && last %in% at && last < length(state$lambda)
  wanted <- fine & fine[1] & (open | (starts & rep(at == last, each = state$k)))
  wanted[1] <- fine[1]
  found <- .Call(ffi_next_points, setup$training, setup$plan, points, state$last$pass,
                 state$lambda[c(at, if (starts) last + 1)], as.integer(wanted))
  status <- status_name(found$status)
  if (status != "ok") stop_passes(state, at[1], status)
  moved <- which(wanted & open)
  new <- data.frame(b = I(t(points$b)), b0 = points$b0, to = I(t(found$b)),
                    to0 = as.vector(found$b0), objective = objective,
                    sums[c("deviance", "held", "held_weight")], error = as.vector(found$error),
                    rounded = as.vector(found$rounded), steps = was$steps + 1)
  state$columns[columns[moved], ] <- new[moved, ]
  back <- open & !fine
  state$columns$to[columns[back], ] <- (was$to[back, ] + was$b[back, ]) / 2
  state$columns$to0[columns[back]] <- (was$to0[back] + was$b0[back]) / 2
  fits <- (seq_along(at) - 1) * state$k + 1
  weight <- setup$problem$survey$weight
  spread <- sqrt(pmax(sums$squares[fits] / weight - (sums$values[fits] / weight)^2, 0))
  state$fits$spread[at] <- ifelse(state$lambda[at] == null_lambda, 1, spread)
  if (fine[1]) state$fits$df[at[1]] <- found$df
  if (!starts || sum(!finished(state)) >= abreast) return(state)
  some <- tail(seq_along(columns), state$k)
  from <- state$columns[columns[some], ]
  from[fine[some], ] <- new[some[fine[some]], ]
  rise <- state$lambda[last + 1] * squares[some]
  new_columns(state, from$b, from$b0, ifelse(fine[some], sums$deviance[some] + rise, Inf),
              t(found$start), as.vector(found$start0))
}
