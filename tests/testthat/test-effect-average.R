test_that("kernels without a derivative have differences", {
  set.seed(1)
  m <- 60
  x <- cbind(a = rnorm(m), b = rnorm(m))
  y <- x[, 1] * x[, 2] + x[, 1] + rnorm(m)
  k <- exp(-0.5 * as.matrix(dist(x))^2)
  others <- rank(x[, 1])
  move <- function(d) d[order(x[, 1])[pmin(others + 5, m)], , drop = FALSE]
  custom <- kernel_custom(function(x, z) exp(-0.5 * reference_squares(x, z)))
  effects <- function(cross, newdata, kernel, ...) {
    set.seed(2)
    cv <- quiet(cross(newdata, y, kernel = kernel, lambda = c(1, 0.1), keep = TRUE,
                      foldid = rep(1:5, 12), standardize = FALSE, ...))
    average_effect(cv, move, newdata = newdata)
  }
  expect_same <- function(...) {
    wanted <- effects(..., newdata = x, kernel = kernel_gaussian(0.5))
    for (found in list(effects(..., newdata = x, kernel = custom),
                       effects(..., newdata = k, kernel = kernel_precomputed()))) {
      for (field in c("average", "std.error", "plugin")) {
        expect_equal(found[[field]], wanted[[field]], tolerance = 1e-6)
      }
    }
  }
  expect_same(cv.rls)
  expect_same(cv.sparserls, basis = I(seq(1, 60, 4)))
  expect_same(cv.sparserls, basis = basis_random(15), reselect = TRUE)
})

test_that("of data with more rows those of the fit are taken, by their names", {
  men <- transform(prostate, keep = rep_len(c(TRUE, FALSE, TRUE), 97))
  men$age[3] <- NA
  cv <- quiet(cv.rls(lpsa ~ lcavol + age, men, kernel_gaussian(0.1), subset = keep,
                     keep = TRUE, nfolds = 5))
  more <- function(rows) transform(rows, lcavol = lcavol + 1)
  wanted <- average_effect(cv, more, newdata = men[men$keep & !is.na(men$age), ])
  expect_identical(average_effect(cv, more), wanted)
  expect_identical(average_effect(cv, more, newdata = men), wanted)
})

set.seed(1)
data <- data.frame(a = rnorm(60), f = factor(sample(c("u", "v", "w"), 60, TRUE)),
                   t = rbinom(60, 1, 0.5))
data$y <- with(data, a + (f == "v") + t + rnorm(60))
cv <- quiet(cv.sparserls(y ~ a + f + t, data, 20, kernel_gaussian(0.3), c(1, 0.1), keep = TRUE))
up <- function(d) transform(d, a = a + 1)

test_that("what average_effect() cannot do is refused", {
  moved <- function(f, ...) average_effect(cv, f, ...)
  expect_refusals({
    moved(function(d) replace(d, "a", Inf)) | argument | "not finite .. in row 1, column `a`: Inf"
    moved(function(d) d[order(d$a), ]) | argument | "`f` must leave the rows in their order"
    moved(function(d) replace(d, "a", NA)) | argument | "`f` returns rows with missing values"
    moved(up, newdata = rbind(data, data)) | newdata | "`newdata` are not the rows of the fit"
  })
  # A vector with a value for each row makes subgroups, whatever its values.
  expect_identical(moved(up, by = rep("y", 60))$average, c("effect, y" = moved(up)$average[[1]]))
})

x <- as.matrix(prostate[1:3])
y <- prostate$lpsa

test_that("effects of no rows are refused, those of rows with missing values too", {
  fit <- sparserls(x, y, I(1:20), lambda = 1)
  frame <- rls(lpsa ~ lcavol, prostate, lambda = 1)
  gaps <- data.frame(lcavol = c(NA, NA_real_))
  all <- as.matrix(prostate[1:8])
  expect_refusals({
    derivatives(fit, x[0, , drop = FALSE]) | newdata | "no rows without missing values .. 0 rows"
    derivatives(rls(all, y, kernel_gaussian(0.1), 1e-300), all, type = "sandwich") |
      lambda | "No degree of freedom is left .. df 96"
    derivatives(frame, gaps) | newdata | "no rows without missing values: .. 2 rows"
  })
  expect_true(all(is.finite(derivatives(fit, x[1, , drop = FALSE])$std.error)))
})

test_that("intervals and standard errors are numbers at any lambda", {
  fits <- function(lambda) {
    list(rls(x, y, lambda = lambda, solver = "svd"), rls(x, y, lambda = lambda, solver = "primal"),
         rls(x, y, lambda = lambda, solver = "dual"), sparserls(x, y, I(1:20), lambda = lambda),
         sparserls(x, y, I(1:20), kernel_polynomial(2), lambda, weights = rep(1e-20, 97)),
         greedyrls(x, y, 2, lambda = lambda))
  }
  for (lambda in c(1e100, 1e300, 1e307)) {
    for (fit in suppressWarnings(fits(lambda))) for (noise in c("df", "reml")) {
      ends <- predict(fit, x, interval = "gp", noise = noise)
      expect_true(all(is.finite(ends)), info = paste(class(fit)[1], lambda))
      expect_true(all(is.finite(predict(fit, x, se.fit = TRUE, noise = noise)$se.fit)))
    }
  }
  # All is noise: the interval is that of a mean.
  ends <- predict(rls(x, y, lambda = 1e307, solver = "svd"), x[1:2, ], interval = "gp")
  mean <- predict(lm(y ~ 1), prostate[1:2, ], interval = "prediction", level = 0.9)
  expect_equal(unname(ends), unname(mean))
  effects <- derivatives(rls(x, y, lambda = 1e307, solver = "svd"), x, type = "gp")
  expect_true(all(is.finite(effects$std.error) & effects$std.error > 0))
})
