d <- local({
  set.seed(1)
  d <- data.frame(a = rnorm(30), b = rnorm(30), row.names = sprintf("p%02d", 30:1))
  d$y <- d$a + rnorm(30) / 5
  d$class <- factor(ifelse(d$y > 0, "ill", "well"))
  d$a[c(3, 20)] <- NA
  d$y[7] <- NA
  d
})
gone <- c(3, 7, 20)
numbered <- structure(d, row.names = 1:30)

families <- list(
  sparserls = function(...) sparserls(..., basis = c(1, 5, 9, 12), lambda = c(1, 0.1)),
  rls = function(...) rls(..., lambda = c(1, 0.1)),
  rls2 = function(...) rls2(..., lambda = c(1, 0.1)),
  greedyrls = function(...) greedyrls(..., k = 2),
  cv.sparserls = function(...) {
    cv.sparserls(..., basis = c(1, 5, 9, 12), lambda = c(1, 0.1), nfolds = 5, keep = TRUE)
  },
  cv.rls = function(...) cv.rls(..., lambda = c(1, 0.1), nfolds = 5, keep = TRUE),
  cv.rls2 = function(...) cv.rls2(..., lambda = c(1, 0.1), nfolds = 5, keep = TRUE),
  cv.greedyrls = function(...) cv.greedyrls(..., k = 2, nfolds = 5, keep = TRUE)
)

names_of <- function(values) rownames(as.matrix(values))

test_that("fitted values, residuals and held-out predictions have the names of their rows", {
  for (name in names(families)) {
    fit <- families[[name]](y ~ a + b, d)
    kept <- rownames(d)[-gone]
    expect_identical(names_of(fitted(fit)), kept, info = name)
    expect_identical(names_of(residuals(fit)), kept, info = name)
    if (startsWith(name, "cv")) expect_identical(rownames(fit$fit.preval), kept, info = name)
    # Without names the numbers in the data as supplied, where rows were dropped.
    fit <- families[[name]](y ~ a + b, numbered[numbered$b < 1, ])
    lm <- lm(y ~ a + b, numbered[numbered$b < 1, ])
    expect_identical(names_of(fitted(fit)), names(fitted(lm)), info = name)
  }
})

test_that("na.exclude pads as for lm(), several outputs too", {
  for (name in names(families)) {
    short <- seeded(1, families[[name]](y ~ a + b, d))
    fit <- seeded(1, families[[name]](y ~ a + b, d, na.action = na.exclude))
    expect_identical(nobs(fit), 27L)
    held_out <- function(fit) fitted(fit, type = "held-out")
    for (f in c(fitted, residuals, predict, if (startsWith(name, "cv")) held_out)) {
      padded <- as.matrix(f(fit))
      expect_identical(rownames(padded), rownames(d), info = name)
      expect_true(all(is.na(padded[gone, ])), info = name)
      expect_identical(padded[-gone, , drop = FALSE], as.matrix(f(short)), info = name)
    }
  }
  fit <- rls(cbind(u = y, v = b) ~ a + b, d, lambda = c(1, 0.1), na.action = na.exclude)
  expect_identical(dimnames(fitted(fit)), list(rownames(d), c("u", "v"), c("s1", "s2")))
  expect_identical(unname(which(is.na(residuals(fit)[, 2, 2]))), as.integer(gone))
})

test_that("augment() names its rows and finds their response", {
  for (name in names(families)) {
    fit <- families[[name]](y ~ a + b, numbered)
    rows <- generics::augment(fit)
    expect_identical(rows$.rownames, as.character(setdiff(1:30, gone)), info = name)
    joined <- merge(data.frame(numbered, .rownames = rownames(numbered)), rows)
    expect_equal(joined$y - joined$.fitted, joined$.resid, info = name)
    full <- generics::augment(fit, data = numbered)
    expect_identical(nrow(full), 30L)
    expect_equal(full$.resid, full$y - full$.fitted, info = name)
    expect_equal(full$.resid[-gone], rows$.resid, tolerance = 1e-4, info = name)
    expect_identical(which(is.na(full$.fitted)), c(3L, 20L), info = name)
  }
})

p <- structure(prostate, row.names = paste0("p", 1:97))
new <- p[1:3, ]

test_that("one output at one value is a vector, several values or outputs are columns", {
  # Objects, and two values of the path of each.
  form <- lpsa ~ age + lcavol
  path <- c(10, 1)
  each <- list(
    list(cv.sparserls(form, p, basis = 20, lambda = path), path),
    list(cv.rls2(form, p, lambda = path), path),
    list(cv.greedyrls(form, p, k = 2, lambda = 1), 1:2),
    list(quiet(cv.ardrls(form, p, basis = 20, penalty = c(Inf, 1), maxit = 2)), c(Inf, 1)),
    list(cv.rls(lpsa + 3 ~ age + lcavol, p, lambda = path, family = Gamma(link = "log")), path)
  )
  for (case in each) {
    object <- case[[1]]
    one <- predict(object, new)
    expect_null(dim(one))
    expect_named(one, rownames(new))
    expect_named(predict(object, new[1, ]), "p1")
    expect_length(predict(object, new[0, ]), 0)
    for (f in list(fitted, residuals, predict)) expect_named(f(object), rownames(p))
    both <- predict(object, new, case[[2]])
    expect_identical(dim(both), c(3L, 2L))
    expect_equal(both[, 2], predict(object, new, case[[2]][2]))
  }
  cv <- cv.rls(cbind(a = lpsa, b = lcp) ~ age + lcavol, p, lambda = c(10, 1))
  expect_identical(dimnames(predict(cv, new)), list(rownames(new), c("a", "b")))
  expect_identical(dim(predict(cv, new[1, ])), 1:2)
  both <- predict(cv, new, s = c("lambda.min", "lambda.1se"))
  expect_identical(dimnames(both), list(rownames(new), c("a", "b"), c("lambda.min", "lambda.1se")))
  expect_equal(both[, , 1], predict(cv, new))
})
