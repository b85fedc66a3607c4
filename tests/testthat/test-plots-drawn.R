# Every plot() and autoplot(), as pictures. They are drawn without a message. One of each drawing is
# compared with that in _snaps/plots-drawn, where vdiffr is installed; what is in the others
# test-plots-lines.R reads in the data of their figures. With SPARSERLS_PLOTS set to a folder all are
# left there as PNG, to be looked at.
expect_drawn <- function(name, draw, compare = TRUE) {
  if (compare) announce_snapshot_file(paste0(name, ".svg"))
  file <- file.path(Sys.getenv("SPARSERLS_PLOTS", tempdir()), paste0(name, ".png"))
  grDevices::png(file, 700, 500, res = 90)
  tryCatch(expect_silent(draw()), finally = grDevices::dev.off())
  expect_gt(file.size(file), 2000)
  if (compare && requireNamespace("vdiffr", quietly = TRUE)) vdiffr::expect_doppelganger(name, draw)
}

set.seed(1)
train <- prostate[prostate$train, ]
lambda <- 10^seq(3, -1, length.out = 12)
chosen <- function(..., basis = seq(1, 67, 3)) {
  suppressMessages(cv.sparserls(lpsa ~ . - train, train, basis = basis, lambda = lambda,
                                foldid = rep_len(1:5, 67), ...))
}
honest <- function(...) {
  cv.greedyrls(lpsa ~ . - train, train, k = 8, foldid = rep_len(1:5, 67), ...)
}

test_that("error curves, of one kernel and of several", {
  one <- chosen()
  expect_drawn("cv", function() plot(one), compare = FALSE)
  kernels <- chosen(kernel = list(kernel_linear(), kernel_gaussian(c(0.01, 0.1, 1)),
                                  kernel_polynomial(2)))
  expect_drawn("cv-kernels", function() plot(kernels))
})

test_that("traces of coefficients, and degrees of freedom", {
  trace <- rls(lpsa ~ . - train, train, lambda = lambda)
  expect_drawn("trace", function() plot(trace), compare = FALSE)
  expect_drawn("trace-lambda", function() plot(trace, against = "lambda", labels = 3))
  expect_drawn("trace-df", function() plot(trace, "df"), compare = FALSE)
  curved <- sparserls(lpsa ~ . - train, train, basis = seq(1, 67, 3), lambda = lambda)
  expect_drawn("df", function() plot(curved))
})

test_that("profiles of rls2", {
  features <- rls2(lpsa ~ . - train, train, lambda = lambda / 10)
  expect_drawn("rls2", function() plot(features), compare = FALSE)
  expect_drawn("rls2-weights", compare = FALSE,
               function() plot(features, "weights", against = "lambda"))
  kernels <- rls2(as.matrix(train[1:8]), train$lpsa, kernel_bank(as.matrix(train[1:8])),
                  lambda = lambda[1:8] / 10)
  expect_drawn("rls2-kernels", function() plot(kernels), compare = FALSE)
  cv <- suppressMessages(cv.rls2(lpsa ~ . - train, train, lambda = lambda / 10,
                                 foldid = rep_len(1:5, 67)))
  expect_drawn("rls2-cv", function() plot(cv), compare = FALSE)
})

test_that("greedy selections and their honest errors", {
  greedy <- greedyrls(lpsa ~ . - train, train, k = 8)
  expect_drawn("greedy", function() plot(greedy, main = "Greedy selection"), compare = FALSE)
  cv <- honest(lambda = c(100, 10, 1))
  expect_drawn("greedy-cv", function() plot(cv), compare = FALSE)
  mae <- honest(type.measure = "mae")
  expect_drawn("greedy-cv-mae", function() plot(mae))
})

# Thirty features, three of which matter.
many_widths <- function(penalty = c(Inf, 10, 3, 1, 0)) {
  set.seed(4)
  x <- matrix(rnorm(120 * 30), 120, dimnames = list(NULL, paste0("feature", 1:30)))
  colnames(x)[1] <- "a_rather_long_feature_name_here"
  y <- x[, 1] + 2 * x[, 2] + x[, 3] * x[, 1]
  ardrls(x, y, 1:40, kernel_gaussian(), penalty, maxit = 10, foldid = rep_len(1:5, 120))
}
honest_widths <- function(...) {
  suppressMessages(cv.ardrls(lpsa ~ . - train, train, basis = seq(1, 67, 3), npenalty = 5,
                             maxit = 10, foldid = rep_len(1:5, 67),
                             outer = split(1:67, rep_len(1:4, 67)), ...))
}

