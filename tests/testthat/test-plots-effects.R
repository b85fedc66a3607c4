ids <- rep_len(1:5, 97)
linear <- quiet(cv.rls(lpsa ~ . - train, prostate, lambda = 10^(2:-2), foldid = ids, keep = TRUE))
searched <- quiet(cv.rls(lpsa ~ age + lcavol, prostate, kernel_gaussian(c(0.01, 0.1, 1)),
                         foldid = ids))

test_that("of derivatives the strongest terms come first, and the figure says how many there are", {
  set.seed(3)
  x <- matrix(rnorm(60 * 11), 60) * rep(c(1e-3, rep(1, 10)), each = 60)
  colnames(x) <- letters[1:11]
  x[, "b"] <- x[, "b"] > 0
  y <- drop(x %*% c(5000, 3, rep(0.1, 8), 1)) + rnorm(60) / 9
  effects <- derivatives(rls(x, y, lambda = 0.1), x)
  seen <- effects_figure(effects, "distribution", NULL, 1)
  expect_identical(seen$rows$name[1:3], c("a", "b*", "k"))
  expect_identical(nrow(seen$rows), 9L)
  expect_identical(effects_figure(effects, "distribution", c("c", "a"), 1)$rows$name, c("c", "a"))
  # The first difference has an interval in place of a box.
  expect_true(all(is.na(seen$values[, 2])) && !anyNA(seen$values[, 1]))
  notes <- c("9 of 11 terms shown, the strongest", "* first difference: f(level) - f(first level)",
             "bar: 95 % interval of its average")
  for (what in c("distribution", "against")) {
    said <- character()
    with_import("mtext", function(text, ...) said <<- c(said, text), drawn(plot(effects, what)))
    for (note in notes) expect_match(said, note, fixed = TRUE, all = FALSE)
    if (!requireNamespace("ggplot2", quietly = TRUE)) next
    expect_match(ggplot2::autoplot(effects, what)$labels$caption,
                 "9 of 11 terms shown.*first difference.*bar")
  }
})

test_that("figures of derivatives: terms, values and intervals of what was asked for", {
  cv <- quiet(cv.rls(cbind(a = lpsa, b = lcp) ~ age + lcavol + svi, prostate, lambda = 1,
                     foldid = ids, keep = TRUE))
  debiased <- derivatives(cv)
  shown <- c("svi", "age")
  ends <- unname(confint(debiased)[c("b: svi", "b: age"), ])
  found <- effects_figure(debiased, "distribution", shown, "b")
  # Derivatives are for a standard deviation of their feature.
  unit <- c(1, stats::sd(prostate$age))
  expect_fields(found$rows, name = c("svi*", "age"), estimate = unit * coef(debiased)[shown, "b"],
                low = unit * ends[, 1], high = unit * ends[, 2], box = c(FALSE, TRUE))
  expect_fields(
    found, values = cbind(NA, debiased$derivatives[, "age", "b"] * unit[2]), note = c(
      "* first difference: f(level) - f(first level), or f(1) - f(0)",
      "dot: debiased average; box: values of the rows; bar: 95 % interval of its average"
    )
  )
  expect_fields(found$frame, main = "b",
                xlab = "Derivative or first difference, per standard deviation of the feature")
  # Of the penalized fit only first differences have intervals.
  penalized <- derivatives(cv, type = "jackknife")
  terms <- effects_figure(penalized, "distribution", shown, 1)$rows
  expect_identical(is.na(terms$low), c(FALSE, TRUE))
  expect_identical(terms$box, c(FALSE, TRUE))
  none <- derivatives(cv$fit, type = "gp")
  none$std.error[] <- NA
  expect_true(all(effects_figure(none, "distribution", NULL, 1)$rows$box))
  against <- effects_figure(penalized, "against", "lcavol", 1)
  expect_identical(against$frame$ylab, "Derivative")
  expect_identical(against$note, "grey: values of the rows; line: smooth")
  moved <- average_effect(cv, function(d) transform(d, age = age + 1))
  expect_identical(effects_figure(moved, "distribution", NULL, 1)$frame$xlab,
                   "Change of the prediction")
  skip_if_not_installed("ggplot2")
  expect_fields(ggplot2::autoplot(debiased, terms = shown, output = "b")$data,
                estimate = unit * coef(debiased)[shown, "b"], high = unit * ends[, 2])
})

test_that("figures of a single row, and of more effects than there are features", {
  expect_length(quiet(drawn(plot(derivatives(linear, prostate[1, ]))))$y, 8)
  cv <- quiet(cv.rls(lpsa ~ lcavol, prostate, lambda = 1, foldid = ids, keep = TRUE))
  effects <- average_effect(cv, function(d) transform(d, lcavol = lcavol + 1), by = prostate$svi)
  expect_length(drawn(plot(effects))$y, 2)
})

