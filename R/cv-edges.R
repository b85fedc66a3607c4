# What is to be said about a choice at an edge of its grid of lambda: as a message when it is made,
# and whenever the object is printed.

# The null model: the same number for all rows, to the eye (default_lambda() begins there).
null_df <- 0.05

# Lines about lambda.min and lambda.1se; none where both lie inside, or lambda is a single one.
edge_notes <- function(cv) {
  last <- length(cv$lambda)
  if (last == 1 || !is.null(cv$k.min)) return(character())
  df <- path_df(cv$fit)
  i <- cv$index[, "Lambda"]
  if (i[["min"]] == 1) return(note_largest(df[1], names(cv$name), cv$fit))
  c(if (i[["min"]] == last) note_smallest(df[last], cv$fit),
    if (i[["1se"]] == 1) note_1se(df[1], names(cv$name)))
}

# Measures that see the order of predictions only, which the null model does not have.
of_order <- function(measure) identical(measures[[measure]]$set, concordance)

note_largest <- function(df, measure, fit) {
  where <- sprintf("lambda.min is the largest lambda of the grid (df %s)", format(df, digits = 2))
  if (df > null_df) {
    c(paste0(where, ": larger values may do better."),
      paste0("Give `lambda` a grid that reaches further up",
             if (inherits(fit, "rls2")) ", to `Inf`, the null model", "."))
  } else if (of_order(measure)) {
    c(paste0(where, ": nothing orders the rows better"),
      "than this limit, and still larger values no longer change the order.")
  } else {
    c(paste0(where, ": the null model is as good"),
      "as any. No effect of `x` on the response shows with this kernel.")
  }
}

note_1se <- function(df, measure) {
  where <- sprintf("lambda.1se is the largest lambda of the grid (df %s)", format(df, digits = 2))
  if (df > null_df) {
    c(paste0(where, ": larger values may be within one"),
      "standard error too. Give `lambda` a grid that reaches further up to find out.")
  } else if (of_order(measure)) {
    c(paste0(where, ": still larger values no longer"),
      "change the order of the predictions, which is what is measured.")
  } else {
    c(paste0(where, ": the null model is within one"),
      "standard error of the best. What lambda.min gains over it may be chance.")
  }
}

note_smallest <- function(df, fit) {
  where <- sprintf("lambda.min is the smallest lambda of the grid (df %s", format(df, digits = 3))
  # The kernel of rls2 changes along the path: it has no rank of its own.
  rank <- if (inherits(fit, "rls2")) Inf else length(resolved_values(fit$spectrum$values))
  if (df > 0.95 * rank) {
    c(paste0(where, sprintf(" of %d): smaller values would change", rank)),
      "little. The data can bear a richer model: more basis vectors, features, another kernel.")
  } else {
    c(paste0(where, "): smaller values may do better."),
      "Give `lambda` a grid that reaches further down.")
  }
}
