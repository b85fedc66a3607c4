# Widths that minimize the exact held-out error, along a path of penalties.
#
# At a penalty the minimum over log gamma and log lambda of
#
#   log(held-out error) + penalty sum_d (log gamma_d - log start_d - their mean)^2 / m
#
# over the features d that vary; the columns of a factor share its gamma. At Inf one factor is
# common to all widths; every other penalty starts where the one before ended.

# The steps of one kind, a list for every penalty: the `fit` to all rows that train, where the
# search ended (`at`), the `selection` of its basis, `loss`, the held-out error, and `gradients`,
# how many it took; and its `kernel`, `log_lambda`, `penalty` and `kind`.
#
# folds: of draw_folds(); space: what is searched, widths_from() or maps_from(); chosen: of
# chosen_basis(), of a kind that goes on with the basis of another one NULL. near: whether
# `space$from` is so near that a few iterations end the search. fits: whether there is a `fit`.
near_iterations <- 3

follow_steps <- function(problem, folds, space, chosen, near, fits) {
  from <- space$from
  near <- near && !is.null(from)
  at <- space$at
  selection <- space$selection
  steps <- list()
  for (i in which(problem$kind == space$kind)) {
    k <- length(steps) + 1
    if (is.list(chosen) && !is.null(from)) selection <- from[[k]]$selection
    # A basis of most of the rows has little to choose.
    renews <- is.list(chosen) && is.null(from) && k > 1 &&
      2 * length(selection$rows) <= sum(problem$weights > 0)
    search <- if (renews) better_basis(problem, chosen, selection, at, space, folds)
              else on_basis(problem, space, selection, folds)
    selection <- search$selection
    at <- minimize_error(search$objective, at, problem$penalty[i], space, problem, from[[k]]$at,
                         if (near) near_iterations else problem$maxit)
    # It holds three m x n blocks.
    search <- NULL
    step <- list(at = at, kernel = space$kernel_at(space, at), selection = selection,
                 log_lambda = at$log_lambda, loss = at$loss, gradients = at$gradients,
                 penalty = problem$penalty[i], kind = space$kind)
    if (fits) step$fit <- fit_step(problem, step)
    if (problem$progress) {
      inform(sprintf("%spenalty %s: held-out error %s, %d gradients",
                     if (step$kind == "map") "map, " else "", three_digits(step$penalty),
                     format(step$loss, digits = 4), step$gradients))
    }
    steps[[k]] <- step
  }
  steps
}

# ---- widths ------------------------------------------------------------------------

# Widths with where their search starts: `at`, the `selection` of the basis and `from`, NULL or the
# steps of a path of most of the rows, or of some (family-ardrls-final.R). Then the basis is what
# was selected there, and a penalty starts where it ended there, or where the one before it ended
# here if that is better.
widths_from <- function(problem, folds, chosen, widths, from) {
  # A column may vary in these rows only.
  if (length(from[[1]]$at$log_gamma) != length(widths$moves)) from <- NULL
  at <- if (is.null(from)) list(log_gamma = widths$start) else from[[1]]$at
  widths$selection <- if (is.list(chosen) && !is.null(from)) from[[1]]$selection
                      else whole_basis(problem, widths, at, chosen)
  widths$at <- if (is.null(from)) start_point(problem, widths, folds) else at
  widths$from <- from
  widths
}

# Where the search begins. A list of
#   kernel   with one gamma for each feature, 0 of those that do not vary in the rows that train
#   moves    which features of the kernel have widths to be found
#   start    log gamma of those
#   x        their columns, dense, not scaled by widths
#   of       of every column, which of the widths to be found it has
#   kind, kernel_at, gradient, scheme   "widths", with_widths(), width_gradient(), width_scheme();
#            where maps are sought others stand here
start_widths <- function(problem) {
  feature <- features_of(problem$feature, problem$columns, ncol(problem$design$x))
  names <- names(feature)[!duplicated(feature)]
  must(!anyDuplicated(names), "x",
       "Columns of `x` must have different names: widths are told apart by them.",
       enumerate(unique(names[duplicated(names)])), "Use colnames(x) <- make.unique(colnames(x)).")
  kernel <- resolve_kernel(problem$kernels[[1]], problem$points, problem$columns, problem$feature,
                           problem$design$weights)
  points <- densify(point_features(problem$points, kernel$features))
  if (!has_widths(kernel)) {
    seen <- if (is.null(kernel$features)) feature else feature[kernel$features]
    seen <- unique(names(seen))
    kernel$gamma <- setNames(rep(c(kernel$gamma, 1)[1], length(seen)), seen)
    kernel$multiple <- NULL
    kernel <- resolve_widths(kernel, feature)
  }
  share <- kernel$shared %||% seq_along(kernel$gamma)
  varies <- column_moments(points$x, problem$weights)$sd > 0
  kernel$gamma[setdiff(seq_along(kernel$gamma), share[varies])] <- 0
  moves <- which(kernel$gamma > 0)
  must(length(moves) > 0, "x", "All columns of `x` that the kernel sees are constant.")
  used <- share %in% moves
  list(kernel = kernel, moves = moves, start = log(unname(kernel$gamma[moves])),
       x = columns_at(points$x, used), of = match(share[used], moves), kind = "widths",
       kernel_at = with_widths, gradient = width_gradient, scheme = width_scheme)
}

with_widths <- function(widths, at) {
  widths$kernel$gamma[widths$moves] <- exp(at$log_gamma)
  widths$kernel
}

# ---- the basis ---------------------------------------------------------------------

