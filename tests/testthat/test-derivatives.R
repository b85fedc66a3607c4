smooth_case <- function(seed) {
  case <- random_case(seed)
  p <- ncol(case$x)
  named <- setNames(c(exp(runif(p - 1, -3, 0)), 0), paste0("V", seq_len(p)))
  if (seed %% 5 == 0) {
    case$kernel <- switch(sample(3, 1), kernel_gaussian(named), kernel_laplacian(named),
                          kernel_matern(2.5, named))
  }
  if (seed %% 5 == 1) {
    map <- matrix(rnorm(p * sample(p, 1)) / 2, p)
    case$kernel <- switch(seed %% 4 + 1, kernel_linear(map = map), kernel_gaussian(map = map),
                          kernel_matern(1.5, map = map), kernel_matern(0.5, map = map))
  }
  case$standardize <- runif(1) < 0.5
  case
}

test_that("derivatives are central differences of predict()", {
  cases <- Filter(function(case) case$kernel$name != "custom", lapply(3001:3026, smooth_case))
  expect_gt(length(cases), 18)
  for (case in cases) {
    fit <- case_fit(case)
    new <- matrix(rnorm(7 * ncol(case$x)), 7)
    weights <- runif(7)
    found <- derivatives(fit, new, s = case$lambda[3], type = "gp", weights = weights)
    expected <- central_differences(fit, new, case$lambda[3])
    # Differences of numbers of the size of f have an error of 1e-16 / h.
    scale <- max(abs(expected), abs(predict(fit, new, s = case$lambda[3])))
    values <- array(found$derivatives, dim(expected))
    expect_lt(max(abs(values - expected)) / scale, 1e-7)
    expect_equal(as.vector(found$average), as.vector(apply(values, 2:3, weighted.mean, weights)))
  }
})

test_that("blocks of rows, near pairs and offsets do not show", {
  set.seed(1)
  x <- matrix(rnorm(1300 * 3), 1300) + 1e4
  x[2, ] <- x[1, ] + 1e-7
  y <- sin(x[, 1]) + rnorm(1300) / 9
  for (kernel in list(kernel_gaussian(20), kernel_matern(0.5, 1), kernel_matern(2.5, 3))) {
    fit <- sparserls(x, y, I(1:40), kernel, 0.01, standardize = FALSE)
    found <- derivatives(fit, x)
    a <- coef(fit)[-1, ]
    by_hand <- vapply(c(1, 2, 600, 1300), function(i) {
      steps <- rep(x[i, ], each = 40) - x[1:40, ]
      squares <- rowSums(steps^2)
      slope <- .Call(ffi_kernel_at, kernel_list(fit$kernel), squares)$slope
      colSums(2 * a * slope * steps)
    }, numeric(3))
    expect_equal(unname(found$derivatives[c(1, 2, 600, 1300), ]), t(by_hand), tolerance = 1e-9)
    expect_equal(unname(found$average), unname(colMeans(found$derivatives)))
  }
})

test_that("kinks count as 0", {
  x <- matrix(c(0, 1, 2, 3, 0.5, 4))
  y <- c(0, 1, 0, 1, 3, 2)
  for (kernel in list(kernel_laplacian(0.5), kernel_matern(0.5, 0.5))) {
    fit <- sparserls(x, y, I(1:2), kernel, 0.1, standardize = FALSE)
    a <- coef(fit)[-1, ]
    k <- kernel_matrix(kernel, matrix(0:1))[1, 2]
    # At one basis vector only the other has a slope: its kernel rises towards it.
    rate <- if (kernel$name == "laplacian") 0.5 else sqrt(0.5)
    expect_equal(as.vector(derivatives(fit, x[1:2, , drop = FALSE])$derivatives),
                 unname(c(a[2], -a[1]) * rate * k))
  }
})

