# The verbs of RLS with two layers (verbs.R). There is one candidate, the whole bank of kernels.
# Fields of the problem, beside those of problem.R:
#   bank      the kernels on all rows (kernel-bank.R); features: whether they are those of `kernels`
#             NULL, one linear kernel for each feature
#   settings  scaling, center, algorithm, tol, and `extra`, of transduce()
#   scale     s_i, kernels x outputs; rescale: whether they are computed anew without a fold
#   newdata   rows that count in the scales, or NULL
#   lambda    the path; asked: lambda and nlambda as asked for
#   keep      whether a model holds the weights of kernels and what predicts new rows

# settings: the scaling, as asked for, and what the core reads. asked$kernels: of read_kernels().
rls2_problem <- function(asked, design, settings, validation = NULL) {
  lambda <- check_lambda(asked$lambda, infinite = TRUE)
  features <- is.null(asked$kernels)
  if (features) design <- dense_design(design)
  count <- if (features) ncol(design$x) else length(asked$kernels)
  newdata <- asked$newdata
  settings$scaling <- check_scaling(settings$scaling, count, design$response, newdata)
  if (features) asked$kernels <- list(kernel_linear())
  problem <- new_problem("rls2", asked, design, validation, keep = TRUE, features = features,
                         settings = settings, newdata = newdata, rescale = is.null(newdata))
  problem$asked <- list(lambda = lambda, nlambda = asked$nlambda)
  problem <- with_bank(problem)
  warn_zero_kernels(problem)
  problem
}

# The bank of kernels on all rows, their scales and the path of lambda.
with_bank <- function(problem) {
  kernels <- if (!problem$features) problem$kernels
  problem$bank <- bank <- within_memory(problem, new_bank(problem, kernels))
  if (!is.null(problem$newdata)) problem$settings$extra <- transduce(problem)
  traces <- bank_traces(bank, problem$weights, problem$settings$center)
  problem$scale <- bank_scale(bank, problem, problem$weights, problem$settings, traces = traces)
  check_all_zero(problem)
  problem$lambda <- rls2_lambda(problem, problem$asked$lambda, problem$asked$nlambda,
                                max(problem$scale * traces))
  problem
}

# What the new rows add to the traces of the kernels.
transduce <- function(problem) {
  if (is.null(problem$points)) {
    abort("newdata", "`newdata` cannot be used with a precomputed kernel.")
  }
  new <- as_points(forge(problem$design$blueprint, problem$newdata), problem$standard, "newdata")
  if (anyNA(if (is_dense(new)) new$x else new$x@x)) {
    abort("newdata", "`newdata` has missing values.", NULL, "Drop or impute those rows.")
  }
  newdata_traces(problem$bank, problem, new, problem$settings$center)
}

# largest: s_i tr K_i of all kernels, which no eigenvalue exceeds.
rls2_lambda <- function(problem, lambda, nlambda, largest) {
  if (is.null(lambda)) {
    found <- .Call(ffi_rls2_top, problem$bank$terms, problem$y, problem$weights, problem$intercept,
                   problem$settings$center, problem$scale)
    stop_status(found$status)
    # Where scales differ by many orders the end of the grid is what double precision resolves.
    least <- 10 * tolerance("resolution") * largest
    top <- max(found$top, 10 * least)
    lambda <- lambda_grid(top, max(1e-5 * top, least), nlambda)
  }
  check_resolvable(lambda, c(0, largest))
  lambda
}

# ---- verbs ---------------------------------------------------------------------------

candidates.rls2_problem <- function(problem, folds = NULL) list(list(kernel = bank_label(problem)))

train.rls2_problem <- function(problem, candidate, path = NULL) {
  c(rls2_path(problem, keep = problem$keep),
    list(path = new_path(lambda = problem$lambda), candidate = candidate))
}

# The path is known and the fit to all rows is made once, at the end.
begin.rls2_problem <- function(problem, candidate) {
  list(candidate = candidate, path = new_path(lambda = problem$lambda))
}

without.rls2_problem <- function(problem, rows) {
  problem <- without_weight(problem, rows)
  problem$keep <- isTRUE(problem$validation$keep)
  if (problem$rescale) {
    problem$scale <- bank_scale(problem$bank, problem, problem$weights, problem$settings)
  }
  problem
}

anew.rls2_problem <- function(problem, left) with_bank(NextMethod())

predict_rows.rls2_problem <- function(problem, model, rows) model$fitted[rows, , , drop = FALSE]

finish.rls2_problem <- function(problem, begun, choice = NULL) {
  # In an outer fold the problem is one of without().
  problem$keep <- TRUE
  new_rls2(problem, train(problem, begun$candidate), path_choice(choice))
}

predictor.rls2_problem <- function(problem, model) {
  model$d <- model$d * as.vector(problem$scale)
  c(rls2_expansion(model), model["d"])
}

# The weights of kernels in all refits are in units of the fit's scales.
refits.rls2_problem <- function(problem, found, folds, at) {
  models <- lapply(found$models, pick_expansion, at)
  scale <- ifelse(problem$scale > 0, 1 / problem$scale, 0)
  joined <- function(name) bind_points(lapply(models, `[[`, name))
  list(folds = seq_along(folds$folds), expansion = list(
    a0 = joined("a0"), d = joined("d") * as.vector(scale), alpha = joined("alpha"),
    slope = joined("slope")
  ))
}

# Arrays, or sparse matrices, whose last axis is one of points, one after the other.
bind_points <- function(parts) {
  if (is.null(parts[[1]])) return(NULL)
  if (isS4(parts[[1]])) return(do.call(cbind, parts))
  shape <- dim(parts[[1]])
  last <- length(shape)
  array(unlist(parts), c(shape[-last], shape[last] * length(parts)))
}

