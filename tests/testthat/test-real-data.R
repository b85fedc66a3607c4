# Real data sets lie outside the package, see tools/run-tests.R.
real_data <- function(file) {
  folder <- Sys.getenv("SPARSERLS_DATA")
  skip_if(!nzchar(folder), "SPARSERLS_DATA is not set")
  utils::read.csv(file.path(folder, file))
}

# 2500 rows, 300 basis vectors, two of ten folds; the largest error of either form.
worst_error <- function(data, response, gamma) {
  m <- 2500
  y <- data[[response]][1:m]
  x <- as.matrix(data[1:m, setdiff(names(data), response)])
  set.seed(1)
  basis <- sort(sample(m, 300))
  folds <- unname(split(1:m, sample(rep_len(1:10, m))))[1:2]
  lambda <- 2^c(4, -5, -15)
  held_out <- lapply(c("retrain", "update"), function(solver) {
    cv.sparserls(x, y, basis, kernel_gaussian(gamma), lambda, standardize = FALSE, folds = folds,
                 keep = TRUE, solver = solver, progress = FALSE)$fit.preval
  })
  k <- sapply(basis, function(j) exp(-gamma * colSums((t(x) - x[j, ])^2)))
  k[cbind(basis, 1:300)] <- 1 + 1e-7
  max(vapply(folds, function(held) {
    honest <- reference_refit(k, y, rep(1, m), basis, which(!basis %in% held),
                              setdiff(1:m, held), held, lambda, TRUE)
    max(vapply(held_out, function(found) max(abs(found[held, ] - honest[, 1, ])), 0)) / sd(y)
  }, 0))
}

test_that("held-out predictions are those of honest refits", {
  expect_lt(worst_error(real_data("pole.csv.xz"), "foo", 2^-12), 1e-10)
  # K_BB has a condition number of 2e9.
  expect_lt(worst_error(real_data("ailerons.csv.xz"), "goal", 2^-18), 1e-8)
})