test_that("sparse and dense rows have the same derivatives", {
  set.seed(2)
  x <- matrix(rnorm(300) * rbinom(300, 1, 0.4), 30)
  x[, 1] <- rbinom(30, 1, 0.5)
  y <- x[, 1] + sin(x[, 2]) + rnorm(30) / 5
  sparse <- as(x, "CsparseMatrix")
  for (kernel in list(kernel_gaussian(0.1), kernel_polynomial(2), kernel_matern(0.5, 0.1),
                      kernel_linear())) {
    one <- derivatives(sparserls(x, y, I(1:12), kernel, 0.1), x)
    fit <- sparserls(sparse, y, I(1:12), kernel, 0.1)
    expect_identical(fit$dummies, 1L)
    for (rows in list(x, sparse)) {
      two <- derivatives(fit, rows)
      expect_equal(two[c("derivatives", "average", "vcov", "x")],
                   one[c("derivatives", "average", "vcov", "x")], tolerance = 1e-6)
    }
  }
})

test_that("levels have first differences, however they are coded", {
  set.seed(4)
  data <- data.frame(
    u = rnorm(60), f = factor(sample(c("low", "mid", "top"), 60, TRUE)),
    g = sample(c("no", "yes"), 60, TRUE), l = rnorm(60) > 0
  )
  data$y <- data$u * (data$f == "mid") + (data$g == "yes") + data$l * 2 + rnorm(60) / 5
  fits <- list(
    rls(y ~ u + f + g + l, data, lambda = 0.5),
    sparserls(y ~ ., data, basis = 20, kernel = kernel_gaussian(0.2), lambda = 0.1),
    sparserls(y ~ u * f + g + l, data, basis = 20, kernel = kernel_linear(), lambda = 0.1),
    sparserls(data[1:4], data$y, basis = 20, kernel = kernel_matern(1.5, 0.2), lambda = 0.1)
  )
  for (fit in fits) {
    found <- derivatives(fit, data)
    expect_true(all(c("u", "fmid", "ftop", "gyes", "lTRUE") %in% names(found$average)))
    change <- function(name, to, from) {
      at <- function(value) {
        moved <- data
        moved[[name]] <- if (name == "f") factor(rep(value, 60), levels(data$f)) else value
        unname(predict(fit, moved))
      }
      at(to) - at(from)
    }
    expect_equal(unname(found$derivatives[, c("fmid", "ftop", "gyes", "lTRUE")]),
                 cbind(change("f", "mid", "low"), change("f", "top", "low"),
                       change("g", "yes", "no"), change("l", TRUE, FALSE)))
    expect_identical(unname(found$x[, "ftop"]), as.double(data$f == "top"))
    expect_equal(found$average, colMeans(found$derivatives))
  }
  # Columns of zeros and ones, but not of one value or of three.
  x <- cbind(a = data$u, b = data$f == "mid", c = rep(0:2, 20), d = 1)
  fit <- sparserls(x, data$y, I(1:15), lambda = 0.1)
  found <- derivatives(fit, x)
  expect_identical(names(which(found$difference)), "b")
  with <- function(value) predict(fit, replace(x, cbind(1:60, 2), value))
  expect_equal(unname(found$derivatives[, "b"]), with(1) - with(0))
  # Numbers between are no reason for derivatives: the rows of the fit decide.
  expect_true(derivatives(fit, rbind(c(a = 0, b = 0.5, c = 1, d = 1)))$difference[["b"]])
  # Of the interaction the columns with numbers are left, with names in backticks too.
  odd <- setNames(data[c("u", "f", "y")], c("a b", "if", "y"))
  expect_identical(unname(derivatives(rls(y ~ `a b` * `if`, odd, lambda = 1), type = "gp")$average),
                   unname(derivatives(rls(y ~ u * f, data, lambda = 1), type = "gp")$average))
  expect_identical(names(derivatives(fits[[3]], data)$average),
                   c("u", "fmid", "ftop", "gyes", "lTRUE", "u:fmid", "u:ftop"))
  # Standard errors of differences of a linear fit are those of its coefficients.
  errors <- derivatives(fits[[1]], data, type = "gp")$std.error
  expect_equal(errors, sqrt(diag(vcov(fits[[1]], type = "gp")))[names(errors)])
})

