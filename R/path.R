# Paths: the values that one training serves. A list with one vector for each axis, the first
# running fastest wherever predictions or errors are laid out: list(lambda = ) or
# list(k = , lambda = ). Every axis is ordered from the simplest model on (lambda falls, k grows),
# so that the first of equals is the simpler one.

new_path <- function(...) structure(list(...), class = "sparserls_path")

# The rules for being as good as the best: an error of at most the smallest plus its standard error;
# or a mean difference from the best, on the same rows, of at most the standard error of that
# difference.
rules <- c("1se", "paired")

is_paired <- function(rule) identical(rule, "paired")

# Positions of the smallest error, and of the simplest model that is as good along the first axis;
# `column`: the position on the other axis. error: cvm and cvsd over the path, and `squared`, which
# decides among equals, or NULL. differences_from: NULL for the usual rule; or a function of a
# position, which answers cvm and cvsd of the differences from it.
choose <- function(path, error, maximize, differences_from = NULL) {
  rows <- length(path[[1]])
  column <- (best_of(error$cvm, maximize, error$squared) - 1L) %/% rows + 1L
  along <- (column - 1L) * rows + seq_len(rows)
  best <- best_of(error$cvm[along], maximize, error$squared[along])
  good <- if (is.null(differences_from)) {
    as_good(error$cvm[along], error$cvsd[along][best], best, maximize)
  } else {
    no_worse(differences_from(along[best]), along, best, maximize)
  }
  c(min = best, `1se` = which(good)[[1]], column = column)
}

# The usual rule. error: the standard error of the best.
as_good <- function(cvm, error, best, maximize) {
  loss <- if (maximize) -cvm else cvm
  loss <= loss[best] + if (is.na(error)) 0 else error
}

# The rule of paired differences.
no_worse <- function(difference, along, best, maximize) {
  loss <- if (maximize) -difference$cvm[along] else difference$cvm[along]
  error <- difference$cvsd[along]
  good <- loss <= ifelse(is.na(error), 0, error)
  replace(good, best, TRUE)
}

# The chosen positions on the first axis, which are all that a fit with one axis needs.
path_choice <- function(choice) choice[names(choice) != "column"]

# Position of the smallest error. Among equals, within rounding, the smaller squared error decides
# (errors that are counted are often equal), then the first, the simpler one.
best_of <- function(cvm, maximize, squared = NULL) {
  best <- smallest(if (maximize) -cvm else cvm)
  if (length(best) > 1 && !is.null(squared)) best <- best[smallest(squared[best])]
  best[[1]]
}

smallest <- function(loss) which(loss <= min(loss) + tolerance("tie") * abs(min(loss)))

# Degrees of freedom for every lambda, of several outputs the mean.
path_df <- function(fit) if (is.matrix(fit$df)) rowMeans(fit$df) else fit$df
