# What RLS2 fits answer; their methods are those of all fits, except for summary().

describe.rls2 <- function(object) {
  found <- NextMethod()
  linear <- is.null(object$kernels)
  scaling <- if (is.numeric(object$scaling)) "given as numbers"
             else sprintf("\"%s\"", object$scaling)
  found$lines <- fit_lines(object, c(
    counted(length(object$names), if (linear) "feature" else "kernel"), paste("scaling", scaling),
    if (object$center) "centred in feature space"
  ))
  found$details <- sprintf("relative duality gap at most %.1e", max(object$gap))
  # With weight for any output, one number for each lambda.
  used <- colSums(apply(path_weights(object) > 0, c(1, 3), any))
  in_use <- setNames(list(as.integer(used)), if (linear) "Features" else "Kernels")
  found$chosen <- c(found$chosen, in_use)
  found$printed <- c(in_use, found$printed)
  found$numbers <- list(nterms = length(object$names), npath = length(object$lambda),
                        gap = max(object$gap))
  # The kernel changes along the path: it has no rank of its own.
  found$rank <- Inf
  found$null_model <- TRUE
  found
}

# The paper's alternation may stop far from the optimum, most of all where lambda is small. The
# error there is then that of the place where it stopped, not of that lambda.
describe.cv.rls2 <- function(object) {
  found <- NextMethod()
  fit <- object$fit
  last <- length(object$lambda)
  gap <- max(as.matrix(fit$gap)[last, ])
  stopped <- fit$algorithm == "alternate" && last > 1 && object$index[["min", "Lambda"]] == last
  found$notes <- c(found$notes, if (stopped && gap > 0.01) {
    c(sprintf("The alternation stopped short of the optimum there (relative gap %s):",
              format(gap, digits = 2)),
      "algorithm = \"newton\" reaches it, and shows the error of this lambda itself.")
  }, centre_note(object))
  found
}

# Without centring the intercept of a refit is the mean y of its rows, while x is centred over all
# rows: predictions of a fold of h of the m rows are off by what f is on its average, h / (m - h)
# times. The mean square of that is var(f) N / (m (N - 1)^2) with N folds.
centre_note <- function(cv) {
  fit <- cv$fit
  linear <- is.null(fit$kernels) || any(vapply(fit$kernels, has_slopes, NA))
  off <- linear && !fit$center && fit$intercept && !is.null(fit$standard)
  if (!off || names(cv$name) != "mse" || cv$nfolds < 2) return(NULL)
  at <- cv$index[["min", "Lambda"]]
  added <- sum(as.matrix(fit$dev.ratio)[at, ] * fit$nulldev / fit$nobs) * cv$nfolds /
    (fit$nobs * (cv$nfolds - 1)^2)
  if (isTRUE(added > 0.1 * cv$cvm[at])) {
    c("Refits centre x over all rows and y over their own, which adds about",
      sprintf("%s to the error: center = TRUE centres both over their own.",
              format(added, digits = 2)))
  }
}

#' Which kernels have weight
#'
#' The kernels, or features, that the fit uses at one value of lambda.
#'
#' @param object a fit of [rls2()].
#' @param s one value of lambda within the path. `NULL`: the value of the smallest `gcv`.
#' @param ... unused.
#' @return A list with `lambda` and `selected`, a data frame with the kernels (or features) that
#'   have weight at `s` (for each output), by decreasing weight d, and the largest lambda of the
#'   path at which each has weight.
#' @examples
#' fit <- rls2(lpsa ~ . - train, data = prostate, subset = train)
#' summary(fit, s = 0.1)
#' @export
summary.rls2 <- function(object, s = NULL, ...) {
  check_dots(...)
  final_fit(object)
  # Where no lambda leaves degrees of freedom: the largest one.
  s <- path_point(object, s %||% object$lambda[c(which.min(object$gcv), 1)[1]])
  d <- expansion_at(object, s)$d
  use <- which(d > 0, arr.ind = TRUE)
  outputs <- output_names(object$response)
  weights <- path_weights(object)
  entered <- apply(use, 1, function(at) object$lambda[which(weights[at[1], at[2], ] > 0)[1]])
  selected <- data.frame(
    term = object$names[use[, 1]], output = outputs[use[, 2]], weight = d[d > 0], entered = entered
  )[order(use[, 2], -d[d > 0]), ]
  if (length(outputs) == 1) selected$output <- NULL
  names(selected)[1] <- if (is.null(object$kernels)) "feature" else "kernel"
  rownames(selected) <- NULL
  structure(list(call = object$call, description = describe(object)$lines, lambda = s,
                 selected = selected), class = "summary.rls2")
}

