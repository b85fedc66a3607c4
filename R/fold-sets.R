#' Folds for cross-validation
#'
#' Makes a list of held-out sets. `cv.` functions take the same arguments directly; use this
#' function for repeats, for rows that have positions in time or space, or to use the same folds
#' several times.
#'
#' @param m number of rows.
#' @param nfolds number of folds, or `"loo"` for leave-one-out. `NULL` means 10 (leave-one-out where
#'   there are fewer than 10 rows), and with `groups` leave one group out.
#' @param groups one label per row: rows of a group are held out together. With `nfolds` the groups
#'   are dealt to that many folds. `cv.` functions compute the standard error over these groups.
#' @param strata one label per row: every fold gets about the same share of each label. With
#'   `groups` the label must be the same within a group.
#' @param repeats how many times to divide the rows. The standard error is that of one repeat.
#' @param basis the row numbers of the basis vectors, where `spread` is to treat them. A selector
#'   chooses them in the fit: draw them first (`sample(m, 30)`), or take the `basis` of a fit.
#' @param spread how the rows of `basis` are spread over the folds: `"free"`, like all others;
#'   `"balanced"`, every fold gets about the same number of them; `"exclude"`, no fold holds any.
#' @param positions where rows are in time or space: a number, a date or a date-time for each row,
#'   or a matrix or data frame of such coordinates with one row for each. Dates count days,
#'   date-times seconds.
#' @param buffer rows within this distance (Euclidean, in the units of `positions`) of a scored row
#'   do not train either.
#' @return A list of class `sparserls_folds`: integer vectors of row numbers; with `positions` of
#'   `list(score = , omit = )`, the rows that are scored, and all those that do not train.
#' @section Positions in time or space: Rows that are near each other resemble each other, so that
#'   random folds make the error too small. With `positions` folds are `nfolds` blocks of about
#'   equal size: consecutive rows in time, and in space halves of halves, divided across the longest
#'   side. Nothing is drawn at random. Choose as `buffer` the distance beyond which errors of a
#'   model are hardly correlated. For folds that train on the past only, give lists:
#'   `list(score = 101:110, omit = 101:m)`.
#' @section Basis vectors: The error with n randomly chosen basis vectors has three estimates: with
#'   N folds n N / (N - 1) of them, `spread = "balanced"`, and held-out ones removed; n of them and
#'   `spread = "exclude"`; or n in every fold, `reselect = TRUE` of [cv.sparserls()], at the price
#'   of a fit for each. `vignette("cross-validation")` compares their variances. With `groups`,
#'   `"exclude"` is optimistic: it trains on the basis vectors of a group that is held out.
#' @section Errors: `sparserls_error_folds` for numbers and labels that do not make folds,
#'   `sparserls_error_basis` for a `basis` that is not a vector of row numbers.
#' @inherit sparserls references
#' @examples
#' set.seed(1)
#' cv_folds(20, nfolds = 5, repeats = 2)
#' cv_folds(6, groups = c("a", "a", "b", "b", "c", "c"))
#'
#' # a series: blocks in time, and 20 steps on both sides of each left out
#' time <- 1:400
#' y <- sin(time / 40) + arima.sim(list(ar = 0.9), 400)
#' folds <- cv_folds(400, 8, positions = time, buffer = 20)
#' cv.sparserls(cbind(time), y, basis = 40, folds = folds)
#' @export
cv_folds <- function(m, nfolds = NULL, groups = NULL, strata = NULL, repeats = 1, basis = NULL,
                     spread = c("free", "balanced", "exclude"), positions = NULL, buffer = 0) {
  m <- check_count(m, "m")
  repeats <- check_count(repeats, "repeats")
  spread <- check_choice(spread, c("free", "balanced", "exclude"), "spread")
  member <- if (spread != "free") basis_members(basis, m, spread)
  groups <- check_labels(groups, m, "groups")
  strata <- check_labels(strata, m, "strata")
  if (!is.null(groups) && !is.null(strata)) {
    wrong <- which(strata != strata[match(groups, groups)])
    must(!length(wrong), "folds", "`strata` must be constant within `groups`.",
         sprintf("row %d differs from the first of its group", wrong[1]))
  }
  positions <- check_positions(positions, m, strata, repeats, spread, buffer, groups)
  dealt <- if (spread == "exclude") which(!member) else seq_len(m)
  unit <- if (is.null(groups)) seq_along(dealt) else as.integer(droplevels(groups[dealt]))
  strata <- list(strata[dealt], if (spread == "balanced") rowsum(+member, unit)[unit])
  folds <- replicate(repeats, split_units(unit, nfolds, is.null(groups), strata, positions), FALSE)
  folds <- lapply(unlist(folds, recursive = FALSE), function(rows) dealt[rows])
  if (!is.null(positions)) folds <- lapply(folds, buffered, positions, buffer)
  structure(folds, class = "sparserls_folds", names = NULL, groups = groups)
}

# Which rows are basis vectors, for `spread`.
basis_members <- function(basis, m, spread) {
  must(is.numeric(basis) && !is_basis_count(basis), "basis",
       sprintf("`spread = \"%s\"` needs the row numbers of the basis vectors.", spread),
       shown(basis), "Draw them with sample(), or take `basis` from a fit.")
  member <- seq_len(m) %in% basis_rows(unclass(basis), list(rows = seq_len(m), supplied = m))
  must(spread != "exclude" || !all(member), "folds",
       "`spread = \"exclude\"` leaves no row for the folds: all are basis vectors.")
  member
}

