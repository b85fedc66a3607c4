# What Dinuzzo (2010), section 5.1, prints of linear RLS2: the prostate data (table 1), and the
# binary strings (figure 3 and the text below it).

# All 97 rows standardized together (divisor n - 1), 67 of them for training.
prostate_case <- function() {
  x <- scale(as.matrix(prostate[, 1:8]))
  y <- prostate$lpsa
  train <- prostate$train
  list(x = x[train, ], y = y[train], new_x = x[!train, ], new_y = y[!train])
}

test_that("the published column of the prostate data, digit for digit, and the objective", {
  d <- prostate_case()
  fit <- rls2(d$x, d$y, lambda = c(0.0883, 0.0871), scaling = "norm", standardize = FALSE)
  b <- coef(fit, s = 0.0883)[, 1]
  published <- c(`(Intercept)` = 2.452, lcavol = 0.544, lweight = 0.207, age = 0, lbph = 0.104,
                 svi = 0.170, lcp = 0, gleason = 0, pgg45 = 0.064)
  expect_identical(round(b, 3), published)
  expect_identical(names(b)[b == 0], c("age", "lcp", "gleason"))
  expect_equal(b[["(Intercept)"]], mean(d$y), tolerance = 1e-14)
  loss <- (d$new_y - predict(fit, d$new_x, s = 0.0883))^2
  expect_identical(round(mean(loss), 3), 0.454)
  expect_identical(round(sd(loss) / sqrt(30), 3), 0.152)
  fit <- rls2(d$x, d$y, lambda = c(0.0883, 0.0871), standardize = FALSE, tol = 1e-12)
  expect_lt(abs(fit$objective[1] - 20.812088), 5e-7)
  expect_lt(abs(fit$objective[2] - 20.759748951), 5e-9)
  expect_true(all(fit$gap <= 1e-12))
})

test_that("the one-standard-error rule leaves five features or fewer, whatever the folds", {
  d <- prostate_case()
  for (seed in 1:5) {
    set.seed(seed)
    cv <- cv.rls2(d$x, d$y, lambda = 10^seq(1, -3, length.out = 50), standardize = FALSE)
    used <- rownames(coef(cv, s = "lambda.1se"))[coef(cv, s = "lambda.1se") != 0]
    expect_true(all(used %in% c("(Intercept)", "lcavol", "lweight", "lbph", "svi", "pgg45")))
    expect_true(all(c("lcavol", "lweight", "svi") %in% used))
  }
})

# The weights d at the lambda of the smallest test error, nothing centred. Bits that are zero in
# all training rows raise a warning, which is no matter here.
string_weights <- function(seed, m) {
  set.seed(seed)
  x <- matrix(rbinom(250 * 100, 1, 0.5), 250)
  y <- rowSums(x[, 1:3]) + rnorm(250, sd = 0.01)
  train <- seq_len(m)
  test <- 151:250
  fit <- suppressWarnings(rls2(x[train, ], y[train], lambda = 10^seq(2, -4, length.out = 61),
                               intercept = FALSE, standardize = FALSE))
  best <- which.min(colSums((y[test] - predict(fit, x[test, ]))^2))
  list(d = fit$d[, best], path = fit$d)
}

# On the first three bits at least 95 % of all weight, on each about a third.
three_thirds <- function(d) sum(d[1:3]) > 0.95 && all(abs(d[1:3] - 1 / 3) < 0.12)

test_that("binary strings: a third of the weight on each of the first three bits", {
  # A dozen examples suffice in most draws of the data, twenty in all.
  expect_gt(mean(vapply(1:10, function(seed) three_thirds(string_weights(seed, 12)$d), NA)), 0.5)
  for (seed in 1:10) {
    d <- string_weights(seed, 20)$d
    expect_true(three_thirds(d))
    expect_lt(max(d[-(1:3)]), 0.02)
  }
})

test_that("binary strings: all other weights are exactly zero at some lambda", {
  only_three <- function(path) {
    which(colSums(path[-(1:3), ] > 0) == 0 & colSums(path[1:3, ] > 0) == 3)
  }
  # Exactly zero at every lambda they are not: the noise of y is fitted by small weights.
  clean <- vapply(1:10, function(seed) length(only_three(string_weights(seed, 50)$path)) > 0, NA)
  expect_gte(sum(clean), 9)
  # A draw in which a dozen examples suffice.
  path <- string_weights(seed = 3, 12)$path
  only <- only_three(path)
  expect_gt(length(only), 0)
  expect_lt(max(abs(path[1:3, max(only)] - 1 / 3)), 0.05) # at the smallest such lambda
})
