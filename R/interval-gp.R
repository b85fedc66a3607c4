# Fits as the mean of a Gaussian process: y = b0 + f(x) + noise, noise of variance s2 / w, f with
# the covariance (s2 / lambda) k, b0 free. Given the data
#
#   var(b0 + f(x)) = (s2 / lambda) (k(x, x) - k_x'(K + lambda W^-1)^-1 k_x) + s2 / sum(w),
#
# k centred by the weighted mean of the training rows (neither without an intercept). In coordinates
# z of the terms this is s2 (z'A^-1 z + 1 / sum(w)), z centred, and (s2 / lambda) (k(x, x) - |z|^2),
# z not centred, what the terms cannot see. lambda, kernel, basis and selection count as known.
#
# A view:
#   variance  a function of coded rows: var / s2, rows x outputs
#   rss, penalty, df   one for each output: residual squares, lambda |b|^2, degrees of freedom
#   rows      of positive weight; intercept

# For a view the noise variance of rows of weight one, and its degrees of freedom.
view_noise <- function(view, noise) {
  left <- view$rows - view$intercept - if (noise == "df") view$df else 0
  # Less than that, by rounding errors.
  if (any(left < 1e-6)) {
    stop_no_noise(view$rows, max(view$df), "Use a larger `lambda`, or noise = \"reml\".")
  }
  squares <- view$rss + if (noise == "reml") view$penalty else 0
  list(s2 = squares / left, left = left)
}

# Functions of coded rows. Standard errors of the predictions, rows x (outputs points):
gp_errors <- function(fit, points, noise) {
  each <- lapply(points, function(at) {
    view <- gp_view(fit, at)
    s2 <- view_noise(view, noise)$s2
    function(x) sqrt(each_row(s2, x) * view$variance(x))
  })
  function(x) do.call(cbind, lapply(each, function(errors) errors(x)))
}

# What to add to predictions for the ends of an interval, rows x (outputs (lower, upper)).
gp_widths <- function(object, fit, at, wanted) {
  view <- gp_view(fit, at)
  noise <- view_noise(view, wanted$noise)
  quantile <- qt((1 + wanted$level) / 2, noise$left)
  function(x) {
    width <- each_row(quantile, x) * sqrt((view$variance(x) + 1) * each_row(noise$s2, x))
    cbind(-width, width)
  }
}

stop_no_noise <- function(rows, df, remedy) {
  abort("lambda", "No degree of freedom is left for the noise.",
        sprintf("%d rows, df %s", rows, format(df, digits = 4)), remedy)
}

new_view <- function(fit, variance, rss, penalty, df) {
  list(variance = variance, rss = rss, penalty = penalty, df = df, rows = trained_rows(fit),
       intercept = as.integer(fit$intercept))
}

# ---- sparserls() and rls() ------------------------------------------------------------------

gp_view.sparserls_fit <- function(fit, at) {
  check_expansion(fit, "view as a Gaussian process")
  spectrum <- fit$spectrum
  values <- spectrum$values
  v <- output_count(fit)
  d <- 1 / (values + at)
  b <- d * spectrum$zy
  full <- is_full(fit)
  # On the full kernel zy are coordinates of y itself: the residuals are lambda D zy.
  rss <- if (full) colSums((at * d * spectrum$zy)^2)
         else pmax(response_squares(fit) - explained_squares(spectrum, at), 0)
  penalty <- at * colSums((if (full) values else 1) * b^2)
  variance <- (if (full) full_variance else term_variance)(fit, at)
  each <- function(x) matrix(variance(x) + intercept_spread(fit), nrow(x), v)
  new_view(fit, each, rss, penalty, rep(sum(values / (values + at)), v))
}

# The variance of the intercept over s2. Of chunks, whose weights nobody holds, there is their sum.
intercept_spread <- function(fit) {
  if (fit$intercept) 1 / sum(fit$chunks$weight %||% fit$weights) else 0
}

response_squares <- function(fit) {
  if (!is.null(fit$chunks)) return(fit$chunks$squares)
  squares_about(response_less_offset(fit), fit$weights, fit$intercept)
}

# Both without that of the intercept.
term_variance <- function(fit, lambda) {
  spectrum <- fit$spectrum
  function(x) {
    z <- spectrum$map %*% term_values(fit, x)
    unseen <- if (is.null(fit$basis)) 0
              else left_over(new_self_values(fit, fit$kernel, x), colSums(z^2), nrow(z))
    colSums((z - spectrum$z_mean)^2 / (spectrum$values + lambda)) + unseen / lambda
  }
}

full_variance <- function(fit, lambda) {
  spectrum <- fit$spectrum
  share <- fit$weights[fit$weights > 0] / sum(fit$weights)
  function(x) {
    values <- term_values(fit, x)
    z <- spectrum$map %*% values - spectrum$z_mean
    self <- new_self_values(fit, fit$kernel, x)
    if (fit$intercept) self <- self - 2 * colSums(share * values) + spectrum$self_mean
    process_variance(self, z, spectrum$values, lambda)
  }
}

# (self - sum z^2 / (values + lambda)) / lambda without its cancellation at small lambda: what no
# eigenvector sees, and sum z^2 / (values (values + lambda)). z: n x rows.
process_variance <- function(self, z, values, lambda) {
  seen <- is_resolved(values)
  part <- function(which, by) colSums(rows_at(z, which)^2 / by[which])
  taken <- part(seen, values) + part(!seen, values + lambda)
  left_over(self, taken, nrow(z)) / lambda + part(seen, values * (values + lambda))
}

# self - taken, where that is more than a rounding error of n terms.
left_over <- function(self, taken, n) {
  left <- self - taken
  ifelse(left > n * .Machine$double.eps * self, left, 0)
}

# k(x, x) of new rows.
new_self_values <- function(fit, kernel, x) {
  must(!is_precomputed(kernel),
       "kernel", "With a precomputed kernel k(x, x) of new rows is not known.", NULL,
       "Standard errors need it; interval = \"jackknife+\" does not.")
  self_values(kernel, kernel_view(new_points(fit, x), kernel))
}

# ---- features in coordinates: greedyrls(), and rls2() without kernels -------------------------

# z: rows x q of the training rows; y: rows x outputs; project: coordinates of coded new rows. By
# the singular values of what is centred.
coordinate_view <- function(z, y, weights, lambda, intercept, centre, project) {
  used <- weights > 0
  w <- weights[used]
  z <- rows_at(z, used)
  y <- rows_at(y, used)
  mean <- function(x) if (centre) colSums(prop.table(w) * x) else numeric(ncol(x))
  z_mean <- mean(z)
  y_mean <- if (intercept) mean(y) else numeric(ncol(y))
  found <- svd(sqrt(w) * (z - each_row(z_mean, z)))
  target <- sqrt(w) * (y - each_row(y_mean, y))
  zy <- crossprod(found$u, target)
  ratio <- found$d^2 / lambda
  constant <- if (intercept) 1 / sum(w) else 0
  variance <- function(x) {
    new <- project(x)
    new <- new - each_row(z_mean, new)
    turned <- new %*% found$v
    size <- rowSums(new^2)
    unseen <- left_over(size, rowSums(turned^2), ncol(new))
    (rowSums(turned^2 / each_row(1 + ratio, new)) + unseen) / lambda + constant
  }
  list(variance = variance, df = sum(ratio / (1 + ratio)),
       rss = colSums((target - found$u %*% (ratio / (1 + ratio) * zy))^2),
       penalty = colSums(ratio * (zy / (1 + ratio))^2))
}
