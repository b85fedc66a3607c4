x <- bad_x()
y <- bad_y()
d <- bad_frame()
id <- rep(1:5, 4)

test_that("numbers of features that do not fit are refused", {
  expect_refused("k", {
    greedyrls(x, y)
    greedyrls(x, y, 0)
    greedyrls(x, y, -1)
    greedyrls(x, y, 4)
    greedyrls(x, y, 1.5)
    greedyrls(x, y, NA)
    greedyrls(x, y, NULL)
    greedyrls(x, y, 1:2)
    greedyrls(x, y, "all")
    greedyrls(cbind(x, 1, 0), y, 4)
    cv.greedyrls(x, y)
    cv.greedyrls(x, y, 4)
    cv.greedyrls(x, y, "loo")
    coef(greedyrls(x, y, 2), k = 3)
    predict(greedyrls(x, y, 2), x, k = 0)
    fitted(greedyrls(x, y, 2), k = "k.min")
    predict(suppressMessages(cv.greedyrls(x, y, 2, 1, foldid = id)), x, k = "lambda.min")
  })
})

test_that("lambda is one positive number, or a grid", {
  expect_refused("lambda", {
    greedyrls(x, y, 1, 0)
    greedyrls(x, y, 1, -1)
    greedyrls(x, y, 1, Inf)
    greedyrls(x, y, 1, NULL)
    greedyrls(x, y, 1, c(1, 2))
    greedyrls(x, y, 1, "1")
    cv.greedyrls(x, y, 1, NULL)
    cv.greedyrls(x, y, 1, c(1, NA))
    cv.greedyrls(x, y, 1, numeric())
  })
})

test_that("lambda so small that 1 - h or a feature vanishes is refused", {
  lonely <- cbind(x, c(1, rep(0, 19)))
  spanned <- cbind(x, x[, 1] + 1e-9 * x[, 2])
  wide <- outer(1:5, 1:8, function(i, j) sin(i * j))
  expect_refused("lambda", {
    greedyrls(lonely, y, 2, 1e-14, standardize = FALSE, intercept = FALSE)
    greedyrls(spanned, y, 4, 1e-300)
    greedyrls(spanned, y, 4, 1e-300, cache = FALSE)
    greedyrls(wide, y[1:5], 6, 1e-20)
    greedyrls(wide, y[1:5], 6, 1e-20, criterion = "folds", foldid = c(1, 1, 2, 3, 3))
    cv.greedyrls(spanned, y, 4, c(1, 1e-300), foldid = id)
  })
  expect_sane_path(greedyrls(x, y, 3, 1e-300))
  expect_sane_path(greedyrls(x, y, 3, 1e300))
  expect_sane_path(greedyrls(lonely, y, 4, 1e-6, standardize = FALSE, intercept = FALSE))
})

test_that("x and y are checked", {
  expect_refused("x", {
    greedyrls(matrix(1, 20, 2), y, 1)
    greedyrls(x, y, 1, weights = c(1, rep(0, 19)))
    greedyrls(NULL, y, 1)
    greedyrls(replace(x, 5, NA), y, 1)
    greedyrls(y ~ ., transform(d, a = as.Date(a, "1970-01-01")), k = 1)
  })
  expect_refused("y", {
    greedyrls(x, k = 1)
    greedyrls(x, y[-1], 1)
    greedyrls(x[1, , drop = FALSE], y[1], 1)
    greedyrls(x, rep(1, 20), 1)
    greedyrls(x, replace(y, 3, Inf), 1)
    greedyrls(x, factor(rep("a", 20)), 1)
  })
  big <- Matrix::sparseMatrix(c(1, 60000), c(1, 60000), x = 1)
  expect_refused("x", {
    greedyrls(big, seq_len(60000) + 0, 1)
  })
  for (fit in list(greedyrls(1e28 * x, y, 3), greedyrls(1e-28 * x, y, 3),
                   greedyrls(x + 1e6, y, 3), greedyrls(x > 0, y, 3),
                   greedyrls(unname(x)[1:2, ], y[1:2], 2), greedyrls(cbind(x, x), y, 6))) {
    expect_sane_path(fit)
  }
})

test_that("folds and the criterion must fit", {
  expect_refused("folds", {
    greedyrls(x, y, 1, foldid = id)
    greedyrls(x, y, 1, groups = id)
    greedyrls(x, y, 1, folds = list(1:5))
    greedyrls(x, y, 1, criterion = "folds", foldid = id[-1])
    greedyrls(x, y, 1, criterion = "folds", groups = rep(1, 20))
    greedyrls(x, y, 1, criterion = "folds", folds = list(1:20))
    greedyrls(x, y, 1, criterion = "folds", folds = list(1:4), weights = rep(0:1, c(4, 16)))
    greedyrls(x, y, 1, criterion = "folds", folds = list(1:4), foldid = id)
    cv.greedyrls(x, y, 1, criterion = "folds", nfolds = 2)
    cv.greedyrls(x, y, 1, nfolds = 1)
    cv.greedyrls(x, y, 1, folds = list(1:20))
  })
  expect_refused("k", {
    cv.greedyrls(cbind(x, c(1, rep(0, 19))), y, 4, 1, foldid = id)
  })
})

test_that("other arguments are checked", {
  expect_refused("argument", {
    greedyrls(x, y, 1, criterion = "gcv")
    greedyrls(x, y, "loo", patience = 0)
    greedyrls(x, y, 1, intercept = NA)
    greedyrls(x, y, 1, standardize = 1)
    greedyrls(x, y, 1, cache = "no")
    greedyrls(x, y, "loo", cache = FALSE)
    greedyrls(x, y, 1, criterion = "folds", cache = FALSE)
    greedyrls(x, y, 1, threads = 0)
    predict(greedyrls(x, y, 1), x, type = "class")
    cv.greedyrls(x, y, 1, keep = 1)
  })
  expect_refused("dots", {
    greedyrls(x, y, 1, lamda = 1)
    greedyrls(y ~ a, d, k = 1, nfolds = 3)
    cv.greedyrls(x, y, 1, patience = 3)
    predict(greedyrls(x, y, 1), x, s = 1)
    coef(greedyrls(x, y, 1), s = 1)
    summary(greedyrls(x, y, 1), digit = 3)
  })
  expect_refused("measure", {
    cv.greedyrls(x, y, 1, type.measure = "class")
  })
  expect_refused("weights", {
    greedyrls(x, y, 1, weights = -y^2)
  })
  expect_refused("newdata", {
    predict(greedyrls(x, y, 1), x[, 1:2])
  })
})
