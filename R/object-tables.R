# The tables of check-model.R: what the objects of this package are, field by field.

# ---- fits ----------------------------------------------------------------------

fit_fields <- field_table(expression(
  call = is.call(call),
  lambda = is_path(lambda), df = numbers(df, c), dev.ratio = reals(dev.ratio, c),
  nobs = is_count(nobs), blueprint = is_blueprint(blueprint),
  response = is_response(response, held, v), columns = is.null(columns) || strings(columns, p),
  intercept = is_flag(intercept), standard = is_standard(standard, p),
  kernel = is_resolved(kernel, p),
  basis = if (is.null(basis)) !precomputed else
    positions(basis, if (precomputed) p else .Machine$integer.max, size),
  basis_labels = is.null(basis) || strings(basis_labels, size),
  points = is.null(basis) || precomputed || is_points(points, size, q),
  spectrum = is_spectrum(spectrum, size, v),
  jitter = is.null(jitter) || is_number(jitter), solver = is.null(solver) || strings(solver, 1),
  weights = (is.null(weights) && !held) || (numbers(weights, m) && all(weights >= 0)),
  gcv = is.null(gcv) || reals(gcv, c), chunks = is.null(chunks) || is_chunk_facts(chunks, v),
  fitted_at = positions(fitted_at, c), nulldev = reals(nulldev, 1) && !is.na(nulldev),
  rownames = is_rownames(rownames, m), na.action = is_omitted(na.action),
  terms = is.null(terms) || inherits(terms, "terms"),
  fitted = (is.null(fitted) && !held) || numbers(fitted, c(m, v, length(fitted_at))),
  dummies = is.null(dummies) || positions(dummies, p),
  carriers = is.null(carriers) || is_carriers(carriers, p)
), expression(
  m = nobs, held = if (is.null(chunks)) nobs else 0L, v = ncol(response$y), c = length(lambda),
  p = blueprint$p,
  precomputed = is_kernel(kernel) && is_precomputed(kernel),
  q = points_width(kernel, p), size = if (is.null(basis)) q else length(basis)
), c("jitter", "solver", "gcv", "dummies", "chunks", "carriers"))

# Of carriers().
is_carriers <- function(known, p) {
  is.list(known) && reals(known$columns, p) &&
    all(vapply(known$levels, function(level) {
      reals(unname(level), length(level)) && strings(names(level), length(level))
    }, NA))
}

# Of new_chunked_fit().
is_chunk_facts <- function(chunks, v) {
  is.list(chunks) && numbers(unname(chunks$rows), 3) &&
    identical(names(chunks$rows), c("trained", "supplied", "chunks")) &&
    (is.null(chunks$missing) || is_number(chunks$missing)) && numbers(chunks$weight, 1) &&
    numbers(chunks$largest, 1) && numbers(chunks$squares, v) &&
    all(chunks$squares >= 0)
}

greedy_fields <- field_table(expression(
  call = is.call(call),
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
  call = is.call(call),
  penalty = is_penalty_path(penalty), lambda = numbers(lambda, c) && all(lambda > 0),
  loss = reals(loss, c) && !anyNA(loss), nobs = is_count(nobs),
  blueprint = is_blueprint(blueprint), response = is_response(response, m, v),
  columns = is.null(columns) || strings(columns, p),
  relevance = numbers(relevance, c(d, c)) && all(relevance >= 0) &&
    strings(rownames(relevance), d), at = positions(at, c, 1),
  gradients = is.integer(gradients) && length(gradients) == c, kernel = is_resolved(kernel, p),
  weights = numbers(weights, m), rownames = is_rownames(rownames, m),
  na.action = is_omitted(na.action), terms = is.null(terms) || inherits(terms, "terms"),
  holdout_basis = among(holdout_basis, holdout_modes),
  fits = is.list(fits) && length(fits) == c && all(vapply(fits, is_step_fit, NA, m = m, p = p))
), expression(
  m = nobs, v = ncol(response$y), p = blueprint$p, c = length(penalty),
  d = max(features_of(blueprint$feature, columns, p))
), "columns")

# A fit to the same rows at one lambda.
is_step_fit <- function(fit, m, p) {
  inherits(fit, "sparserls") && is.null(check_model(fit)) && length(fit$lambda) == 1 &&
    identical(fit$nobs, m) && identical(fit$blueprint$p, p) && has_widths(fit$kernel)
}

