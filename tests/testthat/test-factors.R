# Factors among the predictors: with kernels of differences no level is special.

set.seed(11)
clinic <- data.frame(
  site = factor(sample(c("a", "b", "c", "d"), 80, TRUE)), sex = sample(c("f", "m"), 80, TRUE),
  smoker = rnorm(80) > 0, grade = factor(sample(1:3, 80, TRUE), ordered = TRUE),
  age = rnorm(80), dose = rnorm(80)
)
clinic$y <- (clinic$site == "a") + clinic$age * (clinic$sex == "m") + clinic$smoker + rnorm(80) / 3
clinic$visit <- cbind(one = rnorm(80), two = rnorm(80))
turned <- transform(clinic, site = relevel(site, "c"), sex = factor(sex, c("m", "f")),
                    grade = factor(grade, 3:1, ordered = TRUE))
lambdas <- c(3, 0.3, 0.03)

test_that("errors and predictions do not depend on the first level", {
  folds <- rep(1:5, 16)
  x <- setdiff(names(clinic), c("y", "visit"))
  of_formula <- function(form, kernel) {
    function(d) {
      cv.sparserls(form, d, 1:30, kernel, lambdas, foldid = folds, progress = FALSE)
    }
  }
  wide <- width_multiples(4)
  both <- list(kernel_linear(), kernel_gaussian(wide))
  distances <- kernel_custom(function(X, Z) exp(-sqrt(reference_squares(X, Z))))
  each <- c(
    lapply(list(kernel_laplacian(wide), kernel_gaussian(c(0.1, 1)), both, distances),
           of_formula, form = y ~ site + sex + smoker + grade + age),
    of_formula(y ~ site * sex + age, both), of_formula(y ~ age:site + visit, kernel_gaussian(wide)),
    function(d) cv.rls(d[x], d$y, kernel_gaussian(), lambdas, foldid = folds),
    function(d) cv.rls2(y ~ site + age, d, kernels = kernel_gaussian(c(0.1, 1)), lambda = 1,
                        foldid = folds)
  )
  for (run in each) {
    one <- run(clinic)
    two <- run(turned)
    expect_equal(two$cvm, one$cvm, tolerance = 1e-12)
    expect_equal(predict(two, turned[1:9, ]), predict(one, clinic[1:9, ]), tolerance = 1e-12)
    # Levels are matched by name, whatever the factor of the new rows says.
    expect_equal(predict(two, clinic[1:9, ]), predict(one, clinic[1:9, ]), tolerance = 1e-12)
  }
})

test_that("columns: all levels and all cells, ranks; or contrasts", {
  # Rows that coincide are no matter here.
  columns <- function(...) suppressWarnings(sparserls(..., data = clinic, basis = 10)$columns)
  expect_identical(columns(y ~ site + sex + smoker + grade + age),
                   c(paste0("site", letters[1:4]), "sexf", "sexm", "smokerFALSE", "smokerTRUE",
                     "grade", "age"))
  expect_length(columns(y ~ site * sex), 4 + 2 + 8)
  expect_identical(columns(y ~ site + age, kernel = kernel_linear()),
                   c("siteb", "sitec", "sited", "age"))
  expect_identical(columns(y ~ grade, kernel = kernel_linear()), c("grade.L", "grade.Q"))
  expect_identical(greedyrls(y ~ site, clinic, k = 2)$columns, c("siteb", "sitec", "sited"))
})

# The standardized rows that kernels see in a call of sparserls().
seen_points <- function(...) {
  seen <- NULL
  look <- kernel_custom(function(X, Z) {
    for (rows in list(X, Z)) if (nrow(rows) > NROW(seen)) seen <<- rows
    exp(-reference_squares(X, Z) / 10)
  })
  suppressWarnings(sparserls(..., kernel = look, lambda = 1))
  unname(seen)
}

weights <- rep(c(1, 2, 0.5, 0), 20)
cells <- function(...) interaction(..., drop = FALSE)
# What the formula below codes, by hand; of age:site the columns of one term.
coded <- with(clinic, list(
  site = site, sex = sex, smoker = smoker, grade = grade, age = age,
  one = visit[, 1], two = visit[, 2], site.sex = cells(site, sex),
  age.site = age * outer(site, levels(site), "==")
))
everything <- y ~ site + sex + smoker + grade + age + visit + site:sex + age:site

