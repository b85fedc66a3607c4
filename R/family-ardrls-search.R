# The search of ardrls() at one penalty: minimization over widths, or a map, and lambda.

# The minimum at one penalty, from `at` on, or from `other` where that is better; iterations: at
# most. Where the error cannot be computed the function is a bowl around the best point so far, so
# that the search takes a shorter step.
minimize_error <- function(objective, at, penalty, space, problem, other, iterations) {
  scheme <- space$scheme(at, space, penalty, problem)
  best <- list(value = Inf)
  gradients <- 0L
  look <- remembering(function(par) {
    gradients <<- gradients + 1L
    found <- scheme$look(par, objective)
    if (is.null(found$value)) {
      if (is.infinite(best$value)) stop_status(found$status, format(space$kernel))
      away <- par - best$par
      found <- list(value = best$value + 1 + sum(away^2), gradient = 2 * away)
    } else if (found$value < best$value) {
      best <<- c(list(par = par), found)
    }
    found
  })
  look(scheme$start)
  if (!is.null(other)) look(pmin(pmax(scheme$par(other), scheme$lower), scheme$upper))
  first <- best
  # L-BFGS-B begins with a step as long as the gradient, which at a warm start is so short that the
  # search ends there. In this unit of the parameters its length is 1/4 to 1. A power of two: the
  # start stays what it is. The tolerance is one of a value above 1, so values count from the first.
  unit <- 2^floor(-log2(max(sqrt(sum(first$gradient^2)), 1e-6)) / 2)
  stats::optim(first$par, function(par) look(par)$value - first$value,
               function(par) look(par)$gradient,
               method = "L-BFGS-B", lower = scheme$lower, upper = scheme$upper,
               control = list(maxit = iterations, parscale = rep(unit, length(first$par)),
                              lmm = 20, factr = scheme$share * log_error_deviation(problem) /
                                .Machine$double.eps))
  found <- c(scheme$point(best$par), list(loss = exp(best$error), gradients = gradients))
  replace(at, names(found), found)
}

# What a penalty weighs relative to the log of the error. Where the search is on some of the rows it
# weighs as much as in all of them.
penalty_weight <- function(problem, penalty) {
  penalty / (problem$penalty_rows %||% sum(problem$weights > 0))
}

# The standard error that the log of a mean of m squared normal errors has.
log_error_deviation <- function(problem) sqrt(2 / sum(problem$weights > 0))

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
