# What the cross-validation of widths says of itself.

describe_folds.cv.ardrls <- function(x) {
  if (x$outer == "split") return("a fifth of the rows held out once")
  loo <- x$nfolds == x$fit$nobs && !is.null(x$foldid)
  if (loo) "outer leave-one-out" else paste0(x$nfolds, " outer folds", describe_groups(x))
}

describe_features.cv.ardrls <- function(cv) {
  relevance <- cv$fit$relevance
  shown <- carrying_features(relevance[, cv$index[["1se", 1]]])
  sprintf("\n%d of %d features carry 95 %% of the relevance at penalty.1se: %s\n",
          length(shown), nrow(relevance), enumerate(rownames(relevance)[shown], 10))
}

known_along.ardrls <- function(fit) list(lambda = fit$lambda, features = carrying_counts(fit))

edge_notes.cv.ardrls <- function(cv) {
  last <- length(cv$penalty)
  if (last == 1) return(character())
  i <- cv$index[, 1]
  largest <- cv$penalty[1]
  c(
    if (i[["min"]] == 1) {
      if (is.infinite(largest)) "penalty.min is Inf: one width for all features is as good as any."
      else "penalty.min is the largest penalty: larger ones, up to Inf, may do better."
    } else if (i[["1se"]] == 1 && is.infinite(largest)) {
      paired <- is_paired(cv$rule)
      c(paste0("penalty.1se is Inf: one width for all features is within one standard error of ",
               "the best", if (paired) "," else "."),
        paste0(if (paired) "by paired differences. ",
               "What penalty.min gains over it may be chance."))
    },
    if (i[["min"]] == last && cv$penalty[last] > 0) {
      "penalty.min is the smallest penalty: smaller ones, down to 0, may do better."
    }
  )
}

# A path has no single penalty that its call could name.
chosen_arguments.cv.ardrls <- function(cv) list()
