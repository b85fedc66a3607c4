# Predictions have no dimension of a single output, nor of a single value of the path.

d <- prostate
rownames(d) <- paste0("p", 1:97)
new <- d[1:3, ]

test_that("one output at one value is a vector with the names of the rows", {
  # Objects, and two values of the path of each.
  form <- lpsa ~ age + lcavol
  path <- c(10, 1)
  each <- list(
    list(cv.sparserls(form, d, basis = 20, lambda = path), path),
    list(cv.rls(form, d, lambda = path), path), list(cv.rls2(form, d, lambda = path), path),
    list(cv.greedyrls(form, d, k = 2, lambda = 1), 1:2),
    list(quiet(cv.ardrls(form, d, basis = 20, penalty = c(Inf, 1), maxit = 2)), c(Inf, 1)),
    list(cv.rls(lpsa + 3 ~ age + lcavol, d, lambda = path, family = Gamma(link = "log")), path)
  )
  for (case in each) {
    object <- case[[1]]
    p <- predict(object, new)
    expect_null(dim(p))
    expect_named(p, rownames(new))
    expect_named(predict(object, new[1, ]), "p1")
    expect_length(predict(object, new[0, ]), 0)
    for (f in list(fitted, residuals, predict)) expect_named(f(object), rownames(d))
    # Several values are columns, of which each is the same.
    both <- predict(object, new, case[[2]])
    expect_identical(dim(both), c(3L, 2L))
    expect_equal(both[, 2], predict(object, new, case[[2]][2]))
  }
})

test_that("several outputs at one value are a matrix, and an array at several", {
  cv <- cv.rls(cbind(a = lpsa, b = lcp) ~ age + lcavol, d, lambda = c(10, 1))
  expect_identical(dimnames(predict(cv, new)), list(rownames(new), c("a", "b")))
  expect_identical(dim(predict(cv, new[1, ])), 1:2)
  both <- predict(cv, new, s = c("lambda.min", "lambda.1se"))
  expect_identical(dimnames(both),
                   list(rownames(new), c("a", "b"), c("lambda.min", "lambda.1se")))
  expect_equal(both[, , 1], predict(cv, new))
})

test_that("classes are factors, probabilities rows x classes", {
  cv <- quiet(cv.rls(lpsa > 2.5 ~ age + lcavol, d, lambda = c(10, 1)))
  expect_named(predict(cv, new), rownames(new))
  expect_identical(dimnames(predict(cv, new, type = "prob")),
                   list(rownames(new), c("FALSE", "TRUE")))
  expect_s3_class(predict(cv, new, type = "class"), "factor")
  expect_s3_class(predict(cv, new, s = c(10, 1), type = "class"), "data.frame")
})
