# The fit object of all families, class `sparserls_fit`, and that of sparserls() and rls().

# The fields that all share, and those of the family, a list. seen: see fit_ranges().
new_fit <- function(problem, class, fields, seen = NULL) {
  fit <- structure(c(list(call = problem$call, format = object_format), fields,
                     data_fields(problem$design)),
                   class = c(class, "sparserls_fit"))
  fit$ranges <- fit_ranges(problem, fit_kernels(fit), seen)
  fit
}

# The kernels that predictions are made of, a list. ("$" would take one field for the other.)
fit_kernels <- function(fit) c(Filter(length, list(fit[["kernel"]])), fit[["kernels"]])

# What fits and cross-validations hold, as a number: it grows when their fields change. A
# cross-validation has that of its fit.
object_format <- 1L

# The fit to all rows, of a fit or its cross-validation, if it is of that format.
final_fit <- function(object) {
  fit <- if (inherits(object, "sparserls_cv")) object$fit else object
  if (identical(fit$format, object_format)) return(fit)
  abort("object", "The fit was made by another version of sparserls.",
        if (is.null(fit$format)) "it has no format number, as fits of earlier versions"
        else sprintf("its format is %s; this version reads %d", shown(fit$format), object_format),
        "Fit it again.")
}

# That of squares, which is either an expansion over rows (`basis` and `points`) or
# linear in the features (`basis` is NULL: the terms are slopes).
# model: what training leaves behind, a list of part and training (train-coordinates.R) and path;
# index: positions in the path of the values
# that matter most; ...: fields of a method's own.
new_ridge_fit <- function(problem, model, class, index, ...) {
  training <- model$training
  lambda <- model$path$lambda
  spectrum <- c(training$spectrum, list(y_mean = training$y_mean))
  path <- fitted_path(training, lambda, index)
  matter <- if (length(lambda) == 1) 1L else unique(index)
  if (length(matter)) spectrum$solved <- lapply(lambda[matter], solved_at, spectrum = spectrum)
  nulldev <- total_squares(problem)
  new_fit(problem, class, c(
    list(lambda = lambda, df = coefficients_at(spectrum, lambda)$df,
         dev.ratio = explained(path$rss, nulldev), nulldev = nulldev),
    term_fields(problem, model, ...),
    list(spectrum = spectrum, fitted = with_offset(path$fitted, problem),
         fitted_at = path$at,
         carriers = if (training$dual) carriers(problem$design, problem$weights))
  ))
}

# What the terms of a fit are, and how new rows become theirs; ...: further fields.
term_fields <- function(problem, model, ...) {
  part <- model$part
  expansion <- !is.null(part$basis)
  list(basis = if (expansion && is.null(part$rows)) problem$design$rows[part$basis] else part$basis,
       basis_labels = labels_of_basis(problem, part), kernel = part$kernel, ...,
       intercept = problem$intercept,
       standard = part$standard %||% problem$standard,
       points = if (expansion && !is_precomputed(part$kernel)) {
         with_centre(point_rows(part$points, part$basis), part$kernel)
       },
       nearest = nearest_value(problem, part, model$training$largest))
}

# For given points their own (points_part()).
labels_of_basis <- function(problem, part) (part$labels %||% problem$labels)[part$basis]

# Fitted values are kept up to this many numbers.
fitted_limit <- 1e6

# Positions in the path of the lambdas whose fitted values a fit keeps: all, or only those of index.
# shape: rows, outputs and lambdas.
fitted_positions <- function(shape, index) {
  if (prod(shape) <= fitted_limit) seq_len(shape[3]) else sort(unique(as.integer(index)))
}

# The fields of a fit with these fitted values, rows x outputs x points of the path.
kept_fitted <- function(fitted, choice) {
  at <- fitted_positions(dim(fitted), path_choice(choice))
  list(fitted = fitted[, , at, drop = FALSE], fitted_at = at)
}

# Residual sums of squares for every lambda and the fitted values that are kept, rows x outputs x
# `at`. Blocks of about eight million, so that a large path is never in memory as a whole.
fitted_path <- function(training, lambda, index) {
  shape <- dim(training$y)
  at <- fitted_positions(c(shape, length(lambda)), index)
  parts <- lapply(row_blocks(length(lambda), prod(shape) / 8), function(block) {
    part <- .Call(ffi_fitted, training, lambda[block])
    list(rss = part$rss, fitted = matrix(part$fitted, prod(shape))[, block %in% at, drop = FALSE])
  })
  list(rss = joined(parts, "rss"), at = at,
       fitted = array(joined(parts, "fitted", cbind), c(shape, length(at))))
}

# alpha (terms x v x c), a0 (v x c) and df (c) for any lambda.
# What a fit keeps in `solved` are those of single values of lambda: a prediction of one row costs
# much less than they do, n^2.
coefficients_at <- function(spectrum, lambda) {
  lambda <- as.double(lambda)
  kept <- Find(function(solved) identical(solved$lambda, lambda), spectrum$solved)
  if (is.null(kept)) solved_at(spectrum, lambda) else kept
}

