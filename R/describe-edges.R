# What is to be said about a choice at an edge of its grid: by a message when it is made, and
# whenever the object is printed, `notes` of describe(), where families say more, or other things.

# Of the path's axis and, where some were searched, of gamma and the size of the basis. fit: facts.
edge_notes <- function(cv, fit) {
  c(if (chosen_axis(cv) == "lambda") lambda_notes(cv, fit) else axis_notes(cv),
    if (!is.null(cv$kernel)) c(gamma_notes(cv), size_notes(cv)))
}

# Of any axis. What values there are beyond its ends only its family knows.
axis_notes <- function(cv) {
  axis <- path_axis(cv$fit)
  end <- match(cv$index[["min", 1]], c(which.min(axis$values), which.max(axis$values)))
  if (length(axis$values) == 1 || is.na(end)) return(character())
  sprintf("%s.min is the %s %s of the grid: %s values, where there are any, may do better.",
          axis$name, c("smallest", "largest")[end], axis$name, c("smaller", "larger")[end])
}

# ---- gamma and sizes ---------------------------------------------------------------------------

# A gamma at an end of those that were searched with all else as in the best candidate. Our own
# search ends where nothing is gained, or at its widest, where wider kernels hardly differ: it
# leaves something to say at its narrowest only.
gamma_notes <- function(cv) {
  kernel <- cv$kernel
  of_best <- Filter(function(curve) {
    identical(curve$kernel, kernel) && identical(curve$size, cv$size)
  }, cv$curves)
  if (!all(vapply(of_best, function(curve) is.null(curve$walk), NA))) {
    if (!kernel$multiple %in% c(widest, narrowest)) return(character())
    wide <- kernel$multiple == widest
    return(c(
      sprintf("The best gamma, %s, is the last that the search tries: %s values may do better.",
              format(kernel$gamma, digits = 3), if (wide) "smaller" else "larger"),
      if (wide) "With so wide a kernel f is very smooth: compare kernel_linear()."
      else "Give `gamma` a grid that reaches further up."
    ))
  }
  gammas <- unique(rivals_of_best(cv))
  best <- candidate_numbers(list(cv))$gamma
  if (length(gammas) < 3 || !best %in% range(gammas) || is_null_best(cv)) return(character())
  end <- match(best, range(gammas))
  c(sprintf("The best gamma, %s, is the %s of those searched: %s values may do better.",
            format(best, digits = 3), c("smallest", "largest")[end], c("smaller", "larger")[end]),
    sprintf("Give `gamma` a grid that reaches further %s.", c("down", "up")[end]))
}

# The null model, which is the same for every gamma and basis.
is_null_best <- function(cv) {
  cv$index[["min", 1]] == 1 && isTRUE(path_df(cv$fit)[1] < null_df)
}

# The largest basis of several, where rows are left for a larger one.
size_notes <- function(cv) {
  sizes <- unique(unlist(lapply(cv$curves, `[[`, "size")))
  if (length(sizes) < 3 || cv$size < max(sizes) || cv$size == cv$fit$nobs || is_null_best(cv)) {
    return(character())
  }
  sprintf("The best size of the basis, %d, is the largest of those searched: larger may do better.",
          cv$size)
}

# ---- lambda --------------------------------------------------------------------------------------

# The null model: the same number for all rows, to the eye (default_lambda() begins there).
null_df <- 0.05

# df: NA of families that know none.
is_null_df <- function(df) !is.na(df) && df <= null_df

