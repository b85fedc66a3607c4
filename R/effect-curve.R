#' The fitted curve of a feature
#'
#' How the fitted function changes along one feature: at each value, the mean over all rows with the
#' feature set to this value (partial dependence), with confidence bands, and the same for single
#' rows (individual conditional expectation).
#'
#' @param object as in [derivatives()].
#' @param feature the name of a variable, as the data have it (`"age"` where the formula has
#'   `log(age)`), or of a column of `x`. Two names: the mean at each pair of their values.
#' @param newdata,weights,s,type,scale,newoffset as in [derivatives()]; for counts with an offset
#'   `newoffset = 0` gives rates. Curves are not debiased.
#' @param at values of the feature; for two features a list of both. `NULL`: all levels, or all
#'   values if they are at most 30, otherwise 30 evenly spaced ones.
#' @param centre `TRUE`: the curve minus its mean over all rows, whatever `at` is. `FALSE`: the
#'   curve itself. One of the values: the difference from the curve at this value.
#' @param ice how many single rows are kept for drawing, taken evenly from all.
#' @param x,digits a result of `effect_curve()`, and significant digits.
#' @param output which of several outputs is drawn. `NULL`: for classes a curve for each, for other
#'   outputs the first.
#' @param conf.level,level of the confidence intervals.
#' @param ... further graphical parameters; otherwise unused.
#' @return A list of class `effect_curve` (for two features `effect_surface`, without errors):
#'   \item{feature, values}{the name of the feature, and its values: numbers, or levels as strings}
#'   \item{estimate, std.error}{the curve and its standard errors; vectors, or values x outputs}
#'   \item{vcov}{their covariance, values x values (x outputs)}
#'   \item{df, type, units, count}{of the standard errors, as in [derivatives()]}
#'   \item{few, short}{whether a value rests on too few units for an interval, or its level has too
#'     few basis vectors for a standard error}
#'   \item{share}{the share of rows that each value stands for}
#'   \item{ice}{curves of single rows, rows x values x outputs, centred alike}
#'   \item{observed}{the values of the feature in the rows}
#'   \item{centre, lambda, nobs, call, scale, response}{how it was centred, and what it describes}
#'
#'   `plot()` and `autoplot()` draw it with pointwise intervals, single rows in grey; two
#'   features as lines by level or as contours. Where grey lines are not parallel, the effect
#'   depends on other features. `tidy()` has `term, (output,) value, estimate, std.error, conf.low,
#'   conf.high`, `summary()` also `statistic`, t.
#' @section Standard errors: As in [derivatives()], x, lambda, kernel and widths are held fixed, and
#'   the bias of the penalty is not included. Intervals are pointwise. The band of a centred curve
#'   is that of its shape; only `centre = FALSE` includes the uncertainty of the overall mean. With
#'   a `family` intervals are symmetric and may leave the range of means.
#' @section Extrapolation: A value is set in all rows, even where no such row occurs. Values far
#'   outside the feature's training range give a warning of class `sparserls_warning_outside`. Rows
#'   in which [na_level()] has filled a gap of a numeric feature are left out of its curve.
#' @section Errors: `sparserls_error_argument` for unknown features and undefined values, and those
#'   of [derivatives()].
#' @seealso [partial_effects()] for one number for each term.
#' @references Friedman, J. H. (2001) Greedy function approximation: a gradient boosting machine.
#' *Annals of Statistics* 29, 1189-1232.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' curve <- effect_curve(cv, "lcavol")
#' curve
#' plot(curve)
#' plot(effect_curve(cv, c("lcavol", "age")))
#' @importFrom stats approx get_all_vars
#' @export
effect_curve <- function(object, ...) UseMethod("effect_curve")

