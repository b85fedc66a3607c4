#' Folds for cross-validation
#'
#' Makes a list of held-out sets. `cv.` functions take the same arguments directly; use this
#' function for repeats, or to use the same folds several times.
#'
#' @param m number of rows.
#' @param nfolds number of folds, or `"loo"` for leave-one-out. `NULL` means 10 (leave-one-out where
#'   there are fewer than 10 rows), and with `groups` leave one group out.
#' @param groups one label per row: rows of a group are held out together. With
#'   `nfolds` the groups are dealt to that many folds.
#' @param strata one label per row: every fold gets nearly the same share of each label. With
#'   `groups` the label must be the same within a group.
#' @param repeats how many times to divide the rows anew.
#' @return A list of integer vectors of row numbers, of class `sparserls_folds`.
#' @section Errors: `sparserls_error_folds` for numbers and labels that make no folds.
#' @examples
#' set.seed(1)
#' cv_folds(20, nfolds = 5, repeats = 2)
#' cv_folds(6, groups = c("a", "a", "b", "b", "c", "c"))
#' @export
cv_folds <- function(m, nfolds = NULL, groups = NULL, strata = NULL, repeats = 1) {
  m <- check_count(m, "m")
  repeats <- check_count(repeats, "repeats")
  if (!is.null(groups)) groups <- check_labels(groups, m, "groups")
  if (!is.null(strata)) strata <- check_labels(strata, m, "strata")
  unit <- if (is.null(groups)) seq_len(m) else as.integer(groups)
  folds <- unlist(lapply(seq_len(repeats), function(i) {
    split_units(unit, nfolds, is.null(groups), strata)
  }), recursive = FALSE)
  structure(folds, class = "sparserls_folds", names = NULL)
}

#' @export
print.sparserls_folds <- function(x, ...) {
  sizes <- lengths(x)
  cat(sprintf("<%d folds of %s rows>\n", length(x),
              paste(unique(range(sizes)), collapse = " to ")))
  invisible(x)
}

# unit: for every row the number of the unit (row or group) that stays together.
split_units <- function(unit, nfolds, rows_are_units, strata) {
  units <- max(unit)
  what <- if (rows_are_units) "rows" else "groups"
  if (units < 2) {
    abort("folds", sprintf("Cross-validation needs at least two %s.", what),
          sprintf("%d", units))
  }
  if (is.null(nfolds)) nfolds <- if (rows_are_units && units >= 10) 10 else "loo"
  if (identical(nfolds, "loo")) {
    return(if (rows_are_units) as.list(seq_along(unit)) else unname(split(seq_along(unit), unit)))
  }
  if (!is_count(nfolds) || nfolds < 2 || nfolds > units) {
    abort("folds",
          sprintf("`nfolds` must be \"loo\" or a whole number from 2 to %d, the number of %s.",
                  units, what), describe(nfolds))
  }
  fold <- deal(units, nfolds, unit_strata(unit, strata))
  unname(split(seq_along(unit), fold[unit]))
}

unit_strata <- function(unit, strata) {
  if (is.null(strata)) return(rep(1L, max(unit)))
  first <- strata[match(seq_len(max(unit)), unit)]
  if (any(strata != first[unit])) {
    abort("folds", "`strata` must be constant within `groups`.",
          sprintf("row %d differs from the first of its group", which(strata != first[unit])[1]))
  }
  as.integer(first)
}

# Units in random order, stratum after stratum, dealt like cards to the folds in a
# random order: sizes differ by one at most, overall and almost so per stratum.
deal <- function(units, nfolds, strata) {
  order <- order(strata, sample.int(units))
  fold <- integer(units)
  fold[order] <- rep_len(sample.int(nfolds), units)
  fold
}

# The folds of a cv. function, as row numbers of the design, with the units that the
# standard error is over. design$labels hold the same arguments of a formula call.
read_folds <- function(design, nfolds, foldid, groups, strata, folds) {
  m <- nrow(design$x)
  one_of(nfolds = nfolds, foldid = foldid, folds = folds)
  one_of(groups = groups, foldid = foldid, folds = folds)
  one_of(strata = strata, foldid = foldid, folds = folds)
  if (!is.null(foldid)) {
    foldid <- check_labels(foldid, m, "foldid")
    if (nlevels(foldid) < 2) abort("folds", "`foldid` must have at least two different labels.")
    folds <- unname(split(seq_len(m), foldid))
  } else if (!is.null(folds)) {
    folds <- list_folds(folds, design)
  } else {
    folds <- unclass(cv_folds(m, nfolds, groups, strata))
  }
  rows <- unlist(folds)
  partition <- length(rows) == m && !anyDuplicated(rows)
  list(
    folds = folds,
    foldid = if (partition) rep(seq_along(folds), lengths(folds))[order(rows)],
    groups = if (!is.null(groups)) check_labels(groups, m, "groups")
  )
}

one_of <- function(...) {
  given <- names(Filter(Negate(is.null), list(...)))
  if (length(given) > 1) {
    abort("folds", sprintf("`%s` and `%s` cannot be given together.", given[1], given[2]), NULL,
          sprintf("`%s` says all there is to say about the folds.", given[length(given)]))
  }
}

list_folds <- function(folds, design) {
  if (!is.list(folds) || length(folds) == 0) {
    abort("folds", "`folds` must be a list of vectors of row numbers.", describe(folds))
  }
  folds <- unclass(folds)
  for (i in seq_along(folds)) check_fold(folds[[i]], i, design$supplied)
  # Rows that subset and na.action have removed are held out by nobody.
  kept <- lapply(folds, function(rows) {
    rows <- match(rows, design$rows)
    rows[!is.na(rows)]
  })
  kept <- Filter(length, kept)
  if (length(kept) == 0) {
    abort("folds", "`folds` holds only rows that `subset` or missing values have removed.", NULL,
          "Folds count the rows of the data as supplied.")
  }
  kept
}

check_fold <- function(rows, i, supplied) {
  wanted <- sprintf("Every fold must hold row numbers from 1 to %d.", supplied)
  if (!is.numeric(rows) || length(rows) == 0) {
    abort("folds", wanted, sprintf("fold %d: %s", i, describe(rows)))
  }
  wrong <- !is.finite(rows) | rows != round(rows) | rows < 1 | rows > supplied
  if (any(wrong)) {
    abort("folds", wanted, sprintf("fold %d: %s", i, enumerate(format(rows[wrong], trim = TRUE))))
  }
  if (anyDuplicated(rows)) {
    abort("folds", sprintf("Fold %d holds rows more than once.", i),
          enumerate(unique(rows[duplicated(rows)])))
  }
}