#' @export
print.summary.rls2 <- function(x, digits = print_digits(), ...) {
  print_head(x$call, x$description)
  cat("At lambda ", format(x$lambda, digits = digits), ":\n\n", sep = "")
  print(x$selected, digits = digits)
  invisible(x)
}

# Values of the path are there; for others the path is followed again, down to each of them.
expansion_at.rls2 <- function(object, lambda) {
  at <- match_points(lambda, object$lambda)
  if (!anyNA(at)) return(pick_expansion(c(object$expansion, list(d = path_weights(object))), at))
  problem <- object$problem
  problem$bank <- new_bank(problem, object$kernels)
  path <- c(object$lambda[object$lambda > min(lambda)], lambda)
  path <- sort(unique(path), decreasing = TRUE)
  solved <- rls2_path(problem, lambda = path)
  pick_expansion(c(rls2_expansion(solved), solved["d"]), match(lambda, path))
}

# d as kernels x outputs x lambdas.
path_weights <- function(object) {
  aperm(array(object$d, c(length(object$names), length(object$lambda), output_count(object))),
        c(1, 3, 2))
}

expansion_terms.rls2 <- function(object) {
  if (is.null(object$kernels)) length(object$names) else object$nobs
}

# With kernels sum_i d_i s_i k_i(x, x_j) alpha_j over those i that have weight.
expansion_scores.rls2 <- function(object, expansion, x) {
  if (is.null(object$kernels)) {
    used <- which(Matrix::rowSums(expansion$slope != 0) > 0)
    x <- densify(point_features(new_points(object, x), used))$x
    return(x %*% as.matrix(rows_at(expansion$slope, used)))
  }
  matrix(sum_over_kernels(object, expansion, function(kernel, train, alpha) {
    crossprod(bank_values(object, kernel, train, x), alpha)
  }), nrow(x), length(expansion$a0))
}

# The sum of f over the kernels that have weight: of a kernel, the rows that train, and their alpha
# times d_i s_i, rows x (outputs lambdas). Without such kernels 0.
sum_over_kernels <- function(object, expansion, f) {
  scale <- object$problem$scale
  weight <- matrix(expansion$d, nrow(scale)) *
    scale[, rep(seq_len(ncol(scale)), ncol(expansion$a0))]
  train <- which(object$weights > 0)
  alpha <- rows_at(matrix(expansion$alpha, object$nobs), train)
  Reduce(`+`, lapply(which(rowSums(weight) > 0), function(i) {
    f(object$kernels[[i]], train, alpha * each_row(weight[i, ], alpha))
  }), 0)
}

# The rows that train as a kernel sees them, NULL where it is precomputed.
training_points <- function(problem, kernel, train) {
  if (!is.null(problem$points)) point_rows(kernel_view(problem$points, kernel), train)
}

# One kernel of the training rows with new ones.
bank_values <- function(object, kernel, train, x) {
  values_with_new(object, kernel, train, training_points(object$problem, kernel, train), x)
}

