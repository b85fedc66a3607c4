ids <- rep_len(1:5, 97)

lambda <- 10^(2:-2)
trace_of <- function(...) rls(lpsa ~ . - train, prostate, ...)
plain <- trace_of(lambda = lambda)
layers <- rls2(lpsa ~ . - train, prostate, lambda = lambda)
linear <- quiet(cv.rls(lpsa ~ . - train, prostate, lambda = lambda, foldid = ids, keep = TRUE))
of_basis <- function(...) {
  quiet(cv.sparserls(lpsa ~ . - train, prostate, basis = 20, lambda = 10^(2:-1), foldid = ids, ...))
}
greedy_of <- function(...) {
  quiet(cv.greedyrls(lpsa ~ . - train, prostate, k = 4, lambda = c(10, 1), foldid = ids, ...))
}
greedy <- greedy_of()
searched <- quiet(cv.rls(lpsa ~ age + lcavol, prostate, kernel_gaussian(c(0.01, 0.1, 1)),
                         foldid = ids))

test_that("axes, titles and limits say what is drawn: models grow from left to right", {
  flowers <- subset(iris, Species != "setosa")
  flowers$Species <- factor(flowers$Species)
  both <- rls(cbind(a = lpsa, b = lcavol) ~ age + lbph, prostate)
  slopes <- derivatives(sparserls(Species ~ ., iris, basis = 20), s = 1)
  standardized <- "Coefficient (standardized features)"
  on_log <- list(xlim = c(100, 0.01), log = "x", xlab = expression(lambda))
  expect_settings({
    plot(plain) ~ list(ylab = standardized, main = NULL)
    plot(trace_of(standardize = FALSE)) ~ list(ylab = "Coefficient")
    plot(layers) ~ list(ylab = standardized)
    plot(rls2(lpsa ~ age, prostate, standardize = FALSE)) ~ list(ylab = "Coefficient")
    plot(rls(Species ~ ., iris), output = 3) ~ list(main = "Class \"virginica\"")
    plot(rls2(Species ~ ., iris), output = 1) ~ list(main = "Class \"setosa\"")
    plot(rls(Species ~ ., flowers)) ~ list(main = "Class \"virginica\"")
    plot(both, output = 2) ~ list(main = "b")
    plot(slopes, output = 2) ~ list(main = "Class \"versicolor\"")
    plot(linear) ~ on_log
    plot(plain, against = "lambda") ~ on_log
    plot(plain, "df") ~ on_log
    plot(layers, against = "lambda") ~ on_log
    plot(linear, sign.lambda = 1) ~ list(xlim = c(0.01, 100))
  })
  for (fit in list(plain, layers)) expect_lt(diff(rev(drawn(plot(fit, against = "df"))$xlim)), 0)
  skip_if_not_installed("ggplot2")
  for (figure in list(ggplot2::autoplot(linear), ggplot2::autoplot(plain, against = "lambda"),
                      ggplot2::autoplot(plain, "df"),
                      ggplot2::autoplot(layers, against = "lambda"))) {
    axis <- ggplot2::ggplot_build(figure)$layout$panel_params[[1]]$x
    expect_identical(axis$get_labels()[order(axis$rescale(axis$break_positions()))],
                     c("100", "10", "1", "0.1", "0.01"))
  }
})

test_that("named lines have colours of their own, beyond eight as well; the others are grey", {
  set.seed(1)
  x <- matrix(rnorm(60 * 15), 60)
  fit <- rls(x, drop(x %*% 15:1) + rnorm(60), lambda = 10^(3:-2))
  seen <- drawn(plot(fit, labels = 12))
  named <- seen$col != "grey75"
  expect_length(unique(paste(seen$col, seen$lty)[named]), 12)
  expect_identical(sum(seen$col == "grey75"), 3L)
  widths <- quiet(ardrls(x[, 1:11], x[, 1], 20, kernel_gaussian(), c(Inf, 1), maxit = 2))
  expect_length(unique(do.call(paste, drawn(plot(widths, labels = 11))[c("col", "lty")])), 11)
})

test_that("directions are singular vectors, each with its largest loading positive", {
  set.seed(3)
  map <- matrix(rnorm(20), 5)
  found <- map_directions(map, 3)
  squares <- eigen(tcrossprod(map), symmetric = TRUE)
  for (k in 1:3) {
    size <- found$loadings[, k]
    expect_equal(tcrossprod(size), squares$values[k] * tcrossprod(squares$vectors[, k]))
    expect_gt(size[which.max(abs(size))], 0)
  }
  expect_equal(found$share, squares$values[1:3] / sum(map^2))
  # A map of rank two has no third direction. Turned, it is the same.
  expect_identical(ncol(map_directions(map[, c(1, 2, 1)], 3)$loadings), 2L)
  expect_equal(map_directions(map %*% qr.Q(qr(matrix(rnorm(16), 4))), 3), found)
  # Shares of maps whose squares leave the range of numbers.
  for (size in c(1e-200, 1e200)) expect_equal(map_directions(size * map, 3)$share, found$share)
})