# What is asked for; what was drawn at random for all rows stays.
chosen_basis <- function(problem) {
  rows <- problem$rows
  basis <- problem$basis
  selector <- if (length(rows) > 600) basis_random else basis_rpcholesky
  if (is.null(basis)) basis <- default_ard_basis(rows, !identical(problem$final, 0))
  else if (is_basis_count(basis)) basis <- counted_basis(basis, rows, selector)
  else if (!is.null(problem$chosen)) return(problem$chosen)
  chosen <- choose_basis(basis, problem$design, rows)
  must(is.list(chosen) || length(chosen) > 0, "folds",
       "The outer fold holds all basis vectors: none is left for the search.", NULL,
       "Use more basis vectors or smaller outer folds.")
  chosen
}

# Few rows need nearly all of them in the basis (bench/ardrls-small.txt), and can afford it. For
# many a random basis is the better one (bench/ardrls.md): it does not seek the outskirts, which
# widths move. So it is with a number of them. grows: whether the last basis is larger.
default_ard_basis <- function(rows, grows) {
  m <- length(rows)
  if (m > 600) basis_random(if (grows) 300 else half_size(m))
  else default_basis(rows, min(300, floor(0.9 * m)))
}

# The selection at some widths without what is redundant: from then on the shift keeps basis vectors
# apart, and all of them stay.
whole_basis <- function(problem, widths, at, chosen) {
  on_points <- kernel_points(problem, with_widths(widths, at))
  selection <- new_selection(chosen, problem, on_points)
  if (is.null(problem$basis)) selection$named <- FALSE
  part <- kernel_part(problem, on_points, selection)
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
  renewed <- on_basis(problem, widths, whole_basis(problem, widths, at, chosen), folds)
  found <- renewed$objective(at$log_gamma, at$log_lambda)
  if (!is.null(found$value) && found$value < log(at$loss)) return(renewed)
  # Its blocks make room for others.
  renewed <- NULL
  on_basis(problem, widths, selection, folds)
}

# ---- the error and its gradient --------------------------------------------------------

# The first width, or the best of a walk over its multiples; the best lambda of a grid there; and
# the bounds: widths within exp(-12) and exp(8) of the first, lambda from a hundredth of the grid's
# smallest to the null model.
start_point <- function(problem, widths, folds) {
  found_at <- function(multiple) {
    kernel <- with_widths(widths, list(log_gamma = widths$start + log(multiple)))
    found <- held_out_error(problem, list(kernel = kernel, selection = widths$selection), folds)
    c(found[c("lambda", "best", "loss")], list(multiple = multiple))
  }
  best <- found_at(1)
  if (problem$walks) for (step in c(1 / 4, 4)) repeat {
    multiple <- best$multiple * step
    if (multiple < widest || multiple > narrowest) break
    found <- found_at(multiple)
    if (!isTRUE(found$loss < best$loss)) break
    best <- found
  }
  list(log_gamma = widths$start + log(best$multiple), log_lambda = log(best$lambda[best$best]),
       bounds = log(range(best$lambda)) + c(-log(100), 0))
}

# The exact mean squared held-out error of a kernel with its basis: the `model`, the path of
# `lambda`, the position of the `best` one and its `loss`.
held_out_error <- function(problem, candidate, folds) {
  problem$validation <- list(measure = read_measure("mse", problem$design$response))
  found <- evaluate(as_sparserls(problem), candidate, folds, NULL)
  error <- errors(found$held, problem)$cvm
  best <- which.min(error)
  list(model = found$model, lambda = found$path$lambda, best = best, loss = error[best])
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
  y <- rows_at(problem$y, rows)
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
  kernel <- widths$kernel
  power <- width_power(kernel)
  x <- rows_at(widths$x, rows)
  gradient <- point_gradient(kernel, problem, basis, plan)
  middle <- kernel_centre(kernel, list(x = rows_at(x, basis)))
  function(log_gamma, lambda) {
    scale <- exp(power * log_gamma)[widths$of]
    found <- gradient(x * each_row(scale, x), middle * scale, lambda)
    if (status_name(found$status) == "ok") {
      found$by_point <- as.vector(rowsum(found$by_log_width, widths$of))
    }
    found
  }
}

# A function of points as the kernel sees them, a point among them and lambda: the loss and its
# gradient by the logs of lambda and of every column's width; or, with the points before a
# map (`mapped`, with their own), the moments of these.
point_gradient <- function(kernel, problem, basis, plan) {
  spec <- kernel_list(kernel)
  blocks <- numeric(3 * length(basis) * nrow(problem$y))
  function(x, middle, lambda, mapped = NULL) {
    .Call(ffi_cv_gradient, spec, x, middle, basis, problem$jitter, problem$y, problem$weights,
          problem$intercept, lambda, plan, blocks, problem$threads, mapped)
  }
}

# A share of the null model's error, and what rounding y itself costs: a y far from 0 has no more.
least_error <- function(y, weights, intercept) {
  centre <- if (intercept) colSums(weights * y) / sum(weights) else 0
  max(1e-20 * sum(weights * (y - each_row(centre, y))^2),
      sum(weights * (2 * .Machine$double.eps * y)^2), .Machine$double.xmin)
}

# Frees large blocks that are no longer needed before new ones are allocated: R would keep those of
# several steps at once.
make_room <- function(rows, columns) if (rows * columns > 2^20) gc(FALSE)

# ---- the fit at the end of a step ------------------------------------------------------

fit_step <- function(problem, step) {
  make_room(nrow(problem$y), length(step$selection$rows))
  problem <- as_sparserls(problem)
  finish(problem, list(model = train(problem, step[c("kernel", "selection")],
                                     new_path(lambda = exp(step$log_lambda)))))
}
