# Part `price` of families.R: what folds cost at lambda.min, in units of one fit: the kernel, its
# factor, and Newton's method from the null model. Seconds are the processor's, medians of `times`
# runs. The unit is timed anew beside each row, since other work on the machine moves both.

limit <- 60   # seconds for mgcv

# Two problems for each family: features that leave df / m below .04 at lambda.min, and others.
problems <- list(
  smooth = list(p = 5, kernel = kernel_gaussian(0.05), f = function(x) sin(x[, 1]) + x[, 2] / 2),
  rough = list(p = 20, kernel = kernel_gaussian(0.02),
               f = function(x) sin(x[, 1]) + x[, 2] * x[, 3])
)
families <- list(
  binomial = list(draw = function(f) rbinom(length(f), 1, plogis(f)), asked = "binomial"),
  poisson = list(draw = function(f) rpois(length(f), exp(f / 2)), asked = "poisson")
)

row <- function(what, time, unit, asked = "") {
  cat(sprintf("  %-46s %8.2f s %8.2f %s\n", what, time, time / unit, asked))
}

# The columns of the kernel in which the penalty is a sum of squares, K = Z R.
kernel_columns <- function(x, basis, kernel) {
  z <- scale(x) * sqrt(nrow(x) / (nrow(x) - 1))
  K <- kernel_matrix(kernel, z, z[basis, ])
  i <- cbind(basis, seq_along(basis))
  K[i] <- K[i] + 1e-7
  t(backsolve(chol(K[basis, ]), t(K), transpose = TRUE))
}

# mgcv's neighbourhoods that are folds.
neighbours <- function(foldid) {
  rows <- split(seq_along(foldid), foldid)
  list(k = unlist(rows), m = cumsum(lengths(rows)), i = unlist(rows), mi = cumsum(lengths(rows)))
}

price <- function(name, family) {
  problem <- problems[[name]]
  set.seed(1)
  x <- matrix(rnorm(size$m * problem$p), size$m)
  y <- families[[family]]$draw(problem$f(x))
  basis <- sample(size$m, size$n)
  foldid <- sample(rep_len(1:10, size$m))
  groups <- rep_len(seq_len(500), size$m)
  fit <- function(lambda, ...) sparserls(x, y, I(basis), problem$kernel, lambda, ...)
  cross <- function(lambda, ...) {
    cv.sparserls(x, y, I(basis), problem$kernel, lambda, family = family, progress = FALSE, ...)
  }
  path <- quiet(fit(NULL, nlambda = 20, family = family))
  whole <- quiet(cross(path$lambda[path$df < size$n / 2], foldid = foldid))
  lambda <- whole$lambda.min
  share <- path$df[match(lambda, path$lambda)] / size$m
  one <- function() fit(lambda, family = family)
  cat(sprintf("%s, %s: m = %d, n = %d, p = %d, df / m = %.3f at lambda.min\n", family, name,
              size$m, size$n, problem$p, share))
  cat(sprintf("  %-46s %10s %8s %s\n", "", "", "fits", "asked"))
  beyond <- share > 0.04
  folds <- function(what, asked, ...) {
    time <- alternating(one, function() cv <<- cross(lambda, ...))
    row(sprintf("%s (%d steps)", what, cv$steps$steps), time[2], time[1],
        sprintf("at most %d", asked))
  }
  cv <- NULL
  folds("ten folds", 2, foldid = foldid)
  folds("500 groups", if (beyond) 5 else 3, groups = groups)
  folds("leave-one-out", if (beyond) 25 else 12, nfolds = "loo")
  time <- alternating(function() fit(lambda), one, function() fit(path$lambda, family = family))
  row("one fit, in Gaussian fits", time[2], time[1])
  row("path of 20 lambdas, in Gaussian fits", time[3], time[1], "at most 40")
  if (name == "smooth") {
    peers(x, y, basis, problem$kernel, family, foldid, one, cross,
          lambda * 10^seq(2, -0.5, length = 20))
  }
}

# Ten folds of others, in the same units. glmnet has the kernel's columns too, where it is the same
# model; its lambda is ours over m. mgcv chooses its lambda by them.
peers <- function(x, y, basis, kernel, family, foldid, one, cross, grid) {
  time <- alternating(one, function() cross(grid, foldid = foldid))
  row("ten folds, 20 lambdas around lambda.min", time[2], time[1])
  unit <- time[1]
  others <- list()
  if (requireNamespace("glmnet", quietly = TRUE)) {
    z <- kernel_columns(x, basis, kernel)
    refits <- function(x, lambda, ...) function() {
      glmnet::cv.glmnet(x, y, family = family, alpha = 0, lambda = lambda, foldid = foldid, ...)
    }
    others[["glmnet, 20 lambdas, linear in the features"]] <- refits(x, grid / size$m)
    others[["glmnet, 20 lambdas, the kernel's columns"]] <- refits(z, grid / size$m,
                                                                   standardize = FALSE)
  }
  if (requireNamespace("kernlab", quietly = TRUE) && family == "binomial") {
    others[["kernlab::ksvm(cross = 10), one C and width"]] <- function() {
      kernlab::ksvm(x, factor(y), kernel = "rbfdot", kpar = list(sigma = kernel$gamma),
                    cross = 10)
    }
  }
  for (name in names(others)) row(name, alternating(others[[name]]), unit)
  if (utils::packageVersion("mgcv") < "1.9.0") {
    cat("  mgcv here has no NCV:", format(utils::packageVersion("mgcv")), "\n")
    return(invisible())
  }
  gam <- function() {
    mgcv::gam(y ~ z, family, paraPen = list(z = list(diag(ncol(z)))), method = "NCV",
              nei = neighbours(foldid))
  }
  tryCatch({
    setTimeLimit(cpu = limit, transient = TRUE)
    row("mgcv's NCV, its own lambda (one run)", seconds(gam), unit)
  }, error = function(e) cat(sprintf("  mgcv's NCV, its own lambda: more than %d s\n", limit)))
  setTimeLimit()
}

for (family in names(families)) for (name in names(problems)) price(name, family)
