# Widths that minimize the exact held-out error, along a path of penalties.
#
# At a penalty the minimum over log gamma and log lambda of
#
#   log(held-out error) + penalty sum_d (log gamma_d - log start_d - their mean)^2 / m
#
# over the features d that vary; the columns of a factor share its gamma. At Inf one factor is
# common to all widths; every other penalty starts where the one before ended.

# The steps of widths, a list for every penalty: the `fit` to all rows that train, where it stands
# (`at`), the `selection` of its basis, `loss`, the held-out error, and `gradients`, how many it
# took; and its `kernel`, `penalty` and `kind`.
#
# folds: of draw_folds(); chosen: of chosen_basis(); widths: of start_widths(). from: NULL, or the
# steps of a path of most of the rows, or of some (family-ardrls-rows.R); then the basis is what was
# selected there, and a penalty starts where it ended there, or where the one before it ended here
# if that is better. near: whether `from` is so near that a few iterations end the search; then a
# penalty starts from there alone. ends: NULL, or a function of the steps so far, whether they are
# enough. fits: whether there is a `fit`.
relevance_path <- function(problem, folds, chosen, widths, from = NULL, near = FALSE, ends = NULL,
                           fits = TRUE) {
  # A column may vary in these rows only.
  if (length(from[[1]]$at$log_gamma) != length(widths$moves)) from <- NULL
  near <- near && !is.null(from)
  at <- if (is.null(from)) list(log_gamma = widths$start) else from[[1]]$at
  selects <- is.list(chosen)
  selection <- if (selects && !is.null(from)) from[[1]]$selection
               else whole_basis(problem, with_widths(widths, at$log_gamma), chosen)
  if (is.null(from)) at <- start_point(problem, widths, selection, folds)
  steps <- list()
  for (i in which(problem$kind == "widths")) {
    if (selects && !is.null(from)) selection <- from[[i]]$selection
    renews <- selects && is.null(from) && i > 1
    search <- if (renews) better_basis(problem, chosen, selection, at, widths, folds)
              else on_basis(problem, widths, selection, folds)
    selection <- search$selection
    other <- from[[i]]$at
    # What these rows have changed at the penalty before they change here, too.
    if (near && i > 1) other <- shifted(other, from[[i - 1]]$at, at)
    at <- minimize_error(search$objective, at, problem$penalty[i], widths, problem, other, near)
    # It holds three m x n blocks.
    search <- NULL
    kernel <- with_widths(widths, at$log_gamma)
    steps[[i]] <- new_step(problem, i, kernel, selection, at, fits)
    if (!is.null(ends) && ends(steps)) break
  }
  steps
}

# The i-th step of the path. at: of minimize_error().
new_step <- function(problem, i, kernel, selection, at, fits) {
  step <- list(fit = if (fits) fit_step(problem, kernel, selection, at), at = at, kernel = kernel,
               selection = selection, loss = at$loss, gradients = at$gradients,
               penalty = problem$penalty[i], kind = problem$kind[i])
  say_step(problem, step)
  step
}

# A point moved as another one has moved, by log_lambda and log_gamma or a map.
shifted <- function(at, from, to) {
  for (name in intersect(c("log_gamma", "map", "log_lambda"), names(at))) {
    at[[name]] <- at[[name]] + to[[name]] - from[[name]]
  }
  at
}

# ---- widths ------------------------------------------------------------------------

# Where the search begins. A list of
#   kernel   with one gamma for each feature, 0 of those that do not vary in the rows that train
#   moves    which features of the kernel have widths to be found
#   start    log gamma of those
#   x        their columns, dense, not scaled by widths
#   of       of every column, which of the widths to be found it has
#   gradient, scheme   width_gradient(), width_scheme(); where maps are sought others stand here
start_widths <- function(problem) {
  feature <- features_of(problem$feature, problem$columns, ncol(problem$design$x))
  check_names_differ(names(feature)[!duplicated(feature)])
  kernel <- resolve_kernel(problem$kernels[[1]], problem$points, problem$columns, problem$feature,
                           problem$design$weights)
  points <- densify(point_features(problem$points, kernel$features))
  if (!has_widths(kernel)) {
    gamma <- if (is.null(kernel$gamma)) 1 else kernel$gamma
    seen <- if (is.null(kernel$features)) feature else feature[kernel$features]
    names <- names(seen)[!duplicated(seen)]
    kernel$gamma <- setNames(rep(gamma, length(names)), names)
    kernel$multiple <- NULL
    kernel <- resolve_widths(kernel, feature)
  }
  share <- if (is.null(kernel$shared)) seq_along(kernel$gamma) else kernel$shared
  varies <- column_moments(points$x, problem$weights)$sd > 0
  kernel$gamma[!seq_along(kernel$gamma) %in% share[varies]] <- 0
  moves <- which(kernel$gamma > 0)
  if (length(moves) == 0) abort("x", "All columns of `x` that the kernel sees are constant.")
  used <- share %in% moves
  list(kernel = kernel, moves = moves, start = log(unname(kernel$gamma[moves])),
       x = points$x[, used, drop = FALSE], of = match(share[used], moves),
       gradient = width_gradient, scheme = width_scheme)
}