#' @rdname effect_curve
#' @export
effect_curve.sparserls_fit <- function(object, feature, newdata, at = NULL, centre = TRUE, s = NULL,
                                       type = NULL, weights = NULL, ice = 50,
                                       scale = c("response", "link"), newoffset = NULL, ...) {
  must(!"by" %in% ...names(), "dots", "Unknown argument `by`.", NULL,
       "Two names, c(\"age\", \"sex\"), make a curve of the first for each level of the second.")
  check_dots(...)
  must(!missing(feature), "argument", "`feature` is missing.", NULL, "The name of one, or two.")
  asked <- asked_effects(object, newdata, s, type, weights, scale, newoffset)
  if (is.character(feature) && length(feature) > 1) return(effect_surface(asked, feature, at))
  must(is_number(ice) && ice >= 0 && ice == round(ice), "argument",
       "`ice` must be a whole number of at least 0.", shown(ice))
  fit <- asked$fit
  rows <- curve_rows(asked, feature)
  refuse_precomputed(fit)
  reference <- curve_reference(rows, curve_values(rows, at), centre)
  values <- reference$values
  used <- which(rows$share > 0)
  single <- used[even_rows(length(used), ice)]
  found <- curve_means(fit, rows, reference$points, expansion_at(fit, asked$lambda), single)
  centred <- centre_curve(found, reference)
  warn_curve_outside(fit, rows, values, asked$lambda)
  errors <- average_errors(asked, curve_averages(asked, rows, reference, centred))
  few <- few_at(asked$known, rows, reference, errors)
  short <- short_values(fit, rows, reference$points)
  # What is taken away counts where it is a tenth of the centre.
  unknown <- short[reference$at] | any(short & reference$centre > 0.1)
  errors <- withheld(errors, unknown)
  labels <- as.character(values)
  structure(c(effect_fields(asked, rows, errors, labels), list(
    feature = rows$feature, values = values,
    estimate = name_terms(centred$means, list(labels), several_outputs(fit)),
    few = few, short = unknown, short_remedy = if (any(short)) short_remedy(fit, rows),
    share = reference$share, centre = centre, ice = aperm(centred$ice, c(1, 3, 2)),
    observed = rows$observed, lambda = asked$lambda, response = response_words(fit)
  )), class = "effect_curve")
}

#' @rdname effect_curve
#' @export
effect_curve.sparserls_cv <- at_default_s(effect_curve.sparserls_fit)

# What curves are of, NULL where the response has no name.
response_words <- function(fit) {
  if (is_class(fit$response)) if (has_family(fit)) "probability" else "score"
  else if (!is.null(fit$terms)) deparse1(attr(fit$terms, "variables")[[2]])
}

refuse_precomputed <- function(fit) {
  must(!any(vapply(fit_kernels(fit), is_precomputed, NA)), "kernel",
       "A precomputed kernel does not know the features that it was made from.", NULL,
       "Use kernel_gaussian() or another of ?kernels.")
}

curve_label <- function(x) {
  link <- identical(x$scale, "link")
  of <- if (link) "linear predictor" else x$response
  if (isFALSE(x$centre)) {
    return(paste(c("Mean", if (is.null(of)) "prediction" else c(if (!link) "predicted", of)),
                 collapse = " "))
  }
  # The response has a name, others have an article.
  target <- if (!is.null(of)) c("on", if (link || of %in% c("score", "probability")) "the", of)
  paste0(paste(c("Effect of", x$feature, target), collapse = " "),
         if (isTRUE(x$centre)) " (centred)" else paste(" against", format(x$centre)))
}

# The curve as average_errors() wants it. centred: of centre_curve().
curve_averages <- function(asked, rows, reference, centred) {
  fit <- asked$fit
  points <- reference$points
  list(
    average = centred$means, functionals = centred$functionals,
    constant = as.double(all(reference$centre == 0)),
    value = function(fit, expansion) {
      centre_curve(curve_means(fit, rows, points, expansion, integer()), reference)$means
    },
    gradient = if (!is.null(rows$offset) && output_count(fit) == 1) function() {
      expansion <- expansion_at(fit, asked$lambda)
      moves <- joined_gradients(lapply(points, function(value) {
        mean_gradient(fit, expansion, rows$set(value), rows)
      }))
      list(functionals = less_centre(moves$functionals, reference),
           constant = as.vector(less_centre(rbind(moves$constant), reference)))
    }
  )
}

# ---- values ----------------------------------------------------------------------------

