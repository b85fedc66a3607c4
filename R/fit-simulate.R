# Responses drawn from a fit.

#' Simulate responses
#'
#' Draws new responses for the rows of a fit from its distribution, to compare the data with what
#' the model would produce, and for parametric bootstraps.
#'
#' @param object a fit, or a result of a `cv.` function.
#' @param nsim how many responses.
#' @param seed a number for [set.seed()], which leaves the user's random numbers as they were;
#'   `NULL`: the user's random numbers are used.
#' @param s a single value of lambda (of `k`, of a penalty) on the path; `NULL` for fits with one.
#' @param ... unused.
#' @return As for [stats::simulate()]: a data frame with the rows of the fit and columns `sim_1`,
#'   `sim_2`, ...; the attribute `seed` has the state of the random numbers at the start. Rows of
#'   weight zero, whose noise has no variance, are NA, and a warning of class
#'   `sparserls_warning_weights` counts them.
#' @section What is drawn: Responses are drawn around the fitted values, offsets included, which the
#'   penalty shrinks towards their mean. For least squares: normal numbers with the standard
#'   deviation [sigma()][fit_methods], divided by the root of the weight. With a `family`: a factor
#'   of classes; for shares binomial counts of as many trials as the weight, divided by it; Poisson
#'   and negative binomial counts, whatever the weights; gamma numbers with the shape `w / phi`, phi
#'   by Pearson's statistic.
#' @section Errors: `sparserls_error_object` for classes by least squares and several outputs,
#'   `sparserls_error_family` for quasi-likelihoods, `sparserls_error_weights` for shares of a
#'   number of trials that is not whole, `sparserls_error_lambda` if no degree of freedom is left
#'   for the noise.
#' @examples
#' fit <- rls(count ~ spray, data = InsectSprays, family = "poisson", lambda = 0.1)
#' drawn <- simulate(fit, nsim = 200, seed = 1)
#' # Are there as many zeros as the model expects?
#' c(data = sum(InsectSprays$count == 0), model = mean(colSums(drawn == 0)))
#' @importFrom stats simulate
#' @rawNamespace S3method(simulate, sparserls_fit, fit_simulate)
#' @rawNamespace S3method(simulate, sparserls_cv, fit_simulate)
#' @usage
#' \method{simulate}{sparserls_fit}(object, nsim = 1, seed = NULL, s = NULL, ...)
#'
#' \method{simulate}{sparserls_cv}(object, nsim = 1, seed = NULL, s = default_s(object), ...)
#' @name simulate.sparserls_fit
#' @aliases simulate.sparserls_cv
NULL

fit_simulate <- function(object, nsim = 1, seed = NULL,
                         s = if (inherits(object, "sparserls_cv")) default_s(object), ...) {
  nsim <- check_count(nsim, "nsim")
  draw <- at_values(object, response_drawer, s, ...)
  if (is.null(globalenv()$.Random.seed)) stats::runif(1)
  began <- globalenv()$.Random.seed
  if (!is.null(seed)) {
    stream <- keep_random_stream()
    on.exit(stream$restore())
    set.seed(seed)
    began <- structure(seed, kind = as.list(RNGkind()))
  }
  drawn <- setNames(replicate(nsim, draw(), simplify = FALSE), paste0("sim_", seq_len(nsim)))
  structure(as.data.frame(drawn, row.names = final_fit(object)$rownames), seed = began)
}

# A function that draws a response for every row.
response_drawer <- function(fit, at) {
  check_single_point(fit, at, "Responses are")
  response <- fit$response
  likelihood <- has_family(fit)
  must(ncol(response$y) == 1 && (likelihood || !is_class(response)), "object",
       "Responses are drawn for one output; two classes need family = \"binomial\".",
       if (is_class(response)) "classes" else sprintf("%d outputs", ncol(response$y)))
  must(!likelihood || !fit$family$quasi, "family",
       "A quasi-likelihood has a variance, but no distribution to draw from.")
  used <- fit$weights > 0
  mean <- kept_scores(fit, at)[used, 1, 1]
  if (likelihood) mean <- family_mean(fit$family, mean)
  size <- if (is_class(response)) 1 else fit$weights[used] / dispersion_at(fit, at)
  if (!all(used)) {
    warn("weights", sprintf("%s of weight zero %s not drawn, but NA.",
                            counted(sum(!used), "row"), if (sum(!used) == 1) "is" else "are"),
         NULL, "Their noise has no variance; predict() has their means.")
  }
  draw <- if (likelihood) loss_trait(fit$family, "draw")
          else function(n, mean, size, theta) stats::rnorm(n, mean, 1 / sqrt(size))
  function() {
    values <- replace(rep(NA_real_, length(used)), used,
                      draw(sum(used), mean, size, unclass(fit$family)$theta))
    if (is_class(response)) factor(response$levels[1 + values], response$levels) else values
  }
}

# The variance of a row of weight one, of families over that at its mean: Pearson's estimate where
# that is not 1.
dispersion_at <- function(fit, at) {
  likelihood <- has_family(fit)
  if (likelihood && loss_trait(fit$family, "unit")) return(1)
  left <- trained_rows(fit) - df_at(fit, at) - intercept_of(fit)
  must(isTRUE(is.finite(left)), "object",
       "The fit leaves no degrees of freedom to estimate the noise.")
  if (left < 1e-6) stop_no_noise(trained_rows(fit), df_at(fit, at), "Use a larger `lambda`.")
  (if (likelihood) sum(residuals(fit, at, "pearson")^2, na.rm = TRUE)
   else residual_squares(fit, at)) / left
}
