# The search of ardrls() at one penalty: minimization over widths, or a map, and lambda.

# The minimum at one penalty, from `at` on, or from `other` where that is better; or the last steps
# to it from `other` (`near`). Where the error cannot be computed the function is a bowl around the
# best point so far, so that the search takes a shorter step. Where rows are many it answers, too,
# what was seen of the function's `curvature` on the way.
minimize_error <- function(objective, at, penalty, widths, problem, other = NULL,
                           near = FALSE) {
  scheme <- widths$scheme(at, widths, penalty, problem)
  best <- list(value = Inf)
  gradients <- 0L
  many <- near || on_some_rows(problem)
  seen <- list()
  look <- remembering(function(par) {
    gradients <<- gradients + 1L
    found <- scheme$look(par, objective)
    if (is.null(found$value)) {
      if (is.infinite(best$value)) stop_status(found$status, format(widths$kernel))
      away <- par - best$par
      found <- list(value = best$value + 1 + sum(away^2), gradient = 2 * away)
    } else if (found$value < best$value) {
      best <<- c(list(par = par), found)
    }
    if (many && !is.null(found$error)) {
      seen <<- c(seen, list(list(par = par, gradient = found$gradient)))
    }
    found
  })
  known <- curvature_of(if (near) other else at, scheme)
  # The tolerance is one of a value above 1, so values count from the first.
  if (!near) look(scheme$start)
  if (!is.null(other)) look(within_bounds(scheme$par(other), scheme))
  first <- best
  if (near) last_steps(look, first, known, scheme, log_error_deviation(problem))
  else search_minimum(look, first, scheme, problem$maxit,
                      scheme$share * log_error_deviation(problem))
  found <- c(scheme$point(best$par), list(loss = exp(best$error), gradients = gradients))
  at[names(found)] <- found
  at$curvature <- if (many) with_seen(known, seen)
  at
}

search_minimum <- function(look, first, scheme, maxit, tolerance) {
  # L-BFGS-B begins with a step as long as the gradient, which at a warm start is so short that the
  # search ends there. In this unit of the parameters its length is 1/4 to 1. A power of two: the
  # start stays what it is.
  unit <- 2^floor(-log2(max(sqrt(sum(first$gradient^2)), 1e-6)) / 2)
  stats::optim(first$par, function(par) look(par)$value - first$value,
               function(par) look(par)$gradient,
               method = "L-BFGS-B", lower = scheme$lower, upper = scheme$upper,
               control = list(maxit = maxit, parscale = rep(unit, length(first$par)), lmm = 20,
                              factr = tolerance / .Machine$double.eps))
}

# What a penalty weighs relative to the log of the error. Where the search is on some of the rows it
# weighs as much as in all of them.
penalty_weight <- function(problem, penalty) {
  penalty / if (on_some_rows(problem)) problem$penalty_rows else sum(problem$weights > 0)
}

on_some_rows <- function(problem) !is.null(problem$penalty_rows)

# The standard error that the log of a mean of m squared normal errors has.
log_error_deviation <- function(problem) sqrt(2 / sum(problem$weights > 0))

# f, which does not compute the same point twice in a row.
remembering <- function(f) {
  force(f)
  last <- NULL
  function(...) {
    point <- list(...)
    if (!identical(last$point, point)) last <<- list(point = point, value = f(...))
    last$value
  }
}

# ---- what is minimized over --------------------------------------------------------------

# What is minimized over: `inner` parameters, from which to() makes log gamma or a map (`name`) and
# from() makes them again, and log lambda, the last one. far: a function of them, whose squares are
# penalized by `weight`; slopes: a function of the gradient by log gamma or the map, that by the
# parameters. A list of
#   start, lower, upper   of the parameters
#   look                  value, gradient and error, the value without the penalty
#   share                 what an iteration must gain to be followed by another one, as a share of
#                         log_error_deviation()
#   point, par            log gamma (or a map) and log lambda of a parameter; and its inverse
new_scheme <- function(at, name, to, from, slopes, lower, upper, share, weight = 0,
                       far = function(inner) 0) {
  inner <- seq_along(lower)
  par <- function(at) c(from(at[[name]]), at$log_lambda)
  point <- function(par) setNames(list(to(par[inner]), par[-inner]), c(name, "log_lambda"))
  look <- function(par, objective) {
    found <- objective(to(par[inner]), par[-inner])
    if (is.null(found$value)) return(found)
    apart <- far(par[inner])
    list(value = found$value + weight * sum(apart^2),
         gradient = c(slopes(found$by_point) + 2 * weight * apart, found$by_lambda),
         error = found$value)
  }
  list(start = par(at), look = look, point = point, par = par, lower = c(lower, at$bounds[1]),
       upper = c(upper, at$bounds[2]), share = share)
}

