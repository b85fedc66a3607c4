# Methods of others: the lasso of a package that is not ours (inst/toylasso), against what the lasso
# is by definition; and the checker that its author would use, which lets right methods pass and
# says what is wrong with others.

source(system.file("check-method.R", package = "sparserls"), local = TRUE)
checked <- function(...) {
  capture.output(found <- check_method(...))
  found
}

folder <- tempfile("library")
dir.create(folder)
ran <- system2(file.path(R.home("bin"), "R"), c(
  "CMD", "INSTALL", "--no-docs", "--no-test-load", paste0("--library=", shQuote(folder)),
  shQuote(system.file("toylasso", package = "sparserls"))
), stdout = FALSE, stderr = FALSE, env = paste0("R_LIBS=", paste(.libPaths(), collapse = ":")))
# Not by its name: it is no package that ours needs.
do.call(library, list("toylasso", lib.loc = folder))

set.seed(1)
data <- data.frame(y = 0, a = rnorm(60), b = 100 * runif(60), f = factor(rep(c("u", "v", "w"), 20)))
data$y <- data$a - data$b / 50 + (data$f == "v") + rnorm(60) / 3
x <- as.matrix(data[c("a", "b")])
w <- runif(60)
id <- rep(1:12, 5)
lambda <- c(20, 5, 1, 0.01)
same <- function(found, expected, tolerance = 1e-7) {
  expect_equal(as.vector(found), as.vector(expected), tolerance = tolerance)
}

test_that("the package is one file of less than 50 lines that takes one name of ours", {
  file <- system.file("toylasso", "R", "lasso.R", package = "sparserls")
  lines <- readLines(file)
  expect_identical(list.files(dirname(file)), "lasso.R")
  expect_lt(length(lines), 50)
  expect_no_match(lines, ":::", fixed = TRUE)
  expect_identical(unlist(regmatches(lines, gregexpr("sparserls::\\w+", lines))),
                   "sparserls::own_method")
})

test_that("its coefficients are those of the lasso", {
  fit <- own(y ~ ., data, method = lasso(lambda), weights = w)
  # No slope of the loss is steeper than lambda, and that of a feature that counts as steep.
  xs <- scale(model.matrix(y ~ ., data)[, -1])
  share <- w / sum(w)
  sd <- apply(model.matrix(y ~ ., data)[, -1], 2, function(a) {
    sqrt(sum(share * (a - sum(share * a))^2))
  })
  residuals <- residuals(fit)
  slopes <- coef(fit)[-1, ] * sd
  steep <- crossprod(model.matrix(y ~ ., data)[, -1], w * residuals) / sd
  for (l in seq_along(lambda)) {
    counts <- slopes[, l] != 0
    expect_true(all(abs(steep[, l]) <= lambda[l] * (1 + 1e-7)))
    same(steep[counts, l], lambda[l] * sign(slopes[counts, l]), 1e-5)
  }
  same(colSums(w * residuals), numeric(4))
  expect_identical(colSums(slopes != 0)[[1]], 1)
  expect_identical(own(y ~ ., data, method = lasso())$lambda[30] > 0, TRUE)
})

# Least squares on the rows sqrt(w) x and, below them, sqrt(lambda) I.
ridge <- function(lambda = 10^(2:-2)) {
  train <- function(x, y, weights, path) {
    p <- ncol(x)
    vapply(path, function(lambda) {
      rows <- rbind(sqrt(weights) * cbind(1, x), sqrt(lambda) * cbind(0, diag(p)))
      as.matrix(lm.fit(rows, rbind(sqrt(weights) * y, matrix(0, p, ncol(y))))$coefficients)
    }, matrix(0, 1 + p, ncol(y)))
  }
  own_method("ridge", list(lambda = lambda), train, coef = identity)
}
ours <- function(x, y) rls(x, y, lambda = 10^(2:-2), solver = "primal")

