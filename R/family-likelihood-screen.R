# What a cross-validation with a family searches along with lambda, kernels and sizes of the basis,
# by squares first: the working response of the null model, whose weighted squared error is the
# deviance to second order there, at a small share of the price. The best is then done by the
# likelihood.

# drawn: of draw_search(). The same with the candidate that is left, and `screened`, the curves of
# the others, whose errors are squared.
screen.glm_problem <- function(problem, drawn) {
  if (problem$reselect || !is_search(problem, drawn)) return(drawn)
  search_squares(working_problem(problem), drawn)
}

is_search <- function(problem, drawn) {
  any(vapply(problem$kernels, function(kernel) !is.null(kernel$search), NA)) ||
    length(drawn$tried) > 1
}

# The search of a working problem, which has candidates of the problem's own.
search_squares <- function(working, drawn) {
  found <- withCallingHandlers(
    search_rounds(working, drawn, c("kernel", "selection", "size", "walk", "origin"),
                  share = 1 / 15),
    sparserls_warning = function(w) tryInvokeRestart("muffleWarning"),
    sparserls_message = function(m) tryInvokeRestart("muffleMessage")
  )
  best <- best_curve(found$curves, FALSE)
  drawn$tried <- list(replace(found$tried[[best]], "origin", NULL))
  drawn$screened <- lapply(found$curves[-best], c, list(squares = TRUE))
  drawn
}

# Least squares on the working response, or, of several classes, on their codes.
working_problem <- function(problem) {
  design <- problem$design
  y <- problem$y
  weights <- problem$weights
  if (ncol(y) == 1) {
    working <- working_rows(problem$family, y, weights, offset_of(problem$offset, seq_along(y)),
                            null_start(problem))
    y <- working$y
    weights <- working$weights
  }
  design$response <- list(y = y, type = "numeric")
  design["family"] <- list(NULL)
  design$weights <- weights
  new <- list(design = design, y = y, weights = weights, family = NULL, offset = NULL)
  problem[names(new)] <- new
  quiet <- list(measure = c(list(type = "mse", maximize = FALSE), measures$mse), rule = "1se",
                keep = FALSE, outer = NULL)
  problem$validation[names(quiet)] <- quiet
  # Enough to place the minimum.
  problem$nlambda <- min(problem$nlambda, 20)
  structure(problem, class = c("working_problem", setdiff(class(problem), "glm_problem")))
}

# Only its curves are read.
finish.working_problem <- function(problem, begun, choice = NULL) NULL

own_fields.working_problem <- function(problem, found, fit, index) NULL

# About the best intercept of the null model.
null_start <- function(problem) {
  if (!problem$intercept) return(0)
  family <- problem$family
  share <- prop.table(problem$weights)
  means <- family_mean(family, offset_of(problem$offset, seq_along(share)))
  family_link(family, sum(share * problem$y)) - family_link(family, sum(share * means))
}

# The working response of rows with the intercept b0, and its expected weights: of y at their means.
working_rows <- function(family, y, weights, offset, b0) {
  eta <- offset + b0
  rate <- loss_values(family, family_mean(family, eta), eta)$weight
  list(y = matrix(-loss_values(family, y[, 1], eta)$score / rate), weights = weights * rate)
}
