# A search over sizes of the basis, together with the kernels.

#' @rdname basis_random
#' @export
basis_sizes <- function(sizes, selector = basis_rpcholesky) {
  fine <- is.numeric(sizes) && length(sizes) > 0 && all(vapply(sizes, is_count, NA)) &&
    !anyDuplicated(sizes)
  must(fine, "basis", "`sizes` must be whole numbers of at least 1, each once.",
       if (is.numeric(sizes)) enumerate(sizes) else shown(sizes))
  sizes <- sort(as.integer(sizes))
  basis <- if (is.function(selector)) selector(max(sizes))
  ordered <- inherits(basis, "sparserls_basis") && basis$type != "groups" &&
    identical(basis$n, max(sizes))
  must(ordered, "basis", "`selector` must be a function of n that makes a selector of n rows.",
       shown(selector), "Use basis_rpcholesky, or function(n) basis_greedy(n, 30).")
  basis$sizes <- sizes
  basis
}

refuse_sizes <- function(basis) {
  must(!inherits(basis, "sparserls_basis") || is.null(basis$sizes), "basis", "`basis_sizes()` is searched by cv.sparserls() only.",
       enumerate(basis$sizes), "Give one size here: basis_rpcholesky(100).")
}

# The first rows of a selection; size: NULL for all.
first_rows <- function(selection, size) {
  if (is.null(size)) return(selection)
  selection$rows <- head(selection$rows, size)
  selection$spanned <- head(selection$spanned, size - length(selection$rows))
  selection$wanted <- size
  selection
}
