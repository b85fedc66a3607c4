# What the objects of this package are: one table per class, a condition for every field in terms of
# the others. An object that comes from a file may be damaged or have been edited: every method asks
# check_model() before it, or the numeric core, reads the fields.

check_model <- function(object) UseMethod("check_model")

check_model.default <- function(object) stop_damaged(sprintf("it is %s", describe(object)))

check_model.sparserls_fit <- function(object) check_fields(object, fit_fields)

check_model.rls2 <- function(object) check_fields(object, rls2_fields)

check_model.greedyrls <- function(object) check_fields(object, greedy_fields)

check_model.ardrls <- function(object) check_fields(object, ard_fields)

check_model.sparserls_cv <- function(object) {
  check_model(fit_field(object))
  check_fields(object, cv_fields)
}

check_model.cv.greedyrls <- function(object) {
  fit <- fit_field(object)
  if (!inherits(fit, "greedyrls")) stop_damaged(sprintf("`fit` is %s", describe(fit)))
  check_model(fit)
  check_fields(object, greedy_cv_fields)
}

check_model.cv.ardrls <- function(object) {
  fit <- fit_field(object)
  if (!inherits(fit, "ardrls")) stop_damaged(sprintf("`fit` is %s", describe(fit)))
  check_model(fit)
  check_fields(object, ard_cv_fields)
}

# Of a cross-validation.
fit_field <- function(object) {
  fields <- unclass(object)
  if (!is.list(fields)) stop_damaged(sprintf("it is %s", describe(fields)))
  fields[["fit"]]
}

check_model.summary.sparserls_cv <- function(object) check_fields(object, cv_summary_fields)

check_model.summary.rls2 <- function(object) check_fields(object, rls2_summary_fields)

check_model.summary.cv.greedyrls <- function(object) check_fields(object, greedy_summary_fields)

check_model.derivatives <- function(object) check_fields(object, derivatives_fields)

check_model.effect_curve <- function(object) check_fields(object, effect_curve_fields)

check_model.summary.derivatives <- function(object) {
  check_fields(object, derivatives_summary_fields)
}

# Every condition sees the fields of its table (NULL where they are not there), those listed in
# `sizes` (m rows, v outputs, c lambdas, p columns, ...) and the whole `object`; what is not TRUE,
# an error included, is a damage.
check_fields <- function(object, table) {
  fields <- unclass(object)
  if (!is.list(fields)) stop_damaged(sprintf("it is %s", describe(fields)))
  known <- setNames(lapply(names(table), function(name) fields[[name]]), names(table))
  scope <- list2env(c(known, list(object = fields)), parent = environment(check_fields))
  holds <- function(condition) tryCatch(isTRUE(eval(condition, scope)), error = function(e) FALSE)
  for (name in names(attr(table, "sizes"))) {
    size <- attr(table, "sizes")[[name]]
    assign(name, tryCatch(eval(size, scope), error = function(e) NA), scope)
  }
  for (name in names(table)) {
    present <- name %in% c(names(fields), attr(table, "optional"))
    if (!present) stop_damaged(sprintf("without `%s`", name))
    if (holds(table[[name]])) next
    stop_damaged(sprintf("`%s` does not fit (%s)", name, describe(fields[[name]])))
  }
}

# A table: conditions by field, the sizes they use, and the fields that need not be there.
field_table <- function(conditions, sizes, optional = NULL) {
  structure(as.list(conditions), sizes = as.list(sizes), optional = optional)
}

stop_damaged <- function(what) {
  abort("object", "The fit is damaged or was not made by this package.", what, "Fit it again.")
}

# ---- conditions ------------------------------------------------------------------

# Without copies of x.
all_finite <- function(x) length(x) == 0 || (is.finite(max(x)) && is.finite(min(x)))

# Finite, and none so small that digits are lost.
all_normal <- function(x) all_finite(x) && all(x == 0 | abs(x) >= .Machine$double.xmin)

plain_doubles <- function(x, size) is.double(x) && !is.object(x) && length(x) == prod(size)

# Finite numbers; size: a length, or the dimensions.
numbers <- function(x, size = length(x)) {
  plain_doubles(x, size) && (length(size) == 1 || identical(dim(x), as.integer(size))) &&
    all_finite(x)
}

