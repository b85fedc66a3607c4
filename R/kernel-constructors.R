#' Kernels
#'
#' A kernel determines which functions a fit can represent. By default [cv.sparserls()] searches the
#' Gaussian, for smooth functions, and the Laplacian, for rough ones, with their widths;
#' [sparserls()] takes a Gaussian, [rls()] a linear and [ardrls()] a Matern kernel. Arguments called
#' `kernel` also take a name: `"gaussian"` is `kernel_gaussian()`.
#'
#' The values k(x, z), of rows x and z that have been standardized (unless `standardize = FALSE`),
#' are, with squared Euclidean distances `D = |x - z|^2`:
#'
#' * `kernel_linear()`: `x'z`
#' * `kernel_gaussian()`: `exp(-gamma D)`
#' * `kernel_laplacian()`: `exp(-gamma sum_d |x_d - z_d|)`
#' * `kernel_matern()`, with `r^2 = 2 smoothness gamma D`: `exp(-r)` for smoothness 0.5, `(1 + r)
#'   exp(-r)` for 1.5, `(1 + r + r^2 / 3) exp(-r)` for 2.5; continuous, once and twice
#'   differentiable functions, respectively
#' * `kernel_polynomial()`: `(scale x'z + offset)^degree`
#' * `kernel_custom()`: `f(X, Z)`
#' * `kernel_precomputed()`: `x` itself is the matrix of kernel values of all rows with all rows
#'
#' @param gamma inverse squared (Gaussian, Matern) or inverse (Laplacian) width, in units of the
#'   standardized features. `NULL`: see Default width. An unnamed vector, alone or
#'   in `width_multiples()`, stands for several kernels, which `cv.` functions search. A vector
#'   *named by the features* is one kernel with a width for each of them, see Widths.
#' @param multiples positive numbers, multiples of the data-driven gamma; `width_multiples(1)` is
#'   this value itself, without a search. (`relative()` is its deprecated name.)
#' @param smoothness 0.5, 1.5 or 2.5.
#' @param degree whole number of at least 1.
#' @param scale,offset positive scale and non-negative offset of the polynomial kernel.
#' @param f a function of two matrices X (a x p) and Z (b x p) that returns the a x b matrix of
#'   kernel values; it must be symmetric and positive semidefinite.
#' @param slope the derivative of `f`, which [derivatives()] needs: a function of X, Z and the
#'   number j of a column that returns the a x b matrix of the derivatives of k(x, z) with respect
#'   to x_j, before any normalization.
#' @param normalize divide by sqrt(k(x, x) k(z, z)); rows with k(x, x) = 0 get the value 0. A
#'   precomputed kernel that is normalized here cannot predict new rows: normalize the matrix
#'   yourself.
#' @param features the columns of x that the kernel uses, names or numbers; `NULL` for all. A
#'   factor's name stands for all its columns.
#' @param map a numeric matrix L, see Maps; `NULL` for none.
#' @return An object of class `sparserls_kernel`; `width_multiples()` returns a value for
#'   `gamma`.
#' @section Default width: The data-driven gamma is c / d, with d the median squared (Laplacian:
#'   absolute) distance between at most 256 rows, and `c = (4 / p)^2`, limited to between 1/4 and 4,
#'   with p the number of varying features that the kernel uses. A fit without cross-validation uses
#'   this gamma; [cv.sparserls()] and [cv.rls()] search its multiples from 1/256 to 256, on a grid
#'   that is refined until the best error is within a tenth of a standard error of its neighbours.
#' @section Widths: With one gamma for each feature that the kernel uses, named by the features (V1,
#'   V2, ... if `x` has no names), `gamma D` becomes `sum_d gamma_d (x_d - z_d)^2`; the Laplacian
#'   kernel has `sum_d gamma_d |x_d - z_d|`, the linear kernel `sum_d gamma_d x_d z_d`. A feature
#'   with gamma 0 is ignored. A factor is one feature, see [factors]. [ardrls()] finds such widths.
#' @section Maps: With a map L the kernel uses `L'x` of the standardized x, with gamma fixed at 1. L
#'   has one row for each column that the kernel uses and one column for each direction. Unnamed
#'   rows follow the order of the columns; for factors every column has a row with its name
#'   (`sitenorth`). Only `L L'` matters; its diagonal is what [ardrls()] calls relevance.
#'   `kernel_laplacian()` has no map.
#' @section Kernels of your own: With rows in memory `f` is called in your session, and a search
#'   that includes such a kernel is not shared with workers. With rows in [chunks][chunk_models] `f`
#'   is sent to workers without the variables of your workspace, and must not draw random numbers.
#' @references Rasmussen, C. E. and Williams, C. K. I. (2006) *Gaussian Processes for Machine
#'   Learning*. MIT Press, section 4.2.1.
#' @examples
#' kernel_gaussian(gamma = 0.1)
#' kernel_gaussian(width_multiples(2^(-4:4)))
#' kernel_gaussian(c(lcavol = 0.3, age = 0.1), features = c("lcavol", "age"))
#' # the sum of two features, and a tenth of their difference
#' kernel_matern(map = cbind(c(lcavol = 1, lweight = 1), c(0.1, -0.1)),
#'               features = c("lcavol", "lweight"))
#' kernel_polynomial(degree = 3, features = c("lcavol", "lweight"))
#' kernel_custom(function(X, Z) (1 + tcrossprod(X, Z))^2,
#'               slope = function(X, Z, j) {
#'                 2 * (1 + tcrossprod(X, Z)) * rep(Z[, j], each = nrow(X))
#'               })
#' @name kernels
NULL