check_names_differ <- function(columns) {
  repeated <- unique(columns[duplicated(columns)])
  if (length(repeated)) {
    abort("x", "Columns of `x` must have different names: widths are told apart by them.",
          enumerate(repeated), "Use colnames(x) <- make.unique(colnames(x)).")
  }
}

with_widths <- function(widths, log_gamma) {
  widths$kernel$gamma[widths$moves] <- exp(log_gamma)
  widths$kernel
}

# ---- the basis ---------------------------------------------------------------------

# What is asked for; what was drawn at random for all rows stays.
chosen_basis <- function(problem) {
  rows <- problem$rows
  basis <- problem$basis
  if (is.null(basis)) basis <- default_ard_basis(rows, !identical(problem$final, 0))
  else if (is_basis_count(basis)) basis <- counted_basis(basis, rows, ard_selector(rows))
  else if (!is.null(problem$chosen)) return(problem$chosen)
  chosen <- choose_basis(basis, problem$design, rows)
  if (is.numeric(chosen) && length(chosen) == 0) {
    abort("folds", "The outer fold holds all basis vectors: none is left for the search.", NULL,
          "Use more basis vectors or smaller outer folds.")
  }
  chosen
}

# Few rows need nearly all of them in the basis (bench/ardrls-small.md), and can afford it. Of many
# a random basis is the better one (bench/ardrls.md): it does not seek the outskirts, which widths
# move. grows: whether the last basis is larger.
default_ard_basis <- function(rows, grows) {
  m <- length(rows)
  if (m > 600) basis_random(if (grows) 300 else half_size(m))
  else default_basis(rows, min(300, floor(0.9 * m)))
}

# So is a number of them.
ard_selector <- function(rows) if (length(rows) > 600) basis_random else basis_rpcholesky

# The selection for a kernel without what is redundant: from then on the shift keeps basis vectors
# apart, and all of them stay.
whole_basis <- function(problem, kernel, chosen) {
  on_points <- kernel_points(problem, kernel)
  selection <- new_selection(chosen, problem, on_points)
  if (is.null(problem$basis)) selection$named <- FALSE
  part <- kernel_problem(problem, on_points, selection)
  selector <- if (is.list(chosen) || !is.null(problem$basis)) part$selector
              else "drawn at random (the default)"
  list(rows = part$basis, wanted = length(part$basis), selector = selector, named = FALSE)
}

# What one penalty's search is over: a selection with its error.
on_basis <- function(problem, widths, selection, folds) {
  list(selection = selection,
       objective = remembering(error_objective(problem, widths, selection$rows, folds)))
}

# That of the next penalty: on a basis that suits the widths of this one, where its error at the
# same widths and lambda is the smaller one. So the loss never rises with a new basis.
better_basis <- function(problem, chosen, selection, at, widths, folds) {
  renewed <- on_basis(problem, widths, whole_basis(problem, with_widths(widths, at$log_gamma),
                                                   chosen), folds)
  found <- renewed$objective(at$log_gamma, at$log_lambda)
  if (!is.null(found$value) && found$value < log(at$loss)) return(renewed)
  # Its blocks make room for others.
  renewed <- NULL
  on_basis(problem, widths, selection, folds)
}

# ---- the search ----------------------------------------------------------------------

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

# The best lambda of a grid with the first kernel, and the bounds: widths within exp(-12) and exp(8)
# of where they start, lambda from a hundredth of the grid's smallest to the null model.
start_point <- function(problem, widths, selection, folds) {
  problem$validation <- list(measure = read_measure("mse", problem$design$response))
  found <- evaluate(as_sparserls(problem), list(kernel = widths$kernel, selection = selection),
                    folds, NULL)
  lambda <- found$path$lambda
  best <- which.min(errors(found$held, problem)$cvm)
  list(log_gamma = widths$start, log_lambda = log(lambda[best]),
       bounds = log(range(lambda)) + c(-log(100), 0))
}

