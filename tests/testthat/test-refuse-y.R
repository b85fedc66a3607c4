# Calls that are refused, by what is wrong: `y` and `weights`.

x <- bad_x()
y <- bad_y()
d <- bad_frame()

test_that("y", {
  expect_refusals({
    sparserls(x[1, , drop = FALSE], y[1], 1, lambda = 1) |
      y | "`y` is constant .. There is nothing to regress on"
    sparserls(x, rep(2, 20), 5) | y | "`y` is constant .. There is nothing to regress on"
    by_formula(I(y * 0) ~ a) | y | "`y` is constant .. There is nothing to regress on"
    rls2(x, rep(1, 20)) | y | "`y` is constant"
    greedyrls(x[1, , drop = FALSE], y[1], 1) |
      y | "`y` is constant .. There is nothing to regress on"
    ardrls(x, rep(3, 20), 5) | y | "`y` is constant .. There is nothing to regress on"
    sparserls(x, basis = 5) | y | "`y` is missing"
    sparserls(x, NULL, 5) | y | "`y` is missing"
    rls2(x) | y | "`y` is missing"
    greedyrls(x, k = 1) | y | "`y` is missing"
    sparserls(x, numeric(), 5) | y | "`y` is empty"
    sparserls(x, y[-1], 5) | y | "`y` must have one value for each of the 20 rows of .. 19 values"
    rls2(x, y[-1]) | y | "`y` must have one value for each of the 20"
    greedyrls(x, y[-1], 1) | y | "`y` must have one value for each of the 20 rows of .. 19 values"
    ardrls(x, y[-1], 5) | y | "`y` must have one value for each of the 20 rows of `x` .. 19 values"
    sparserls(x, as.character(y), 5) | y | "`y` must be numeric (a vector or a .. character vector"
    sparserls(x, as.list(y), 5) | y | "`y` must be numeric (a vector or a .. list of size 20"
    sparserls(x, as.Date("2020-01-01") + 1:20, 5) |
      y | "`y` must be numeric (a vector or a matrix), a .. Date of size 20 .. Use as.numeric(y)"
    sparserls(x, as.POSIXct("2020-01-01", tz = "UTC") + 1:20, 5) |
      y | "`y` must be numeric (a vector or a matrix), a factor or .. POSIXct of size 20 .. Use"
    sparserls(x, as.difftime(1:20, units = "secs"), 5) |
      y | "`y` must be numeric (a vector or a matrix) .. difftime of size 20 .. Use as.numeric(y"
    by_formula(as.character(f) ~ a) | y | "`y` must be numeric (a vector or a matrix) .. character"
    rls(d, y ~ a) | y | "`y` must be numeric (a vector or a .. formula of size 3 .. A formula is"
    of_response(as.list(y)) | y | "`y` must be numeric (a vector or a matrix), a .. list of size 20"
    of_response(structure(y, class = "integer64")) |
      y | "`y` must be numeric (a vector or a .. integer64 of size 20 .. Use as.double(y) of the"
    of_response(structure(y, units = "m", class = "units")) |
      y | "`y` must be numeric (a vector or a matrix), a .. units of size 20 .. Use"
    of_response(structure(rep(1:2, 10), labels = c(no = 1, yes = 2),
                  class = c("haven_labelled", "vctrs_vctr", "integer"))) |
      y | "`y` must be numeric (a vector or a .. haven_labelled of size .. Use as.numeric(y) for"
    of_response(complex(real = y, imaginary = y)) |
      y | "`y` must be numeric (a vector or a matrix), a factor or .. complex vector of size 20"
    ardrls(x, letters[1:20], 5) | y | "`y` must be numeric (a vector or .. character vector of size"
    sparserls(x, replace(y, 4, NA), 5) | y | "`y` has values that are missing or not .. 1 of them"
    by_formula(y ~ a, transform(d, y = replace(y, 3, -Inf))) |
      y | "`y` has values that are missing or .. 1 of them, the first in .. Drop those rows; the"
    rls2(x, replace(y, 2, NA)) | y | "`y` has values that are missing or not finite"
    greedyrls(x, replace(y, 3, Inf), 1) | y | "`y` has values that are missing or not .. 1 of them"
    ardrls(x, replace(y, 3, NaN), 5) | y | "`y` has values that are missing or not .. 1 of them"
    sparserls(x, cbind(y, 1), 5) | y | "Column 2 of `y` is constant .. There is nothing to regress"
    sparserls(x, cbind(y, y)[, 0], 5) | y | "`y` has no columns"
    sparserls(x, factor(rep("k", 20)), 5) | y | '`y` has a single class .. x "k"'
    rls2(x, factor(rep("a", 20))) | y | "`y` has a single class"
    greedyrls(x, factor(rep("a", 20)), 1) | y | '`y` has a single class .. x "a"'
    ardrls(x, factor(rep("a", 20)), 5) | y | '`y` has a single class .. x "a"'
    sparserls(x, replace(d$f, 3, NA), 5) | y | "`y` has missing classes .. rows 3 .. Drop those"
    cv.rls(x, y > 1, lambda = 1, weights = as.numeric(y > 1), nfolds = "pairs") |
      y | "No two rows of positive weight differ in `y`: there is no pair to order"
  })
})

