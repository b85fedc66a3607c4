#' Session information for a bug report
#'
#' Versions, the BLAS and LAPACK in use, what does the package's dense algebra and why, threads and
#' instructions. Include it in a bug report, with a call that shows the problem.
#'
#' @section Which dense algebra is used:
#' R from CRAN comes with a reference BLAS, which is several times slower than OpenBLAS, MKL or
#' Accelerate. Where R runs on it, the package takes its own products, factors and solves instead:
#' nearly as fast as those libraries on processors with AVX2 or AVX-512, and about as fast as their
#' older kernels elsewhere. They serve the package alone; R's own `%*%` and `solve()` stay as they
#' are. `options(sparserls.blas = )` decides otherwise, with the next model that is fitted (where it
#' is not set, the environment variable `SPARSERLS_BLAS` does):
#'
#' * `"auto"`, the default: own where the BLAS is the reference. It is known by the name of its
#'   library (`libRblas`, `Rblas.dll`, Netlib's `libblas`), and by its size where a faster one was
#'   put in its place. A library of any other name is assumed to be fast.
#' * `"blas"`: always R's BLAS.
#' * `"own"`: never R's BLAS.
#'
#' Results differ in the last digits, as between any two BLASes. Own products use one thread. Some
#' steps are LAPACK's in any case: the eigenvectors of tridiagonal matrices and singular values.
#'
#' @return A list of class `sparserls_info`, which prints as text: `version`, `r`, `platform`,
#'   `blas` and `lapack` (files), `lapack_version`, `algebra` (`"blas"` or `"own"`), `why`,
#'   `instructions` (`"avx512"`, `"avx2"`, `"plain"`: the best this processor has for own products),
#'   `threads` (the option `sparserls.threads`), `blas_threads` (`NA` unless the package RhpcBLASctl
#'   is installed).
#' @seealso [sparserls-package] for threads.
#' @examples
#' sparserls_info()
#' @export
sparserls_info <- function() {
  use_blas()
  structure(list(
    version = format(getNamespaceVersion("sparserls")[[1]]),
    r = R.version.string,
    platform = paste(c(R.version$platform, utils::osVersion), collapse = ", "),
    blas = session$library,
    lapack = La_library(),
    lapack_version = La_version(),
    algebra = if (session$blas$own) "own" else "blas",
    why = why_algebra(),
    instructions = .Call(ffi_instructions),
    threads = getOption("sparserls.threads", 1L),
    blas_threads = if (requireNamespace("RhpcBLASctl", quietly = TRUE)) {
      RhpcBLASctl::blas_get_num_procs()
    } else {
      NA_integer_
    }
  ), class = "sparserls_info")
}

why_algebra <- function() {
  asked <- session$blas$asked$blas
  if (asked != "auto") return(sprintf('options(sparserls.blas = "%s"), or SPARSERLS_BLAS', asked))
  if (session$blas$own) return("R runs on its reference BLAS")
  if (nzchar(session$library)) "the BLAS is not one of the slow ones" else "the BLAS is unknown"
}

#' @rdname sparserls_info
#' @param x what `sparserls_info()` answers.
#' @param ... not used.
#' @export
print.sparserls_info <- function(x, ...) {
  known <- function(text) if (nzchar(text)) text else "unknown"
  algebra <- if (x$algebra == "own") paste0("own (", x$instructions, ")") else "BLAS and LAPACK"
  lines <- c(
    sparserls = x$version, R = x$r, platform = x$platform, BLAS = known(x$blas),
    LAPACK = paste0(known(x$lapack), ", version ", x$lapack_version),
    "dense algebra" = paste0(algebra, ": ", x$why), instructions = x$instructions,
    threads = format(x$threads),
    "BLAS threads" = if (is.na(x$blas_threads)) "unknown" else format(x$blas_threads)
  )
  cat(paste0(format(paste0(names(lines), ":")), " ", lines), sep = "\n")
  invisible(x)
}