#' @export
print.sparserls_folds <- function(x, ...) {
  sizes <- function(rows) paste(unique(range(lengths(rows))), collapse = " to ")
  text <- if (is.list(x[[1]])) {
    sprintf("%s rows; %s do not train", sizes(fold_rows(x, "score")), sizes(fold_rows(x, "omit")))
  } else paste(sizes(x), "rows")
  print_brief(x, sprintf("%d folds of %s", length(x), text))
}

# The scored or omitted rows of every fold. (There may be as many folds as rows: no closure.)
fold_rows <- function(folds, which) lapply(folds, .subset2, which)

# unit: for every row the number of the unit (row or group) that stays together; strata: a list of
# labels by row, NULL for none; positions: where rows are, or NULL.
split_units <- function(unit, nfolds, rows_are_units, strata, positions) {
  units <- max(unit)
  what <- if (rows_are_units) "rows" else "groups"
  must(units >= 2, "folds", sprintf("Cross-validation needs at least two %s.", what),
       sprintf("%d", units))
  nfolds <- nfolds %||% if (rows_are_units && units >= 10) 10 else "loo"
  if (identical(nfolds, "loo")) {
    return(if (rows_are_units) as.list(seq_along(unit)) else unname(split(seq_along(unit), unit)))
  }
  must(is_count(nfolds) && nfolds >= 2 && nfolds <= units, "folds",
       sprintf("`nfolds` must be \"loo\" or a whole number from 2 to %d, the number of %s.",
               units, what), shown(nfolds))
  if (rows_are_units && !is.null(positions)) return(blocks(seq_along(unit), nfolds, positions))
  # Units in random order, stratum after stratum, dealt like cards to the folds in a
  # random order: sizes differ by one at most, overall and almost so per stratum.
  strata <- Filter(length, strata)
  stratum <- if (!length(strata)) rep(1L, units) else {
    as.integer(interaction(strata, drop = TRUE, lex.order = TRUE)[match(seq_len(units), unit)])
  }
  order <- order(stratum, sample.int(units))
  fold <- integer(units)
  fold[order] <- rep_len(sample.int(nfolds), units)
  unname(split(seq_along(unit), fold[unit]))
}

# ---- positions --------------------------------------------------------------------------------

# positions as a matrix, one row each; NULL where there are none.
check_positions <- function(positions, m, strata, repeats, spread, buffer, groups) {
  if (is.null(positions)) {
    must(identical(buffer, 0), "folds", "`buffer` needs `positions`.", shown(buffer))
    return(NULL)
  }
  numbers <- position_numbers(positions)
  must(length(numbers) && nrow(numbers) == m && all(is.finite(numbers)), "folds",
       sprintf("`positions` must be finite numbers or dates for each of the %d rows.", m),
       shown(positions), "Give a vector, or a matrix or data frame of coordinates.")
  must(is_number(buffer) && buffer >= 0,
       "folds", "`buffer` must be a number that is not negative.", shown(buffer),
       if (inherits(buffer, "difftime")) "Dates count days, and times seconds: use as.numeric().")
  random <- !is.null(groups)
  given <- c("strata", "repeats", "spread")[c(!random && !is.null(strata), !random && repeats > 1,
                                              spread != "free")]
  must(!length(given),
       "folds", sprintf("`positions` and `%s` cannot be given together.", given[1]), NULL,
       if (!random) "Blocks in time or space are not drawn at random.")
  numbers
}

# A matrix of doubles: dates count days, date-times seconds. NULL for what is neither.
position_numbers <- function(positions) {
  if (is.data.frame(positions)) {
    columns <- lapply(positions, position_numbers)
    return(if (!any(vapply(columns, is.null, NA))) unname(do.call(cbind, columns)))
  }
  if (inherits(positions, "POSIXt")) positions <- as.POSIXct(positions)
  fine <- inherits(positions, c("Date", "POSIXct")) || is_real(positions)
  if (fine && length(dim(positions)) <= 2) matrix(as.double(unclass(positions)), NROW(positions))
}

# Rows in n blocks of nearly equal size: cut across the longest side, again and again.
blocks <- function(rows, n, positions) {
  if (n == 1) return(list(sort(rows)))
  here <- rows_at(positions, rows)
  longest <- which.max(apply(here, 2, function(x) diff(range(x))))
  along <- rows[order(here[, longest])]
  first <- n %/% 2
  cut <- round(length(rows) * first / n)
  c(blocks(along[seq_len(cut)], first, positions),
    blocks(along[-seq_len(cut)], n - first, positions))
}

# A fold that scores these rows and leaves out those near any of them, too.
buffered <- function(score, positions, buffer) {
  # In the units of the data distances such as 0.3 are not exact.
  buffer <- buffer * (1 + tolerance("tie"))
  here <- t(rows_at(positions, score))
  low <- apply(here, 1, min) - buffer
  high <- apply(here, 1, max) + buffer
  box <- colSums(t(positions) < low | t(positions) > high) == 0
  others <- setdiff(which(box), score)
  near <- vapply(others, function(i) min(colSums((here - positions[i, ])^2)) <= buffer^2, NA)
  list(score = score, omit = c(score, others[near]))
}