test_that("weights", {
  expect_refusals({
    sparserls(x, y, basis_greedy(5), lambda = 1, weights = rep(0, 20)) |
      weights | "All `weights` are zero"
    sparserls(x, y, 5, weights = numeric(20)) | weights | "All `weights` are zero"
    sparserls(y ~ a, d, basis = 5, weights = 0 * a) | weights | "All `weights` are zero"
    rls2(x, y, weights = rep(0, 20)) | weights | "All `weights` are zero"
    ardrls(x, y, 5, weights = rep(0, 20)) | weights | "All `weights` are zero"
    sparserls(x, y, 5, weights = rep(1, 19)) |
      weights | "`weights` must have one value for each of the 20 rows .. 19 values"
    sparserls(x, y, 5, weights = letters[1:20]) |
      weights | "`weights` must be numeric .. character vector of size 20"
    sparserls(y ~ a, d, basis = 5, weights = as.character(f)) |
      weights | "`weights` must be numeric .. character vector of size 20"
    ardrls(y ~ a, d, basis = 5, weights = y > "1") |
      weights | "`weights` must be numeric .. logical vector of size 20"
    sparserls(x, y, 5, weights = replace(rep(1, 20), 2, -0.5)) |
      weights | "`weights` must be finite and not negative .. weights[2] is -0.5"
    sparserls(y ~ a, d, basis = 5, weights = -a) |
      weights | "`weights` must be finite and not negative .. weights[1] is -0.841471"
    greedyrls(x, y, 1, weights = -y^2) |
      weights | "`weights` must be finite and not negative .. weights[1] is -0.9202516"
    cv.ardrls(x, y, 5, weights = -y) |
      weights | "`weights` must be finite and not negative .. weights[1] is -0.9592974"
  })
})

test_that("y of other classes", {
  class <- addNA(factor(rep(c("a", "b", NA, "c"), 5)))
  imaginary <- y * 1i
  data <- data.frame(x, class, day = as.Date("2024-01-01") + 1:20, cases = 0:19, controls = 19:0)
  data$nested <- as.list(y)
  expect_refusals({
    sparserls(x, imaginary, 5) | y | "`y` must be numeric (a vector or a .. complex vector of size"
    sparserls(day ~ a + b, data, basis = 1:5) |
      y | "`y` must be numeric (a vector or a matrix), a .. Date of size 20 .. Use as.numeric(y)"
    sparserls(nested ~ a + b, data, basis = 1:5) |
      y | "`y` must be numeric (a vector or a .. list of size 20 .. Use unlist(y) for one output"
    cv.rls(day ~ a + b, data) | y | "`y` must be numeric (a vector or a .. Date of size 20 .. Use"
    greedyrls(day ~ a + b, data, k = 1) | y | "`y` must be numeric (a vector or .. Date of size 20"
    rls2(nested ~ a + b, data) | y | "`y` must be numeric (a vector or a .. list of size 20"
    sparserls(cbind(cases, controls) ~ a + b, data, basis = 1:5) |
      y | "`cbind()` of two columns of counts .. cbind(cases, controls) .. sparserls() and rls()"
    cv.rls(cbind(cases, 20 - cases) ~ a + b, data) |
      y | "`cbind()` of two columns of .. cbind(cases, 20 - cases) .. sparserls() and rls() take"
    greedyrls(cbind(cases, controls) ~ a + b, data, k = 1) |
      y | "`cbind()` of two columns of counts .. cbind(cases, controls) .. sparserls() and rls()"
    of_response(class) | y | '`y` has NA as a level .. "a", "b", "c", NA .. Give it a name'
    cv.rls(class ~ a + b, data) | y | '`y` has NA as a level .. "a", "b", "c", NA .. Give it a'
    greedyrls(class ~ a + b, data, k = 1) | y | '`y` has NA as a level .. "a", "b", "c", NA'
  })
})

test_that("censored times", {
  skip_if_not_installed("survival")
  surv <- survival::Surv(1:20, rep(0:1, 10))
  data <- data.frame(x, time = 1:20, status = rep(0:1, 10))
  expect_refusals({
    of_response(surv) | y | "`y` must be numeric (a vector or a matrix), a .. Surv of size 20 x 2"
    cv.sparserls(survival::Surv(time, status) ~ a + b, data, basis = 1:5) |
      y | "`y` must be numeric (a vector or a .. Surv of size 20 x 2 .. Use the times of rows"
    rls2(survival::Surv(time, status) ~ a + b, data) |
      y | "`y` must be numeric (a vector or a .. Surv of size 20 x 2 .. Use the times of rows"
  })
})
