# Effects: what they cost, and whether their intervals cover.
#
#   Rscript bench/derivatives.R [time] [coverage] [krls]
#
# time      m = 5000, n = 500: derivatives of all rows by 20 features, the leave-one-cluster-out
#           covariance of 500 clusters and what keep = TRUE costs, in fits of one lambda
# coverage  95 % intervals of average derivatives, by leave-one-out and by leave-one-cluster-out,
#           beside those of KRLS (its formulas) and of a linear model: of the truth, and of the mean
#           of the estimates, which leaves out the bias of the penalty
# krls      time and values beside the package KRLS where that is installed
suppressMessages(library(sparserls))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "store.R"))
source(file.path(here, "krls.R"))
say_provenance()

seconds <- function(code) {
  times <- vapply(1:3, function(i) system.time(code())[["elapsed"]], 0)
  median(times)
}

quiet <- function(code) suppressWarnings(suppressMessages(code))

time_effects <- function(m = 5000, n = 500, p = 20) {
  set.seed(1)
  x <- matrix(rnorm(m * p), m)
  y <- sin(x[, 1]) + x[, 2] * x[, 3] + rnorm(m)
  kernel <- kernel_gaussian(0.02)
  basis <- sample(m, n)
  cluster <- rep(1:500, length.out = m)
  one <- seconds(function() quiet(sparserls(x, y, I(basis), kernel, 1)))
  fit <- quiet(sparserls(x, y, I(basis), kernel, 1))
  in_fits <- function(what, code) {
    time <- seconds(code)
    cat(sprintf("%-62s %6.2f s  %5.2f fits\n", what, time, time / one))
    time
  }
  cat(sprintf("one fit of one lambda: %.2f s\n", one))
  in_fits("derivatives of all rows by 20 features, errors by gp", function() derivatives(fit, x))
  cv <- function(...) {
    quiet(cv.sparserls(x, y, I(basis), kernel, 1, groups = cluster, nfolds = 10, progress = FALSE,
                       ...))
  }
  in_fits("cross-validation, 10 folds of clusters", function() cv())
  # What keep = TRUE adds: refits of the folds, and both covariances.
  in_fits("the same with keep = TRUE", function() cv(keep = TRUE))
  unit_time(x, y, basis, kernel, cluster, one)
}

# The covariances alone, from the training list of the core.
unit_time <- function(x, y, basis, kernel, cluster, one) {
  design <- as_design(x, y, NULL)
  validation <- new_validation(design, 10, NULL, cluster, NULL, NULL, "mse", TRUE, FALSE)
  problem <- sparserls_problem(design, quote(f()), list(kernel), I(basis), 1, 1L, TRUE,
                                        TRUE, 1e-7, 1L, validation, solver = "auto",
                                        holdout_basis = "remove", reselect = FALSE)
  candidate <- candidates(problem)[[1]]
  part <- basis_part(problem, candidate)
  for (rotate in c(TRUE, FALSE)) {
    model <- train_part(problem, candidate, part, rotate = rotate)
    for (leave in c(TRUE, FALSE)) for (by in c("500 clusters", "rows")) {
      units <- c(list(groups = if (by != "rows") cluster), leaving_units(problem, model))
      time <- seconds(function() unit_sums(turned(model$training), 1, units, leave))
      cat(sprintf("%-62s %6.2f s  %5.2f fits\n",
                  sprintf("%s over %s%s", if (leave) "jackknife" else "sandwich", by,
                          if (rotate) ", training turned" else ""), time, time / one))
    }
  }
}

environment(unit_time) <- list2env(list(seconds = seconds), parent = asNamespace("sparserls"))

# ---- coverage ------------------------------------------------------------------------

# A cluster jackknife of lm(): CV3; clusters NULL: rows.
lm_average <- function(x, y, cluster) {
  units <- if (is.null(cluster)) as.list(seq_along(y)) else split(seq_along(y), cluster)
  design <- cbind(1, x)
  slopes <- function(rows) lm.fit(design[rows, , drop = FALSE], y[rows])$coefficients[-1]
  whole <- slopes(seq_along(y))
  moved <- vapply(units, function(out) slopes(-out) - whole, whole)
  list(average = whole, std.error = sqrt(rowSums(moved^2) * (length(units) - 1) / length(units)),
       df = length(units) - 1)
}

# x and its clusters are drawn once, noise anew in every simulation: with clusters features and
# noise vary between them.
draw_design <- function(linear, clusters, m = 200) {
  x <- matrix(rnorm(m * 3), m)
  cluster <- if (clusters) sample(20, m, TRUE, prob = (1:20) / 20 + 0.3)
  if (clusters) x <- sqrt(0.5) * x + sqrt(0.5) * matrix(rnorm(60), 20)[cluster, ]
  f <- if (linear) x[, 1] - 0.5 * x[, 2] else sin(1.5 * x[, 1]) + 0.5 * x[, 2]^2
  truth <- if (linear) c(1, -0.5, 0) else c(mean(1.5 * cos(1.5 * x[, 1])), mean(x[, 2]), 0)
  list(x = x, cluster = cluster, f = f, truth = truth)
}

