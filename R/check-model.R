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
        all(vapply(blueprint$contrasts, function(x) strings(x, 1) || is.numeric(x), NA))
    )
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
    (is.null(kernel$multiple) || (numbers(kernel$multiple) && all(kernel$multiple > 0))) &&
    (is.null(kernel$features) || is_features(kernel$features)) &&
    (!is_custom(kernel) || is.function(kernel$f))
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
       length(kernel$gamma) %in% c(1L, kernel_width(kernel, p)))
}

# The columns that a kernel looks at, and those that its points keep: without widths of zero.
kernel_width <- function(kernel, p) if (is.null(kernel$features)) p else length(kernel$features)

points_width <- function(kernel, p) {
  if (has_widths(kernel)) sum(kernel$gamma > 0) else kernel_width(kernel, p)
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

# ---- fits ----------------------------------------------------------------------

fit_fields <- field_table(expression(
  lambda = is_path(lambda), df = numbers(df, c), dev.ratio = reals(dev.ratio, c),
  nobs = is_count(nobs), blueprint = is_blueprint(blueprint),
  response = is_response(response, m, v), columns = is.null(columns) || strings(columns, p),
  intercept = is_flag(intercept), standard = is_standard(standard, p),
  kernel = is_resolved(kernel, p),
  basis = if (is.null(basis)) !precomputed else
    positions(basis, if (precomputed) p else .Machine$integer.max, size),
  basis_labels = is.null(basis) || strings(basis_labels, size),
  points = is.null(basis) || precomputed || is_points(points, size, q),
  spectrum = is_spectrum(spectrum, size, v),
  jitter = is.null(jitter) || is_number(jitter), solver = is.null(solver) || strings(solver, 1),
  weights = numbers(weights, m) && all(weights >= 0), gcv = is.null(gcv) || reals(gcv, c),
  fitted_at = positions(fitted_at, c), nulldev = reals(nulldev, 1) && !is.na(nulldev),
  rownames = is_rownames(rownames, m), na.action = is_omitted(na.action),
  terms = is.null(terms) || inherits(terms, "terms"),
  fitted = numbers(fitted, c(m, v, length(fitted_at))),
  dummies = is.null(dummies) || positions(dummies, p)
), expression(
  m = nobs, v = ncol(response$y), c = length(lambda), p = blueprint$p,
  precomputed = is_kernel(kernel) && is_precomputed(kernel),
  q = points_width(kernel, p), size = if (is.null(basis)) q else length(basis)
), c("jitter", "solver", "gcv", "dummies"))

greedy_fields <- field_table(expression(
  intercept = is_flag(intercept), standardize = is_flag(standardize),
  selected = k >= 1 && positions(selected, p) && !anyDuplicated(selected),
  lambda = is_number(lambda) && lambda > 0, criterion = among(criterion, c("loo", "folds")),
  loo = criterion == "folds" || (reals(loo, k) && !anyNA(loo)),
  holdout = criterion == "loo" || (reals(holdout, k) && !anyNA(holdout)),
  nobs = is_count(nobs), blueprint = is_blueprint(blueprint),
  response = is_response(response, m, v), columns = is.null(columns) || strings(columns, p),
  weights = numbers(weights, m), points = numbers(points, c(m, k)),
  rownames = is_rownames(rownames, m), na.action = is_omitted(na.action),
  terms = is.null(terms) || inherits(terms, "terms"),
  expansion = is.list(expansion) && identical(expansion$features, selected) &&
    numbers(expansion$centre, k) && numbers(expansion$scale, k) && all(expansion$scale > 0) &&
    numbers(expansion$a0, v) && numbers(expansion$beta, c(k, v, k))
), expression(
  m = nobs, v = ncol(response$y), p = blueprint$p, k = length(selected)
), c("loo", "holdout", "columns"))

# Penalties, decreasing, from infinity on perhaps.
is_penalty_path <- function(penalty) {
  is.double(penalty) && !is.object(penalty) && length(penalty) > 0 && !anyNA(penalty) &&
    all(penalty >= 0) && !is.unsorted(rev(penalty), strictly = TRUE)
}

ard_fields <- field_table(expression(
  penalty = is_penalty_path(penalty), lambda = numbers(lambda, c) && all(lambda > 0),
  loss = reals(loss, c) && !anyNA(loss), nobs = is_count(nobs),
  blueprint = is_blueprint(blueprint), response = is_response(response, m, v),
  columns = is.null(columns) || strings(columns, p),
  relevance = numbers(relevance, c(p, c)) && all(relevance >= 0) &&
    strings(rownames(relevance), p), at = positions(at, c, 1),
  gradients = is.integer(gradients) && length(gradients) == c, kernel = is_resolved(kernel, p),
  weights = numbers(weights, m), rownames = is_rownames(rownames, m),
  na.action = is_omitted(na.action), terms = is.null(terms) || inherits(terms, "terms"),
  holdout_basis = among(holdout_basis, holdout_modes),
  fits = is.list(fits) && length(fits) == c && all(vapply(fits, is_step_fit, NA, m = m, p = p))
), expression(m = nobs, v = ncol(response$y), p = blueprint$p, c = length(penalty)), "columns")

# A fit to the same rows at one lambda.
is_step_fit <- function(fit, m, p) {
  inherits(fit, "sparserls") && is.null(check_model(fit)) && length(fit$lambda) == 1 &&
    identical(fit$nobs, m) && identical(fit$blueprint$p, p) && has_widths(fit$kernel)
}

rls2_fields <- field_table(expression(
  lambda = is_path(lambda, TRUE), nobs = is_count(nobs), blueprint = is_blueprint(blueprint),
  response = is_response(response, m, v), columns = is.null(columns) || strings(columns, p),
  names = n >= 1 && strings(names),
  d = numbers(d, if (v == 1) c(n, c) else c(n, c, v)) && all(d >= 0),
  scale = reals(scale, n * v) && !anyNA(scale), df = numbers(df, c * v), gap = numbers(gap, c * v),
  gcv = reals(gcv, c), dev.ratio = reals(dev.ratio, c), intercept = is_flag(intercept),
  center = is_flag(center), standard = is_standard(standard, p),
  scaling = is.numeric(scaling) || among(scaling, scaling_rules),
  kernels = is.null(kernels) ||
    (length(kernels) == n && all(vapply(kernels, is_resolved, NA, p = p))),
  weights = numbers(weights, m) && all(weights >= 0),
  expansion = is.list(expansion) && numbers(expansion$a0, c(v, c)) &&
    if (is.null(kernels)) {
      p == n && is.null(expansion$alpha) && is_sparse(expansion$slope, c(n, v * c))
    } else is.null(expansion$slope) && numbers(expansion$alpha, c(m, v, c)),
  problem = is_rls2_problem(problem, m, v, p, n, c),
  fitted_at = positions(fitted_at, c), nulldev = reals(nulldev, 1) && !is.na(nulldev),
  rownames = is_rownames(rownames, m), na.action = is_omitted(na.action),
  terms = is.null(terms) || inherits(terms, "terms"),
  fitted = numbers(fitted, c(m, v, length(fitted_at)))
), expression(
  m = nobs, v = ncol(response$y), c = length(lambda), p = blueprint$p, n = length(names)
), c("kernels", "columns"))

# What values between those of the path are solved from.
is_rls2_problem <- function(problem, m, v, p, n, c) {
  settings <- problem$settings
  is.list(problem) && is.list(settings) && is_number(settings$tol) && settings$tol > 0 &&
    is_flag(settings$center) && among(settings$algorithm, c("newton", "alternate")) &&
    is_flag(problem$intercept) && numbers(problem$y, c(m, v)) && numbers(problem$weights, m) &&
    all(problem$weights >= 0) && sum(problem$weights) > 0 && numbers(problem$scale, c(n, v)) &&
    is_path(problem$lambda, TRUE) && length(problem$lambda) == c && is_count(problem$threads) &&
    strings(problem$labels, m) && (is.null(problem$columns) || strings(problem$columns, p)) &&
    is_standard(problem$standard, p) && is_unit(problem$unit, v) &&
    numbers(problem$unit$scale, 1) && numbers(problem$unit$x, 1) &&
    if (is.null(problem$points)) is_points(list(x = problem$x), m, m)
    else is_points(problem$points, m, p)
}

# ---- cross-validations and summaries -----------------------------------------------

cv_fields <- field_table(expression(
  lambda = is_path(lambda, TRUE) && identical(lambda, unclass(object$fit)$lambda),
  cvm = reals(cvm, c) && !anyNA(cvm), cvsd = reals(cvsd, c),
  # Errors that have left the range of numbers do not add up.
  cvup = reals(cvup, c) && (identical(cvup, cvm + cvsd) || !all_normal(c(cvm, cvsd))),
  cvlo = reals(cvlo, c) && (identical(cvlo, cvm - cvsd) || !all_normal(c(cvm, cvsd))),
  name = strings(name, 1) && strings(names(name), 1),
  index = is_index(index, 1, c), lambda.min = identical(lambda.min, lambda[[index["min", 1]]]),
  lambda.1se = identical(lambda.1se, lambda[[index["1se", 1]]]),
  nfolds = is.numeric(nfolds) && length(nfolds) == 1 && isTRUE(nfolds >= 0),
  foldid = is.null(foldid) || positions(foldid, nfolds, m),
  kernel = is_kernel(kernel) || is_bank(kernel), kernels = is_table(kernels) && nrow(kernels) > 0,
  curves = length(curves) > 0 && is.list(curves) && all(vapply(curves, is_curve, NA)),
  reselect = is.null(reselect) || is_flag(reselect),
  holdout_basis = is.null(holdout_basis) || among(holdout_basis, holdout_modes),
  refits = is.null(refits) || is_refits(refits, object$fit, c(lambda.min, lambda.1se)),
  calibration = is_calibration(calibration, object$fit$response, "lambda"),
  nested = is.null(nested) || is_nested(nested, m),
  covariance = is.null(covariance) || is_covariance(covariance, unclass(object$fit))
), expression(c = length(lambda), m = unclass(object$fit)$nobs),
c("reselect", "holdout_basis", "refits", "calibration", "nested", "covariance"))

# Of nested_error().
is_nested <- function(nested, m) {
  chosen <- nested$chosen
  is.list(nested) && reals(nested$cvm, 1) && reals(nested$cvsd, 1) && is_count(nested$nfolds) &&
    is_count(nested$fits) && is_table(chosen) && nrow(chosen) == nested$nfolds &&
    reals(chosen$cvm, nrow(chosen)) &&
    (is.null(nested$foldid) || positions(nested$foldid, nested$nfolds, m))
}

# Of classes; axis: what the chosen points of the path are called after.
is_calibration <- function(calibration, response, axis) {
  if (is.null(calibration)) return(TRUE)
  bins <- calibration$bins
  size <- c(ncol(response$y), 2)
  is.list(calibration) && is_class(response) && numbers(calibration$intercept, size) &&
    numbers(calibration$slope, size) && all(calibration$slope >= 0) &&
    identical(colnames(calibration$slope), paste0(axis, c(".min", ".1se"))) &&
    reals(calibration$logloss, 3) && is_table(bins) && nrow(bins) > 0 &&
    strings(bins$s, nrow(bins)) &&
    all(vapply(bins[c("predicted", "observed", "std.error")], numbers, NA, size = nrow(bins)))
}

# What kept_covariance() has kept; squares may have left the range of numbers.
is_covariance <- function(kept, fit) {
  size <- c(rep(length(fit$spectrum$values) + 1L, 2), ncol(fit$response$y), length(kept$at))
  is_sum <- function(x) reals(x, size) && identical(dim(x), as.integer(size))
  is.list(kept) && (is.null(kept$groups) || positions(kept$groups, fit$nobs, fit$nobs)) &&
    (is_full(fit) || (numbers(kept$at) && length(kept$at) %in% 1:2 &&
                        is_sum(kept$sandwich) &&
                        (strings(kept$failed, 1) || is_sum(kept$jackknife))))
}

# Rows "min" and "1se", every column positions up to `most`.
is_index <- function(index, columns, most) {
  is.integer(index) && !anyNA(index) && identical(dim(index), c(2L, as.integer(columns))) &&
    identical(rownames(index), c("min", "1se")) && all(t(index) >= 1 & t(index) <= most)
}

is_table <- function(x) is.data.frame(x) && all(lengths(unclass(x)) == nrow(x))

is_bank <- function(kernel) {
  inherits(kernel, "sparserls_bank") && is.list(kernel) && strings(kernel$names) &&
    (is.null(kernel$kernels) || is.list(kernel$kernels))
}

is_curve <- function(curve) {
  is.list(curve) && (is_kernel(curve$kernel) || is_bank(curve$kernel)) &&
    is_path(curve$lambda, TRUE) && reals(curve$cvm, length(curve$lambda)) && !anyNA(curve$cvm) &&
    identical(names(curve$index), c("min", "1se")) && is.integer(curve$index) &&
    all(curve$index %in% seq_along(curve$lambda)) &&
    (is.null(curve$size) || is_count(curve$size))
}

greedy_cv_fields <- field_table(expression(
  lambda = is_path(lambda),
  cvm = reals(cvm, k * c) && !anyNA(cvm) && identical(dim(cvm), c(k, c)), cvsd = reals(cvsd, k * c),
  cvup = reals(cvup, k * c), cvlo = reals(cvlo, k * c),
  name = strings(name, 1) && strings(names(name), 1),
  index = is_index(index, 2, c(k, c)) && identical(colnames(index), c("k", "Lambda")),
  k.min = identical(k.min, index[["min", "k"]]), k.1se = identical(k.1se, index[["1se", "k"]]),
  lambda.min = identical(lambda.min, lambda[[index["min", "Lambda"]]]),
  lambdas = is_table(lambdas) && nrow(lambdas) == c,
  nfolds = is.numeric(nfolds) && length(nfolds) == 1 && isTRUE(nfolds >= 1),
  refits = is.null(refits) || is_refits(refits, object$fit, as.double(c(k.min, k.1se))),
  calibration = is_calibration(calibration, object$fit$response, "k"),
  nested = is.null(nested) || is_nested(nested, m)
), expression(c = length(lambda), k = length(unclass(object$fit)$selected),
              m = unclass(object$fit)$nobs),
c("refits", "calibration", "nested"))

# Of kept_refits(); chosen: values that they were kept at.
is_refits <- function(refits, fit, chosen) {
  fit <- unclass(fit)
  m <- fit$nobs
  v <- ncol(fit$response$y)
  k <- length(refits$at)
  count <- refit_count(refits)
  scored <- if (is.integer(refits$fold)) !is.na(refits$fold)
  is.list(refits) && is.double(refits$at) && identical(refits$at, unique(chosen)) &&
    length(scored) == m && any(scored) &&
    positions(refits$fold[scored], count) &&
    (is.null(refits$groups) || positions(refits$groups, m, m)) &&
    reals(refits$scores, c(m, v, k)) && identical(dim(refits$scores), c(m, v, k)) &&
    all_finite(refits$scores[scored, , ]) &&
    if (is.null(refits$models)) is_refit_expansion(refits$expansion, fit, k * count)
    else is.list(refits$models) && all(vapply(refits$models, is_refit_model, NA, fit, k))
}

# points: refits times what was chosen.
is_refit_expansion <- function(expansion, fit, points) {
  v <- ncol(fit$response$y)
  n <- length(fit$names)
  is.list(expansion) && numbers(expansion$a0, c(v, points)) &&
    if (!is.null(fit$spectrum)) numbers(expansion$alpha, c(ncol(fit$spectrum$map), v, points))
    else numbers(expansion$d, c(n, v, points)) &&
      if (is.null(expansion$slope)) numbers(expansion$alpha, c(fit$nobs, v, points))
      else is.null(expansion$alpha) && is_sparse(expansion$slope, c(n, v * points))
}

is_refit_model <- function(model, fit, k) {
  p <- fit$blueprint$p
  v <- ncol(fit$response$y)
  if (inherits(model, "greedy_model")) {
    return(length(model$expansions) == k && all(vapply(model$expansions, is_selection, NA, p, v)))
  }
  if (inherits(model, "width_model")) {
    return(length(model$fits) == k &&
             all(vapply(model$fits, is_step_fit, NA, m = fit$nobs, p = p)))
  }
  kernel <- model$kernel
  size <- length(model$basis)
  inherits(model, "own_expansion") && is_resolved(kernel, p) &&
    positions(model$basis, fit$nobs) && numbers(model$alpha, c(size, v, k)) &&
    numbers(model$a0, c(v, k)) &&
    (is_precomputed(kernel) || is_points(model$points, size, points_width(kernel, p)))
}

is_selection <- function(expansion, p, v) {
  k <- length(expansion$features)
  is.list(expansion) && positions(expansion$features, p) && numbers(expansion$centre, k) &&
    numbers(expansion$scale, k) && all(expansion$scale > 0) && numbers(expansion$a0, v) &&
    numbers(expansion$beta, c(k, v, 1))
}

ard_cv_fields <- field_table(expression(
  penalty = identical(penalty, unclass(object$fit)$penalty),
  cvm = reals(cvm, c) && !anyNA(cvm), cvsd = reals(cvsd, c), cvup = reals(cvup, c),
  cvlo = reals(cvlo, c), name = strings(name, 1) && strings(names(name), 1),
  index = is_index(index, 1, c), penalty.min = identical(penalty.min, penalty[[index["min", 1]]]),
  penalty.1se = identical(penalty.1se, penalty[[index["1se", 1]]]),
  nfolds = is.numeric(nfolds) && length(nfolds) == 1 && isTRUE(nfolds >= 1),
  foldid = is.null(foldid) || positions(foldid, nfolds, m),
  outer = among(outer, c("folds", "split")),
  refits = is.null(refits) || is_refits(refits, object$fit, c(penalty.min, penalty.1se)),
  calibration = is_calibration(calibration, object$fit$response, "penalty")
), expression(c = length(penalty), m = unclass(object$fit)$nobs), c("refits", "calibration"))

cv_summary_fields <- field_table(expression(
  description = strings(description), name = strings(name, 1),
  curve = is_table(curve) && all(vapply(curve, is.numeric, NA)),
  index = positions(index, nrow(curve), 2) && identical(names(index), c("min", "1se")),
  kernels = is_table(kernels)
), expression())

rls2_summary_fields <- field_table(expression(
  description = strings(description), lambda = is.numeric(lambda) && length(lambda) == 1,
  selected = is_table(selected)
), expression())

greedy_summary_fields <- field_table(expression(
  description = strings(description), name = strings(name, 1), path = is_table(path),
  lambdas = is_table(lambdas)
), expression())

# ---- derivatives -------------------------------------------------------------------

derivatives_fields <- field_table(expression(
  difference = is.logical(difference) && p > 0 && !anyNA(difference) && strings(names(difference)),
  x = reals(x, m * p) && identical(dim(x), as.integer(c(m, p))),
  derivatives = reals(derivatives, m * p * v),
  average = reals(average, p * v), std.error = reals(std.error, p * v),
  vcov = reals(vcov, p * p * v), df = reals(df, 1),
  type = among(type, c(covariance_types, "none")),
  units = is.null(units) || among(units, c("rows", "groups")),
  count = type %in% c("gp", "none") || is_count(count), lambda = is_number(lambda)
), expression(p = length(difference), m = nrow(x), v = max(1, ncol(average))),
c("units", "count"))

derivatives_summary_fields <- field_table(expression(
  description = strings(description),
  coefficients = is_table(coefficients) && ncol(coefficients) == 4 && nrow(coefficients) > 0 &&
    all(vapply(coefficients, is.numeric, NA)) &&
    all(coefficients[[4]] >= 0 & coefficients[[4]] <= 1, na.rm = TRUE),
  quartiles = is.matrix(quartiles) && is.numeric(quartiles)
), expression())