# ---- parts and checks ------------------------------------------------------------------

# parameters: a list, named as in the kernel's entry (kernel_trait()), gamma from gamma_fields(); f,
# slope: of a custom kernel; map: of kernels that take one.
new_kernel <- function(name, parameters, normalize, features = NULL, f = NULL, slope = NULL,
                       map = NULL) {
  fine <- (is.character(features) || is.numeric(features)) && length(features) > 0 &&
    !anyNA(features) && !anyDuplicated(features)
  must(is.null(features) || fine, "kernel",
       "`features` must name or number columns of `x`, each once.", shown(features))
  structure(
    c(list(name = name), parameters,
      list(normalize = check_flag(normalize, "normalize"), features = features, f = f,
           slope = slope, map = check_map(map, parameters))),
    class = "sparserls_kernel"
  )
}

check_gamma <- function(gamma) {
  if (is.null(gamma) || inherits(gamma, "sparserls_width_multiples")) return(gamma)
  must(is_real(gamma) && length(gamma) > 0 && (!is.matrix(gamma) || length(gamma) == 1), "kernel",
       "`gamma` is a number, or a vector of them.", shown(gamma),
       "A linear map of the features is `map`.")
  names <- names(gamma)
  gamma <- as.double(unclass(gamma))
  # With names one width for each feature.
  widths <- !is.null(names)
  must(!widths || tell_apart(names), "kernel", "A named `gamma` must name every feature once.",
       quoted(names), "A grid to search has no names: unname(gamma).")
  least <- if (widths) 0 else .Machine$double.xmin
  must(all(is.finite(gamma)) && all(gamma >= least) && any(gamma > 0), "kernel",
       if (widths) "Widths `gamma` of features must not be negative, and not all zero."
       else "`gamma` must be positive.",
       enumerate(paste0(if (widths) paste(names, "= "), format(gamma, trim = TRUE))),
       if (widths) "A feature with gamma = 0 is ignored."
       else "Leave it NULL for a value that fits the data.")
  setNames(gamma, names)
}

# gamma: NULL, numbers, or width_multiples(), the field `multiple`. Once it is resolved on points,
# gamma is a number, or one width for each feature, named by them.
gamma_fields <- function(gamma) {
  gamma <- check_gamma(gamma)
  relative <- inherits(gamma, "sparserls_width_multiples")
  list(gamma = if (!relative) gamma, multiple = if (relative) unclass(gamma))
}