# name: of the argument `at`.
curve_values <- function(rows, at, name = "at") {
  levels <- rows$levels
  if (is.null(at)) {
    if (!is.null(levels)) return(levels)
    distinct <- sort(unique(rows$observed))
    if (length(distinct) <= 30) return(distinct)
    return(seq(distinct[1], distinct[length(distinct)], length.out = 30))
  }
  if (is.null(levels)) {
    must(is_real(at) && length(at) > 0 && all(is.finite(unclass(at))), "argument",
         sprintf("`%s` must be finite numbers.", name), shown(at))
    return(sort(unique(as.double(at))))
  }
  at <- unique(as.character(at))
  must(length(at) > 0 && all(at %in% levels), "argument",
       sprintf("`%s` must name levels of the feature.", name),
       quoted(setdiff(at, levels)),
       sprintf("There are %s.", quoted(levels, 10)))
  at
}

# values: with the reference among them; share: what part of the rows each stands for; points: where
# the curve is computed; at: the places of the values among them; centre: the weights, by points, of
# the mean that is taken away, all zero for none. A mean over the rows does not depend on `values`.
curve_reference <- function(rows, values, centre) {
  single <- !isTRUE(centre) && !isFALSE(centre)
  if (single) {
    must(length(centre) == 1, "argument",
         "`centre` must be TRUE, FALSE or one value of the feature.", shown(centre))
    centre <- curve_values(rows, centre, "centre")
  }
  all_points <- function(more) {
    points <- union(values, more)
    if (is.null(rows$levels)) sort(points) else points
  }
  grid <- if (single) centre else if (centre) curve_values(rows, NULL)
  points <- all_points(grid)
  if (single) values <- points
  weights <- numeric(length(points))
  weights[match(grid, points)] <- if (single) 1 else value_shares(rows, grid)
  list(values = values, share = value_shares(rows, values), points = points,
       at = match(values, points), centre = weights)
}

# Rows between two values count for both; rows beyond them for the nearest.
value_shares <- function(rows, values) {
  if (!is.null(rows$levels)) {
    return(as.vector(rows$share %*% outer(rows$observed, values, "==")))
  }
  if (length(values) == 1) return(1)
  vapply(seq_along(values), function(j) {
    hat <- approx(values, seq_along(values) == j, rows$observed, rule = 2)$y
    sum(rows$share * hat)
  }, 0)
}

# means: values x outputs (of several points of an expansion, x points); functionals: coefficients x
# values, what every coefficient adds to them, NULL where that is not known; ice: rows `shown` x
# outputs x values, positions of the complete rows whose own curves are kept.
curve_means <- function(fit, rows, values, expansion, shown) {
  means <- !is.null(rows$offset)
  # Means have it already.
  a0 <- as.vector(expansion$a0) * !means
  each <- lapply(values, function(value) {
    x <- rows$set(value)
    must(!anyNA(if (is.matrix(x)) x else x@x), "argument",
         "The columns of the model are not defined at a value of the feature.",
         sprintf("%s = %s", rows$feature, format(value)),
         "Give other values as `at`, or centre = FALSE.")
    if (means) list(values = predicted_means(fit, expansion, x, rows))
    else average_scores(fit, expansion, x, rows$share)
  })
  ice <- lapply(each, function(found) {
    rows_at(found$values, shown) + rep(a0, each = length(shown))
  })
  averages <- lapply(each, function(found) colSums(rows$share * found$values) + a0)
  list(means = do.call(rbind, averages),
       ice = array(unlist(ice), c(length(shown), length(a0), length(values))),
       functionals = joined(each, "average", cbind))
}

# At the values of the reference, less the mean over its points.
centre_curve <- function(found, reference) {
  ice <- found$ice
  size <- replace(dim(ice), 3, length(reference$at))
  found$ice <- array(less_centre(matrix(ice, ncol = dim(ice)[3]), reference), size)
  found$means <- t(less_centre(t(found$means), reference))
  if (!is.null(found$functionals)) found$functionals <- less_centre(found$functionals, reference)
  found
}

# x: a column for each point.
less_centre <- function(x, reference) {
  columns_at(x, reference$at) - drop(x %*% reference$centre)
}

