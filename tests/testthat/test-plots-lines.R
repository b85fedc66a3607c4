# Lines of profiles can be told apart, and axes and titles say what is drawn.

# The settings of the first plot that plot_call() draws.
drawn <- function(plot_call) {
  namespace <- asNamespace("sparserls")
  seen <- NULL
  record <- function(settings) if (is.null(seen)) seen <<- settings
  suppressMessages(trace("plot_with", bquote(.(record)(.settings)), print = FALSE,
                         where = namespace))
  on.exit(suppressMessages(untrace("plot_with", where = namespace)))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off(), add = TRUE)
  plot_call()
  seen
}

test_that("named lines have colours of their own, beyond eight as well; the others are grey", {
  set.seed(1)
  x <- matrix(rnorm(60 * 15), 60)
  fit <- rls(x, drop(x %*% 15:1) + rnorm(60), lambda = 10^(3:-2))
  seen <- drawn(function() plot(fit, labels = 12))
  named <- setdiff(seen$col, "grey75")
  expect_length(named, 12)
  expect_identical(sum(seen$col == "grey75"), 3L)
  expect_gt(length(unique(seen$lty)), 1)
  widths <- ardrls(x[, 1:11], x[, 1], 20, kernel_gaussian(), c(Inf, 1), maxit = 2)
  expect_length(unique(drawn(function() plot(widths, labels = 11))$col), 11)
})

test_that("directions are singular vectors, each with its largest loading positive", {
  set.seed(3)
  map <- matrix(rnorm(20), 5)
  found <- sparserls:::map_directions(map, 3)
  squares <- eigen(tcrossprod(map), symmetric = TRUE)
  for (k in 1:3) {
    size <- found$loadings[, k]
    expect_equal(tcrossprod(size), squares$values[k] * tcrossprod(squares$vectors[, k]))
    expect_gt(size[which.max(abs(size))], 0)
  }
  expect_equal(found$share, squares$values[1:3] / sum(map^2))
  # A map of rank two has no third direction.
  expect_identical(ncol(sparserls:::map_directions(map[, c(1, 2, 1)], 3)$loadings), 2L)
  # Turned, it is the same.
  turn <- qr.Q(qr(matrix(rnorm(16), 4)))
  expect_equal(sparserls:::map_directions(map %*% turn, 3), found)
  # Shares of maps whose squares leave the range of numbers.
  for (size in c(1e-200, 1e200)) {
    expect_equal(sparserls:::map_directions(size * map, 3)$share, found$share)
  }
})

test_that("maps are drawn for steps that have one, with a row for each column of a factor", {
  data <- data.frame(a = sin(1:40), f = factor(rep(c("u", "v"), 20)), y = cos(1:40))
  fit <- ardrls(y ~ ., data, 10, penalty = list(widths = 1, map = c(1, 0)), map = TRUE, maxit = 2,
                progress = FALSE)
  names <- NULL
  suppressMessages(trace("left_axis", bquote((.(function(x) names <<- x))(names)), print = FALSE,
                         where = asNamespace("sparserls")))
  on.exit(suppressMessages(untrace("left_axis", where = asNamespace("sparserls"))))
  seen <- drawn(function() plot(fit, "map"))
  expect_setequal(names, c("a", "fu", "fv"))
  expect_identical(seen$main, "map, penalty 0")
  expect_match(seen$xlab, "standardized features")
  expect_identical(drawn(function() plot(fit, "map", list(kind = "map", penalty = 1)))$main,
                   "map, penalty 1")
  widths <- ardrls(y ~ ., data, 10, penalty = 1, maxit = 2, progress = FALSE)
  expect_refusals({
    plot(fit, "map", s = 1) | penalty |
      "At this step of the path the kernel has widths, and no map. .. penalty 1"
    plot(widths, "map") | penalty |
      "At this step of the path the kernel has widths, and no map. .. penalty 1"
    plot(fit, "map", directions = 0) | argument |
      "`directions` must be a whole number of at least 1. .. 0"
  })
})

