# Importance of features: how much the held-out loss rises without what a feature says.

#' Importance of features
#'
#' How much worse a model predicts, on rows that it has not seen, where a feature is permuted, or
#' left out: a bar for each feature, in the units of the loss and as a share of the null model's
#' error, with standard errors.
#'
#' `"permute"` (Breiman, 2001; model reliance of Fisher, Rudin and Dominici, 2019) permutes the
#' values of a feature among the rows that are held out together. Each row is predicted by the refit
#' that was made without it, which is exact and there already: no model is fitted. In folds of a
#' single row, or of a single group, there is nothing to exchange: there values are drawn from
#' all rows. It is about the model: how much it relies on the feature.
#'
#' `"refit"` leaves the feature out and cross-validates on the same folds, basis rows and settings.
#' It is about the data: what the feature says that others do not. The kernel keeps its shape
#' (its `gamma` is that of the choice, widths and maps lose the rows of the feature); lambda is
#' chosen again. [cv.ardrls()], [cv.greedyrls()] and methods of your own search again, and so does
#' `reselect = TRUE`.
#'
#' A feature is a variable of the formula, with all columns that it has a part in: a factor with its
#' levels, `x` with `log(x)` and its interactions. (A column that is computed from several, such as
#' `I(a / b)`, moves with each of them.) Of a matrix it is a column.
#' @param object a result of a `cv.` function with `keep = TRUE`.
#' @param data the rows of the fit: a data frame for a fit by a formula, which may leave it out
#'   where its data are still there; `x`, or `list(x, y)`, for fits of `x` and `y`.
#' @param type `"permute"` or `"refit"`, see below.
#' @param features names of features, or a list whose elements are names of features that are
#'   permuted, or left out, together: `list(size = c("height", "weight"), "age")`. `NULL`: every
#'   one.
#' @param within of `"permute"`: values are exchanged only between rows that have the same value
#'   of this factor, its name in the data or a value for each row of the fit. That of a correlated
#'   feature, cut into parts, makes combinations that occur.
#' @param repeats how many permutations; `NULL`: from 5 on, until their standard error (the Monte
#'   Carlo error) is below a tenth of the largest importance, at most 50. All features have the
#'   same permutations of rows. They follow [set.seed()].
#' @param ... unused.
#' @return A list of class `sparserls_importance`, with a value for each feature in the first three:
#'   \item{importance}{the rise of the held-out loss; negative where the model predicts better
#'     without it, which is chance or overfitting}
#'   \item{std.error}{paired standard errors over rows or, where there are groups, over groups, of
#'     the differences that each has, averaged over the permutations}
#'   \item{share}{importance divided by the error of the null model}
#'   \item{error, null}{held-out errors: of the model, and of the null model, which has the mean of
#'     the rows outside each fold (`performance` of [cv.sparserls()]); NA where the measure is not
#'     that of the cross-validation}
#'   \item{repeats, monte.carlo, each}{of `"permute"`: how many permutations, the largest standard
#'     error of their mean, and the importances of each, repeats x features}
#'   \item{measure, type, nobs, nfolds, units, count, call}{the loss, that of the cross-validation
#'     (of AUC, concordance and functions of yours the mean squared error or, with a `family`, the
#'     deviance); rows and folds; what counts once, `"rows"` or `"groups"`, and how many}
#'
#'   `print()` sorts them, `plot()` and `autoplot()` draw them with 95 % intervals, `tidy()` has
#'   `term, estimate, std.error, share, conf.low, conf.high` (quantiles of t with `count - 1`
#'   degrees of freedom), and `generics::var_imp()` is the same table.
#' @section Correlated features: Permuting one of two features that go together makes rows that do
#'   not occur (small houses with many rooms), where the model extrapolates: its importance is then
#'   partly that of nonsense, and large. At the same time two features that say the same share what
#'   they say, so that each may look unimportant. `type = "refit"` gives little for either, as the
#'   other one is still there. So look at them as a group, `features = list(size = c("area",
#'   "rooms"))`, or permute one `within` parts of the other. An importance is no effect:
#'   [partial_effects()] has the direction and size, adjusted for the others.
#' @section What standard errors mean: They say how importance varies with the rows that are
#'   predicted, for the refits as they are. What other training rows would change is not in them,
#'   nor that kernel and lambda were chosen on all rows.
#' @section Errors: `sparserls_error_keep` and `sparserls_error_folds` where there are no refits of
#'   the rows, with `"refit"` also where folds omit more than they score;
#'   `sparserls_error_newdata` where the rows are not those of the fit, `sparserls_error_kernel` for
#'   precomputed kernels, with `"refit"` for custom ones and a basis of given points, too,
#'   `sparserls_error_argument` for unknown `features` and for `within`.
#' @references
#' Breiman, L. (2001) Random forests. *Machine Learning* 45, 5-32.
#'
#' Fisher, A., Rudin, C. and Dominici, F. (2019) All models are wrong, but many are useful: learning
#' a variable's importance by studying an entire class of prediction models simultaneously. *Journal
#' of Machine Learning Research* 20(177), 1-81.
#' @seealso [partial_effects()] and [effect_curve()] for what a feature does, [compare()] for other
#'   differences of errors, [ardrls()] for widths that say which features matter.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' importance(cv)
#' plot(importance(cv, features = list("lcavol", spread = c("svi", "lcp"), gleason =
#'                                       c("gleason", "pgg45"))))
#' importance(cv, type = "refit")
#' @export
importance <- function(object, ...) {
  UseMethod("importance")
}

