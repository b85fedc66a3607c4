# Paths: the values that one training serves. A list with one vector for each axis, the first
# running fastest wherever predictions or errors are laid out: list(lambda = ) or
# list(k = , lambda = ). Every axis is ordered from the simplest model on (lambda falls, k grows),
# so that the first of equals is the simpler one.

new_path <- function(...) structure(list(...), class = "sparserls_path")

# Positions of the smallest error, and of the simplest model within one standard error of it along
# the first axis; `column`: the position on the other axis. error: cvm and cvsd over the path.
choose <- function(path, error, maximize) {
  best <- best_of(error$cvm, error$cvsd, maximize)[["min"]]
  column <- (best - 1L) %/% length(path[[1]]) + 1L
  along <- (column - 1L) * length(path[[1]]) + seq_along(path[[1]])
  index <- best_of(error$cvm[along], error$cvsd[along], maximize)
  c(index, column = column)
}

# Positions on the first axis that were chosen, all that a fit with one axis is told.
path_choice <- function(choice) choice[names(choice) != "column"]

# Index of the smallest error and of the first within one standard error of it. Ties within rounding
# go to the first, the simpler one.
best_of <- function(cvm, cvsd, maximize) {
  loss <- if (maximize) -cvm else cvm
  best <- which(loss <= min(loss) + tolerance("tie") * abs(min(loss)))[[1]]
  limit <- loss[best] + if (is.na(cvsd[best])) 0 else cvsd[best]
  c(min = best, `1se` = which(loss <= limit)[[1]])
}

# Degrees of freedom for every lambda, of several outputs the mean.
path_df <- function(fit) if (is.matrix(fit$df)) rowMeans(fit$df) else fit$df
