# Losses of a linear predictor: what `family =` may be. A family is NULL for least squares, or a
# list of class `sparserls_family`:
#   name    of the loss, as src/loss.c knows it
#   link    its name
#   theta   the size of the negative binomial; 1 for others, which do not read it, and where it is
#           not yet estimated
#   label   for prints
#   quasi, estimated   whether it was asked for as quasi-likelihood; whether theta is the data's
#
# The tables. For links, which rise: `link` itself; its inverse `mean`, with its logarithm, and its
# first and second derivatives.

link_table <- list(
  logit = list(
    link = stats::qlogis, mean = plogis,
    log_mean = function(eta) plogis(eta, log.p = TRUE),
    rate = function(eta) plogis(eta) * plogis(-eta),
    bend = function(eta) -plogis(eta) * plogis(-eta) * tanh(eta / 2)
  ),
  log = list(link = log, mean = exp, log_mean = identity, rate = exp, bend = exp)
)

# For losses:
#   family   as stats and MASS call it, of whose objects `stats` makes one
#   link     its only one
#   range    of y. Rows that are all at the same end of it have no best intercept, if y can be there
#            (`closed`).
#   classes  whether y may be classes, or shares of trials
#   theta    whether it has a size, of family_theta()
#   variance of y at linear predictors eta; `unit`, whether its dispersion is one, where it holds
#   quasi    makes the object of stats of the same fits as quasi-likelihood, where there is one
#   stable   a function of means, whose noise has about the same size everywhere on its scale, and
#            the way back; NULL where nothing asks for them
#   draw     draws n responses by their means, sizes (weights over the dispersion) and theta
#   label    for prints
#   ask      how calls ask for it; `named`: the name says the link too
# Entries say what is not as in the head of loss_entry().
loss_entry <- function(..., link = "log", range = c(0, Inf), closed = TRUE, classes = FALSE,
                       theta = FALSE, unit = TRUE, named = TRUE) {
  c(as.list(environment()), list(...))
}

loss_table <- list(
  binomial = loss_entry(
    family = "binomial", stats = function(theta) stats::binomial(), link = "logit",
    range = c(0, 1), classes = TRUE,
    variance = function(eta, theta) plogis(eta) * plogis(-eta), quasi = stats::quasibinomial,
    draw = function(n, mean, size, theta) {
      must(all(size == round(size)), "weights", "Shares are drawn where `weights` are whole.",
           format(size[size != round(size)][1]), "They are the numbers of trials.")
      stats::rbinom(n, size, mean) / size
    },
    label = "binomial", ask = "\"binomial\" or binomial()"
  ),
  poisson = loss_entry(
    family = "poisson", stats = function(theta) stats::poisson(),
    variance = function(eta, theta) exp(eta), quasi = stats::quasipoisson,
    stable = list(of = function(mean, theta) sqrt(mean), back = function(value, theta) value^2),
    draw = function(n, mean, size, theta) stats::rpois(n, mean),
    label = "Poisson", ask = "\"poisson\" or poisson()"
  ),
  gamma = loss_entry(
    family = "Gamma", stats = function(theta) stats::Gamma("log"), closed = FALSE, unit = FALSE,
    variance = function(eta, theta) exp(2 * eta),
    stable = list(of = function(mean, theta) log(mean), back = function(value, theta) exp(value)),
    draw = function(n, mean, size, theta) stats::rgamma(n, shape = size, scale = mean / size),
    label = "Gamma", ask = "Gamma(link = \"log\")", named = FALSE
  ),
  negative_binomial = loss_entry(
    family = "Negative Binomial", stats = function(theta) MASS::negative.binomial(theta),
    theta = TRUE, variance = function(eta, theta) exp(eta) * (1 + exp(eta) / theta),
    stable = list(of = function(mean, theta) asinh(sqrt(mean / theta)),
                  back = function(value, theta) theta * sinh(value)^2),
    draw = function(n, mean, size, theta) stats::rnbinom(n, theta, mu = mean),
    label = "negative binomial", ask = "\"negbin\" or MASS::negative.binomial(theta)",
    named = FALSE
  )
)

loss_trait <- function(family, trait) loss_table[[family$name]][[trait]]

read_family <- function(family) {
  if (identical(family, "negbin")) return(new_loss("negative_binomial", estimated = TRUE))
  named <- names(Filter(function(entry) entry$named, loss_table))
  if (is_string(family) && sub("^quasi", "", family) %in% named) {
    return(new_loss(sub("^quasi", "", family), quasi = startsWith(family, "quasi")))
  }
  if (is.function(family)) family <- tryCatch(family(), error = function(e) family)
  if (!inherits(family, "family") || !is_string(family$family) || !is_string(family$link)) {
    stop_family(shown(family))
  }
  called <- sub("^quasi", "", sub("[(].*$", "", family$family))
  known <- Filter(function(entry) entry$family == called, loss_table)
  name <- names(Filter(function(entry) entry$link == family$link, known))
  if (!length(name)) {
    links <- dQuote(joined(known, "link"), FALSE)
    stop_family(sprintf("%s, %s link", family$family, family$link),
                if (length(links)) sprintf("Its link here is %s.", paste(links, collapse = " or ")))
  }
  new_loss(name, if (loss_table[[name]]$theta) family_theta(family),
           quasi = startsWith(family$family, "quasi"))
}

