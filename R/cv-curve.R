# What is chosen from errors over a path, and the best of several curves (error_curve() of
# cv-search.R makes them).

# What choose_point() looks at.
choice_errors <- function(held, problem) {
  c(errors(held, problem), list(squared = squared_errors(held, problem)))
}

# choose_point() by the rule of the problem. error: that of `held`.
chosen_points <- function(problem, path, held, error) {
  validation <- problem$validation
  differences_from <- if (is_paired(validation$rule)) {
    function(from) differences(held, problem, from)
  }
  choose_point(path, error, validation$measure$maximize, differences_from)
}

# Of equals the first, as long as none has a smaller squared error.
is_better <- function(curve, best, maximize) {
  if (is.null(best)) return(TRUE)
  loss <- c(at_best(best, "cvm"), at_best(curve, "cvm"))
  squared <- c(at_best(best, "squared"), at_best(curve, "squared"))
  best_of(loss, maximize, squared) == 2L
}

# The position of the best of several curves.
best_curve <- function(curves, maximize) {
  best <- 1L
  for (i in seq_along(curves)[-1]) if (is_better(curves[[i]], curves[[best]], maximize)) best <- i
  best
}

at_best <- function(curve, name) {
  rows <- length(curve$path[[1]])
  curve[[name]][curve$index[["min"]] + rows * (curve$index[["column"]] - 1L)]
}

# Positions in the path whose fitted values the fit keeps in any case.
chosen_positions <- function(curve) c(curve$index, unique(as.vector(curve$output$index)))
