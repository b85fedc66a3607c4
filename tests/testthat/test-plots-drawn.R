# Every plot() and autoplot(), as pictures, drawn without a message. One of each drawing is compared
# with that in _snaps/plots-drawn, where vdiffr is installed; test-plots-lines.R reads the data of
# figures. With SPARSERLS_PLOTS set to a folder all are left there as PNG, to be looked at.

compared <- c("calibration", "cv-kernels", "derivatives", "derivatives-against", "df", "effect-age",
              "effect-size", "greedy-cv-mae", "residuals", "surface", "trace-lambda",
              "weights")
# Other versions of ggplot2 draw other axes and legends.
if (requireNamespace("ggplot2", quietly = TRUE) &&
    utils::packageVersion("ggplot2") >= "3.4" && utils::packageVersion("ggplot2") < "3.5") {
  compared <- c(compared, "autoplot-cv-kernels", "autoplot-greedy-cv")
}

# A table { } of rows `"name" ~ call`; with "name+" autoplot() draws what plot() does, too.
expect_pictures <- function(table) {
  env <- parent.frame()
  for (row in as.list(substitute(table))[-1]) {
    name <- sub("+", "", row[[2]], fixed = TRUE)
    expect_picture(name, row[[3]], env)
    again <- as.call(c(quote(autoplot), as.list(row[[3]])[-1]))
    if (name != row[[2]]) expect_picture(paste0("autoplot-", name), again, env)
  }
}

expect_picture <- function(name, call, env) {
  if (startsWith(name, "autoplot") && !requireNamespace("ggplot2", quietly = TRUE)) return()
  draw <- eval(bquote(function() .(call)), env)
  if (name %in% compared) announce_snapshot_file(paste0(name, ".svg"))
  folder <- Sys.getenv("SPARSERLS_PLOTS")
  file <- file.path(if (nzchar(folder)) folder else tempdir(), paste0(name, ".png"))
  # Written in less time than a PNG.
  if (nzchar(folder)) grDevices::png(file, 700, 500, res = 90) else grDevices::pdf(file, 7.8, 5.6)
  tryCatch(expect_silent(draw()), finally = grDevices::dev.off())
  expect_gt(file.size(file), 2000)
  if (name %in% compared && requireNamespace("vdiffr", quietly = TRUE)) {
    vdiffr::expect_doppelganger(name, draw)
  }
}

autoplot <- function(...) print(ggplot2::autoplot(...))
set.seed(1)
train <- prostate[prostate$train, ]
x <- as.matrix(train[1:8])
lambda <- 10^seq(3, -1, length.out = 12)
id <- rep_len(1:5, 67)
basis <- seq(1, 67, 3)
chosen <- function(...) {
  quiet(cv.sparserls(lpsa ~ . - train, train, ..., basis = basis, lambda = lambda, foldid = id))
}

test_that("influence of rows and groups", {
  set.seed(1)
  kept <- function(...) quiet(cv.rls(lpsa ~ . - train, train, keep = TRUE, ...))
  rows <- kept(nfolds = "loo")
  few <- kept(groups = rep_len(c("a", "b"), 67), lambda = 1)
  expect_pictures({
    "influence+" ~ plot(rows, "influence")
    "influence-two" ~ plot(influence(few), main = "Two groups")
  })
  data <- influence_figure(influence(rows))$curves[4:6]
  names <- vapply(data, `[[`, "", "name")
  worst <- names(sort(cooks.distance(rows), decreasing = TRUE))[1:3]
  expect_match(names, paste0("^row (", paste(worst, collapse = "|"), ") [(]Cook's distance 0"))
  expect_identical(unname(hatvalues(rows)[worst]), vapply(data, `[[`, 0, "x"))
  expect_identical(unname(rstudent(rows)[worst]), vapply(data, `[[`, 0, "y"))
})