test_that("a method of others is fitted as one of ours", {
  fit <- own(y ~ ., data, method = ridge(), weights = w)
  other <- rls(y ~ ., data, weights = w, lambda = 10^(2:-2), solver = "primal")
  for (answer in list(coef, fitted, residuals, deviance, weights, nobs, formula)) {
    expect_equal(answer(fit), answer(other), tolerance = 1e-8)
  }
  at <- c(10, 0.1)
  same(coef(fit, s = at), coef(other, s = at))
  same(predict(fit, data[5:9, ], s = at), predict(other, data[5:9, ], s = at))
  expect_identical(sigma(fit), rep(NA_real_, 5))
  same(coef(update(fit, . ~ . - f)), coef(update(other, . ~ . - f)))
  several <- cbind(u = data$y, v = data$a^2)
  expect_equal(coef(own(x, several, ridge())), coef(ours(x, several)), tolerance = 1e-8)
  expect_identical(predict(own(x, data$f, ridge()), x, type = "class"),
                   predict(ours(x, data$f), x, type = "class"))
  gaps <- replace(data, "a", list(replace(data$a, 3, NA)))
  same(predict(fit, gaps[1:4, ], s = 1), predict(other, gaps[1:4, ], s = 1))
  chunks <- chunks_function(3, function(i) data[(i - 1) * 20 + 1:20, ])
  same(predict(fit, chunks, s = 1), predict(fit, data, s = 1))
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  expect_equal(predict(own(sparse, data$y, ridge()), sparse), predict(own(x, data$y, ridge()), x))
})

test_that("a method of others is cross-validated as one of ours, and repeats its choice", {
  both <- function(...) {
    found <- seeded(7, quiet(cv.own(..., method = ridge(), progress = FALSE)))
    set.seed(7)
    expected <- quiet(cv.rls(..., lambda = 10^(2:-2), solver = "primal", progress = FALSE))
    for (name in c("cvm", "cvsd", "lambda.min", "lambda.1se", "fit.preval")) {
      same(found[[name]], expected[[name]])
    }
    expect_equal(found$nested[c("cvm", "cvsd")], expected$nested[c("cvm", "cvsd")])
    list(found, expected)
  }
  alike <- function(pair, ...) {
    expect_equal(predict(pair[[1]], ...), predict(pair[[2]], ...), tolerance = 1e-7)
  }
  pair <- both(x, data$y, weights = w, groups = id, nfolds = 4, keep = TRUE, outer = 3)
  expect_identical(names(pair[[1]]$nested), names(pair[[2]]$nested))
  alike(pair, x[1:7, ], interval = "jackknife+", s = "lambda.1se")
  both(y ~ ., data, folds = list(list(score = 1:20, omit = 1:25), 26:60))
  both(x, data$y, foldid = rep(1:5, 12), type.measure = "mae", rule = "paired", keep = TRUE)
  both(x, data$y, strata = data$f, nfolds = 5)
  outputs <- both(x, cbind(u = data$y, v = data$a + data$b^2), nfolds = 5, by.output = TRUE,
                  keep = TRUE)
  same(outputs[[1]]$lambda.min.output, outputs[[2]]$lambda.min.output)
  alike(outputs, x, s = "lambda.min.output")
  for (y in list(data$f, data$f == "v")) {
    pair <- both(x, y, nfolds = 5)
    alike(pair, x, type = "prob")
    alike(pair, x, type = "class")
  }
  alike(pair, x, type = "class", threshold = 0.4)
  # A path that is made of the rows is made once, of all of them.
  held <- function(method) cv.own(x, data$y, method, groups = id, weights = w, keep = TRUE)
  one <- held(lasso())
  expect_length(one$lambda, 30)
  expect_identical(held(lasso(one$lambda))$fit.preval, one$fit.preval)
})

smoother <- function(width = c(4, 2, 1, 0.5)) {
  own_method(
    "smoother", path = list(width = width),
    train = function(x, y, weights, path) list(x = x, y = y, weights = weights, width = path),
    predict = function(model, x) {
      squares <- outer(rowSums(x^2), rowSums(model$x^2), "+") - 2 * tcrossprod(x, model$x)
      scores <- vapply(model$width, function(width) {
        near <- exp(-squares / (2 * width^2))
        near %*% (model$weights * model$y) / drop(near %*% model$weights)
      }, matrix(0, nrow(x), ncol(model$y)))
      array(scores, c(nrow(x), ncol(model$y), length(model$width)))
    }
  )
}

