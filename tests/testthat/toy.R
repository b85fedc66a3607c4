# A method as small as can be, the example of CONTRIBUTING.md: ridge regression by least squares on
# the rows sqrt(w) x and, below them, sqrt(lambda) I. It has no kernel and no shortcut.

toy <- function(x, ...) UseMethod("toy")

toy.default <- function(x, y, lambda = 10^(2:-2), weights = NULL, ...) {
  asked <- read_arguments("toy", match.call(), environment(), ...)
  public_call(fit_problem, toy_problem(asked))
}

toy.formula <- function(formula, data, ..., subset, na.action, weights) {
  given <- formula_call(match.call(), "toy", parent.frame(), formula, data)
  from_formula(given, toy.default, ...)
}

cv.toy <- function(x, ...) UseMethod("cv.toy")

cv.toy.default <- function(x, y, lambda = 10^(2:-2), weights = NULL, nfolds = NULL, foldid = NULL,
                           groups = NULL, strata = NULL, folds = NULL, type.measure = NULL,
                           rule = c("1se", "paired"), keep = FALSE, by.output = FALSE,
                           outer = NULL, progress = FALSE, ...) {
  asked <- read_arguments("cv.toy", match.call(), environment(), ...)
  public_call(cross_validate, toy_problem(asked))
}

cv.toy.formula <- function(formula, data, ..., subset, na.action, weights, foldid, groups, strata) {
  given <- formula_call(match.call(), "cv.toy", parent.frame(), formula, data)
  from_formula(given, cv.toy.default, ..., labels = c("foldid", "groups", "strata"))
}

toy_problem <- function(asked) {
  asked$standardize <- FALSE
  design <- asked_design(asked)
  new_problem("toy", asked, design, if (is_cv(asked)) new_validation(asked, design),
              lambda = check_lambda(asked$lambda))
}

train.toy_problem <- function(problem, candidate, path = NULL) {
  lambda <- problem$lambda
  list(candidate = candidate, path = new_path(lambda = lambda), solved = toy_solve(problem, lambda))
}

# (1 + p) x outputs x lambdas, in the units of the problem.
toy_solve <- function(problem, lambda) {
  x <- cbind(1, problem$points$x)
  v <- ncol(problem$y)
  root <- sqrt(problem$weights)
  array(vapply(lambda, function(lambda) {
    rows <- rbind(root * x, sqrt(lambda) * diag(ncol(x))[-1, , drop = FALSE])
    y <- rbind(root * problem$y, matrix(0, ncol(x) - 1, v))
    as.matrix(lm.fit(rows, y)$coefficients)
  }, matrix(0, ncol(x), v)), c(ncol(x), v, length(lambda)))
}

toy_scores <- function(x, solved) {
  array(cbind(1, x) %*% matrix(solved, nrow(solved)), c(nrow(x), dim(solved)[-1]))
}

predict_rows.toy_problem <- function(problem, model, rows) {
  toy_scores(problem$points$x[rows, , drop = FALSE], model$solved)
}

finish.toy_problem <- function(problem, begun, choice = NULL) {
  fitted <- toy_scores(problem$points$x, begun$model$solved)
  new_family_fit(problem, "toy", list(
    lambda = begun$path$lambda, intercept = TRUE, linear = TRUE,
    standard = problem$standard, fitted = fitted,
    problem = problem[c("points", "y", "weights")]
  ))
}

# lambda: in the user's units, of the path or not.
toy_at <- function(fit, lambda) {
  toy_solve(fit$problem, lambda)
}

coded_scores.toy <- function(object, x, at) toy_scores(new_points(object, x)$x, toy_at(object, at))

path_coefficients.toy <- function(fit, points) {
  solved <- toy_at(fit, points)
  scale <- if (is.null(fit$standard)) 1 else c(1, fit$standard$scale)
  matrix(solved / scale, nrow(solved), dimnames = list(c("(Intercept)", slope_names(fit)), NULL))
}