test_that("error curves, traces of coefficients, degrees of freedom, greedy selections", {
  one <- chosen()
  kernels <- chosen(kernel = list(kernel_linear(), kernel_gaussian(c(0.01, 0.1, 1)),
                                  kernel_polynomial(2)))
  few <- chosen(kernel = list(kernel_linear(), kernel_gaussian(c(0.01, 0.1, 1))))
  trace <- rls(lpsa ~ . - train, train, lambda = lambda)
  curved <- sparserls(lpsa ~ . - train, train, basis = basis, lambda = lambda)
  greedy <- greedyrls(lpsa ~ . - train, train, k = 8)
  honest <- function(...) cv.greedyrls(lpsa ~ . - train, train, k = 8, foldid = id, ...)
  three <- honest(lambda = c(100, 10, 1))
  mae <- honest(type.measure = "mae")
  expect_pictures({
    "cv+" ~ plot(one)
    "cv-kernels" ~ plot(kernels)
    "trace+" ~ plot(trace)
    "trace-lambda" ~ plot(trace, against = "lambda", labels = 3)
    "df" ~ plot(curved)
    "greedy" ~ plot(greedy, main = "Greedy selection")
    "greedy-cv+" ~ plot(three)
    "greedy-cv-mae" ~ plot(mae)
    "autoplot-cv-kernels" ~ autoplot(few)
    "autoplot-greedy" ~ autoplot(greedy)
  })
})

test_that("profiles of rls2", {
  features <- rls2(lpsa ~ . - train, train, lambda = lambda / 10)
  kernels <- rls2(x, train$lpsa, kernel_bank(x), lambda = lambda[1:8] / 10)
  cv <- quiet(cv.rls2(lpsa ~ . - train, train, lambda = lambda / 10, foldid = id))
  expect_pictures({
    "rls2-weights+" ~ plot(features, "weights", against = "lambda")
    "rls2-kernels" ~ plot(kernels)
    "rls2-cv" ~ plot(cv)
  })
})

test_that("relevances along a path of penalties, honest errors, directions of maps", {
  set.seed(4)
  wide <- matrix(rnorm(120 * 30), 120, dimnames = list(NULL, paste0("feature", 1:30)))
  colnames(wide)[1] <- "a_rather_long_feature_name_here"
  y <- wide[, 1] + 2 * wide[, 2] + wide[, 3] * wide[, 1]
  many <- ardrls(wide, y, 1:40, kernel_gaussian(), c(Inf, 3, 0), maxit = 5,
                 foldid = rep_len(1:5, 120))
  cv <- quiet(cv.ardrls(lpsa ~ . - train, train, basis = basis, npenalty = 3, maxit = 5,
                        foldid = id, outer = split(1:67, rep_len(1:4, 67))))
  single <- ardrls(lpsa ~ lcavol, train, basis = 20, penalty = c(Inf, 0), maxit = 3)
  mapped <- quiet(cv.ardrls(lpsa ~ lcavol + age + svi, train, basis = 20, npenalty = 1, maxit = 3,
                            outer = 2, map = TRUE))
  expect_pictures({
    "widths-cv+" ~ plot(cv)
    "widths-profile" ~ plot(cv, "profile")
    "widths-bars" ~ plot(cv, "bars", s = "penalty.min")
    "widths-many" ~ plot(many)
    "widths-many-bars" ~ plot(many, "bars", labels = 20)
    "widths-single" ~ plot(single)
    "widths-single-bars" ~ plot(single, "bars")
    "map-cv" ~ plot(mapped, "map", s = list(kind = "map", penalty = 10), directions = 2)
  })
  withr::local_pdf(NULL)
  plot(cv, "bars", s = "penalty.min")
  expect_gte(max(axTicks(1)), max(relevance_shares(cv$fit)[, cv$index[["min", 1]]]))
})

test_that("calibration of probabilities; likelihoods", {
  two <- quiet(cv.rls(lpsa > 2.5 ~ . - train, prostate, lambda = lambda, foldid = rep_len(1:5, 97)))
  set.seed(8)
  binomial <- cv.rls(Species ~ ., droplevels(iris[51:150, ]), family = "binomial", nlambda = 15)
  counts <- quiet(cv.rls(y ~ lbase + lage, MASS::epil, kernel_gaussian(), family = "poisson",
                         groups = subject, nlambda = 10, nfolds = 5, keep = TRUE))
  left <- quiet(cv.rls(lpsa ~ lcavol, prostate, lambda = 1, foldid = rep_len(1:5, 97), keep = TRUE))
  expect_pictures({
    "calibration+" ~ plot(two, what = "calibration")
    "residuals+" ~ plot(left, "residuals")
    "residuals-family" ~ plot(counts, "residuals")
    "family-cv" ~ plot(binomial)
    "family-counts" ~ plot(counts)
    "family-df" ~ plot(counts$fit)
  })
})