test_that("right methods pass, in words", {
  expect_output(found <- check_method(function() lasso(10^(1:-2))), "^24 checks, 0 failed$")
  expect_identical(found, character())
  some <- 1:20
  expect_identical(checked(smoother, x[some, 2:1], data$y[some]), character())
  # Two neighbours are two, whatever their weight: below they fail the check of weights.
  nearest <- function() {
    method <- smoother(c(9, 3, 1))
    method$predict <- function(model, x) {
      each <- apply(x, 1, function(row) {
        order <- order(colSums((t(model$x) - row)^2))
        vapply(model$width, function(k) colMeans(model$y[order[1:k], , drop = FALSE]), model$y[1,])
      })
      aperm(array(each, c(ncol(model$y), length(model$width), nrow(x))), c(3, 1, 2))
    }
    method
  }
  expect_identical(checked(nearest, x[some, ], data$y[some], weights = FALSE), character())
})

# The lasso or the smoother with a fault. train, predict, coef: functions of the right function and
# its arguments.
broken <- function(train = NULL, predict = NULL, coef = NULL,
                   right = function() lasso(10^(1:-2))) {
  function() {
    method <- right()
    wrap <- function(fault, whole) {
      force(whole)
      if (is.null(fault)) whole else function(...) fault(whole, ...)
    }
    method$train <- wrap(train, method$train)
    if (!is.null(method$predict)) method$predict <- wrap(predict, method$predict)
    if (!is.null(method$coef)) method$coef <- wrap(coef, method$coef)
    method
  }
}

test_that("broken methods do not, and the words say why", {
  # By the check that is to find it alone.
  every <- method_checks
  on.exit(method_checks <<- every)
  expect_fault <- function(make, check) {
    method_checks <<- every[names(every) == check]
    found <- checked(make)
    expect_true(any(startsWith(found, paste0(check, ":"))), info = toString(found))
  }
  expect_fault(broken(function(right, x, y, weights, path) right(x, y, 0 * weights + 1, path)),
               "weights of two")
  # A path of its own, from the rows that it has.
  expect_fault(broken(function(right, x, y, weights, path) {
    steepest <- max(abs(crossprod(x, weights * y)))
    right(x, y, weights, steepest * 10^-seq(0, 3, length.out = length(path)))
  }), "a part of the path")
  expect_fault(broken(coef = function(right, model) {
    right(model)[, , rev(seq_len(dim(model)[3])), drop = FALSE]
  }), "from the simplest model on")
  # values x outputs where outputs x values are asked for
  expect_fault(broken(coef = function(right, model) {
    matrix(aperm(right(model), c(1, 3, 2)), nrow(model))
  }), "several outputs")
  expect_fault(broken(function(right, x, y, weights, path) {
    right(x[1:20, , drop = FALSE], y[1:20, , drop = FALSE], weights[1:20], path)
  }), "order of rows")
  expect_fault(broken(function(right, x, ...) right(x + rnorm(length(x)) / 100, ...)),
               "random numbers")
  # The first model for all data, in this session.
  cache <- new.env()
  expect_fault(broken(function(right, x, y, ...) {
    key <- toString(dim(y))
    if (is.null(cache[[key]])) cache[[key]] <- right(x, y, ...)
    cache[[key]]
  }), "a fit again")
  # The same by a method that is made afresh: what it was first trained with it never forgets.
  expect_fault(function() {
    seen <- NULL
    broken(function(right, x, y, weights, path) {
      if (is.null(seen) || nrow(x) > nrow(seen$x)) seen <<- list(x = x, y = y, w = weights)
      right(seen$x, seen$y, seen$w, path)
    })()
  }, "folds")
  smooth <- function(predict) broken(predict = predict, right = smoother)
  expect_fault(smooth(function(right, model, x) right(model, sweep(x, 2, colMeans(x)))),
               "one row of new data")
  expect_fault(smooth(function(right, model, x) replace(right(model, x), 1, NaN)), "fit")
  expect_fault(smooth(function(right, model, x) right(model, x)[order(x[, 1]), , , drop = FALSE]),
               "order of new rows")
})

test_that("what users see of methods of others", {
  set.seed(3)
  cv <- quiet(cv.own(x, data$y, smoother(), foldid = rep(1:5, 12), keep = TRUE, outer = 3))
  linear <- cv.own(y ~ ., data, method = lasso(lambda), foldid = rep(1:5, 12))
  expect_said({
    print(cv$fit)
    summary(cv$fit)
    print(cv)
    summary(cv)
    update(linear$fit, . ~ a, method = lasso(1))
  })
  withr::local_pdf(NULL)
  expect_silent(plot(cv))
  expect_silent(plot(linear$fit))
  expect_identical(generics::tidy(cv)$width, c(4, 2, 1, 0.5))
  expect_identical(generics::glance(cv)$width.min, cv$width.min)
  expect_identical(generics::tidy(cv, what = "nested")$width, cv$nested$chosen$width)
  skip_if_not_installed("ggplot2")
  expect_silent(print(ggplot2::autoplot(cv)))
  expect_silent(print(ggplot2::autoplot(linear$fit)))
})

