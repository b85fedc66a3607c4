# Numbers at the edge: fits and held-out predictions at lambda from 1e-12 to 1 times the largest
# eigenvalue L of the problem, against refits in 256-bit arithmetic (Rmpfr, to 1e-77), whose
# functions the tests use too (tests/testthat/helper-mpfr.R). For every method, way of holding out
# and lambda, over the seeds:
#   cond          the condition number (L + lambda) / (smallest eigenvalue + lambda)
#   allowed       eps times it: what a backward stable solver in double precision may lose
#   fit, held     the largest errors of fitted values and of held-out predictions, as shares of the
#                 spread (standard deviation) of the exact ones; empty where refused or not asked
#   said          the class of the error or warning, where the call did not answer silently
# rls2() is held against exact predictions at the kernel weights that it has found; its `held` is
# the relative duality gap there, in 256 bits. ardrls() is held against the exact fit at the widths
# and the lambda that it has found. greedyrls()'s `held` is that of its leave-one-out errors.
# Families are held against Newton's method in 256 bits; their errors are of linear predictors, and
# those of held-out ones are allowed what their certificates promise, 1e-6, and gaps the `tol` of
# rls2(), 1e-8.
# Rscript bench/edge.R 2 [first seed]        (seeds; some minutes of a processor each)
library(sparserls)
source("bench/store.R")
for (helper in c("mpfr", "rls2")) {
  source(file.path(here, "..", "tests", "testthat", sprintf("helper-%s.R", helper)))
}
seeds <- argument(2, 1) - 1 + seq_len(argument(1, 2))
ratios <- 10^c(0, -2, -4, -6, -8, -10, -11, -12)
of_families <- ratios[c(1, 3, 5, 7, 8)]

# Likelihoods, as helper-mpfr.R has ridge regressions.
wide_losses <- list(
  binomial = list(score = function(y, eta) 1 / (1 + exp(-eta)) - y,
                  weight = function(y, eta) 1 / ((1 + exp(-eta)) * (1 + exp(eta)))),
  poisson = list(score = function(y, eta) exp(eta) - y, weight = function(y, eta) exp(eta))
)

# Newton's method from zero, its steps halved where the slope along them would grow.
wide_newton <- function(loss) function(problem, held, keep) {
  rows <- setdiff(seq_along(problem$y), held)
  design <- problem$design[, keep]
  penalty <- problem$penalty[keep, keep]
  products <- function(b) do.call(c, lapply(seq_along(b), function(j) sum(penalty[j, ] * b)))
  eta <- function(b) do.call(c, lapply(seq_len(nrow(design)), function(i) sum(design[i, ] * b)))
  gradient <- function(b) {
    wide_products(design, loss$score(problem$y, eta(b)), rows) + products(b)
  }
  b <- wide(numeric(length(keep)))
  slope <- gradient(b)
  for (step in 1:60) {
    hessian <- wide_gram(design, loss$weight(problem$y, eta(b)), rows) + penalty
    move <- wide_solve(hessian, slope)
    share <- 1
    repeat {
      after <- gradient(b - share * move)
      if (abs(sum(move * after)) <= abs(sum(move * slope)) || share < 1e-9) break
      share <- share / 2
    }
    b <- b - share * move
    slope <- after
    if (max(abs(move)) <= 1e-20 * max(abs(b))) return(b)
  }
  stop("Newton's method has not converged in 256 bits")
}

# ---- problems ----------------------------------------------------------------------------------

draw <- function(m) {
  x <- matrix(rnorm(3 * m), m, dimnames = list(NULL, c("a", "b", "c")))
  eta <- sin(2 * x[, 1]) + x[, 2] / 2
  list(x = x, y = eta + 0.3 * rnorm(m), counts = rpois(m, exp(eta)),
       classes = as.numeric(rank(eta + rlogis(m)) > m / 2), basis = seq_len(m %/% 4),
       folds = list(`leave-one-out` = as.list(seq_len(m)),
                    `five folds` = unname(split(seq_len(m), rep_len(1:5, m)))))
}

# Columns of which two nearly coincide.
near_columns <- function(x) cbind(x, d = x[, 1] + 1e-5 * rnorm(nrow(x)))

# Eigenvalues of the kernel matrix of all rows, as an intercept leaves them; or of those that basis
# vectors span.
eigenvalues <- function(k, k_bb = NULL) {
  if (!is.null(k_bb)) k <- t(backsolve(chol(k_bb), t(k), transpose = TRUE))
  k <- if (is.null(k_bb)) scale(t(scale(k, scale = FALSE)), scale = FALSE)
       else crossprod(scale(k, scale = FALSE))
  values <- eigen(k, symmetric = TRUE, only.values = TRUE)$values
  pmax(if (is.null(k_bb)) values[-length(values)] else values, 0)
}