rls2_fields <- field_table(expression(
  call = is.call(call),
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
  call = is.call(call),
  lambda = is_path(lambda, TRUE) && identical(lambda, unclass(object$fit)$lambda),
  cvm = reals(cvm, c) && !anyNA(cvm), cvsd = reals(cvsd, c),
  # Errors that have left the range of numbers do not add up.
  cvup = reals(cvup, c) && (identical(cvup, cvm + cvsd) || !all_normal(c(cvm, cvsd))),
  cvlo = reals(cvlo, c) && (identical(cvlo, cvm - cvsd) || !all_normal(c(cvm, cvsd))),
  name = strings(name, 1) && strings(names(name), 1), rule = is.null(rule) || among(rule, rules),
  index = is_index(index, 1, c), lambda.min = identical(lambda.min, lambda[[index["min", 1]]]),
  lambda.1se = identical(lambda.1se, lambda[[index["1se", 1]]]),
  nfolds = is_number(nfolds) && nfolds >= 0 && nfolds == round(nfolds),
  ngroups = is.null(ngroups) || is_count(ngroups),
  foldid = is.null(foldid) || positions(foldid, nfolds, m),
  kernel = is_kernel(kernel) || is_bank(kernel), kernels = is_table(kernels) && nrow(kernels) > 0,
  curves = length(curves) > 0 && is.list(curves) && all(vapply(curves, is_curve, NA)),
  size = is.null(size) || is_count(size),
  reselect = is.null(reselect) || is_flag(reselect),
  holdout_basis = is.null(holdout_basis) || among(holdout_basis, holdout_modes),
  refits = is.null(refits) || is_refits(refits, object$fit, c(lambda.min, lambda.1se)),
  calibration = is_calibration(calibration, object$fit$response, "lambda"),
  nested = is.null(nested) || is_nested(nested, m),
  covariance = is.null(covariance) || is_covariance(covariance, unclass(object$fit)),
  predictions = is.null(predictions) || strings(predictions)
), expression(c = length(lambda), m = unclass(object$fit)$nobs),
c("rule", "predictions", "ngroups", "size", "reselect", "holdout_basis", "refits", "calibration",
  "nested", "covariance"))

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
    reals(calibration$logloss, 3) &&
    (is.null(calibration$auc) || reals(calibration$auc, 2)) &&
    (is.null(calibration$balance) ||
       (numbers(calibration$balance, length(response$levels)) &&
          identical(names(calibration$balance), response$levels))) &&
    is_table(bins) && nrow(bins) > 0 &&
    strings(bins$s, nrow(bins)) &&
    all(vapply(bins[c("predicted", "observed", "std.error")], numbers, NA, size = nrow(bins)))
}

# What kept_covariance() has kept; squares may have left the range of numbers.
is_covariance <- function(kept, fit) {
  size <- c(rep(length(fit$spectrum$values) + 1L, 2), ncol(fit$response$y), length(kept$at))
  is_sum <- function(x) reals(x, size) && identical(dim(x), as.integer(size))
  is.list(kept) && (is.null(kept$carriers) || is_carriers(kept$carriers, fit$blueprint$p)) &&
    (is.null(kept$groups) || positions(kept$groups, fit$nobs, fit$nobs)) &&
    (is.null(kept$exponent) || is_unit(list(y = kept$exponent, lambda = 0), size[3])) &&
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
    (is.null(curve$size) || is_count(curve$size)) &&
    (is.null(curve$walk) || is_count(curve$walk))
}

greedy_cv_fields <- field_table(expression(
  call = is.call(call),
  lambda = is_path(lambda),
  cvm = reals(cvm, k * c) && !anyNA(cvm) && identical(dim(cvm), c(k, c)), cvsd = reals(cvsd, k * c),
  cvup = reals(cvup, k * c), cvlo = reals(cvlo, k * c),
  name = strings(name, 1) && strings(names(name), 1), rule = is.null(rule) || among(rule, rules),
  index = is_index(index, 2, c(k, c)) && identical(colnames(index), c("k", "Lambda")),
  k.min = identical(k.min, index[["min", "k"]]), k.1se = identical(k.1se, index[["1se", "k"]]),
  lambda.min = identical(lambda.min, lambda[[index["min", "Lambda"]]]),
  lambdas = is_table(lambdas) && nrow(lambdas) == c,
  nfolds = is_number(nfolds) && nfolds >= 1 && nfolds == round(nfolds),
  ngroups = is.null(ngroups) || is_count(ngroups),
  refits = is.null(refits) || is_refits(refits, object$fit, as.double(c(k.min, k.1se))),
  calibration = is_calibration(calibration, object$fit$response, "k"),
  nested = is.null(nested) || is_nested(nested, m)
), expression(c = length(lambda), k = length(unclass(object$fit)$selected),
              m = unclass(object$fit)$nobs),
c("rule", "ngroups", "refits", "calibration", "nested"))

