# What fields of objects may be: conditions, and tables of them by field. An object that comes
# from a file may be damaged or have been edited.

# Whether all is looked at, or what is cheap (check_read()).
look <- new.env()
look$whole <- TRUE

# Whether the entries of x are looked at.
seen <- function(x) look$whole || length(x) <= 1000

# Every condition of the tables sees the fields that they name (NULL where they are not there), the
# sizes, and the whole `object`; what is not TRUE, an error included, is a damage. Of two conditions
# for a field the latter table's holds.
check_fields <- function(object, ...) {
  fields <- unclass(object)
  if (!is.list(fields)) stop_damaged(sprintf("it is %s", describe(fields)))
  tables <- list(...)
  joined <- function(part) do.call(c, lapply(tables, `[[`, part))
  conditions <- joined("conditions")
  conditions <- conditions[!duplicated(names(conditions), fromLast = TRUE)]
  lacking <- setdiff(names(conditions), c(names(fields), joined("optional")))
  if (length(lacking)) stop_damaged(sprintf("without `%s`", lacking[1]))
  known <- setNames(lapply(names(conditions), function(name) fields[[name]]), names(conditions))
  scope <- list2env(c(known, list(object = fields)), parent = environment(check_fields))
  if (!look$whole) conditions <- conditions[names(conditions) %in% joined("read")]
  sizes <- joined("sizes")
  for (name in names(sizes)) {
    eval(call("delayedAssign", name, sizes[[name]], scope, scope))
  }
  wrong <- NULL
  tryCatch(for (name in names(conditions)) {
    wrong <- name
    if (is_classed_value(fields[[name]]) || !isTRUE(eval(conditions[[name]], scope))) break
    wrong <- NULL
  }, error = identity)
  if (is.null(wrong)) return(invisible())
  stop_damaged(sprintf("`%s` does not fit (%s)", wrong, describe(fields[[wrong]])))
}

# No field is a single number or word with a class, which could mean anything by it; but where one
# row is left out that is what `na.action` is.
is_classed_value <- function(x) {
  is.atomic(x) && length(x) == 1 && is.object(x) && !inherits(x, c("omit", "exclude"))
}

# A table: conditions by field, the sizes they use, the fields that need not be there, and those
# that predictions of new rows read.
field_table <- function(conditions, sizes = expression(), optional = NULL,
                        read = names(conditions)) {
  list(conditions = conditions, sizes = sizes, optional = optional, read = read)
}

stop_damaged <- function(what) {
  abort("object", "The fit is damaged or was not made by this package.", what, "Fit it again.")
}

# Without copies of x.
all_finite <- function(x) length(x) == 0 || (is.finite(max(x)) && is.finite(min(x)))

# Finite, and none so small that digits are lost.
all_normal <- function(x) all_finite(x) && all(x == 0 | abs(x) >= .Machine$double.xmin)

plain_doubles <- function(x, size) is.double(x) && !is.object(x) && length(x) == prod(size)

# Finite numbers; size: a length, or the dimensions.
numbers <- function(x, size = length(x)) {
  plain_doubles(x, size) && (length(size) == 1 || identical(dim(x), as.integer(size))) &&
    (!seen(x) || all_finite(x))
}

# Numbers that may be missing or infinite.
reals <- function(x, size) plain_doubles(x, size)

positions <- function(x, most, size = length(x)) {
  is.integer(x) && !is.object(x) && length(x) == size &&
    (!seen(x) || (!anyNA(x) && all(x >= 1 & x <= most)))
}

strings <- function(x, size = length(x)) {
  is.character(x) && !is.object(x) && length(x) == size && (!seen(x) || !anyNA(x))
}

is_weights <- function(x, m) numbers(x, m) && (!seen(x) || all(x >= 0))

is_flag <- function(x) is.logical(x) && length(x) == 1 && !is.na(x)

among <- function(x, choices) is.character(x) && length(x) == 1 && x %in% choices

is_path <- function(lambda, infinite = FALSE) {
  is.double(lambda) && !is.object(lambda) && length(lambda) > 0 && !anyNA(lambda) &&
    all(lambda > 0) && !is.unsorted(rev(lambda)) && (infinite || all(is.finite(lambda)))
}

# One for every row; of a data frame they may be integers.
is_rownames <- function(names, m) {
  is.null(names) || (is.atomic(names) && !is.object(names) && length(names) == m &&
                        (!seen(names) || !anyNA(names)))
}

