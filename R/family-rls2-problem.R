# The verbs of RLS with two layers (verbs.R). There is one candidate, without fields.
# Fields of the problem, alongside those of problem.R:
#   bank      the kernels on all rows (kernel-bank.R); features: whether they are those of `kernels`
#             NULL, one linear kernel for each feature
#   settings  scaling, center, algorithm, tol, and `extra`, of newdata_traces()
#   scale     s_i, kernels x outputs; rescale: whether they are computed again without a fold
#   newdata   rows that count in the scales, or NULL
#   lambda    the path; asked: lambda and nlambda as asked for
#   keep      whether a model holds the weights of kernels and what predicts new rows

# From read_arguments().
rls2_problem <- function(asked) {
  tol <- asked$tol
  must(is_number(tol) && tol > 0, "argument", "`tol` must be a positive number.", shown(tol))
  kernels <- if (!is.null(asked$kernels)) kernel_grid(asked$kernels, "kernels")
  asked["kernels"] <- list(kernels)
  design <- asked_design(asked)
  lambda <- check_lambda(asked$lambda, infinite = TRUE)
  features <- is.null(kernels)
  if (features) design <- dense_design(design)
  newdata <- asked$newdata
  scaling <- check_scaling(asked$scaling, if (features) ncol(design$x) else length(kernels),
                           design$response, newdata)
  if (features) asked$kernels <- list(kernel_linear())
  problem <- new_problem(
    "rls2", asked, design, new_validation(asked, design), keep = TRUE,
    features = features, newdata = newdata, rescale = is.null(newdata),
    settings = list(scaling = scaling, center = asked$center, algorithm = asked$algorithm,
                    tol = as.double(tol), extra = 0)
  )
  problem$asked <- list(lambda = lambda, nlambda = asked$nlambda)
  problem <- within_memory(with_bank(problem))
  # Scales that are numbers are as the user wants them.
  zero <- if (!is.numeric(scaling)) which(rowSums(problem$scale) == 0)
  if (length(zero)) {
    warn("kernel", "Kernels that are zero on the rows get no weight.",
         enumerate(problem$bank$names[zero]))
  }
  problem
}

# The bank of kernels on all rows, their scales and the path of lambda.
with_bank <- function(problem) {
  problem$bank <- new_bank(problem, if (!problem$features) problem$kernels)
  if (!is.null(problem$newdata)) problem$settings$extra <- newdata_traces(problem)
  traces <- bank_traces(problem)
  problem$scale <- bank_scale(problem, traces)
  must(any(problem$scale > 0) || is.numeric(problem$settings$scaling), "kernel",
       "All kernels are zero on the rows.", enumerate(problem$bank$names),
       "Look at `x` and the kernels' parameters.")
  problem$lambda <- rls2_lambda(problem, max(problem$scale * traces))
  problem
}

# largest: s_i tr K_i of all kernels, which no eigenvalue exceeds.
rls2_lambda <- function(problem, largest) {
  lambda <- problem$asked$lambda
  if (is.null(lambda)) {
    found <- computed(.Call(ffi_rls2_top, problem$bank$terms, problem$y, problem$weights,
                            problem$intercept, problem$settings$center, problem$scale))
    # Where scales differ by many orders the end of the grid is what double precision resolves.
    least <- 10 * tolerance("resolution") * largest
    top <- max(found$top, 10 * least)
    lambda <- lambda_grid(top, max(1e-5 * top, least), problem$asked$nlambda)
  }
  check_resolvable(lambda, c(0, largest))
  lambda
}

# ---- verbs ---------------------------------------------------------------------------

train.rls2_problem <- function(problem, candidate, path = NULL) {
  c(rls2_path(problem, keep = problem$keep), begin(problem, candidate))
}

# The path is known and the fit to all rows is made once, at the end.
begin.rls2_problem <- function(problem, candidate) {
  list(candidate = candidate, path = new_path(lambda = problem$lambda))
}

without.rls2_problem <- function(problem, rows) {
  problem <- NextMethod()
  problem$keep <- isTRUE(problem$validation$keep)
  if (problem$rescale) problem$scale <- bank_scale(problem)
  problem
}

remade.rls2_problem <- function(problem, left) with_bank(NextMethod())

predict_rows.rls2_problem <- function(problem, model, rows) model$fitted[rows, , , drop = FALSE]

