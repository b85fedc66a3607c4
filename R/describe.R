# What is said of a fit. describe() answers facts, a list, which print(), summary() and glance() lay
# out; what a family does not know is left out:
#   lines       what was fitted to how many rows
#   details     of a summary: how that was done, lines
#   path        columns of a summary, one number for each value of the path
#   printed     those of a print, which rounds them, and `key`, a line on what they mean
#   along       those that tables of held-out errors have, too
#   chosen      those that are printed of the chosen points of a cross-validation
#   numbers     what glance() has alongside the number of rows
#   rank        the limit of df for small lambda, NA where there is none
#   null_model  TRUE where lambda = Inf, the null model, may be a value of the path

describe.sparserls_fit <- function(object) {
  axis <- path_axis(object)
  df <- path_df(object)
  kernel <- object[["kernel"]]
  full <- if (!is.null(kernel)) format(kernel)
  # Without what its numbers are compared with.
  words <- if (inherits(kernel, "sparserls_kernel")) format(replace(kernel, "multiple", list(NULL)))
           else full
  known_df <- known(df = df)
  terms <- if (!is.null(object$basis)) describe_basis(length(object$basis), object)
           else object$method$name
  list(
    lines = fit_lines(object, c(terms, words)),
    details = c(
      sprintf("basis: %s", object$selector), sprintf("%s solver", object$solver),
      setdiff(full, words),
      sprintf("jitter %.7g added to the kernel of every row with itself", object$jitter)
    ),
    path = c(setNames(list(axis$values), axis$name), known_df, known(dev.ratio = object$dev.ratio)),
    printed = c(known(Df = df, `%Dev` = round(100 * object$dev.ratio, 2)), axis_column(axis)),
    along = known_df, chosen = known_df,
    numbers = known(nterms = ncol(object$spectrum$map), kernel = full,
                    npath = length(axis$values)),
    rank = if (is.null(object$spectrum)) NA else length(resolved_values(object$spectrum$values))
  )
}

known <- function(...) Filter(length, list(...))

# "213 rows (15 more with missing values)" and what f is made of.
fit_lines <- function(fit, terms) {
  omitted <- max(length(fit$na.action), fit$chunks$missing)
  rows <- paste0(sprintf("%.0f rows", fit$nobs),
                 if (omitted) sprintf(" (%.0f more with missing values)", omitted))
  c(paste(c(rows, terms), collapse = ", "), describe_response(fit$response))
}

describe_basis <- function(sizes, fit) {
  if (identical(fit$selector, given_points)) sprintf("%s given points as basis", enumerate(sizes))
  else if (all(sizes == fit$nobs)) "all of them as basis"
  else sprintf("%s of them as basis", enumerate(sizes))
}

# The values of an axis as a column of a print, at some of its positions.
axis_column <- function(axis, at = seq_along(axis$values)) {
  setNames(list(format_values(axis$values[at])), axis$heading)
}

# Columns for a print.
rounded <- function(columns, digits) {
  doubles <- vapply(columns, is.double, NA) & names(columns) != "%Dev"
  columns[doubles] <- lapply(columns[doubles], signif, digits)
  data.frame(columns, check.names = FALSE)
}

# Calls that were made by others may have no arguments, or hold data: these are said by their class.
print_head <- function(call, lines) {
  for (i in seq_along(call)[-1]) {
    if (!is.language(call[[i]]) && (is.list(call[[i]]) || length(call[[i]]) > 20)) {
      call[[i]] <- as.name(sprintf("<%s>", class(call[[i]])[1]))
    }
  }
  text <- gsub("`(<[^`]+>)`", "\\1", deparse1(call))
  if (length(call) > 1) cat("\nCall: ", text, "\n", sep = "")
  cat("", lines, "", sep = "\n")
}

# Lines no wider than the console, with later ones indented.
wrapped <- function(lines, exdent = 0) strwrap(lines, getOption("width") + 1, exdent = exdent)

# A paragraph of a print.
print_lines <- function(lines) if (length(lines)) cat("", lines, sep = "\n")

#' @export
print.sparserls_fit <- function(x, digits = print_digits(), ...) {
  final_fit(x)
  facts <- describe(x)
  print_head(x$call, facts$lines)
  table <- rounded(facts$printed, digits)
  shown <- if (path_axis(x)$between) even_rows(nrow(table), 12) else seq_len(nrow(table))
  print(rows_at(table, shown))
  if (length(shown) < nrow(table)) cat(sprintf("(%d of %d values)\n", length(shown), nrow(table)))
  print_lines(facts$key)
  invisible(x)
}

#' Summary of a fit
#'
#' A short description of a fit and a few points of its path.
#'
#' @param object a fit of [sparserls()], [rls()] or [greedyrls()]. (For [rls2()] see
#'   [summary.rls2()].)
#' @param ... unused.
#' @return A list of class `summary.sparserls_fit`, which `print()` shows: the call, the
#'   `description`, and `path`, a data frame of at most five points of the path: `lambda`, `df`,
#'   `dev.ratio` (the explained share of the sum of squares) and `sigma`; for [greedyrls()] `k`, the
#'   `feature` that was added and the `error` of the selection.
#' @examples
#' summary(rls(lpsa ~ . - train, data = prostate, subset = train))
#' summary(greedyrls(lpsa ~ . - train, data = prostate, subset = train, k = 4))
#' @export
summary.sparserls_fit <- function(object, ...) {
  check_dots(...)
  final_fit(object)
  facts <- describe(object)
  path <- data.frame(facts$path)
  if (!is.null(object$df) && !has_family(object)) path$sigma <- sigma(object)
  structure(list(call = object$call, description = c(facts$lines, facts$details),
                 length = nrow(path),
                 path = rows_at(path, even_rows(nrow(path), path_axis(object)$most))),
            class = "summary.sparserls_fit")
}

#' @export
print.summary.sparserls_fit <- function(x, digits = print_digits(), ...) {
  print_head(x$call, x$description)
  shown <- if (nrow(x$path) < x$length) sprintf(", %d of them", nrow(x$path)) else ""
  cat(sprintf("Path of %s%s:\n\n", counted(x$length, "value"), shown))
  if (!is.null(x$path$lambda)) x$path$lambda <- format_values(x$path$lambda)
  print(x$path, digits = digits)
  invisible(x)
}
