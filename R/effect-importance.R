# Importance of features: how much the held-out loss rises without what a feature says.

#' Importance of features
#'
#' How much worse a model predicts held-out rows if a feature is permuted or left out.
#'
#' `"permute"` exchanges the values of a feature among the rows that are held out together (among
#' all rows, if folds are single rows or groups), and predicts each row by the refit without it; no
#' model is fitted. It measures how much the model relies on the feature. `"refit"` leaves the
#' feature out and cross-validates with the same folds, basis rows and settings, with lambda chosen
#' again: it measures what the feature adds to the others.
#'
#' A feature is a variable of the formula with all its columns, or a column of a matrix.
#' @param object a result of a `cv.` function with `keep = TRUE`.
#' @param data the rows of the fit: `data` of the fit, needed only if it is no longer there; for
#'   fits of `x` and `y`, `x` or `list(x, y)`.
#' @param type `"permute"` or `"refit"`.
#' @param features names of features, or a list of those that are permuted, or left out, together:
#'   `list(size = c("height", "weight"), "age")`.
#' @param within for `"permute"`: a factor (its name, or a value for each row); values are exchanged
#'   only between rows of the same level.
#' @param repeats how many permutations. `NULL`: 5 to 50, until their Monte Carlo error is below a
#'   tenth of the largest importance.
#' @param ... unused.
#' @return A list of class `sparserls_importance`, with a value for each feature in the first three:
#'   \item{importance}{the rise of the held-out loss}
#'   \item{std.error}{paired standard errors over rows or, where there are groups, over groups}
#'   \item{share}{importance over the error of the null model}
#'   \item{error, null}{held-out errors of the model and of the null model, the mean of the other
#'     folds (NA if the loss is not the measure of the cross-validation)}
#'   \item{repeats, monte.carlo, each}{permutations, the standard error of their mean, and the
#'     importances of each}
#'   \item{measure, validated}{the loss, and the measure of the cross-validation. They are the same,
#'     except that for AUC, concordance and your own functions, which are no means over rows, the
#'     loss is the mean squared error or, with a `family`, the deviance}
#'   \item{type, nobs, nfolds, units, count, call}{numbers of rows and folds; the units of standard
#'     errors, `"rows"` or `"groups"`, and their number}
#'
#'   `plot()` and `autoplot()` draw them with 95 % intervals; `tidy()` and `generics::var_imp()`
#'   have `term, estimate, std.error, share, conf.low, conf.high` (quantiles of t, `count - 1`
#'   degrees of freedom).
#' @section Correlated features: Permuting one of two correlated features makes rows that do not
#'   occur in the data, which may make it look important. `"refit"` gives little to either of two
#'   features that carry the same information. Look at them as a group, or permute one `within`
#'   classes of the other. Importance is not an effect: [partial_effects()] has direction and size.
#' @section Standard errors: The variation of the training rows and of the choices is not included.
#' @section Errors: `sparserls_error_keep` and `sparserls_error_folds` without refits of the rows;
#'   `sparserls_error_newdata` for other `data`; `sparserls_error_kernel` for precomputed kernels
#'   and, with `"refit"`, custom ones and given points; `sparserls_error_argument` for unknown
#'   `features`.
#' @references Fisher, A., Rudin, C. and Dominici, F. (2019) All models are wrong, but many are
#'   useful. *Journal of Machine Learning Research* 20(177), 1-81.
#' @seealso [partial_effects()], [effect_curve()], [compare()].
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' importance(cv)
#' plot(importance(cv, features = list("lcavol", spread = c("svi", "lcp"))))
#' importance(cv, type = "refit")
#' @export
importance <- function(object, ...) UseMethod("importance")

