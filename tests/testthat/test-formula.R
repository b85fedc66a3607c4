set.seed(1)
d <- data.frame(
  a = rnorm(60), b = runif(60), f = factor(sample(c("u", "v", "w"), 60, TRUE)),
  s = sample(c("x", "y"), 60, TRUE), site = rep(1:12, 5), w = runif(60)
)
d$y <- d$a + (d$f == "v") + 0.1 * rnorm(60)
kernel <- kernel_gaussian(0.3)
lambda <- c(1, 0.1)

test_that("subset and missing values keep row numbers, groups and folds in step", {
  gaps <- d
  gaps$a[c(4, 20)] <- NA
  kept <- setdiff(which(gaps$b > 0.2), c(4, 20))
  basis <- head(kept, 12)
  by_formula <- cv.sparserls(y ~ a + b, gaps, subset = b > 0.2, basis = basis, kernel = kernel,
                             lambda = lambda, groups = site, weights = w, keep = TRUE)
  x <- as.matrix(gaps[kept, c("a", "b")])
  by_hand <- cv.sparserls(x, gaps$y[kept], match(basis, kept), kernel, lambda,
                          weights = gaps$w[kept], groups = gaps$site[kept], keep = TRUE)
  expect_equal(by_formula$fit.preval, by_hand$fit.preval, ignore_attr = TRUE)
  expect_identical(by_formula$fit$basis, basis)
  # Folds as lists count rows of the data as supplied, too.
  folds <- split(1:60, rep(1:6, 10))
  a <- cv.sparserls(y ~ a + b, gaps, subset = b > 0.2, basis = basis, kernel = kernel,
                    lambda = lambda, folds = folds)
  b <- cv.sparserls(y ~ a + b, gaps, subset = b > 0.2, basis = basis, kernel = kernel,
                    lambda = lambda, foldid = rep(1:6, 10))
  expect_equal(a$cvm, b$cvm)
  set.seed(2)
  chosen <- sparserls(y ~ a + b, gaps, subset = b > 0.2, basis = basis_groups(d$site), lambda = 1)
  expect_true(all(chosen$basis %in% kept))
  expect_identical(anyDuplicated(d$site[chosen$basis]), 0L)
})

test_that("contrasts of the fit serve predictions, whatever the options are then", {
  fit <- sparserls(y ~ a + f, d, basis = 1:20, kernel = kernel, lambda = 1)
  before <- predict(fit, d)
  withr::local_options(contrasts = c("contr.sum", "contr.poly"))
  expect_identical(predict(fit, d), before)
})

test_that("variables that the formula leaves out are not looked at in new rows", {
  d$site <- factor(sprintf("site %d", d$site))
  d$day <- as.Date("2026-11-22") + seq_len(60)
  fit <- sparserls(y ~ . - site - day, d, basis = 1:10, kernel = kernel, lambda = lambda)
  same <- sparserls(y ~ a + b + f + s + w, d, basis = 1:10, kernel = kernel, lambda = lambda)
  expect_equal(predict(fit, d), predict(same, d))
  new <- d[c("a", "b", "f", "s", "w")][1:4, ]
  expect_equal(predict(fit, new), predict(same, new))
  # A variable of an interaction is in a term.
  crossed <- rls(y ~ a * site - site, d, lambda = 1)
  expect_error(predict(crossed, cbind(new, site = "elsewhere")), "levels the model has not seen")
  expect_error(predict(crossed, new), "lacks columns")
  # So it is of rows in chunks, whose levels need not be those of others.
  parts <- chunks_function(4, function(i) transform(d[15 * i - 14:0, ], site = factor(site)))
  chunked <- rls(y ~ . - site - day, parts, lambda = lambda)
  expect_equal(predict(chunked, cbind(new, site = "elsewhere")),
               predict(rls(y ~ a + b + f + s + w, d, lambda = lambda), new), tolerance = 1e-10)
})
