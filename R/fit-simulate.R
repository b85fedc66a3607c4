# Responses drawn from a fit.

#' Simulate responses
#'
#' New responses for the rows of a fit, drawn as it says that they are distributed: for checks of a
#' model by what it would have produced, and for parametric bootstraps.
#'
#' @param object a fit, or a result of a `cv.` function.
#' @param nsim how many responses.
#' @param seed a number for [set.seed()], after which the user's random numbers go on as if nothing
#'   had been drawn; `NULL`: they are drawn from these.
#' @param s a single value of lambda (of `k`, of a penalty) on the path, see
#'   [predict.sparserls_fit()]; `NULL` for fits with one.
#' @param ... unused.
#' @return As of [stats::simulate()]: a data frame with a column `sim_1`, `sim_2`, ... for each
#'   response, with the names of the rows of the fit; the attribute `seed` has the random numbers
#'   that it began with. Rows of weight zero are NA.
#' @section What is drawn: Around the fitted values, offsets included, which the penalty draws
#'   towards their mean: what is drawn varies less between rows than the data do. By least squares
#'   normal numbers with the standard deviation [sigma()][fit_methods], divided by the root of the
#'   weight. With a `family`: of classes a factor, each class with its probability; of shares
#'   binomial counts of as many trials as the weight, divided by it; Poisson and negative binomial
#'   counts, whatever the weights; and gamma numbers with the shape `w / phi`, w the weight and `phi
#'   = sum w (y / mean - 1)^2 / (m - df - 1)` of m rows of positive weight, without an intercept
#'   `m - df`.
#' @section Errors: `sparserls_error_object` for classes by least squares and several outputs, of
#'   which there is no distribution, `sparserls_error_weights` for shares of trials whose number is
#'   not whole, `sparserls_error_lambda` where no degree of freedom is left for the noise.
#' @examples
#' fit <- rls(count ~ spray, data = InsectSprays, family = "poisson", lambda = 0.1)
#' drawn <- simulate(fit, nsim = 200, seed = 1)
#' # Are there as many zeros as the model expects?
#' c(data = sum(InsectSprays$count == 0), model = mean(colSums(drawn == 0)))
#' @importFrom stats simulate
#' @export
simulate.sparserls_fit <- function(object, nsim = 1, seed = NULL, s = NULL, ...) {
  check_dots(..., known = names(formals()))
  simulate_at(object, nsim, seed, s)
}

#' @rdname simulate.sparserls_fit
#' @export
simulate.sparserls_cv <- function(object, nsim = 1, seed = NULL, s = default_s(object), ...) {
  check_dots(..., known = names(formals()))
  simulate_at(object, nsim, seed, s)
}

simulate_at <- function(object, nsim, seed, s) {
  nsim <- check_count(nsim, "nsim")
  fit <- final_fit(object)
  draw <- response_drawer(fit, cv_values(object, s))
  if (is.null(globalenv()$.Random.seed)) stats::runif(1)
  began <- globalenv()$.Random.seed
  if (!is.null(seed)) {
    stream <- keep_random_stream()
    on.exit(stream$restore())
    set.seed(seed)
    began <- structure(seed, kind = as.list(RNGkind()))
  }
  drawn <- lapply(seq_len(nsim), function(i) replace(draw(), fit$weights == 0, NA))
  names(drawn) <- paste0("sim_", seq_len(nsim))
  structure(as.data.frame(drawn, row.names = fit$rownames), seed = began)
}

# A function that draws a response for every row.
response_drawer <- function(fit, at) {
  points <- length(path_points(fit, at))
  must(points == 1, "lambda", "Responses are drawn at a single point of the path.",
       sprintf("%d points", points), "Give `s`.")
  scores <- kept_scores(fit, at)
  m <- nrow(scores)
  weights <- ifelse(fit$weights > 0, fit$weights, 1)
  response <- fit$response
  if (!is_likelihood(fit$family)) {
    must(ncol(scores) == 1 && !is_class(response), "object",
         "Least squares say how a single numeric response is distributed.",
         if (is_class(response)) "classes" else sprintf("%d outputs", ncol(scores)),
         if (is_class(response)) "Fit classes with family = \"binomial\".")
    sigma <- residual_sd(fit, at)
    if (!is.finite(sigma)) stop_no_noise(trained_rows(fit), df_at(fit, at), "Use a larger `s`.")
    return(function() stats::rnorm(m, scores, sigma / sqrt(weights)))
  }
  mean <- matrix(score_means(fit$family, scores), m)
  if (is_class(response)) {
    p <- two_columns(mean)
    reached <- p %*% upper.tri(diag(ncol(p)), diag = TRUE)
    last <- ncol(p)
    return(function() {
      code <- 1 + rowSums(stats::runif(m) > reached[, -last, drop = FALSE])
      factor(response$levels[code], response$levels)
    })
  }
  size <- weights / dispersion_at(fit, at)
  function() loss_trait(fit$family, "draw")(as.vector(mean), size, unclass(fit$family)$theta)
}

# Of families whose noise has a size of its own Pearson's estimate of it, else 1.
dispersion_at <- function(fit, at) {
  if (!loss_trait(fit$family, "dispersed")) return(1)
  dispersion <- fit$dispersion[path_positions(fit, at)]
  if (is.na(dispersion)) stop_no_noise(trained_rows(fit), df_at(fit, at), "Use a larger `s`.")
  dispersion
}