test_that("the axis says whether features were standardized", {
  label <- function(fit) drawn(function() plot(fit))$ylab
  expect_match(label(rls(lpsa ~ . - train, prostate)), "standardized features")
  expect_identical(label(rls(lpsa ~ . - train, prostate, standardize = FALSE)), "Coefficient")
  expect_match(label(rls2(lpsa ~ . - train, prostate)), "standardized features")
  expect_identical(label(rls2(lpsa ~ . - train, prostate, standardize = FALSE)), "Coefficient")
})

test_that("the title says which class or output is drawn", {
  title <- function(fit, ...) drawn(function() plot(fit, ...))$main
  expect_null(title(rls(lpsa ~ . - train, prostate)))
  expect_identical(title(rls(Species ~ ., iris), output = 3), "Class \"virginica\"")
  expect_identical(title(rls2(Species ~ ., iris), output = 1), "Class \"setosa\"")
  two <- subset(iris, Species != "setosa")
  two$Species <- factor(two$Species)
  expect_identical(title(rls(Species ~ ., two)), "Class \"virginica\"")
  both <- rls(cbind(a = lpsa, b = lcavol) ~ age + lbph, prostate)
  expect_identical(title(both, output = 2), "b")
  slopes <- derivatives(sparserls(Species ~ ., iris, basis = 20), s = 1)
  expect_identical(title(slopes, output = 2), "Class \"versicolor\"")
})

# What plot_call() does while a function that the package imports is another one.
with_import <- function(name, replacement, plot_call) {
  imports <- parent.env(asNamespace("sparserls"))
  own <- imports[[name]]
  set <- function(value) {
    unlockBinding(name, imports)
    assign(name, value, imports)
    lockBinding(name, imports)
  }
  set(replacement)
  on.exit(set(own))
  plot_call()
}

# The corners of every legend that plot_call() draws, and of the plot, in inches of the device.
drawn_legends <- function(plot_call) {
  seen <- list()
  record <- function(...) {
    box <- graphics::legend(...)$rect
    inches <- function(x, y) c(grconvertX(x, "user", "inches"), grconvertY(y, "user", "inches"))
    # On a log axis the box is one of logarithms.
    x <- box$left + c(0, box$w)
    if (par("xlog")) x <- 10^x
    seen[[length(seen) + 1]] <<- list(
      top = inches(x[1], box$top), bottom = inches(x[2], box$top - box$h),
      corner = c(grconvertX(0, "npc", "inches"), grconvertY(0, "npc", "inches"))
    )
  }
  with_import("legend", record, plot_call)
  seen
}

test_that("legends are below the axis and inside of the figure, in small figures too", {
  suppressMessages({
    kernels <- cv.sparserls(lpsa ~ . - train, prostate, basis = 20, lambda = 10^(2:-1), nfolds = 5,
                            kernel = kernel_gaussian(10^(-3:3)))
    greedy <- cv.greedyrls(lpsa ~ . - train, prostate, k = 4, lambda = 1, nfolds = 5)
  })
  curved <- sparserls(lpsa ~ . - train, prostate, basis = 20)
  for (size in list(c(7, 5), c(4, 3.4))) for (object in list(kernels, greedy, curved)) {
    grDevices::png(withr::local_tempfile(), size[1], size[2], units = "in", res = 72)
    found <- drawn_legends(function() plot(object))
    grDevices::dev.off()
    expect_length(found, 1)
    expect_lt(found[[1]]$top[2], found[[1]]$corner[2])
    expect_gte(found[[1]]$bottom[2], 0)
    expect_gte(found[[1]]$top[1], 0)
    expect_lte(found[[1]]$bottom[1], size[1])
  }
})

