#' Tidy results
#'
#' Methods for the generics of the packages generics (broom) and ggplot2, registered when those are
#' loaded.
#'
#' @param x,object a fit of [sparserls()], [rls()], [rls2()], [greedyrls()] or [ardrls()], or a
#'   result of their `cv.` functions; of `glance()` [derivatives()], too.
#' @param data,newdata rows to predict, as for [predict.sparserls_fit()]: `data` are rows that the
#'   fit was made from, `newdata` others. Without both, the training rows.
#' @param s,k one value of lambda, or one number of features, as in [predict.sparserls_fit()] and
#'   [predict.greedyrls()]; for `tidy()` several.
#' @param what of `tidy()` the error `"curve"` or, with `outer`, what each `"nested"` fold chose; of
#'   `autoplot()` the `"error"` curve or the `"calibration"` of probabilities.
#' @param interval,level of `augment()`, with rows to predict: the columns `.lower` and `.upper`,
#'   the ends of the prediction interval of [predict.sparserls_fit()].
#' @param sign.lambda,log of `autoplot()`, as in [plot.sparserls_cv()].
#' @param ... unused.
#' @return Tibbles where the package tibble is installed, else data frames. `tidy()` of a fit:
#'   `term, lambda, estimate` (and `output`), of a greedy one with `k` in place of `lambda`; of a
#'   `cv.` result: `lambda, estimate, std.error, conf.low, conf.high, df` (greedy: `k` too, no
#'   `df`), the error curve; or of every outer fold `fold, rows, estimate`, its error, and what was
#'   chosen without it. `glance()`: one row; of `cv.` results of classes with `roc_auc` (of two) and
#'   `mn_log_loss` at the point of its `estimate`. `augment()`: the data (names of its rows as
#'   `.rownames`) with `.fitted`, the predictions, and for a single output `.resid`, where the
#'   response is known: from the data, by the formula; for fits without a formula, of the rows in
#'   `data`, by row name (by number, where rows have no names and are as many as in the fit). With
#'   `interval` it has `.lower` and `.upper`. Of several outputs these columns are matrices. Without
#'   `data` and `newdata` it has `.rownames`, the names or numbers of the rows in the data as
#'   supplied, and the fitted values. `autoplot()`: a ggplot of the error curve (of [greedyrls()]
#'   that of the selection), or of the calibration of probabilities, as [plot.sparserls_cv()] draws
#'   it. Fits, [derivatives()] and [cv_estimates()] have their figures, too: see
#'   [autoplot.sparserls_fit()].
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
#' \method{tidy}{cv.greedyrls}(x, what = c("curve", "nested"), ...)
#'
#' \method{glance}{sparserls_fit}(x, ...)
#'
#' \method{glance}{rls2}(x, ...)
#'
#' \method{glance}{sparserls_cv}(x, ...)
#'
#' \method{glance}{greedyrls}(x, ...)
#'
#' \method{glance}{cv.greedyrls}(x, ...)
#'
#' \method{augment}{sparserls_fit}(x, data = NULL, newdata = NULL, s = min(x$lambda),
#'         interval = c("none", "jackknife+", "gp"), level = 0.9, ...)
#'
#' \method{augment}{sparserls_cv}(x, data = NULL, newdata = NULL, s = "lambda.min",
#'         interval = c("none", "jackknife+", "gp"), level = 0.9, ...)
#'
#' \method{augment}{greedyrls}(x, data = NULL, newdata = NULL, k = length(x$selected),
#'         interval = c("none", "jackknife+", "gp"), level = 0.9, ...)
#'
#' \method{augment}{cv.greedyrls}(x, data = NULL, newdata = NULL, k = "k.min",
#'         interval = c("none", "jackknife+", "gp"), level = 0.9, ...)
#'
#' \method{glance}{derivatives}(x, ...)
#'
#' \method{autoplot}{sparserls_cv}(object, what = c("error", "calibration"), sign.lambda = -1,
#'         log = NULL, ...)
#'
#' \method{autoplot}{greedyrls}(object, ...)
#'
#' \method{autoplot}{cv.greedyrls}(object, what = c("error", "calibration"), log = NULL, ...)
#'
#' \method{autoplot}{cv.ardrls}(object, what = c("error", "calibration"), log = NULL, ...)
#' @name tidiers
NULL

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::tidy
tidy.sparserls_fit <- function(x, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  tidy_coefficients(coef(x, s = s), list(lambda = path_values(x, s)), output_names(x$response))
}

