# A measure is one entry of the table in R/cv-measures.R.

# The plain definitions, of numbers y and scores, or of classes.
plain <- list(
  mse = function(y, score) mean((y - score)^2), rmse = function(y, score) sqrt(mean((y - score)^2)),
  mae = function(y, score) mean(abs(y - score)),
  class = function(y, score) mean((score > 0) != (y > 0)),
  auc = function(y, score) concordance(y, score), cindex = function(y, score) concordance(y, score)
)

# Share of pairs with different y in the order of y; ties of scores count half.
concordance <- function(y, score) {
  pairs <- which(outer(y, y, "<"), arr.ind = TRUE)
  rise <- score[pairs[, 2]] - score[pairs[, 1]]
  mean((rise > 0) + (rise == 0) / 2)
}

test_that("every measure is the plain definition on pooled leave-one-out predictions", {
  skip_if_not_installed("survival")
  set.seed(1)
  x <- matrix(rnorm(120), 40)
  number <- x[, 1] + rnorm(40)
  expect_setequal(names(sparserls:::measures), names(plain))
  for (name in names(plain)) {
    classes <- name %in% c("class", "auc")
    y <- if (classes) factor(number > 0) else number
    cv <- cv.sparserls(x, y, 1:10, kernel_gaussian(0.2), c(1, 0.1), nfolds = "loo",
                       type.measure = name, keep = TRUE, progress = FALSE)
    code <- if (classes) 2 * (number > 0) - 1 else number
    expect_equal(unname(cv$cvm), unname(apply(cv$fit.preval, 2, plain[[name]], y = code)),
                 tolerance = 1e-12)
    expect_identical(cv$name, setNames(sparserls:::measures[[name]]$label, name))
  }
})

test_that("no R file asks a measure for its name", {
  path <- file.path("..", "..", "R")
  skip_if_not(dir.exists(path), "the package's sources")
  lines <- unlist(lapply(list.files(path, "[.]R$", full.names = TRUE), readLines))
  expect_identical(grep("(measure.type|name[)]) (==|%in%) ", lines, value = TRUE), character())
})