subset_values <- function(d, kernel) {
  k <- kernel_matrix(kernel, d$x, d$x[d$basis, ])
  eigenvalues(k, k[d$basis, ] + diag(1e-7, length(d$basis)))
}

# ---- what was asked, and what was answered -----------------------------------------------------

# The value, NULL where it was refused, and the class of what was said.
asked <- function(code) {
  said <- ""
  value <- tryCatch(
    withCallingHandlers(suppressMessages(code), sparserls_warning = function(w) {
      said <<- sub("sparserls_", "", class(w)[1])
      invokeRestart("muffleWarning")
    }),
    sparserls_error = function(e) {
      said <<- sub("sparserls_", "", class(e)[1])
      NULL
    }
  )
  list(value = value, said = said)
}

error_of <- function(value, exact) {
  if (is.null(value)) NA else max(abs(as.vector(value) - exact)) / stats::sd(exact)
}

row_of <- function(method, held_out, folds, ratio, values, fit, held, said) {
  lambda <- ratio * max(values)
  data.frame(method, holdout = held_out, folds, ratio = signif(ratio, 2),
             cond = (max(values) + lambda) / (min(values) + lambda), fit, held, said)
}

# ---- methods -----------------------------------------------------------------------------------

subset_rows <- function(d, ratio, kernel, name) {
  values <- subset_values(d, kernel)
  lambda <- ratio * max(values)
  exact <- wide_subset(kernel, d$x, d$y, d$basis, lambda, 1e-7)
  fitted_exact <- wide_predictions(exact$design, wide_ridge(exact))
  both <- expand.grid(mode = c("remove", "keep"), folds = names(d$folds),
                      stringsAsFactors = FALSE)
  do.call(rbind, Map(function(mode, folds) {
    held_exact <- wide_held_out(exact, d$folds[[folds]], if (mode == "remove") d$basis)
    one <- function(solver) {
      cv <- asked(cv.sparserls(d$x, d$y, I(d$basis), kernel, lambda, standardize = FALSE,
                               folds = d$folds[[folds]], holdout_basis = mode, keep = TRUE,
                               solver = solver, progress = FALSE))
      row_of(name, paste(mode, solver), folds, ratio, values,
             error_of(if (!is.null(cv$value)) fitted(cv$value), fitted_exact),
             error_of(cv$value$fit.preval, held_exact), cv$said)
    }
    rbind(one("update"), one("retrain"))
  }, both$mode, both$folds))
}

full_rows <- function(d, ratio, kernel, name) {
  values <- eigenvalues(kernel_matrix(kernel, d$x))
  lambda <- ratio * max(values)
  do.call(rbind, lapply(names(d$folds), function(folds) {
    exact <- wide_full(kernel, d$x, d$y, lambda, d$folds[[folds]])
    cv <- asked(cv.rls(d$x, d$y, kernel, lambda, standardize = FALSE, folds = d$folds[[folds]],
                       keep = TRUE, progress = FALSE))
    row_of(name, "dual", folds, ratio, values,
           error_of(if (!is.null(cv$value)) fitted(cv$value), exact$fitted),
           error_of(cv$value$fit.preval, exact$held), cv$said)
  }))
}

linear_rows <- function(d, ratio) {
  x <- near_columns(d$x)
  values <- svd(scale(x, scale = FALSE))$d^2
  lambda <- ratio * max(values)
  exact <- wide_linear(x, d$y, lambda)
  fitted_exact <- wide_predictions(exact$design, wide_ridge(exact))
  do.call(rbind, lapply(names(d$folds), function(folds) {
    held_exact <- wide_held_out(exact, d$folds[[folds]])
    do.call(rbind, lapply(c("auto", "primal", "svd", "dual"), function(solver) {
      cv <- asked(cv.rls(x, d$y, lambda = lambda, standardize = FALSE, solver = solver,
                         folds = d$folds[[folds]], keep = TRUE, progress = FALSE))
      # The dual has an eigenvalue for every row.
      row_of("rls linear", solver, folds, ratio, if (solver == "dual") c(values, 0) else values,
             error_of(if (!is.null(cv$value)) fitted(cv$value), fitted_exact),
             error_of(cv$value$fit.preval, held_exact), cv$said)
    }))
  }))
}

