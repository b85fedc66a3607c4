# Gaps as something to learn from: levels of their own, medians with indicators. A column that is
# filled has the class `na_level`; it knows by what its gaps are filled (`fill`) and what it was
# (`was`, the column without its rows), so that its raw values can be had again. Formulas make use
# of that: the response, weights and functions of variables see raw values, and new rows are filled
# as those of the fit were.

#' Gaps as a level, or as a median with an indicator
#'
#' Keeps rows with missing values, which fits otherwise leave out and predictions return as NA: the
#' model can learn from a gap.
#'
#' @param x a data frame; or a variable: numbers, a factor, character strings or logical values.
#' @param fill for a single variable, the value for its gaps: a number, or the name of a new level.
#'   `NULL`: the median of `x`, or `"missing"` (`"missing.1"` if `x` has such a level).
#' @details
#' **Factors**, character strings and logical values get a level `"missing"`. An ordered factor with
#' gaps loses its order.
#'
#' **Numbers** get their median in the gaps, and a second column, `.missing`, is 1 there and 0
#' elsewhere. With kernels of differences ([kernels]) both are *one feature*; after standardization,
#' a gap is about as far from a value as two values are from each other. For linear and polynomial
#' kernels they are two ordinary columns.
#'
#' A **data frame** is for formulas, and for `x` of the methods that take x and y. Its columns with
#' gaps are filled. In other columns, gaps of new rows become the median, or a level that the fit
#' has not seen (`unknown` of [predict()][predict.sparserls_fit]). Rows are still left out if the
#' response (which prints as filled), `weights`, `groups` or a *function* of a variable is missing:
#' write `na_level(log(age))` for `log(age)`.
#'
#' **New rows** are filled like those of the fit, with or without `na_level()`. Medians are those of
#' all rows of `x`, before `subset`, without `weights`, and the same in all folds. Rows in chunks
#' cannot be filled.
#' @return For a data frame, one with filled columns. For numbers, a matrix of two columns and class
#'   `na_level`, which formulas and data frames treat as one variable; otherwise a factor of that
#'   class. Arithmetic, comparisons, `mean()`, `median()`, `quantile()`, `log()`, `sum()` and the
#'   like see the raw values, with NA in the gaps; all other functions, such as `is.na()` and
#'   `sd()`, see the filled ones.
#' @section Errors: `sparserls_error_x` for other kinds of `x`, and for a `fill` that does not fit.
#' @examples
#' d <- transform(airquality, Month = factor(Month))
#' cv <- cv.sparserls(log(Ozone) ~ ., na_level(d), basis = 40, progress = FALSE)
#' predict(cv, d[1:6, ])
#'
#' sparserls(log(Ozone) ~ na_level(Solar.R) + Wind, airquality, basis = 40, lambda = 1)
#' @export
na_level <- function(x, fill = NULL) {
  written <- substitute(x)
  x <- raw_values(x)
  if (is.data.frame(x)) {
    # As model.frame() calls its `na.action`, which new rows would not pass through.
    must(is.null(attr(x, "terms")), "argument", "na_level() is not an `na.action`.", NULL,
         "Give the data filled: na_level(data).")
    must(is.null(fill), "x", "`fill` is for a single variable, `x` is a data frame.", shown(fill),
         "Fill its columns one by one: x$v <- na_level(x$v, fill = ...).")
    x <- as.data.frame(x)
    # Columns that cannot be filled stay as they are, for others to refuse.
    gaps <- vapply(x, function(v) is_fillable(v) && anyNA(v), NA)
    x[gaps] <- lapply(x[gaps], na_level)
    return(structure(x, class = unique(c("na_level_frame", class(x)))))
  }
  must(is_fillable(x), "x",
       "`x` must be a data frame, numbers, a factor, strings or logical values.", shown(x),
       real_remedy(x))
  # Where only NA is left `fill` says what x was.
  leveled <- if (all(is.na(x)) && !is.null(fill)) !is.numeric(fill) else is_leveled(x)
  # In the words of stats::.checkMFClasses(), which sees filled variables only.
  if (inherits(fill, "known_fill") && leveled == is.numeric(fill)) {
    types <- if (leveled) c("numeric", "factor") else c("factor", "numeric")
    stop(sprintf("variable '%s' was fitted with type \"%s\" but type \"%s\" was supplied",
                 deparse1(written), types[1], types[2]), call. = FALSE)
  }
  if (leveled) fill_levels(x, fill) else fill_numbers(x, fill)
}

# New rows may have the level of the gaps already: fill_call() gives what they are filled by the
# class `known_fill`. In a fit's own variable raw_values() could not tell the two.
fill_levels <- function(x, fill) {
  levels <- levels(as.factor(x))
  levels <- levels[!is.na(levels)]
  values <- as.character(x)
  fill <- fill %||% tail(make.unique(c(levels, "missing")), 1)
  must(is_string(fill), "x", "`fill` must be a single name, as `x` has levels.", shown(fill))
  must(!fill %in% levels || inherits(fill, "known_fill"), "x",
       "`fill` must not be a level that `x` has.", quoted(fill),
       sprintf("Give another name. To count gaps as that level: x[is.na(x)] <- %s.",
               quoted(fill)))
  gaps <- is.na(values)
  values[gaps] <- fill
  filled <- factor(values, union(levels, if (any(gaps)) as.vector(fill)),
                   ordered = is.ordered(x) && !any(gaps))
  structure(filled, class = c("na_level", class(filled)),
            fill = as.vector(fill), was = x[0])
}

fill_numbers <- function(x, fill) {
  x <- as.double(x)
  gaps <- is.na(x)
  fill <- fill %||% middle_value(x)
  must(is_number(fill), "x", "`fill` must be a single number.", shown(fill))
  x[gaps] <- fill
  structure(cbind(x, as.double(gaps)), dimnames = list(NULL, c("", ".missing")),
            class = c("na_level", "matrix"), fill = as.vector(fill), was = numeric())
}

