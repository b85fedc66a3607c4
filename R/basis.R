#' Choosing basis vectors
#'
#' The `basis` of [sparserls()] and [cv.sparserls()] is the set of rows whose kernel functions the
#' fit combines.
#'
#' It can be
#'
#' * nothing: `basis_rpcholesky()` of half the rows (rounded down) or 500, whichever is less;
#' * one number: that many rows, chosen in the same way ([ardrls()] has another default); `I(7)` is
#'   row 7 itself;
#' * a vector of row numbers, of the data as supplied, before `subset` and the removal of missing
#'   values. A few increasing numbers could also be meant as sizes: a message says that they are
#'   rows, unless they are written `I(c(50, 100, 200))`;
#' * `basis_random(n)`: `n` rows drawn at random without replacement;
#' * `basis_groups(groups, per)`: `per` rows drawn at random from every group, or all rows of a
#'   smaller group;
#' * `basis_rpcholesky(n)`: randomly pivoted Cholesky. Rows are drawn one after the other, with
#'   probability proportional to the part of k(x, x) that earlier rows leave unexplained, in time
#'   `O(m n^2)`. It looks at the kernel and `x` only, not at `y` or `weights`;
#' * `basis_greedy(n, candidates, lambda)`: in every step adds the one of `candidates` random rows
#'   that gives the smallest training error (weighted, summed over outputs), in time `O(m n)` for
#'   every candidate;
#' * `basis_sizes(sizes, selector)`: several sizes, which [cv.sparserls()] searches;
#' * a matrix or data frame of points, which need not be rows of the data, such as cluster centres.
#'   Columns are matched by name and standardized like the rows. Points are never held out.
#'
#' With a formula the arguments of these functions are looked up in `data` first:
#' `basis_groups(Subject)`. `set.seed()` reproduces random choices.
#'
#' @section Order: `basis_rpcholesky()` and `basis_greedy()` give the basis in the order of
#'   selection. Rows that repeat an earlier row, or that the basis spans to working precision, are
#'   not chosen; if fewer than `n` are left, the print shows how many.
#' @section A selection that looks at y: `basis_greedy()` sees the responses of all rows it may
#'   choose from. A cross-validation is then optimistic, and gives a warning of class
#'   `sparserls_warning_selection`. `reselect = TRUE` of [cv.sparserls()] repeats the selection in
#'   every fold.
#'
#' @param n how many basis vectors.
#' @param groups one label per row of the data as supplied.
#' @param per how many per group.
#' @param candidates how many rows to try in every step.
#' @param lambda regularization parameter of the fits that the selection compares, a positive
#'   number. `NULL`: 1e-4 times the sum of `w_i k(x_i, x_i)` over the rows.
#' @param sizes whole numbers, how many basis vectors to try, with every kernel and the same folds.
#'   The smaller bases are the first rows of the largest.
#' @param selector a function of n that returns the selector: `basis_rpcholesky`, `basis_random` or,
#'   for instance, `function(n) basis_greedy(n, candidates = 30)`.
#' @return An object of class `sparserls_basis`.
#' @section Errors: `sparserls_error_argument`, `sparserls_error_lambda` and `sparserls_error_basis`
#'   for arguments that do not fit.
#' @references Epperly, E. N., Tropp, J. A. and Webber, R. J. (2024) Embrace rejection: kernel
#'   matrix approximation by accelerated randomly pivoted Cholesky. arXiv:2410.03969.
#'
#'   Pahikkala, T., Suominen, H. and Boberg, J. (2012) Efficient cross-validation for kernelized
#'   least-squares regression with sparse basis expansions. *Machine Learning* 87, 381-407.
#' @examples
#' basis_random(30)
#' basis_groups(c("a", "a", "b", "b", "b"))
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = basis_sizes(c(10, 20, 40)))
#' cv$kernels
#'
#' # cluster centres
#' x <- as.matrix(prostate[1:8])
#' cv.sparserls(x, prostate$lpsa, basis = stats::kmeans(x, 15)$centers)
#' @export
basis_random <- function(n) new_selector("random", n)