# Of kept_refits(); chosen: values that they were kept at.
is_refits <- function(refits, fit, chosen) {
  fit <- unclass(fit)
  if (!is.null(fit$chunks)) return(is_chunk_refits(refits, fit, chosen))
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

# Of chunk_refits().
is_chunk_refits <- function(refits, fit, chosen) {
  table <- refits$residuals
  count <- ncol(refits$expansion$a0) / length(refits$at)
  is.list(refits) && is.double(refits$at) && identical(refits$at, unique(chosen)) &&
    is.matrix(table) && numbers(as.vector(table)) && ncol(table) == 5 &&
    all(table[, "fold"] %in% seq_len(count)) && all(table[, "count"] > 0) &&
    is_refit_expansion(refits$expansion, fit, length(refits$at) * count)
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
  call = is.call(call),
  penalty = identical(penalty, unclass(object$fit)$penalty),
  cvm = reals(cvm, c) && !anyNA(cvm), cvsd = reals(cvsd, c), cvup = reals(cvup, c),
  cvlo = reals(cvlo, c), name = strings(name, 1) && strings(names(name), 1),
  rule = is.null(rule) || among(rule, rules),
  index = is_index(index, 1, c), penalty.min = identical(penalty.min, penalty[[index["min", 1]]]),
  penalty.1se = identical(penalty.1se, penalty[[index["1se", 1]]]),
  nfolds = is_number(nfolds) && nfolds >= 1 && nfolds == round(nfolds),
  ngroups = is.null(ngroups) || is_count(ngroups),
  foldid = is.null(foldid) || positions(foldid, nfolds, m),
  outer = among(outer, c("folds", "split")),
  refits = is.null(refits) || is_refits(refits, object$fit, c(penalty.min, penalty.1se)),
  covariance = is.null(covariance) ||
    is_carriers(covariance$carriers, unclass(object$fit)$blueprint$p),
  calibration = is_calibration(calibration, object$fit$response, "penalty")
), expression(c = length(penalty), m = unclass(object$fit)$nobs),
c("rule", "ngroups", "refits", "calibration", "covariance"))

cv_summary_fields <- field_table(expression(
  description = strings(description), name = strings(name, 1),
  curve = is_table(curve) && all(vapply(curve, is.numeric, NA)),
  index = positions(index, nrow(curve), 2) && identical(names(index), c("min", "1se")),
  kernels = is_table(kernels), classes = is.null(classes) || is_class_table(classes)
), expression(), "classes")

# Of class_table().
is_class_table <- function(classes) {
  is_table(classes) && nrow(classes) == 2 && all(vapply(classes, is.numeric, NA))
}

rls2_summary_fields <- field_table(expression(
  description = strings(description), lambda = is.numeric(lambda) && length(lambda) == 1,
  selected = is_table(selected)
), expression())

greedy_summary_fields <- field_table(expression(
  description = strings(description), name = strings(name, 1), path = is_table(path),
  lambdas = is_table(lambdas), classes = is.null(classes) || is_class_table(classes)
), expression(), "classes")

# ---- derivatives -------------------------------------------------------------------

derivatives_fields <- field_table(expression(
  difference = is.logical(difference) && p > 0 && !anyNA(difference) && strings(names(difference)),
  x = reals(x, m * p) && identical(dim(x), as.integer(c(m, p))),
  nobs = is_count(nobs) && nobs <= m, derivatives = reals(derivatives, m * p * v),
  average = reals(average, p * v), std.error = reals(std.error, p * v),
  vcov = reals(vcov, p * p * v), df = reals(df, 1),
  titles = is.list(titles) && length(titles) == v,
  type = among(type, c(covariance_types, "none")),
  units = is.null(units) || among(units, c("rows", "groups", "folds")),
  count = type %in% c("gp", "none") || is_count(count), lambda = is_number(lambda),
  carriers = is.null(carriers) || reals(unname(carriers), p)
), expression(p = length(difference), m = nrow(x), v = max(1, ncol(average))),
c("units", "count", "carriers"))

derivatives_summary_fields <- field_table(expression(
  description = strings(description),
  coefficients = is_table(coefficients) && ncol(coefficients) == 4 && nrow(coefficients) > 0 &&
    all(vapply(coefficients, is.numeric, NA)) &&
    all(coefficients[[4]] >= 0 & coefficients[[4]] <= 1, na.rm = TRUE),
  quartiles = is.matrix(quartiles) && is.numeric(quartiles)
), expression())

effect_curve_fields <- field_table(expression(
  values = strings(values) || numbers(values), feature = strings(feature, 1),
  estimate = reals(estimate, g * v), std.error = reals(std.error, g * v),
  vcov = reals(vcov, g * g * v), df = reals(df, 1), share = numbers(share, g),
  few = is.logical(few) && length(few) == g && !anyNA(few),
  ice = reals(ice, length(ice)) && length(dim(ice)) == 3 && identical(dim(ice)[-1], c(g, v)),
  observed = is.character(observed) || reals(observed, length(observed)),
  nobs = is_count(nobs) && nobs <= length(observed),
  titles = is.list(titles) && length(titles) == v,
  type = among(type, c(covariance_types, "none")),
  units = is.null(units) || among(units, c("rows", "groups", "folds")),
  count = type %in% c("gp", "none") || is_count(count), lambda = is_number(lambda),
  centre = length(centre) == 1 && !is.na(centre)
), expression(g = length(values), v = as.integer(max(1, ncol(estimate)))), c("units", "count"))