# Where no value is there the column is as good as constant.
middle_value <- function(x) if (all(is.na(x))) 0 else median(as.double(x), na.rm = TRUE)

is_fillable <- function(x) is.null(dim(x)) && (is_leveled(x) || is_numeric_column(x))

# A variable, or all of a data frame, with its gaps.
raw_values <- function(x) {
  if (inherits(x, "na_level_frame")) class(x) <- setdiff(class(x), "na_level_frame")
  if (is.data.frame(x)) {
    filled <- vapply(x, inherits, NA, "na_level")
    if (any(filled)) x[filled] <- lapply(x[filled], raw_values)
  }
  if (!inherits(x, "na_level")) return(x)
  if (is.matrix(x)) return(replace(unclass(x)[, 1], unclass(x)[, 2] == 1, NA))
  was <- attr(x, "was")
  values <- as.character(x)
  values[values == attr(x, "fill")] <- NA
  if (is.factor(was)) factor(values, levels(was), ordered = is.ordered(was))
  else if (is.logical(was)) as.logical(values)
  else values
}

# ---- formulas ------------------------------------------------------------------------------------

# For columns that na_level() has filled, or would have if they had gaps, the calls that fill those
# of new rows; by name.
fill_calls <- function(data) {
  if (!is.data.frame(data)) return(list())
  whole <- inherits(data, "na_level_frame")
  calls <- lapply(names(data), function(name) {
    v <- data[[name]]
    if (inherits(v, "na_level")) return(fill_call(as.name(name), attr(v, "fill")))
    if (!whole || !is_fillable(v)) return(NULL)
    if (is_leveled(v)) return(fill_call(as.name(name), attr(fill_levels(v, NULL), "fill")))
    # Without gaps there is no indicator.
    bquote(.(fill_call(as.name(name), middle_value(v)))[, 1, drop = FALSE])
  })
  not_null(setNames(calls, names(data)))
}

fill_call <- function(x, fill) {
  class(fill) <- "known_fill"
  as.call(list(quote(sparserls::na_level), x, fill = fill))
}

# The terms with these calls where a variable is a predictor by its name alone. form: evaluated,
# with the calls for new rows in `predvars`.
filled_terms <- function(form, calls) {
  variables <- variable_calls(form)
  for (i in setdiff(seq_along(variables), attr(form, "response"))) {
    call <- if (is.name(variables[[i]])) calls[[as.character(variables[[i]])]]
    if (!is.null(call)) attr(form, "predvars")[[i + 1]] <- call
  }
  form
}

# A variable with its gaps as the level that these terms have for them, if they have one.
gaps_as_level <- function(form, name, values) {
  own <- function(call) is_fill_call(call) && identical(call[[2]], as.name(name))
  call <- Find(own, as.list(attr(form, "predvars"))[-1])
  if (is.null(call) || !is_leveled(values) || !anyNA(values)) values
  else fill_levels(values, call$fill)
}

is_fill_call <- function(call) {
  is.call(call) && deparse1(call[[1]]) %in% c("na_level", "sparserls::na_level")
}

# For lm() and others too.
#' @rawNamespace S3method(stats::makepredictcall, na_level)
makepredictcall.na_level <- function(var, call) {
  own <- is_fill_call(call)
  if (own || is.name(call)) fill_call(if (own) call[[2]] else call, attr(var, "fill")) else call
}

# What the indicator of gaps counts in the units of its variable: the standard deviation of the
# values that are there (without weights, as the median). Next to values of variance 1 it is 1 then,
# and the expected squared distance of a gap, at the median, from a value is 1 + E(x - median)^2,
# about 2, as that of two values is.
indicator_count <- function(filled) {
  values <- filled[filled[, 2] == 0, 1]
  sd <- if (length(values)) sqrt(mean((values - mean(values))^2)) else 0
  if (is.finite(sd) && sd > 0) sd else 1
}

# ---- methods -------------------------------------------------------------------------------------

#' @export
`[.na_level` <- function(x, ...) {
  part <- NextMethod()
  whole <- is.factor(part) || (is.matrix(part) && ncol(part) == ncol(x))
  if (!whole) part
  else structure(part, class = oldClass(x), fill = attr(x, "fill"), was = attr(x, "was"))
}

# Arithmetic, comparisons and summaries see the raw values.
#' @export
Ops.na_level <- function(e1, e2) {
  if (missing(e2)) return(get(.Generic)(raw_values(e1)))
  get(.Generic)(raw_values(e1), raw_values(e2))
}

#' @export
Summary.na_level <- function(..., na.rm = FALSE) {
  do.call(.Generic, c(lapply(list(...), raw_values), na.rm = na.rm))
}

#' @export
mean.na_level <- function(x, ...) mean(raw_values(x), ...)

#' @rawNamespace S3method(stats::median, na_level)
median.na_level <- function(x, na.rm = FALSE, ...) median(raw_values(x), na.rm = na.rm, ...)

#' @rawNamespace S3method(stats::quantile, na_level)
quantile.na_level <- function(x, ...) quantile(raw_values(x), ...)

#' @export
Math.na_level <- function(x, ...) get(.Generic)(raw_values(x), ...)

#' @export
format.na_level <- function(x, ...) {
  if (is.factor(x)) NextMethod()
  else paste0(format(unclass(x)[, 1], ...), ifelse(unclass(x)[, 2] == 1, " (missing)", ""))
}

#' @export
print.na_level <- function(x, ...) {
  print(if (is.factor(x)) factor(x) else noquote(format(x)), ...)
  invisible(x)
}