test_that("without `newdata` a fit by a formula takes its own rows and weights", {
  data <- prostate
  data$size <- factor(ifelse(data$lcavol > 1, "large", "small"))
  data$lweight[c(3, 9)] <- NA
  data$w <- seq_len(nrow(data))
  fit <- sparserls(lpsa ~ lweight + log(age) + size, data, basis = 20, lambda = 0.1,
                   weights = w, subset = train, na.action = na.exclude)
  own <- derivatives(fit)
  rows <- data[data$train & !is.na(data$lweight), ]
  given <- derivatives(fit, rows, weights = rows$w)
  expect_equal(own[c("derivatives", "average", "vcov")], given[c("derivatives", "average", "vcov")])
  expect_identical(rownames(own$derivatives), rownames(rows))
  # Rows that had no group are left out again.
  data$g <- replace(rep_len(1:8, 97), 1, NA)
  cv <- quiet(cv.sparserls(lpsa ~ age, data, 10, groups = g, keep = TRUE))
  expect_equal(derivatives(cv)[c("average", "std.error")],
               derivatives(cv, data[-1, ])[c("average", "std.error")])
  some <- derivatives(fit, data[1:20, ])
  expect_true(all(is.na(some$derivatives[c(3, 9), ])))
  expect_equal(some$average, colMeans(some$derivatives[-c(3, 9), ]))
})

test_that("outputs and classes have derivatives each, of their scores", {
  set.seed(5)
  x <- matrix(rnorm(120), 40)
  y <- cbind(u = x[, 1], x[, 2]^2) + rnorm(80) / 5
  cv <- quiet(cv.sparserls(x, y, 1:12, nlambda = 3, keep = TRUE))
  found <- derivatives(cv, x)
  expect_identical(dimnames(found$derivatives)[-1], list(c("V1", "V2", "V3"), c("u", "y2")))
  expect_identical(dim(found$vcov), c(3L, 3L, 2L))
  of <- function(y) derivatives(rls(x, y, kernel_gaussian(0.1), 0.1), x)
  classes <- of(factor(x[, 1] > 0))
  expect_equal(classes$average, of(ifelse(x[, 1] > 0, 1, -1))$average)
  expect_output(print(classes), "of the scores, coded -1/.1, over 40 rows")
})

test_that("rls2() has derivatives without standard errors", {
  set.seed(6)
  x <- matrix(rnorm(120), 40)
  y <- cbind(sin(x[, 1]) + x[, 2], x[, 3]^2) + rnorm(80) / 5
  kernels <- list(kernel_linear(), kernel_gaussian(0.2, features = 1:2), kernel_laplacian(0.3),
                  kernel_matern(2.5, map = matrix(c(1, 0.2, -0.4, 0.1, 0.6, 0.3), 3)))
  for (fit in list(rls2(x, y, kernels, lambda = c(1, 0.1)), rls2(x, y, lambda = c(1, 0.1)),
                   rls2(x, y[, 1], kernels, lambda = c(1, 0.1), standardize = FALSE))) {
    new <- matrix(rnorm(15), 5)
    found <- derivatives(fit, new, s = 0.1)
    expected <- central_differences(fit, new, 0.1)
    expect_equal(as.vector(found$derivatives), as.vector(expected), tolerance = 1e-7)
    expect_true(all(is.na(found$std.error)))
    expect_output(print(summary(found)), "without standard errors")
  }
  x[, 2] <- x[, 2] > 0
  fit <- rls2(x, y[, 1], kernels, lambda = 0.1)
  with <- function(value) predict(fit, replace(x, cbind(1:40, 2), value))
  expect_equal(derivatives(fit, x)$derivatives[, 2], with(1) - with(0))
})

x <- as.matrix(prostate[1:8])
y <- prostate$lpsa
# Rows that are interpolated leave nothing for the noise.
every <- sparserls(x, y, I(1:97), kernel_gaussian(5), 1e-11, intercept = FALSE)
cv <- quiet(cv.sparserls(x, y, I(1:30), lambda = c(1, 0.1)))
kept <- quiet(update(cv, keep = TRUE))

