# Engines of parsnip against the functions that they call.
skip_if_not_installed("parsnip")
train <- prostate[prostate$train, -10]
new <- prostate[!prostate$train, -10][1:6, ]

test_that("linear_reg() is rls(), and one fit serves all penalties", {
  spec <- parsnip::set_engine(parsnip::linear_reg(penalty = 3), "sparserls")
  found <- parsnip::fit(spec, lpsa ~ ., train)
  expect_equal(predict(found, new)$.pred,
               unname(predict(rls(lpsa ~ ., train, lambda = 3), new)))
  penalties <- c(1e-3, 3, 1e4)
  rows <- parsnip::multi_predict(found, new, penalty = rev(penalties))
  wanted <- predict(rls(lpsa ~ ., train, lambda = penalties), new)
  for (i in 1:6) {
    expect_identical(rows$.pred[[i]]$penalty, penalties)
    expect_equal(rows$.pred[[i]]$.pred, rev(unname(wanted[i, ])))
  }
  expect_equal(parsnip::multi_predict(found, new)$.pred[[2]]$.pred, predict(found, new)$.pred[2])
  weights <- rep(c(1, 3), length.out = nrow(train))
  weighted <- parsnip::fit(spec, lpsa ~ ., train,
                           case_weights = hardhat::importance_weights(weights))
  expect_equal(predict(weighted, new)$.pred,
               unname(predict(rls(lpsa ~ ., train, lambda = 3, weights = weights), new)))
})

test_that("without a penalty lambda is chosen; sparse x stays sparse", {
  spec <- parsnip::set_engine(parsnip::linear_reg(), "sparserls", nfolds = "loo")
  found <- parsnip::fit(spec, lpsa ~ ., train)
  cv <- cv.rls(lpsa ~ ., train, nfolds = "loo")
  expect_identical(found$fit$lambda, cv$lambda.min)
  expect_equal(predict(found, new)$.pred, unname(predict(cv, new)))
  x <- as.matrix(train[1:8])
  sparse <- parsnip::fit_xy(parsnip::set_engine(parsnip::linear_reg(penalty = 2), "sparserls"),
                            Matrix::Matrix(x, sparse = TRUE), train$lpsa)
  expect_equal(predict(sparse, Matrix::Matrix(x[1:3, ], sparse = TRUE))$.pred,
               unname(predict(rls(x, train$lpsa, lambda = 2), x[1:3, ])))
})

test_that("svm_rbf() and svm_linear() are sparserls(), cost is 1 / lambda", {
  spec <- parsnip::set_engine(
    parsnip::svm_rbf("regression", cost = 0.5, rbf_sigma = 0.1), "sparserls", basis = 1:20
  )
  found <- parsnip::fit(spec, lpsa ~ ., train)
  wanted <- sparserls(lpsa ~ ., train, 1:20, kernel_gaussian(0.1), c(10, 2, 0.5))
  expect_equal(predict(found, new)$.pred, unname(predict(wanted, new, s = 2)))
  rows <- parsnip::multi_predict(found, new, cost = c(2, 0.1))
  expect_equal(rows$.pred[[3]], list(cost = c(0.1, 2),
                                     .pred = unname(predict(wanted, new, s = c(10, 0.5))[3, ])),
               ignore_attr = TRUE)
  linear <- parsnip::set_engine(parsnip::svm_linear("regression", cost = 1), "sparserls",
                                basis = 1:20)
  wanted <- sparserls(lpsa ~ ., train, 1:20, kernel_linear(), 1)
  expect_equal(predict(parsnip::fit(linear, lpsa ~ ., train), new)$.pred,
               unname(predict(wanted, new)))
})

