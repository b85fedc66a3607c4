# The scales s_i of kernels in rls2(): rules (17) to (19) of the paper, or the user's numbers.

scaling_rules <- c("norm", "fisher", "none")

check_scaling <- function(scaling, n, response, newdata) {
  rule <- if (is.numeric(scaling)) check_scales(scaling, n, ncol(response$y))
          else check_choice(scaling, scaling_rules, "scaling")
  if (identical(rule, "fisher") && !is_class(response)) {
    abort("scaling", "`scaling = \"fisher\"` needs a factor or logical response.", "y was numeric.",
          "Use scaling = \"norm\".")
  }
  if (!identical(rule, "norm") && !is.null(newdata)) {
    abort("scaling", "`newdata` is for `scaling = \"norm\"`.", shown(rule),
          "The other rules do not look at new rows.")
  }
  rule
}

check_scales <- function(scales, n, v) {
  fine <- length(scales) %in% c(n, n * v) && all(is.finite(scales)) && all(scales >= 0) &&
    any(scales > 0)
  if (!fine) {
    abort("scaling", sprintf("`scaling` must be a rule or %d numbers that are not negative.", n),
          shown(scales), "One number for each kernel, not all of them zero.")
  }
  scales
}

# Scales, kernels x outputs. weights: of the rows that train; extra: what new rows add to the
# traces. Kernels that are zero on the rows get the scale zero.
bank_scale <- function(bank, problem, weights, settings,
                       traces = bank_traces(bank, weights, settings$center)) {
  n <- length(bank$names)
  v <- ncol(problem$y)
  scaling <- settings$scaling
  if (is.numeric(scaling)) return(matrix(as.double(scaling), n, v))
  if (scaling == "none") return(matrix(1, n, v))
  size <- if (scaling == "norm") {
    matrix(traces + settings$extra, n, v)
  } else {
    within_variances(bank, problem, weights)
  }
  if (!all(is.finite(size))) {
    abort("not_finite", "The scales of the kernels overflow.", NULL, "Rescale `x` or `weights`.")
  }
  ifelse(size > 0, 1 / pmax(size, .Machine$double.xmin), 0)
}

bank_traces <- function(bank, weights, center) .Call(ffi_bank_traces, bank$terms, weights, center)

# Within-class variances, summed over the two classes. A kernel without variance within the classes
# that tells them apart would get an infinite scale.
within_variances <- function(bank, problem, weights) {
  variances <- .Call(ffi_bank_variances, bank$terms, weights, problem$y)
  none <- which(rowSums(variances > 0) < ncol(variances))
  if (length(none)) {
    total <- bank_traces(bank, weights, TRUE)[none]
    perfect <- none[total > 0]
    if (length(perfect)) {
      abort("scaling", "A kernel does not vary within the classes: its scale would be infinite.",
            enumerate(bank$names[perfect]), "Use scaling = \"norm\" or numbers.")
    }
  }
  variances
}

# What new rows add to the traces of all kernels: sums of k(x, x), centred by the training rows'
# weighted mean in feature space where the kernels are.
newdata_traces <- function(bank, problem, newdata, center) {
  if (is.null(bank$kernels)) {
    x <- densify(newdata)$x
    centre <- if (center) as.vector(crossprod(bank$terms, problem$weights)) / sum(problem$weights)
              else numeric(ncol(x))
    return(colSums((x - rep(centre, each = nrow(x)))^2))
  }
  share <- problem$weights / sum(problem$weights)
  vapply(bank$kernels, function(kernel) {
    new <- kernel_view(newdata, kernel)
    sum <- sum(self_values(kernel, new))
    if (!center) return(sum)
    old <- kernel_view(problem$points, kernel)
    used <- which(share > 0)
    old <- point_rows(old, used)
    if (is_dense(new) != is_dense(old)) {
      new <- densify(new)
      old <- densify(old)
    }
    cross <- crossprod(kernel_values(kernel, old, new, 1L), share[used])
    within <- kernel_values(kernel, old, old, 1L)
    sum - 2 * sum(cross) + nrow(new$x) * sum(share[used] * (within %*% share[used]))
  }, 0)
}

# Scales that are numbers are not looked at: they are as the user wants them.
check_all_zero <- function(problem) {
  if (is.numeric(problem$settings$scaling) || any(rowSums(problem$scale) > 0)) return(invisible())
  abort("kernel", "All kernels are zero on the rows.", enumerate(problem$bank$names),
        "Look at `x` and the kernels' parameters.")
}

warn_zero_kernels <- function(problem) {
  zero <- rowSums(problem$scale) == 0
  if (is.numeric(problem$settings$scaling) || !any(zero)) return(invisible())
  warn("kernel", "Kernels that are zero on the rows get no weight.",
       enumerate(problem$bank$names[zero]))
}