test_that("models grow from left to right in all plots: lambda falls", {
  lambda <- 10^(2:-2)
  fit <- rls(lpsa ~ . - train, prostate, lambda = lambda)
  layers <- rls2(lpsa ~ . - train, prostate, lambda = lambda)
  cv <- suppressMessages(cv.rls(lpsa ~ . - train, prostate, lambda = lambda, nfolds = 5))
  for (seen in list(drawn(function() plot(cv)), drawn(function() plot(fit, against = "lambda")),
                    drawn(function() plot(fit, "df")),
                    drawn(function() plot(layers, against = "lambda")))) {
    expect_equal(seen$xlim, c(100, 0.01))
    expect_match(seen$log, "x")
    expect_match(deparse(seen$xlab), "lambda")
  }
  expect_equal(drawn(function() plot(cv, sign.lambda = 1))$xlim, c(0.01, 100))
  for (against in list(fit, layers)) {
    ends <- drawn(function() plot(against, against = "df"))$xlim
    expect_lt(ends[1], ends[2])
  }
  skip_if_not_installed("ggplot2")
  for (figure in list(ggplot2::autoplot(cv), ggplot2::autoplot(fit, against = "lambda"),
                      ggplot2::autoplot(fit, "df"),
                      ggplot2::autoplot(layers, against = "lambda"))) {
    built <- ggplot2::ggplot_build(figure)
    layout <- built$layout$panel_params[[1]]$x
    expect_identical(layout$get_labels(), c("100", "10", "1", "0.1", "0.01")[
      order(layout$break_positions())])
    expect_equal(order(layout$rescale(layout$break_positions())), 5:1)
  }
})

test_that("figures of errors have these, their bars, what was chosen and what else was tried", {
  fit_by <- function(...) {
    suppressMessages(cv.sparserls(lpsa ~ . - train, prostate, basis = 20, lambda = 10^(2:-1),
                                  foldid = rep_len(1:5, 97), ...))
  }
  one <- fit_by(kernel = kernel_gaussian(0.1))
  figure <- error_figure(one, NULL)
  expect_length(figure$curves, 1)
  expect_equal(figure$curves[[1]][c("x", "y")], list(x = one$lambda, y = unname(one$cvm)),
               ignore_attr = TRUE)
  expect_equal(figure$bars, data.frame(x = one$lambda, low = one$cvlo, high = one$cvup),
               ignore_attr = TRUE)
  expect_equal(figure$marked, c(one$lambda.min, one$lambda.1se))
  expect_equal(figure$above$labels, signif(one$fit$df, 2))
  expect_identical(figure$frame$ylab, "Mean squared error")
  # Of ten curves two are grey and have no name, and lie below all others; sizes are told apart.
  set.seed(1)
  many <- fit_by(kernel = kernel_gaussian(10^(-2:2)))
  many$curves <- rep(many$curves, 2)
  for (i in 1:10) many$curves[[i]]$size <- if (i > 5) 20L else 10L
  curves <- candidate_curves(many)
  colours <- of_curves(curves, "col")
  expect_identical(colours == "grey80", rep(c(TRUE, FALSE), c(2, 8)))
  names <- Filter(Negate(is.na), of_curves(curves, "name"))
  expect_length(unique(names), 8)
  expect_match(names, "gamma = .*, n = [12]0")
  expect_length(error_figure(many, NULL)$curves, 11)
})

test_that("figures of greedy selections have what guided them, in units of the figure", {
  honest <- function(...) {
    cv.greedyrls(lpsa ~ . - train, prostate, k = 4, lambda = c(10, 1), foldid = rep_len(1:5, 97),
                 ...)
  }
  cv <- honest()
  error <- selection_error(cv$fit)
  figure <- error_figure(cv, NULL)
  expect_identical(of_curves(figure$curves, "name"), c("selection (leave-one-out error)", "honest"))
  expect_equal(figure$curves[[1]]$y, error, ignore_attr = TRUE)
  expect_equal(figure$curves[[2]]$y, cv$cvm[, cv$index[["min", 2]]], ignore_attr = TRUE)
  expect_null(figure$right)
  expect_equal(error_figure(honest(type.measure = "rmse"), NULL)$curves[[1]]$y, sqrt(error),
               ignore_attr = TRUE)
  for (log in c("", "y")) {
    figure <- error_figure(honest(type.measure = "mae"), log)
    # On a log axis equal steps of the right axis are equal factors of the left one.
    place <- if (log == "y") log10 else identity
    read <- stats::approxfun(place(figure$right$at), figure$right$labels)
    expect_equal(read(place(figure$curves[[1]]$y)), error, ignore_attr = TRUE)
    expect_equal(range(figure$right$at), figure$frame$ylim)
  }
  expect_identical(selection_figure(cv$fit)$above$labels, figure$above$labels)
  expect_length(figure$above$labels, 4)
})