# Of all that it selects, the first three features.
greedy_rows <- function(d, ratio) {
  x <- near_columns(d$x)
  values <- svd(scale(x, scale = FALSE))$d^2
  lambda <- ratio * max(values)
  fit <- asked(greedyrls(x, d$y, 3, lambda, standardize = FALSE))
  fitted_error <- held_error <- NA
  if (!is.null(fit$value)) {
    selected <- x[, fit$value$selected]
    values <- svd(scale(selected, scale = FALSE))$d^2
    exact <- wide_linear(selected, d$y, lambda)
    fitted_error <- error_of(fitted(fit$value), wide_predictions(exact$design, wide_ridge(exact)))
    loo <- mean((d$y - wide_held_out(exact, as.list(seq_along(d$y))))^2)
    held_error <- abs(fit$value$loo[3] / loo - 1)
  }
  row_of("greedyrls", "", "leave-one-out", ratio, values, fitted_error, held_error, fit$said)
}

layer_rows <- function(d, ratio) {
  kernels <- list(kernel_gaussian(0.3), kernel_gaussian(0.03), kernel_linear())
  k <- lapply(kernels, kernel_matrix, d$x)
  fit <- asked(rls2(d$x, d$y, kernels, nlambda = 1, standardize = FALSE, scaling = "none"))
  values <- eigenvalues(Reduce(`+`, k))
  lambda <- ratio * max(values)
  fit <- asked(rls2(d$x, d$y, kernels, lambda, standardize = FALSE, scaling = "none"))
  gap <- error <- NA
  if (!is.null(fit$value)) {
    weights <- fit$value$d[, 1]
    values <- eigenvalues(Reduce(`+`, Map(`*`, k, weights)))
    exact <- wide_layers(kernels, d$x, d$y, weights, lambda)
    error <- error_of(fitted(fit$value), exact$fitted)
    gap <- exact$gap
  }
  row_of("rls2 at its weights", "gap", "", ratio, values, error, gap, fit$said)
}

wide_layers <- function(kernels, x, y, weights, lambda) {
  bank <- lapply(kernels, wide_kernel, x, x)
  whole <- Reduce(`+`, Map(function(k, d) k * wide(d), bank, weights))
  target <- wide(y) - sum(wide(y)) / length(y)
  shifted <- whole
  for (i in seq_along(y)) shifted[i, i] <- shifted[i, i] + wide(lambda)
  solved <- wide_solve(shifted, target)
  quadratic <- function(k) {
    sum(solved * do.call(c, lapply(seq_along(y), function(i) sum(k[i, ] * solved))))
  }
  g <- do.call(c, lapply(bank, quadratic))
  gap <- (max(g) - sum(g * wide(weights))) / sum(target * solved)
  list(fitted = Rmpfr::asNumeric(wide(y) - wide(lambda) * solved), gap = Rmpfr::asNumeric(gap))
}

width_rows <- function(d) {
  found <- asked(ardrls(d$x, d$y, d$basis, penalty = 1, maxit = 20, standardize = FALSE))
  fit <- found$value$fits[[1]]
  values <- subset_values(d, fit$kernel)
  exact <- wide_subset(fit$kernel, d$x, d$y, fit$basis, fit$lambda, fit$jitter)
  exact <- wide_predictions(exact$design, wide_ridge(exact))
  row_of("ardrls at its widths", "", "", fit$lambda / max(values), values,
         error_of(fitted(fit), exact), NA, found$said)
}

# Few rows, as every refit takes Newton steps.
family_rows <- function(d, ratio, family, y) {
  kernel <- kernel_gaussian(0.02)
  values <- subset_values(d, kernel)
  lambda <- ratio * max(values)
  loss <- wide_losses[[family]]
  exact <- wide_subset(kernel, d$x, y, d$basis, lambda, 1e-7)
  terms <- seq_len(ncol(exact$design))
  found <- tryCatch(wide_newton(loss)(exact, integer(), terms), error = function(e) NULL)
  # Where classes are separated and lambda is next to nothing.
  if (is.null(found)) return(row_of(family, "", "", ratio, values, NA, NA, "no reference"))
  fitted_exact <- wide_predictions(exact$design, found)
  folds <- unname(split(seq_along(y), rep_len(1:3, length(y))))
  do.call(rbind, lapply(c("remove", "keep"), function(mode) {
    held_exact <- tryCatch(wide_held_out(exact, folds, if (mode == "remove") d$basis,
                                         wide_newton(loss)), error = function(e) NA)
    cv <- asked(cv.sparserls(d$x, y, I(d$basis), kernel, lambda, standardize = FALSE,
                             folds = folds, holdout_basis = mode, keep = TRUE, family = family,
                             progress = FALSE))
    row_of(family, mode, "three folds", ratio, values,
           error_of(if (!is.null(cv$value)) link_of(cv$value), fitted_exact),
           error_of(cv$value$fit.preval, held_exact), cv$said)
  }))
}

