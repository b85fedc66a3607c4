# Whatever a path goes along, a cross-validation answers what its fit answers at what was chosen.

set.seed(1)
train <- prostate[prostate$train, setdiff(names(prostate), "train")]
new <- prostate[!prostate$train, ][1:5, ]
folds <- rep_len(1:5, nrow(train))
chosen <- quiet(list(
  sparserls = cv.sparserls(lpsa ~ ., train, basis = seq(1, 67, 4), kernel = kernel_gaussian(0.1),
                           lambda = 10^(2:-3), foldid = folds),
  rls = cv.rls(lpsa ~ ., train, lambda = 10^(3:-1), foldid = folds),
  rls2 = cv.rls2(lpsa ~ ., train, lambda = 10^(1:-1), foldid = folds),
  greedyrls = cv.greedyrls(lpsa ~ ., train, k = 5, lambda = c(10, 1), foldid = folds),
  ardrls = cv.ardrls(lpsa ~ ., train, basis = seq(1, 67, 6), penalty = c(Inf, 10, 1), outer = 3,
                     maxit = 5, nfolds = 3, progress = FALSE)
))
axes <- c(sparserls = "lambda", rls = "lambda", rls2 = "lambda", greedyrls = "k",
          ardrls = "penalty")

for (family in names(chosen)) {
  cv <- chosen[[family]]
  fit <- cv$fit
  name <- axes[[family]]
  default <- paste0(name, if (family == "ardrls") ".1se" else ".min")
  other <- paste0(name, if (family == "ardrls") ".min" else ".1se")

  test_that(paste("a cross-validation answers what its fit answers:", family), {
    same <- function(method) {
      expect_identical(unname(method(cv)), unname(method(fit, cv[[default]])))
      for (point in c(default, other)) for (at in list(point, cv[[point]])) {
        expect_identical(unname(method(cv, at)), unname(method(fit, cv[[point]])))
      }
    }
    for (method in list(function(object, ...) predict(object, new, ...), coef, fitted, residuals,
                        deviance, sigma)) same(method)
    expect_identical(colnames(predict(cv, new, c(default, other))), c(default, other))
  })

  test_that(paste("tables have the axis first:", family), {
    curve <- generics::tidy(cv)
    expect_identical(names(curve)[1], name)
    expect_identical(curve$estimate, as.vector(cv$cvm))
    expect_identical(names(generics::tidy(fit))[2], name)
    best <- generics::glance(cv)
    expect_identical(names(best)[1:2], paste0(name, c(".min", ".1se")))
    row <- cv$index[sub(".*[.]", "", default), , drop = FALSE]
    expect_identical(best$estimate, cv$cvm[row])
  })
}