predictor.rls2_problem <- function(problem, model) {
  model$d <- model$d * as.vector(problem$scale)
  c(rls2_expansion(model), model["d"])
}

# The weights of kernels in all refits are in units of the fit's scales.
refits.rls2_problem <- function(problem, found, folds, at) {
  models <- lapply(found$models, pick_expansion, at)
  joined <- lapply(setNames(nm = names(models[[1]])), function(name) {
    bind_points(lapply(models, `[[`, name))
  })
  joined$d <- joined$d * as.vector(ifelse(problem$scale > 0, 1 / problem$scale, 0))
  list(folds = seq_along(folds$folds), expansion = joined)
}

# Arrays, or sparse matrices, whose last axis is one of points, one after the other.
bind_points <- function(parts) {
  shape <- dim(parts[[1]])
  if (length(shape) < 3) return(do.call(cbind, parts))
  array(unlist(parts), c(shape[-3], shape[3] * length(parts)))
}

# ---- the scales s_i: rules (17) to (19) of the paper, or the user's numbers ----------------

check_scaling <- function(scaling, n, response, newdata) {
  if (!is.numeric(scaling)) scaling <- check_choice(scaling, c("norm", "fisher", "none"), "scaling")
  else must(length(scaling) %in% c(n, n * ncol(response$y)) && all(is.finite(scaling)) &&
              all(scaling >= 0) && any(scaling > 0), "scaling",
            sprintf("`scaling` must be a rule or %d numbers that are not negative.", n),
            shown(scaling), "One number for each kernel, not all of them zero.")
  must(is_class(response) || !identical(scaling, "fisher"), "scaling",
       "`scaling = \"fisher\"` needs a factor or logical response.", "y was numeric.",
       "Use scaling = \"norm\".")
  must(is.null(newdata) || identical(scaling, "norm"), "scaling",
       "`newdata` is for `scaling = \"norm\"`.", shown(scaling),
       "The other rules do not look at new rows.")
  scaling
}

# Scales by the rows that train, kernels x outputs. Kernels that are zero there get the scale zero.
bank_scale <- function(problem, traces = bank_traces(problem)) {
  scaling <- problem$settings$scaling
  shape <- c(length(problem$bank$names), ncol(problem$y))
  if (identical(scaling, "none")) scaling <- 1
  if (is.numeric(scaling)) return(array(as.double(scaling), shape))
  size <- if (scaling == "norm") array(traces + problem$settings$extra, shape)
          else within_variances(problem)
  must(all(is.finite(size)), "not_finite", "The scales of the kernels overflow.", NULL,
       "Rescale `x` or `weights`.")
  ifelse(size > 0, 1 / pmax(size, .Machine$double.xmin), 0)
}

bank_traces <- function(problem, center = problem$settings$center) {
  .Call(ffi_bank_traces, problem$bank$terms, problem$weights, center)
}

# Within-class variances, summed over the two classes. A kernel without variance within the classes
# that tells them apart would get an infinite scale.
within_variances <- function(problem) {
  variances <- .Call(ffi_bank_variances, problem$bank$terms, problem$weights, problem$y)
  none <- which(rowSums(variances > 0) < ncol(variances))
  perfect <- if (length(none)) none[bank_traces(problem, TRUE)[none] > 0]
  must(length(perfect) == 0, "scaling",
       "A kernel does not vary within the classes: its scale would be infinite.",
       enumerate(problem$bank$names[perfect]), "Use scaling = \"norm\" or numbers.")
  variances
}

# What new rows add to the traces of all kernels: sums of k(x, x), centred by the training rows'
# weighted mean in feature space where the kernels are.
newdata_traces <- function(problem) {
  must(!is.null(problem$points), "newdata", "`newdata` cannot be used with a precomputed kernel.")
  new <- as_points(forge(problem$design$blueprint, problem$newdata), problem$standard, "newdata")
  must(!anyNA(if (is_dense(new)) new$x else new$x@x), "newdata", "`newdata` has missing values.",
       NULL, "Drop or impute those rows.")
  center <- problem$settings$center
  if (problem$features) {
    x <- densify(new)$x
    centre <- if (!center) numeric(ncol(x))
              else crossprod(problem$bank$terms, problem$weights) / sum(problem$weights)
    return(colSums((x - each_row(centre, x))^2))
  }
  share <- problem$weights / sum(problem$weights)
  used <- which(share > 0)
  vapply(problem$bank$kernels, function(kernel) {
    new <- kernel_view(new, kernel)
    sum <- sum(self_values(kernel, new))
    if (!center) return(sum)
    old <- point_rows(kernel_view(problem$points, kernel), used)
    cross <- crossprod(kernel_values(kernel, old, new, 1L), share[used])
    within <- kernel_values(kernel, old, old, 1L)
    sum - 2 * sum(cross) + nrow(new$x) * sum(share[used] * (within %*% share[used]))
  }, 0)
}