# values: terms x (outputs x) values of the path, which are a column of the result.
tidy_coefficients <- function(values, path, outputs) {
  shape <- dim(values)
  several <- length(shape) == 3
  out <- data.frame(term = rep(rownames(values), prod(shape[-1])))
  if (several) out$output <- rep(rep(outputs, each = shape[1]), shape[3])
  out[[names(path)]] <- rep(path[[1]], each = length(values) / length(path[[1]]))
  out$estimate <- as.vector(values)
  as_table(out)
}

# What tidiers return: a tibble where the package tibble is installed, as those of other packages
# are, else a data frame. Columns keep their names, whatever these are.
as_table <- function(frame) {
  if (!requireNamespace("tibble", quietly = TRUE)) return(frame)
  tibble::as_tibble(frame, .name_repair = "minimal")
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::tidy
tidy.sparserls_cv <- function(x, what = c("curve", "nested"), ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  if (check_choice(what, c("curve", "nested"), "what") == "nested") return(tidy_nested(x))
  as_table(data.frame(lambda = x$lambda, estimate = x$cvm, std.error = x$cvsd,
                      conf.low = x$cvlo, conf.high = x$cvup, df = path_df(x$fit)))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::glance
glance.sparserls_fit <- function(x, ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  as_table(data.frame(nobs = x$nobs, nterms = ncol(x$spectrum$map), kernel = format(x$kernel),
                      npath = length(x$lambda)))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::glance
glance.sparserls_cv <- function(x, ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  best <- x$index["min", 1]
  as_table(as.data.frame(c(
    list(lambda.min = x$lambda.min, lambda.1se = x$lambda.1se, estimate = x$cvm[best],
         std.error = x$cvsd[best]),
    nested_columns(x), class_columns(x), list(measure = names(x$name), nobs = nobs(x))
  )))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::augment
augment.sparserls_cv <- function(x, data = NULL, newdata = NULL, s = "lambda.min",
                                 interval = c("none", "jackknife+", "gp"), level = 0.9, ...) {
  check_dots(..., known = names(formals()))
  check_model(x)
  augment_rows(x, data, newdata, interval, level, s = cv_lambda(x, s))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::augment
augment.sparserls_fit <- function(x, data = NULL, newdata = NULL, s = min(x$lambda),
                                  interval = c("none", "jackknife+", "gp"), level = 0.9, ...) {
  check_dots(..., known = names(formals()))
  augment_rows(x, data, newdata, interval, level, s = s)
}

# object: a fit or its cross-validation; ...: s or k, a single value of the fit's path.
augment_rows <- function(object, data, newdata, interval, level, ...) {
  fit <- final_fit(object)
  interval <- check_choice(interval, interval_kinds(), "interval")
  if (length(..1) != 1) {
    abort("lambda", sprintf("`%s` must be a single value here.", ...names()), describe(..1))
  }
  rows <- if (is.null(newdata)) data else newdata
  if (is.null(rows)) {
    values <- fitted(fit, ...)
    names <- rownames(values)
    if (is.null(names)) names <- as.character(seq_len(nrow(values)))
    out <- data.frame(.rownames = names)
    residuals <- residuals(fit, ...)
  } else {
    values <- predict(fit, rows, ..., interval = "none")
    out <- named_rows(as.data.frame(if (inherits(rows, "Matrix")) as.matrix(rows) else rows))
    residuals <- rows_response(fit, rows, supplied = is.null(newdata)) - values
  }
  if (interval != "none") ends <- interval_ends(object, rows, interval, level, ...)
  single <- dim(values)[2] == 1 && length(dim(values)) == 2
  column <- function(values) {
    if (single) return(as.vector(values))
    I(matrix(values, nrow(values), dimnames = list(NULL, output_names(fit$response))))
  }
  out$.fitted <- column(values)
  if (single && length(residuals)) out$.resid <- column(residuals)
  if (interval != "none") out[c(".lower", ".upper")] <- lapply(ends, column)
  as_table(out)
}

# Names of rows as a column, as broom has them: tibbles have none.
named_rows <- function(frame) {
  names <- attr(frame, "row.names")
  if (!is.character(names) || ".rownames" %in% names(frame)) return(frame)
  cbind(data.frame(.rownames = names, row.names = names), frame)
}

# A list of the lower and the upper ends, rows (x outputs).
interval_ends <- function(object, rows, interval, level, ...) {
  given <- c(list(object), if (!is.null(rows)) list(newdata = rows))
  bounds <- do.call(predict, c(given, list(..., interval = interval, level = level)))
  if (is.matrix(bounds)) list(bounds[, "lwr"], bounds[, "upr"])
  else list(bounds[, , "lwr"], bounds[, , "upr"])
}

# The response of rows, as numbers or the -1/+1 codes: evaluated where they have the variables of
# the formula's; for fits without a formula that of the rows of the fit (`supplied`), by name, or by
# number where there are as many. numeric() where there is none.
rows_response <- function(fit, rows, supplied) {
  y <- NULL
  if (ncol(fit$response$y) > 1) return(numeric())
  if (!is.null(fit$terms)) {
    response <- attr(fit$terms, "variables")[[2]]
    if (all(all.vars(response) %in% names(rows))) {
      y <- tryCatch(eval(response, raw_values(rows), environment(fit$terms)), error = function(e) {
        abort("newdata", "The response could not be evaluated.", conditionMessage(e),
              "Leave its column out where it is not known.")
      })
    }
    return(response_codes(fit$response, y))
  }
  if (!supplied) return(numeric())
  if (!is.null(fit$rownames)) return(fit$response$y[match(rownames(rows), fit$rownames), 1])
  if (nrow(rows) == fit$nobs) fit$response$y[, 1] else numeric()
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.sparserls_cv <- function(object, what = c("error", "calibration"), sign.lambda = -1,
                                  log = NULL, ...) {
  check_dots(..., known = names(formals()))
  check_model(object)
  what <- check_choice(what, c("error", "calibration"), "what")
  if (what == "calibration") return(autoplot_calibration(object))
  check_lambda_axis(object, sign.lambda)
  curves <- named_table(object)
  figure <- error_figure(tidy.sparserls_cv(object), "lambda", curves$estimate, object$name, log,
                         c(object$lambda.min, object$lambda.1se)) +
    lambda_scale(curves$lambda, sign.lambda) +
    ggplot2::labs(x = expression(lambda), y = object$name[[1]])
  if (length(object$curves) == 1) return(figure)
  colours <- c(line_colours(nlevels(curves$curve) - any(curves$curve == "others")), "grey80")
  figure + legend_below(levels(curves$curve)) +
    ggplot2::geom_line(columns(x = "lambda", y = "estimate", colour = "curve", group = "number"),
                       curves) +
    ggplot2::scale_colour_manual(values = colours, name = NULL)
}

# The errors of all candidates, a row for each finite lambda; without a name those that plot() has
# in grey.
named_table <- function(cv) {
  names <- curve_labels(cv)
  shown <- names[if (length(cv$curves) > 1) named_curves(cv) else 1]
  curves <- do.call(rbind, lapply(seq_along(names), function(i) {
    name <- if (names[i] %in% shown) names[i] else "others"
    data.frame(curve = name, number = i, lambda = cv$curves[[i]]$lambda,
               estimate = cv$curves[[i]]$cvm)
  }))
  curves$curve <- factor(curves$curve, c(unique(shown), if ("others" %in% curves$curve) "others"))
  curves[is.finite(curves$lambda), ]
}

# Errors with bars, and dashed lines at what was chosen. table: of tidy(); at: its column; drawn:
# all errors that are drawn.
error_figure <- function(table, at, drawn, measure, log, chosen) {
  logged <- logs_errors(log, drawn, measure)
  table$conf.low <- bar_ends(table$conf.low, drawn, logged)
  table <- table[is.finite(table[[at]]), ]
  ggplot2::ggplot(table, columns(x = at, y = "estimate")) +
    ggplot2::geom_linerange(columns(ymin = "conf.low", ymax = "conf.high"), colour = "grey60") +
    ggplot2::geom_vline(xintercept = chosen[is.finite(chosen)], linetype = "dashed",
                        colour = "grey40") +
    ggplot2::geom_point(colour = "red") +
    (if (logged) ggplot2::scale_y_log10())
}

# Aesthetics by name, so that no variable looks global to R CMD check.
columns <- function(...) do.call(ggplot2::aes, lapply(list(...), as.name))
