x <- bad_x()
y <- bad_y()
d <- bad_frame()

test_that("formulas", {
  no_data <- setClass("no_data", representation(a = "numeric"), where = globalenv())
  on.exit(removeClass("no_data", where = globalenv()))
  s4 <- no_data(a = 1)
  # Labels that come through the dots of a function.
  labelled <- data.frame(d, id = rep(1:4, 5), w = rep(1:2, 10))
  source <- chunks_function(2, function(i) labelled[seq(i, 20, by = 2), ])
  by_dots <- function(data, ...) cv.sparserls(y ~ a, data, d[1:4, ], lambda = 1, ...)
  expect_refusals({
    rls(y ~ a, s4) | formula | "The formula could not be evaluated"
    by_formula(~ a + b) | formula | "The formula has no response .. Write y ~ x1 + x2"
    by_formula(y ~ 1) | formula | "The formula has no predictors .. Write y ~ . for all columns"
    by_formula(y ~ a + y) | formula | "The response is one of the .. x `y` .. Leave it out on the"
    by_formula(y ~ nowhere) | formula | "The formula could not be evaluated"
    sparserls(y ~ a, d, basis = 1:5, subset = nowhere) | formula | "The formula could not be"
    cv.sparserls(y ~ a, d, basis = 5, foldid = 1:19) | folds | "one label for each of .. 19 labels"
    rls(y ~ a, stop("no such file")) | formula | '`data` could not be .. stop("no such file"): no'
    by_formula(y ~ a, d[0, ]) | formula | "No rows are left .. Look at `subset` and at missing"
    by_formula(y ~ a, transform(d, a = NA)) | formula | "No rows are left: every .. gaps in 20"
    by_formula(y ~ a + (1 | f)) | formula | "There are no random effects here .. x 1 | f"
    cv.sparserls(y ~ a, d, basis = 5, groups = ~f) | formula | "`groups` must be a column .. x ~f"
    formula(ardrls(x, y, 5, penalty = Inf, maxit = 1)) | formula | "The fit has no formula"
    by_dots(labelled, groups = id) | formula | "The formula could not be .. 'id' not found"
    by_dots(source, groups = id) | formula | "`groups`"
    by_dots(labelled, weights = w * 2) | formula | "The formula could not be .. 'w' not found"
    by_dots(source, foldid = labelled$id) | formula | "With rows in chunks `foldid` must name a"
  })
})
