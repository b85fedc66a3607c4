skip_if_not_installed("parsnip")
train <- prostate[prostate$train, -10]
engine <- function(spec, ...) parsnip::set_engine(spec, "sparserls", ...)
fitted_to <- function(form, data, spec, ...) parsnip::fit(engine(spec, ...), form, data)
expect_predicts <- function(found, wanted, new) {
  expect_equal(predict(found, new)$.pred, unname(predict(wanted, new)))
}
new <- prostate[!prostate$train, -10][1:6, ]

test_that("linear_reg() is rls(), and one fit serves all penalties", {
  spec <- engine(parsnip::linear_reg(penalty = 3))
  found <- parsnip::fit(spec, lpsa ~ ., train)
  expect_predicts(found, rls(lpsa ~ ., train, lambda = 3), new)
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
  expect_predicts(weighted, rls(lpsa ~ ., train, lambda = 3, weights = weights), new)
})

test_that("without a penalty lambda is chosen; sparse x stays sparse", {
  found <- fitted_to(lpsa ~ ., train, parsnip::linear_reg(), nfolds = "loo")
  cv <- cv.rls(lpsa ~ ., train, nfolds = "loo")
  expect_identical(found$fit$lambda, cv$lambda.min)
  expect_predicts(found, cv, new)
  x <- as.matrix(train[1:8])
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  found <- parsnip::fit_xy(engine(parsnip::linear_reg(penalty = 2)), sparse, train$lpsa)
  expect_equal(predict(found, sparse[1:3, ])$.pred,
               unname(predict(rls(x, train$lpsa, lambda = 2), x[1:3, ])))
})

test_that("svm_rbf() and svm_linear() are sparserls(), cost is 1 / lambda", {
  found <- fitted_to(lpsa ~ ., train, basis = 1:20,
                     parsnip::svm_rbf("regression", cost = 0.5, rbf_sigma = 0.1))
  wanted <- sparserls(lpsa ~ ., train, 1:20, kernel_gaussian(0.1), c(10, 2, 0.5))
  expect_equal(predict(found, new)$.pred, unname(predict(wanted, new, s = 2)))
  rows <- parsnip::multi_predict(found, new, cost = c(2, 0.1))
  expect_equal(rows$.pred[[3]], list(cost = c(0.1, 2),
                                     .pred = unname(predict(wanted, new, s = c(10, 0.5))[3, ])),
               ignore_attr = TRUE)
  linear <- fitted_to(lpsa ~ ., train, parsnip::svm_linear("regression", cost = 1), basis = 1:20)
  expect_predicts(linear, sparserls(lpsa ~ ., train, 1:20, kernel_linear(), 1), new)
})

test_that("svm_rbf() takes kernels of other shapes, by name and several to choose from", {
  fitted_with <- function(kernel, ...) {
    fitted_to(lpsa ~ ., train, parsnip::svm_rbf("regression", ...), basis = 1:20, kernel = kernel,
              nfolds = if (is.null(list(...)$cost)) "loo" else 10)
  }
  laplacian <- cv.sparserls(lpsa ~ ., train, 1:20, kernel_laplacian(), nfolds = "loo",
                         progress = FALSE)
  expect_predicts(fitted_with("laplacian"), laplacian, new)
  expect_predicts(fitted_with(kernel_laplacian(), cost = 1, rbf_sigma = 0.2),
                  sparserls(lpsa ~ ., train, 1:20, kernel_laplacian(0.2), 1), new)
  both <- list(kernel_matern(), kernel_laplacian())
  expect_predicts(fitted_with(both),
                  cv.sparserls(lpsa ~ ., train, 1:20, both, nfolds = "loo", progress = FALSE), new)
  expect_error(fitted_with(both, rbf_sigma = 1), class = "sparserls_error_kernel")
  expect_refusals({
    fitted_to(lpsa ~ ., train, parsnip::linear_reg(), kernel = "laplacian") |
      kernel | "linear_reg() is linear"
    parsnip::fit(engine(parsnip::svm_rbf("regression"), groups = no_such_column), lpsa ~ ., train) |
      argument | "Columns are not looked up"
  })
})

