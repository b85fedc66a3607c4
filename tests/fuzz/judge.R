# What may come of a call: a value that says nothing false, or an error of a class of ours. All else
# is a finding, in a word.

# A list of `value` or `error`, and `finding`, NULL or list(kind, says). args are those of the call.
judged <- function(code, args, seconds = 20) {
  before <- serialize(atoms(args), NULL, version = 2)
  setTimeLimit(elapsed = seconds, transient = TRUE)
  on.exit(setTimeLimit())
  outcome <- tryCatch(list(value = suppressWarnings(suppressMessages(code))),
                      error = function(e) list(error = e))
  finding <- found_in(outcome)
  if (is.null(finding) && !identical(before, serialize(atoms(args), NULL, version = 2))) {
    finding <- list(kind = "modified argument", says = "")
  }
  c(outcome, list(finding = finding))
}

# What of an argument are numbers and texts: functions are compiled by being called.
atoms <- function(x) {
  if (isS4(x)) x <- lapply(methods::slotNames(x), function(name) methods::slot(x, name))
  if (is.list(x)) return(lapply(unclass(x), atoms))
  if (is.atomic(x)) c(list(as.vector(x)), attributes(x)[c("dim", "names", "class", "levels")])
}

found_in <- function(outcome) {
  error <- outcome$error
  if (is.null(error)) return(NULL)
  says <- conditionMessage(error)
  if (grepl("reached elapsed time limit", says)) return(list(kind = "slow", says = says))
  # An error of the user's own function is the user's.
  if (inherits(error, "sparserls_error") || identical(says, "mine")) return(NULL)
  list(kind = "unclassed error", says = sprintf("%s: %s", deparse1(conditionCall(error))[1], says))
}

# Numbers of an answer that are not finite although the rows are.
not_finite <- function(value, x) {
  numbers <- if (is.numeric(value)) value
             else if (is.data.frame(value)) unlist(Filter(is.numeric, value)) else numeric()
  rows <- tryCatch(all(is.finite(as.matrix(x))), error = function(e) FALSE)
  if (rows && any(is.nan(numbers) | is.na(numbers))) list(kind = "silent NaN", says = "")
}

# ---- against plain R ---------------------------------------------------------------------------

# Fits by sparserls() and rls() with a kernel of differences or an inner product, of good matrices:
# the fitted values solve the normal equations, written down from the definition. The largest error
# as a share of the spread of y; NULL where a call is not of this kind.
against_definition <- function(call, fit) {
  if (!call$what %in% c("sparserls", "rls") || !is_plain(call$args)) return(NULL)
  x <- call$args[[1]]
  y <- as.double(call$args[[2]])
  if (stats::sd(y) < 1e-8 * max(abs(y)) || fit$kernel$name == "custom") return(NULL)
  w <- fit$weights
  z <- training_values(x, fit)
  if (is.null(z)) return(NULL)
  intercept <- isTRUE(fit$intercept)
  design <- cbind(if (intercept) 1, z$values)
  penalty <- matrix(0, ncol(design), ncol(design))
  own <- seq_len(ncol(z$values)) + intercept
  lambda <- fit$lambda[1]
  penalty[own, own] <- lambda * z$gram
  normal <- crossprod(design, w * design) + penalty
  if (!all(is.finite(normal)) || rcond(normal) < 1e-10) return(NULL)
  expected <- design %*% solve(normal, crossprod(design, w * y))
  max(abs(as.vector(stats::fitted(fit, s = lambda)) - expected)) / stats::sd(y)
}

is_plain <- function(args) {
  is.matrix(args[[1]]) && is.double(args[[1]]) && is.numeric(args[[2]]) &&
    is.null(dim(args[[2]])) && is.null(args$offset) && is.null(args$family) && !is.matrix(args$basis)
}

# Kernel values of rows and basis, and of the basis, with its jitter in both; of rls() without
# one all
# rows are it. NULL where it is not as simple as that.
training_values <- function(x, fit) {
  basis <- if (is.null(fit$basis)) which(fit$weights > 0) else fit$basis
  if (!is.null(fit$standard)) x <- standardized(x, fit)
  k <- tryCatch(kernel_matrix(fit$kernel, x, x[basis, , drop = FALSE]), error = function(e) NULL)
  if (is.null(k)) return(NULL)
  jitter <- if (is.null(fit$jitter)) 0 else fit$jitter
  k[cbind(basis, seq_along(basis))] <- k[cbind(basis, seq_along(basis))] + jitter
  list(values = k, gram = k[basis, , drop = FALSE])
}

standardized <- function(x, fit) {
  (x - rep(fit$standard$centre, each = nrow(x))) / rep(fit$standard$scale, each = nrow(x))
}