# For features the slopes d_i s_i (X'c)_i (formula 12), for kernels the coefficients c_j of the
# rows, for kernels and scales as the user knows them.
path_coefficients.rls2 <- function(fit, points) {
  expansion <- expansion_at(fit, points)
  a0 <- as.vector(expansion$a0)
  kernels <- !is.null(fit$kernels)
  values <- if (kernels) matrix(expansion$alpha, fit$nobs) else as.matrix(expansion$slope)
  if (!kernels && !is.null(fit$standard)) {
    values <- values / fit$standard$scale
    a0 <- a0 - colSums(values * fit$standard$centre)
  }
  values <- rbind(a0, values)
  rownames(values) <- c("(Intercept)", if (kernels) fit$problem$labels else fit$names)
  values
}

gp_view.rls2 <- function(fit, at) {
  problem <- fit$problem
  weights <- matrix(expansion_at(fit, at)$d, nrow(problem$scale)) * problem$scale
  project <- if (is.null(fit$kernels)) project_features else project_kernels
  views <- lapply(seq_len(ncol(weights)), function(j) {
    used <- which(weights[, j] > 0)
    z <- project(fit, used, weights[used, j])
    coordinate_view(z$train, columns_at(problem$y, j), problem$weights, at, problem$intercept,
                    problem$intercept || fit$center, z$new)
  })
  variance <- function(x) vapply(views, function(view) view$variance(x), numeric(nrow(x)))
  new_view(fit, variance, joined(views, "rss"), joined(views, "penalty"), joined(views, "df"))
}

# Coordinates z, whose products are the values of a sum of kernels: of the rows of the problem, and
# a function of new ones. weight: d s of the features, or kernels, that are used.
project_features <- function(fit, used, weight) {
  project <- function(points) {
    x <- densify(point_features(points, used))$x
    x * each_row(sqrt(weight), x)
  }
  list(train = project(fit$problem$points), new = function(x) project(new_points(fit, x)))
}

# By the eigenvectors U of the kernel of the rows that train: z = D^(-1/2) U'k_x, and as the last
# coordinate what they do not see of k(x, x).
project_kernels <- function(fit, used, weight) {
  problem <- fit$problem
  train <- which(problem$weights > 0)
  sums <- function(f) {
    Reduce(`+`, Map(function(i, weight) weight * f(fit$kernels[[i]]), used, weight))
  }
  k <- sums(function(kernel) {
    if (is_precomputed(kernel)) return(unname(as.matrix(problem$x[train, train, drop = FALSE])))
    points <- training_points(problem, kernel, train)
    kernel_values(kernel, points, points, problem$threads)
  })
  found <- eigen(k, TRUE)
  seen <- found$values > length(train) * .Machine$double.eps * found$values[1]
  root <- sqrt(found$values[seen])
  vectors <- columns_at(found$vectors, seen)
  z <- matrix(0, length(problem$weights), length(root) + 1)
  z[train, seq_along(root)] <- vectors * each_row(root, vectors)
  list(train = z, new = function(x) {
    z <- crossprod(sums(function(kernel) bank_values(fit, kernel, train, x)), vectors)
    z <- z / each_row(root, z)
    self <- sums(function(kernel) new_self_values(fit, kernel, x))
    cbind(z, sqrt(left_over(self, rowSums(z^2), length(train))))
  })
}

# Coefficients of a kernel that was learned have no covariance: no `average`.
expansion_slopes.rls2 <- function(object, expansion, x, share) {
  if (is.null(object$kernels)) {
    slope <- as.matrix(expansion$slope)
    if (!is.null(object$standard)) slope <- slope / object$standard$scale
    return(list(slopes = array(each_row(slope, x), c(nrow(x), dim(slope)))))
  }
  slopes <- sum_over_kernels(object, expansion, function(kernel, train, alpha) {
    check_slopes(kernel)
    kernel_slopes(object, kernel, training_points(object$problem, kernel, train), alpha, x,
                  share)$slopes
  })
  list(slopes = array(slopes, c(dim(x), length(expansion$a0))))
}

average_scores.rls2 <- function(object, expansion, x, share, low = NULL) {
  values <- expansion_scores(object, expansion, x)
  list(values = if (is.null(low)) values else values - expansion_scores(object, expansion, low))
}