# A kernel whose gamma a framework tunes.
with_gamma <- function(kernel, gamma) {
  ours <- inherits(kernel, "sparserls_kernel")
  must(ours && takes_gamma(kernel) && !has_map(kernel), "kernel",
       "`gamma` needs a `kernel` that has a gamma.", if (ours) format(kernel) else shown(kernel),
       if (ours && has_map(kernel)) "A map has the widths in it: leave `map` of the kernel out."
       else sprintf("Such are %s.", constructors(takes_gamma, "and")))
  replace(kernel, c("gamma", "multiple"), gamma_fields(gamma))
}

# A map has the widths in it.
check_map <- function(map, parameters) {
  if (is.null(map)) return(NULL)
  must(is.matrix(map) && is_real(map) && all(is.finite(map)) && any(map != 0), "kernel",
       "`map` must be a matrix of finite numbers, not all of them zero.", shown(map),
       "It has one row for each column that the kernel sees, one column for each direction.")
  names <- rownames(map)
  must(tell_apart(names), "kernel",
       "The rows of `map` must name every column once, or have no names.",
       quoted(names))
  must(is.null(parameters$gamma) && is.null(parameters$multiple), "kernel",
       "`gamma` and `map` cannot be given together.", NULL,
       "A map has the widths in it: gamma is 1. Multiply its rows by roots of widths.")
  matrix(as.double(map), nrow(map), dimnames = if (!is.null(names)) list(names, NULL))
}

#' @rdname kernels
#' @export
width_multiples <- function(multiples) {
  fine <- is.numeric(multiples) && length(multiples) > 0 && is.null(names(multiples)) &&
    all(is.finite(multiples)) && all(multiples > 0)
  must(fine, "kernel", "`multiples` must be positive numbers without names.", shown(multiples),
       "width_multiples(2^(-4:4)) are nine values around the default.")
  structure(as.double(multiples), class = "sparserls_width_multiples")
}

#' @rdname kernels
#' @export
relative <- function(multiples) {
  .Deprecated("width_multiples")
  width_multiples(multiples)
}

#' @export
print.sparserls_width_multiples <- function(x, ...) {
  print_brief(x, enumerate(format(unclass(x), digits = 4, trim = TRUE), 10),
              " times the default gamma")
}

#' @rdname kernels
#' @export
kernel_linear <- function(normalize = FALSE, features = NULL, gamma = NULL, map = NULL) {
  gamma <- check_gamma(gamma)
  must(is.null(gamma) || !is.null(names(gamma)), "kernel",
       "`gamma` of a linear kernel must be named by the features.", shown(gamma),
       "One number for all would be a multiple of `lambda`.")
  new_kernel("linear", list(gamma = gamma), normalize, features, map = map)
}

#' @rdname kernels
#' @export
kernel_gaussian <- function(gamma = NULL, normalize = FALSE, features = NULL, map = NULL) {
  new_kernel("gaussian", gamma_fields(gamma), normalize, features, map = map)
}

#' @rdname kernels
#' @export
kernel_laplacian <- function(gamma = NULL, normalize = FALSE, features = NULL) {
  new_kernel("laplacian", gamma_fields(gamma), normalize, features)
}

#' @rdname kernels
#' @export
kernel_matern <- function(smoothness = 1.5, gamma = NULL, normalize = FALSE, features = NULL,
                          map = NULL) {
  must(is_number(smoothness) && smoothness %in% c(0.5, 1.5, 2.5), "kernel",
       "`smoothness` must be 0.5, 1.5 or 2.5.", shown(smoothness),
       "The width is the second argument: kernel_matern(gamma = ...).")
  new_kernel("matern", c(gamma_fields(gamma), smoothness = as.double(smoothness)),
             normalize, features, map = map)
}