test_that("relevances along a path of penalties, and honest errors", {
  cv <- honest_widths()
  expect_drawn("widths-cv", function() plot(cv), compare = FALSE)
  expect_drawn("widths-profile", function() plot(cv, "profile"), compare = FALSE)
  expect_drawn("widths-bars", function() plot(cv, "bars", s = "penalty.min"), compare = FALSE)
  many <- many_widths()
  expect_drawn("widths-many", function() plot(many), compare = FALSE)
  expect_drawn("widths-many-bars", function() plot(many, "bars", labels = 20), compare = FALSE)
  common <- many_widths(Inf)
  expect_drawn("widths-common", function() plot(common, labels = 5), compare = FALSE)
  single <- ardrls(lpsa ~ lcavol, train, basis = 20, penalty = c(Inf, 0), maxit = 3)
  expect_drawn("widths-single", function() plot(single), compare = FALSE)
  expect_drawn("widths-single-bars", function() plot(single, "bars"), compare = FALSE)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plot(cv, "bars", s = "penalty.min")
  shares <- sparserls:::relevance_shares(cv$fit)[, cv$index[["min", 1]]]
  expect_gte(max(axTicks(1)), max(shares))
})

test_that("directions of maps", {
  map <- outer(cos(1:12), 2^-(1:12)) + outer((1:12 %in% 2:3) * c(1, -1), 2 * (1:12 == 1))
  names <- c(paste0("feature", 1:9), "a_rather_long_feature_name_here", "x11", "x12")
  draw <- function(..., map_of = map) {
    sparserls:::draw_map(map_of, names[seq_len(nrow(map_of))], 10, ..., title = "map, penalty 0.1",
                         label = "Loading")
  }
  expect_drawn("map", function() draw(3), compare = FALSE)
  expect_drawn("map-single", function() draw(3, map_of = map[1:4, 1, drop = FALSE]), compare = FALSE)
  expect_drawn("map-many", function() draw(9, xlab = "Size", main = "Prostate", las = 1))
  chosen <- suppressMessages(cv.ardrls(lpsa ~ lcavol + age + svi, train, basis = 20, npenalty = 1,
                                       maxit = 5, outer = 3, map = TRUE))
  expect_drawn("map-cv", compare = FALSE, function() {
    plot(chosen, "map", s = list(kind = "map", penalty = 10), directions = 2)
  })
})

test_that("calibration of probabilities", {
  two <- suppressMessages(cv.rls(lpsa > 2.5 ~ . - train, prostate, lambda = lambda,
                                 foldid = rep_len(1:5, 97)))
  expect_drawn("calibration", function() plot(two, what = "calibration"))
  several <- cv.greedyrls(Species ~ ., iris, k = 3, lambda = 1, foldid = rep_len(1:5, 150))
  expect_drawn("calibration-greedy", compare = FALSE,
               function() plot(several, what = "calibration", main = "Iris"))
  skip_if_not_installed("ggplot2")
  expect_drawn("autoplot-calibration", compare = FALSE,
               function() print(ggplot2::autoplot(two, what = "calibration")))
})

test_that("likelihoods: deviances, calibration of held-out means, traces", {
  two <- droplevels(iris[51:150, ])
  set.seed(8)
  cv <- cv.rls(Species ~ ., two, family = "binomial", nlambda = 15)
  expect_drawn("family-cv", compare = FALSE, function() plot(cv))
  expect_drawn("family-calibration", compare = FALSE, function() plot(cv, what = "calibration"))
  expect_drawn("family-trace", compare = FALSE, function() plot(cv$fit))
  counts <- cv.rls(y ~ lbase + lage, MASS::epil, kernel_gaussian(), family = "poisson",
                   groups = subject, nlambda = 10, nfolds = 5)
  expect_drawn("family-counts", compare = FALSE, function() plot(counts))
  expect_drawn("family-df", compare = FALSE, function() plot(counts$fit))
  skip_if_not_installed("ggplot2")
  expect_drawn("autoplot-family-counts", compare = FALSE,
               function() print(ggplot2::autoplot(counts)))
})