solved_at <- function(spectrum, lambda) {
  solved <- .Call(ffi_coefficients, spectrum, spectrum$y_mean, lambda)
  dim(solved$alpha) <- c(ncol(spectrum$map), length(spectrum$y_mean), length(lambda))
  c(solved, list(lambda = lambda))
}

# What makes coordinates z of terms k: a list with `map` and `z_mean`,
# z = map k - z_mean. NULL of families that have none.
coordinates <- function(fit) fit$spectrum %||% fit$coordinates

# By what the residual sum of squares is less than that of y, one for each output. Coordinates
# z = map k: b = D zy solves, and it is sum zy^2 (2 lambda + values) D^2, of which
# (2 lambda + values) D = 1 + lambda D, whatever the size of lambda.
explained_squares <- function(spectrum, lambda) {
  d <- 1 / (spectrum$values + lambda)
  colSums(spectrum$zy^2 * d * (1 + lambda * d))
}

# The share of the sum of squares; of a response that does not vary in the training rows none.
explained <- function(rss, total) if (total > 0) 1 - rss / total else 0 * rss

total_squares <- function(problem) {
  sum(squares_about(problem$y, problem$weights, problem$intercept))
}

# y'Wy about the mean, or about zero without an intercept, for each output. The mean is taken twice,
# as mean() does: constants then are constant where a long double is a double, too (macOS on arm64).
squares_about <- function(y, weights, intercept) {
  centre <- numeric(ncol(y))
  share <- prop.table(weights)
  if (intercept) for (pass in 1:2) centre <- centre + colSums(share * (y - each_row(centre, y)))
  colSums(weights * (y - each_row(centre, y))^2)
}

# Rows of positive weight that a fit was trained on.
trained_rows <- function(fit) {
  if (is.null(fit$chunks)) sum(fit$weights > 0) else fit$chunks$rows[["trained"]]
}

# Whether the terms are those of all rows: the spectrum then says everything (src/dual.c).
is_full <- function(fit) identical(fit$solver, "dual")

# ---- where training rows end -------------------------------------------------------------------
# What new rows are held against (predict-scores.R). Fields
#   ranges    2 x p, the lowest and the highest value of every column of x; without bounds where the
#             column belongs to a factor, or predictions do not read it; NULL without columns
#   nearest   of kernels of differences: how near training rows are to the basis (nearest_value())

# seen: the columns that predictions read, NULL for all.
fit_ranges <- function(problem, kernels, seen) {
  if (any(vapply(kernels, is_precomputed, NA))) return(NULL)
  read <- lapply(kernels, read_columns)
  if (length(read) && all(lengths(read))) seen <- unlist(read)
  bounded(column_ranges(problem$design$x, problem$weights > 0), problem$design$blueprint, seen)
}

# The columns that a kernel reads, NULL for all.
read_columns <- function(kernel) {
  if (!has_widths(kernel)) return(kernel$features)
  read <- column_widths(kernel) > 0
  if (is.null(kernel$features)) which(read) else kernel$features[read]
}

bounded <- function(ranges, blueprint, seen = NULL) {
  free <- seq_len(ncol(ranges)) %in% blueprint$leveled
  if (!is.null(seen)) free[-seen] <- TRUE
  ranges[, free] <- c(-Inf, Inf)
  ranges
}

# used: which rows count. For columns without rows Inf and -Inf.
column_ranges <- function(x, used) {
  if (!is.matrix(x)) return(sparse_ranges(x, used))
  if (!any(used)) return(matrix(c(Inf, -Inf), 2, ncol(x)))
  unname(vapply(seq_len(ncol(x)), function(j) range(x[used, j]), numeric(2)))
}

# Entries that are not stored are zeros.
sparse_ranges <- function(x, used) {
  kept <- used[x@i + 1L]
  column <- rep(seq_len(ncol(x)), diff(x@p))[kept]
  full <- tabulate(column, ncol(x)) == sum(used)
  ranges <- rbind(ifelse(full, Inf, 0), ifelse(full, -Inf, 0))
  stored <- vapply(split(x@x[kept], column), range, numeric(2))
  at <- unique(sort(column))
  ranges[1, at] <- pmin(ranges[1, at], stored[1, ])
  ranges[2, at] <- pmax(ranges[2, at], stored[2, ])
  ranges
}

# The smallest, over training rows x, of the largest k(x, b) over the basis vectors b elsewhere than
# x. As a basis vector is near itself, one in a thousand of all rows may be farther from the others,
# if it is one: a few odd rows are not to hide all others.
# largest: of kernel_source (src/ridge.h).
nearest_value <- function(problem, part, largest) {
  if (!sees_distances(part$kernel)) return(NULL)
  own <- seq_along(largest) %in% if (is.null(part$rows)) part$basis
  used <- problem$weights > 0 & is.finite(largest)
  if (!any(used)) return(NULL)
  sorted <- sort(largest[used])
  min(sorted[1 + length(sorted) %/% 1000], largest[used & !own])
}