test_that("svm_rbf() takes factors as they are, by a formula and by fit_xy()", {
  data <- cbind(train, site = rep_len(c("a", "b", "c"), 67),
                grade = factor(rep_len(3:1, 67), ordered = TRUE), group = rep_len(1:5, 67))
  spec <- engine(parsnip::svm_rbf("regression", cost = 0.5, rbf_sigma = 0.1), basis = 1:20)
  rows <- data[c(2, 30, 60), ]
  for (form in list(lpsa ~ . - group, lpsa ~ site * age + grade, lpsa ~ log(age) + lcavol + site)) {
    # Some rows coincide.
    found <- suppressWarnings(parsnip::fit(spec, form, data))
    wanted <- suppressWarnings(sparserls(form, data, 1:20, kernel_gaussian(0.1), 2))
    expect_predicts(found, wanted, rows)
    expect_equal(parsnip::multi_predict(found, rows, cost = 0.5)$.pred[[2]]$.pred,
                 predict(found, rows)$.pred[2])
  }
  x <- data[setdiff(names(data), "lpsa")]
  weights <- rep_len(1:3, 67)
  for (x in list(x, x[1:8])) {
    found <- parsnip::fit_xy(spec, x, data$lpsa,
                             case_weights = hardhat::importance_weights(weights))
    wanted <- sparserls(x, data$lpsa, 1:20, kernel_gaussian(0.1), 2, weights = weights)
    expect_predicts(found, wanted, rows)
    expect_identical(found$fit$object$blueprint$type, wanted$blueprint$type)
  }
  gaps <- replace(data, "site", list(replace(data$site, 3, NA)))
  found <- fitted_to(lpsa ~ . - group, gaps, parsnip::svm_rbf("regression"), basis = 21:40,
                     groups = data$group)
  wanted <- cv.sparserls(lpsa ~ . - group, gaps, 21:40, groups = group, progress = FALSE)
  expect_identical(found$fit$lambda, wanted$lambda.min)
  expect_true(is.na(predict(found, gaps[3, ])$.pred))
  # linear_reg() has contrasts, as lm() has.
  linear <- fitted_to(lpsa ~ site * age, data, parsnip::linear_reg(penalty = 2))
  expect_predicts(linear, rls(lpsa ~ site * age, data, lambda = 2), rows)
})

test_that("classes and calibrated probabilities", {
  rows <- iris[c(1, 51, 101, 71), ]
  for (data in list(iris, droplevels(iris[iris$Species != "setosa", ]))) {
    spec <- engine(parsnip::svm_rbf("classification"), basis = 1:20 * 5, nfolds = 5)
    found <- seeded(1, parsnip::fit(spec, Species ~ ., data))
    cv <- seeded(1, cv.sparserls(Species ~ ., data, 1:20 * 5, nfolds = 5))
    expect_identical(predict(found, rows)$.pred_class, predict(cv, rows, type = "class"))
    p <- predict(found, rows, type = "prob")
    expect_identical(names(p), paste0(".pred_", levels(data$Species)))
    expect_equal(as.matrix(p), predict(cv, rows, type = "prob"), ignore_attr = TRUE)
    at <- parsnip::multi_predict(found, rows, cost = c(1, 1 / cv$lambda.min))
    expect_s3_class(at$.pred[[1]]$.pred_class, "factor")
    expect_error(predict(found$fit, rows, type = "prob", lambda = 2 * cv$lambda.min),
                 "Probabilities exist only at the value", class = "sparserls_error_argument")
  }
  fixed <- fitted_to(Species ~ ., iris, parsnip::svm_rbf("classification", cost = 2), basis = 1:20)
  expect_identical(fixed$fit$lambda, 0.5)
})