test_that("maps are drawn for steps that have one, with a row for each column of a factor", {
  data <- data.frame(a = sin(1:40), f = factor(rep(c("u", "v"), 20)), y = cos(1:40))
  fit <- ardrls(y ~ ., data, 10, penalty = list(widths = 1, map = c(1, 0)), map = TRUE, maxit = 2,
                progress = FALSE)
  widths <- ardrls(y ~ ., data, 10, penalty = 1, maxit = 2, progress = FALSE)
  names <- traced("cut_middle", "names", quote(plot(fit, "map")), environment())
  expect_setequal(unlist(names), c("a", "fu", "fv"))
  expect_settings({
    plot(fit, "map") ~ list(main = "1: 40 %")
    plot(fit, "map", list(kind = "map", penalty = 1)) ~ list(main = "1: 34 %")
  })
  expect_refusals({
    plot(fit, "map", s = 1) | penalty | "kernel has widths, and no map. .. penalty 1"
    plot(widths, "map") | penalty | "kernel has widths, and no map. .. penalty 1"
    plot(fit, "map", directions = 0) | argument | "whole number of at least 1. .. 0"
  })
})

test_that("legends are below the axis and inside of the figure, in small figures too", {
  kernels <- of_basis(kernel = kernel_gaussian(10^(-3:3)))
  # The corners of legend and plot, in inches of the device.
  found <- NULL
  record <- function(...) {
    box <- graphics::legend(...)$rect
    # On a log axis the box is one of logarithms.
    x <- box$left + c(0, box$w)
    if (par("xlog")) x <- 10^x
    found <<- c(found, list(list(x = grconvertX(x, "user", "inches"),
                                 y = grconvertY(box$top - c(0, box$h), "user", "inches"),
                                 axis = grconvertY(0, "npc", "inches"))))
  }
  in_figures(list(c(7, 5), c(4, 3.4)), function(size) {
    for (object in list(kernels, greedy)) {
      found <<- NULL
      with_import("legend", record, plot(object))
      expect_length(found, 1)
      expect_lt(found[[1]]$y[1], found[[1]]$axis)
      expect_true(all(found[[1]]$y[2] >= 0 & found[[1]]$x >= 0 & found[[1]]$x <= size[1]))
    }
  })
})

test_that("figures of errors have these, their bars, what was chosen and what else was tried", {
  one <- of_basis(kernel = kernel_gaussian(0.1))
  figure <- error_figure(one, NULL, -1)
  expect_length(figure$curves, 1)
  expect_fields(figure$curves[[1]], x = one$lambda, y = one$cvm)
  expect_fields(figure, marked = c(one$lambda.min, one$lambda.1se),
                bars = data.frame(x = one$lambda, low = one$cvlo, high = one$cvup,
                                  col = "grey60"))
  expect_equal(figure$above$labels, signif(one$fit$df, 2))
  expect_identical(figure$frame$ylab, "Mean squared error")
  # Of ten curves two are grey and have no name, and lie below all others; sizes are told apart.
  many <- of_basis(kernel = kernel_gaussian(10^(-2:2)))
  many$curves <- rep(many$curves, 2)
  for (i in 1:10) many$curves[[i]]$size <- if (i > 5) 20L else 10L
  curves <- candidate_curves(many)
  expect_identical(of_curves(curves, "col") == "grey80", rep(c(TRUE, FALSE), c(2, 8)))
  names <- Filter(Negate(is.na), of_curves(curves, "name"))
  expect_length(unique(names), 8)
  expect_match(names, "gamma = .*, n = [12]0")
  expect_length(error_figure(many, NULL, -1)$curves, 10)
  # The chosen curve is the last, and thicker.
  curves <- candidate_curves(searched)
  expect_match(of_curves(curves, "name")[length(curves)], "(best)", fixed = TRUE)
  expect_gt(curves[[length(curves)]]$lwd, curves[[1]]$lwd)
  expect_fields(curves[[length(curves)]], y = searched$cvm)
  several <- of_basis(kernel = list(kernel_linear(), kernel_gaussian(c(0.01, 0.1)),
                                    kernel_polynomial(2)))
  expect_identical(candidate_labels(several$curves), c("linear", "Gaussian, gamma = 0.01",
                                                       "Gaussian, gamma = 0.1", "polynomial"))
  # Errors of candidates that were left out by squares are of another kind.
  screened <- searched
  screened$curves[[1]]$squares <- TRUE
  expect_length(candidate_curves(screened), 2)
  skip_if_not_installed("ggplot2")
  named <- ggplot2::autoplot(searched)$scales$get_scales("colour")$labels
  expect_length(grep("(best)", named, fixed = TRUE), 1)
})