# A factor of all widths; or all widths. At the ends of the path three thousandths are tolerated, a
# hundredth between them: with a twentieth searches ended where they had hardly begun.
width_scheme <- function(at, widths, penalty, problem) {
  start <- widths$start
  if (is.infinite(penalty)) {
    return(new_scheme(at, "log_gamma", function(factor) start + factor,
                      function(log_gamma) mean(log_gamma - start), sum, -12, 8, 0.003))
  }
  far <- function(log_gamma) log_gamma - start - mean(log_gamma - start)
  new_scheme(at, "log_gamma", identity, identity, identity, start - 12, start + 8,
             if (penalty == 0) 0.003 else 0.01, penalty_weight(problem, penalty), far)
}

# ---- the last steps ----------------------------------------------------------------------
# The last steps of a search, by what an earlier one has seen of the second derivatives: pairs of a
# `step` and the `change` of the gradient along it. (Those of the penalty change along the path, but
# are small relative to the error's where rows are many.)

most_pairs <- 60
# Steps at most; and what one must promise, as a share of the standard error that the log of the
# error has; the most that a step may add to the log of a width or of lambda.
last_iterations <- 8
least_promise <- 0.1
longest_step <- 1

# The pairs of the same parameters as those of a scheme.
curvature_of <- function(at, scheme) {
  pairs <- at$curvature
  if (length(pairs) && length(pairs[[1]]$step) == length(scheme$start)) pairs
}

# seen: points with their gradients, one after the other. Only where the value curves upwards.
with_seen <- function(pairs, seen) {
  for (i in seq_along(seen)[-1]) {
    pair <- list(step = seen[[i]]$par - seen[[i - 1]]$par,
                 change = seen[[i]]$gradient - seen[[i - 1]]$gradient)
    pairs <- c(pairs, Filter(curves_upwards, list(pair)))
  }
  utils::tail(pairs, most_pairs)
}

curves_upwards <- function(pair) sum(pair$step * pair$change) > 1e-8 * sum(pair$step^2)

# The quasi-Newton direction, by the two loops of L-BFGS (Nocedal 1980, Mathematics of Computation
# 35, 773-782).
newton_direction <- function(gradient, pairs) {
  direction <- -gradient
  if (length(pairs) == 0) return(direction)
  curve <- vapply(pairs, function(pair) sum(pair$step * pair$change), 0)
  share <- numeric(length(pairs))
  for (i in rev(seq_along(pairs))) {
    share[i] <- sum(pairs[[i]]$step * direction) / curve[i]
    direction <- direction - share[i] * pairs[[i]]$change
  }
  last <- length(pairs)
  direction <- direction * curve[last] / sum(pairs[[last]]$change^2)
  for (i in seq_along(pairs)) {
    back <- sum(pairs[[i]]$change * direction) / curve[i]
    direction <- direction + (share[i] - back) * pairs[[i]]$step
  }
  direction
}

# Steps from a point near the minimum, until one promises little. A step that leads up is tried
# again at a quarter of its length.
last_steps <- function(look, here, pairs, scheme, deviation) {
  longest <- longest_step
  for (i in seq_len(last_iterations)) {
    # Parameters at their bounds stay there.
    stuck <- (here$par <= scheme$lower & here$gradient > 0) |
      (here$par >= scheme$upper & here$gradient < 0)
    gradient <- replace(here$gradient, stuck, 0)
    direction <- newton_direction(gradient, among_parameters(pairs, !stuck))
    share <- min(1, longest / max(abs(direction), 1e-300))
    par <- within_bounds(here$par + share * direction, scheme)
    promise <- -sum(direction * gradient) / 2
    if (promise < least_promise * deviation) break
    found <- c(list(par = par), look(par))
    pairs <- with_seen(pairs, list(here, found))
    if (found$value < here$value) here <- found else longest <- max(abs(par - here$par)) / 4
  }
}

# The pairs of some parameters alone, the others at rest.
among_parameters <- function(pairs, free) {
  Filter(curves_upwards, lapply(pairs, lapply, function(values) values * free))
}

within_bounds <- function(par, scheme) pmin(pmax(par, scheme$lower), scheme$upper)