test_that("profiles are of the coefficients, degrees of freedom of the fit", {
  fit <- rls(lpsa ~ . - train, prostate, lambda = 10^(3:-1))
  figure <- fit_figure(fit, "coefficients", "lambda", 1, 2)
  named <- Filter(function(curve) !is.na(curve$name), figure$curves)
  expect_length(figure$curves, 8)
  slopes <- coef(fit)[-1, ] * fit$standard$scale
  largest <- order(-abs(slopes[, 5]))[1:2]
  expect_identical(of_curves(named, "name"), rownames(slopes)[largest])
  expect_equal(of_curves(named, "y"), as.vector(t(slopes[largest, ])))
  share <- df_figure(fit)
  expect_equal(of_curves(share$curves, "y"), c(fit$df, max(fit$df) * fit$dev.ratio))
  expect_equal(share$right$at, max(fit$df) * share$right$labels)
})

test_that("graphical parameters of a call are those of curves, too", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  seen <- NULL
  record <- function(frame) seen <<- mget(c("col", "lwd"), frame)
  graphics <- asNamespace("graphics")
  suppressMessages(trace("matlines", bquote(.(record)(environment())), print = FALSE,
                         where = graphics))
  on.exit(suppressMessages(untrace("matlines", where = graphics)), add = TRUE)
  plot(rls(lpsa ~ age, prostate, lambda = 10^(3:-1)), col = "blue", lwd = 3)
  expect_identical(seen, list(col = "blue", lwd = 3))
})

test_that("ticks of lambda are powers of ten, or what fits between", {
  expect_equal(lambda_ticks(c(1000, 0.1)), 10^(-1:3))
  expect_equal(lambda_ticks(c(1e-8, 1e8)), 10^seq(-8, 8, 3))
  expect_true(all(lambda_ticks(c(3, 0.5)) >= 0.5 & lambda_ticks(c(3, 0.5)) <= 3))
  expect_gt(length(lambda_ticks(c(3, 0.5))), 2)
  expect_identical(format_values(10^(-3:3)), c("0.001", "0.01", "0.1", "1", "10", "100", "1000"))
  expect_equal(lambda_limits(c(1, Inf, 10)), c(10, 1))
  expect_equal(lambda_limits(2), 2 * 10^c(0.5, -0.5))
})

# A cross-validation whose errors are given.
with_errors <- function(cv, errors, cvsd = abs(errors) / 10) {
  cv[c("cvm", "cvsd", "cvup", "cvlo")] <- list(errors, cvsd, errors + cvsd, errors - cvsd)
  for (i in seq_along(cv$curves)) cv$curves[[i]]$cvm <- errors
  cv
}