test_that("svm_rbf() takes factors as they are, by a formula and by fit_xy(); sparse x too", {
  data <- cbind(train, site = rep_len(c("a", "b", "c"), 67),
                grade = factor(rep_len(3:1, 67), ordered = TRUE), group = rep_len(1:5, 67))
  spec <- parsnip::set_engine(
    parsnip::svm_rbf("regression", cost = 0.5, rbf_sigma = 0.1), "sparserls", basis = 1:20
  )
  rows <- data[c(2, 30, 60), ]
  for (form in list(lpsa ~ . - group, lpsa ~ site * age + grade, lpsa ~ log(age) + lcavol + site)) {
    # Some rows coincide.
    found <- suppressWarnings(parsnip::fit(spec, form, data))
    wanted <- suppressWarnings(sparserls(form, data, 1:20, kernel_gaussian(0.1), 2))
    expect_equal(predict(found, rows)$.pred, unname(predict(wanted, rows)))
    expect_equal(parsnip::multi_predict(found, rows, cost = 0.5)$.pred[[2]]$.pred,
                 predict(found, rows)$.pred[2])
  }
  x <- data[setdiff(names(data), "lpsa")]
  weights <- rep_len(1:3, 67)
  for (x in list(x, x[1:8])) {
    found <- parsnip::fit_xy(spec, x, data$lpsa,
                             case_weights = hardhat::importance_weights(weights))
    wanted <- sparserls(x, data$lpsa, 1:20, kernel_gaussian(0.1), 2, weights = weights)
    expect_equal(predict(found, rows)$.pred, unname(predict(wanted, rows)))
    expect_identical(found$fit$object$blueprint$type, wanted$blueprint$type)
  }
  gaps <- replace(data, "site", list(replace(data$site, 3, NA)))
  cv <- parsnip::set_engine(parsnip::svm_rbf("regression"), "sparserls", basis = 21:40,
                            groups = data$group)
  found <- parsnip::fit(cv, lpsa ~ . - group, gaps)
  wanted <- cv.sparserls(lpsa ~ . - group, gaps, 21:40, groups = group, progress = FALSE)
  expect_identical(found$fit$lambda, wanted$lambda.min)
  expect_true(is.na(predict(found, gaps[3, ])$.pred))
  sparse <- Matrix::Matrix(as.matrix(train[1:8]), sparse = TRUE)
  found <- parsnip::fit_xy(spec, sparse, train$lpsa)
  expect_s4_class(found$fit$object$points$x, "sparseMatrix")
  expect_equal(predict(found, sparse[1:3, ])$.pred,
               unname(predict(sparserls(sparse, train$lpsa, 1:20, kernel_gaussian(0.1), 2),
                              sparse[1:3, ])))
  # linear_reg() has contrasts, as lm() has.
  linear <- parsnip::set_engine(parsnip::linear_reg(penalty = 2), "sparserls")
  expect_equal(predict(parsnip::fit(linear, lpsa ~ site * age, data), rows)$.pred,
               unname(predict(rls(lpsa ~ site * age, data, lambda = 2), rows)))
})

test_that("classes and calibrated probabilities", {
  rows <- iris[c(1, 51, 101, 71), ]
  for (data in list(iris, droplevels(iris[iris$Species != "setosa", ]))) {
    spec <- parsnip::set_engine(parsnip::svm_rbf("classification"), "sparserls", basis = 1:20 * 5,
                                nfolds = 5)
    set.seed(1)
    found <- parsnip::fit(spec, Species ~ ., data)
    set.seed(1)
    cv <- cv.sparserls(Species ~ ., data, 1:20 * 5, nfolds = 5)
    expect_identical(predict(found, rows)$.pred_class, predict(cv, rows, type = "class"))
    p <- predict(found, rows, type = "prob")
    expect_identical(names(p), paste0(".pred_", levels(data$Species)))
    expect_equal(as.matrix(p), predict(cv, rows, type = "prob"), ignore_attr = TRUE)
    at <- parsnip::multi_predict(found, rows, cost = c(1, 1 / cv$lambda.min))
    expect_s3_class(at$.pred[[1]]$.pred_class, "factor")
    expect_error(predict(found$fit, rows, type = "prob", lambda = 2 * cv$lambda.min),
                 "Probabilities are for the value of lambda", class = "sparserls_error_argument")
  }
  fixed <- parsnip::fit(parsnip::set_engine(parsnip::svm_rbf("classification", cost = 2),
                                            "sparserls", basis = 1:20), Species ~ ., iris)
  expect_identical(fixed$fit$lambda, 0.5)
  expect_equal(rowSums(predict(fixed, rows, type = "prob")), rep(1, 4))
})