# Also of the generics of the same name, which hide this one when their packages are attached later.
#' @rdname importance
#' @export
#' @rawNamespace S3method(ranger::importance,sparserls_cv)
#' @rawNamespace S3method(randomForest::importance,sparserls_cv)
importance.sparserls_cv <- function(object, data = NULL, type = c("permute", "refit"),
                                    features = NULL, within = NULL, repeats = NULL, ...) {
  check_dots(...)
  type <- check_choice(type, c("permute", "refit"), "type")
  fit <- object$fit
  refuse_chunks(fit, "importance()")
  own <- chosen_scores(object)
  refuse_precomputed(fit)
  data <- fit_rows(given_x(data), fit)
  rows <- own_rows(object, list(fit = fit, own = is.null(data), newdata = data, scale = "link"))
  sets <- feature_sets(fit, rows, features)
  found <- if (type == "permute") {
    part <- if (!is.null(within)) subgroup_of(within, rows$data, "within")
    permuted(object, rows, sets, exchanged_rows(object, part), repeats)
  } else {
    must(is.null(within) && is.null(repeats), "argument",
         "`within` and `repeats` are for permutations.", NULL, "Use type = \"permute\".")
    must(!isTRUE(object$omits.more), "folds", "Rows that folds do not score are not kept.", NULL,
         "Use type = \"permute\".")
    env <- if (is.null(fit$terms)) parent.frame() else environment(fit$terms)
    without <- lapply(sets, function(set) scores_without(object, rows$x, set$columns, env))
    list(losses = unit_losses(object, c(list(own), without)))
  }
  facts <- loss_facts(object)
  rise <- lapply(weighted_difference(found$losses, 1), function(x) setNames(x[-1], names(sets)))
  null <- if (facts$measure == object$name) object$performance["null", "error"] else NA_real_
  structure(c(
    list(call = object$call, type = type, importance = rise$cvm, std.error = rise$cvsd,
         share = rise$cvm / null, error = weighted_error(found$losses)$cvm[1], null = null),
    found[names(found) != "losses"], facts
  ), class = "sparserls_importance")
}

# A fit alone has no refits.
#' @rdname importance
#' @export
importance.sparserls_fit <- function(object, ...) {
  abort("keep", "Importance needs refits without each fold, which a fit alone does not have.",
        NULL, "Cross-validate with keep = TRUE.")
}

# ---- rows and features -------------------------------------------------------------------

# What is permuted or left out together, by names: of each the `variables` of the frame, where there
# is one, the `columns` of x, and whether they are of no other variable, `alone`.
feature_sets <- function(fit, rows, features) {
  known <- curve_features(fit)
  if (length(fit$blueprint$needed)) known <- intersect(known, fit$blueprint$needed)
  sets <- as.list(features %||% known)
  must(is.character(unlist(sets)) && all(unlist(sets) %in% known), "argument",
       "`features` must be names of features, or a list of them.",
       enumerate(setdiff(unlist(sets), known)),
       sprintf("There are %s.", quoted(known, 10)))
  names(sets) <- given_names(sets, vapply(sets, paste, "", collapse = " + "))
  if (is.null(rows$frame)) {
    return(lapply(sets, function(set) {
      list(columns = which(slope_names(fit) %in% set), alone = TRUE)
    }))
  }
  form <- fit$blueprint$terms
  parts <- lapply(variable_calls(form), all.vars)
  used <- column_variables(fit$blueprint, rows$frame)$variables
  lapply(sets, function(set) {
    variables <- term_variables(form)[vapply(parts, function(part) any(part %in% set), NA)]
    columns <- which(vapply(used, function(of) any(of %in% variables), NA))
    list(variables = variables, columns = columns,
         alone = all(unlist(used[columns]) %in% variables))
  })
}

# ---- permutations ------------------------------------------------------------------------

# Cells of rows that exchange their values, a list of `rows` and of their `donors`: the same or,
# of rows whose fold has a single unit in their part of the rows, all of the part.
exchanged_rows <- function(cv, part) {
  refits <- cv$refits
  used <- which(!is.na(refits$fold) & cv$fit$weights > 0)
  fold <- refits$fold[used]
  part <- if (is.null(part)) rep("", length(used)) else as.character(part)[used]
  unit <- if (is.null(refits$groups)) used else refits$groups[used]
  must(!anyNA(part), "argument", "`within` has missing values.")
  alone <- ave(unit, fold, part, FUN = function(of) length(unique(of))) == 1
  cells <- split(seq_along(used), list(part, ifelse(alone, 0, fold)), drop = TRUE)
  lapply(cells, function(cell) {
    list(rows = used[cell],
         donors = used[if (alone[cell[1]]) part == part[cell[1]] else cell])
  })
}

