# From a design to the training cache of the numeric core.

# What all kernels of a search share: points, responses and options. `basis` are
# rows of the design.
new_problem <- function(design, basis, kernels, intercept, standardize, jitter, threads) {
  precomputed <- vapply(kernels, function(kernel) kernel$name == "precomputed", NA)
  if (any(precomputed) && !all(precomputed)) {
    abort("kernel", "A precomputed kernel cannot be searched together with others.")
  }
  if (any(precomputed) && standardize) {
    inform("`standardize` is ignored: the kernel is precomputed.")
    standardize <- FALSE
  }
  if (any(precomputed) && length(design$rows) != design$supplied) {
    abort("kernel", "A precomputed kernel cannot be combined with `subset` or missing rows.")
  }
  standard <- standardizer(design$x, design$weights, check_flag(standardize, "standardize"))
  list(
    points = if (!any(precomputed)) as_points(design$x, standard),
    x = if (any(precomputed)) design$x,
    standard = standard,
    columns = colnames(design$x),
    y = design$response$y,
    weights = design$weights,
    basis = basis,
    labels = row_labels(basis, design),
    intercept = check_flag(intercept, "intercept") && design$intercept,
    jitter = check_jitter(jitter),
    threads = check_threads(threads)
  )
}

# A kernel on the problem's points: its values on the basis vectors without the redundant
# ones, and where the core finds the values of all rows.
kernel_problem <- function(problem, kernel) {
  if (kernel$name == "precomputed") {
    points <- precomputed_points(kernel, problem$x)
  } else {
    kernel <- resolve_kernel(kernel, problem$points, problem$columns)
    points <- point_features(problem$points, kernel$features)
  }
  basis <- problem$basis
  repeated <- repeated_rows(point_rows(points, basis))
  k_bb <- basis_kernel(kernel, points, basis[!repeated], problem)
  kept <- which(!repeated)[independent_basis(k_bb)]
  if (length(kept) < sum(!repeated)) k_bb <- basis_kernel(kernel, points, basis[kept], problem)
  list(kernel = kernel, points = points, basis = basis[kept], kept = kept, k_bb = k_bb,
       dropped = problem$labels[-kept])
}

# K_BB with the jitter on its diagonal.
basis_kernel <- function(kernel, points, basis, problem) {
  k_bb <- if (kernel$name == "precomputed") {
    unname(as.matrix(points$x[basis, basis, drop = FALSE]))
  } else {
    some <- point_rows(points, basis)
    kernel_values(kernel, some, some, problem$threads, same = TRUE)
  }
  check_kernel_values(k_bb)
  if (kernel$name %in% c("custom", "precomputed")) check_psd(k_bb)
  k_bb <- (k_bb + t(k_bb)) / 2
  if (max(diag(k_bb)) + problem$jitter <= 0) {
    abort("kernel", "The kernel is zero on all basis vectors.", format(kernel))
  }
  diag(k_bb) <- diag(k_bb) + problem$jitter
  k_bb
}

independent_basis <- function(k_bb) {
  tolerance <- nrow(k_bb) * .Machine$double.eps * max(diag(k_bb))
  result <- .Call(ffi_independent, k_bb, tolerance)
  stop_status(result$status)
  result$kept
}

warn_dropped <- function(dropped) {
  if (length(dropped) == 0) return(invisible())
  warn("basis", sprintf("%d redundant basis vector(s) dropped.", length(dropped)),
       sprintf("rows %s", enumerate(dropped, 10)),
       "They coincide with others, or the others span them to working precision.")
}

# The training cache. rotate: prepare for the update form of the hold-out.
train_cache <- function(problem, part, rotate) {
  source <- if (in_c(part$kernel, part$points)) {
    some <- point_rows(part$points, part$basis)
    list(kernel = kernel_list(part$kernel), basis = some$x, rows = part$points$x,
         centre = kernel_centre(some))
  } else if (part$kernel$name == "precomputed") {
    unname(as.matrix(part$points$x[part$basis, , drop = FALSE]))
  } else {
    kernel_values(part$kernel, point_rows(part$points, part$basis), part$points, problem$threads)
  }
  cache <- .Call(ffi_train, source, part$k_bb, part$basis, problem$y, problem$weights,
                 problem$intercept, rotate, problem$threads)
  stop_status(cache$status, format(part$kernel))
  cache
}

lambda_grid <- function(values, nlambda) {
  top <- max(values)
  if (!(top > 0)) {
    abort("lambda", "The kernel matrix is constant: no default `lambda` fits it.", NULL,
          "Give `lambda`, or look at the scale of `x` and the kernel's parameters.")
  }
  if (nlambda == 1) return(top)
  top * 10^seq(0, -8, length.out = nlambda)
}

path_lambda <- function(cache, lambda, nlambda) {
  values <- cache$spectrum$values
  if (is.null(lambda)) lambda <- lambda_grid(values, nlambda)
  check_resolvable(lambda, values)
  lambda
}