test_that("errors have a log scale where they span a factor of ten, unless `log` says otherwise", {
  cv <- suppressMessages(cv.rls(lpsa ~ . - train, prostate, lambda = 10^(2:-1), nfolds = 5))
  logged <- function(x, ...) grepl("y", drawn(function() plot(x, ...))$log)
  wide <- with_errors(cv, c(20, 3, 2, 2.5))
  expect_true(logged(wide))
  expect_false(logged(with_errors(cv, c(19, 3, 2, 2.5))))
  expect_false(logged(wide, log = ""))
  expect_true(logged(cv, log = "y"))
  expect_true(logged(cv, log = "xy"))
  expect_false(logged(with_errors(cv, c(20, -3, 2, 2.5))))
  expect_false(logged(with_errors(cv, c(20, 0, 2, 2.5))))
  wide$name <- c(cindex = "Concordance index")
  expect_false(logged(wide))
  # A bar that goes below zero ends on the axis.
  wide <- with_errors(cv, c(20, 3, 2, 2.5), c(2, 4, 1, 1))
  expect_equal(drawn(function() plot(wide))$ylim, c(1, 22))
  greedy <- suppressMessages(cv.greedyrls(lpsa ~ . - train, prostate, k = 3, lambda = 1,
                                          nfolds = 5))
  expect_false(logged(greedy))
  expect_true(logged(greedy, log = "y"))
  widths <- suppressMessages(cv.ardrls(lpsa ~ lcavol + age, prostate, basis = 10, npenalty = 2,
                                       maxit = 2, outer = 3))
  expect_false(logged(widths))
  expect_true(logged(widths, log = "y"))
  skip_if_not_installed("ggplot2")
  scale <- function(x, ...) {
    figure <- ggplot2::autoplot(x, ...)
    expect_silent(built <- ggplot2::ggplot_build(figure))
    any(grepl("log", class(figure$scales$get_scales("y")$trans))) ||
      identical(figure$scales$get_scales("y")$trans$name, "log-10")
  }
  expect_true(scale(wide))
  expect_false(scale(wide, log = ""))
  expect_false(scale(cv))
  expect_true(scale(cv, log = "y"))
  expect_true(scale(greedy, log = "y"))
  expect_true(scale(widths, log = "y"))
  expect_refusals({
    plot(cv, log = TRUE) | argument | "`log` must be \"y\" or \"\". .. TRUE"
    plot(cv, log = "z") | argument | "`log` must be \"y\" or \"\". .. \"z\""
    plot(with_errors(cv, c(20, 0, 2, 2.5)), log = "y") | argument |
      "`log = \"y\"` needs positive errors. .. the smallest is 0"
    ggplot2::autoplot(cv, log = 2) | argument | "`log` must be \"y\" or \"\". .. 2"
    plot(cv, sign.lambda = 2) | argument | "`sign.lambda` must be 1 or -1. .. 2"
    plot(rls2(bad_x(), bad_y(), kernel_bank(bad_x()), lambda = 1), "coefficients") | argument |
      "Only fits to features have coefficients to draw."
  })
})

test_that("of derivatives the strongest terms come first, and the figure says how many there are", {
  set.seed(3)
  x <- matrix(rnorm(60 * 11), 60) * rep(c(1e-3, rep(1, 10)), each = 60)
  colnames(x) <- letters[1:11]
  x[, "b"] <- x[, "b"] > 0
  y <- drop(x %*% c(5000, 3, rep(0.1, 8), 1)) + rnorm(60) / 9
  effects <- derivatives(rls(x, y, lambda = 0.1), x)
  seen <- drawn(function() plot(effects))
  expect_identical(seen$names[1:3], c("a", "b*", "k"))
  expect_length(seen$names, 9)
  expect_identical(drawn(function() plot(effects, terms = c("c", "a")))$names, c("c", "a"))
  notes <- function(plot_call) {
    said <- character()
    with_import("mtext", function(text, ...) said <<- c(said, text), plot_call)
    paste(said, collapse = "; ")
  }
  for (what in c("distribution", "against")) {
    said <- notes(function() plot(effects, what))
    expect_match(said, "9 of 11 terms shown, the strongest", fixed = TRUE)
    expect_match(said, "* first difference: f(level) - f(first level)", fixed = TRUE)
    expect_match(said, "blue: 95 % interval of its average", fixed = TRUE)
  }
  # The first difference has an interval in place of a box.
  expect_true(all(is.na(seen$x[[2]])))
  expect_false(anyNA(seen$x[[1]]))
  skip_if_not_installed("ggplot2")
  for (what in c("distribution", "against")) {
    figure <- ggplot2::autoplot(effects, what)
    expect_match(figure$labels$caption, "9 of 11 terms shown.*first difference.*blue")
  }
})

# ---- the data of figures of effects ---------------------------------------------------------