test_that("levels of a factor stand together, in their order", {
  air <- transform(stats::na.omit(airquality), Month = factor(month.name[Month], month.name[5:9]))
  cv <- quiet(cv.rls(Ozone ~ Wind + Month + Temp, air, lambda = 1, foldid = rep_len(1:5, 111),
                     keep = TRUE))
  for (effects in list(derivatives(cv), partial_effects(cv))) {
    shown <- effects_figure(effects, "distribution", NULL, 1)$rows$feature
    expect_identical(grep("Month", shown, value = TRUE), paste0("Month", month.name[6:9]))
    expect_identical(diff(grep("Month", shown)), rep(1L, 3))
  }
})

test_that("residuals are held out: against predictions, and quantiles", {
  figures <- residuals_figure(linear)$panels
  left <- residuals(linear, type = "held-out")
  expect_fields(figures[[1]]$curves[[1]], x = fitted(linear, type = "held-out"), y = left)
  expect_fields(figures[[2]]$curves[[1]], y = sort(left))
  line <- figures[[2]]$curves[[2]]
  through <- stats::approxfun(line$x, line$y)
  expect_equal(through(stats::quantile(figures[[2]]$curves[[1]]$x, c(0.25, 0.75))),
               stats::quantile(left, c(0.25, 0.75)), ignore_attr = TRUE)
  counts <- quiet(cv.rls(round(exp(lpsa)) ~ lcavol, prostate, family = "poisson", keep = TRUE,
                         lambda = 1, foldid = ids))
  expect_fields(residuals_figure(counts)$panels[[1]]$curves[[1]],
                y = residuals(counts, type = "held-out deviance"))
  classes <- quiet(cv.rls(svi == 1 ~ lcavol, prostate, lambda = 1, foldid = ids, keep = TRUE))
  expect_refusals({
    plot(classes, "residuals") | argument | "Residuals are drawn for a single output"
    plot(searched, "residuals") | keep | "has not kept its held-out predictions"
  })
})

test_that("the axis above calibration counts the probabilities", {
  cv <- quiet(cv.rls(svi == 1 ~ lcavol, prostate, family = "binomial", lambda = 1, foldid = ids,
                     keep = TRUE))
  p <- fitted(cv, type = "held-out")
  expect_equal(cv$calibration$counts, as.vector(table(cut(p, 0:20 / 20, right = FALSE))))
  above <- calibration_figure(cv)$above
  expect_equal(above$labels, cv$calibration$counts[20 * above$at + 0.5])
  expect_equal(sum(above$labels), sum(cv$calibration$counts))
  # Of a rare class axes end with the last rows.
  cv$calibration$counts[9:20] <- 0L
  bins <- cv$calibration$bins
  cv$calibration$bins <- bins[bins$predicted < 0.2 & bins$observed < 0.2, ]
  expect_equal(calibration_figure(cv)$frame$xlim, c(0, 0.4))
})

test_that("figures of weights: a panel for each term, its features by how far they were off", {
  effects <- derivatives(linear)
  found <- effects_figure(effects, "weights", c("svi", "age"), 1)
  expect_identical(vapply(found$panels, function(panel) panel$frame$main, ""), c("svi", "age"))
  lines <- found$panels[[1]]$rows
  expect_identical(tail(lines$name, 1), "svi")
  expect_false(is.unsorted(-abs(head(lines$before, -1))))
  expected <- subset(balance(effects), term == "svi")
  expect_identical(lines$estimate, expected$after[match(lines$name, expected$feature)])
  expect_match(found$panels[[1]]$subtitle, "effective sample size [0-9.]+ of 97")
  expect_length(found$note, 1)
  expect_match(effects_figure(effects, "weights", NULL, 1)$note, "^hollow")
})

