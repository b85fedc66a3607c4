set.seed(5)
m <- 60
x <- matrix(rnorm(3 * m), m, dimnames = list(NULL, c("a", "b", "c")))
y <- sin(1.5 * (x[, 1] + x[, 2])) + 0.3 * x[, 3] + rnorm(m) / 5
new <- matrix(rnorm(15), 5, dimnames = list(NULL, colnames(x)))
w <- replace(runif(m, 0.3, 2), c(3, 10, 21), 0)
basis <- seq(1, m, 3)
inner <- rep_len(1:5, m)
thirds <- unname(split(1:m, rep(1:3, each = m / 3)))
start <- kernel_gaussian(c(a = 0.1, b = 0.1, c = 0.1))
# Numbers of one kind are numbers of the other.
both <- list(widths = c(Inf, 0.1, 0), map = c(0.1, 0))
kinds <- rep(c("widths", "map"), 3:2)
map_step <- function(penalty) list(kind = "map", penalty = penalty)
quick <- function(..., maxit = 8) ardrls(..., map = TRUE, maxit = maxit, progress = FALSE)
honest <- function(..., maxit = 8) {
  quiet(cv.ardrls(..., map = TRUE, maxit = maxit, progress = FALSE))
}

test_that("map, rank and penalties of both kinds", {
  x <- bad_x()
  y <- bad_y()
  path <- function(...) quick(x, y, 5, ..., maxit = 1)[c("penalty", "kind")]
  as_path <- function(widths, map) {
    list(penalty = c(widths, map), kind = rep(c("widths", "map"), c(length(widths), length(map))))
  }
  default <- path(npenalty = 3)
  expect_identical(default$kind[1:4], c("widths", "widths", "widths", "map"))
  expect_equal(default$penalty[1:3], c(Inf, 30, 0))
  maps <- default$penalty[default$kind == "map"]
  expect_identical(path(penalty = c(0, 1)), as_path(c(1, 0), maps))
  expect_identical(path(penalty = list(widths = c(0, 1, Inf), map = c(0, 2))),
                   as_path(c(Inf, 1, 0), c(2, 0)))
  expect_identical(path(penalty = list(map = 0), npenalty = 2), as_path(c(Inf, 0), 0))
  expect_identical(path(penalty = list(widths = 1, map = NULL)), as_path(1, maps))
  # Without maps a list has no other meaning than a number.
  expect_identical(ardrls(x, y, 5, penalty = list(widths = 1), maxit = 1)$kind, "widths")
  expect_refusals({
    quick(x, y, 5, penalty = list(1, 0)) | penalty | "must be list(widths = , map = ) .. size 2"
    quick(x, y, 5, penalty = list(width = 1)) | penalty | "must be list(widths = , map = )"
    quick(x, y, 5, penalty = list(map = 1, map = 0)) | penalty | "must be list(widths = , map = )"
    quick(x, y, 5, penalty = list(map = "a")) | penalty | "`penalty` of maps must be finite numbers"
    quick(x, y, 5, penalty = list(map = c(1, NA))) | penalty | "finite .. 1, NA"
    quick(x, y, 5, penalty = list(map = c(Inf, 0))) | penalty | "at Inf there would be the widths"
    quick(x, y, 5, penalty = list(map = numeric())) | penalty | "of maps must be finite numbers"
    ardrls(x, y, 5, penalty = list(map = 1)) | penalty | "Values for maps need map = TRUE"
    ardrls(x, y, 5, map = NA) | argument | "`map` must be TRUE or FALSE"
    ardrls(x, y, 5, rank = 2) | argument | "`rank` is one of maps .. Use map = TRUE"
    quick(x, y, 5, rank = 0) | argument | "`rank` .. at least 1"
    quick(x, y, 5, kernel_laplacian()) | kernel | "can have a map .. Laplacian .. kernel_matern()"
    quick(x, y, 5, kernel_gaussian(map = diag(3))) | kernel | "needs a kernel with a width for each"
  })
  by_formula <- ardrls(y ~ ., data.frame(x, y = y), basis = 5, map = TRUE, maxit = 1,
                       penalty = list(widths = 1, map = 0))
  expect_identical(by_formula$kind, c("widths", "map"))
  expect_identical(update(by_formula, map = FALSE, penalty = 1)$kind, "widths")
})

