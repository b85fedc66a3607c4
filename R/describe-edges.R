# What is to be said about a choice at an edge of its grid: by a message when it is made, and
# whenever the object is printed, `notes` of describe(), where families say more, or other things.

# For the path's axis and, where some were searched, of gamma and the size of the basis. fit: facts.
edge_notes <- function(cv, fit) {
  axis <- path_axis(cv$fit)
  null <- cv$index[["min", 1]] == 1 && isTRUE(is_null_df(path_df(cv$fit)[1]))
  c(if (axis$name == "lambda") lambda_notes(cv, fit)
    else note_end(axis$name, axis$values[cv$index[["min", 1]]], axis$values),
    # The null model is the same for every gamma and basis.
    if (!is.null(cv$kernel) && !null) c(gamma_notes(cv), size_note(cv)))
}

# What values there are beyond the ends only a family knows.
note_end <- function(what, best, searched) {
  end <- if (length(unique(searched)) > 2) match(best, range(searched)) else NA
  if (is.na(end)) return(NULL)
  sprintf("The best %s, %s, is the %s of those searched: a wider grid may do better.", what,
          format(best, digits = 3), c("smallest", "largest")[end])
}

# A gamma at an end of those that were searched with all else as in the best candidate. Our own
# search ends where nothing is gained, or at its widest or narrowest.
gamma_notes <- function(cv) {
  of_best <- Find(function(curve) identical(curve$kernel, cv$kernel), cv$curves)
  multiple <- if (!is.null(of_best$walk)) cv$kernel$multiple
  if (!is.null(multiple) && !multiple %in% c(widest, narrowest)) return(NULL)
  c(note_end("gamma", candidate_numbers(list(cv))$gamma, rivals_of_best(cv)),
    if (identical(multiple, widest)) {
      "With so wide a kernel f is very smooth: compare kernel_linear()."
    })
}

# The largest basis, where rows are left for a larger one.
size_note <- function(cv) {
  if (isTRUE(cv$size < cv$fit$nobs)) {
    sizes <- joined(cv$curves, "size")
    if (cv$size == max(sizes)) note_end("size of the basis", cv$size, sizes)
  }
}

# ---- lambda --------------------------------------------------------------------------------------

lambda_notes <- function(cv, fit) {
  last <- length(cv$lambda)
  if (last == 1) return(NULL)
  df <- fit$along$df %||% rep(NA_real_, last)
  i <- cv$index[, "Lambda"]
  null <- i[["1se"]] == 1 && is_null_df(df[1])
  c(if (i[["min"]] == last) note_smallest(df[last], cv, fit$rank),
    if (i[["1se"]] == 1) note_largest(names(i)[i == 1][1], df[1], cv, isTRUE(fit$null_model)),
    # It sees on which side predictions lie, and not how far.
    if (identical(measure_of(cv)$loss, "class") && (null || has_rare_class(cv$fit))) {
      paste0("Misclassification says little about rare classes: type.measure = \"mse\"",
             if (length(cv$fit$response$levels) <= 2) " or \"auc\"", " sees more.")
    })
}

# Whether all classes but one are below a quarter of the rows' weights together.
has_rare_class <- function(fit) {
  if (!is_class(fit$response) || is.null(fit$weights)) return(FALSE)
  counts <- rowsum(fit$weights, true_classes(fit$response))
  max(counts) > 0.75 * sum(counts)
}

# "lambda.min is the largest lambda of the grid (df 0.01)"
at_end <- function(which, end, df) {
  sprintf("lambda.%s is the %s lambda of the grid%s", which, end,
          if (is.na(df)) "" else sprintf(" (df %s)", format(df, digits = 2)))
}

# which: "min" where both are there. For a measure that sees only the order of predictions
# there is no note at the null model: larger values do not change the order.
note_largest <- function(which, df, cv, has_inf) {
  where <- at_end(which, "largest", df)
  best <- which == "min"
  if (!is_null_df(df)) {
    sprintf("%s: larger values may %s. Give `lambda` a grid that reaches further up%s.", where,
            if (best) "do better" else "be within one standard error, too",
            if (has_inf) ", to `Inf`, the null model" else "")
  } else if (!identical(measure_of(cv)$set, concordance)) {
    paste0(where, ": the null model is ", if (best) {
      "as good as any. This kernel shows no effect of the features on the response."
    } else if (is_paired(cv$rule)) {
      paste("within one standard error of the best, by paired differences.",
            "The gain of lambda.min over it may be chance.")
    } else "within one standard error of the best. rule = \"paired\" compares both row by row.")
  }
}

# No note where nothing is to be gained.
note_smallest <- function(df, cv, rank) {
  if (is_perfect(cv)) return(NULL)
  where <- at_end("min", "smallest", df)
  if (isTRUE(cv$fit$shift_df[length(cv$lambda)] > 0.99 * shift_limit)) {
    return(paste0(where, ": below, the jitter begins to count. Smaller values need a smaller",
                  " `jitter`."))
  }
  falls <- still_falls(cv)
  if (falls && isTRUE(df > 0.95 * rank) && inherits(cv, "cv.sparserls") && rank < nobs(cv)) {
    return(sprintf("%s, near its limit of %d basis vectors, and the error still falls. %s", where,
                   rank, "A larger `basis` may do better."))
  }
  if (is.na(df) || df <= 0.95 * rank || falls) {
    return(sprintf(
      "%s: smaller values may do better%s. Give `lambda` a grid that reaches further down.", where,
      if (falls) ", as the error still falls" else ""
    ))
  }
  if (spans_features(cv$fit, rank)) return(NULL)
  sprintf("%s, near its limit of %d: smaller values would change little. %s", where, rank,
          paste("Another model may do better:", if (inherits(cv, "cv.rls")) {
            "more features or another kernel."
          } else {
            "more basis vectors, more features, another kernel or a linear one (cv.rls())."
          }))
}

# No error is left.
is_perfect <- function(cv) {
  least <- cv$cvm[cv$index[["min", "Lambda"]]]
  if (isTRUE(measure_of(cv)$maximize)) least >= 1
  else least <= 1e-8 * max(abs(cv$cvm))
}

# Whether the smallest lambda gains more than a hundredth over twice its value. What shrinkage adds
# to the error is of the order of lambda or its square, so smaller values gain no more than that.
still_falls <- function(cv) {
  last <- length(cv$lambda)
  twice <- which.min(abs(log(cv$lambda / (2 * cv$lambda[last]))))
  isTRUE(abs(cv$cvm[twice] - cv$cvm[last]) > 0.01 * abs(cv$cvm[last]))
}

# Least squares on all features, to which small lambdas tend.
spans_features <- function(fit, rank) {
  kernel <- fit$kernel
  inherits(kernel, "sparserls_kernel") && has_slopes(kernel) &&
    rank == length(kernel$features %||% seq_len(fit$blueprint$p))
}
