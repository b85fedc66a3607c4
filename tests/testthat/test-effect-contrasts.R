set.seed(1)
m <- 120
data <- data.frame(u = rnorm(m), v = rnorm(m), f = factor(sample(c("a", "b", "c"), m, TRUE)),
                   site = rep(1:30, each = 4))
data$y <- data$u * (data$f == "b") + data$v + rnorm(m)
data$z <- data$u + rnorm(m)
of <- function(form, grouped = FALSE) {
  seeded(2, quiet(eval(bquote(cv.sparserls(.(form), data, basis = 25, keep = TRUE, nfolds = 5,
                                           kernel = kernel_gaussian(0.03), lambda = 1,
                                           groups = .(if (grouped) "site"))))))
}
cv <- of(y ~ u + v + f)
more <- function(by) function(d) transform(d, u = u + by)

test_that("differences have the estimate, error and quantiles that linear algebra says", {
  moved <- suppressWarnings(average_effect(of(y ~ u + v + f, grouped = TRUE), more(1), by = "f"),
                            classes = "sparserls_warning_carriers")
  # Whether too few groups carry a term is not the question here.
  moved$carriers[] <- 30
  found <- effect_contrasts(moved, level = 0.9)
  expect_identical(found$term, c("effect, b - effect, a", "effect, c - effect, a",
                                 "effect, c - effect, b"))
  l <- rbind(c(-1, 1, 0), c(-1, 0, 1), c(0, -1, 1))
  expect_equal(found$estimate, drop(l %*% moved$average))
  expect_equal(found$plugin, drop(l %*% moved$plugin))
  expect_equal(found$correction, drop(l %*% moved$correction))
  error <- sqrt(diag(l %*% vcov(moved) %*% t(l)))
  expect_equal(found$std.error, error)
  expect_identical(moved$df, 29)
  expect_equal(found$p.value, 2 * pt(-abs(found$estimate / error), 29))
  expect_equal(found$conf.high, found$estimate + error * qt(0.95, 29))
  given <- effect_contrasts(moved, rbind(mean = c(1, 1, 1) / 3, last = c(0, 0, 1)))
  expect_identical(given$term, c("mean", "last"))
  expect_equal(given$estimate, c(mean(moved$average), moved$average[[3]]))
  expect_equal(given$std.error, c(sqrt(sum(vcov(moved))) / 3, moved$std.error[[3]]))
})

test_that("levels can be compared, policies, and types without weights", {
  effects <- derivatives(cv, type = "jackknife")
  found <- effect_contrasts(effects, c("fb", "fc"))
  expect_identical(found$term, "fc - fb")
  l <- c(0, 0, -1, 1)
  expect_equal(found$std.error, sqrt(drop(l %*% vcov(effects) %*% l)))
  expect_null(found$plugin)
  none <- quiet(derivatives(rls2(y ~ u + v, data, lambda = 1)))
  expect_true(is.na(effect_contrasts(none)$p.value))
  both <- average_effect(cv, list(one = more(1), two = more(2)))
  direct <- suppressWarnings(average_effect(cv, more(2), from = more(1)))
  expect_equal(effect_contrasts(both)$plugin, unname(direct$plugin))
})

test_that("what one term cannot know its differences do not", {
  effects <- derivatives(of(y ~ u + v + z))
  effects$carriers[] <- c(30, 2, 30)
  effects$representer$unknown[] <- FALSE
  found <- effect_contrasts(effects)
  expect_identical(is.na(found$p.value), c(TRUE, FALSE, TRUE))
  expect_identical(is.na(found$conf.low), c(TRUE, FALSE, TRUE))
  effects$carriers[] <- 30
  effects$representer$unknown <- c(TRUE, FALSE, FALSE)
  expect_identical(is.na(effect_contrasts(effects)$p.value), c(TRUE, TRUE, FALSE))
})

