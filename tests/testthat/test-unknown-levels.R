set.seed(23)
shops <- data.frame(town = sample(letters[1:4], 60, TRUE, c(4, 3, 2, 1)), open = rnorm(60) > 0,
                    kind = factor(sample(c("u", "v"), 60, TRUE)),
                    grade = factor(sample(1:3, 60, TRUE), ordered = TRUE), size = rnorm(60, 5))
shops$y <- (shops$town == "b") + shops$size / 3 + rnorm(60) / 4
fresh <- transform(shops[1:6, ], town = c("z", "a", "q", "b", "z", NA))

rare <- function(object, newdata = fresh, ...) {
  suppressWarnings(predict(object, newdata, unknown = "as rare", ...),
                   classes = paste0("sparserls_warning_", c("unknown", "outside")))
}

# The columns of a factor over the root of the sum of their variances, and a column that is zero in
# training: in plain R.
by_hand <- function(v, known, training) {
  x <- outer(v, c(known, "other"), "==") + 0
  x[!v %in% known, length(known) + 1] <- 1
  p <- table(factor(training, known)) / length(training)
  x / sqrt(sum(p * (1 - p)))
}

by_number <- function(v, training) v / sqrt(mean((training - mean(training))^2))

# f at the coded rows `new`, of the coded basis vectors.
sum_by_hand <- function(fit, new, basis, kernel = fit$kernel) {
  as.vector(reference_kernel(kernel, new, basis) %*% coef(fit)[-1, ]) + coef(fit)[1]
}

test_that("kernel values are those of an extra column of 1 / s, times the root of its width", {
  new <- fresh[1:5, ]
  for (kernel in list(kernel_gaussian(0.3), kernel_laplacian(0.3),
                      kernel_gaussian(c(town = 0.7, size = 0.1)))) {
    widths <- length(kernel$gamma) > 1
    root <- if (widths) sqrt(kernel$gamma) else c(1, 1)
    code <- function(d) {
      cbind(root[1] * by_hand(d$town, letters[1:4], shops$town),
            root[2] * by_number(d$size, shops$size))
    }
    fit <- sparserls(y ~ town + size, shops, basis = 1:20, kernel = kernel, lambda = 0.1)
    expected <- sum_by_hand(fit, code(new), code(shops[1:20, ]),
                            if (widths) kernel_gaussian(1) else kernel)
    expect_equal(as.vector(rare(fit, new)), expected, tolerance = 1e-10)
    expect_equal(rare(fit)[c(2, 4)], suppressWarnings(predict(fit, fresh[c(2, 4), ])),
                 tolerance = 1e-12)
    expect_identical(is.na(unname(rare(fit))), c(rep(FALSE, 5), TRUE))
  }
})

test_that("interactions of factors: as far from all cells as two cells are", {
  cell <- function(d) ifelse(d$town %in% letters[1:4], paste(d$town, d$kind), "other")
  basis <- which(!duplicated(cell(shops)))
  fit <- sparserls(y ~ town:kind, shops, basis = I(basis), kernel = kernel_gaussian(0.3),
                   lambda = 0.1)
  known <- as.vector(outer(letters[1:4], c("u", "v"), paste))
  code <- function(d) by_hand(cell(d), known, cell(shops))
  new <- fresh[1:5, ]
  expect_equal(as.vector(rare(fit, new)),
               sum_by_hand(fit, code(new), code(shops[basis, ])), tolerance = 1e-10)
})

test_that("inner products: the mean over levels, by their shares", {
  w <- runif(60)
  share <- as.vector(tapply(w, shops$town, sum)) / sum(w)
  mean_over <- function(fit, row) {
    each <- predict(fit, transform(row[rep(1, 4), ], town = letters[1:4]))
    sum(share * each)
  }
  for (form in list(y ~ town + size, y ~ town * size + kind, y ~ 0 + town + town:kind)) {
    fit <- rls(form, shops, weights = w, lambda = 0.5)
    for (i in c(1, 3, 5)) {
      expect_equal(rare(fit)[[i]], mean_over(fit, fresh[i, ]), tolerance = 1e-10)
    }
  }
})

test_that("a rank that nobody knows is the mean rank", {
  fit <- sparserls(y ~ grade + size, shops, basis = 1:20, lambda = 0.1)
  numbers <- sparserls(y ~ grade + size, transform(shops, grade = as.numeric(grade)), basis = 1:20,
                       lambda = 0.1)
  new <- transform(fresh[1:2, ], grade = factor(c("9", "2"), c("1", "2", "3", "9"), ordered = TRUE))
  expect_equal(rare(fit, new),
               predict(numbers, transform(new, grade = c(mean(as.numeric(shops$grade)), 2))),
               tolerance = 1e-12)
})

test_that("all families, data frames, intervals and classes take it", {
  x <- shops[c("town", "size", "open")]
  y <- shops$y
  fits <- list(
    cv.sparserls(x, y, 1:20, nlambda = 5, nfolds = 4, keep = TRUE, progress = FALSE),
    cv.rls(x, y, kernel_gaussian(), nlambda = 5, nfolds = 4),
    ardrls(x, y, basis = 1:20, penalty = c(1, 0.1)),
    rls2(y ~ town + size, shops, kernels = list(kernel_linear(), kernel_gaussian()), lambda = 1),
    cv.greedyrls(x, y, k = 3, nfolds = 4, progress = FALSE)
  )
  for (fit in fits) {
    found <- as.matrix(rare(fit))
    expect_identical(unname(is.na(found[, 1])), c(rep(FALSE, 5), TRUE))
    expect_identical(rownames(found), rownames(fresh))
    expect_error(predict(fit, fresh), class = "sparserls_error_newdata")
  }
})

test_that("what is said, and what is refused", {
  fit <- sparserls(y ~ town + kind + size, shops, basis = 1:20, lambda = 0.1)
  custom <- sparserls(y ~ town, shops, basis = match(letters[1:4], shops$town), lambda = 0.1,
                      kernel = kernel_custom(function(X, Z) X %*% t(Z)))
  expect_notes({
    predict(fit, transform(fresh, kind = c("w", "u", "u", "u", "u", "u")),
            unknown = "as rare") |
      warning_unknown | '3 rows of `newdata` have levels that the .. `town`: "z", "q" .. They are' |
      warning_outside | "1 row of `newdata` lies outside of the .. Predictions extrapolate"
  })
  expect_refusals({
    predict(fit, fresh) | newdata | 'Column `town` of `newdata` has .. "z", "q" .. Known levels'
    predict(fit, fresh, unknown = "drop") | argument | '`unknown` must be one of "error", .. "drop"'
    predict(custom, fresh, unknown = "as rare") |
      argument | '`unknown = "as rare"` cannot place .. `town` is used by a .. Give these rows a'
  })
})

test_that("fits to rows in chunks place them or say why not; a factor seen in part has no place", {
  rows <- chunks_function(2, function(i) shops[list(1:30, 31:60)[[i]], ])
  chunked <- sparserls(y ~ town + size, rows, basis = 15, lambda = 0.1, kernel = kernel_gaussian(1))
  expect_length(na.omit(rare(chunked)), 5)
  linear <- rls(y ~ town + size, rows, lambda = 0.1)
  expect_error(rare(linear), class = "sparserls_error_argument")
  fit <- sparserls(y ~ town + size, shops, 10, kernel_gaussian(0.3, features = 1:2), lambda = 1)
  expect_error(rare(fit), "or in part", class = "sparserls_error_argument")
})