# Numbers that may be missing or infinite.
reals <- function(x, size) plain_doubles(x, size)

positions <- function(x, most, size = length(x)) {
  is.integer(x) && !is.object(x) && length(x) == size && !anyNA(x) && all(x >= 1 & x <= most)
}

strings <- function(x, size = length(x)) {
  is.character(x) && !is.object(x) && length(x) == size && !anyNA(x)
}

is_flag <- function(x) is.logical(x) && length(x) == 1 && !is.na(x)

among <- function(x, choices) is.character(x) && length(x) == 1 && x %in% choices

is_path <- function(lambda, infinite = FALSE) {
  is.double(lambda) && !is.object(lambda) && length(lambda) > 0 && !anyNA(lambda) &&
    all(lambda > 0) && !is.unsorted(rev(lambda)) && (infinite || all(is.finite(lambda)))
}

is_response <- function(response, m, v) {
  y <- response$y
  levels <- response$levels
  outputs <- response$outputs
  is.list(response) && v >= 1 && numbers(y, c(m, v)) && (is.null(outputs) || strings(outputs, v)) &&
    switch(response$type,
      numeric = is.null(levels),
      binary = v == 1 && strings(levels, 2),
      multiclass = strings(levels, v)
    )
}

is_blueprint <- function(blueprint) {
  columns <- blueprint$columns
  is.list(blueprint) && is_count(blueprint$p) &&
    (is.null(columns) || strings(columns, blueprint$p)) &&
    switch(blueprint$type,
      matrix = TRUE,
      terms = inherits(blueprint$terms, "terms") && strings(blueprint$needed) &&
        all(vapply(blueprint$xlevels, strings, NA)) &&
        all(blueprint$ranked %in% names(blueprint$xlevels)) &&
        (is.null(blueprint$shares) || is_shares(blueprint$shares, blueprint$xlevels)) &&
        (is.null(blueprint$feature) || is_feature_map(blueprint$feature, blueprint$p)) &&
        all(vapply(blueprint$contrasts, function(x) strings(x, 1) || is.numeric(x), NA))
    )
}

# Of factors how frequent their levels are.
is_shares <- function(shares, xlevels) {
  identical(lapply(shares, names), as.list(xlevels)) &&
    all(vapply(shares, function(share) numbers(unname(share)) && all(share >= 0), NA))
}

# Of columns the numbers of their features, 1, 2, ... as they come, and what those are called.
is_feature_map <- function(feature, p) {
  positions(feature, p, p) && strings(names(feature), p) &&
    identical(unique(unname(feature)), seq_len(max(feature)))
}

is_standard <- function(standard, p) {
  is.null(standard) || (is.list(standard) && numbers(standard$centre, p) &&
                          numbers(standard$scale, p) && all(standard$scale > 0))
}

# Points of `rows` rows and q columns, dense or sparse.
is_points <- function(points, rows, q) {
  x <- points$x
  is.list(points) && (is.null(points$shift) || numbers(points$shift, q)) &&
    if (isS4(x)) is_sparse(x, c(rows, q)) else numbers(x, c(rows, q))
}

is_sparse <- function(x, size) {
  is(x, "CsparseMatrix") && isTRUE(validObject(x, test = TRUE)) && is.double(x@x) &&
    identical(dim(x), as.integer(size)) && all_finite(x@x)
}

is_spectrum <- function(spectrum, terms, v) {
  n <- length(spectrum$values)
  is.list(spectrum) && n > 0 && numbers(spectrum$values, n) && all(spectrum$values >= 0) &&
    numbers(spectrum$map, c(n, terms)) && numbers(spectrum$zy, c(n, v)) &&
    (is.null(spectrum$self_mean) || numbers(spectrum$self_mean, 1)) &&
    numbers(spectrum$z_mean, n) && numbers(spectrum$y_mean, v) && is_unit(spectrum$unit, v)
}

# Exponents of two (scaling.R).
is_unit <- function(unit, v) {
  exponents <- unlist(unit)
  is.list(unit) && numbers(unit$y, v) && numbers(unit$lambda, 1) && is.numeric(exponents) &&
    all_finite(exponents) && all(abs(exponents) <= 1e4)
}

