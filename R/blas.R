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
  if (identical(asked, session$blas$asked)) return(invisible())
  check_blas(asked)
  if (is.null(session$library)) session$library <- blas_library()
  own <- asked$blas == "own" || (asked$blas == "auto" && is_reference_blas(session$library))
  set <- .Call(ffi_use_products, own, asked$instructions)
  if (is.na(set)) {
    abort("argument", "This processor has no such instructions.", shown(asked$instructions))
  }
  session$blas <- list(asked = asked, own = own, instructions = set)
  invisible()
}

check_blas <- function(asked) {
  choices <- c("auto", "blas", "own")
  if (!is.character(asked$blas) || length(asked$blas) != 1 || !asked$blas %in% choices) {
    abort("argument", 'The option `sparserls.blas` must be "auto", "blas" or "own".',
          shown(asked$blas), 'Set it by options(sparserls.blas = "auto").')
  }
}

# The file of R's BLAS, links resolved; "" where R does not say. On Windows it is Rblas.dll.
blas_library <- function() {
  path <- extSoftVersion()[["BLAS"]]
  if (.Platform$OS.type == "windows" && !nzchar(path)) {
    path <- file.path(R.home("bin"), .Platform$r_arch, "Rblas.dll")
    if (!file.exists(path)) path <- file.path(R.home("bin"), "Rblas.dll")
  }
  if (nzchar(path)) normalizePath(path, mustWork = FALSE) else ""
}

# R's own BLAS (Rblas, libRblas, libRblas.0) and Netlib's (libblas, in no folder of a faster one)
# are the reference. A faster library that was put in their place is known by where a link leads to,
# or by its size: the reference is of less than 1 MB, the faster ones of several.
is_reference_blas <- function(path, size = file.size(path)) {
  faster <- "openblas|mkl|blis|atlas|flexiblas|accelerate|veclib|armpl|nvblas|essl|goto"
  grepl("^(lib)?r?blas([.-].*)?$", basename(path), ignore.case = TRUE) &&
    !grepl(faster, path, ignore.case = TRUE) && !isTRUE(size > 2e6)
}