#' @rdname kernels
#' @export
kernel_polynomial <- function(degree = 2, scale = 1, offset = 1, normalize = FALSE,
                              features = NULL) {
  must(is_count(degree), "kernel", "`degree` must be a whole number of at least 1.", shown(degree))
  must(is_number(scale) && scale >= .Machine$double.xmin, "kernel", "`scale` must be positive.",
       shown(scale))
  must(is_number(offset) && offset >= 0, "kernel", "`offset` must not be negative.", shown(offset),
       "A negative offset makes the kernel indefinite.")
  new_kernel("polynomial", list(degree = as.integer(degree), scale = as.double(scale),
                                offset = as.double(offset)), normalize, features)
}

#' @rdname kernels
#' @export
kernel_custom <- function(f, normalize = FALSE, features = NULL, slope = NULL) {
  must(is.function(f) && takes_arguments(f, 2), "kernel", "`f` must be a function of two matrices.",
       shown(f))
  must(is.null(slope) || (is.function(slope) && takes_arguments(slope, 3)), "kernel",
       "`slope` must be a function of two matrices and the number of a column.", shown(slope),
       "It returns the derivatives of k(x, z) by that column of the first.")
  new_kernel("custom", NULL, normalize, features, f, slope)
}

#' @rdname kernels
#' @export
kernel_precomputed <- function(normalize = FALSE) {
  new_kernel("precomputed", NULL, normalize)
}

#' @export
format.sparserls_kernel <- function(x, ...) {
  number <- function(value) paste(format(value, digits = 4, trim = TRUE), collapse = ", ")
  others <- setdiff(kernel_trait(x, "parameters"), "gamma")
  shown <- c(
    if (!has_map(x) && (takes_gamma(x) || has_widths(x))) format_gamma(x, number),
    vapply(others, function(name) paste(name, "=", number(x[[name]])), ""),
    if (has_map(x)) sprintf("map of %s to %s", counted(nrow(x$map), "column"),
                            counted(ncol(x$map), "direction"))
  )
  text <- paste(kernel_trait(x, "label"), "kernel")
  if (length(shown)) text <- sprintf("%s (%s)", text, paste(shown, collapse = ", "))
  if (x$normalize) text <- paste("normalized", text)
  if (!is.null(x$features)) text <- sprintf("%s on %s", text, enumerate(feature_names(x)))
  text
}

feature_names <- function(kernel) {
  if (is.null(names(kernel$features))) kernel$features else unique(names(kernel$features))
}

format_gamma <- function(kernel, number) {
  gamma <- kernel$gamma
  if (has_widths(kernel)) {
    return(sprintf("gamma of %s from %s to %s", counted(length(gamma), "feature"),
                   number(min(gamma)), number(max(gamma))))
  }
  said <- c(if (!is.null(gamma)) number(gamma), if (!identical(c(kernel$multiple, 1)[1], 1)) {
    sprintf("%s times the default", number(kernel$multiple))
  })
  if (is.null(said)) "gamma chosen from the data" else paste("gamma =", toString(said))
}

#' @export
print.sparserls_kernel <- function(x, ...) print_brief(x, format(x))

# ---- several kernels -------------------------------------------------------------------

# A kernel, a list of kernels or a kernel with several gammas as a list of kernels; or their names.
kernel_grid <- function(kernel, name = "kernel") {
  if (inherits(kernel, "sparserls_kernel")) kernel <- list(kernel)
  if (is.character(kernel)) kernel <- lapply(kernel, named_kernel, name)
  fine <- is.list(kernel) && length(kernel) > 0 &&
    all(vapply(kernel, inherits, NA, "sparserls_kernel"))
  must(fine, "kernel", sprintf("`%s` must be a kernel or a list of kernels.", name), shown(kernel),
       "Use kernel_gaussian() or another of ?kernels.")
  unlist(lapply(kernel, function(k) {
    # For a kernel that comes from a fit to other data the number counts.
    if (!is.null(k$gamma)) k["multiple"] <- list(NULL)
    name <- if (is.null(k$gamma)) "multiple" else "gamma"
    if (has_widths(k) || length(k[[name]]) < 2) return(list(k))
    lapply(k[[name]], function(value) replace(k, name, value))
  }), recursive = FALSE)
}