test_that("figures of derivatives: terms, values and intervals of what was asked for", {
  cv <- suppressMessages(cv.rls(cbind(a = lpsa, b = lcp) ~ age + lcavol + svi, prostate, lambda = 1,
                                foldid = rep_len(1:5, 97), keep = TRUE))
  debiased <- derivatives(cv)
  found <- effects_figure(debiased, "distribution", c("svi", "age"), "b")
  terms <- found$terms
  expect_identical(terms$name, c("svi*", "age"))
  expect_identical(terms$average, unname(coef(debiased)[c("svi", "age"), "b"]))
  ends <- confint(debiased)[c("b: svi", "b: age"), ]
  expect_identical(unname(as.matrix(terms[c("low", "high")])), unname(ends))
  expect_identical(terms$box, c(FALSE, TRUE))
  expect_identical(found$values, unname(debiased$derivatives[, c("svi", "age"), "b"]))
  expect_identical(found$at, debiased$x[, c("svi", "age")])
  expect_identical(found$title, "b")
  expect_identical(found$label, "Derivative or first difference")
  expect_identical(found$note, c(
    "* first difference: f(level) - f(first level), or f(1) - f(0)",
    "red dot: debiased average; grey box: values of the rows; blue: 95 % interval of its average"
  ))
  # Of the penalized fit only first differences have intervals.
  plain <- derivatives(cv, type = "jackknife")
  terms <- effects_figure(plain, "distribution", c("svi", "age"), 1)$terms
  expect_identical(is.na(terms$low), c(FALSE, TRUE))
  expect_identical(terms$box, c(FALSE, TRUE))
  none <- derivatives(cv$fit, type = "gp")
  none$std.error[] <- NA
  expect_true(all(effects_figure(none, "distribution", NULL, 1)$terms$box))
  against <- effects_figure(plain, "against", "lcavol", 1)
  expect_identical(against$label, "Derivative")
  expect_identical(against$note, "grey: values of the rows; red line: smooth")
  moved <- average_effect(cv, function(d) transform(d, age = age + 1))
  expect_identical(effects_figure(moved, "distribution", NULL, 1)$label, "Change of the prediction")
  skip_if_not_installed("ggplot2")
  layers <- ggplot2::autoplot(debiased, terms = c("svi", "age"), output = "b")$layers
  expect_identical(layers[[4]]$data$average, unname(coef(debiased)[c("svi", "age"), "b"]))
  expect_identical(layers[[3]]$data$high, unname(ends[, 2]))
})

test_that("figures of weights: a panel for each term, its features by how far they were off", {
  cv <- suppressMessages(cv.rls(lpsa ~ . - train, prostate, lambda = 1, keep = TRUE,
                                foldid = rep_len(1:5, 97)))
  effects <- derivatives(cv)
  found <- effects_figure(effects, "weights", c("svi", "age"), 1)
  expect_identical(vapply(found$panels, `[[`, "", "term"), c("svi", "age"))
  lines <- found$panels[[1]]$lines
  expect_identical(tail(lines$feature, 1), "svi")
  expect_false(is.unsorted(-abs(head(lines$before, -1))))
  expected <- subset(balance(effects), term == "svi")
  expect_identical(lines$after, expected$after[match(lines$feature, expected$feature)])
  expect_match(found$panels[[1]]$size, "effective sample size [0-9.]+ of 97")
  expect_length(found$note, 1)
  expect_match(effects_figure(effects, "weights", NULL, 1)$note, "^hollow")
})