# Rows that na.action has removed.
is_omitted <- function(omitted) {
  is.null(omitted) || (inherits(omitted, c("omit", "exclude")) && is.integer(omitted) &&
                         length(omitted) > 0 && !anyNA(omitted) && all(unclass(omitted) >= 1))
}

is_standard <- function(standard, p) {
  is.null(standard) || (is.list(standard) && numbers(standard$centre, p) &&
                          numbers(standard$scale, p) && all(standard$scale > 0))
}

is_table <- function(x) is.data.frame(x) && all(lengths(unclass(x)) == nrow(x))

is_sparse <- function(x, size) {
  is(x, "CsparseMatrix") && isTRUE(validObject(x, test = TRUE)) && is.double(x@x) &&
    identical(dim(x), as.integer(size)) && (!seen(x@x) || all_finite(x@x))
}

# Exponents of two (scaling.R).
is_unit <- function(unit, v) {
  exponents <- unlist(unit)
  is.list(unit) && numbers(unit$y, v) && numbers(unit$lambda, 1) && is.numeric(exponents) &&
    all_finite(exponents) && all(abs(exponents) <= 1e4)
}

# ---- parts of fits: responses, blueprints, points, spectra, kernels --------------------------

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
        (is.null(blueprint$contrasts) || are_contrasts(blueprint$contrasts, blueprint$xlevels))
    )
}

# By variable the name of a function, or a matrix with a row for each level; logical variables have
# the levels FALSE and TRUE.
are_contrasts <- function(contrasts, xlevels) {
  fits <- function(x, levels) {
    strings(x, 1) ||
      (is.numeric(x) && is.matrix(x) && nrow(x) == max(2, length(levels)) && all_finite(x))
  }
  is.list(contrasts) && length(contrasts) > 0 && strings(names(contrasts), length(contrasts)) &&
    all(mapply(fits, contrasts, xlevels[names(contrasts)]))
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

# Points of `rows` rows and q columns, dense or sparse.
is_points <- function(points, rows, q) {
  x <- points$x
  is.list(points) && (is.null(points$shift) || numbers(points$shift, q)) &&
    (is.null(points$centre) || numbers(points$centre, q)) &&
    if (isS4(x)) is_sparse(x, c(rows, q)) && all_finite(x@x)
    else numbers(x, c(rows, q)) && all_finite(x)
}

is_spectrum <- function(spectrum, terms, v) {
  n <- length(spectrum$values)
  is.list(spectrum) && n > 0 && numbers(spectrum$values, n) && all(spectrum$values >= 0) &&
    numbers(spectrum$map, c(n, terms)) && numbers(spectrum$zy, c(n, v)) &&
    (is.null(spectrum$self_mean) || numbers(spectrum$self_mean, 1)) &&
    numbers(spectrum$z_mean, n) && numbers(spectrum$y_mean, v) && is_unit(spectrum$unit, v) &&
    all(vapply(spectrum$solved, is_solved, NA, terms, v))
}

# Of coefficients_at() at a single lambda.
is_solved <- function(solved, terms, v) {
  is.list(solved) && is.double(solved$lambda) && numbers(solved$alpha, c(terms, v, 1)) &&
    numbers(solved$a0, c(v, 1)) && numbers(solved$df, 1)
}

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
    (is.null(kernel$map) || is_map(kernel)) &&
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
    all(value <= kernel_trait(kernel, "high")[[name]]) &&
    switch(name, smoothness = is_smoothness(value), degree = is_count(value), TRUE)
}

is_smoothness <- function(x) is_number(x) && x %in% c(0.5, 1.5, 2.5)

# The widths are in the map.
is_map <- function(kernel) {
  map <- kernel$map
  is.matrix(map) && length(map) > 0 && numbers(map, dim(map)) && any(map != 0) &&
    takes_map(kernel) && is.null(kernel$gamma) && is.null(kernel$multiple)
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
    (!has_map(kernel) || nrow(kernel_map(kernel)) == kernel_width(kernel, p)) &&
    (!takes_gamma(kernel) || has_map(kernel) ||
       length(column_widths(kernel)) %in% c(1L, kernel_width(kernel, p)))
}

# The columns that a kernel looks at, and those that its points keep: without widths of zero.
kernel_width <- function(kernel, p) if (is.null(kernel$features)) p else length(kernel$features)

points_width <- function(kernel, p) {
  if (has_map(kernel)) return(ncol(kernel_map(kernel)))
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
