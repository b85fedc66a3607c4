# Likelihoods of rows in chunks against the same call in memory: the same rows, basis and folds,
# with all certificates at 1e-6.

family_rows_of <- function(seed, m) {
  set.seed(seed)
  d <- data.frame(a = rnorm(m), b = rnorm(m), g = sample(40, m, TRUE), time = rexp(m) + 0.1,
                  w = sample(0:3, m, TRUE))
  eta <- sin(2 * d$a) + d$b / 2
  d$f <- d$g %% 5
  d$class <- factor(ifelse(runif(m) < plogis(eta), "yes", "no"))
  d$share <- rbinom(m, 4, plogis(eta)) / 4
  d$count <- rpois(m, d$time * exp(eta / 2))
  d$over <- rnbinom(m, mu = exp(eta / 2), size = 2)
  d$positive <- rgamma(m, 2, 2 / exp(eta / 2))
  d
}

expect_as_in_memory <- function(d, size, formula, family, basis = 20, ...) {
  pieces <- split(seq_len(nrow(d)), ceiling(seq_len(nrow(d)) / size))
  call <- function(data, basis, ...) {
    quiet(cv.sparserls(formula, data, basis = basis, kernel = kernel_gaussian(gamma = 0.5),
                       foldid = "f", family = family, certificate = 1e-6, ...))
  }
  chunked <- call(as_chunks(d, pieces), basis, nlambda = 6, ...)
  # A basis of given points has numbers of its own.
  memory <- call(d, if (is.numeric(basis)) chunked$fit$basis else basis,
                 lambda = chunked$lambda, ...)
  expect_s3_class(chunked, "cv.glmrls")
  expect_gt(length(chunked$lambda), 3)
  expect_lt(max(chunked$steps$share), 1e-6)
  spread <- sd(predict(memory, d, type = "link"))
  expect_equal(chunked$cvm, memory$cvm, tolerance = 1e-6)
  expect_equal(chunked$cvsd, memory$cvsd, tolerance = 1e-4)
  expect_equal(chunked$lambda.1se, memory$lambda.1se)
  for (s in c("lambda.min", "lambda.1se")) {
    difference <- predict(chunked, d, s = s, type = "link") -
      predict(memory, d, s = s, type = "link")
    expect_lt(max(abs(difference)), 2e-6 * spread)
  }
  expect_equal(chunked$fit$df, memory$fit$df, tolerance = 1e-3)
  expect_equal(chunked$fit$dev.ratio, memory$fit$dev.ratio, tolerance = 1e-7)
  expect_equal(chunked$fit$nulldev, memory$fit$nulldev)
  invisible(list(chunked = chunked, memory = memory))
}

test_that("cross-validations are those of the rows in memory", {
  d <- family_rows_of(1, 520)
  # In one chunk more rows than a block of the core (ROW_BLOCK, src/linalg.h).
  expect_as_in_memory(d, 520, count ~ a + b + offset(log(time)), "poisson", weights = "w")
  d <- d[1:160, ]
  expect_as_in_memory(d, 90, class ~ a + b, "binomial", weights = "w")
  expect_as_in_memory(d, 37, positive ~ a + b, Gamma("log"), weights = "w")
  expect_as_in_memory(d, 140, over ~ a + b, MASS::negative.binomial(2))
})

test_that("so they are with other modes, measures, offsets and bases", {
  d <- family_rows_of(2, 150)
  expect_as_in_memory(d, 90, share ~ a + b, "binomial", holdout_basis = "keep_loss",
                      type.measure = "mse", weights = "w")
  expect_as_in_memory(d, 100, class ~ a + b, "binomial", holdout_basis = "skip",
                      type.measure = "class")
  expect_as_in_memory(d, 100, count ~ a + b, "poisson", offset = "time", type.measure = "mae",
                      rule = "paired", holdout_basis = "keep")
  expect_as_in_memory(d, 100, count ~ a + b, "poisson", intercept = FALSE,
                      basis = d[1:20, c("a", "b")])
})

test_that("folds that leave twins and spanned vectors out are refits in memory, too", {
  d <- family_rows_of(3, 80)
  d[41:80, c("a", "b")] <- d[1:40, c("a", "b")]
  call <- function(data, basis) {
    cv.sparserls(count ~ a + b, data, basis = basis, kernel = kernel_gaussian(gamma = 0.5),
                 foldid = "f", family = "poisson", certificate = 1e-6, lambda = c(30, 3, 0.3))
  }
  twins <- 0
  for (draw in 1:2) {
    found <- with_named_basis(call(as_chunks(d, split(seq_len(80), rep(1:4, each = 20))),
                                   basis_random(20)))
    if (!found$known) next
    memory <- quiet(call(d, I(found$basis)))
    twins <- twins + length(found$basis) - length(memory$fit$basis)
    expect_equal(found$value$cvm, memory$cvm, tolerance = 1e-6)
  }
  expect_gt(twins, 1)
})

test_that("linear models and fits alone are those in memory", {
  d <- family_rows_of(4, 150)
  pieces <- split(seq_len(150), rep(1:3, each = 50))
  linear <- function(data, ...) {
    quiet(cv.rls(count ~ a + b + g, data, foldid = "f", offset = "time", family = "poisson",
                 certificate = 1e-6, ...))
  }
  chunked <- linear(as_chunks(d, pieces), nlambda = 10)
  memory <- linear(d, lambda = chunked$lambda)
  expect_equal(chunked$cvm, memory$cvm, tolerance = 1e-6)
  expect_equal(coef(chunked), coef(memory), tolerance = 1e-6)
  fit <- sparserls(class ~ a + b, as_chunks(d, pieces), basis = 30, family = "binomial",
                   kernel = kernel_gaussian(gamma = 0.5), lambda = c(10, 1, 0.1))
  same <- sparserls(class ~ a + b, d, basis = fit$basis, family = "binomial",
                    kernel = kernel_gaussian(gamma = 0.5), lambda = c(10, 1, 0.1))
  expect_equal(coef(fit), coef(same), tolerance = 1e-6)
  expect_equal(predict(fit, as_chunks(d, pieces), s = 1, type = "prob"),
               predict(same, d, s = 1, type = "prob"), tolerance = 1e-6, ignore_attr = TRUE)
})