# n: as the caller was given it, or not.
new_selector <- function(type, n, ...) {
  must(!missing(n), "basis", "`n` is missing.", NULL, "How many basis vectors are to be chosen?")
  structure(list(type = type, n = check_count(n, "n"), ...), class = "sparserls_basis")
}

#' @rdname basis_random
#' @export
basis_groups <- function(groups, per = 1) {
  must(!missing(groups), "basis", "`groups` is missing.", NULL, "One label for each row.")
  labels <- check_labels(groups, length(groups), "groups", "basis")
  must(length(labels), "basis", "`groups` is empty.")
  structure(list(type = "groups", groups = labels, per = check_count(per, "per")),
            class = "sparserls_basis")
}

#' @rdname basis_random
#' @export
basis_rpcholesky <- function(n) new_selector("rpcholesky", n)

#' @rdname basis_random
#' @export
basis_greedy <- function(n, candidates = 60, lambda = NULL) {
  new_selector("greedy", n, candidates = check_count(candidates, "candidates"),
               lambda = if (!is.null(lambda))
                 check_single_lambda(lambda, "Leave it NULL for a default."))
}

#' @export
print.sparserls_basis <- function(x, ...) {
  print_brief(x, if (x$type != "groups") paste(enumerate(x$sizes %||% x$n), "basis vectors "),
              selector_words(x))
}

selector_words <- function(basis) {
  switch(basis$type,
    random = "drawn at random",
    groups = sprintf("%s from each of %d groups", counted(basis$per, "basis vector"),
                     nlevels(basis$groups)),
    rpcholesky = "by randomly pivoted Cholesky",
    greedy = sprintf("by greedy selection among %d random candidates%s", basis$candidates,
                     if (is.null(basis$lambda)) "" else paste(", lambda =", format(basis$lambda)))
  )
}

# The default basis.
default_basis <- function(rows, size = half_size(length(rows))) {
  new_selector("rpcholesky", size, default = TRUE)
}

half_size <- function(m) max(1, min(500, m %/% 2))

# The basis as row numbers of the design, all of them among `rows`. Selectors that look at the
# kernel are returned as they are, with `rows`: new_selection() is for them.
choose_basis <- function(basis, design, rows = seq_len(nrow(design$x))) {
  basis <- basis %||% default_basis(rows)
  must(is_real(basis) || inherits(basis, "sparserls_basis"), "basis",
       "`basis` must be numeric or a basis_*().", shown(basis), real_remedy(basis))
  if (is_basis_count(basis)) basis <- counted_basis(basis, rows)
  if (inherits(basis, "sparserls_basis")) {
    if (basis$type == "groups") return(draw_from_groups(basis, design, rows))
    check_basis_size(basis$n, rows)
    if (basis$type != "random") return(c(basis, list(rows = rows)))
    drawn <- rows[sample.int(length(rows), basis$n)]
    return(if (is.null(basis$sizes)) sort(drawn) else drawn)
  }
  must(length(basis), "basis", "`basis` is empty.")
  note_grid(basis)
  left <- intersect(basis_rows(unclass(basis), design), rows)
  must(length(left), "folds", "A fold holds all basis vectors: none is left.", NULL,
       "Use more basis vectors or smaller folds.")
  left
}

# Vectors of gamma are grids, and a vector of basis rows may have been meant as one: two to nine
# increasing numbers, none below 5. I() says that rows are meant.
note_grid <- function(basis) {
  rows <- inherits(basis, "AsIs") || !length(basis) %in% 2:9 || anyNA(basis)
  basis <- unclass(basis)
  if (rows || basis[1] < 5 || any(diff(basis) <= 0)) return()
  numbers <- toString(format(basis, trim = TRUE))
  inform(sprintf(paste0("`basis` is taken as the numbers of %d rows: %s.\n",
                        "i Sizes to search are written basis_sizes(c(%s)), rows I(c(%s))."),
                 length(basis), numbers, numbers, numbers))
}

# One number: so many rows, by the default's way.
is_basis_count <- function(basis) {
  is.numeric(basis) && length(basis) == 1 && !inherits(basis, "AsIs") && !is_point_basis(basis)
}

is_point_basis <- function(basis) {
  is.data.frame(basis) || is.matrix(basis) || inherits(basis, "Matrix")
}