# The log of the held-out error as a function of a point (log gamma, or a map where `widths` are of
# start_maps()) and of log lambda, with its gradient by both; only its status where a factorization
# fails. Where y does not vary the error is all rounding: it is never below least_error(). Rows that
# neither train nor are basis vectors cost nothing.
error_objective <- function(problem, widths, basis, folds) {
  rows <- sort(union(which(problem$weights > 0), basis))
  position <- match(seq_along(problem$weights), rows)
  basis <- position[basis]
  folds <- lapply(folds$folds, lapply, function(held) position[held[!is.na(position[held])]])
  weights <- problem$weights[rows]
  plan <- fold_plan(folds, basis, problem$holdout_basis, weights)
  total <- sum(weights[plan$rows[plan$scored]])
  y <- problem$y[rows, , drop = FALSE]
  least <- least_error(y, weights, problem$intercept)
  problem$y <- y
  problem$weights <- weights
  make_room(length(rows), length(basis))
  gradient <- widths$gradient(widths, problem, basis, plan, rows)
  function(point, log_lambda) {
    found <- gradient(point, exp(log_lambda))
    if (status_name(found$status) != "ok") return(list(status = found$status))
    loss <- found$loss + least
    list(value = log(loss / total), by_point = found$by_point / loss,
         by_lambda = found$by_log_lambda / loss)
  }
}

# A function of log gamma and lambda: the loss and its gradient by both. problem: of the `rows` that
# are used.
width_gradient <- function(widths, problem, basis, plan, rows) {
  power <- width_power(widths$kernel)
  x <- widths$x[rows, , drop = FALSE]
  gradient <- if (is_custom(widths$kernel)) custom_gradient(widths$kernel, problem, basis, plan, x)
              else table_gradient(widths$kernel, problem, basis, plan, x)
  function(log_gamma, lambda) {
    scale <- exp(power * log_gamma)[widths$of]
    found <- gradient(x * rep(scale, each = nrow(x)), scale, lambda)
    if (status_name(found$status) == "ok") {
      found$by_point <- as.vector(rowsum(found$by_log_width, widths$of))
    }
    found
  }
}

# Functions of the points x, scaled by their widths, the scales and lambda: the loss and its
# gradient by the logs of lambda and of every column's width. problem: of the rows of x.
table_gradient <- function(kernel, problem, basis, plan, x) {
  gradient <- point_gradient(kernel, problem, basis, plan)
  middle <- kernel_centre(kernel, list(x = x[basis, , drop = FALSE]))
  function(x, scale, lambda) gradient(x, middle * scale, lambda)
}

# The same of points as the kernel sees them and a point among them; or, with the points before a
# map (`mapped`, with their own), the moments of these.
point_gradient <- function(kernel, problem, basis, plan) {
  spec <- kernel_list(kernel)
  blocks <- numeric(3 * length(basis) * nrow(problem$y))
  function(x, middle, lambda, mapped = NULL) {
    .Call(ffi_cv_gradient, spec, x, middle, basis, problem$jitter, problem$y, problem$weights,
          problem$intercept, lambda, plan, blocks, problem$threads, mapped)
  }
}

# A user's function has no widths: that of a feature is the square of what multiplies it. The
# function has been checked where the search starts; where it fails on the way its values overflow.
# x: the points as they are there.
custom_gradient <- function(kernel, problem, basis, plan, x) {
  check_custom_slope(kernel, x[basis, , drop = FALSE], x)
  function(x, scale, lambda) {
    vectors <- x[basis, , drop = FALSE]
    values <- tryCatch(kernel_values(kernel, list(x = vectors), list(x = x), problem$threads),
                       sparserls_error_kernel = function(e) NULL)
    if (is.null(values)) return(list(status = session$constants$status[["not_finite"]]))
    found <- .Call(ffi_value_gradient, values, basis, problem$jitter, problem$y, problem$weights,
                   problem$intercept, lambda, plan)
    if (status_name(found$status) == "ok") {
      found$by_log_width <- custom_width_slopes(kernel, vectors, x, found$by_value)
    }
    found
  }
}

# A share of the null model's error, and what rounding y itself costs: a y far from 0 has no more.
least_error <- function(y, weights, intercept) {
  centre <- if (intercept) colSums(weights * y) / sum(weights) else 0
  apart <- y - rep(centre, each = nrow(y))
  max(1e-20 * sum(weights * apart^2), sum(weights * (2 * .Machine$double.eps * y)^2),
      .Machine$double.xmin)
}

# Frees large blocks that are no longer needed before new ones are allocated: R would keep those of
# several steps at once.
make_room <- function(rows, columns) if (rows * columns > 2^20) gc(FALSE)