test_that("groups stay whole, results do not depend on the cuts, and passes resume", {
  d <- family_rows_of(5, 200)
  d$id <- sample(200)
  run <- function(cuts, ...) {
    set.seed(1)
    quiet(cv.sparserls(class ~ a + b, as_chunks(d, split(seq_len(200), cuts), key = "id"),
                       basis = 20, kernel = kernel_gaussian(gamma = 0.5), groups = g, nfolds = 4,
                       family = "binomial", nlambda = 6, ...))
  }
  folder <- withr::local_tempfile()
  one <- run(rep(1:2, each = 100), checkpoint = folder)
  other <- run(rep(1:5, 40))
  expect_equal(one$cvm, other$cvm, tolerance = 1e-5)
  expect_equal(one$ngroups, length(unique(d$g)))
  passes <- list.files(folder, "^newton")
  unlink(file.path(folder, passes[c(2, 5)]))
  again <- run(rep(1:2, each = 100), checkpoint = folder)
  expect_identical(again[c("cvm", "cvsd")], one[c("cvm", "cvsd")])
  expect_identical(again$fit$alpha, one$fit$alpha)
})

test_that("held-out predictions are written, and widths are searched by squares", {
  d <- family_rows_of(6, 500)
  pieces <- split(seq_len(500), rep(1:2, each = 250))
  folder <- withr::local_tempfile()
  cv <- quiet(cv.sparserls(count ~ a + b + offset(log(time)), as_chunks(d, pieces), basis = 30,
                           kernel = kernel_gaussian(), foldid = "f", family = "poisson",
                           nlambda = 8, keep = folder))
  expect_gt(nrow(cv$kernels), 2)
  expect_setequal(cv$kernels$error, c("squared", "likelihood"))
  memory <- quiet(cv.sparserls(count ~ a + b + offset(log(time)), d, basis = cv$fit$basis,
                               kernel = cv$kernel, foldid = "f", family = "poisson",
                               lambda = cv$lambda, keep = TRUE))
  held <- unlist(lapply(cv$predictions, function(file) readRDS(file)$prediction[, 1, 1]))
  at <- match(cv$lambda.min, memory$lambda)
  expect_equal(held, unname(memory$fit.preval[, at]), tolerance = 1e-5)
  # In memory the same squares, of the rows of the sample that is all of them.
  squares <- cv$curves[[which(cv$kernels$error == "squared")[1]]]
  working <- working_rows(cv$fit$family, matrix(d$count), rep(1, 500), log(d$time),
                          log(sum(d$count) / sum(d$time)))
  set.seed(1)
  same <- quiet(cv.sparserls(d[c("a", "b")], working$y[, 1], weights = working$weights,
                             basis = 30, kernel = squares$kernel, foldid = d$f))
  expect_equal(min(squares$cvm), min(same$cvm), tolerance = 0.05)
})

test_that("what families do not have in chunks is refused", {
  d <- family_rows_of(7, 200)
  d$three <- factor(sample(letters[1:3], 200, TRUE))
  d$lone <- as.numeric(d$f == 1)
  chunks <- as_chunks(d, split(seq_len(200), rep(1:2, each = 100)))
  cv <- function(formula, family = "poisson", ...) {
    cv.sparserls(formula, chunks, basis = 10, kernel = kernel_gaussian(gamma = 1), family = family,
                 progress = FALSE, ...)
  }
  expect_refusals({
    cv(count ~ a, nfolds = "loo") | family | "With a family rows in chunks .. Give `nfolds`: groups"
    cv(class ~ a, "binomial", type.measure = "auc", nfolds = 3) |
      measure | 'must be a mean .. AUC .. "deviance", "class", "mse", "mae"'
    cv(three ~ a, "binomial", nfolds = 3) | family | "a single output .. 3 outputs .. Fit each"
    cv(cbind(count, f) ~ a, "binomial", nfolds = 3) |
      family | "single output .. 2 outputs .. give the share, with the trials as `weights`"
    cv(count ~ a, "negbin", nfolds = 3) | family | "theta is not estimated .. from a sample"
    cv(a ~ b, nfolds = 3) | y | "The Poisson family needs non-negative `y`"
    cv(count ~ a, nfolds = 3, offset = "log(time)") | formula | "`offset` must name a column"
    cv(count ~ a, NULL, nfolds = 3, offset = "time") |
      offset | "take no offset .. with a family they take"
    cv(lone ~ a, foldid = "f") | folds | "Without a fold the training rows are all .. fold 2"
    rls(count ~ a, chunks, lambda = lambda_df(1), family = "poisson") | lambda | "for least squares"
  })
  fitted <- quiet(cv(count ~ a + b, foldid = "f", holdout_basis = "keep", nlambda = 4))
  expect_refusals({
    predict(fitted, d[1:3, ], interval = "jackknife+") |
      family | "no intervals for rows in chunks .. Fit a sample"
    vcov(fitted) | family | "no jackknife: fits with a family to rows in chunks have none .. sample"
    vcov(fitted, type = "sandwich") | family | "to rows in chunks have none"
    fitted(fitted) | object | "keeps none of them"
  })
})
