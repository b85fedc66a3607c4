# How sure a prediction is: prediction intervals and standard errors, of all families. Intervals by
# the refits of a cross-validation (cv-refits.R) are here, the Gaussian-process view in
# interval-gp.R.

# What users of predict.lm() ask for.
intervals_of_lm <- c(
  prediction = paste("For a new response there are \"jackknife+\", from a cross-validation with",
                     "keep = TRUE, and \"gp\", which assumes a Gaussian process."),
  confidence = paste("For the fitted function there are standard errors: interval = \"none\",",
                     "se.fit = TRUE.")
)

check_interval <- function(interval) {
  check_choice(interval, c("none", names(intervals)), "interval", intervals_of_lm)
}

# What was asked for, checked; NULL where it is predictions alone.
read_uncertainty <- function(interval, level, se.fit, noise) {
  interval <- check_interval(interval)
  noise <- check_choice(noise, c("df", "reml"), "noise")
  check_flag(se.fit, "se.fit")
  must(is_number(level) && level > 0 && level < 1,
       "argument", "`level` must be a number between 0 and 1.", shown(level),
       "90 % is level = 0.9.")
  if (interval == "none" && !se.fit) return(NULL)
  list(interval = interval, level = as.double(level), se = se.fit, noise = noise)
}

# object: a fit, or the cross-validation with the fit; at: values of s (or k), as numbers or NULL.
predict_uncertain <- function(object, newdata, at, type, wanted) {
  fit <- final_fit(object)
  check_uncertain(object, fit, missing(newdata), at, type, wanted)
  x <- forge(fit$blueprint, newdata)
  points <- path_points(fit, at)
  labels <- path_labels(fit, at)
  scores <- new_scores(fit, x, points, rownames(newdata))
  rows <- which(rowSums(is.na(scores)) == 0)
  label <- function(values, labels) {
    rownames(values) <- rownames(newdata)
    label_predictions(values, fit$response, labels)
  }
  kind <- intervals[[wanted$interval]]
  predicted <- if (is.null(kind)) label(scores, labels) else {
    numbers <- max(expansion_terms(fit), if (!is.null(kind$numbers)) kind$numbers(object, fit))
    ends <- over_rows(x, rows, output_count(fit) * 2L, numbers,
                      kind$ends(object, fit, points, wanted))
    if (isTRUE(kind$relative)) ends <- as.vector(scores) + ends
    label(array(c(scores, ends), c(dim(scores)[1:2], 3L)), c("fit", "lwr", "upr"))
  }
  if (!wanted$se) return(predicted)
  if (!is.null(object$ngroups)) {
    inform(paste0("Standard errors are by the Gaussian-process view, which takes rows as ",
                  "independent.\nFor new groups there is interval = \"jackknife+\", with keep = ",
                  "TRUE in the cross-validation."))
  }
  errors <- over_rows(x, rows, prod(dim(scores)[-1]), expansion_terms(fit),
                      gp_errors(fit, points, wanted$noise))
  list(fit = predicted, se.fit = label(array(errors, dim(scores)), labels))
}

check_uncertain <- function(object, fit, no_rows, at, type, wanted) {
  asked <- if (wanted$interval == "none") "`se.fit`" else "`interval`"
  must(type == "response" && (wanted$interval == "none" || !is_class(fit$response)),
       "argument", sprintf("%s is for predictions of numbers.", asked), "y was classes",
       if (!inherits(object, "sparserls_cv")) "Cross-validate, and use type = \"prob\"."
       else "Use type = \"prob\".")
  if (no_rows) stop_no_newdata(asked)
  if (wanted$interval == "none") return(invisible())
  check_single_point(fit, at)
  asks <- vapply(intervals, function(kind) isTRUE(kind$refits), NA)
  if (!asks[wanted$interval]) return(invisible())
  must(inherits(object, "sparserls_cv"),
       "argument", sprintf("`interval = \"%s\"` needs a cross-validation.", wanted$interval),
       sprintf("a fit of %s()", class(object)[1]),
       sprintf("Cross-validate with keep = TRUE, or use %s.",
               paste0("interval = \"", names(intervals)[!asks], "\"", collapse = " or ")))
  cv_refits(object)
}

stop_no_newdata <- function(asked) {
  abort("newdata", sprintf("%s needs `newdata`: the fit does not keep its rows.", asked), NULL,
        "Predict rows that the fit has not seen.")
}

check_single_point <- function(fit, at, what = "An interval is") {
  points <- length(path_points(fit, at))
  must(points == 1, "lambda", sprintf("%s for a single point of the path.", what),
       sprintf("%d points", points))
}