test_that("the steps of widths are those of a path without maps", {
  fit <- quick(x, y, basis, penalty = both, foldid = inner)
  widths <- ardrls(x, y, basis, penalty = both$widths, foldid = inner, maxit = 8)
  expect_identical(fit$relevance[, 1:3], widths$relevance)
  expect_identical(fit$loss[1:3], widths$loss)
  expect_identical(predict(fit, new)[, 1:3], predict(widths, new))
})

test_that("s names a step by its kind, in every method", {
  fit <- quick(x, y, basis, penalty = both, foldid = inner, weights = w)
  expect_identical(fit$kind, kinds)
  widths <- list(kind = "widths", penalty = c(0, Inf))
  asked <- list(list(s = c(0, Inf), at = c(3, 1)), list(s = widths, at = c(3, 1)),
                list(s = map_step(c(0, 0.1)), at = 5:4), list(s = map_step(0.1), at = 4))
  for (each in asked) {
    s <- each$s
    at <- each$at
    for (f in list(function(fit, ...) predict(fit, new, ...), fitted, residuals)) {
      expect_identical(f(fit, s = s), f(fit)[, at, drop = FALSE], ignore_attr = TRUE)
    }
    for (f in list(deviance, sigma)) expect_identical(f(fit, s = s), f(fit)[at])
    tidied <- generics::tidy(fit, s = s)
    expect_identical(tidied$estimate, as.vector(fit$relevance[, at]))
    expect_identical(tidied$kind, rep(kinds[at], each = 3))
    expect_identical(tidied$penalty, rep(fit$penalty[at], each = 3))
  }
  for (i in 1:5) {
    s <- list(kind = kinds[i], penalty = fit$penalty[i])
    step <- fit$fits[[i]]
    expect_equal(coef(fit, s = s), coef(step))
    expect_equal(vcov(fit, s = s, type = "gp"), vcov(step, type = "gp"))
    expect_identical(predict(fit, new, s = s, interval = "gp"),
                     predict(step, new, s = step$lambda, interval = "gp"))
    slope <- function(h) predict(fit, new + rep(c(h, 0, 0), each = 5), s = s)
    expect_equal(unname(derivatives(fit, new, s = s, type = "gp")$derivatives[, "a"]),
                 unname(slope(1e-5) - slope(-1e-5)) / 2e-5, tolerance = 1e-5)
  }
  expect_identical(coef(fit), coef(fit, s = map_step(0)))
  expect_identical(generics::glance(fit)$kind, "map")
  expect_identical(generics::glance(fit)$npath, 5L)
  none <- ardrls(x, y, basis, penalty = 0, foldid = inner, maxit = 1)
  expect_refusals({
    predict(fit, new, s = 1) | penalty | "The path is Inf, 0.1, 0; of maps .. it is 0.1, 0"
    predict(fit, new, s = map_step(Inf)) | penalty | "not on the path"
    coef(fit, s = map_step(c(0.1, 0))) | penalty | "single value .. Inf, 0.1, 0, map 0.1, map 0"
    deviance(fit, s = list(kind = "maps", penalty = 0)) | penalty | "not on the path .. maps 0"
    predict(fit, new, s = list("map", 0)) | penalty | "or list(kind = , penalty = )"
    generics::tidy(fit, s = list(kind = "map", penalty = 0, rank = 1)) | penalty | "or list(kind ="
    predict(none, new, s = map_step(0)) | penalty | "not on the path .. map 0"
  })
})

with_choice <- function(cv, min, se) {
  cv$index[, 1] <- c(min, se)
  cv$penalty.min <- cv$penalty[min]
  cv$penalty.1se <- cv$penalty[se]
  cv$kind <- c(min = kinds[min], `1se` = kinds[se])
  cv
}