test_that("the axis of errors ends at 1.5 times the null model's; what overflows is not drawn", {
  cv <- linear
  cv$cvm <- c(1, 0.5, 1.4, 1.6, 3) * cv$performance["null", "error"]
  cv[c("cvlo", "cvup")] <- list(cv$cvm - 0.1, cv$cvm + 0.1)
  figure <- error_figure(cv, NULL, -1)
  expect_fields(figure$frame, xlim = cv$lambda[c(1, 3)])
  expect_lte(max(figure$frame$ylim), 1.5 * cv$performance["null", "error"])
  expect_match(figure$note, "Errors above 1.5 times")
  expect_null(error_figure(linear, NULL, -1)$note)
  # Nothing is cut where all are larger, or more is better.
  cv$cvm <- 9 * cv$cvm
  expect_fields(error_figure(cv, NULL, -1)$frame, xlim = range(cv$lambda)[2:1])
  cv$name <- c(auc = "AUC")
  expect_identical(null_error(cv), Inf)
  some <- replace(linear, "cvm", list(c(Inf, 3, 2, 1, 1)))
  some[c("cvup", "cvlo")] <- list(some$cvm + some$cvsd, some$cvm - some$cvsd)
  withr::local_pdf(NULL)
  expect_silent(plot(some))
})

test_that("figures of greedy selections have what guided them, in units of the figure", {
  error <- selection_error(greedy$fit)
  figure <- error_figure(greedy, NULL, -1)
  expect_identical(of_curves(figure$curves, "name"), c("selection (leave-one-out error)", "honest"))
  expect_fields(figure$curves[[1]], y = error)
  expect_fields(figure$curves[[2]], y = greedy$cvm[, greedy$index[["min", 2]]])
  expect_identical(selection_figure(greedy$fit)$above$labels, figure$above$labels)
  expect_length(figure$above$labels, 4)
  rmse <- error_figure(greedy_of(type.measure = "rmse"), NULL, -1)
  expect_fields(rmse$curves[[1]], y = sqrt(error))
  # In other units it is not drawn.
  expect_length(error_figure(greedy_of(type.measure = "mae"), NULL, -1)$curves, 1)
})

test_that("profiles are of the coefficients, degrees of freedom of the fit", {
  figure <- fit_figure(plain, "coefficients", "lambda", 1, 2)
  named <- Filter(function(curve) !is.na(curve$name), figure$curves)
  expect_length(figure$curves, 8)
  slopes <- coef(plain)[-1, ] * plain$standard$scale
  largest <- order(-abs(slopes[, 5]))[1:2]
  expect_identical(of_curves(named, "name"), rownames(slopes)[largest])
  expect_equal(of_curves(named, "y"), as.vector(t(slopes[largest, ])))
  share <- df_figure(plain)
  expect_equal(of_curves(share$curves, "y"), plain$df)
  expect_equal(share$above[c("at", "labels")],
               list(at = plain$lambda, labels = signif(plain$dev.ratio, 2)))
})

