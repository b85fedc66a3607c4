# Fits of penalized likelihood, class `glmrls`: the expansion at every lambda of the path.

finish.glm_problem <- function(problem, begun, choice = NULL) {
  model <- begun$model
  shape <- dim(problem$y)
  at <- fitted_positions(shape[1], shape[2], length(model$path$lambda), path_choice(choice))
  null <- model$null
  if (!is.null(problem$jitter) && is.null(null)) {
    null <- null_spectrum(problem, model$part, model$training)
  }
  new_family_fit(problem, "glmrls", c(
    list(family = problem$family, lambda = model$path$lambda),
    path_deviance(problem, model), path_expansion(model),
    term_fields(
      problem, model, jitter = problem$jitter,
      shift_df = if (!is.null(null$shift)) {
        shift_df(null$shift, null$values, model$path$lambda)
      },
      selector = model$part$selector
    ),
    list(
      coordinates = model$training[c("map", "z_mean")],
      fitted = predict_rows(problem, model, seq_len(shape[1]))[, , at, drop = FALSE],
      fitted_at = at,
      carriers = carriers(problem$design, problem$weights),
      certificate = apply(solved_table(model, "certificate"), 1, max),
      steps = as.integer(apply(solved_table(model, "steps"), 1, max))
    )
  ))
}

# What the core has found by this name, lambdas x outputs.
solved_table <- function(model, name) {
  path <- seq_along(model$path$lambda)
  matrix(vapply(model$solved, function(solved) as.double(solved[[name]][path]),
                numeric(length(path))), length(path))
}

path_deviance <- function(problem, model) {
  nulldev <- sum(vapply(glm_null(problem, model$training), `[[`, 0, "deviance"))
  left <- rowSums(solved_table(model, "deviance"))
  list(df = rowMeans(solved_table(model, "df")),
       dev.ratio = if (nulldev > 0) 1 - left / nulldev else 0 * left,
       nulldev = nulldev)
}

# alpha (terms x outputs x lambdas) and a0 (outputs x lambdas).
path_expansion <- function(model) {
  path <- seq_along(model$path$lambda)
  terms <- lapply(model$solved, function(solved) {
    glm_terms(model$training, solved$b[, path, drop = FALSE], solved$b0[path])
  })
  shape <- dim(terms[[1]]$alpha)
  list(alpha = aperm(array(unlist(lapply(terms, `[[`, "alpha")), c(shape, length(terms))),
                     c(1, 3, 2)),
       a0 = matrix(unlist(lapply(terms, `[[`, "a0")), length(terms), byrow = TRUE))
}

# ---- what it answers (verbs.R) -----------------------------------------------------------------

# A point is a value of lambda, but there is nothing between those of the path.
path_axis.glmrls <- function(fit) {
  new_axis("lambda", fit$lambda, function(s) glm_values(fit, s), "values of lambda", "Lambda",
           between = TRUE, title = expression(lambda))
}

glm_values <- function(fit, s) {
  if (is.null(s)) return(fit$lambda)
  must(!inherits(s, "sparserls_df"), "lambda", "lambda_df() is for least squares.", NULL,
       "The field `df` of the fit has the degrees of freedom of its path.")
  must(is.numeric(s) && length(s) > 0 && !anyNA(s),
       "lambda", "`s` must be numbers, values of lambda.", shown(s))
  at <- match_points(s, fit$lambda)
  must(!anyNA(at), "lambda", "With a family `s` must be values of the path of `lambda`.",
       format(s[is.na(at)][1]),
       sprintf("The path has %s; fit with `lambda` of your own for others.",
               enumerate(format(fit$lambda, digits = 5, trim = TRUE))))
  fit$lambda[at]
}

expansion_at.glmrls <- function(object, lambda) {
  at <- match_points(lambda, object$lambda)
  pick_expansion(unclass(object)[c("alpha", "a0")], at)
}

expansion_terms.glmrls <- function(object) dim(object$alpha)[1]

path_coefficients.glmrls <- function(fit, points) {
  coefficient_values(fit, expansion_at(fit, points))
}

describe.glmrls <- function(object) {
  found <- NextMethod()
  label <- object$family$label
  substring(label, 1, 1) <- toupper(substring(label, 1, 1))
  found$lines <- c(sprintf("%s family, %s link", label, object$family$link), found$lines)
  found$rank <- dim(object$alpha)[1]
  found
}

gp_view.glmrls <- function(fit, at) stop_likelihood("view as a Gaussian process")

# Where rounding has the last word on refits: said where it concerns the choice, or could be seen in
# the curve of errors. At the smallest lambdas of the default grid it is common and does neither.
describe.cv.glmrls <- function(object) {
  found <- NextMethod()
  share <- object$steps$share
  loose <- which(!share <= fold_tolerance)
  chosen <- match(c(object$lambda.min, object$lambda.1se, object$lambda.min.output,
                    object$lambda.1se.output), object$lambda)
  said <- length(loose) && (min(loose) <= max(chosen) || !max(share[loose]) <= visible_share)
  if (!isTRUE(said)) return(found)
  found$notes <- c(found$notes,
    sprintf("At %s, from %s down, held-out linear predictors are within %s of their spread of",
              counted(length(loose), "lambda"), format(object$lambda[loose[1]], digits = 3),
            format(max(share[loose]), digits = 1)),
    "refits in full, by their certificate: closer than that rounding does not tell.")
  found
}

visible_share <- 1e-3
