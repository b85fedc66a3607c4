# What is said of a fit. describe() answers facts, a list, which print(), summary() and glance() lay
# out; what a family does not know is left out:
#   lines       what was fitted to how many rows
#   solution    how it was solved, a line
#   path        columns of a summary, one number for each value of the path
#   printed     those of a print, which rounds them, and `key`, a line on what they mean
#   along       those that tables of held-out errors have, too
#   chosen      those that are printed of the chosen points of a cross-validation
#   numbers     what glance() says beside the number of rows
#   rank        the limit of df for small lambda, NA where there is none
#   null_model  TRUE where lambda = Inf, the null model, may be a value of the path

describe.sparserls_fit <- function(object) {
  axis <- path_axis(object)
  df <- path_df(object)
  kernel <- if (!is.null(object[["kernel"]])) format(object[["kernel"]])
  known_df <- known(df = df)
  terms <- if (!is.null(object$solver)) sprintf("%s solver", object$solver)
           else if (!is.null(object$basis)) describe_basis(length(object$basis), object$selector)
           else object$method$name
  list(
    lines = fit_lines(object, c(terms, kernel)),
    solution = if (!is.null(object$jitter)) {
      sprintf("jitter %s added to the kernel of every row with itself", format(object$jitter))
    },
    path = c(setNames(list(axis$values), axis$name), known_df, known(dev.ratio = object$dev.ratio)),
    printed = c(known(Df = df, `%Dev` = round(100 * object$dev.ratio, 2)), axis_column(axis)),
    along = known_df, chosen = known_df,
    numbers = known(nterms = ncol(object$spectrum$map), kernel = kernel,
                    npath = length(axis$values)),
    rank = if (is.null(object$spectrum)) NA else length(resolved_values(object$spectrum$values))
  )
}

known <- function(...) Filter(length, list(...))

# "213 rows (15 more with missing values)", what f is made of, and lines besides.
fit_lines <- function(fit, terms, beside = NULL) {
  omitted <- max(length(fit$na.action), fit$chunks$missing)
  rows <- paste0(sprintf("%.0f rows", fit$nobs),
                 if (omitted) sprintf(" (%.0f more with missing values)", omitted))
  c(paste(c(rows, terms), collapse = ", "), beside, describe_response(fit$response))
}

describe_basis <- function(sizes, selector) {
  trimws(sprintf("%s basis vectors %s", enumerate(sizes), c(selector, "")[1]))
}

# The values of an axis as a column of a print, at some of its positions.
axis_column <- function(axis, at = seq_along(axis$values)) {
  values <- axis$values[at]
  setNames(list(if (axis$between) values else format_values(values)), axis$heading)
}

# Columns for a print. ...: for data.frame().
rounded <- function(columns, digits, ...) {
  doubles <- vapply(columns, is.double, NA) & names(columns) != "%Dev"
  columns[doubles] <- lapply(columns[doubles], signif, digits)
  data.frame(columns, ..., check.names = FALSE)
}

print_head <- function(call, lines) {
  cat("\nCall: ", deparse1(call), "\n\n", sep = "")
  cat(lines, sep = "\n")
}

# A paragraph of a print.
print_lines <- function(lines) if (length(lines)) cat("", lines, sep = "\n")

#' @export
print.sparserls_fit <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  final_fit(x)
  facts <- describe(x)
  print_head(x$call, c(facts$lines, facts$solution, ""))
  print(rounded(facts$printed, digits))
  print_lines(facts$key)
  invisible(x)
}

#' Summary of a fit
#'
#' A short description of a fit and a few points of its path.
#'
#' @param object a fit of [sparserls()], [rls()] or [greedyrls()]. (Of [rls2()] see
#'   [summary.rls2()].)
#' @param ... unused.
#' @return A list of class `summary.sparserls_fit`, which `print()` shows: the call, the
#'   `description`, and `path`, a data frame of at most five points of the path: `lambda`, `df`,
#'   `dev.ratio` (the share of the sum of squares that is explained) and `sigma`, of [greedyrls()]
#'   `k`, the `feature` that was added and the `error` of the selection.
#' @examples
#' summary(rls(lpsa ~ . - train, data = prostate, subset = train))
#' summary(greedyrls(lpsa ~ . - train, data = prostate, subset = train, k = 4))
#' @export
summary.sparserls_fit <- function(object, ...) {
  check_dots(..., known = "object")
  final_fit(object)
  facts <- describe(object)
  path <- data.frame(facts$path)
  if (!is.null(object$df) && !is_likelihood(object$family)) path$sigma <- sigma(object)
  structure(list(call = object$call, description = facts$lines, length = nrow(path),
                 path = path[even_rows(nrow(path), path_axis(object)$most), , drop = FALSE]),
            class = "summary.sparserls_fit")
}

#' @export
print.summary.sparserls_fit <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  print_head(x$call, x$description)
  shown <- if (nrow(x$path) < x$length) sprintf(", %d of them", nrow(x$path)) else ""
  cat(sprintf("\nPath of %s%s:\n\n", counted(x$length, "value"), shown))
  print(x$path, digits = digits)
  invisible(x)
}