# Losses under permutations, averaged over these. cells: of exchanged_rows(); repeats: NULL: from 5
# on until the Monte Carlo error is a tenth of the largest rise, at most 50.
permuted <- function(cv, rows, sets, cells, repeats) {
  if (!is.null(repeats)) repeats <- check_count(repeats, "repeats")
  predicted <- held_out_predictor(cv)
  own <- predicted(rows$x)
  moved <- lapply(sets, function(set) {
    factored <- factored_predictor(cv, rows$x, set, 2^26 / length(own) / length(sets))
    if (!is.null(factored)) factored
    else function(from) predicted(moved_values(cv$fit, rows, set, from))
  })
  sums <- 0
  each <- NULL
  repeat {
    from <- seq_len(nrow(rows$x))
    for (cell in cells) {
      from[cell$rows] <- cell$donors[sample.int(length(cell$donors), length(cell$rows))]
    }
    scores <- lapply(moved, function(predict_from) predict_from(from))
    losses <- unit_losses(cv, c(list(own), scores))
    sums <- sums + losses$value
    each <- rbind(each, weighted_difference(losses, 1)$cvm[-1])
    done <- nrow(each)
    noise <- max(apply(each, 2, sd)) / sqrt(done)
    enough <- is.null(repeats) && done >= 5 && noise <= 0.1 * max(colMeans(each))
    if (enough || done == (repeats %||% 50)) break
  }
  losses$value <- sums / done
  list(losses = losses, repeats = done, monte.carlo = noise,
       each = matrix(each, done, dimnames = list(NULL, names(sets))))
}

# The coded rows with the values of some features from other rows.
moved_values <- function(fit, rows, set, from) {
  if (is.null(rows$frame)) {
    rows$x[, set$columns] <- rows$x[from, set$columns]
    return(rows$x)
  }
  rows$frame[set$variables] <- rows$frame[from, set$variables, drop = FALSE]
  terms_matrix(fit$blueprint, rows$frame)
}

# A function of all coded rows: held-out predictions, rows x outputs, each by the refit without its
# row. Refits of few rows predict in blocks of about 200, all refits all rows.
held_out_predictor <- function(cv) {
  fit <- cv$fit
  fold <- cv$refits$fold
  v <- output_count(fit)
  count <- tabulate(fold, refit_count(cv$refits))
  size <- if (is.null(cv$refits$models)) 200 else 1
  blocks <- lapply(split(seq_along(count), cumsum(count) %/% size), function(numbers) {
    rows <- which(fold %in% numbers)
    first <- (match(fold[rows], numbers) - 1L) * v
    list(rows = rows, own = as.vector(outer(first, seq_len(v), "+")),
         part = fold_predictor(cv, chosen_refit(cv), numbers))
  })
  scores <- matrix(NA_real_, fit$nobs, v)
  function(x) {
    for (block in blocks) {
      at <- seq_along(block$rows)
      found <- over_rows(rows_at(x, block$rows), at, length(block$part$offset),
                         expansion_terms(fit), block$part$scores)
      scores[block$rows, ] <- found[cbind(at, block$own)] + block$part$offset[block$own]
    }
    plus_offset(scores, fit$offset$values)
  }
}