test_that("derivatives, by feature and against them, with a family too", {
  effects <- derivatives(chosen())
  high <- quiet(cv.sparserls(
    lpsa > 2.5 ~ lcavol + age + svi, train, basis = basis, lambda = c(1, 0.3), keep = TRUE,
    kernel = kernel_gaussian(0.3), family = "binomial", groups = rep_len(1:23, 67)
  ))
  means <- derivatives(high, type = "jackknife")
  curve <- effect_curve(high, "lcavol", centre = FALSE)
  expect_pictures({
    "derivatives" ~ plot(effects)
    "derivatives-against" ~ plot(effects, "against")
    "derivatives-one" ~ plot(effects, "against", terms = "lcavol", main = "Prostate", pch = 1)
    "derivatives-family" ~ plot(means)
    "effect-family" ~ plot(curve)
  })
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
  moved <- settled(average_effect(cv, function(d) d + rep(1:0, c(120, 17 * 120)), newdata = x,
                                  by = x[, 4]))
  expect_pictures({
    "weights+" ~ plot(effects, "weights", terms = c(1, 2, 4))
    "weights-one" ~ plot(effects, "weights", terms = 4, output = "b")
    "weights-many" ~ plot(effects, "weights")
    "weights-moved" ~ plot(moved, "weights")
    "balance" ~ plot(balance(effects), terms = c("feature1", "feature3"))
    "derivatives-debiased+" ~ plot(effects, terms = 1:5)
  })
})

test_that("importance of features, few and many", {
  cv <- quiet(cv.sparserls(lpsa ~ . - train, train, basis = basis, lambda = lambda, foldid = id,
                           keep = TRUE))
  some <- importance(cv, repeats = 5)
  noise <- matrix(rnorm(67 * 25), 67, dimnames = list(NULL, paste0("a long name of noise ", 1:25)))
  many <- importance(cv.rls(cbind(x, noise), train$lpsa, foldid = id, keep = TRUE),
                     cbind(x, noise), repeats = 1)
  expect_identical(nrow(importance_figure(many, 0.95)$rows), 20L)
  left <- importance(cv, type = "refit", features = c("lcavol", "age"))
  expect_pictures({
    "importance+" ~ plot(some)
    "importance-many" ~ plot(many)
    "importance-refit" ~ plot(left, level = 0.9, main = "Left out")
  })
})

test_that("curves of effects, of numbers and of levels", {
  data <- transform(train, size = cut(lweight, c(0, 3.4, 3.8, 9), c("small", "mid", "large")),
                    patient = rep_len(1:15, 67),
                    region = factor(rep_len(c("north-east", "north-west", LETTERS), 67)))
  cv <- quiet(cv.sparserls(lpsa ~ lcavol + log(age) + svi + size, data, keep = TRUE, basis = basis,
                           lambda = lambda, groups = patient))
  curves <- lapply(c(age = "age", size = "size"), effect_curve, object = cv)
  level <- effect_curve(cv, "lcavol", centre = FALSE)
  two <- effect_curve(rls(x[, 1:4], cbind(a = train$lpsa, b = train$lcp), kernel_gaussian(0.1), 1),
                      "age", x[, 1:4], centre = 65)
  regions <- effect_curve(quiet(cv.rls(lpsa ~ region + age, data, kernel_gaussian(), lambda = 1,
                                       foldid = id)), "region")
  classes <- effect_curve(rls(Species ~ Petal.Length, iris, kernel_gaussian(), lambda = 1),
                          "Petal.Length")
  both <- effect_curve(cv, c("lcavol", "age"))
  lines <- effect_curve(cv, c("size", "age"))
  expect_pictures({
    "effect-age" ~ plot(curves$age)
    "effect-size" ~ plot(curves$size)
    "effect-level" ~ plot(level, main = "Prostate", level = 0.5)
    "effect-output" ~ plot(two, output = "b")
    "effect-levels+" ~ plot(regions)
    "effect-classes+" ~ plot(classes)
    "surface+" ~ plot(both)
    "surface-lines" ~ plot(lines)
  })
})