# Estimates, standard errors and half widths of the three features by every method.
estimate_once <- function(design) {
  x <- design$x
  cluster <- design$cluster
  y <- design$f + rnorm(nrow(x)) + if (is.null(cluster)) 0 else rnorm(20)[cluster]
  search <- function(f, ...) {
    quiet(f(x, y, ..., keep = TRUE, groups = cluster, nfolds = if (is.null(cluster)) "loo"))
  }
  result <- function(found, df) c(found$average, qt(0.975, df) * found$std.error)
  of <- function(object, type) {
    found <- derivatives(object, x, type = type)
    result(found, found$df)
  }
  full <- search(cv.rls, kernel_gaussian(1 / 3))
  krls <- krls_average(x, y, full$lambda.min, 1 / 3)
  linear_model <- lm_average(x, y, cluster)
  rbind(`rls(), jackknife` = of(full, "jackknife"), `rls(), sandwich` = of(full, "sandwich"),
        `rls(), gp` = of(full, "gp"),
        `50 basis vectors, jackknife` = of(search(cv.sparserls, basis_rpcholesky(50),
                                                  kernel_gaussian(1 / 3)), "jackknife"),
        `linear kernel, jackknife` = of(search(cv.rls), "jackknife"),
        `KRLS (its formulas)` = result(krls, length(y)),
        `lm(), jackknife` = result(linear_model, linear_model$df))
}

# Of the truth, and of the mean of the estimates over simulations: without the penalty's bias.
cover <- function(times = 500) {
  for (linear in c(TRUE, FALSE)) for (clusters in c(FALSE, TRUE)) {
    set.seed(1)
    design <- draw_design(linear, clusters)
    results <- replicate(times, estimate_once(design))
    estimates <- results[, 1:3, ]
    half <- results[, 4:6, ]
    covers <- function(centre) apply(abs(estimates - as.vector(centre)) <= half, 1:2, mean)
    of_truth <- covers(matrix(rep(design$truth, each = dim(results)[1]), ncol = 3))
    of_mean <- covers(apply(estimates, 1:2, mean))
    table <- cbind(of_truth, of_mean, 2 * apply(half, 1:2, mean))
    colnames(table) <- paste0(rep(c("truth", "mean", "width"), each = 3), ".", 1:3)
    cat(sprintf("\n%s truth, %s; %d simulations\n", if (linear) "linear" else "nonlinear",
                if (clusters) "20 clusters" else "independent rows", times))
    print(round(table, 3))
  }
}

# ---- KRLS ------------------------------------------------------------------------------

beside_krls <- function(m = 500) {
  if (!requireNamespace("KRLS", quietly = TRUE)) {
    cat("KRLS is not installed\n")
    return(invisible())
  }
  set.seed(1)
  x <- matrix(rnorm(m * 4), m, dimnames = list(NULL, paste0("x", 1:4)))
  y <- sin(x[, 1]) + x[, 2] * (x[, 4] + 1) + rnorm(m) / 2
  krls <- NULL
  theirs <- system.time(krls <- KRLS::krls(x, y, sigma = 4, print.level = 0))[["elapsed"]]
  cv <- found <- NULL
  ours <- system.time({
    cv <- quiet(cv.rls(x, y, kernel_gaussian(1 / 4), nfolds = "loo"))
    found <- derivatives(cv, x, type = "gp")
  })[["elapsed"]]
  cat(sprintf("m = %d: krls() %.2f s, cv.rls() and derivatives() %.2f s\n", m, theirs, ours))
  # The same problem: KRLS standardizes with divisor m - 1, y too, and centres y by its mean.
  same <- derivatives(rls(x, drop(scale(y)), kernel_gaussian((m - 1) / m / 4), krls$lambda,
                          intercept = FALSE), x)
  formulas <- krls_average(x, y, krls$lambda, 1 / 4)
  print(cbind(KRLS = drop(krls$avgderivatives), sparserls = sd(y) * same$average,
              KRLS.se = sqrt(drop(krls$var.avgderivatives)), formulas.se = formulas$std.error,
              jackknife.se = sd(y) * same$std.error))
}

asked <- commandArgs(TRUE)
if (length(asked) == 0) asked <- c("time", "coverage", "krls")
if ("time" %in% asked) invisible(time_effects())
if ("coverage" %in% asked) cover(as.integer(Sys.getenv("SIMULATIONS", "500")))
if ("krls" %in% asked) beside_krls()
