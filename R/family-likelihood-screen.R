# What a cross-validation with a family searches besides lambda, kernels and sizes of the basis, by
# squares first: the working response of the null model, whose weighted squared error is the
# deviance to second order there, at a small share of the price. The best is then done by the
# likelihood.

# drawn: of draw_search(). The same with the candidate that is left, and `screened`, the curves of
# the others, whose errors are squared.
screen.glm_problem <- function(problem, drawn) {
  open <- any(vapply(problem$kernels, function(kernel) !is.null(kernel$search), NA))
  if (isTRUE(problem$reselect) || !open && length(drawn$tried) < 2) return(drawn)
  found <- withCallingHandlers(
    search_rounds(working_problem(problem), drawn,
                  c("kernel", "selection", "size", "walk", "origin"), share = 1 / 15),
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
    family <- problem$family
    offset <- if (is.null(problem$offset)) numeric(nrow(y)) else problem$offset
    share <- weights / sum(weights)
    eta <- offset + if (problem$intercept) {
      family_link(family, sum(share * y)) -
        family_link(family, sum(share * family_mean(family, offset)))
    } else 0
    # Expected weights: of y at their means.
    rate <- loss_values(family, family_mean(family, eta), eta)$weight
    y <- matrix(-loss_values(family, y[, 1], eta)$score / rate)
    weights <- weights * rate
  }
  design$response <- list(y = y, type = "numeric")
  design["family"] <- list(NULL)
  design$weights <- weights
  new <- list(design = design, y = y, weights = weights, family = NULL, offset = NULL)
  problem[names(new)] <- new
  quiet <- list(measure = c(list(type = "mse", maximize = FALSE), measures$mse), rule = "1se",
                keep = FALSE, outer = NULL)
  problem$validation[names(quiet)] <- quiet
  structure(problem, class = setdiff(class(problem), "glm_problem"))
}
