# A bank: the kernels that rls2() sums, on all rows of a problem. With `kernels = NULL` they are the
# linear kernels of single features and the bank's `terms` are the matrix of features; otherwise a
# list, every kernel a factor, a matrix, or what is needed to compute it (src/rls2_bank.c).

#' The bank of kernels of the RLS2 benchmark
#'
#' Polynomial kernels `(1 + x'z)^q` of degree q = 1, 2, 3 and Gaussian kernels `exp(-gamma |x -
#' z|^2)` with ten values of gamma from 1e-3 to 1e3, on all features and on each of them: 13 (p + 1)
#' kernels (Dinuzzo, 2010, arXiv:1001.2709, section 5.2).
#'
#' @param x the data that [rls2()] is going to see, a numeric matrix, Matrix or numeric data frame;
#'   only the names and the number p of its columns matter.
#' @return A list of [kernels], first those on all features.
#' @section Errors: `sparserls_error_x` for an `x` without columns or that is no numeric matrix.
#' @examples
#' kernel_bank(prostate[, 1:8])[c(1, 5, 14)]
#' @export
kernel_bank <- function(x) {
  x <- read_matrix(x, "x")
  # Numbers, where names would not tell columns apart.
  each <- if (is.null(colnames(x)) || anyDuplicated(colnames(x))) seq_len(ncol(x)) else colnames(x)
  gammas <- 10^seq(-3, 3, length.out = 10)
  unlist(lapply(c(list(NULL), as.list(each)), function(features) {
    c(lapply(1:3, kernel_polynomial, features = features),
      lapply(gammas, kernel_gaussian, features = features))
  }), recursive = FALSE)
}

# kernels: a list, or NULL for the features of a dense design.
new_bank <- function(problem, kernels) {
  if (is.null(kernels)) {
    x <- problem$points$x
    return(list(terms = unname(x), names = width_names(problem$columns, ncol(x))))
  }
  check_size(nrow(problem$y), "rows in kernels", "x")
  parts <- lapply(kernels, kernel_points, problem = problem)
  kernels <- lapply(parts, `[[`, "kernel")
  list(terms = bank_terms(parts, problem$threads), names = kernel_names(kernels, problem$columns),
       kernels = kernels)
}

# Short names, full descriptions where short ones would be the same for different kernels, and
# numbers behind them where these do not tell maps apart.
kernel_names <- function(kernels, columns) {
  named <- lapply(kernels, function(kernel) {
    if (is.numeric(kernel$features) && is.null(names(kernel$features)) && !is.null(columns)) {
      kernel$features <- columns[kernel$features]
    }
    kernel
  })
  short <- vapply(named, short_name, "")
  same <- short %in% short[duplicated(short)]
  make.unique(ifelse(same, vapply(named, format, ""), short), " ")
}

short_name <- function(kernel) {
  value <- unlist(kernel[head(kernel_trait(kernel, "parameters"), 1)])
  ends <- if (length(value)) unique(three_digits(range(value)))
  shown <- if (has_map(kernel)) "map" else if (length(ends)) paste(ends, collapse = " to ")
  paste0(if (kernel$normalize) "normalized ", kernel_trait(kernel, "label"),
         if (length(shown)) sprintf("(%s)", shown),
         if (!is.null(kernel$features)) paste(" on", enumerate(feature_names(kernel), 3)))
}

# Kernels of low rank are held as factors, others as matrices until those have filled this many
# bytes, and the rest are computed when they are needed.
matrix_bytes <- 2^30

bank_terms <- function(parts, threads) {
  room <- matrix_bytes
  lapply(parts, function(part) {
    term <- bank_term(part$kernel, part$points, room, threads)
    room <<- room - 8 * length(term$matrix)
    term
  })
}

bank_term <- function(kernel, points, room, threads) {
  term <- list(factor = NULL, matrix = NULL, kernel = NULL, x = NULL, centre = NULL)
  m <- nrow(points$x)
  compiled <- in_c(kernel, points)
  source <- if (compiled) kernel_source(kernel, points, points, threads)
            else whole_values(kernel, points, threads)
  diagonal <- if (compiled) self_values(kernel, points) else diag(source)
  term["factor"] <- list(.Call(ffi_low_rank, source, as.double(diagonal), max(1L, m %/% 4L),
                               threads))
  if (!is.null(term$factor)) return(term)
  if (compiled && 8 * m^2 > room) {
    term[c("kernel", "x", "centre")] <- source[c("kernel", "rows", "centre")]
    return(term)
  }
  term$matrix <- if (compiled) kernel_values(kernel, points, points, threads) else source
  check_kernel_values(term$matrix)
  term
}

# The matrix of a kernel that is not computed in C.
whole_values <- function(kernel, points, threads) {
  values <- kernel_values(kernel, points, points, threads)
  check_kernel_values(values)
  check_psd(values)
  (values + t(values)) / 2
}