# f(x) for some rows of x in blocks; rows x columns, NA elsewhere. cost: how many numbers a row
# needs at a time.
over_rows <- function(x, rows, columns, cost, f) {
  values <- matrix(NA_real_, nrow(x), columns)
  for (block in row_blocks(length(rows), cost)) {
    values[rows[block], ] <- f(rows_at(x, rows[block]))
  }
  values
}

# ---- jackknife+ and CV+ ------------------------------------------------------------------
#
# With the held-out residual R_i of row i and mu_-i, the refit behind it, the ends at x are order
# statistics of mu_-i(x) + R_i and of mu_-i(x) - R_i over the scored rows (Barber, Candes, Ramdas
# and Tibshirani, 2021). Where refits leave groups out, the unit that is exchangeable is a group:
# its rows share one vote by their weights, so that the interval is for a row of a new group.

# Votes of the rows, zero where they have none.
row_votes <- function(refits, weights) {
  scored <- !is.na(refits$fold) & weights > 0
  if (is.null(refits$groups)) return(as.double(scored))
  share <- ifelse(scored, weights / max(weights), 0)
  total <- rowsum(share, refits$groups)[as.character(refits$groups), ]
  ifelse(scored, share / total, 0)
}

jackknife_ends <- function(cv, fit, at, wanted) {
  refits <- cv_refits(cv)
  level <- wanted$level
  point <- refit_point(cv, at)
  voters <- lapply(seq_len(output_count(fit)), function(j) {
    if (is.null(refits$residuals)) row_residuals(refits, fit, point, j)
    else counted_residuals(refits, cv, point, j)
  })
  warn_infinite(voters[[1]]$votes, level, if (is.null(refits$groups)) "row" else "group")
  predictor <- fold_predictor(cv, point)
  function(x) {
    scores <- predictor$scores(x)
    ends <- vapply(seq_along(voters), function(j) {
      voter <- voters[[j]]
      .Call(ffi_jackknife_ends, scores, predictor$offset, j, voter$fold, voter$size, voter$votes,
            wanted_votes(voter$votes, level))
    }, matrix(0, nrow(x), 2))
    aperm(ends, c(1, 3, 2))
  }
}

# Shares of a vote have rounding errors, which must not increase u = ceiling(level (m + 1)).
wanted_votes <- function(votes, level) level * (sum(votes) + 1) - 1e-9

# unit: what has a vote, a row or a group.
warn_infinite <- function(votes, level, unit) {
  count <- round(sum(votes))
  if (wanted_votes(votes, level) <= count) return(invisible())
  warn("interval", sprintf(
    "%s allow%s intervals of at most %d %% (%d / %d); at `level = %s` they are infinite.",
    counted(count, unit), if (count == 1) "s" else "", floor(100 * count / (count + 1)), count,
    count + 1, format(level)
  ))
}

# For output j the sizes of held-out residuals, their refits and votes.
row_residuals <- function(refits, fit, point, j) {
  votes <- row_votes(refits, fit$weights)
  used <- which(votes > 0)
  size <- abs(fit$response$y[used, j] - refits$scores[used, j, point])
  list(fold = refits$fold[used], size = size, votes = votes[used])
}

# Those of rows in chunks are kept rounded up to the next power of this (chunk-predictions.R):
# intervals are wider by less than 1/1000.
residual_step <- 1.001

# Votes of rows whose sizes of residuals are kept: for output j at a point of refits$at.
counted_residuals <- function(refits, cv, point, j) {
  table <- refits$residuals
  chosen <- which(match(cv$lambda[cv$index[, 1]], refits$at) == point)[1]
  some <- rows_at(table, table[, "point"] == chosen & table[, "output"] == j)
  list(fold = as.integer(some[, "fold"]), size = residual_step^some[, "bin"],
       votes = some[, "count"])
}

# ---- the table -----------------------------------------------------------------------------

# Kinds of intervals, an entry each, which is all that is known of a kind:
#   refits    whether it asks for a cross-validation that has kept its refits
#   ends      a function(object, fit, at, wanted) of the fit or its cross-validation, the fit, one
#             of path_points(), and what read_uncertainty() answers. It answers a function of coded
#             rows, of their lower and upper ends: rows x (outputs (lower, upper))
#   relative  whether these are to be added to the predictions
#   means     whether there is one of means of a likelihood, too (family-likelihood-predict.R)
#   numbers   a function(object, fit): how many numbers a row needs at a time, where those may be
#             more than the terms of the fit

intervals <- list(
  "jackknife+" = list(
    refits = TRUE, means = TRUE, ends = jackknife_ends,
    numbers = function(object, fit) output_count(fit) * refit_count(object$refits)
  ),
  gp = list(ends = gp_widths, relative = TRUE)
)
