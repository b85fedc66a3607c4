# A fit that comes from a file may be damaged or have been edited: its fields are checked before
# the numeric core reads them.

check_model <- function(object) UseMethod("check_model")

check_model.default <- function(object) stop_damaged(sprintf("`fit` is %s", describe(object)))

check_model.sparserls_fit <- function(object) {
  fields <- c("lambda", "df", "basis", "kernel", "jitter", "intercept", "standard", "nobs",
              "response", "blueprint", "columns", "points", "spectrum", "fitted",
              "fitted_at", "nulldev")
  fields <- setdiff(fields, if (!inherits(object, "sparserls")) "jitter")
  lacking <- setdiff(fields, names(object))
  if (length(lacking)) stop_damaged(sprintf("without %s", enumerate(sprintf("`%s`", lacking))))
  terms <- if (is.null(object$basis)) NCOL(object$spectrum$map) else length(object$basis)
  v <- if (is.list(object$response)) NCOL(object$response$y) else 0
  check_numbers(object$lambda, length(object$lambda), "lambda")
  check_spectrum(object$spectrum, terms, v)
  check_fitted(object, v)
  if (!is.list(object$blueprint)) stop_damaged("`blueprint` is no list")
  check_expansion(object, terms)
}

# Fitted values of some of the lambdas, with the names of the rows.
check_fitted <- function(object, v) {
  at <- object$fitted_at
  if (!is.integer(at) || !all(at %in% seq_along(object$lambda))) {
    stop_damaged("`fitted_at` holds no positions in `lambda`")
  }
  check_numbers(object$fitted, object$nobs * v * length(at), "fitted")
  if (!identical(dim(object$fitted), as.integer(c(object$nobs, v, length(at))))) {
    stop_damaged("`fitted` has another shape")
  }
  check_rownames(object)
}

check_rownames <- function(object) {
  names <- object$rownames
  if (!is.null(names) && !(is.atomic(names) && length(names) == object$nobs)) {
    stop_damaged("`rownames` does not fit the rows")
  }
}

check_spectrum <- function(spectrum, terms, v) {
  n <- length(spectrum$values)
  sizes <- c(values = n, map = n * terms, score = n * v, z_mean = n, y_mean = v)
  for (name in names(sizes)) {
    check_numbers(spectrum[[name]], sizes[[name]], sprintf("spectrum$%s", name))
  }
}

# The kernel and the basis vectors as points.
check_expansion <- function(object, terms) {
  if (!inherits(object$kernel, "sparserls_kernel")) stop_damaged("`kernel` is no kernel")
  if (object$kernel$name == "precomputed" || is.null(object$basis)) return(invisible())
  x <- object$points$x
  if (!identical(nrow(x), terms)) stop_damaged("`points` does not fit the basis")
  check_numbers(if (is.matrix(x)) x else x@x, NULL, "points")
  if (!is.null(object$standard)) {
    check_numbers(object$standard$centre, object$blueprint$p, "standard$centre")
    check_numbers(object$standard$scale, object$blueprint$p, "standard$scale")
  }
}

check_numbers <- function(x, length, name) {
  if (!is.double(x)) stop_damaged(sprintf("`%s` is %s", name, describe(x)))
  if (!is.null(length) && length(x) != length) {
    stop_damaged(sprintf("`%s` has %d values instead of %d", name, length(x), as.integer(length)))
  }
  if (!all(is.finite(x))) stop_damaged(sprintf("`%s` has values that are not finite", name))
}

stop_damaged <- function(what) {
  abort("object", "The fit is damaged or was not made by this package.", what, "Fit it again.")
}
