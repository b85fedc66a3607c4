# Draws move with means and sigma, which the penalty moves by 1e-7.
tiny <- 1e-7
data <- local({
  set.seed(3)
  data <- data.frame(a = rnorm(40), b = runif(40), w = runif(40, 0.5, 2))
  data$y <- 1 + data$a - 2 * data$b + rnorm(40)
  data$n <- rpois(40, exp(0.5 + data$a / 2))
  data$trials <- rep_len(3:7, 40)
  data$hits <- rbinom(40, data$trials, plogis(data$a))
  data
})

test_that("with the same seed draws are those of lm() and glm()", {
  same <- function(fit, model) {
    ours <- simulate(fit, 3, seed = 7)
    theirs <- simulate(model, 3, seed = 7)
    expect_equal(as.list(ours), as.list(theirs), tolerance = 1e-5)
    expect_identical(rownames(ours), rownames(theirs))
    expect_identical(attr(ours, "seed"), attr(theirs, "seed"))
  }
  same(quiet(rls(y ~ a + b, data, lambda = tiny, weights = w)), lm(y ~ a + b, data, weights = w))
  same(quiet(rls(n ~ a + b, data, lambda = tiny, family = "poisson")),
       glm(n ~ a + b, poisson(), data))
  shares <- simulate(quiet(rls(cbind(hits, trials - hits) ~ a, data, lambda = tiny,
                               family = "binomial")), 3, seed = 7)
  theirs <- simulate(glm(cbind(hits, trials - hits) ~ a, binomial(), data), 3, seed = 7)
  expect_equal(unlist(shares, use.names = FALSE),
               unlist(lapply(theirs, function(x) x[, 1] / data$trials), use.names = FALSE))
})

test_that("the user's random numbers go on as stats has it", {
  fit <- quiet(rls(y ~ a, data, lambda = 1))
  set.seed(5)
  before <- .Random.seed
  expect_identical(simulate(fit, seed = 2), simulate(fit, seed = 2))
  expect_identical(.Random.seed, before)
  drawn <- simulate(fit, 2)
  expect_identical(attr(drawn, "seed"), before)
  set.seed(5)
  expect_identical(simulate(fit, 2), drawn)
  expect_false(identical(simulate(fit, 2), drawn))
})

test_that("draws have the means and the variances of their families", {
  count <- 4000
  around <- function(drawn, mean, variance) {
    drawn <- as.matrix(drawn)
    error <- sqrt(variance / count)
    expect_lt(max(abs(rowMeans(drawn) - mean) / error), 4.5)
    expect_lt(abs(mean(apply(drawn, 1, var) / variance) - 1), 0.05)
  }
  gamma <- quiet(rls(exp(y) ~ a, data, family = Gamma("log"), lambda = 1, weights = w))
  mu <- as.vector(fitted(gamma))
  phi <- sum(data$w * (exp(data$y) / mu - 1)^2) / (40 - gamma$df - 1)
  around(simulate(gamma, count, seed = 1), mu, phi * mu^2 / data$w)
  negative <- quiet(rls(n ~ a, data, family = MASS::negative.binomial(2), lambda = 1))
  mu <- as.vector(fitted(negative))
  around(simulate(negative, count, seed = 1), mu, mu + mu^2 / 2)
  # Weights of classes are not numbers of trials.
  two <- quiet(rls(factor(y > 0, labels = c("no", "yes")) ~ a, data, family = "binomial",
                   lambda = 1, weights = w))
  drawn <- simulate(two, count, seed = 1)
  expect_identical(levels(drawn$sim_1), c("no", "yes"))
  p <- predict(two)
  around((drawn == "yes") + 0, p, p * (1 - p))
})

test_that("cross-validations draw at what they have chosen, rows without weight are missing", {
  set.seed(1)
  cv <- quiet(cv.rls(y ~ a, data, nfolds = 5, weights = replace(w, 3, 0)))
  expect_notes(simulate(cv) | warning_weights | "1 row of weight zero is not drawn, but NA")
  drawn <- quiet(simulate(cv, seed = 1))
  expect_identical(drawn, quiet(simulate(cv$fit, seed = 1, s = cv$lambda.min)))
  expect_identical(which(is.na(drawn$sim_1)), 3L)
  expect_refusals({
    simulate(cv$fit) | lambda | "Responses are for a single point of the path .. x 50 points"
    simulate(cv, 0) | argument | "`nsim` must be a whole number of at least 1"
    simulate(cv, s = cv$lambda.min, k = 1) | dots | "Unknown argument `k`"
    simulate(rls(y > 0 ~ a, data, lambda = 1)) | object | "Responses are drawn for one .. x classes"
    simulate(rls(Species ~ ., iris, lambda = 1, family = "binomial")) | object | "one output"
    simulate(rls(cbind(y, a) ~ b, data, lambda = 1)) | object | "Responses are .. x 2 outputs"
    simulate(rls(n ~ a, data, family = "quasipoisson", lambda = 1)) | family | "A quasi-likelihood"
    simulate(own(y ~ a, data, method = mean_method())) | object | "The fit leaves no degrees of"
    simulate(rls(y ~ a, data[1:2, ], lambda = 1e-9)) | lambda | "No degree of freedom is left"
    simulate(rls(I(hits / trials) ~ a, data, lambda = 1, weights = w, family = "binomial")) |
      weights | "Shares are drawn where `weights` are whole .. numbers of trials"
  })
})