test_that("what a method of others lacks, or takes otherwise, is refused", {
  cv <- quiet(cv.own(x, data$y, smoother(), nfolds = 5))
  fit <- cv$fit
  bare <- replace(fit, "fitted", list(NULL))
  odd <- function(...) own_method("odd", list(lambda = 1), train = function(...) 1, ...)
  expect_refusals({
    own(x, data$y) | method | "`method` must be a result of own_method(). .. NULL"
    own(x, data$y, lasso) | method | "`method` must be a result of own_method(). .. function"
    odd() | method | "A method needs a path with a name, `train`, and either `predict` or `coef`."
    own_method("odd", list(1), mean, mean) | method | "A method needs a path with a name"
    own(x, data$y, odd(function(model, x) 1:2)) | method |
      "`predict` of the method must return finite numbers, 60 x 1 x 1. .. numeric vector of size 2"
    own(x, data$y, odd(coef = function(model) matrix(1, 2))) | method |
      "`coef` of the method must return finite numbers, 3 x 1 x 1. .. numeric matrix of size 2 x 1"
    coef(cv) | object | "Fits of own() have no coefficients."
    predict(fit, x, se.fit = TRUE) | object | "Fits of own() have no view as a Gaussian process."
    derivatives(cv, x) | object | "Fits of own() have no derivatives."
    effect_curve(cv, "a", x) | object | "Fits of own() have no expansion."
    vcov(fit) | object | "Only fits of sparserls() and rls() have covariances. .. own of size 20"
    plot(fit) | argument | "Fits of own() have no path of lambda to draw. .. a path of `width`"
    predict(cv, x, 5) | width | "`s` is not on the path of `width`. .. 5"
    predict(cv, x, "lambda.min") | width | "`s` must be \"width.min\", .. \"lambda.min\""
    predict(cv, x, interval = "jackknife+") | keep | "The cross-validation has not kept its refits."
    fitted(bare) | object | "Fits of own() keep no fitted values."
    cv.own(x, cbind(data$y, data$a), smoother(), by.output = TRUE) | argument |
      "`by.output = TRUE` needs a path of `lambda`. .. a path of `width`"
    own(x, data$y, smoother(c(3, 20, 9))) | width | "A path of `width` .. numeric vector of size"
    own(x, data$y, smoother("a")) | width | "A path of `width` must be numbers. .. \"a\""
    own(x, data$y, lasso(1:3)) | lambda | "A path of `lambda` must go from the simplest model on."
    own(x, data$y, lasso(c(1, NA))) | lambda | "A path of `lambda` must .. numeric vector of size 2"
    own(y ~ a - 1, data, method = lasso()) | formula | "own() takes no formula without an"
    own(y ~ a + offset(b), data, method = lasso()) | offset | "own() takes no offset."
    own(x, data$y, lasso(), lamda = 1) | dots | "lamda"
    new_path(k = c(1, 3, 2), lambda = 2) | k | "A path of `k` must go .. numeric vector of size 3"
    new_path(penalty = c(2, 1, 1, 2), kind = c("a", "a", "b", "b")) | penalty |
      "A path of `penalty` must go from the simplest model on. .. numeric vector of size 4"
    new_path(penalty = c(2, 1, 2, 3, 1), kind = c("a", "a", "b", "b", "b")) | penalty |
      "A path of `penalty` must go from the simplest model on. .. numeric vector of size 5"
  })
  expect_identical(new_path(k = 1:3, lambda = 2)$k, 1:3)
})

test_that("methods of others stay in the main session", {
  called <- 0
  counted <- function() {
    method <- ridge()
    train <- method$train
    method$train <- function(...) {
      called <<- called + 1
      train(...)
    }
    method
  }
  skip_without_workers()
  local_plan(future::multisession, workers = 2)
  quiet(cv.own(x, data$y, counted(), foldid = rep(1:3, 20), progress = FALSE))
  expect_identical(called, 4)
})