test_that("logistic_reg(), multinom_reg() and poisson_reg() are rls() with a family", {
  two <- droplevels(iris[51:150, ])
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
  wanted <- rls(Species ~ ., iris, family = "binomial", lambda = 2)
  expect_equal(as.matrix(predict(several, iris, type = "prob")),
               predict(wanted, iris, type = "prob"), ignore_attr = TRUE)
  counts <- transform(MASS::epil, o = log(age))
  gaps <- replace(counts[1:4, ], c("o", "lbase"), list(c(0, NA, 1, 2), c(0, 1, NA, 0.3)))
  for (family in list("poisson", MASS::negative.binomial(2))) {
    found <- fitted_to(y ~ lbase + trt + offset(o), counts, parsnip::poisson_reg(penalty = 3),
                       family = family)
    wanted <- rls(y ~ lbase + trt + offset(o), counts, family = family, lambda = 3)
    expect_predicts(found, wanted, gaps)
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
    found <- fitted_to(Species ~ ., two, model, groups = group, lambda = c(10, 1, 0.1),
                       family = "binomial")
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
  counts <- MASS::epil
  found <- fitted_to(y ~ lbase + trt, counts, parsnip::poisson_reg(penalty = 3), keep = TRUE,
                     groups = counts$subject)
  cv <- cv.rls(y ~ lbase + trt, counts, family = "poisson", lambda = 3, keep = TRUE,
               groups = subject)
  expect_equal(as.matrix(predict(found, counts[1:3, ], type = "pred_int", level = 0.8)),
               predict(cv, counts[1:3, ], interval = "jackknife+", level = 0.8)[, 2:3],
               ignore_attr = TRUE)
})

test_that("what does not fit is said", {
  found <- fitted_to(Species ~ ., iris, parsnip::svm_linear("classification"), nfolds = 5)
  tiny <- fitted_to(lpsa ~ ., train, parsnip::svm_rbf("regression", cost = 1), basis = 1:20)
  expect_refusals({
    fitted_to(lpsa ~ ., train, parsnip::linear_reg(penalty = 1, mixture = 0.5)) | argument | ""
    fitted_to(lpsa ~ ., train, parsnip::svm_rbf("regression", margin = 0.1)) | argument | ""
    parsnip::multi_predict(found, iris, type = "prob", cost = 1) | argument | ""
    parsnip::multi_predict(found, iris, penalty = 1) | argument | ""
    parsnip::multi_predict(tiny, new, cost = -1) | lambda | ""
    predict(tiny, new, type = "pred_int") | keep | "The engine has not kept what"
    predict(tiny, new, type = "raw", opts = list(interval = "gp")) | dots | "`interval`"
  })
})

test_that("parameters of dials: ranges of lambda as a sum, number of basis vectors", {
  skip_if_not_installed("dials")
  spec <- engine(parsnip::linear_reg(penalty = parsnip::tune()))
  info <- generics::tunable(spec)
  expect_identical(info$call_info[[which(info$name == "penalty")]]$range, c(-3, 4))
  expect_identical(num_basis()$range, list(lower = 20L, upper = 500L))
})

test_that("rows with missing values are predicted as NA", {
  gaps <- transform(new, age = replace(age, 2, NA), lcavol = replace(lcavol, 5, NA))
  found <- fitted_to(lpsa ~ ., train, parsnip::linear_reg(), keep = TRUE, nfolds = 5)
  expect_identical(is.na(predict(found, gaps)$.pred), 1:6 %in% c(2, 5))
  expect_identical(is.na(predict(found, gaps, type = "pred_int")$.pred_upper), 1:6 %in% c(2, 5))
  expect_equal(predict(found, gaps)$.pred[-c(2, 5)], predict(found, new)$.pred[-c(2, 5)])
  expect_identical(is.na(parsnip::multi_predict(found, gaps, penalty = 1:2)$.pred[[5]]$.pred),
                   c(TRUE, TRUE))
  classes <- fitted_to(Species ~ ., droplevels(iris[51:150, ]),
                       parsnip::svm_linear("classification"), basis = 1:20)
  rows <- replace(iris[c(51, 101), ], 1, c(5, NA))
  expect_identical(is.na(predict(classes, rows)$.pred_class), c(FALSE, TRUE))
  expect_identical(is.na(predict(classes, rows, type = "prob")[[1]]), c(FALSE, TRUE))
})

test_that("engine_krr() counts the rows that a formula leaves", {
  gaps <- replace(train, "age", list(replace(train$age, 5, NA)))
  found <- engine_krr(lpsa ~ . - svi, gaps, penalty = 0.01, rho = 0.05)
  wanted <- rls(lpsa ~ . - svi, gaps, kernel_gaussian(0.05), 0.66, standardize = FALSE)
  expect_equal(predict(found, new), predict(wanted, new), ignore_attr = TRUE)
})