# What the bank is, without its data.
bank_label <- function(problem) {
  label <- problem$bank
  label$terms <- NULL
  label
}

largest_block.rls2_problem <- function(problem) {
  if (is.matrix(problem$bank$terms)) NextMethod() else full_kernel_block(problem)
}

# ---- the path ------------------------------------------------------------------------

# The path for the rows of positive weight; keep: with the weights of kernels and what predicts
# new rows.
rls2_path <- function(problem, lambda = problem$lambda, keep = TRUE) {
  settings <- problem$settings
  path <- .Call(ffi_rls2_path, problem$bank$terms, problem$y, problem$weights, problem$intercept,
                settings$center, problem$scale, lambda, settings$tol,
                settings$algorithm == "alternate", keep)
  if (status_name(path$status) == "not_positive") {
    abort("lambda", "`lambda` is too small: the system is singular to working precision.",
          sprintf("lambda %s", format(lambda[path$reached], digits = 3)), "Use a larger `lambda`.")
  }
  stop_status(path$status)
  warn_gap(path$gap, rep(lambda, each = ncol(problem$y)), settings)
  shape <- c(ncol(problem$y), length(lambda))
  each <- c("objective", "gap", "df", "iterations", "a0")
  path[each] <- lapply(path[each], matrix, shape[1], shape[2])
  for (name in c("d", "slope", "alpha", "fitted")) {
    if (!is.null(path[[name]])) dim(path[[name]]) <- c(length(path[[name]]) / prod(shape), shape)
  }
  path
}

# gap and lambda: one value for each output and lambda.
warn_gap <- function(gap, lambda, settings) {
  open <- which(gap > settings$tol)
  if (settings$algorithm == "alternate" || length(open) == 0) return(invisible())
  warn("gap", "The relative duality gap stays above `tol`.",
       sprintf("up to %s, at lambda %s", format(max(gap), digits = 2),
               enumerate(unique(format(lambda[open], digits = 3)))),
       "Rounding errors grow as lambda falls: use larger values of `lambda`, or a larger `tol`.")
}

# What predicts, beside d and the scales of the problem: slopes of features are kept sparse,
# features x (outputs lambdas).
rls2_expansion <- function(path) {
  shape <- dim(path$d)
  list(
    a0 = path$a0,
    alpha = path$alpha,
    slope = if (!is.null(path$slope)) sparse_matrix(matrix(path$slope, shape[1]))
  )
}

# as(x, "CsparseMatrix") takes a square matrix of tiny values for a symmetric one.
sparse_matrix <- function(x) {
  at <- which(x != 0, arr.ind = TRUE)
  Matrix::sparseMatrix(at[, 1], at[, 2], x = x[at], dims = dim(x))
}

# ---- the fit -------------------------------------------------------------------------

# index: positions of the lambdas whose fitted values matter most.
new_rls2 <- function(problem, path, index = NULL) {
  design <- problem$design
  at <- fitted_positions(nrow(problem$y), ncol(problem$y), length(problem$lambda), index)
  rss <- rls2_squares(problem, path$fitted)
  nulldev <- total_squares(problem)
  one <- ncol(problem$y) == 1
  by_lambda <- function(values) if (one) drop(values) else t(values)
  d <- aperm(path$d, c(1, 3, 2))
  dimnames(d) <- list(problem$bank$names, NULL, design$response$outputs)
  settings <- problem$settings
  new_family_fit(problem, "rls2", c(
    list(
      lambda = problem$lambda,
      d = if (one) matrix(d, nrow(d), dimnames = dimnames(d)[1:2]) else d,
      scale = if (one) drop(problem$scale) else problem$scale,
      objective = by_lambda(path$objective), gap = by_lambda(path$gap), df = by_lambda(path$df),
      nkernels = by_lambda(apply(path$d > 0, 2:3, sum)), iterations = by_lambda(path$iterations)
    ),
    rls2_criteria(problem, rss, path$df),
    list(
      dev.ratio = explained(colSums(rss), nulldev), nulldev = nulldev,
      kernels = problem$bank$kernels,
      names = problem$bank$names, scaling = settings$scaling, center = settings$center,
      algorithm = settings$algorithm, tol = settings$tol, intercept = problem$intercept,
      standard = problem$standard, expansion = rls2_expansion(path),
      fitted = path$fitted[, , at, drop = FALSE], fitted_at = at,
      problem = problem[rls2_solves_from]
    )
  ))
}

# What solves for values between those of the path.
rls2_solves_from <- c("points", "x", "columns", "labels", "y", "weights", "intercept",
                      "threads", "settings", "scale", "lambda")

# Criteria for every lambda, summed over outputs; rss and df: outputs x lambdas. Without a
# degree of freedom left (the intercept is counted although the kernels may span it) they mean
# nothing.
rls2_criteria <- function(problem, rss, df) {
  m <- sum(problem$weights > 0)
  q <- df + problem$intercept
  q[m - q < 1] <- NA
  last <- ncol(rss)
  s2 <- rss[, last] / (m - q[, last])
  log_mean <- log(rss / m)
  list(
    aic = colSums(m * log_mean + 2 * q), bic = colSums(m * log_mean + log(m) * q),
    gcv = colSums(m * rss / (m - q)^2), cp = colSums(rss / s2 - m + 2 * q)
  )
}

# Weighted residual sums of squares, outputs x lambdas.
rls2_squares <- function(problem, fitted) {
  apply(problem$weights * (as.vector(problem$y) - fitted)^2, 2:3, sum)
}
