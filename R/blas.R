# Who does dense algebra: R's BLAS and LAPACK, or the package's own products (src/product.c), which
# are several times faster than R's reference BLAS.

# Called when the package is loaded and whenever a problem is made (problem.R): both options may
# have changed. options(sparserls.instructions = ) is for tests: "avx512", "avx2" or "plain".
# Variables of the environment stand in for both: processes that tests start inherit them, however
# they are started (Rscript --vanilla reads no profile).
use_blas <- function() {
  asked <- list(
    blas = getOption("sparserls.blas", Sys.getenv("SPARSERLS_BLAS", "auto")),
    instructions = getOption("sparserls.instructions", Sys.getenv("SPARSERLS_INSTRUCTIONS"))
  )
  if (identical(asked, session$blas$asked)) return()
  check_choice(asked$blas, c("auto", "blas", "own"), "options(sparserls.blas = )")
  if (is.null(session$library)) session$library <- blas_library()
  own <- asked$blas == "own" || (asked$blas == "auto" && is_reference_blas(session$library))
  set <- .Call(ffi_use_products, own, asked$instructions)
  must(!is.na(set), "argument", "This processor has no such instructions.",
       shown(asked$instructions))
  session$blas <- list(asked = asked, own = own, instructions = set)
  invisible()
}

# The file of R's BLAS, links resolved; "" where R does not say. On Windows it is Rblas.dll.
blas_library <- function() {
  path <- extSoftVersion()[["BLAS"]]
  windows <- .Platform$OS.type == "windows"
  if (windows && !nzchar(path)) path <- file.path(R.home("bin"), "Rblas.dll")
  normalizePath(path, mustWork = FALSE)
}

# R's own BLAS (Rblas, libRblas, libRblas.0) and Netlib's (libblas, in no folder of a faster one)
# are the reference. A faster library that was put in their place is known by where a link leads to,
# or by its size: the reference is of less than 1 MB, the faster ones of several.
is_reference_blas <- function(path, size = file.size(path)) {
  faster <- "openblas|mkl|blis|atlas|flexiblas|accelerate|veclib|armpl|nvblas|essl|goto"
  grepl("^(lib)?r?blas([.-].*)?$", basename(path), ignore.case = TRUE) &&
    !grepl(faster, path, ignore.case = TRUE) && !isTRUE(size > 2e6)
}

# ---- what a bug report says ----------------------------------------------------------------------

#' Session information for a bug report
#'
#' Shows versions, the BLAS and LAPACK in use, which of them computes the package's dense algebra,
#' threads and instructions. Include it in a bug report, with a call that shows the problem.
#'
#' @section Which dense algebra is used: If R runs on its reference BLAS, which is several times
#' slower than OpenBLAS, MKL or Accelerate, the package uses its own products, factors and solves
#' instead. R's own `%*%` and `solve()` are not changed. `options(sparserls.blas = )`, or the
#' environment variable `SPARSERLS_BLAS`, overrides this from the next model on: `"auto"`, the
#' default; `"blas"`, R's BLAS in any case; or `"own"`. The reference BLAS is recognized by its name
#' (`libRblas`, `Rblas.dll`, Netlib's `libblas`) and size. Own products use one thread.
#'
#' @return A list of class `sparserls_info`, which prints as text: `version`, `r`, `platform`,
#'   `blas` and `lapack` (files), `lapack_version`, `algebra` (`"blas"` or `"own"`), `instructions`
#'   (`"avx512"`, `"avx2"`, `"plain"`), `threads` (the option `sparserls.threads`), `blas_threads`
#'   (`NA` without the package RhpcBLASctl).
#' @seealso [sparserls-package] for threads.
#' @examples
#' sparserls_info()
#' @export
sparserls_info <- function() {
  use_blas()
  structure(list(
    version = package_version_here(),
    r = R.version.string,
    platform = toString(c(R.version$platform, utils::osVersion)),
    blas = session$library,
    lapack = La_library(),
    lapack_version = La_version(),
    algebra = if (session$blas$own) "own" else "blas",
    instructions = .Call(ffi_instructions),
    threads = getOption("sparserls.threads", 1L),
    blas_threads = if (!requireNamespace("RhpcBLASctl", quietly = TRUE)) NA_integer_
                   else RhpcBLASctl::blas_get_num_procs()
  ), class = "sparserls_info")
}

#' @rdname sparserls_info
#' @param x a result of `sparserls_info()`.
#' @param ... not used.
#' @export
print.sparserls_info <- function(x, ...) {
  cat(paste0(format(paste0(names(x), ":")), " ", vapply(x, format, "")), sep = "\n")
  invisible(x)
}