test_that("outputs have a joint covariance", {
  for (grouped in c(FALSE, TRUE)) {
    effects <- derivatives(of(cbind(y, z, y + z) ~ u + v, grouped))
    sums <- cbind(diag(2), diag(2))
    expect_equal(sums %*% effects$joint[1:4, 1:4] %*% t(sums), unname(effects$vcov[, , 3]))
    found <- effect_contrasts(effects)
    expect_identical(found$output, c("y", "z", "y3"))
    expect_equal(found$estimate, unname(effects$average[2, ] - effects$average[1, ]))
    scaled <- suppressWarnings(derivatives(of(cbind(y, z * 2^90) ~ u + v, grouped)))
    expect_equal(scaled$joint[1:2, 3:4] / 2^90, effects$joint[1:2, 3:4])
  }
})

test_that("effects are models of hypotheses()", {
  skip_if_not_installed("marginaleffects")
  moved <- suppressWarnings(average_effect(cv, more(1), by = data$v > 0))
  moved$carriers[] <- 30
  found <- as.data.frame(marginaleffects::hypotheses(moved, df = TRUE))
  wanted <- generics::tidy(moved, conf.int = TRUE)
  expect_identical(found$term, wanted$term)
  for (name in c("estimate", "std.error", "p.value", "conf.low", "conf.high")) {
    expect_equal(as.vector(found[[name]]), wanted[[name]], tolerance = 1e-6)
  }
  found <- suppressWarnings(marginaleffects::hypotheses(moved, "b2 - b1 = 0", df = TRUE))
  wanted <- effect_contrasts(moved)
  expect_equal(as.vector(found$std.error), wanted$std.error, tolerance = 1e-6)
  expect_equal(as.vector(found$p.value), wanted$p.value, tolerance = 1e-6)
  # A function of the model sees the moved effects.
  found <- suppressWarnings(marginaleffects::hypotheses(moved, function(x) {
    data.frame(term = "change", estimate = diff(as.vector(coef(x))))
  }))
  expect_equal(as.vector(found$std.error), wanted$std.error, tolerance = 1e-6)
  outputs <- derivatives(of(cbind(y, z) ~ u + v))
  found <- marginaleffects::hypotheses(outputs, "`y: u` = `z: u`")
  expect_equal(as.vector(found$estimate), outputs$average["u", "y"] - outputs$average["u", "z"])
  l <- c(1, 0, -1, 0)
  expect_equal(as.vector(found$std.error), sqrt(drop(l %*% outputs$joint %*% l)), tolerance = 1e-6)
  plain <- derivatives(of(cbind(y, z) ~ u + v), type = "jackknife")
  expect_refusals({
    marginaleffects::get_vcov(plain) | argument | "covariance between outputs is not known"
    marginaleffects::get_vcov(moved, vcov = "HC3") | argument | 'vcov = "HC3" .. derivatives(type'
  })
})

test_that("what is no contrast is refused", {
  moved <- average_effect(cv, more(1))
  effects <- derivatives(cv)
  expect_refusals({
    effect_contrasts(cv) | argument | "`x` must be a result of derivatives(), average_effect() or"
    effect_contrasts(moved) | argument | "Differences need two terms .. average_effect() with `by`"
    effect_contrasts(effects, c("u", "w")) | argument | '`contrasts` must name or number .. "fb"'
    effect_contrasts(effects, diag(3)) | argument | "must have a column of numbers .. 4 terms: u"
    effect_contrasts(effects, level = 2) | argument | "level must be a number between 0 and 1"
  })
})

test_that("a term without a number is missing only where it is used", {
  set.seed(1)
  d <- data.frame(a = rnorm(80), sex = rep(c("f", "m"), 40))
  d$y <- d$a * (d$sex == "f") + rnorm(80)
  cv <- quiet(cv.rls(y ~ ., d, kernel = kernel_linear(), keep = TRUE, nfolds = 5))
  effects <- quiet(partial_effects(cv, by = "sex"))
  expect_true(anyNA(effects$average))
  both <- effect_contrasts(effects, c("a, f", "a, m"))
  expect_equal(both$estimate, unname(diff(effects$average[c("a, f", "a, m")])))
  expect_false(anyNA(both$std.error))
  expect_true(anyNA(effect_contrasts(effects)$estimate))
})
