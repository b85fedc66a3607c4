# Responses of families (loss.R), on the scale of their means: counts, positive numbers, shares, and
# classes as 0 and 1, which have the fields of other classes (design-response.R).

# What a family reads of y and of weights, a list of `response` and `weights`. bound: whether y was
# cbind() in a formula.
family_response <- function(y, m, weights, family, bound = FALSE) {
  must(!inherits(weights, "sparserls_class_weights"), "weights",
       "class_weights() would make probabilities those of balanced classes.", NULL,
       "Leave them out, and predict(type = \"class\", threshold = ).")
  weights <- check_weights(weights, m)
  y <- response_of_rows(y, m)
  if (!loss_trait(family, "classes")) {
    return(list(response = amount_response(y, family), weights = weights))
  }
  if (bound) return(trials_response(y, weights))
  list(response = share_response(y), weights = weights)
}

# Counts and positive numbers.
amount_response <- function(y, family) {
  must(!has_classes(y) && NCOL(y) == 1, "y",
       sprintf("The %s family needs one number for each row as `y`.", family$label), shown(y),
       if (is.factor(y) || is.logical(y)) "Classes have family = \"binomial\".")
  response <- numbers_alone(y)
  y <- response$y
  bad <- which(!is_in_range(family, y))
  must(!length(bad), "y",
       sprintf("The %s family needs %s `y`.", family$label,
               if (loss_trait(family, "closed")) "non-negative" else "positive"),
       sprintf("y[%d] is %s", bad[1], format(y[bad[1]])))
  response
}

# One number for each row, as a matrix of one column.
numbers_alone <- function(y) {
  y <- matrix(as.double(unclass(y)), ncol = 1)
  check_finite_response(y)
  list(type = "numeric", y = y, levels = NULL, outputs = NULL)
}

# Classes, zeros and ones, or shares.
share_response <- function(y) {
  if (has_classes(y)) return(zero_one(class_response(y)))
  must(NCOL(y) == 1, "y", "The binomial family needs one column as `y`.", shown(y),
       paste("Use the share of successes with the trials as `weights`, or",
             "cbind(successes, failures) in a formula."))
  response <- numbers_alone(y)
  y <- response$y
  bad <- which(y < 0 | y > 1)
  must(!length(bad), "y", "The binomial family needs `y` between 0 and 1.",
       sprintf("y[%d] is %s", bad[1], format(y[bad[1]])),
       "Counts are shares of their trials, which are the `weights`.")
  if (all(y %in% 0:1)) zero_one(class_response(factor(y))) else response
}

# The codes of classes as the shares that they are.
zero_one <- function(response) {
  response$y <- (response$y + 1) / 2
  c(response, list(low = 0))
}

# cbind(successes, failures): shares, weighted by their trials.
trials_response <- function(y, weights) {
  fine <- is.numeric(y) && is.matrix(y) && ncol(y) == 2 && all(is.finite(y)) && all(y >= 0)
  must(fine, "y", "`cbind()` of a binomial response needs two columns, successes and failures.",
       shown(y), "Both are counts, not negative and not missing.")
  check_scale(y, "y")
  trials <- y[, 1] + y[, 2]
  must(sum(weights * trials) != 0, "y", "There are no trials.")
  share <- ifelse(trials > 0, trial_shares(y), 0)
  list(response = numbers_alone(share), weights = weights * unname(trials))
}

# NaN without trials.
trial_shares <- function(y) y[, 1] / (y[, 1] + y[, 2])

# Rows of positive weight whose y leave the intercept without a best value.
check_intercept <- function(family, response, weights) {
  for (j in seq_len(ncol(response$y))) {
    why <- why_no_intercept(family, response$y[weights > 0, j])
    must(is.null(why), "y", sprintf("The rows that train have no fit with an intercept: %s.", why),
         NULL, "Use rows of both kinds, or intercept = FALSE.")
  }
}
