# Lines of profiles can be told apart, and axes and titles say what is drawn.

# The settings of the first plot that plot_call() draws.
drawn <- function(plot_call) {
  namespace <- asNamespace("sparserls")
  seen <- NULL
  record <- function(settings) if (is.null(seen)) seen <<- settings
  suppressMessages(trace("plot_with", bquote(.(record)(settings)), print = FALSE,
                         where = namespace))
  on.exit(suppressMessages(untrace("plot_with", where = namespace)))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off(), add = TRUE)
  plot_call()
  seen
}

test_that("named lines have colours of their own, beyond eight as well; the others are grey", {
  set.seed(1)
  x <- matrix(rnorm(60 * 15), 60)
  fit <- rls(x, drop(x %*% 15:1) + rnorm(60), lambda = 10^(3:-2))
  seen <- drawn(function() plot(fit, labels = 12))
  named <- setdiff(seen$col, "grey75")
  expect_length(named, 12)
  expect_identical(sum(seen$col == "grey75"), 3L)
  expect_gt(length(unique(seen$lty)), 1)
  widths <- ardrls(x[, 1:11], x[, 1], 20, kernel_gaussian(), c(Inf, 1), maxit = 2)
  expect_length(unique(drawn(function() plot(widths, labels = 11))$col), 11)
})

test_that("the axis says whether features were standardized", {
  label <- function(fit) drawn(function() plot(fit))$ylab
  expect_match(label(rls(lpsa ~ . - train, prostate)), "standardized features")
  expect_identical(label(rls(lpsa ~ . - train, prostate, standardize = FALSE)), "Coefficient")
  expect_match(label(rls2(lpsa ~ . - train, prostate)), "standardized features")
  expect_identical(label(rls2(lpsa ~ . - train, prostate, standardize = FALSE)), "Coefficient")
})

test_that("the title says which class or output is drawn", {
  title <- function(fit, ...) drawn(function() plot(fit, ...))$main
  expect_null(title(rls(lpsa ~ . - train, prostate)))
  expect_identical(title(rls(Species ~ ., iris), output = 3), "Class \"virginica\"")
  expect_identical(title(rls2(Species ~ ., iris), output = 1), "Class \"setosa\"")
  two <- subset(iris, Species != "setosa")
  two$Species <- factor(two$Species)
  expect_identical(title(rls(Species ~ ., two)), "Class \"virginica\"")
  both <- rls(cbind(a = lpsa, b = lcavol) ~ age + lbph, prostate)
  expect_identical(title(both, output = 2), "b")
  slopes <- derivatives(sparserls(Species ~ ., iris, basis = 20), s = 1)
  expect_identical(title(slopes, output = 2), "Class \"versicolor\"")
})

test_that("the variance of estimates has a log scale", {
  set.seed(2)
  curves <- matrix(exp(rnorm(40, 0, 3)), 10)
  estimates <- cv_estimates(a = curves, b = 2 * curves, lambda = 4:1)
  expect_identical(drawn(function() plot(estimates, "variance"))$log, "y")
  expect_identical(drawn(function() plot(estimates, "mean"))$log, "")
  same <- cv_estimates(a = matrix(1, 3, 4), lambda = 4:1)
  expect_identical(drawn(function() plot(same, "variance"))$log, "")
  expect_silent(plot(estimates, "variance", ylim = c(1e-3, 1e9)))
})

test_that("a legend has room above the data, in a small figure too", {
  grDevices::png(tempfile(), 6, 3.8, units = "in", res = 72)
  on.exit(grDevices::dev.off())
  for (lines in 1:8) {
    plot(0:1, 0:1, ylim = room_above(c(0, 1), lines))
    box <- legend("topleft", rep("kernel", lines), lty = 1, cex = 0.8, inset = 0.01)$rect
    expect_gt(box$top - box$h, 1)
  }
})
