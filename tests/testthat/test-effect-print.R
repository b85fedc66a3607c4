set.seed(1)
data <- data.frame(u = rnorm(60), v = rnorm(60), one = rbinom(60, 1, 0.5),
                   site = rep(1:20, each = 3))
data$y <- data$u + data$one + rnorm(60)
cv <- quiet(cv.rls(y ~ u + v + one, data, lambda = 3, keep = TRUE, groups = "site", nfolds = "loo"))
two <- quiet(cv.rls(cbind(y, z = v - y) ~ u + v, data, lambda = 3, keep = TRUE,
                    foldid = rep(1:5, 12)))
effects <- derivatives(cv)
# Digits that do not depend on how the representer was chosen.
with_digits <- function(effects) {
  effects$average[] <- seq_along(effects$average) / 4
  effects$std.error[] <- 1 / 8
  effects$plugin[] <- effects$average - 1 / 16
  effects$representer$unknown[] <- FALSE
  effects$carriers[] <- 15
  effects
}

test_that("the plug-in stands beside what is debiased, in the user's units", {
  shown <- summary(effects)$coefficients
  expect_identical(names(shown), c("estimate", "std.error", "plugin", "statistic", "p.value"))
  expect_equal(shown$plugin, unname(coef(cv)[-1, 1]))
  expect_identical(names(summary(derivatives(cv, type = "gp"))$coefficients),
                   c("estimate", "std.error", "statistic", "p.value"))
  outputs <- summary(derivatives(two))$coefficients
  expect_equal(outputs$plugin, as.vector(coef(two)[-1, , ]))
  moved <- average_effect(cv, function(d) transform(d, u = u + 1), by = "one")
  expect_said({
    print(summary(with_digits(effects)), digits = 3)
    print(with_digits(moved), digits = 3)
  })
  expect_output(print(with_digits(derivatives(two))), "z: v +1.00 +0.125 +0.9375")
})

test_that("terms that the data cannot tell have no p-value, and a line says why", {
  unsure <- with_digits(effects)
  unsure$representer$unknown[1] <- TRUE
  unsure$carriers[1:2] <- 2
  expect_identical(is.na(summary(unsure)$coefficients$p.value), c(TRUE, TRUE, FALSE))
  expect_identical(unname(is.na(confint(unsure)[, 1])), c(TRUE, TRUE, FALSE))
  for (shown in list(unsure, summary(unsure))) {
    expect_output(print(shown), "no p-values of v: the estimate rests on too few groups")
    expect_output(print(shown), "no p-values: the data cannot determine the effect of u")
  }
})

test_that("marginaleffects says once whose slopes it has", {
  skip_if_not_installed("marginaleffects")
  space <- asNamespace("marginaleffects")
  skip_if_not(exists("sanitize_model_specific", space))
  told <- session
  was <- told$plugin_told
  on.exit(told$plugin_told <- was)
  told$plugin_told <- NULL
  expect_notes({
    rows <- marginaleffects::predictions(cv, newdata = data[1:3, ])
    slopes <- marginaleffects::avg_slopes(cv, variables = "u") |
      message | "are those of the penalized fit .. are debiased. (Shown once per session.)"
    again <- marginaleffects::avg_comparisons(cv, variables = "one")
  })
  expect_equal(slopes$estimate, effects$plugin[["u"]], tolerance = 1e-6, ignore_attr = TRUE)
})

test_that("shares and p-values below their bounds, and names with commas, print as such", {
  set.seed(9)
  d <- data.frame(a = rnorm(60), b = rnorm(60), y = rnorm(60))
  found <- partial_effects(quiet(cv.sparserls(y ~ ., d, basis = 15, keep = TRUE)))
  found$explained[] <- c(-0.2, 0.3)
  expect_identical(summary(found)$coefficients$explained, c(0, 0.3))
  expect_identical(enumerate_terms(c("f, a", "g")), "\"f, a\", \"g\"")
  line <- sparserls:::curved_terms(list(linear = c(0, 0.01), difference = c(a = FALSE, b = FALSE)))
  expect_match(line, "a (p <2e-16), b (p = 0.01)", fixed = TRUE)
})