test_that("ggplots", {
  skip_if_not_installed("ggplot2")
  # Other versions of ggplot2 draw other axes and legends.
  same <- utils::packageVersion("ggplot2") >= "3.4" && utils::packageVersion("ggplot2") < "3.5"
  expect_figure <- function(name, object, compare = FALSE) {
    force(object)
    expect_drawn(name, function() print(ggplot2::autoplot(object)), compare)
  }
  expect_figure("autoplot-cv", chosen())
  expect_figure("autoplot-cv-kernels",
                chosen(kernel = list(kernel_linear(), kernel_gaussian(c(0.01, 0.1, 1)))), same)
  expect_figure("autoplot-rls2", suppressMessages(
    cv.rls2(lpsa ~ . - train, train, lambda = lambda / 10, foldid = rep_len(1:5, 67))
  ))
  expect_figure("autoplot-greedy", greedyrls(lpsa ~ . - train, train, k = 3))
  expect_figure("autoplot-greedy-cv", honest(lambda = c(100, 10, 1)), same)
  # What a search for widths finds has other last digits elsewhere.
  widths <- list(`autoplot-widths` = many_widths(), `autoplot-widths-common` = many_widths(Inf),
                 `autoplot-widths-cv` = honest_widths())
  for (name in names(widths)) {
    expect_drawn(name, function() print(ggplot2::autoplot(widths[[name]])), compare = FALSE)
  }
})

test_that("derivatives, by feature and against them", {
  effects <- derivatives(chosen())
  expect_drawn("derivatives", function() plot(effects))
  expect_drawn("derivatives-against", function() plot(effects, "against"))
  expect_drawn("derivatives-one", compare = FALSE, function() {
    plot(effects, "against", terms = "lcavol", main = "Prostate", pch = 1)
  })
  outputs <- rls(as.matrix(train[1:4]), cbind(a = train$lpsa, b = train$lcp), kernel_gaussian(0.1),
                 1)
  two <- derivatives(outputs, as.matrix(train[1:4]))
  expect_drawn("derivatives-output", function() plot(two, output = "b"), compare = FALSE)
})

test_that("effects with a family: of probabilities, and of linear predictors", {
  patient <- rep_len(1:23, 67)
  high <- suppressMessages(cv.sparserls(
    lpsa > 2.5 ~ lcavol + age + svi, train, basis = seq(1, 67, 3), lambda = c(1, 0.3),
    kernel = kernel_gaussian(0.3), family = "binomial", groups = patient, keep = TRUE
  ))
  effects <- derivatives(high, type = "jackknife")
  expect_drawn("derivatives-family", function() plot(effects), compare = FALSE)
  links <- derivatives(high, type = "sandwich", scale = "link")
  expect_drawn("derivatives-link", function() plot(links), compare = FALSE)
  curve <- effect_curve(high, "lcavol", centre = FALSE)
  expect_drawn("effect-family", function() plot(curve), compare = FALSE)
  line <- effect_curve(high, "lcavol", scale = "link")
  expect_drawn("effect-link", function() plot(line), compare = FALSE)
})