test_that("the best type of standard errors is taken, and others are as vcov() has them", {
  type <- function(...) quiet(derivatives(...))$type
  expect_identical(type(sparserls(x, y, I(1:30), lambda = 1), x), "gp")
  expect_identical(type(rls(x, y, kernel_gaussian(0.1), 1), x), "jackknife")
  expect_identical(type(every, x), "none")
  expect_identical(type(cv, x), "gp")
  expect_identical(type(kept, x), "debiased")
  expect_identical(type(kept, x[-1, ]), "jackknife")
  found <- derivatives(kept, x, s = "lambda.1se", type = "sandwich")
  expect_identical(found$lambda, kept$lambda.1se)
  tidied <- generics::tidy(found)
  expect_equal(tidied$p.value, 2 * pt(-abs(tidied$estimate / tidied$std.error), found$df))
  expect_equal(unname(summary(found)$quartiles["lcavol", ]),
               unname(quantile(found$derivatives[, "lcavol"], c(0.25, 0.5, 0.75))))
  # A constant column is not tested.
  constant <- quiet(cv.sparserls(cbind(x[, 1:3], one = 1), y, I(1:20), keep = TRUE, nfolds = 5))
  tidied <- generics::tidy(derivatives(constant, cbind(x[, 1:3], one = 1)), conf.int = TRUE)
  for (column in c("statistic", "p.value", "conf.low", "conf.high")) {
    expect_identical(is.na(tidied[[column]]) & !is.nan(tidied[[column]]), rep(0:1, c(3, 1)) == 1)
  }
})

test_that("what derivatives and vcov() cannot do is refused", {
  fit <- sparserls(x, y, I(1:30), lambda = c(1, 0.1))
  custom <- sparserls(x, y, I(1:9), kernel_custom(tcrossprod), lambda = 1)
  given <- rls(tcrossprod(x), y, kernel_precomputed(), 1)
  greedy <- quiet(cv.greedyrls(x, y, 2, nfolds = 3))
  effects <- derivatives(rls(x, y, lambda = 1), x, type = "gp")
  lone <- quiet(cv.sparserls(x, y, I(1), lambda = 1, keep = TRUE, folds = list(3:50, 51:97)))
  expect_refusals({
    derivatives(fit, x) | lambda | "`s` must be a single value of lambda here"
    derivatives(fit, x, s = 1, type = "jackknife") | keep | 'of its rows, .. or use type = "gp"'
    derivatives(fit, x, s = 1, type = "bootstrap") | argument | '"jackknife", "gp", "sandwich"'
    derivatives(fit, x, s = 1, weights = 1:3) | weights | "one value for each of the 97 rows"
    derivatives(cv, x, type = "sandwich") | keep | 'which type = "sandwich" needs'
    derivatives(kept, x, s = 0.5) |
      message | "no debiased effects: refits were kept only at the chosen" |
      lambda | "The covariance was kept only at the chosen values .. Use 0.1"
    derivatives(every, x, type = "gp") | lambda | 'degree of freedom is left .. noise = "reml"'
    derivatives(custom, x) | kernel | "kernel whose derivative is known .. Give kernel_custom()"
    derivatives(given, tcrossprod(x)) | kernel | "derivative is known .. precomputed kernel"
    derivatives(greedy$fit, x) | object | "greedyrls() are linear: their coefficients .. coef()"
    derivatives(lone, x, type = "jackknife") | folds | "Not every unit can be left out .. holds all"
    vcov(fit, s = 1) | keep | "does not keep the influence of its rows"
    vcov(kept) | kernel | 'where basis vectors are removed .. holdout_basis = "keep" holds'
    vcov(greedy$fit, type = "gp") | object | "Only fits of .. Fit rls() to the selected features"
    plot(effects, terms = "none") | argument | '`terms` must name or number the terms .. "lcavol"'
    plot(effects, output = 2) | argument | "`output` must name or number one of the outputs"
  })
  # A row holds the whole basis.
  expect_identical(derivatives(lone, x)$type, "gp")
  expect_identical(derivatives(lone, x, type = "sandwich")$count, 97L)
})