test_that("kernels see all levels, every variable over its root of variance, without weight too", {
  points <- seen_points(everything, clinic, basis = 1:20, weights = weights)
  expect_equal(points, reference_coding(coded, weights), tolerance = 1e-12)
  w <- as.numeric(clinic$site != "d")
  expect_gt(sum(w == 0), 3)
  points <- seen_points(y ~ site + age, clinic, basis = which(w > 0)[1:9], weights = w)
  expect_equal(points, reference_coding(clinic[c("site", "age")], w), tolerance = 1e-12)
})

test_that("held-out predictions are those of honest refits: formula, data frame, chunks", {
  folds <- rep_len(1:5, 80)
  basis <- c(3, 8, 21, 34, 40, 55, 63, 77)
  plain <- clinic[c("site", "sex", "smoker", "grade", "age", "dose")]
  rows <- cbind(plain, y = clinic$y, w = weights, fold = folds)
  source <- chunks_function(4, function(i) rows[seq(20 * i - 19, 20 * i), ])
  for (kernel in list(kernel_gaussian(0.1), kernel_laplacian(0.2), kernel_matern(1.5, 0.15))) {
    x <- reference_coding(plain, weights)
    k <- reference_shifted(kernel, x, basis, 1e-7)
    wanted <- reference_cv(k, clinic$y, weights, basis, split(1:80, folds), lambdas, "remove", TRUE)
    runs <- list(
      cv.sparserls(y ~ site + sex + smoker + grade + age + dose, rows, basis, kernel, lambdas,
                   weights = w, foldid = fold, keep = TRUE, progress = FALSE),
      cv.sparserls(plain, clinic$y, basis, kernel, lambdas, weights = weights, foldid = folds,
                   keep = TRUE, progress = FALSE)
    )
    for (cv in runs) expect_lt(relative_error(cv$fit.preval, wanted), 1e-9)
    form <- y ~ site + sex + smoker + grade + age + dose
    cv <- cv.sparserls(form, source, 8, kernel, lambdas, weights = w, foldid = fold,
                       progress = FALSE)
    memory <- cv.sparserls(form, rows, cv$fit$basis, kernel, lambdas, weights = w, foldid = fold,
                           progress = FALSE)
    expect_equal(cv$cvm, memory$cvm, tolerance = 1e-9)
    expect_equal(predict(cv, plain[1:9, ]), predict(memory, plain[1:9, ]), tolerance = 1e-9)
  }
  full <- cv.rls(plain, clinic$y, kernel_gaussian(0.1), lambdas, foldid = folds, keep = TRUE)
  x <- reference_coding(plain)
  z <- reference_coordinates(reference_kernel(kernel_gaussian(0.1), x, x))
  wanted <- reference_ridge_cv(z, clinic$y, rep(1, 80), split(1:80, folds), lambdas, TRUE)
  expect_lt(relative_error(full$fit.preval, wanted), 1e-8)
})

test_that("an ordered factor is the number of its level", {
  grades <- transform(clinic, grade = factor(grade, c(1, 5, 2, 3), ordered = TRUE))
  by_number <- transform(grades, grade = as.integer(grade))
  fit <- function(data, basis = 1:20, ...) sparserls(y ~ grade * site + age, data, basis, ...)
  expect_identical(predict(fit(grades), grades[1:9, ]), predict(fit(by_number), by_number[1:9, ]))
  # Whatever the levels that the rows have: 5 lies between 1 and 2.
  expect_identical(predict(fit(grades), transform(grades[1:2, ], grade = c("5", "3"))),
                   predict(fit(by_number), transform(by_number[1:2, ], grade = c(2, 4))))
})