test_that("balance of the weights of debiased effects", {
  set.seed(5)
  x <- matrix(rnorm(120 * 18), 120, dimnames = list(NULL, paste0("feature", 1:18)))
  colnames(x)[2] <- "a_rather_long_feature_name_here"
  x[, 3] <- x[, 1] + x[, 2] + x[, 3]
  x[, 4] <- as.double(x[, 2] + x[, 4] > 0)
  y <- x[, 1] + x[, 2] + x[, 4] + rnorm(120)
  cv <- cv.rls(x, cbind(a = y, b = -y), lambda = 3, foldid = rep_len(1:5, 120), keep = TRUE)
  # Weights, averages and errors that do not depend on how the representer was chosen.
  settled <- function(effects) {
    p <- length(effects$difference)
    effects$representer$weights <- x[, seq_len(p)] - 0.3 * x[, 19 - seq_len(p)] + 0.1 * x[, 3]^2
    effects$representer$size <- seq(90, 50, length.out = p)
    effects$average[] <- effects$plugin + 0.1
    effects$std.error[] <- 0.2
    effects
  }
  effects <- settled(derivatives(cv, x))
  expect_drawn("weights", function() plot(effects, "weights", terms = c(1, 2, 4)))
  expect_drawn("weights-one", compare = FALSE,
               function() plot(effects, "weights", terms = 4, output = "b"))
  expect_drawn("weights-many", function() plot(effects, "weights"), compare = FALSE)
  expect_drawn("derivatives-debiased", function() plot(effects, terms = 1:5), compare = FALSE)
  moved <- settled(average_effect(cv, function(d) d + rep(1:0, c(120, 17 * 120)), newdata = x,
                                  by = x[, 4]))
  expect_drawn("weights-moved", function() plot(moved, "weights"), compare = FALSE)
  expect_drawn("derivatives-moved", function() plot(moved), compare = FALSE)
  skip_if_not_installed("ggplot2")
  for (shown in list(list("weights", effects, terms = 1:4), list("weights-moved", moved))) {
    expect_drawn(paste0("autoplot-", shown[[1]]), compare = FALSE,
                 function() print(ggplot2::autoplot(shown[[2]], "weights", shown$terms)))
  }
  expect_drawn("autoplot-derivatives-debiased", compare = FALSE,
               function() print(ggplot2::autoplot(effects)))
})

test_that("curves of effects, of numbers and of levels", {
  data <- transform(train, size = cut(lweight, c(0, 3.4, 3.8, 9), c("small", "mid", "large")),
                    patient = rep_len(1:15, 67))
  cv <- suppressMessages(cv.sparserls(lpsa ~ lcavol + log(age) + svi + size, data, keep = TRUE,
                                      basis = seq(1, 67, 3), lambda = lambda, groups = patient))
  # Of the jackknife the last digits differ elsewhere, and so do pixels of bands.
  for (feature in c("age", "size", "svi")) {
    curve <- effect_curve(cv, feature)
    expect_drawn(paste0("effect-", feature), function() plot(curve), compare = feature != "svi")
  }
  level <- effect_curve(cv, "lcavol", centre = FALSE)
  expect_drawn("effect-level", compare = FALSE,
               function() plot(level, main = "Prostate", level = 0.5))
  plain <- effect_curve(rls2(as.matrix(train[1:3]), train$lpsa, lambda = 1), "lcavol",
                        as.matrix(train[1:3]), ice = 0)
  expect_drawn("effect-plain", function() plot(plain), compare = FALSE)
  two <- rls(as.matrix(train[1:4]), cbind(a = train$lpsa, b = train$lcp), kernel_gaussian(0.1), 1)
  curve <- effect_curve(two, "age", as.matrix(train[1:4]), centre = 65)
  expect_drawn("effect-output", function() plot(curve, output = "b"), compare = FALSE)
  many <- transform(train, region = factor(rep_len(c("north-east", "north-west", LETTERS), 67)))
  cv <- suppressMessages(cv.rls(lpsa ~ region + age, many, kernel_gaussian(), lambda = 1,
                                foldid = rep_len(1:5, 67)))
  regions <- effect_curve(cv, "region")
  expect_drawn("effect-levels", function() plot(regions), compare = FALSE)
  skip_if_not_installed("ggplot2")
  for (shown in list(level, plain, curve, regions)) {
    expect_drawn(paste0("autoplot-effect-", shown$feature), compare = FALSE,
                 function() print(ggplot2::autoplot(shown)))
  }
})

test_that("fits, derivatives and estimates as ggplots", {
  skip_if_not_installed("ggplot2")
  expect_figure <- function(name, object, ...) {
    expect_drawn(name, function() print(ggplot2::autoplot(object, ...)), compare = FALSE)
  }
  trace <- rls(lpsa ~ . - train, train, lambda = lambda)
  expect_figure("autoplot-trace", trace)
  expect_figure("autoplot-trace-lambda", trace, against = "lambda", labels = 3)
  expect_figure("autoplot-df", trace, "df")
  features <- rls2(lpsa ~ . - train, train, lambda = lambda / 10)
  expect_figure("autoplot-rls2-path", features)
  expect_figure("autoplot-rls2-weights", features, "weights", against = "lambda")
  single <- rls(lpsa ~ lcavol, train, lambda = 1)
  expect_figure("autoplot-single", single)
})