test_that("levels short of basis vectors have no errors, plug-in averages of kernels no stars", {
  set.seed(4)
  d <- data.frame(x = rnorm(200), f = rep(c("a", "b", "c"), c(90, 80, 30)))
  d$y <- d$x + 3 * (d$f == "c") + rnorm(200)
  basis <- function(c) c(1:10, 91:100, 170 + seq_len(c))
  fit <- function(c, kernel = kernel_gaussian()) {
    quiet(cv.sparserls(y ~ x + f, d, basis(c), kernel, keep = TRUE))
  }
  for (cv in list(fit(0), fit(4))) {
    found <- derivatives(cv)
    expect_identical(is.na(found$std.error), c(x = FALSE, fb = FALSE, fc = TRUE))
    expect_identical(is.na(summary(found)$coefficients$p.value), c(FALSE, FALSE, TRUE))
    expect_output(print(found), "no errors of fc: levels with too few basis vectors")
  }
  expect_false(anyNA(derivatives(fit(5))$std.error))
  expect_false(anyNA(derivatives(fit(0, kernel_linear()))$std.error))
  to <- function(level) function(d) transform(d, f = level)
  expect_output(print(average_effect(fit(4), to("c"), to("a"))), "no errors of this move")
  expect_false(anyNA(average_effect(fit(4), to("b"), to("a"))$std.error))
  expect_false(anyNA(average_effect(fit(4), function(d) transform(d, x = x + 1))$std.error))
  shown <- capture.output(print(summary(derivatives(fit(5), type = "gp"))))
  expect_match(paste(shown, collapse = " "), "drawn towards zero .* See partial_effects")
  expect_false(any(grepl("***", shown, fixed = TRUE)))
})

test_that("a penalty that moves the coefficients of a family takes the stars", {
  shown <- function(lambda) {
    fit <- rls(am ~ wt, mtcars, lambda = lambda, family = "binomial")
    paste(capture.output(print(summary(quiet(derivatives(fit, scale = "link"))))), collapse = " ")
  }
  expect_match(shown(1), "drawn towards zero .*lambda = 1e-6 has the estimates of glm")
  expect_no_match(shown(1), "Signif. codes")
  expect_match(shown(1e-6), "Signif. codes")
})

test_that("partial effects of linear kernels are not by curves, numbers of two values per change", {
  partial <- function(kernel) {
    d <- transform(mtcars, vs = 2 * vs)
    partial_effects(cv.rls(mpg ~ wt + vs, d, kernel, foldid = rep(1:4, 8), keep = TRUE))
  }
  expect_no_match(describe_derivatives(partial(kernel_linear())), "by curves")
  found <- partial(kernel_gaussian())
  expect_match(describe_derivatives(found)[2], "coefficients, by curves: not averages")
  figure <- effects_figure(found, "distribution", NULL, 1)
  expect_equal(figure$rows$estimate, unname(found$average * c(sd(mtcars$wt), 2)))
  expect_match(figure$note[1], "two values: from one to the other")
})

test_that("rows of few distinct values need no larger basis, and interactions are named", {
  d <- data.frame(a = rep(1:4, 30), f = rep(c("u", "v"), each = 4), g = rep(1:30, each = 4))
  d$y <- d$a + (d$f == "v") + sin(1:120)
  cv <- quiet(cv.sparserls(y ~ a * f, d, groups = g, keep = TRUE))
  effects <- quiet(derivatives(cv))
  expect_output(print(effects), "(the rows have only 8 distinct values: see p", fixed = TRUE)
  expect_output(print(effects), "few distinct values of a: average_effect()", fixed = TRUE)
  expect_false(any(grepl("few distinct", capture.output(quiet(print(derivatives(cv, d[1:4, ])))))))
  expect_output(print(quiet(effect_curve(cv, "f"))), "only 8 distinct values")
  expect_output(print(partial_effects(cv)), "without a:f: average_effect(by = )", fixed = TRUE)
})