test_that("logistic_reg(), multinom_reg() and poisson_reg() are rls() with a family", {
  two <- droplevels(iris[51:150, ])
  engine <- function(spec, ...) parsnip::set_engine(spec, "sparserls", ...)
  weights <- rep_len(1:2, 100)
  found <- parsnip::fit(engine(parsnip::logistic_reg(penalty = 2)), Species ~ ., two,
                        case_weights = hardhat::importance_weights(weights))
  wanted <- rls(Species ~ ., two, family = "binomial", lambda = 2, weights = weights)
  rows <- two[c(1, 30, 99), ]
  expect_equal(as.matrix(predict(found, rows, type = "prob")),
               predict(wanted, rows, type = "prob"), ignore_attr = TRUE)
  expect_identical(predict(found, rows)$.pred_class, predict(wanted, rows, type = "class"))
  expect_equal(predict(found, rows, type = "raw", opts = list(type = "link")),
               unname(predict(wanted, rows, type = "link")))
  expect_s3_class(found$fit$object, "glmrls")
  several <- parsnip::fit(engine(parsnip::multinom_reg(penalty = 2)), Species ~ ., iris)
  p <- as.matrix(predict(several, iris, type = "prob"))
  expect_equal(rowSums(p), rep(1, 150))
  expect_equal(p, predict(rls(Species ~ ., iris, family = "binomial", lambda = 2), iris,
                          type = "prob"), ignore_attr = TRUE)
  # Offsets of a formula, gaps, and the negative binomial in place of Poisson.
  counts <- transform(MASS::epil, o = log(age))
  gaps <- replace(counts[1:4, ], c("o", "lbase"), list(c(0, NA, 1, 2), c(0, 1, NA, 0.3)))
  for (family in list("poisson", MASS::negative.binomial(2))) {
    spec <- engine(parsnip::poisson_reg(penalty = 3), family = family)
    found <- parsnip::fit(spec, y ~ lbase + trt + offset(o), counts)
    wanted <- rls(y ~ lbase + trt + offset(o), counts, family = family, lambda = 3)
    expect_equal(predict(found, gaps)$.pred, unname(predict(wanted, gaps)))
    expect_identical(is.na(predict(found, gaps)$.pred), c(FALSE, TRUE, TRUE, FALSE))
  }
  linear <- parsnip::fit(engine(parsnip::linear_reg(penalty = 3)), y ~ lbase + offset(o), counts)
  wanted <- rls(y ~ lbase + offset(o), counts, lambda = c(9, 3, 1))
  expect_equal(predict(linear, counts)$.pred, unname(predict(wanted, counts, s = 3)))
  expect_equal(parsnip::multi_predict(linear, counts[1:2, ], penalty = c(1, 5))$.pred[[2]]$.pred,
               unname(predict(wanted, counts[2, ], s = c(1, 5))[1, ]))
})

test_that("lambda of a likelihood is chosen; its path serves multi_predict(); count intervals", {
  two <- droplevels(iris[51:150, ])
  group <- rep_len(1:10, 100)
  rows <- two[c(1, 99), ]
  for (model in list(parsnip::logistic_reg(), parsnip::svm_rbf("classification"))) {
    spec <- parsnip::set_engine(model, "sparserls", groups = group, lambda = c(10, 1, 0.1),
                                family = "binomial")
    found <- parsnip::fit(spec, Species ~ ., two)
    cv <- found$fit$object
    expect_s3_class(cv, "cv.glmrls")
    expect_identical(found$fit$lambda, cv$lambda.min)
    name <- if (inherits(model, "svm_rbf")) "cost" else "penalty"
    at <- setNames(list(c(0.1, 10)), name)
    many <- do.call(parsnip::multi_predict, c(list(found, rows, type = "prob"), at))$.pred[[2]]
    expect_identical(names(many), c(name, ".pred_versicolor", ".pred_virginica"))
    lambda <- if (name == "cost") c(10, 0.1) else c(0.1, 10)
    expect_equal(many[[3]], unname(predict(cv, rows[2, ], s = lambda)[1, ]))
    expect_s3_class(parsnip::multi_predict(found, rows)$.pred[[1]]$.pred_class, "factor")
  }
  between <- parsnip::fit(parsnip::set_engine(parsnip::logistic_reg(penalty = 1), "sparserls"),
                          Species ~ ., two)
  expect_refusals({
    parsnip::multi_predict(between, rows, penalty = 2) | lambda |
      "With a family `s` must be values of the path of `lambda`. .. 2"
  })
  counts <- MASS::epil
  spec <- parsnip::set_engine(parsnip::poisson_reg(penalty = 3), "sparserls", keep = TRUE,
                              groups = counts$subject)
  found <- parsnip::fit(spec, y ~ lbase + trt, counts)
  cv <- cv.rls(y ~ lbase + trt, counts, family = "poisson", lambda = 3, keep = TRUE,
               groups = subject)
  expect_equal(as.matrix(predict(found, counts[1:3, ], type = "pred_int", level = 0.8)),
               predict(cv, counts[1:3, ], interval = "jackknife+", level = 0.8)[, 2:3],
               ignore_attr = TRUE)
})

