# A search over sizes of the basis, together with the kernels.

#' @rdname basis_random
#' @export
basis_sizes <- function(sizes, selector = basis_rpcholesky) {
  fine <- is.numeric(sizes) && length(sizes) > 0 && all(vapply(sizes, is_count, NA)) &&
    !anyDuplicated(sizes)
  if (!fine) {
    abort("basis", "`sizes` must be whole numbers of at least 1, each once.",
          if (is.numeric(sizes)) enumerate(sizes) else describe(sizes))
  }
  sizes <- sort(as.integer(sizes))
  basis <- if (is.function(selector)) selector(max(sizes))
  ordered <- inherits(basis, "sparserls_basis") && basis$type != "groups" &&
    identical(basis$n, max(sizes))
  if (!ordered) {
    abort("basis", "`selector` must be a function of n that makes a selector of n rows.",
          describe(selector), "Use basis_rpcholesky, or function(n) basis_greedy(n, 30).")
  }
  basis$sizes <- sizes
  basis
}

refuse_sizes <- function(basis) {
  if (inherits(basis, "sparserls_basis") && !is.null(basis$sizes)) {
    abort("basis", "`basis_sizes()` is searched by cv.sparserls() only.", enumerate(basis$sizes),
          "Give one size here: basis_rpcholesky(100).")
  }
}

# All pairs of kernels and sizes, those of a kernel one after the other; size: NULL for the basis as
# it is.
sized_kernels <- function(kernels, basis) {
  sizes <- if (inherits(basis, "sparserls_basis")) basis$sizes
  if (is.null(sizes)) return(lapply(kernels, function(kernel) list(kernel = kernel)))
  unlist(lapply(kernels, function(kernel) {
    lapply(sizes, function(size) list(kernel = kernel, size = size))
  }), recursive = FALSE)
}

# Parts of the candidates for several bases (of choose_basis()). Rows are selected once for all
# sizes of a kernel: a basis begins with those of the smaller sizes.
part_maker <- function(problem, bases) {
  kernel <- on_points <- NULL
  selections <- list()
  dropped <- character()
  lacking <- 0
  make <- function(candidate, i) {
    if (!identical(candidate$kernel, kernel)) {
      kernel <<- candidate$kernel
      on_points <<- kernel_points(problem, kernel)
      selections <<- vector("list", length(bases))
    }
    if (is.null(selections[[i]])) {
      selections[[i]] <<- new_selection(bases[[i]], problem, on_points)
    }
    part <- kernel_problem(problem, on_points, first_rows(selections[[i]], candidate$size))
    dropped <<- union(dropped, part$dropped)
    lacking <<- max(lacking, part$lacking)
    part
  }
  list(make = make, warn = function() warn_redundant(dropped, lacking))
}

first_rows <- function(selection, size) {
  if (is.null(size)) return(selection)
  selection$rows <- head(selection$rows, size)
  selection$wanted <- size
  selection
}