test_that("figures of curves: values, intervals, rows and what they are of", {
  x <- as.matrix(prostate[1:4])
  two <- rls(x, cbind(a = prostate$lpsa, b = prostate$lcp), kernel_gaussian(0.1), 1)
  curve <- effect_curve(two, "age", x, centre = 65, ice = 7)
  found <- curve_figure(curve, "b", 0.5)
  expect_identical(found$curve$estimate, unname(curve$estimate[, "b"]))
  expect_identical(found$lines, curve$ice[, , 2])
  expect_identical(found$label, "Effect of age against 65")
  expect_identical(found$title, "b")
  expect_identical(found$note,
                   "50 % pointwise intervals, jackknife over 97 rows; grey: 7 single rows")
  # The difference from itself has no error.
  width <- found$known$conf.high - found$known$conf.low
  expect_equal(width[found$known$value == 65], 0)
  expect_equal(width, 2 * stats::qt(0.75, curve$df) * unname(curve$std.error[, "b"]))
  expect_true(found$zero)
  expect_false(found$discrete)
  plain <- effect_curve(rls2(x[, 1:3], prostate$lpsa, lambda = 1), "lcavol", x[, 1:3], ice = 0,
                        centre = FALSE)
  found <- curve_figure(plain, 1, 0.95)
  expect_identical(nrow(found$known), 0L)
  expect_identical(found[c("label", "note", "zero")],
                   list(label = "Mean prediction", note = "", zero = FALSE))
  high <- rls(lpsa > 2.5 ~ lcavol + svi, prostate, family = "binomial", lambda = 1)
  shown <- function(...) curve_figure(suppressMessages(effect_curve(high, ...)), 1, 0.95)
  expect_identical(shown("lcavol", centre = FALSE, scale = "link")$label, "Mean linear predictor")
  expect_identical(shown("lcavol", scale = "link")$label,
                   "Effect of lcavol (centred), linear predictor")
  level <- shown("svi")
  expect_true(level$discrete)
  expect_identical(level$curve$at, 1:2)
  skip_if_not_installed("ggplot2")
  expect_identical(ggplot2::autoplot(curve, output = "b", level = 0.5)$data$conf.high,
                   unname(curve_figure(curve, "b", 0.5)$curve$conf.high))
})

# The names on the left axes that plot_call() draws, how wide they are and how much of the left
# margin there is for them, in inches; and the panel's share of the height.
drawn_names <- function(plot_call) {
  seen <- NULL
  record <- function(side, at = NULL, labels = TRUE, ..., cex.axis = 1) {
    if (side == 2 && is.character(labels)) {
      seen <<- list(names = labels, widths = graphics::strwidth(labels, "inches", cex = cex.axis),
                    room = par("mai")[2] - par("mgp")[2] * par("csi"),
                    height = par("pin")[2] / par("fin")[2], width = par("pin")[1] / par("fin")[1])
    }
    graphics::axis(side, at, labels, ..., cex.axis = cex.axis)
  }
  with_import("axis", record, plot_call)
  seen
}

# In figures of some sizes in inches, at 72 pixels per inch.
in_figures <- function(sizes, check) {
  for (size in sizes) {
    grDevices::png(withr::local_tempfile(), size[1], size[2], units = "in", res = 72)
    tryCatch(check(), finally = grDevices::dev.off())
  }
}

roles <- c("Healthcare_Representative", "Human_Resources", "Laboratory_Technician", "Manager",
           "Manufacturing_Director", "Research_Director", "Research_Scientist", "Sales_Executive",
           "Sales_Representative")
employees <- transform(prostate, JobRole = factor(rep_len(roles, 97)), lpsa = 5000 * lpsa)
by_role <- rls(lpsa ~ JobRole + age, employees, kernel_gaussian(), lambda = 1)
figure_sizes <- list(c(480, 300) / 72, c(7, 7), c(672, 384) / 72, c(900, 600) / 72)

test_that("long names of levels and terms have room beside the plot, and leave room for it", {
  curve <- suppressWarnings(effect_curve(by_role, "JobRole"))
  effects <- suppressWarnings(derivatives(by_role))
  in_figures(figure_sizes, function() {
    for (object in list(curve, effects)) {
      found <- drawn_names(function() plot(object))
      expect_true(all(found$widths <= found$room))
      expect_gt(found$width, 0.5)
      expect_gt(found$height, 0.35)
    }
  })
  in_figures(list(c(900, 600) / 72), function() {
    expect_identical(drawn_names(function() plot(curve))$names, roles)
    expect_true("JobRoleLaboratory_Technician*" %in% drawn_names(function() plot(effects))$names)
  })
  in_figures(list(c(480, 300) / 72), function() {
    expect_match(drawn_names(function() plot(effects))$names, "^JobRole.*\\.\\..*\\*$", all = FALSE)
  })
})

