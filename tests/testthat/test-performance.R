ids <- rep_len(1:4, 64)
insurance <- transform(MASS::Insurance, w = rep_len(1:3, 64))

# The null model's prediction of every row, `best` of the rows that are not left out with it.
null_of <- function(best) {
  vapply(seq_along(ids), function(i) best(insurance[ids != ids[i], ], insurance[i, ]), 0)
}
# 1 - E / E0, E and E0 means of losses, and its standard error over rows.
share_of <- function(loss, null, w) {
  share <- sum(w * loss) / sum(w * null)
  c(1 - share, unit_errors((loss - share * null) / (sum(w * null) / sum(w)), w)$error)
}

test_that("root mean squared errors, shares of the variance, and the null model", {
  cv <- cv.rls(Claims ~ Group + Age, insurance, weights = w, foldid = ids, keep = TRUE)
  w <- insurance$w
  loss <- (insurance$Claims - fitted(cv, type = "held-out"))^2
  null <- (insurance$Claims -
           null_of(function(rest, row) stats::weighted.mean(rest$Claims, rest$w)))^2
  found <- cv$performance
  expect_equal(found["min", "rmse"], sqrt(stats::weighted.mean(loss, w)))
  expect_equal(found[c("min", "1se"), "error"], cv$cvm[cv$index])
  expect_equal(found["null", "error"], stats::weighted.mean(null, w))
  expect_equal(unlist(found["min", c("r.squared", "std.error")], use.names = FALSE),
               share_of(loss, null, w))
  # Of groups errors are over these; of a measure of the whole set the error is not that of rows.
  groups <- rep_len(1:16, 64)
  grouped <- quiet(cv.rls(Claims ~ Group + Age, insurance, groups = groups, nfolds = 4,
                          keep = TRUE, type.measure = "cindex"))
  loss <- rowsum((insurance$Claims - fitted(grouped, type = "held-out"))^2, groups)
  expect_equal(grouped$performance["min", "rmse"], sqrt(sum(loss) / 64))
  expect_true(all(is.na(grouped$performance$error)))
})

test_that("with a family the null model is the best constant, with an offset, too", {
  deviance <- function(mean) {
    y <- insurance$Claims
    2 * (ifelse(y > 0, y * log(y / mean), 0) - y + mean)
  }
  plain <- cv.rls(Claims ~ Group, insurance, family = "poisson", foldid = ids)
  expect_equal(plain$performance["null", "error"],
               mean(deviance(null_of(function(rest, row) mean(rest$Claims)))))
  cv <- cv.rls(Claims ~ Group + offset(log(Holders)), insurance, family = "poisson", foldid = ids,
               keep = TRUE)
  null <- deviance(null_of(function(rest, row) row$Holders * sum(rest$Claims) / sum(rest$Holders)))
  expect_equal(cv$performance["null", "error"], mean(null))
  held <- deviance(fitted(cv, type = "held-out"))
  expect_equal(unlist(cv$performance["min", c("r.squared", "std.error")], use.names = FALSE),
               share_of(held, null, rep(1, 64)), tolerance = 1e-6)
  # For a family whose intercept given an offset has no closed form, by glm().
  size <- MASS::negative.binomial(2)
  other <- quiet(cv.rls(Claims ~ Group + offset(log(Holders)), insurance, family = size,
                        foldid = ids))
  null <- null_of(function(rest, row) {
    fit <- stats::glm(Claims ~ 1 + offset(log(Holders)), size, rest)
    stats::predict(fit, row, type = "response")
  })
  expect_equal(other$performance["null", "error"], mean(size$dev.resids(insurance$Claims, null, 1)),
               tolerance = 1e-6)
})

test_that("classes have their accuracy; several outputs and pairs have less", {
  cv <- quiet(cv.rls(Species ~ ., iris[1:130,], foldid = rep_len(1:5, 130), keep = TRUE))
  predicted <- max.col(fitted(cv, type = "held-out"))
  expect_equal(cv$performance$accuracy[c(1, 3)],
               c(mean(predicted == as.integer(iris$Species[1:130])), 50 / 130))
  expect_equal(cv$performance$error, 1 - cv$performance$accuracy)
  both <- quiet(cv.rls(cbind(mpg, hp) ~ wt, mtcars))
  expect_named(both$performance, "error")
  pairs <- quiet(cv.rls(mpg > 20 ~ wt, mtcars, nfolds = "pairs", type.measure = "auc"))
  expect_null(pairs$performance)
})

test_that("prints say what is reported, and of calls that hold data their class", {
  cv <- quiet(do.call(cv.rls, list(mpg ~ wt, mtcars, foldid = rep_len(1:4, 32))))
  lines <- capture.output(print(cv))
  expect_match(lines[2], "data = <data.frame>", fixed = TRUE)
  expect_match(lines[8], sprintf("^min .* %.3f \\(%.3f\\)$", cv$performance$r.squared[1],
                                 cv$performance$std.error[1]))
  expect_match(lines[10], "^null")
  expect_lte(length(lines), 13)
  cv$call <- quote(cv.rls())
  expect_false(any(grepl("Call", capture.output(print(cv)))))
  found <- generics::glance(cv)
  expect_equal(unlist(found[c("rmse", "r.squared")]),
               unlist(cv$performance["min", c("rmse", "r.squared")]))
})

test_that("of single rows left out the null model has the share of its class, and no AUC", {
  set.seed(2)
  d <- data.frame(y = rep(c("a", "b"), 15), x = rnorm(30))
  of <- function(...) quiet(cv.rls(y ~ x, transform(d, y = factor(y)), ...))
  # Every refit predicts the class that the row is not of, however the null model is refitted.
  majority <- vapply(1:30, function(i) names(which.max(table(d$y[-i]))), "")
  expect_true(all(majority != d$y))
  single <- of(nfolds = "loo", lambda = c(1e5, 1e4))
  expect_identical(single$performance["null", ], data.frame(error = 0.5, accuracy = 0.5,
                                                           row.names = "null"))
  expect_identical(single$calibration$auc, c(lambda.min = NA_real_, lambda.1se = NA_real_))
  expect_match(capture.output(print(single)), "leave-one-out makes it too low", all = FALSE)
  expect_false(anyNA(of(nfolds = "loo", lambda = c(1, 0.1))$calibration$auc))
  expect_false(anyNA(of(foldid = rep(1:3, 10), lambda = c(1e5, 1e4))$calibration$auc))
})

test_that("summaries have what prints have, no table is too wide, and effects are named", {
  cv <- quiet(cv.sparserls(mpg ~ wt + hp, mtcars, basis = 8, foldid = rep_len(1:4, 32)))
  lines <- capture.output(print(summary(cv)))
  expect_true(all(capture.output(print(cv))[9:15] %in% lines))
  tables <- lines[-2]
  expect_lte(max(nchar(tables)), 80)
  expect_false(any(grepl("gamma =", tail(lines, 6))))
  cv <- function(...) {
    cv.rls(lpsa ~ lcavol + age, prostate, lambda = 1, foldid = rep_len(1:5, 97), ...)
  }
  expect_output(print(summary(cv(keep = TRUE))), "Effects of the features: partial_effects()",
                fixed = TRUE)
  expect_null(summary(cv())$effects)
})