# For numbers beyond those of the rows, as none are by default.
warn_curve_outside <- function(fit, rows, values, lambda) {
  if (!is.null(rows$levels)) return(invisible())
  beyond <- values[values < min(rows$observed) | values > max(rows$observed)]
  outside <- vapply(beyond, function(value) sum(rows_outside(fit, rows$set(value), lambda)), 0)
  if (all(outside == 0)) return(invisible())
  warn("outside", sprintf("The curve goes outside of the training rows: `%s`.", rows$feature),
       sprintf("%d of %s at %s", outside, counted(length(rows$observed), "row"), format(beyond)),
       "The curve extrapolates there.", rows = sum(outside))
}

# ---- what too few units carry ----------------------------------------------------------

# For every value: of a level its units and those of the level that it is compared with; of numbers
# those of the columns that they move.
few_at <- function(object, rows, reference, errors) {
  values <- reference$values
  known <- kept_carriers(object, errors$type)
  if (is.null(known)) return(logical(length(values)))
  leveled <- !is.null(rows$levels)
  levels <- if (leveled) known$levels[[rows$feature]]
  carriers <- if (is.null(levels)) {
    first <- rows$set(reference$points[1])
    moved <- Reduce(`|`, lapply(reference$points[-1], function(value) {
      colSums(rows$set(value) != first) > 0
    }), FALSE)
    rep(if (any(moved)) max(known$columns[moved]) else NA_real_, length(values))
  } else pmin(levels[values], c(levels[reference$points[reference$centre == 1]], Inf)[1])
  warn_few(if (leveled) paste0(rows$feature, values) else rows$feature,
           if (leveled) carriers else carriers[1], errors, leveled)
  unname(too_few(carriers, errors$count))
}

# ---- of two features ---------------------------------------------------------------------------

# At each pair of their values the mean over the rows.
# asked: of asked_effects(); at: NULL, or a list of values of both.
effect_surface <- function(asked, features, at) {
  fit <- asked$fit
  must(length(features) == 2 && !anyDuplicated(features), "argument",
       "Curves are of one feature or of two.", quoted(features))
  named <- !is.null(names(at))
  must(is.null(at) || is.list(at) && length(at) == 2 && (!named || setequal(names(at), features)),
       "argument", "`at` must be a list of values of both features, with their names or without.",
       shown(at))
  if (named) at <- at[features]
  each <- lapply(features, curve_rows, asked = asked)
  values <- lapply(1:2, function(i) {
    found <- curve_values(each[[i]], at[[i]])
    if (is.null(at) && length(found) > 20) seq(found[1], tail(found, 1), length.out = 20) else found
  })
  expansion <- expansion_at(fit, asked$lambda)
  v <- output_count(fit)
  means <- vapply(values[[2]], function(value) {
    second <- function(data) {
      if (is.data.frame(data)) data[[features[2]]] <- like_variable(value, data[[features[2]]])
      else data[, match(features[2], slope_names(fit))] <- value
      data
    }
    rows <- replace(each[[1]], "set", list(function(first) each[[1]]$set(first, second)))
    curve_means(fit, rows, values[[1]], expansion, integer())$means
  }, matrix(0, length(values[[1]]), v))
  dim(means) <- c(length(values[[1]]), v, length(values[[2]]))
  names <- c(lapply(values, as.character), list(if (v > 1) output_names(fit$response)))
  structure(list(
    call = asked$call, feature = features, values = values,
    estimate = array(aperm(means, c(1, 3, 2)), c(lengths(values), v), names),
    observed = lapply(each, `[[`, "observed"), lambda = asked$lambda,
    nobs = sum(each[[1]]$share > 0),
    scale = effect_scale(fit, each[[1]]), response = response_words(fit), centre = FALSE,
    titles = lapply(seq_len(v), drawn_output, fit = fit)
  ), class = "effect_surface")
}

#' @export
print.effect_surface <- function(x, digits = print_digits(), ...) {
  print_head(x$call, sprintf("%s over %s, by %s (rows) and %s", curve_label(x),
                             counted(x$nobs, "row"), x$feature[1], x$feature[2]))
  shown <- lapply(dim(x$estimate)[1:2], even_rows, 7)
  dimnames(x$estimate)[1:2] <- lapply(x$values, format, digits = digits)
  print(x$estimate[shown[[1]], shown[[2]], seq_along(x$titles)], digits = digits)
  invisible(x)
}
