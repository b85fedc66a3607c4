# What the effects of a fit are: derivatives by the columns of x; for columns of zeros and ones, and
# for variables with levels, first differences.

# ---- rows ------------------------------------------------------------------------------

# Rows at which effects are asked for, a list of
#   x         coded, as forge() does it
#   frame     the variables of the formula, NULL where the fit knows columns only
#   complete  which rows have no missing values
#   share     of every complete row in averages
#   offset    of every complete row, where effects are of means (effect-means.R); NULL: of f
#   names     of the rows
#   index     their numbers among the rows that were asked for
effect_rows <- function(fit, newdata, weights, offset = NULL) {
  own <- missing(newdata)
  frame <- if (own) own_frame(fit)
           else if (fit$blueprint$type == "terms") terms_frame(fit$blueprint, newdata)
  x <- if (is.null(frame)) forge(fit$blueprint, newdata) else terms_matrix(fit$blueprint, frame)
  complete <- if (is.matrix(x)) rowSums(is.na(x)) == 0 else rep(TRUE, nrow(x))
  if (!is.null(offset)) complete <- complete & !is.na(offset)
  complete <- which(complete)
  if (length(complete) == 0) {
    abort("newdata", "`newdata` has no rows without missing values: there is no average.",
          sprintf("%d rows", nrow(x)))
  }
  if (own && is.null(weights)) weights <- fit$weights
  list(x = x, frame = frame, complete = complete, index = seq_len(nrow(x)),
       share = row_shares(weights, nrow(x), complete), offset = offset[complete],
       names = if (own) fit$rownames else rownames(newdata))
}

# Some of rows that are all complete.
certain_rows <- function(rows, which) {
  rows$frame <- if (!is.null(rows$frame)) rows$frame[which, , drop = FALSE]
  rows$x <- rows$x[which, , drop = FALSE]
  rows$complete <- seq_along(which)
  rows[c("share", "index")] <- list(rows$share[which], rows$index[which])
  rows
}

# The rows of a fit by a formula, evaluated anew. more: further arguments of
# model.frame().
own_frame <- function(fit, more = list()) {
  if (is.null(fit$terms)) {
    abort("newdata", "`newdata` is missing.", NULL,
          "Fits to a matrix or data frame `x` do not keep their rows: give newdata = x.")
  }
  if (!is.null(fit$chunks)) {
    abort("newdata", "`newdata` is missing.", NULL,
          "Fits to rows in chunks do not keep them: give some of them.")
  }
  # Rows that the fit left out for other reasons too, such as a gap in the groups.
  more$na.action <- function(frame) {
    stats::na.omit(frame[setdiff(seq_len(nrow(frame)), fit$na.action), , drop = FALSE])
  }
  frame <- tryCatch(frame_again(fit, more), sparserls_error_formula = function(e) {
    abort("newdata", "`newdata` is missing, and the rows of the fit cannot be made again.", e$given,
          "Give `newdata`.")
  })
  changed <- if (nrow(frame) != fit$nobs) {
    sprintf("%d rows, the fit had %d", nrow(frame), fit$nobs)
  } else if (!identical(as.vector(response_again(fit, frame)), as.vector(fit$response$y))) {
    "the response has changed"
  }
  if (length(changed)) stop_changed(changed)
  levels <- fit$blueprint$xlevels
  frame[names(levels)] <- Map(function(v, l) factor(as.character(v), l), frame[names(levels)],
                              levels)
  if (!have_marks(terms_matrix(fit$blueprint, frame), fit$marks)) {
    stop_changed("a predictor has changed")
  }
  frame
}

stop_changed <- function(what) {
  abort("newdata", "`newdata` is missing, and the data of the fit have changed.", what,
        "Give `newdata`.")
}

response_again <- function(fit, frame) {
  y <- model.response(frame)
  if (!is_likelihood(fit$family)) return(read_response(y, nrow(frame))$y)
  family_response(y, nrow(frame), NULL, fit$family, bound = is.matrix(y))$response$y
}