# ---- the path ------------------------------------------------------------------------

# The path for the rows of positive weight; keep: with the weights of kernels and what predicts
# new rows.
rls2_path <- function(problem, lambda = problem$lambda, keep = TRUE) {
  settings <- problem$settings
  alternates <- settings$algorithm == "alternate"
  path <- .Call(ffi_rls2_path, problem$bank$terms, problem$y, problem$weights, problem$intercept,
                settings$center, problem$scale, lambda, settings$tol, alternates, keep)
  must(status_name(path$status) != "not_positive", "lambda",
       "`lambda` is too small: the system is singular to working precision.",
       sprintf("lambda %s", three_digits(lambda[path$reached])), "Use a larger `lambda`.")
  stop_status(path$status)
  shape <- c(ncol(problem$y), length(lambda))
  open <- which(path$gap > settings$tol)
  if (!alternates && length(open)) {
    above <- rep(lambda, each = shape[1])[open]
    warn("gap", "The relative duality gap stays above `tol`.",
         sprintf("up to %s, at lambda %s", format(max(path$gap), digits = 2),
                 enumerate(unique(three_digits(above)))),
         "Rounding errors grow as lambda falls: use larger values of `lambda`, or a larger `tol`.")
  }
  each <- c("objective", "gap", "df", "iterations", "a0")
  path[each] <- lapply(path[each], matrix, shape[1], shape[2])
  for (name in c("d", "slope", "alpha", "fitted")) {
    if (!is.null(path[[name]])) dim(path[[name]]) <- c(length(path[[name]]) / prod(shape), shape)
  }
  path
}

# What predicts, alongside d and the scales of the problem: slopes of features are kept sparse,
# features x (outputs lambdas).
rls2_expansion <- function(path) {
  # as(x, "CsparseMatrix") takes a square matrix of tiny values for a symmetric one.
  sparse <- function(x) {
    at <- which(x != 0, arr.ind = TRUE)
    Matrix::sparseMatrix(at[, 1], at[, 2], x = x[at], dims = dim(x))
  }
  list(a0 = path$a0, alpha = path$alpha,
       slope = if (!is.null(path$slope)) sparse(matrix(path$slope, nrow(path$slope))))
}

# ---- the fit -------------------------------------------------------------------------

finish.rls2_problem <- function(problem, begun, choice = NULL) {
  # In an outer fold the problem is one of without().
  problem$keep <- TRUE
  path <- train(problem, begun$candidate)
  one <- ncol(problem$y) == 1
  rss <- apply(problem$weights * (as.vector(problem$y) - path$fitted)^2, 2:3, sum)
  nulldev <- total_squares(problem)
  d <- aperm(path$d, c(1, 3, 2))
  dimnames(d) <- list(problem$bank$names, NULL, problem$design$response$outputs)
  path$nkernels <- apply(path$d > 0, 2:3, sum)
  numbers <- path[c("objective", "gap", "df", "nkernels", "iterations")]
  new_fit(problem, "rls2", c(
    list(lambda = problem$lambda,
         d = if (one) matrix(d, nrow(d), dimnames = dimnames(d)[1:2]) else d,
         scale = if (one) drop(problem$scale) else problem$scale),
    lapply(numbers, if (one) drop else t),
    rls2_criteria(problem, rss, path$df),
    list(dev.ratio = explained(colSums(rss), nulldev), nulldev = nulldev,
         kernels = problem$bank$kernels, names = problem$bank$names),
    problem$settings[c("scaling", "center", "algorithm", "tol")],
    problem[c("intercept", "standard")],
    kept_fitted(path$fitted, choice),
    list(expansion = rls2_expansion(path),
         # What solves for values between those of the path.
         problem = problem[c("points", "x", "columns", "labels", "y", "weights", "intercept",
                             "threads", "settings", "scale", "lambda")])
  ))
}

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