# What its constructor answers without arguments, which a custom kernel needs.
named_kernel <- function(word, name) {
  known <- setdiff(names(session$kernels), "custom")
  must(word %in% known, "kernel", sprintf("`%s` does not name a kernel.", name), shown(word),
       sprintf("Names are %s; see ?kernels.", quoted(known, Inf)))
  get(paste0("kernel_", word))()
}

# searcher: the function that takes several kernels.
single_kernel <- function(kernel, searcher) {
  grid <- kernel_grid(kernel)
  must(length(grid) <= 1, "kernel", "`kernel` must be a single kernel here.",
       sprintf("%d kernels", length(grid)), sprintf("%s searches several.", searcher))
  grid[[1]]
}

# ---- the table of kernels ------------------------------------------------------------------------

# What is known of a kernel by its name. Kernels of src/kernel.c bring their entry from there; the
# two that are evaluated in R have theirs here.
#   label       as in "<label> kernel"
#   argument    what k is a function of: "product" x'z, "squared distance", "absolute distance"; or
#               "matrices", a user's function; or "rows", the matrix of values is given
#   self        k(x, x) where that is one number for all x, else NA
#   slopes      whether k is x'z itself, so that f has slopes
#   parameters  names of those that it takes, with their ranges from `low` to `high`

r_kernels <- list(
  custom = list(label = "custom", argument = "matrices", self = NA_real_, slopes = FALSE,
                parameters = character()),
  precomputed = list(label = "precomputed", argument = "rows", self = NA_real_, slopes = FALSE,
                     parameters = character())
)

kernel_trait <- function(kernel, trait) session$kernels[[kernel$name]][[trait]]

is_custom <- function(kernel) kernel_trait(kernel, "argument") == "matrices"

is_precomputed <- function(kernel) kernel_trait(kernel, "argument") == "rows"

# Whose values R cannot vouch for.
is_foreign <- function(kernel) kernel$name %in% names(r_kernels)

sees_distances <- function(kernel) grepl("distance", kernel_trait(kernel, "argument"))

# Weights of features and a map make a linear kernel one like others: an expansion over rows.
has_slopes <- function(kernel) {
  kernel_trait(kernel, "slopes") && !kernel$normalize && !has_widths(kernel) && !has_map(kernel)
}

takes_gamma <- function(kernel) "gamma" %in% kernel_trait(kernel, "parameters")

# A map L takes |x - z|^2 to |L'(x - z)|^2, x'z to x'LL'z. Sums of absolute differences have no such
# form.
takes_map <- function(kernel) {
  kernel_trait(kernel, "argument") == "squared distance" || kernel_trait(kernel, "slopes")
}

# "kernel_gaussian(), kernel_laplacian() and kernel_matern()": those of the table of which f, a
# function of a kernel, is true.
constructors <- function(f, last) {
  shown <- sprintf("kernel_%s()", Filter(function(name) f(list(name = name, normalize = FALSE)),
                                         names(session$kernels)))
  paste(enumerate(head(shown, -1), Inf), last, tail(shown, 1))
}

# What src/bridge_kernel.c reads.
kernel_list <- function(kernel) {
  parameters <- kernel[kernel_trait(kernel, "parameters")]
  if (has_widths(kernel) || (has_map(kernel) && takes_gamma(kernel))) parameters$gamma <- 1
  c(list(name = kernel$name, normalize = kernel$normalize, less_one = isTRUE(kernel$less_one)),
    lapply(parameters, as.double))
}

has_widths <- function(kernel) !is.null(names(kernel$gamma))

has_map <- function(kernel) !is.null(kernel$map)

# L, p x r, of a kernel that sees L'x.
kernel_map <- function(kernel) unname(kernel$map)