lambda_notes <- function(cv, fit) {
  last <- length(cv$lambda)
  if (last == 1) return(character())
  df <- fit$along$df
  if (is.null(df)) df <- rep(NA_real_, last)
  i <- cv$index[, "Lambda"]
  null <- i[["1se"]] == 1 && is_null_df(df[1])
  c(if (i[["min"]] == 1) note_largest(df[1], cv, fit)
    else c(if (i[["min"]] == last) note_smallest(df[last], cv, fit$rank),
           if (i[["1se"]] == 1) note_1se(df[1], cv)),
    # It sees on which side predictions lie, and not how far.
    if (identical(measures[[names(cv$name)]]$loss, "class") && (null || has_rare_class(cv$fit))) {
      paste0("Misclassification sees little of rare classes: type.measure = \"mse\"",
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
at_end <- function(which, end, df, digits = 2) {
  sprintf("lambda.%s is the %s lambda of the grid%s", which, end,
          if (is.na(df)) "" else sprintf(" (df %s)", format(df, digits = digits)))
}

# Whether the measure sees the order of predictions only, which the null model does not have.
of_order <- function(cv) identical(measures[[names(cv$name)]]$set, concordance)

note_largest <- function(df, cv, fit) {
  where <- at_end("min", "largest", df)
  if (!is_null_df(df)) {
    c(paste0(where, ": larger values may do better."),
      paste0("Give `lambda` a grid that reaches further up",
             if (isTRUE(fit$null_model)) ", to `Inf`, the null model", "."))
  } else if (of_order(cv)) {
    c(paste0(where, ": nothing orders the rows better"),
      "than this limit, and still larger values no longer change the order.")
  } else {
    c(paste0(where, ": the null model is as good"),
      "as any. No effect of the features on the response shows with this kernel.")
  }
}

note_1se <- function(df, cv) {
  where <- at_end("1se", "largest", df)
  if (!is_null_df(df)) {
    c(paste0(where, ": larger values may be within one"),
      "standard error too. Give `lambda` a grid that reaches further up to find out.")
  } else if (of_order(cv)) {
    c(paste0(where, ": still larger values no longer"),
      "change the order of the predictions, which is what is measured.")
  } else {
    c(paste0(where, ": the null model is within one"),
      if (is_paired(cv$rule)) {
        paste("standard error of the best, by paired differences.",
              "What lambda.min gains over it may be chance.")
      } else "standard error of the best. rule = \"paired\" compares both row by row.")
  }
}

# Nothing is said where nothing is to be gained.
note_smallest <- function(df, cv, rank) {
  if (is_perfect(cv)) return(character())
  if (isTRUE(cv$fit$shift_df[length(cv$lambda)] > 0.99 * shift_limit)) {
    return(c(paste0(at_end("min", "smallest", df, 3), ": below, the jitter"),
             "begins to count. Smaller values need a smaller `jitter`."))
  }
  falls <- still_falls(cv)
  if (is.na(df) || df <= 0.95 * rank || falls) {
    return(c(paste0(at_end("min", "smallest", df, 3), ": smaller values may do better."),
             paste0(if (falls) "The error still falls there: give" else "Give",
                    " `lambda` a grid that reaches further down.")))
  }
  if (spans_features(cv$fit, rank)) return(character())
  c(sprintf("%s (df %s of %d): smaller values would change", at_end("min", "smallest", NA),
            format(df, digits = 3), rank),
    if (is_single_width(cv)) {
      c(paste("little. One width of the kernel was tried:",
              "`gamma = width_multiples(2^(-4:4))` tries nine."),
        "More basis vectors may help, too.")
    } else {
      "little. A richer model may do better: more basis vectors, features, another kernel."
    })
}

# No error is left.
is_perfect <- function(cv) {
  least <- cv$cvm[cv$index[["min", "Lambda"]]]
  if (isTRUE(measures[[names(cv$name)]]$maximize)) least >= 1
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
    rank == (if (is.null(kernel$features)) fit$blueprint$p else length(kernel$features))
}

is_single_width <- function(cv) {
  kernel <- cv$kernel
  inherits(kernel, "sparserls_kernel") && sees_distances(kernel) && !has_widths(kernel) &&
    !has_map(kernel) && length(unique(rivals_of_best(cv))) == 1
}