test_that("poisson_reg() beside the engines of poissonreg", {
  skip_if_not_installed("poissonreg")
  loadNamespace("poissonreg")
  expect_true(all(c("sparserls", "glm") %in% parsnip::show_engines("poisson_reg")$engine))
  spec <- parsnip::poisson_reg(penalty = 0.02)
  theirs <- parsnip::fit(parsnip::set_engine(spec, "glm"), y ~ lbase, MASS::epil)
  ours <- parsnip::fit(parsnip::set_engine(parsnip::poisson_reg(penalty = 1e-6), "sparserls"),
                       y ~ lbase, MASS::epil)
  expect_equal(predict(ours, MASS::epil), predict(theirs, MASS::epil), tolerance = 1e-6)
})

test_that("what does not fit is said", {
  lasso <- parsnip::set_engine(parsnip::linear_reg(penalty = 1, mixture = 0.5), "sparserls")
  expect_error(parsnip::fit(lasso, lpsa ~ ., train), class = "sparserls_error_argument")
  margin <- parsnip::set_engine(parsnip::svm_rbf("regression", margin = 0.1), "sparserls")
  expect_error(parsnip::fit(margin, lpsa ~ ., train), class = "sparserls_error_argument")
  spec <- parsnip::set_engine(parsnip::svm_linear("classification"), "sparserls", nfolds = 5)
  found <- parsnip::fit(spec, Species ~ ., iris)
  expect_error(parsnip::multi_predict(found, iris, type = "prob", cost = 1),
               class = "sparserls_error_argument")
  expect_error(parsnip::multi_predict(found, iris, penalty = 1), class = "sparserls_error_argument")
  tiny <- parsnip::set_engine(parsnip::svm_rbf("regression", cost = 1), "sparserls", basis = 1:20)
  tiny <- parsnip::fit(tiny, lpsa ~ ., train)
  expect_error(parsnip::multi_predict(tiny, new, cost = -1), class = "sparserls_error_lambda")
  expect_refusals({
    predict(tiny, new, type = "pred_int") | keep |
      "The engine has not kept what prediction intervals need."
    predict(tiny, new, type = "raw", opts = list(interval = "gp")) | dots |
      "Unknown argument `interval`."
  })
})

test_that("parameters of dials: ranges of lambda as a sum, number of basis vectors", {
  skip_if_not_installed("dials")
  spec <- parsnip::set_engine(parsnip::linear_reg(penalty = parsnip::tune()), "sparserls")
  info <- generics::tunable(spec)
  expect_identical(info$call_info[[which(info$name == "penalty")]]$range, c(-3, 4))
  expect_identical(num_basis()$range, list(lower = 20L, upper = 500L))
})

test_that("tune_grid() with whole groups, by one fit for each resample", {
  skip_if_not_installed("tune")
  skip_if_not_installed("rsample")
  set.seed(1)
  data <- cbind(train, site = factor(rep_len(1:6, nrow(train))))
  resamples <- rsample::group_vfold_cv(data, site, v = 3)
  spec <- parsnip::set_engine(parsnip::linear_reg(penalty = parsnip::tune()), "sparserls")
  grid <- data.frame(penalty = c(0.1, 1, 10, 100))
  found <- tune::tune_grid(spec, lpsa ~ . - site, resamples, grid = grid,
                           metrics = yardstick::metric_set(yardstick::rmse))
  found <- tune::collect_metrics(found)
  honest <- vapply(resamples$splits, function(split) {
    fit <- rls(lpsa ~ ., rsample::analysis(split)[names(train)], lambda = grid$penalty)
    held <- rsample::assessment(split)
    sqrt(colMeans((held$lpsa - predict(fit, held))^2))
  }, numeric(4))
  expect_equal(found$mean[order(-found$penalty)], unname(rowMeans(honest)))
  # And the package's own, with the same resamples.
  cv <- cv.rls(lpsa ~ . - site, data, lambda = grid$penalty, folds = resamples)
  expect_identical(cv$nfolds, 3L)
})

test_that("prediction intervals are those of the cross-validation, by groups", {
  site <- rep_len(1:12, nrow(train))
  for (cost in list(NULL, 0.5)) {
    spec <- parsnip::set_engine(parsnip::svm_rbf("regression", cost = cost), "sparserls",
                                basis = 1:20, groups = site, keep = TRUE)
    found <- parsnip::fit(spec, lpsa ~ ., train)
    cv <- cv.sparserls(lpsa ~ ., train, 1:20, lambda = if (is.null(cost)) NULL else 1 / cost,
                       groups = site, keep = TRUE)
    ends <- predict(found, new, type = "pred_int", level = 0.8)
    expect_named(ends, c(".pred_lower", ".pred_upper"))
    expect_equal(as.matrix(ends), predict(cv, new, interval = "jackknife+", level = 0.8)[, 2:3],
                 ignore_attr = TRUE)
  }
  # What chooses lambda has no effect where it is given, as in resamples.
  given <- parsnip::set_engine(parsnip::linear_reg(penalty = 2), "sparserls", groups = 1:3)
  expect_equal(predict(parsnip::fit(given, lpsa ~ ., train), new)$.pred,
               unname(predict(rls(lpsa ~ ., train, lambda = 2), new)))
})

