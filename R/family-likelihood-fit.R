# Fits of penalized likelihood, class `glmrls`: the expansion at every lambda of the path.

finish.glm_problem <- function(problem, begun, choice = NULL) {
  model <- begun$model
  null <- model$null
  if (!is.null(problem$jitter) && is.null(null)) {
    null <- null_spectrum(problem, model$part, model$training)
  }
  scores <- predict_rows(problem, model, seq_len(nrow(problem$y)))
  fit <- path_deviance(problem, model)
  new_fit(problem, "glmrls", c(
    list(family = problem$family, lambda = model$path$lambda),
    fit, list(dispersion = path_dispersion(problem, scores, fit$df)), path_expansion(model),
    term_fields(
      problem, model, jitter = problem$jitter,
      shift_df = if (!is.null(null$shift)) {
        shift_df(null$shift, null$values, model$path$lambda)
      },
      selector = model$part$selector
    ),
    kept_fitted(scores, choice),
    list(
      coordinates = model$training[c("map", "z_mean")],
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
  list(df = rowMeans(filled_df(model)),
       dev.ratio = if (nulldev > 0) 1 - left / nulldev else 0 * left,
       nulldev = nulldev)
}

# Pearson's, of families with a variance of their own and rows that are no single trials; NA where
# no degrees of freedom are left.
path_dispersion <- function(problem, scores, df) {
  if (is_class(problem$design$response) || !loss_trait(problem$family, "unit")) return(NULL)
  eta <- matrix(scores, nrow(scores))
  squares <- problem$weights * (problem$y[, 1] - family_mean(problem$family, eta))^2 /
    family_variance(problem$family, eta)
  left <- sum(problem$weights > 0) - df - problem$intercept
  ifelse(left > 0, colSums(squares) / left, NA)
}

# Degrees of freedom cost a curvature, which along a path with folds some values of lambda share:
# between those that have their own they are those of a cubic spline of their logarithms.
filled_df <- function(model) {
  df <- solved_table(model, "df")
  x <- log(model$path$lambda)
  for (j in seq_len(ncol(df))) {
    known <- is.finite(df[, j])
    if (!all(known)) df[!known, j] <- exp(stats::spline(x[known], log(df[known, j]),
                                                       xout = x[!known])$y)
  }
  df
}

# alpha (terms x outputs x lambdas) and a0 (outputs x lambdas).
path_expansion <- function(model) {
  terms <- lapply(model$solved, function(solved) glm_terms(model$training, solved$b, solved$b0))
  list(alpha = bind_outputs(lapply(terms, `[[`, "alpha")),
       a0 = matrix(joined(terms, "a0"), length(terms), byrow = TRUE))
}

# ---- what it answers (verbs.R) -----------------------------------------------------------------

expansion_at.glmrls <- function(object, lambda) {
  pick_expansion(unclass(object)[c("alpha", "a0")], match_points(lambda, object$lambda))
}

describe.glmrls <- function(object) {
  found <- NextMethod()
  label <- object$family$label
  substring(label, 1, 1) <- toupper(substring(label, 1, 1))
  found$lines <- c(sprintf("%s family, %s link", label, object$family$link), found$lines)
  found$rank <- dim(object$alpha)[1]
  found$printed <- append(found$printed, known(Dispersion = object$dispersion), 2)
  found$chosen <- c(found$chosen, known(dispersion = object$dispersion))
  if (length(object$lambda) == 1) found$key <- dispersion_line(object, 1)
  found
}

# Where the dispersion at a position of the path is far from one; not where that was expected, nor
# where it is that of small counts, whose squares over their variance a few rows make up.
dispersion_line <- function(fit, at) {
  dispersion <- fit$dispersion[at]
  far <- isTRUE(dispersion > 1.5 || dispersion < 2 / 3)
  if (!far || fit$family$quasi || are_sparse(fit)) return(NULL)
  c(sprintf("The dispersion, %s, is far from one: y varies %s than the family says.",
            format(dispersion, digits = 2), if (dispersion > 1) "more" else "less"),
    if (dispersion > 1 && fit$family$name == "poisson") "family = \"negbin\" allows for that.")
}

# Zeros and ones, or less than one event (success, failure) for each row.
are_sparse <- function(fit) {
  y <- fit$response$y
  each <- c(mean(fit$weights * y), if (fit$family$name == "binomial") mean(fit$weights * (1 - y)))
  all(y %in% 0:1) || min(each) < 1
}

gp_view.glmrls <- function(fit, at) stop_likelihood("view as a Gaussian process")

# Where rounding has the last word on refits: said where it concerns the choice, or could be seen in
# the curve of errors. At the smallest lambdas of the default grid it is common and does neither.
describe.cv.glmrls <- function(object) {
  found <- NextMethod()
  found$response <- dispersion_line(object$fit, object$index[["min", 1]])
  share <- object$steps$share
  loose <- which(!share <= object$steps$asked)
  chosen <- match(c(object$lambda.min, object$lambda.1se, object$lambda.min.output,
                    object$lambda.1se.output), object$lambda)
  said <- length(loose) && (min(loose) <= max(chosen) || !max(share[loose]) <= visible_share)
  if (!isTRUE(said)) return(found)
  worst <- max(share[loose])
  bound <- if (is.finite(worst)) {
    paste("are within", format(worst, digits = 1), "of their spread of refits in full, by their",
          "certificate: rounding hides smaller differences.")
  } else "have no finite bound of their distance from refits in full: some rows are too far out."
  found$notes <- c(found$notes,
    sprintf("At %s, from %s down, held-out linear predictors %s", counted(length(loose), "lambda"),
            three_digits(object$lambda[loose[1]]), bound))
  found
}

visible_share <- 1e-3

# ---- standard errors --------------------------------------------------------------------------
# Standard errors of fits with a family (vcov-likelihood.R), as vcov(), derivatives() and
# effect_curve() ask for them.

# What a cross-validation with keep = TRUE keeps: the sandwich of each lambda that it has chosen.
kept_covariance.glm_problem <- function(problem, found, folds, index) {
  groups <- if (!is.null(folds$groups)) as.integer(droplevels(folds$groups))
  kept <- list(groups = groups, carriers = carriers(problem$design, problem$weights, groups))
  model <- found[["model"]]
  if (is.null(model)) return(kept)
  at <- unique(path_choice(index))
  lambda <- model$path$lambda[at]
  scores <- predict_rows(problem, model, seq_len(nrow(problem$y)))
  sums <- lapply(seq_along(at), function(l) {
    score_sums(problem$family, model$training$z, problem$y, matrix(scores[, , at[l]], nrow(scores)),
               problem$weights, lambda[l], problem$intercept, groups)
  })
  c(kept, list(at = lambda,
               sandwich = array(unlist(sums), c(dim(sums[[1]]), length(at)))))
}

average_covariance.glmrls <- function(object, fit, lambda, type, averages) {
  if (type == "jackknife") return(unit_jackknife(object, fit, lambda, averages))
  must(has_delta(averages),
       "argument", "There is no sandwich for probabilities that are divided by their sum.", NULL,
       "Use scale = \"link\", or type = \"jackknife\".")
  moves <- if (is.null(averages$functionals)) averages$gradient() else averages
  functional_covariance(fit, kept_sandwich(object, fit, lambda), moves$functionals, moves$constant)
}
average_covariance.cv.glmrls <- average_covariance.glmrls

error_type.glmrls <- function(object, fit, lambda, type, averages = NULL) {
  if (!is.null(type)) return(check_choice(type, likelihood_types, "type"))
  units <- why_no_units(object, fit, lambda)
  if (is.null(units)) return("jackknife")
  reason <- if (has_delta(averages)) why_no_sandwich(object, fit, lambda)
            else replace(units, "remedy", sub(", or use .*", ".", units$remedy))
  if (is.null(reason)) return("sandwich")
  inform(sprintf("There are no standard errors: %s.\n%s", reason$why, reason$remedy))
  "none"
}
error_type.cv.glmrls <- error_type.glmrls
