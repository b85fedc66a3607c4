#' Choosing basis vectors
#'
#' The `basis` of [sparserls()] and [cv.sparserls()] is the set of rows that the fitted function is
#' an expansion over. It can be
#'
#' * one number: that many rows drawn at random, the same as `basis_random(n)`
#'   (`I(7)` is row 7 itself);
#' * a vector of row numbers, of the data as supplied, before `subset` and the
#'   removal of missing values;
#' * `basis_random(n)`: `n` rows drawn at random without replacement;
#' * `basis_groups(groups, per)`: `per` rows drawn at random from every group, all of a group that
#'   has fewer.
#'
#' Random choices use R's own random numbers: `set.seed()` reproduces them.
#'
#' @param n how many basis vectors.
#' @param groups one label per row of the data as supplied.
#' @param per how many per group.
#' @return An object of class `sparserls_basis`.
#' @references Rifkin, R., Yeo, G. and Poggio, T. (2003) Regularized least-squares
#'   classification.
#' @examples
#' basis_random(30)
#' basis_groups(c("a", "a", "b", "b", "b"))
#' @export
basis_random <- function(n) {
  structure(list(type = "random", n = check_count(n, "n")), class = "sparserls_basis")
}

#' @rdname basis_random
#' @export
basis_groups <- function(groups, per = 1) {
  labels <- check_labels(groups, length(groups), "groups", "basis")
  if (length(labels) == 0) abort("basis", "`groups` is empty.")
  structure(list(type = "groups", groups = labels, per = check_count(per, "per")),
            class = "sparserls_basis")
}

#' @export
print.sparserls_basis <- function(x, ...) {
  cat(switch(x$type,
    random = sprintf("<%d basis vectors drawn at random>\n", x$n),
    groups = sprintf("<%d basis vector(s) from each of %d groups>\n", x$per, nlevels(x$groups))
  ))
  invisible(x)
}

# The basis as row numbers of the design.
choose_basis <- function(basis, design) {
  if (missing(basis) || is.null(basis)) {
    abort("basis", "`basis` is missing: it says which rows become basis vectors.", NULL,
          "Give a number such as 100, row numbers, or basis_random() and its like.")
  }
  if (inherits(basis, "sparserls_basis")) {
    return(switch(basis$type,
      random = draw_rows(basis$n, design),
      groups = draw_from_groups(basis, design)
    ))
  }
  if (!is.numeric(basis)) abort("basis", "`basis` must be numeric or a basis_*().", describe(basis))
  if (length(basis) == 0) abort("basis", "`basis` is empty.")
  if (length(basis) == 1 && !inherits(basis, "AsIs")) return(draw_rows(basis, design))
  basis_rows(unclass(basis), design)
}

draw_rows <- function(n, design) {
  m <- nrow(design$x)
  if (!is_count(n) || n > m) {
    abort("basis", sprintf("`basis` must be a whole number from 1 to %d, the number of rows.", m),
          describe(n), if (is_count(n)) "A single row number is written I(7).")
  }
  sort(sample.int(m, n))
}

draw_from_groups <- function(basis, design) {
  if (length(basis$groups) != design$supplied) {
    abort("basis",
          sprintf("`groups` of basis_groups() must have one label for each of the %d rows.",
                  design$supplied), sprintf("%d labels", length(basis$groups)))
  }
  by_group <- split(seq_along(design$rows), droplevels(basis$groups[design$rows]))
  drawn <- lapply(by_group, function(rows) {
    rows[sample.int(length(rows), min(basis$per, length(rows)))]
  })
  sort(unlist(drawn, use.names = FALSE))
}

basis_rows <- function(basis, design) {
  wrong <- !is.finite(basis) | basis != round(basis) | basis < 1 | basis > design$supplied
  if (any(wrong)) {
    abort("basis", sprintf("Row numbers in `basis` must be whole numbers from 1 to %d.",
                           design$supplied),
          sprintf("basis[%d] is %s", which(wrong)[1], format(basis[wrong][1])))
  }
  if (anyDuplicated(basis)) {
    abort("basis", "`basis` names rows more than once.",
          enumerate(unique(basis[duplicated(basis)])))
  }
  rows <- match(basis, design$rows)
  if (anyNA(rows)) {
    abort("basis", "`basis` names rows that `subset` or missing values have removed.",
          enumerate(basis[is.na(rows)]))
  }
  rows
}

# Row names for messages and coefficients, from positions in the design.
row_labels <- function(rows, design) {
  names <- rownames(design$x)
  if (is.null(names)) as.character(design$rows[rows]) else names[rows]
}