# One for every row; of a data frame they may be integers.
is_rownames <- function(names, m) {
  is.null(names) || (is.atomic(names) && !is.object(names) && length(names) == m && !anyNA(names))
}

# Rows that na.action has removed.
is_omitted <- function(omitted) {
  is.null(omitted) || (inherits(omitted, c("omit", "exclude")) && is.integer(omitted) &&
                         length(omitted) > 0 && !anyNA(omitted) && all(unclass(omitted) >= 1))
}

# ---- kernels and selectors -----------------------------------------------------------

is_kernel <- function(kernel) {
  if (!inherits(kernel, "sparserls_kernel") || !is.list(kernel)) return(FALSE)
  kernel <- unclass(kernel)
  among(kernel$name, names(session$kernels)) && is_flag(kernel$normalize) &&
    all(vapply(kernel_trait(kernel, "parameters"), is_parameter, NA, kernel = kernel)) &&
    (takes_gamma(kernel) || is.null(kernel$gamma) ||
       (has_widths(kernel) && is_parameter("gamma", kernel))) &&
    (is.null(kernel$shared) ||
       (has_widths(kernel) && positions(kernel$shared, length(kernel$gamma)))) &&
    (is.null(kernel$multiple) || (numbers(kernel$multiple) && all(kernel$multiple > 0))) &&
    (is.null(kernel$features) || is_features(kernel$features)) &&
    (!is_custom(kernel) ||
       (is.function(kernel$f) && (is.null(kernel$slope) || is.function(kernel$slope))))
}

# Whether the field of that name has values within its range; gamma may be missing, several, and, as
# the width of a feature, zero.
is_parameter <- function(name, kernel) {
  value <- kernel[[name]]
  of_features <- name == "gamma" && has_widths(kernel)
  if (name == "gamma" && is.null(value)) return(TRUE)
  if (of_features) return(is.numeric(value) && all_finite(value) && all(value >= 0))
  is.numeric(value) && (length(value) == 1 || (name == "gamma" && length(value) > 1)) &&
    all_finite(value) && all(value >= kernel_trait(kernel, "low")[[name]]) &&
    all(value <= kernel_trait(kernel, "high")[[name]])
}

is_features <- function(features) {
  (is.character(features) || is.numeric(features)) && length(features) > 0 && !anyNA(features) &&
    !anyDuplicated(features)
}

check_kernel <- function(kernel) {
  if (is_kernel(kernel)) return(invisible())
  abort("kernel", "The kernel was not made by this package, or its fields have been edited.", NULL,
        "Make it anew by kernel_gaussian() or another of ?kernels.")
}

# A kernel as a fit to p columns holds it.
is_resolved <- function(kernel, p) {
  is_kernel(kernel) && (is.null(kernel$features) || positions(kernel$features, p)) &&
    (!takes_gamma(kernel) ||
       length(column_widths(kernel)) %in% c(1L, kernel_width(kernel, p)))
}

# The columns that a kernel looks at, and those that its points keep: without widths of zero.
kernel_width <- function(kernel, p) if (is.null(kernel$features)) p else length(kernel$features)

points_width <- function(kernel, p) {
  if (has_widths(kernel)) sum(column_widths(kernel) > 0) else kernel_width(kernel, p)
}

is_selector <- function(basis) {
  sizes <- basis$sizes
  is.list(basis) && (is.null(sizes) || all(vapply(sizes, is_count, NA))) && switch(basis$type,
    random = , rpcholesky = is_count(basis$n),
    greedy = is_count(basis$n) && is_count(basis$candidates) &&
      (is.null(basis$lambda) || (is_number(basis$lambda) && basis$lambda > 0)),
    groups = is.factor(basis$groups) && !anyNA(basis$groups) && is_count(basis$per)
  )
}

check_selector <- function(basis) {
  fine <- tryCatch(isTRUE(is_selector(unclass(basis))), error = function(e) FALSE)
  if (fine) return(invisible())
  abort("basis", "The selector was not made by this package, or its fields have been edited.", NULL,
        "Make it anew by basis_random() or its like.")
}
