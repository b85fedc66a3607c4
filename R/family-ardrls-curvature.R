# The last steps of a search, by what an earlier one has seen of the second derivatives: pairs of a
# `step` and the `change` of the gradient along it. (Those of the penalty change along the path, but
# are small beside the error's where rows are many.)

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
    if (sum(pair$step * pair$change) > 1e-8 * sum(pair$step^2)) pairs <- c(pairs, list(pair))
  }
  utils::tail(pairs, most_pairs)
}

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
  pairs <- lapply(pairs, lapply, function(values) values * free)
  Filter(function(pair) sum(pair$step * pair$change) > 1e-8 * sum(pair$step^2), pairs)
}

within_bounds <- function(par, scheme) pmin(pmax(par, scheme$lower), scheme$upper)