row_shares <- function(weights, m, complete) {
  weights <- (if (is.null(weights)) rep(1, m) else check_weights(weights, m))[complete]
  if (length(weights) && sum(weights) == 0) {
    abort("weights", "All complete rows have weight zero: there is no average.")
  }
  weights <- summable(weights)
  weights / sum(weights)
}

# ---- terms -----------------------------------------------------------------------------

# The effects in the order of the columns: a list of list(term, column) for derivatives,
# list(term, column, variable, level) with `column` or `variable` NULL for differences.
effect_terms <- function(fit, frame) {
  names <- slope_names(fit)
  coded <- coded_variables(fit$blueprint, frame)
  effects <- list()
  seen <- character()
  for (j in seq_along(names)) {
    if (length(coded[[j]]) == 0) {
      effects <- c(effects, list(list(term = names[j], column = j,
                                      difference = j %in% fit$dummies)))
    }
    for (variable in setdiff(coded[[j]], seen)) {
      effects <- c(effects, level_effects(fit$blueprint, frame, variable))
    }
    seen <- c(seen, coded[[j]])
  }
  effects
}

# Every level but the first.
level_effects <- function(blueprint, frame, variable) {
  levels <- if (is.logical(frame[[variable]])) c(FALSE, TRUE) else blueprint$xlevels[[variable]]
  lapply(levels[-1], function(level) {
    list(term = paste0(variable, level), variable = variable, first = levels[[1]], level = level,
         difference = TRUE)
  })
}

# For every column the variables with levels that it codes; none where a number, an ordered factor's
# rank too, is a part of it.
coded_variables <- function(blueprint, frame) {
  if (is.null(frame)) return(vector("list", blueprint$p))
  form <- blueprint$terms
  none <- with_ranks(frame[0, , drop = FALSE], blueprint$ranked, blueprint$xlevels)
  term <- attr(model_columns(form, none, blueprint$contrasts), "assign")
  # Names of the rows of factors have backticks.
  used <- attr(form, "factors") > 0
  variables <- term_variables(form)
  leveled <- vapply(none[variables], is_leveled, NA)
  lapply(term, function(t) if (all(leveled[used[, t]])) variables[used[, t]])
}

# The complete rows with an effect's column or variable at a value: 1 the first, 2 the other; or as
# they have been `moved` (effect-average.R).
rows_at <- function(fit, rows, effect, which) {
  if (!is.null(effect$moved)) {
    return(effect$moved[[which]][rows$index[rows$complete], , drop = FALSE])
  }
  if (!is.null(effect$column)) {
    x <- rows$x[rows$complete, , drop = FALSE]
    x[, effect$column] <- which - 1
    return(x)
  }
  value <- list(effect$first, effect$level)[[which]]
  frame <- rows$frame[rows$complete, , drop = FALSE]
  values <- rep(value, nrow(frame))
  levels <- fit$blueprint$xlevels[[effect$variable]]
  frame[[effect$variable]] <- if (is.logical(value)) values else factor(values, levels)
  terms_matrix(fit$blueprint, frame)
}

# ---- values (verbs.R) ------------------------------------------------------------------

first_difference.sparserls_fit <- function(object, expansion, low, high, share) {
  check_expansion(object, "derivatives")
  term_averages(expansion, share, function(rows) {
    term_values(object, high[rows, , drop = FALSE]) - term_values(object, low[rows, , drop = FALSE])
  })
}

average_scores.sparserls_fit <- function(object, expansion, x, share) {
  check_expansion(object, "average effects")
  term_averages(expansion, share, function(rows) term_values(object, x[rows, , drop = FALSE]))
}

# terms: a function of some rows, terms x rows.
term_averages <- function(expansion, share, terms) {
  alpha <- matrix(expansion$alpha, nrow(expansion$alpha))
  values <- matrix(0, length(share), ncol(alpha))
  average <- numeric(nrow(alpha))
  for (rows in row_blocks(length(share), nrow(alpha))) {
    part <- terms(rows)
    values[rows, ] <- crossprod(part, alpha)
    average <- average + drop(part %*% share[rows])
  }
  list(values = values, average = average)
}