new_loss <- function(name, theta = NULL, quasi = FALSE, estimated = FALSE) {
  entry <- loss_table[[name]]
  label <- paste0(if (quasi) "quasi-", entry$label,
                  if (!is.null(theta)) {
                    sprintf(" (%stheta = %s)",
                            if (estimated && theta >= theta_range[2]) "no overdispersion, " else "",
                            format(theta, digits = 4))
                  })
  structure(list(name = name, link = entry$link, theta = theta %||% 1,
                 label = label, quasi = quasi, estimated = estimated), class = "sparserls_family")
}

# theta of counts with these means: the maximum of the log-likelihood less
# df / 2 log(sum(w mu theta / (mu + theta))), the adjustment of Cox and Reid (1987) for df fitted
# degrees of freedom, where rows have leverages in proportion to their weights in the fit.
estimate_theta <- function(y, mean, weights, df) {
  score <- function(log_theta) {
    theta <- exp(log_theta)
    share <- mean / (mean + theta)
    sum(weights * (digamma(y + theta) - digamma(theta) - log1p(mean / theta) +
                     (mean - y) / (mean + theta))) -
      df / 2 * sum(weights * share^2) / sum(weights * share * theta)
  }
  ends <- log(theta_range)
  if (score(ends[2]) >= 0) return(theta_range[2])
  if (score(ends[1]) <= 0) return(theta_range[1])
  exp(uniroot(score, ends, tol = 1e-10)$root)
}

# At its end counts are Poisson.
theta_range <- c(1e-4, 1e6)

# MASS keeps theta where the variance is computed, mu + mu^2 / theta.
family_theta <- function(family) {
  theta <- get0(".Theta", environment(family$variance), inherits = FALSE) %||%
    tryCatch(1 / (family$variance(1) - 1), error = function(e) NA)
  must(is_number(theta) && theta > 0, "family",
       "`theta` of the negative binomial must be a positive number.", shown(theta),
       "Give MASS::negative.binomial(theta = 2), for example.")
  theta
}

stop_family <- function(given, remedy = NULL) {
  if (any(grepl("gaussian", given))) {
    remedy <- "Least squares is the default: leave `family` out."
  } else if (any(grepl("multinom", given))) {
    remedy <- "\"binomial\" takes several classes, each against all others."
  }
  asks <- joined(loss_table, "ask")
  abort("family", "This `family` is not supported.", given,
        paste(c(remedy, sprintf("Families are %s; NULL is least squares.",
                                paste(c(asks, "\"quasipoisson\"", "\"quasibinomial\""),
                                      collapse = ", "))), collapse = " "))
}

# For what fits with a family do not have (yet).
stop_likelihood <- function(what, remedy = "Fits by least squares, without `family`, have them.") {
  abort("family", sprintf("Fits with a family have no %s.", what), NULL, remedy)
}

is_likelihood <- function(family) inherits(family, "sparserls_family")

# Whether a fit, or a design, has a likelihood.
has_family <- function(fit) is_likelihood(fit$family)

# Means of linear predictors and their logarithms, the first and second derivatives of means, and
# the linear predictors of means.
by_link <- function(part) function(family, x) link_table[[family$link]][[part]](x)
family_mean <- by_link("mean")
family_log_mean <- by_link("log_mean")
family_rate <- by_link("rate")
family_bend <- by_link("bend")
family_link <- by_link("link")

family_variance <- function(family, eta) loss_trait(family, "variance")(eta, family$theta)

# Unit deviances, in the shape of eta, whose rows are those of y.
family_deviance <- function(family, y, eta) {
  array(loss_values(family, y, eta)$deviance, dim(eta) %||% length(eta))
}

# A list of `deviance`, and `score` and `weight`, half its derivatives.
loss_values <- function(family, y, eta) {
  .Call(ffi_loss_values, family[c("name", "theta")], rep_len(as.double(y), length(eta)),
        as.double(eta))
}

# Where in the range of y the best intercept of rows is infinite, if they are all there.
lone_ends <- function(family) {
  range <- loss_trait(family, "range")
  if (loss_trait(family, "closed")) range[is.finite(range)]
}

# In words why rows with these y have no best intercept; NULL where they have one.
why_no_intercept <- function(family, y) {
  for (end in lone_ends(family)) if (all(y == end)) return(sprintf("all of them are %g", end))
}

is_in_range <- function(family, y) {
  range <- loss_trait(family, "range")
  if (loss_trait(family, "closed")) y >= range[1] & y <= range[2] else y > range[1] & y < range[2]
}

#' @export
print.sparserls_family <- function(x, ...) {
  print_brief(x, sprintf("%s family, %s link", x$label, x$link))
}