test_that("of autoplot() the label of the last tick has room beside the panel", {
  skip_if_not_installed("ggplot2")
  effects <- suppressWarnings(derivatives(by_role))
  figure <- ggplot2::ggplotGrob(ggplot2::autoplot(effects))
  panel <- figure$layout$r[figure$layout$name == "panel"]
  beside <- sum(grid::convertWidth(utils::tail(figure$widths, -panel), "pt", valueOnly = TRUE))
  text <- grid::textGrob("-10000", gp = grid::gpar(fontsize = 8.8))
  expect_gt(beside, grid::convertWidth(grid::grobWidth(text), "pt", valueOnly = TRUE) / 2)
})

test_that("titles of the left axis are clear of the labels at its ticks", {
  # In lines from the plot.
  check <- function(plot_call) {
    left <- labels <- NULL
    with_import("abline", function(...) {
      if (is.null(left)) {
        left <<- par("mar")[2]
        labels <<- par("mgp")[2] + max(graphics::strwidth(
          format(graphics::axTicks(2), trim = TRUE), "inches"
        )) / par("csi")
      }
      graphics::abline(...)
    }, plot_call)
    # The title is a line high.
    expect_gt(left, labels + 1.3)
  }
  cv <- suppressMessages(cv.rls(lpsa ~ age + lcavol, employees, lambda = 10^(3:-1), nfolds = 5))
  curve <- effect_curve(rls(lpsa ~ lcavol, prostate, lambda = 1), "lcavol")
  narrow <- effect_curve(rls(I(lpsa / 50) ~ lcavol, prostate, lambda = 1), "lcavol")
  in_figures(figure_sizes, function() {
    for (object in list(cv, curve, narrow)) check(function() plot(object))
  })
})

test_that("the chosen curve of a search is thicker, and named the best", {
  set.seed(1)
  cv <- suppressMessages(cv.rls(lpsa ~ age + lcavol, prostate, kernel_gaussian(c(0.01, 0.1, 1)),
                                nfolds = 5))
  legends <- list()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  with_import("legend", function(..., legend, lwd) {
    legends <<- c(legends, list(list(legend = legend, lwd = lwd)))
  }, function() plot(cv))
  best <- which(grepl("(best)", legends[[1]]$legend, fixed = TRUE))
  expect_length(best, 1)
  expect_identical(which(legends[[1]]$lwd > 2), best)
  expect_equal(cv$curves[[best]]$cvm, cv$cvm)
  skip_if_not_installed("ggplot2")
  named <- ggplot2::autoplot(cv)$scales$get_scales("colour")$labels
  expect_identical(sum(grepl("(best)", named, fixed = TRUE)), 1L)
})

test_that("a figure too small for a plot is an error of ours, and par() is as it was", {
  cv <- suppressMessages(cv.rls(lpsa ~ age + lcavol, prostate, kernel_gaussian(c(0.1, 1)),
                                nfolds = 5))
  trace <- rls(lpsa ~ . - train, prostate)
  effects <- suppressWarnings(derivatives(by_role))
  objects <- list(cv, trace, effects, suppressWarnings(effect_curve(by_role, "JobRole")),
                  sparserls(lpsa ~ age, prostate, basis = 10))
  in_figures(list(c(1.5, 1.5), c(0.4, 4), c(4, 0.5)), function() {
    before <- par(c("mar", "mgp", "oma", "mfrow", "cex", "new"))
    for (object in objects) {
      expect_error(plot(object), class = "sparserls_error_device")
      expect_identical(par(names(before)), before)
    }
    expect_error(plot(effects, "against"), class = "sparserls_error_device")
    expect_identical(par(names(before)), before)
  })
  grDevices::png(withr::local_tempfile(), 1.5, 1.5, units = "in", res = 72)
  on.exit(grDevices::dev.off())
  expect_refusals({
    plot(cv) | device | "The figure is too small for its margins. .. 1.5 x 1.5 inches"
  })
})