test_that("a factor of a single level is left out with a message, and not needed any more", {
  one <- transform(clinic, k = "only", l = factor("x", c("x", "y")))
  expect_message(fit <- sparserls(y ~ site + k + age, one, basis = 9), "Left out: `k`: a single",
                 class = "sparserls_message")
  expect_identical(predict(fit, clinic[1:5, ]),
                   predict(sparserls(y ~ site + age, clinic, basis = fit$basis), clinic[1:5, ]))
  expect_error(sparserls(y ~ k, one, basis = 9), class = "sparserls_error_x")
})

test_that("a width is that of a variable, whatever its columns", {
  form <- y ~ site + sex + grade + age + age:site
  wide <- c(site = 0.3, sex = 0.1, grade = 0, age = 0.4, "site:age" = 0.05)
  parts <- with(clinic, list(site = site, sex = sex, grade = grade, age = age,
                             age.site = age * outer(site, levels(site), "==")))
  scaled <- Map(function(part, gamma) part * sqrt(gamma), lapply(parts, function(part) {
    reference_coding(list(part))
  }), wide)
  by_hand <- do.call(cbind, scaled)
  fit <- sparserls(form, clinic, basis = 1:20, kernel = kernel_gaussian(rev(wide)), lambda = 1)
  wanted <- sparserls(by_hand, clinic$y, basis = 1:20, kernel_gaussian(1), 1, standardize = FALSE)
  expect_equal(fitted(fit), fitted(wanted), tolerance = 1e-10, ignore_attr = TRUE)
  expect_identical(names(fit$kernel$gamma), names(wide))
  # A factor that has fewer levels there has the same width.
  three <- clinic$site != "d"
  expect_identical(rls(form, clinic, fit$kernel, 1, subset = three)$kernel$gamma, fit$kernel$gamma)
  expect_equal(predict(fit, clinic[1:9, ]), predict(wanted, by_hand[1:9, ]), ignore_attr = TRUE)
  expect_error(sparserls(form, clinic, basis = 1:20, kernel = kernel_gaussian(wide[-1])),
               "no value for site", class = "sparserls_error_kernel")
})

test_that("ardrls() has one width for a variable, whose gradient sums over its columns", {
  form <- y ~ site + sex + grade + age + site:sex
  folds <- rep_len(1:4, 80)
  basis <- c(2, 9, 17, 25, 38, 44, 52, 61, 70)
  parts <- with(clinic, list(site, sex, grade, age, cells(site, sex)))
  points <- lapply(parts, function(part) reference_coding(list(part), weights))
  for (kernel in list(kernel_gaussian(), kernel_laplacian(), kernel_matern(2.5))) {
    fit <- ardrls(form, clinic, basis, kernel, penalty = c(Inf, 1), maxit = 5, foldid = folds,
                  weights = weights, progress = FALSE)
    expect_identical(rownames(fit$relevance), c("site", "sex", "grade", "age", "site:sex"))
    expect_identical(fit$relevance[, 2], fit$kernel$gamma)
    expect_output(print(fit), "a width for each of 5 features")

    # The log of the honest error as a function of log gamma, 5 of them, and log lambda.
    power <- if (kernel$name == "laplacian") 1 else 0.5
    honest <- function(at) {
      x <- do.call(cbind, Map(`*`, points, exp(power * at[1:5])))
      k <- reference_shifted(replace(kernel, "gamma", 1), x, basis, 1e-7)
      held <- reference_cv(k, clinic$y, weights, basis, split(1:80, folds), exp(at[6]), "remove",
                           TRUE)
      log(sum(weights * (clinic$y - held)^2) / sum(weights))
    }
    problem <- problem_of(ardrls(form, clinic, basis, kernel = kernel, penalty = 0, foldid = folds,
                                 weights = weights, progress = FALSE))
    inner <- draw_folds(problem$inner)
    objective <- error_objective(problem, start_widths(problem), basis, inner)
    at <- c(log(c(0.2, 0.1, 0.3, 0.15, 0.05)), log(0.7))
    found <- objective(at[1:5], at[6])
    expect_equal(found$value, honest(at), tolerance = 1e-8)
    wanted <- vapply(1:6, function(i) {
      slope_at_zero(function(h) honest(replace(at, i, at[i] + h)), 4e-3)
    }, 0)
    expect_equal(c(found$by_point, found$by_lambda), wanted, tolerance = 1e-6)
  }
})
