# Factors among the predictors: with kernels of differences no level is special.

set.seed(11)
clinic <- data.frame(
  site = factor(sample(c("a", "b", "c", "d"), 80, TRUE)), sex = sample(c("f", "m"), 80, TRUE),
  smoker = rnorm(80) > 0, grade = factor(sample(1:3, 80, TRUE), ordered = TRUE),
  age = rnorm(80), dose = rnorm(80)
)
clinic$y <- (clinic$site == "a") + clinic$age * (clinic$sex == "m") + clinic$smoker + rnorm(80) / 3
clinic$visit <- cbind(one = rnorm(80), two = rnorm(80))
# The same data with other first levels.
turned <- transform(clinic, site = relevel(site, "c"), sex = factor(sex, c("m", "f")),
                    grade = factor(grade, 3:1, ordered = TRUE))
lambdas <- c(3, 0.3, 0.03)

test_that("errors and predictions do not depend on the first level: formula", {
  formulas <- list(y ~ site + sex + smoker + grade + age, y ~ site * sex + age,
                   y ~ age:site + visit)
  kernels <- list(kernel_gaussian(), kernel_laplacian(), kernel_gaussian(c(0.1, 1)),
                  list(kernel_linear(), kernel_gaussian()),
                  kernel_custom(function(X, Z) exp(-as.matrix(dist(rbind(X, Z)))[
                    seq_len(nrow(X)), nrow(X) + seq_len(nrow(Z)), drop = FALSE])))
  for (form in formulas) {
    for (kernel in kernels) {
      run <- function(data) {
        cv.sparserls(form, data, basis = 1:30, kernel = kernel, lambda = lambdas,
                     foldid = rep(1:5, 16), progress = FALSE)
      }
      one <- run(clinic)
      two <- run(turned)
      expect_equal(two$cvm, one$cvm, tolerance = 1e-12)
      expect_equal(predict(two, turned[1:9, ]), predict(one, clinic[1:9, ]), tolerance = 1e-12)
      # Levels are matched by name, whatever the factor of the new rows says.
      expect_equal(predict(two, clinic[1:9, ]), predict(one, clinic[1:9, ]), tolerance = 1e-12)
    }
  }
})

test_that("errors and predictions do not depend on the first level: data frame, rls, rls2", {
  x <- setdiff(names(clinic), c("y", "visit"))
  each <- list(
    function(d) cv.rls(d[x], d$y, kernel_gaussian(), lambdas, foldid = rep(1:5, 16)),
    function(d) cv.rls2(y ~ site + age, d, kernels = kernel_gaussian(c(0.1, 1)), lambda = 1,
                        foldid = rep(1:5, 16)),
    function(d) cv.sparserls(d[x], d$y, 1:20, lambda = lambdas, nfolds = "loo", progress = FALSE)
  )
  for (run in each) {
    one <- run(clinic)
    two <- run(turned)
    expect_equal(two$cvm, one$cvm, tolerance = 1e-12)
    expect_equal(predict(two, turned[1:9, ]), predict(one, clinic[1:9, ]), tolerance = 1e-12)
  }
})

test_that("columns: all levels and all cells, or contrasts", {
  # Rows that coincide are no matter here.
  columns <- function(...) suppressWarnings(sparserls(..., data = clinic, basis = 10)$columns)
  expect_identical(columns(y ~ site + sex + smoker + age),
                   c(paste0("site", letters[1:4]), "sexf", "sexm", "smokerFALSE", "smokerTRUE",
                     "age"))
  expect_length(columns(y ~ site * sex), 4 + 2 + 8)
  expect_identical(columns(y ~ site + age, kernel = kernel_linear()),
                   c("siteb", "sitec", "sited", "age"))
  expect_identical(columns(y ~ site, kernel = kernel_polynomial()), c("siteb", "sitec", "sited"))
  both <- cv.sparserls(y ~ site, clinic, match(letters[1:4], clinic$site),
                       list(kernel_linear(), kernel_gaussian()), nfolds = 5, holdout_basis = "keep",
                       progress = FALSE)
  expect_identical(both$fit$columns, paste0("site", letters[1:4]))
  expect_identical(rls2(y ~ site, clinic)$columns, c("siteb", "sitec", "sited"))
  expect_identical(greedyrls(y ~ site, clinic, k = 2)$columns, c("siteb", "sitec", "sited"))
})

test_that("new rows: unknown levels, missing values, one level only", {
  fit <- sparserls(y ~ site * sex + smoker + age, clinic, basis = 15)
  some <- clinic[clinic$site == "b" & clinic$smoker, ]
  # A product of fewer rows may differ in the last bits.
  expect_equal(predict(fit, droplevels(some)), predict(fit, clinic)[rownames(some), ],
               tolerance = 1e-12)
  expect_error(predict(fit, transform(some, site = "z")), class = "sparserls_error_newdata")
  some$site[1] <- NA
  expect_identical(which(is.na(predict(fit, some)[, 1])), setNames(1L, rownames(some)[1]))
})

test_that("the same matrix by hand", {
  by_hand <- cbind(model.matrix(~ site - 1, clinic), age = clinic$age)
  one <- sparserls(y ~ site + age, clinic, basis = 1:20)
  two <- sparserls(by_hand, clinic$y, basis = 1:20)
  expect_equal(fitted(one), fitted(two), tolerance = 1e-14, ignore_attr = TRUE)
})