#' @rdname importance
#' @export
importance.sparserls_cv <- function(object, data = NULL, type = c("permute", "refit"),
                                    features = NULL, within = NULL, repeats = NULL, ...) {
  check_dots(..., known = names(formals()))
  type <- check_choice(type, c("permute", "refit"), "type")
  own <- chosen_scores(object)
  fit <- object$fit
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
    must(!isTRUE(object$omits.more), "folds", "What folds omit but do not score is not kept.", NULL,
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
  abort("keep", "Importance takes refits without every fold, which a fit alone does not have.",
        NULL, "Cross-validate with keep = TRUE.")
}

# ---- rows and features -------------------------------------------------------------------

# What is permuted or left out together, by names: of each the `variables` of the frame, where there
# is one, and the `columns` of x.
feature_sets <- function(fit, rows, features) {
  known <- curve_features(fit)
  if (length(fit$blueprint$needed)) known <- intersect(known, fit$blueprint$needed)
  sets <- as.list(if (is.null(features)) known else features)
  must(length(sets) > 0 && all(unlist(sets) %in% known), "argument",
       "`features` must be names of features, or a list of them.",
       enumerate(setdiff(unlist(sets), known)),
       sprintf("There are %s.", enumerate(dQuote(known, FALSE), 10)))
  names(sets) <- given_names(sets, vapply(sets, paste, "", collapse = " + "))
  if (is.null(rows$frame)) {
    return(lapply(sets, function(set) list(columns = which(slope_names(fit) %in% set))))
  }
  form <- fit$blueprint$terms
  parts <- lapply(as.list(attr(form, "variables"))[-1], all.vars)
  used <- column_variables(fit$blueprint, rows$frame)$variables
  lapply(sets, function(set) {
    variables <- term_variables(form)[vapply(parts, function(part) any(part %in% set), NA)]
    list(variables = variables,
         columns = which(vapply(used, function(of) any(of %in% variables), NA)))
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
  alone <- stats::ave(unit, fold, part, FUN = function(of) length(unique(of))) == 1
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
  sums <- 0
  each <- NULL
  repeat {
    from <- seq_len(nrow(rows$x))
    for (cell in cells) {
      from[cell$rows] <- cell$donors[sample.int(length(cell$donors), length(cell$rows))]
    }
    scores <- lapply(sets, function(set) predicted(moved_values(cv$fit, rows, set, from)))
    losses <- unit_losses(cv, c(list(own), scores))
    sums <- sums + losses$value
    each <- rbind(each, weighted_difference(losses, 1)$cvm[-1])
    done <- nrow(each)
    noise <- max(apply(each, 2, stats::sd)) / sqrt(done)
    enough <- is.null(repeats) && done >= 5 && noise <= 0.1 * max(colMeans(each))
    if (enough || done == max(repeats, if (is.null(repeats)) 50L)) break
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
  v <- ncol(fit$response$y)
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
      found <- over_rows(x[block$rows, , drop = FALSE], at, length(block$part$offset),
                         expansion_terms(fit), block$part$scores)
      scores[block$rows, ] <- found[cbind(at, block$own)] + block$part$offset[block$own]
    }
    plus_offset(scores, fit$offset$values)
  }
}

# ---- features that are left out ----------------------------------------------------------

# Arguments that say which rows and folds there are, or what is asked besides the model.
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
  fold <- if (is.null(cv$foldid)) cv$refits$fold else cv$foldid
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
  if (!inherits(fit, c("sparserls", "rls", "glmrls"))) return(NULL)
  c(list(kernel = without(fit$kernel)),
    if (inherits(cv, "cv.sparserls") && !isTRUE(cv$reselect)) list(basis = I(rows_of_basis(fit))))
}

# The rows of a fit as a design with some columns of x.
design_without <- function(fit, x, left) {
  x <- x[, left, drop = FALSE]
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
print.sparserls_importance <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  print_head(x$call, c(
    sprintf("Rise of the loss where a feature is %s",
            if (x$type == "permute") sprintf("permuted (%s, Monte Carlo error at most %s)",
                                             counted(x$repeats, "time"),
                                             format(x$monte.carlo, digits = 2))
            else "left out"), loss_lines(x), ""
  ))
  known <- !is.na(x$null)
  table <- cbind(Importance = x$importance, SE = x$std.error, `% of null` = 100 * x$share)
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
  check_dots(..., known = names(formals()))
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
