#' Tidy results
#'
#' Tables and plots by the generics of the packages generics (broom) and ggplot2, registered when
#' those are loaded.
#'
#' @param x,object a fit of [sparserls()], [rls()], [rls2()], [greedyrls()] or [ardrls()], or a
#'   result of their `cv.` functions; for `glance()` also [derivatives()].
#' @param data,newdata rows to predict: `data` are rows of the fit, `newdata` others. Without both,
#'   the training rows.
#' @param s,k a value of lambda (penalty), or a number of features; for `tidy()` several. The
#'   default of `augment()` is the last value of a fit's path, or the value at which a `cv.` result
#'   predicts.
#' @param what for `tidy()`: the error `"curve"` or, with `outer`, what each `"nested"` fold chose.
#' @param interval,level,newoffset for `augment()`, as in [predict.sparserls_fit()]: the interval is
#'   in the columns `.lower` and `.upper`.
#' @param type.predict,type.residuals the scale of predictions, and the kind of residuals, with a
#'   `family`, see [predict.glmrls()].
#' @param sign.lambda,log for `autoplot()`, and its `what`, as in [plot.sparserls_cv()].
#' @param ... unused.
#' @return Tibbles where the package tibble is installed, else data frames.
#'
#'   `tidy()` of a fit: `term`, `lambda` (or `k`), `estimate` (and `output`); for a `cv.` result the
#'   error curve: `lambda` (and `k`), `estimate, std.error, conf.low, conf.high` (plus and minus one
#'   standard error), `df`; or for every outer fold `fold, rows, estimate`, and what was chosen
#'   without it.
#'
#'   `glance()`: one row. For `cv.` results the held-out error `estimate`, and at the same point
#'   `rmse` and `r.squared` (with a `family` the share of the deviance), for classes `accuracy`,
#'   `roc_auc` and `mn_log_loss`. With a `family` also its name, `null.deviance`, `deviance`, `df`,
#'   `dispersion` and (negbin) `theta`.
#'
#'   `augment()`: the data, with `.rownames` and `.fitted`, the predictions; for a single output
#'   `.resid`, where the response is known (rows are matched by name, else by number). Rows of a
#'   cross-validation with `keep = TRUE` also have `.held_out` and `.held_out_resid`. For several
#'   outputs these columns are matrices. For classes `.fitted` are scores, and residuals those of
#'   -1/+1 codes; with a `family` probabilities, and residuals of zeros and ones.
#'
#'   `autoplot()`: as [plot.sparserls_cv()].
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, nlambda = 10)
#' if (requireNamespace("generics", quietly = TRUE)) {
#'   generics::tidy(cv)
#'   generics::glance(cv)
#' }
#' @usage
#' \method{tidy}{sparserls_fit}(x, s = NULL, ...)
#'
#' \method{tidy}{sparserls_cv}(x, what = c("curve", "nested"), ...)
#'
#' \method{tidy}{greedyrls}(x, k = NULL, ...)
#'
#' \method{glance}{sparserls_fit}(x, ...)
#'
#' \method{glance}{sparserls_cv}(x, ...)
#'
#' \method{augment}{sparserls_fit}(x, data = NULL, newdata = NULL, s = NULL, interval = "none",
#'         level = 0.9, newoffset = NULL, ...)
#'
#' \method{augment}{glmrls}(x, data = NULL, newdata = NULL, s = NULL,
#'         type.predict = c("response", "link"),
#'         type.residuals = c("response", "deviance", "pearson", "working"),
#'         interval = "none", level = 0.9, newoffset = NULL, ...)
#'
#' \method{augment}{greedyrls}(x, data = NULL, newdata = NULL, k = NULL, interval = "none",
#'         level = 0.9, ...)
#'
#' \method{glance}{derivatives}(x, ...)
#'
#' \method{autoplot}{sparserls_cv}(object,
#'         what = c("error", "calibration", "residuals", "influence"), sign.lambda = -1,
#'         log = NULL, ...)
#'
#' \method{autoplot}{greedyrls}(object, ...)
#' @name tidiers
NULL

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::tidy
tidy.sparserls_fit <- function(x, s = NULL, ...) {
  check_dots(...)
  tidy_coefficients(x, s)
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::tidy
tidy.greedyrls <- function(x, k = NULL, ...) {
  check_dots(...)
  tidy_coefficients(x, k)
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::tidy
tidy.ardrls <- function(x, s = NULL, ...) {
  check_dots(...)
  at <- path_points(x, s)
  each <- each_row(at, x$relevance)
  as_table(data.frame(known(
    term = rep(rownames(x$relevance), length(at)), penalty = x$penalty[each],
    kind = if (has_maps(x)) x$kind[each], estimate = as.vector(x$relevance[, at])
  )))
}

# A row for each term (and output) and value of the path. at: s, or k.
tidy_coefficients <- function(fit, at) {
  values <- coefficients_of(final_fit(fit), at)
  axis <- path_axis(fit)
  path <- path_points(fit, at)
  if (!axis$between) path <- axis$values[path]
  shape <- dim(values)
  out <- data.frame(term = rep(rownames(values), prod(shape[-1])))
  if (length(shape) == 3) {
    out$output <- rep(rep(output_names(fit$response), each = shape[1]), shape[3])
  }
  out[[axis$name]] <- rep(path, each = length(values) / length(path))
  out$estimate <- as.vector(values)
  as_table(out)
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::tidy
tidy.sparserls_cv <- function(x, what = c("curve", "nested"), ...) {
  check_dots(...)
  if (check_choice(what, c("curve", "nested"), "what") == "nested") {
    must(!is.null(x$nested), "argument", "There is no nested error.", NULL,
         "Cross-validate with `outer = 5`.")
    chosen <- x$nested$chosen
    return(as_table(setNames(chosen, sub("^cvm$", "estimate", names(chosen)))))
  }
  error <- setNames(lapply(x[c("cvm", "cvsd", "cvlo", "cvup")], as.vector),
                    c("estimate", "std.error", "conf.low", "conf.high"))
  as_table(data.frame(c(path_grid(x), error, describe(x$fit)$along)))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::glance
glance.sparserls_fit <- function(x, ...) {
  check_dots(...)
  as_table(data.frame(c(list(nobs = x$nobs),
                        if (has_family(x)) deviance_numbers(x, length(x$lambda)),
                        describe(x)$numbers)))
}

# at: a position on the path.
deviance_numbers <- function(fit, at) {
  known(family = fit$family$label, null.deviance = fit$nulldev,
        deviance = deviance(fit, fit$lambda[at]), df = fit$df[at],
        dispersion = fit$dispersion[at],
        theta = if (loss_trait(fit$family, "theta")) fit$family$theta)
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::glance
glance.sparserls_cv <- function(x, ...) {
  check_dots(...)
  axis <- path_axis(x$fit)
  at <- rows_at(x$index, axis$chosen[1])
  here <- match(axis$chosen[1], c("min", "1se"))
  # lambda.min of the second axis, where it is one.
  chosen <- c(paste(axis$name, rownames(x$index), sep = "."), if (ncol(at) == 2) "lambda.min")
  as_table(as.data.frame(c(
    unclass(x)[chosen],
    if (!is.null(axis$kind)) setNames(as.list(x$kind), paste0("kind.", names(x$kind))),
    # Those of probabilities have yardstick's names.
    known(estimate = x$cvm[at], std.error = x$cvsd[at],
          features = describe(x$fit)$along$features[at], nested.estimate = x$nested$cvm,
          nested.std.error = x$nested$cvsd),
    picked(x$performance[here, ], c("rmse", "r.squared", "accuracy")),
    known(roc_auc = x$calibration$auc[[here]], mn_log_loss = x$calibration$logloss[[here]],
          measure = names(x$name), nobs = nobs(x)),
    if (has_family(x$fit)) deviance_numbers(x$fit, at)
  )))
}

# Methods of fits, and of their cross-validations.
#' @rdname tidiers
#' @usage NULL
#' @rawNamespace S3method(generics::augment, sparserls_fit)
#' @rawNamespace S3method(generics::augment, sparserls_cv, augment.sparserls_fit)
augment.sparserls_fit <- function(x, data = NULL, newdata = NULL, s = NULL, interval = "none",
                                  level = 0.9, newoffset = NULL, ...) {
  check_dots(...)
  augment_rows(x, data, newdata, s, interval, level, newoffset)
}

#' @rdname tidiers
#' @usage NULL
#' @rawNamespace S3method(generics::augment, glmrls)
#' @rawNamespace S3method(generics::augment, cv.glmrls, augment.glmrls)
augment.glmrls <- function(x, data = NULL, newdata = NULL, s = NULL,
                           type.predict = c("response", "link"),
                           type.residuals = c("response", "deviance", "pearson", "working"),
                           interval = "none", level = 0.9, newoffset = NULL, ...) {
  check_dots(...)
  augment_rows(x, data, newdata, s, interval, level, newoffset, type.predict, type.residuals)
}

#' @rdname tidiers
#' @usage NULL
#' @rawNamespace S3method(generics::augment, greedyrls)
#' @rawNamespace S3method(generics::augment, cv.greedyrls, augment.greedyrls)
augment.greedyrls <- function(x, data = NULL, newdata = NULL, k = NULL, interval = "none",
                              level = 0.9, ...) {
  check_dots(...)
  augment_rows(x, data, newdata, k, interval, level)
}

# object: a fit or its cross-validation; at: s or k, which stands for a single point, NULL for what
# predict() takes of a cross-validation, and the last of a fit. Squared loss
# has residuals of one type.
augment_rows <- function(object, data, newdata, at, interval, level, newoffset = NULL,
                         type.predict = "response", type.residuals = "response") {
  fit <- final_fit(object)
  axis <- path_axis(fit)
  at <- at %||% if (inherits(object, "sparserls_cv")) default_s(object)
                else if (axis$between) tail(axis$values, 1) else new_position(length(axis$values))
  at <- cv_values(object, at)
  must((if (is.list(at)) length(path_points(fit, at)) else length(at)) == 1, axis$name,
       sprintf("`%s` must be a single value here.", axis$argument), shown(at))
  interval <- check_interval(interval)
  type.predict <- check_choice(type.predict, c("response", "link"), "type.predict")
  type.residuals <- check_choice(type.residuals, residual_types, "type.residuals")
  likelihood <- has_family(fit)
  rows <- newdata %||% data
  asked <- not_null(list(newdata = rows, newoffset = newoffset))
  asked[[axis$argument]] <- at
  predicted <- function(...) do.call(predict, c(list(...), asked))
  warned_once({
    values <- predicted(fit, type = type.predict)
    ends <- if (interval != "none") predicted(object, interval = interval, level = level)
    scores <- if (!likelihood) values else if (!is.null(rows)) predicted(fit, type = "link")
  })
  # scores: rows x outputs x 1.
  residuals_of <- function(y, scores, weights) {
    if (likelihood) score_residuals(fit, y, scores, weights, type.residuals) else y - scores
  }
  if (is.null(rows)) {
    residuals <- if (likelihood) residuals(fit, at, type.residuals) else residuals(fit, at)
  } else {
    y <- rows_response(fit, rows, supplied = is.null(newdata))
    residuals <- if (length(y)) residuals_of(y, array(scores, c(length(y), 1, 1)), 1)
  }
  held <- held_out_columns(
    object, data, newdata, at,
    function(scores) if (likelihood && type.predict != "link") fit_means(fit, scores) else scores,
    function(scores) {
      residuals_of(as.vector(fit$response$y), scores, if (is.null(data)) fit$weights else 1)
    }
  )
  bounds <- if (!is.null(ends)) asplit(ends, length(dim(ends)))
  augmented(fit, rows, values,
            c(list(.resid = residuals, .lower = bounds$lwr, .upper = bounds$upr), held))
}

# The columns .held_out and, of a single output, .held_out_resid, a list; NULL where there are none:
# of a fit, of other rows than its own, without keep = TRUE, between the values of the path.
# shown, residuals: functions of the held-out scores, rows x outputs x 1.
held_out_columns <- function(object, data, newdata, at, shown, residuals) {
  fit <- final_fit(object)
  if (!is.null(newdata) || is.null(object$fit.preval) || !is_on_path(fit, at)) return(NULL)
  rows <- if (!is.null(data)) rows_of_fit(fit, data)
  if (length(rows) != NROW(data)) return(NULL)
  scores <- held_out_scores(object, at)
  columns <- list(.held_out = shown(scores))
  if (ncol(scores) == 1) columns$.held_out_resid <- residuals(scores)
  lapply(columns, function(column) {
    if (is.null(data)) training_rows(fit, column)[, , 1] else column[rows, , 1]
  })
}

# rows: NULL for those of the fit; values: the predictions; columns: further ones, a list, whose
# residuals are of single outputs alone.
augmented <- function(fit, rows, values, columns) {
  single <- !is.matrix(values)
  names <- if (single) names(values) else rownames(values)
  out <- if (is.null(rows)) {
    data.frame(.rownames = names %||% as.character(seq_len(NROW(values))))
  } else as.data.frame(if (inherits(rows, "Matrix")) as.matrix(rows) else rows)
  # Names of rows as a column, as broom has them: tibbles have none.
  marks <- attr(out, "row.names")
  if (is.character(marks) && !".rownames" %in% names(out)) {
    out <- cbind(data.frame(.rownames = marks, row.names = marks), out)
  }
  columns <- Filter(length, c(list(.fitted = values), columns))
  if (!single) columns$.resid <- NULL
  out[names(columns)] <- lapply(columns, function(values) {
    if (single) as.vector(values)
    else I(matrix(values, nrow(values), dimnames = list(NULL, output_names(fit$response))))
  })
  as_table(out)
}

# The response of rows, as numbers or the -1/+1 codes: evaluated where they have the variables of
# the formula's; for fits without a formula that of the rows of the fit (`supplied`), by name, or by
# number where there are as many. numeric() where there is none.
rows_response <- function(fit, rows, supplied) {
  if (output_count(fit) > 1 || (is.null(fit$terms) && !supplied)) return(numeric())
  if (is.null(fit$terms)) return(fit$response$y[rows_of_fit(fit, rows), 1])
  response <- attr(fit$terms, "variables")[[2]]
  y <- if (all(all.vars(response) %in% names(rows))) {
    tryCatch(eval(response, raw_values(rows), environment(fit$terms)), error = function(e) {
      abort("newdata", "The response could not be evaluated.", conditionMessage(e),
            "Leave its column out where it is not known.")
    })
  }
  response_codes(fit$response, if (is_cbind(response) && NCOL(y) == 2) trial_shares(y) else y)
}

# Which rows of the fit the rows of `data` are: by name, or by number where there are as many; NA of
# others, none where that cannot be said.
rows_of_fit <- function(fit, data) {
  if (!is.null(fit$rownames)) match(rownames(data), fit$rownames)
  else if (nrow(data) == fit$nobs) seq_len(fit$nobs)
}