test_that("figures of curves: values, intervals, rows and what they are of", {
  x <- as.matrix(prostate[1:4])
  two <- rls(x, cbind(a = prostate$lpsa, b = prostate$lcp), kernel_gaussian(0.1), 1)
  curve <- effect_curve(two, "age", x, centre = 65, ice = 7)
  found <- curve_figure(curve, "b", 0.5)
  expect_equal(t(vapply(found$curves, `[[`, curve$values, "y")),
               rbind(curve$ice[, , 2], curve$estimate[, "b"]), ignore_attr = TRUE)
  expect_fields(found$frame, ylab = "Effect of age against 65", main = "b")
  expect_fields(found, zero = TRUE,
                note = "50 % pointwise intervals, jackknife over 97 rows; grey: 7 single rows")
  # The difference from itself has no error.
  band <- found$bands[[1]]
  width <- band$high - band$low
  expect_equal(width[band$x == 65], 0)
  expect_equal(width, 2 * stats::qt(0.75, curve$df) * unname(curve$std.error[, "b"]))
  bare <- effect_curve(rls2(x[, 1:3], prostate$lpsa, lambda = 1), "lcavol", x[, 1:3], ice = 0,
                       centre = FALSE)
  found <- curve_figure(bare, 1, 0.95)
  expect_null(found$bands)
  expect_identical(found$frame$ylab, "Mean prediction")
  expect_fields(found, note = "", zero = FALSE)
  high <- rls(lpsa > 2.5 ~ lcavol + svi, prostate, family = "binomial", lambda = 1)
  shown <- function(...) curve_figure(quiet(effect_curve(high, ...)), 1, 0.95)
  label <- function(...) shown("lcavol", scale = "link", ...)$frame$ylab
  expect_identical(label(centre = FALSE), "Mean linear predictor")
  expect_identical(label(), "Effect of lcavol on the linear predictor (centred)")
  level <- shown("svi")
  expect_identical(level$rows$name, c("0", "1"))
  skip_if_not_installed("ggplot2")
  layers <- ggplot2::autoplot(curve, output = "b", level = 0.5)$layers
  expect_fields(Filter(function(layer) inherits(layer$geom, "GeomRibbon"), layers)[[1]]$data,
                high = band$high)
})

test_that("classes have a curve each, with their names", {
  fit <- rls(Species ~ Petal.Length + Sepal.Width, iris, kernel_gaussian(), lambda = 1)
  curve <- quiet(effect_curve(fit, "Petal.Length", iris))
  figure <- classes_figure(curve, 0.95)
  expect_identical(of_curves(figure$curves, "name"), levels(iris$Species))
  expect_equal(of_curves(figure$curves, "y"), as.vector(curve$estimate))
  expect_identical(figure$frame$ylab, "Effect of Petal.Length on the score (centred)")
  expect_length(figure$bands, 3)
  expect_equal(figure$bands[[2]]$high, curve_figure(curve, 2, 0.95)$bands[[1]]$high)
})

test_that("axes name the response", {
  label <- function(form, ...) {
    curve_label(effect_curve(rls(form, prostate, lambda = 1), "age", ...))
  }
  expect_identical(label(lpsa ~ age), "Effect of age on lpsa (centred)")
  expect_identical(label(lpsa ~ age, centre = FALSE), "Mean predicted lpsa")
  expect_identical(label(exp(lpsa) ~ age), "Effect of age on exp(lpsa) (centred)")
})

test_that("curves of two features are means of predictions with both set", {
  data <- transform(prostate, size = factor(svi, labels = c("small", "large")))
  cv <- quiet(cv.rls(lpsa ~ lcavol + age + size, data, kernel_gaussian(), lambda = 1, foldid = ids,
                     keep = TRUE))
  mean_at <- function(...) mean(quiet(predict(cv, transform(data, ...))))
  both <- effect_curve(cv, c("lcavol", "age"), at = list(c(0, 2), c(60, 70)))
  expect_equal(both$estimate[2, 1, 1], mean_at(lcavol = 2, age = 60))
  expect_output(print(both), "by lcavol \\(rows\\) and age.*60 +70\n.*2 +[-0-9.]+ +[-0-9.]+")
  by_size <- effect_curve(cv, c("lcavol", "size"))
  expect_identical(dim(by_size$estimate), c(20L, 2L, 1L))
  large <- factor("large", levels(data$size))
  expect_equal(by_size$estimate[20, "large", 1], mean_at(lcavol = max(lcavol), size = large))
  figure <- surface_figure(by_size, 1)
  expect_identical(of_curves(figure$curves, "name"), c("size: small", "size: large"))
  expect_equal(of_curves(figure$curves, "y"), as.vector(by_size$estimate))
  swapped <- surface_figure(effect_curve(cv, c("size", "lcavol")), 1)
  expect_equal(of_curves(swapped$curves, "y"), as.vector(by_size$estimate))
  # Means with a family are at the rows' own offsets.
  counts <- quiet(cv.rls(round(exp(lpsa)) ~ lcavol + age + offset(lweight), prostate, lambda = 1,
                         family = "poisson", foldid = ids))
  means <- effect_curve(counts, c("age", "lcavol"), at = list(60, 1))
  rows <- transform(prostate, age = 60, lcavol = 1)
  expect_equal(as.vector(means$estimate), mean(quiet(predict(counts, rows))))
  expect_refusals({
    effect_curve(cv, c("lcavol", "age", "size")) | argument | "of one feature or of two"
    effect_curve(cv, c("lcavol", "agee")) |
      argument | 'must name one variable of the model .. x "agee" .. Did you mean "age"'
    effect_curve(cv, c("lcavol", "zz")) | argument | 'x "zz" .. There are "lcavol", "age", "size"'
    effect_curve(cv, c("lcavol", "age"), at = 1:2) | argument | "`at` must be a list"
  })
})