# Gaussian and Laplacian kernels are products over features: k = k_rest k_set, and on all rows and
# basis vectors k_set = LL' to 14 digits, L having few columns where k_set is smooth or the set has
# few values. Then f(row with the set of another) = a0 + sum_r P[row, r] L[other, r], with
# P = (k_rest alpha) L of the basis, whatever the permutation. A function of `from`, the rows that
# values are from; NULL where kernels are others, or L has more columns than `most`.
factored_predictor <- function(cv, x, set, most) {
  fit <- cv$fit
  kernel <- fit$kernel
  if (is.null(cv$refits$expansion$alpha) || is.null(fit$points) || !set$alone ||
        !is.matrix(x) || !is_product(kernel)) return(NULL)
  columns <- read_columns(kernel)
  part <- (columns %||% seq_len(ncol(x))) %in% set$columns
  if (all(part) || !any(part)) return(NULL)
  all <- rbind(fit$points$x, kernel_view(new_points(fit, x), kernel)$x)
  of <- function(rows, part) list(x = all[rows, part, drop = FALSE], shift = NULL)
  basis <- seq_len(nrow(fit$points$x))
  m <- nrow(x)
  root <- kernel_root(kernel, of(TRUE, part), min(most, 100))
  if (is.null(root)) return(NULL)
  known <- refit_expansion(cv$refits, chosen_refit(cv))
  fold <- cv$refits$fold
  rest <- with_centre(of(basis, !part), kernel)
  through <- rep(list(matrix(NA_real_, m, ncol(root))), nrow(known$a0))
  # Blocks that stay in a cache.
  for (rows in row_blocks(m, 8 * length(basis))) {
    values <- kernel_values(kernel, rest, of(length(basis) + rows, !part), 1L)
    for (j in seq_along(through)) {
      through[[j]][rows, ] <- crossprod(values * known$alpha[, j, fold[rows]], root[basis, ])
    }
  }
  root <- rows_at(root, -basis)
  function(from) {
    moved <- lapply(through, function(seen) rowSums(seen * root[from, ]))
    plus_offset(do.call(cbind, moved) + t(columns_at(known$a0, fold)), fit$offset$values)
  }
}

# Whether k(a, b) is a product over features: of the number that k is a function of, which is a sum
# over features, it is exponential.
is_product <- function(kernel) {
  if (is_foreign(kernel) || has_map(kernel) || !sees_distances(kernel)) return(FALSE)
  values <- .Call(ffi_kernel_at, kernel_list(replace(kernel, "gamma", 1)), c(1, 2))$value
  isTRUE(all.equal(values[2], values[1]^2))
}

# L of a pivoted Cholesky factorization, points x rank, NULL where that is above `most`: LL' differs
# from the kernel matrix of the points by at most 1e-14.
kernel_root <- function(kernel, points, most) {
  left <- rep(1, nrow(points$x))
  root <- matrix(0, length(left), 0)
  while (max(left) > 1e-14) {
    if (ncol(root) >= most) return(NULL)
    at <- which.max(left)
    column <- kernel_values(kernel, point_rows(points, at), points, 1L)[1, ]
    column <- (column - as.vector(root %*% root[at, ])) / sqrt(left[at])
    root <- cbind(root, column, deparse.level = 0)
    left <- left - column^2
  }
  root
}

# ---- features that are left out ----------------------------------------------------------

# Arguments that say which rows and folds there are, or what is asked apart from the model.
row_arguments <- c("x", "y", "weights", "offset", "nfolds", "foldid", "groups", "strata", "folds",
                   "outer", "by.output", "keep", "progress")

# Held-out scores, rows x outputs, of the cross-validation without some columns of x, on the same
# folds. env: where arguments of the call are evaluated.
scores_without <- function(cv, x, columns, env) {
  left <- setdiff(seq_len(ncol(x)), columns)
  must(length(left) > 0, "argument", "Without these features none is left.", NULL,
       "The field `performance` of the object has the error of the null model.")
  method <- get(paste0(tail(as.character(cv$call[[1]]), 1), ".default"))
  kept <- kept_settings(cv, x, columns)
  again <- setdiff(intersect(names(cv$call), names(formals(method))), c(row_arguments, names(kept)))
  settings <- c(lapply(as.list(cv$call)[again], eval, env), kept)
  if (!is.null(settings[["k"]])) settings[["k"]] <- min(settings[["k"]], length(left))
  fold <- cv$foldid %||% cv$refits$fold
  folds <- structure(unname(split(seq_along(fold), fold)), groups = cv$refits$groups)
  settings[[if (inherits(cv, "cv.ardrls")) "outer" else "folds"]] <- folds
  given <- c(list(design_without(cv$fit, x, left), NULL, keep = TRUE, progress = FALSE), settings)
  muffled <- function(note) tryInvokeRestart(computeRestarts(note)[[1]])
  chosen_scores(withCallingHandlers(do.call(method, given), sparserls_message = muffled,
                                    sparserls_warning_basis = muffled))
}