test_that("what was chosen is a step, though both kinds have its number", {
  cv <- honest(x, y, basis, start, both, foldid = inner, outer = thirds)
  # Penalty 0 twice: a map at the minimum, widths at 1se.
  cv <- with_choice(cv, 5L, 3L)
  fit <- cv$fit
  chosen <- list(penalty.min = map_step(0), penalty.1se = 0)
  for (name in names(chosen)) {
    s <- chosen[[name]]
    for (f in list(fitted, residuals, coef, deviance, sigma,
                   function(fit, ...) predict(fit, new, ...))) {
      expect_equal(f(cv, s = name), f(fit, s = s), ignore_attr = TRUE)
      expect_equal(f(cv, s = s), f(fit, s = s))
    }
    expect_equal(generics::augment(cv, newdata = new, s = name),
                 generics::augment(fit, newdata = new, s = s))
    expect_identical(derivatives(cv, new, s = name, type = "gp")$average,
                     derivatives(fit, new, s = s, type = "gp")$average)
  }
  expect_identical(predict(cv, new), predict(fit, new, s = 0), ignore_attr = TRUE)
  glanced <- generics::glance(cv)
  expect_identical(c(glanced$kind.min, glanced$kind.1se), c("map", "widths"))
  expect_identical(generics::tidy(cv)[c("kind", "penalty")], data.frame(kind = kinds,
                                                                        penalty = cv$penalty),
                   ignore_attr = TRUE)
  expect_identical(summary(cv)$curve$kind, kinds)
  expect_refusals({
    predict(cv, new, s = "lambda.min") | penalty | "penalty.1se .. penalty.min .. kind = .. map"
    predict(cv, new, s = map_step(3)) | penalty | "not on the path"
  })
  cv$penalty <- c(Inf, 2, 1, 2, 1)
  notes <- function(min, se) toString(describe(with_choice(cv, min, se))$notes)
  expect_match(notes(1L, 1L), "penalty.min is Inf: one width")
  expect_match(notes(3L, 2L), "penalty.min is the smallest penalty of kind .widths.")
  expect_identical(notes(4L, 2L), "")
  expect_match(notes(5L, 1L), "penalty.1se is Inf.*is the smallest penalty of kind .map.")
})

test_that("prints say the kind of a step where there are maps", {
  steps <- function(f, penalty, ...) {
    quiet(f(x, y, basis, start, penalty, foldid = inner, maxit = 2, ...))
  }
  for (map in c(TRUE, FALSE)) {
    fit <- steps(ardrls, if (map) both else c(Inf, 0), map = map)
    cv <- steps(cv.ardrls, if (map) both else c(Inf, 0), map = map, outer = thirds)
    for (object in list(fit, cv, summary(fit), summary(cv))) {
      expect_identical(any(grepl("Kind|kind", capture.output(print(object)))), map)
    }
    if (map) expect_output(print(cv), "a width for each of 3\\s+features, then with a map")
  }
  said <- capture_messages(ardrls(x, y, basis, start, both, map = TRUE, foldid = inner, maxit = 1,
                                  progress = TRUE))
  expect_identical(startsWith(said, "map, "), kinds == "map")
})

test_that("along a direction that is no axis a map is chosen, and predicts better than widths", {
  set.seed(1)
  direction <- c(3, -2, 1, 2) / sqrt(18)
  f <- function(x) sin(2 * drop(x %*% direction))
  rows <- matrix(rnorm(1000), 250)
  y <- f(rows) + rnorm(250) / 5
  set.seed(1)
  cv <- quiet(cv.ardrls(rows, y, 80, map = TRUE, outer = 3,
                        penalty = list(widths = c(Inf, 1, 0), map = c(30, 10))))
  expect_identical(cv$kind[["1se"]], "map")
  other <- matrix(rnorm(2000), 500)
  error <- colMeans((predict(cv$fit, other) - f(other))^2)
  expect_lt(error[cv$index["1se", 1]], 0.6 * min(error[cv$fit$kind == "widths"]))
  found <- cv$fit$kernel$map[, 1]
  expect_gt(abs(sum(found * direction)) / sqrt(sum(found^2)), 0.95)
})
