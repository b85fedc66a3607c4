x <- bad_x()
y <- bad_y()
d <- bad_frame()

class <- addNA(factor(rep(c("a", "b", NA, "c"), 5)))
data <- data.frame(x, cases = 0:19, controls = 19:0)

test_that("y and weights", {
  surv <- survival::Surv(1:20, rep(0:1, 10))
  expect_refusals({
    of_response(surv) | y | "`y` must be numeric (a vector or a matrix), a .. Surv of size 20 x 2"
    sparserls(x, rep(2, 20), 5) | y | "`y` is constant .. There is nothing to fit"
    sparserls(x, basis = 5) | y | "`y` is missing"
    sparserls(x, y[-1], 5) | y | "`y` must have one value for each of the 20 rows of .. 19 values"
    sparserls(x, as.character(y), 5) | y | "`y` must be numeric (a vector or a .. character vector"
    rls(d, y ~ a) | y | "`y` must be numeric (a vector or a .. formula of size 3 .. A formula is"
    of_response(structure(y, units = "m", class = "units")) | y | "`y` must be numeric (a vector or"
    of_response(structure(rep(1:2, 10), labels = c(no = 1, yes = 2),
                  class = c("haven_labelled", "vctrs_vctr", "integer"))) |
      y | "`y` must be numeric (a vector or a .. haven_labelled of size .. Use as.numeric(y) for"
    of_response(complex(real = y, imaginary = y)) | y | "`y` must be numeric (a .. complex vector"
    sparserls(x, replace(y, 4, NA), 5) | y | "`y` has values that are missing or not .. 1 of them"
    by_formula(y ~ a, transform(d, y = replace(y, 3, -Inf))) | y | "`y` has values that are missing"
    sparserls(x, cbind(y, 1), 5) | y | "Column 2 of `y` is constant .. There is nothing to fit"
    sparserls(x, cbind(y, y)[, 0], 5) | y | "`y` has no columns"
    sparserls(x, factor(rep("k", 20)), 5) | y | '`y` has a single class .. x "k"'
    sparserls(x, replace(d$f, 3, NA), 5) | y | "`y` has missing classes .. rows 3 .. Drop or"
    cv.rls(x, y > 1, lambda = 1, weights = as.numeric(y > 1), nfolds = "pairs") |
      y | "No two rows of positive weight differ in `y`: there is no pair to order"
    sparserls(x, y, basis_greedy(5), lambda = 1, weights = rep(0, 20)) |
      weights | "All `weights` are zero"
    sparserls(x, y, 5, weights = rep(1, 19)) | weights | "`weights` must have one .. 19 values"
    sparserls(x, y, 5, weights = letters[1:20]) | weights | "`weights` must be numbers"
    sparserls(x, y, 5, weights = replace(rep(1, 20), 2, -0.5)) |
      weights | "`weights` must be finite and not negative .. weights[2] is -0.5"
    sparserls(cbind(cases, controls) ~ a + b, data, basis = 1:5) | y | "`cbind()` of two columns of"
    of_response(class) | y | '`y` has NA as a level .. "a", "b", "c", NA .. Give it a name'
  })
})