link_of <- function(cv) family(cv)$linkfun(fitted(cv))

# ---- all of it ---------------------------------------------------------------------------------

say <- function(...) message(format(Sys.time(), "%H:%M:%S "), ...)

edge_of_seed <- function(seed) {
  set.seed(seed)
  d <- draw(32)
  few <- draw(16)
  rows <- lapply(ratios, function(ratio) {
    say("seed ", seed, ", ratio ", ratio)
    rbind(
      subset_rows(d, ratio, kernel_gaussian(0.3), "sparserls Gaussian"),
      subset_rows(d, ratio, kernel_gaussian(0.01), "sparserls wide Gaussian"),
      full_rows(d, ratio, kernel_gaussian(0.3), "rls Gaussian"),
      full_rows(d, ratio, kernel_gaussian(0.01), "rls wide Gaussian"),
      linear_rows(d, ratio),
      greedy_rows(d, ratio),
      layer_rows(d, ratio),
      if (ratio %in% of_families) family_rows(few, ratio, "binomial", few$classes),
      if (ratio %in% of_families) family_rows(few, ratio, "poisson", few$counts)
    )
  })
  rbind(do.call(rbind, rows), width_rows(d))
}

largest <- function(v) if (all(is.na(v))) NA else max(v, na.rm = TRUE)

# What iterations may leave.
stopped <- function(method) {
  ifelse(method %in% names(wide_losses), 1e-6, ifelse(startsWith(method, "rls2"), 1e-8, 0))
}

# One row for the seeds of a method at a lambda.
over_seeds <- function(rows) {
  first <- rows[1, ]
  first[c("cond", "fit", "held")] <- lapply(rows[c("cond", "fit", "held")], largest)
  first$allowed <- .Machine$double.eps * first$cond + stopped(first$method)
  first$said <- paste(setdiff(unique(rows$said), ""), collapse = " ")
  first[c("method", "holdout", "folds", "ratio", "cond", "allowed", "fit", "held", "said")]
}

all_rows <- do.call(rbind, lapply(seeds, edge_of_seed))
key <- do.call(paste, c(all_rows[c("method", "holdout", "folds")],
                        list(ifelse(startsWith(all_rows$method, "ardrls"), "", all_rows$ratio))))
table <- do.call(rbind, lapply(split(all_rows, factor(key, unique(key))), over_seeds))
table <- table[order(match(table$method, unique(table$method)), table$holdout, table$folds,
                     -table$ratio), ]
table[c("cond", "allowed", "fit", "held")] <- lapply(table[c("cond", "allowed", "fit", "held")],
                                                     signif, 2)
say_provenance()
options(width = 130)
print(table, row.names = FALSE)
store(table, "edge.csv",
      paste("Errors at small lambda against 256-bit arithmetic; seed", toString(seeds)), 2, of_site)

# What nobody was told: errors above 1e-4 of the spread without a word.
worst <- pmax(all_rows$fit, all_rows$held, na.rm = TRUE)
silent <- !is.na(worst) & worst > 1e-4 & all_rows$said == ""
most <- 1000 * .Machine$double.eps * all_rows$cond + 1e-11 + stopped(all_rows$method)
beyond <- !is.na(worst) & worst > most
found <- sprintf("%d errors above 1e-4 of the spread without a word, %d beyond %s", sum(silent),
                 sum(beyond), paste("1000 eps cond + 1e-11 (families: + 1e-6, their certificates;",
                                    "gaps of rls2(): + 1e-8, its tol)"))
cat(sum(!is.na(worst)), " comparisons: ", found, "\n", sep = "")
if (any(silent | beyond)) print(all_rows[silent | beyond, ], row.names = FALSE, digits = 2)
record_check(
  "edge", findings = sum(silent | beyond),
  count = paste(sum(!is.na(worst)), "comparisons with 256-bit arithmetic, lambda from 1e-12 to 1",
                "times the largest eigenvalue"),
  note = paste0(found, "; rls2 and ardrls at the weights and widths that they find")
)