# The minimum at one penalty, from `at` on, or from `other` where that is better; or the last steps
# to it from `other` (`near`). Where the error cannot be computed the function is a bowl around the
# best point so far, so that the search takes a shorter step. Where rows are many it answers, too,
# what was seen of the function's `curvature` on the way (family-ardrls-curvature.R).
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
  else search_minimum(look, first, scheme, problem$maxit, error_tolerance(problem, scheme$share))
  c(scheme$point(best$par), list(bounds = at$bounds, loss = exp(best$error), gradients = gradients,
                                 curvature = if (many) with_seen(known, seen)))
}

search_minimum <- function(look, first, scheme, maxit, tolerance) {
  unit <- rep(first_step_unit(first$gradient), length(first$par))
  stats::optim(first$par, function(par) look(par)$value - first$value,
               function(par) look(par)$gradient,
               method = "L-BFGS-B", lower = scheme$lower, upper = scheme$upper,
               control = list(maxit = maxit, parscale = unit, lmm = 20,
                              factr = tolerance / .Machine$double.eps))
}

# L-BFGS-B begins with a step as long as the gradient, which at a warm start is so short that the
# search ends there. In this unit of the parameters its length is 1/4 to 1. A power of two: the
# start stays what it is.
first_step_unit <- function(gradient) {
  2^floor(-log2(max(sqrt(sum(gradient^2)), 1e-6)) / 2)
}

# A share of the standard error that the log of a mean of m squared normal errors has.
error_tolerance <- function(problem, share) share * log_error_deviation(problem)

# What a penalty weighs beside the log of the error. Where the search is on some of the rows it
# weighs as much as in all of them.
penalty_weight <- function(problem, penalty) {
  penalty / if (on_some_rows(problem)) problem$penalty_rows else sum(problem$weights > 0)
}

on_some_rows <- function(problem) !is.null(problem$penalty_rows)

log_error_deviation <- function(problem) sqrt(2 / sum(problem$weights > 0))

# What is minimized over: (factor, lambda), or all widths and lambda (maps: free_map()). `look`
# answers value, gradient and error, the value without the penalty; `point` widths and lambda of a
# parameter, `par` the parameter of a point; `share` is that of error_tolerance(): three thousandths
# at the ends of the path, a hundredth between them.
width_scheme <- function(at, widths, penalty, problem) {
  if (is.infinite(penalty)) common_factor(at, widths)
  else free_widths(at, widths, penalty, problem)
}

common_factor <- function(at, widths) {
  point <- function(par) list(log_gamma = widths$start + par[1], log_lambda = par[2])
  par <- function(at) c(mean(at$log_gamma - widths$start), at$log_lambda)
  look <- function(par, objective) {
    at <- point(par)
    found <- objective(at$log_gamma, at$log_lambda)
    if (is.null(found$value)) return(found)
    list(value = found$value, gradient = c(sum(found$by_point), found$by_lambda),
         error = found$value)
  }
  list(start = par(at), look = look, point = point, par = par,
       lower = c(-12, at$bounds[1]), upper = c(8, at$bounds[2]), share = 0.003)
}

free_widths <- function(at, widths, penalty, problem) {
  moves <- seq_along(widths$start)
  weight <- penalty_weight(problem, penalty)
  point <- function(par) list(log_gamma = par[moves], log_lambda = par[-moves])
  par <- function(at) c(at$log_gamma, at$log_lambda)
  look <- function(par, objective) {
    found <- objective(par[moves], par[-moves])
    if (is.null(found$value)) return(found)
    apart <- par[moves] - widths$start
    apart <- apart - mean(apart)
    list(value = found$value + weight * sum(apart^2),
         gradient = c(found$by_point + 2 * weight * apart, found$by_lambda), error = found$value)
  }
  list(start = par(at), look = look, point = point, par = par,
       lower = c(widths$start - 12, at$bounds[1]), upper = c(widths$start + 8, at$bounds[2]),
       share = if (penalty == 0) 0.003 else 0.01)
}

# ---- the fit at the end of a step ------------------------------------------------------

fit_step <- function(problem, kernel, selection, at) {
  make_room(nrow(problem$y), length(selection$rows))
  on_points <- list(kernel = kernel, points = kernel_view(problem$points, kernel))
  part <- kernel_problem(problem, on_points, selection)
  model <- train_part(problem, list(), part, new_path(lambda = exp(at$log_lambda)))
  new_step_fit(problem, model, selection)
}

new_step_fit <- function(problem, model, selection) {
  new_fit(problem, model, "sparserls",
          jitter = problem$jitter, shift_df = model_shift_df(problem, model),
          selector = selection$selector)
}

say_step <- function(problem, step) {
  if (!problem$progress) return(invisible())
  inform(sprintf("%spenalty %s: held-out error %s, %d gradients",
                 if (step$kind == "map") "map, " else "", format(step$penalty, digits = 3),
                 format(step$loss, digits = 4),
                 step$gradients))
}
