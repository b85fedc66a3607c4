# Methods of the cross-validation of widths.

describe_outer <- function(x) {
  if (x$outer == "split") return("a fifth of the rows held out once")
  loo <- x$nfolds == x$fit$nobs && !is.null(x$foldid)
  if (loo) "outer leave-one-out" else paste0(x$nfolds, " outer folds", describe_groups(x))
}

describe_ard_cv <- function(x) {
  c(describe_fit(x$fit), paste(c(describe_outer(x), describe_sum(x)), collapse = ", "),
    describe_rule(x))
}

#' @export
print.cv.ardrls <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  fit <- cv_fit(x)
  cat("\nCall: ", deparse1(x$call), "\n\n", sep = "")
  cat(describe_ard_cv(x), sep = "\n")
  cat("\nMeasure: ", x$name, "\n\n", sep = "")
  i <- x$index[, 1]
  table <- data.frame(Penalty = format_values(x$penalty[i]), Index = i,
                      Measure = signif(x$cvm[i], digits), SE = signif(x$cvsd[i], digits),
                      Lambda = signif(fit$lambda[i], digits), row.names = rownames(x$index))
  print_chosen(table, x, digits)
  shown <- carrying_features(fit$relevance[, i[["1se"]]])
  cat(sprintf("\n%d of %d features carry 95 %% of the relevance at penalty.1se: %s\n",
              length(shown), nrow(fit$relevance), enumerate(rownames(fit$relevance)[shown], 10)))
  notes <- edge_notes(x)
  if (length(notes)) cat("", notes, sep = "\n")
  invisible(x)
}

#' @rdname summary.sparserls_cv
#' @export
summary.cv.ardrls <- function(object, ...) {
  check_dots(..., known = "object")
  fit <- cv_fit(object)
  structure(
    list(
      call = object$call, description = describe_ard_cv(object), name = object$name,
      index = object$index[, 1], kernels = data.frame(), classes = class_table(object),
      curve = data.frame(penalty = object$penalty, cvm = object$cvm, cvsd = object$cvsd,
                         loss = fit$loss, lambda = fit$lambda, features = carrying_counts(fit))
    ),
    class = "summary.sparserls_cv"
  )
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
    if (i[["min"]] == last && cv$penalty[last] > 0) {
      "penalty.min is the smallest penalty: smaller ones, down to 0, may do better."
    }
  )
}

# A path has no single penalty that its call could name.
chosen_arguments.cv.ardrls <- function(cv) list()

#' @rdname derivatives
#' @export
derivatives.cv.ardrls <- function(object, newdata, s = "penalty.1se", type = NULL, weights = NULL,
                                  ...) {
  check_dots(..., known = names(formals()))
  fit <- cv_fit(object)
  at <- path_point(fit, cv_values(object, s))
  with_calls(width_derivatives(kept_outer_fits(object, fit$penalty[at]), fit, at, newdata, type,
                               weights), object$call)
}

