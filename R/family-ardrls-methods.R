# What fits with one width for each feature answer: such a fit holds one of sparserls() for every
# penalty, `fits`. Points of its path are positions among the penalties.

path_axis.ardrls <- function(fit) {
  penalty <- fit$penalty
  new_axis("penalty", penalty,
           function(s) if (is.null(s)) seq_along(penalty) else read_penalties(s, penalty),
           "values of the penalty", "Penalty", chosen = c("1se", "min"), most = 12)
}

# s as positions among the penalties.
read_penalties <- function(s, penalty) {
  if (!is.numeric(s) || length(s) == 0 || anyNA(s)) {
    abort("penalty", "`s` must be numbers, values of the penalty.", describe(s))
  }
  at <- match(signif(s, 10), signif(penalty, 10))
  # As they are printed.
  at <- ifelse(is.na(at), match(format_values(s), format_values(penalty)), at)
  if (anyNA(at)) {
    abort("penalty", "`s` is not on the path of `penalty`.", format(s[is.na(at)][1]),
          sprintf("The path is %s.", enumerate(format_values(penalty), 12)))
  }
  at
}

# How many features, and which, starting with the most relevant, carry a given share of the sum of
# gammas.
carrying_features <- function(relevance, share = 0.95) {
  order <- order(relevance, decreasing = TRUE)
  sums <- cumsum(relevance[order])
  order[seq_len(which(sums >= share * sums[length(sums)])[1])]
}

carrying_counts <- function(fit) {
  unname(apply(fit$relevance, 2, function(gamma) length(carrying_features(gamma))))
}

describe_fit.ardrls <- function(fit) {
  basis <- vapply(fit$fits, function(step) length(step$basis), 0L)
  kernel <- fit$fits[[1]]$kernel
  chosen <- trimws(sprintf("%s basis vectors %s", enumerate(unique(basis)),
                           c(fit$fits[[1]]$selector, "")[1]))
  c(sprintf("%s, %s, %s kernel with a width for each of %s", describe_rows(fit), chosen,
            kernel_trait(kernel, "label"), counted(length(kernel$gamma), "feature")),
    describe_response(fit$response))
}

path_table.ardrls <- function(fit) {
  data.frame(penalty = fit$penalty, lambda = fit$lambda, loss = fit$loss,
             df = vapply(fit$fits, path_df, 0), features = carrying_counts(fit))
}

printed_path.ardrls <- function(fit, digits) {
  table <- path_table(fit)
  data.frame(Penalty = format_values(table$penalty), Lambda = signif(table$lambda, digits),
             Loss = signif(table$loss, digits), Df = signif(table$df, digits),
             Features = table$features)
}

path_columns.ardrls <- function(fit) list(Lambda = fit$lambda)

#' @export
print.ardrls <- function(x, ...) {
  NextMethod()
  cat("\nLoss: the error that was minimized. Features: how many carry 95 % of the relevance.\n")
  invisible(x)
}

# at: a position in the path, as of path_points().
gp_view.ardrls <- function(fit, at) gp_view(fit$fits[[at]], fit$fits[[at]]$lambda)

expansion_terms.ardrls <- function(object) {
  max(vapply(object$fits, function(fit) expansion_terms(fit), 0L))
}

kept_scores.ardrls <- function(object, at) {
  fits <- object$fits[path_points(object, at)]
  scores <- lapply(fits, function(fit) kept_scores(fit, NULL))
  array(unlist(scores), c(dim(scores[[1]])[1:2], length(scores)))
}

coded_scores.ardrls <- function(object, x, at) step_scores(object$fits[at], x)