test_that("errors have a log scale where they span a factor of ten, unless `log` says otherwise", {
  with_errors <- function(errors, cvsd = abs(errors) / 10, name = linear$name) {
    cv <- replace(linear, c("cvm", "cvsd", "cvup", "cvlo", "name"),
                  list(errors, cvsd, errors + cvsd, errors - cvsd, name))
    cv$performance <- NULL
    for (i in seq_along(cv$curves)) cv$curves[[i]]$cvm <- errors
    cv
  }
  wide <- with_errors(c(20, 3, 2, 2.5, 3))
  zero <- with_errors(c(20, 0, 2, 2.5, 3))
  widths <- quiet(cv.ardrls(lpsa ~ lcavol + age, prostate, basis = 10, npenalty = 2, maxit = 2,
                            outer = 3))
  rows <- list(
    list(wide, NULL, TRUE), list(wide, "", FALSE), list(linear, NULL, FALSE),
    list(linear, "y", TRUE), list(greedy, NULL, FALSE), list(greedy, "y", TRUE),
    list(widths, NULL, FALSE), list(widths, "y", TRUE),
    list(with_errors(c(19, 3, 2, 2.5, 3)), NULL, FALSE), list(zero, NULL, FALSE),
    list(with_errors(c(20, -3, 2, 2.5, 3)), NULL, FALSE),
    list(with_errors(wide$cvm, name = c(cindex = "Concordance index")), NULL, FALSE)
  )
  for (i in seq_along(rows)) {
    cv <- rows[[i]][[1]]
    log <- rows[[i]][[2]]
    expect_identical(grepl("y", drawn(plot(cv, log = log))$log), rows[[i]][[3]], info = i)
    if (!requireNamespace("ggplot2", quietly = TRUE)) next
    figure <- ggplot2::autoplot(cv, log = log)
    scale <- figure$scales$get_scales("y")$trans$name
    expect_identical(identical(scale, "log-10"), rows[[i]][[3]], info = paste("ggplot", i))
  }
  # A bar that goes below zero ends on the axis.
  low <- with_errors(wide$cvm, c(2, 4, 1, 1, 1))
  expect_settings({
    plot(low) ~ list(ylim = c(1, 22))
    plot(linear, log = "xy") ~ list(log = "xy")
  })
  expect_refusals({
    plot(linear, log = TRUE) | argument | "`log` must be one of \"\", \"y\", .. TRUE"
    plot(zero, log = "y") | argument | "needs positive errors. .. the smallest is 0"
    plot(linear, sign.lambda = 2) | argument | "`sign.lambda` must be 1 or -1. .. 2"
    plot(rls2(bad_x(), bad_y(), kernel_bank(bad_x()), lambda = 1), "coefficients") | argument |
      "`what` must be one of \"weights\". .. \"coefficients\""
  })
})

roles <- c("Healthcare_Representative", "Human_Resources", "Laboratory_Technician", "Manager",
           "Manufacturing_Director", "Research_Director", "Research_Scientist", "Sales_Executive",
           "Sales_Representative")
employees <- transform(prostate, JobRole = factor(rep_len(roles, 97)), lpsa = 5000 * lpsa)
by_role <- rls(lpsa ~ JobRole + age, employees, kernel_gaussian(), lambda = 1)
role_curve <- quiet(effect_curve(by_role, "JobRole"))
role_effects <- quiet(derivatives(by_role))
small <- c(480, 300) / 72
large <- c(900, 600) / 72
figure_sizes <- list(small, c(7, 7), c(672, 384) / 72, large)

test_that("long names of levels and terms have room beside the plot, and leave room for it", {
  # The names on the left axis, how wide they are and their room in the margin, in inches; and the
  # panel's share of the figure.
  names_of <- function(object) {
    seen <- NULL
    record <- function(side, at = NULL, labels = TRUE, ..., cex.axis = 1) {
      if (side == 2 && is.character(labels)) {
        seen <<- list(names = labels, widths = graphics::strwidth(labels, "inches", cex = cex.axis),
                      room = par("mai")[2] - par("mgp")[2] * par("csi"),
                      panel = par("pin") / par("fin"))
      }
      graphics::axis(side, at, labels, ..., cex.axis = cex.axis)
    }
    with_import("axis", record, plot(object))
    seen
  }
  in_figures(figure_sizes, function(size) {
    for (object in list(role_curve, role_effects)) {
      found <- names_of(object)
      expect_true(all(found$widths <= found$room))
      expect_true(all(found$panel > c(0.5, 0.35)))
    }
    if (identical(size, large)) {
      expect_identical(names_of(role_curve)$names, roles)
      expect_true("JobRoleLaboratory_Technician*" %in% names_of(role_effects)$names)
    }
    if (identical(size, small)) {
      expect_match(names_of(role_effects)$names, "^JobRole.*\\.\\..*\\*$", all = FALSE)
    }
  })
})

test_that("a figure too small for a plot is an error of ours, and par() is as it was", {
  objects <- list(searched, plain, role_effects, role_curve,
                  sparserls(lpsa ~ age, prostate, basis = 10))
  in_figures(list(c(1.5, 1.5), c(0.4, 4), c(4, 0.5)), function(size) {
    before <- par(c("mar", "mgp", "oma", "mfrow", "cex", "new"))
    for (object in objects) {
      expect_error(plot(object), paste("too small for its margins.*", format(size[1], nsmall = 1),
                                       "x"), class = "sparserls_error_device")
      expect_identical(par(names(before)), before)
    }
    expect_error(plot(role_effects, "against"), class = "sparserls_error_device")
    expect_identical(par(names(before)), before)
  })
})