# What stays as it was chosen: kernels without the columns, and the rows of the basis.
kept_settings <- function(cv, x, columns) {
  fit <- cv$fit
  must(!any(vapply(fit_kernels(fit), is_foreign, NA)) && !identical(fit$selector, given_points),
       "kernel", "A custom kernel or a basis of points does not say what it is without a feature.",
       NULL, "Use type = \"permute\".")
  known <- list(columns = width_names(fit$columns, ncol(x)), feature = fit$blueprint$feature)
  without <- function(kernel) kernel_without(kernel, columns, known)
  sees <- function(kernel) is.null(kernel$features) || !all(kernel$features %in% columns)
  kernels <- Filter(sees, fit[["kernels"]])
  if (length(kernels)) return(list(kernels = lapply(kernels, without)))
  if (is.null(coordinates(fit))) return(NULL)
  c(list(kernel = without(fit$kernel)),
    if (inherits(cv, "cv.sparserls") && !isTRUE(cv$reselect)) list(basis = I(rows_of_basis(fit))))
}

# The rows of a fit as a design with some columns of x.
design_without <- function(fit, x, left) {
  x <- columns_at(x, left)
  structure(c(
    picked(unclass(fit), c("response", "weights", "offset", "family")),
    list(x = x, labels = list(), rows = seq_len(nrow(x)), supplied = nrow(x),
         blueprint = list(type = "matrix", columns = colnames(x), p = ncol(x),
                          feature = some_features(fit$blueprint$feature, left)),
         intercept = !isFALSE(intercept_of(fit)))
  ), class = "sparserls_design")
}

# ---- what is shown -----------------------------------------------------------------------

#' @export
print.sparserls_importance <- function(x, digits = print_digits(), ...) {
  print_head(x$call, c(
    sprintf("Rise of the loss if a feature is %s",
            if (x$type == "permute") sprintf("permuted (%s, Monte Carlo error at most %s)",
                                             counted(x$repeats, "time"),
                                             format(x$monte.carlo, digits = 2))
            else "left out"), loss_lines(x)
  ))
  known <- !is.na(x$null)
  table <- cbind(Importance = x$importance, SE = x$std.error, `% of null loss` = 100 * x$share)
  print_rounded(table[order(-x$importance), c(TRUE, TRUE, known), drop = FALSE], digits)
  cat("\nLoss of the model ", format(x$error, digits = digits),
      if (known) c(", of the null model ", format(x$null, digits = digits)), "\n", sep = "")
  invisible(x)
}

#' @rdname importance
#' @param x a result of `importance()`.
#' @param conf.level,level of the intervals.
#' @usage
#' \method{tidy}{sparserls_importance}(x, conf.level = 0.95, ...)
#' @exportS3Method generics::tidy
tidy.sparserls_importance <- function(x, conf.level = 0.95, ...) {
  check_dots(...)
  as_table(importance_table(x, conf.level))
}

# The most important first.
importance_table <- function(x, level) {
  table <- data.frame(term = names(x$importance), estimate = x$importance, std.error = x$std.error,
                      share = x$share,
                      interval_ends(x$importance, x$std.error, x$count - 1, level),
                      row.names = NULL)
  table[order(-table$estimate), ]
}

#' @rdname importance
#' @usage
#' \method{var_imp}{sparserls_cv}(object, ...)
#' @exportS3Method generics::var_imp
var_imp.sparserls_cv <- function(object, ...) {
  tidy.sparserls_importance(importance(object, ...))
}