test_that("rows with missing values are predicted as NA", {
  gaps <- new
  gaps$age[2] <- NA
  gaps$lcavol[5] <- NA
  spec <- parsnip::set_engine(parsnip::linear_reg(), "sparserls", keep = TRUE, nfolds = 5)
  found <- parsnip::fit(spec, lpsa ~ ., train)
  expect_identical(is.na(predict(found, gaps)$.pred), 1:6 %in% c(2, 5))
  expect_identical(is.na(predict(found, gaps, type = "pred_int")$.pred_upper), 1:6 %in% c(2, 5))
  expect_equal(predict(found, gaps)$.pred[-c(2, 5)], predict(found, new)$.pred[-c(2, 5)])
  expect_identical(is.na(parsnip::multi_predict(found, gaps, penalty = 1:2)$.pred[[5]]$.pred),
                   c(TRUE, TRUE))
  x <- Matrix::Matrix(as.matrix(train[1:8]), sparse = TRUE)
  found <- parsnip::fit_xy(spec, x, train$lpsa)
  x[3, 1] <- NA
  expect_identical(which(is.na(predict(found, x[1:4, ])$.pred)), 3L)
  classes <- parsnip::set_engine(parsnip::svm_linear("classification"), "sparserls", basis = 1:20)
  classes <- parsnip::fit(classes, Species ~ ., droplevels(iris[51:150, ]))
  rows <- replace(iris[c(51, 101), ], 1, c(5, NA))
  expect_identical(is.na(predict(classes, rows)$.pred_class), c(FALSE, TRUE))
  expect_identical(is.na(predict(classes, rows, type = "prob")[[1]]), c(FALSE, TRUE))
})

test_that("tidy(), glance() and autoplot() of the engine's fit", {
  found <- parsnip::fit(parsnip::set_engine(parsnip::linear_reg(), "sparserls"), lpsa ~ ., train)
  cv <- found$fit$object
  expect_equal(generics::tidy(found)$estimate, as.vector(coef(cv)))
  expect_identical(generics::glance(found), generics::glance(cv))
  expect_identical(capture.output(print(found$fit)), capture.output(print(cv)))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(parsnip::extract_fit_engine(found)), "ggplot")
})

test_that("krr_reg() of FastKRR", {
  skip_if_not_installed("FastKRR")
  loadNamespace("FastKRR")
  spec <- parsnip::set_engine(FastKRR::krr_reg(kernel = "gaussian", opt = "exact", rho = 0.01,
                                               penalty = 0.1), "sparserls")
  found <- parsnip::fit(spec, lpsa ~ ., train)
  wanted <- rls(lpsa ~ ., train, kernel_gaussian(0.01), lambda = 6.7, standardize = FALSE)
  expect_equal(predict(found, new)$.pred, unname(predict(wanted, new)))
  rows <- parsnip::multi_predict(found, new, penalty = 0.1)
  expect_equal(rows$.pred[[1]]$.pred, predict(found, new)$.pred[1])
  own <- rls(lpsa ~ ., train, kernel_gaussian(0.01), lambda = 6.7, standardize = FALSE,
             intercept = FALSE)
  theirs <- parsnip::fit(parsnip::set_engine(spec, "fastkrr"), lpsa ~ ., train)
  expect_equal(predict(theirs, new)$.pred, unname(predict(own, new)), tolerance = 1e-6)
  few <- parsnip::fit(parsnip::set_engine(
    FastKRR::krr_reg(opt = "pivoted", m = 10, rho = 0.01, penalty = 0.1), "sparserls"
  ), lpsa ~ ., train)
  expect_length(few$fit$object$basis, 10)
})

test_that("engine_krr() counts the rows that a formula leaves", {
  gaps <- replace(train, "age", list(replace(train$age, 5, NA)))
  found <- engine_krr(lpsa ~ . - svi, gaps, penalty = 0.01, rho = 0.05)
  wanted <- rls(lpsa ~ . - svi, gaps, kernel_gaussian(0.05), 0.66, standardize = FALSE)
  expect_equal(predict(found, new), predict(wanted, new), ignore_attr = TRUE)
})