# Row numbers, or points: nothing is left to draw.
names_rows <- function(basis) {
  !is.null(basis) && !inherits(basis, "sparserls_basis") && !is_basis_count(basis)
}

counted_basis <- function(count, rows, selector = basis_rpcholesky) {
  check_basis_size(count, rows)
  selector(count)
}

check_basis_size <- function(n, rows) {
  must(is_count(n) && n <= length(rows), "basis",
       sprintf("`basis` must be a whole number from 1 to %d, the number of rows.",
               length(rows)), shown(n), if (is_count(n)) "A single row number is written I(7).")
}

draw_from_groups <- function(basis, design, rows) {
  must(length(basis$groups) == design$supplied, "basis",
       sprintf("`groups` of basis_groups() must have one label for each of the %d rows.",
               design$supplied), sprintf("%d labels", length(basis$groups)))
  by_group <- split(rows, droplevels(basis$groups[design$rows[rows]]))
  sort(unlist(lapply(unname(by_group), function(rows) {
    rows[sample.int(length(rows), min(basis$per, length(rows)))]
  })))
}

basis_rows <- function(basis, design) {
  wrong <- !is.finite(basis) | basis != round(basis) | basis < 1 | basis > design$supplied
  must(!any(wrong), "basis",
       sprintf("Row numbers in `basis` must be whole numbers from 1 to %d.",
               design$supplied),
       sprintf("basis[%d] is %s", which(wrong)[1], format(basis[wrong][1])))
  must(!anyDuplicated(basis), "basis", "`basis` names rows more than once.",
       enumerate(unique(basis[duplicated(basis)])))
  rows <- match(basis, design$rows)
  must(!anyNA(rows), "basis", "`basis` names rows that `subset` or missing values have removed.",
       enumerate(basis[is.na(rows)]))
  rows
}

# ---- several sizes -------------------------------------------------------------------------------

# A search over sizes of the basis, together with the kernels.

#' @rdname basis_random
#' @export
basis_sizes <- function(sizes, selector = basis_rpcholesky) {
  must(is.numeric(sizes) && length(sizes) && all(vapply(sizes, is_count, NA)) &&
         !anyDuplicated(sizes), "basis", "`sizes` must be whole numbers of at least 1, each once.",
       if (is.numeric(sizes)) enumerate(sizes) else shown(sizes))
  sizes <- sort(as.integer(sizes))
  basis <- if (is.function(selector)) selector(max(sizes))
  must(inherits(basis, "sparserls_basis") && basis$type != "groups" &&
         identical(basis$n, max(sizes)), "basis",
       "`selector` must be a function of n that makes a selector of n rows.",
       shown(selector), "Use basis_rpcholesky, or function(n) basis_greedy(n, 30).")
  basis$sizes <- sizes
  basis
}

refuse_sizes <- function(basis) {
  must(!inherits(basis, "sparserls_basis") || is.null(basis$sizes), "basis",
       "`basis_sizes()` is searched by cv.sparserls() only.", enumerate(basis$sizes),
       "Give one size here: basis_rpcholesky(100).")
}

# The first rows of a selection; size: NULL for all.
first_rows <- function(selection, size) {
  if (is.null(size)) return(selection)
  selection$rows <- head(selection$rows, size)
  selection$spanned <- head(selection$spanned, size - length(selection$rows))
  selection$wanted <- size
  selection
}

# ---- again in every fold -------------------------------------------------------------------------

# A basis for every fold: the arguments allowed, and the choice.

check_reselect <- function(reselect, basis, mode) {
  if (!reselect && inherits(basis, "sparserls_basis") && basis$type == "greedy") {
    warn("selection",
         "The error is too small: basis_greedy() has seen the held-out responses.", NULL,
         "`reselect = TRUE` selects again in every fold.")
  }
  if (!reselect) return()
  must(!names_rows(basis), "basis",
       "`reselect = TRUE` needs a `basis` that can be chosen again.", shown(basis),
       "Use a number, or a selector such as basis_random().")
  must(mode == "remove", "argument", "`holdout_basis` has no meaning with `reselect = TRUE`.",
       sprintf("\"%s\"", mode), "No basis vector is ever held out.")
}