#' Predictions and coefficients at penalties
#'
#' How the methods of all fits, [predict()][predict.sparserls_fit], [fitted()][coef.sparserls_fit],
#' [deviance()][fit_methods] and others, read `s` of fits along a path of penalties.
#'
#' `s` are values of the path of penalties, as they are or as they are printed; `NULL`: all of them,
#' of `coef()`, which takes a single value, the last; for `cv` results also `"penalty.1se"`, the
#' default, and `"penalty.min"`. Where others have a column for each lambda there is one for each
#' penalty.
#'
#' In [predict()][predict.sparserls_fit] `interval = "jackknife+"` takes the fits and the residuals
#' of the outer folds (cv.ardrls() with `keep = TRUE`), never the error that was minimized; with
#' `outer = "split"` it is a split conformal interval. `"gp"` and `se.fit` take widths and lambda as
#' known. Probabilities are calibrated on the outer held-out scores.
#'
#' @param object a fit of [ardrls()].
#' @param s one value of the path, by default, and where it is `NULL`, its last.
#' @param ... unused.
#' @return `coef()`: as [coef.sparserls_fit()], one column.
#' @section Errors: `sparserls_error_penalty` for values that are not in the path.
#' @examples
#' set.seed(1)
#' fit <- ardrls(lpsa ~ . - train, data = prostate, basis = 20, penalty = c(Inf, 1))
#' predict(fit, prostate[1:3, ])
#' head(coef(fit))
#' @aliases predict.ardrls
#' @export
coef.ardrls <- function(object, s = min(object$penalty), ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  step <- object$fits[[path_point(object, s)]]
  coef(step, setNames(step$lambda, names(s)))
}

residual_squares.ardrls <- function(fit, at) {
  vapply(fit$fits[path_points(fit, at)], function(step) residual_squares(step, NULL), 0)
}

df_at.ardrls <- function(fit, at) vapply(fit$fits[path_points(fit, at)], path_df, 0)

# The fit at a penalty, with the call of the whole.
fit_at.ardrls <- function(fit, point, object) {
  part <- fit$fits[[point]]
  known <- if (inherits(object, "sparserls_cv")) kept_outer_fits(object, fit$penalty[point])
           else no_outer_fits()
  list(fit = replace(part, "call", list(fit$call)), lambda = part$lambda, known = known)
}

describe_folds.cv.ardrls <- function(x) {
  if (x$outer == "split") return("a fifth of the rows held out once")
  loo <- x$nfolds == x$fit$nobs && !is.null(x$foldid)
  if (loo) "outer leave-one-out" else paste0(x$nfolds, " outer folds", describe_groups(x))
}

describe_features.cv.ardrls <- function(cv) {
  relevance <- cv$fit$relevance
  shown <- carrying_features(relevance[, cv$index[["1se", 1]]])
  sprintf("\n%d of %d features carry 95 %% of the relevance at penalty.1se: %s\n",
          length(shown), nrow(relevance), enumerate(rownames(relevance)[shown], 10))
}

known_along.ardrls <- function(fit) list(lambda = fit$lambda, features = carrying_counts(fit))

fit_facts.ardrls <- function(fit) {
  list(nterms = length(fit$fits[[fit$at]]$basis), kernel = format(fit$kernel),
       npath = length(fit$penalty))
}

edge_notes.cv.ardrls <- function(cv) {
  last <- length(cv$penalty)
  if (last == 1) return(character())
  i <- cv$index[, 1]
  largest <- cv$penalty[1]
  c(
    if (i[["min"]] == 1) {
      if (is.infinite(largest)) "penalty.min is Inf: one width for all features is as good as any."
      else "penalty.min is the largest penalty: larger ones, up to Inf, may do better."
    } else if (i[["1se"]] == 1 && is.infinite(largest)) {
      paired <- is_paired(cv$rule)
      c(paste0("penalty.1se is Inf: one width for all features is within one standard error of ",
               "the best", if (paired) "," else "."),
        paste0(if (paired) "by paired differences. ",
               "What penalty.min gains over it may be chance."))
    },
    # A path that was left to us has ended where the error did not fall any more.
    if (i[["min"]] == last && cv$penalty[last] > 0 && !is.null(cv$call$penalty)) {
      "penalty.min is the smallest penalty: smaller ones, down to 0, may do better."
    }
  )
}

# A path has no single penalty that its call could name.
chosen_arguments.cv.ardrls <- function(cv) list()
