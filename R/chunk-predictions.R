# Held-out predictions that are written, chunk by chunk, where the user says (keep = "folder").

# One file for each chunk, "held-out-000001.rds": a list of
#   row         numbers of rows in their chunk; `key` and `group` where there are such columns
#   fold        that they were held out with; NULL where each group or row was
#   y, weights
#   prediction  rows x outputs x (lambda.min, lambda.1se); rows that are not scored are left out
#
# The fields that a cross-validation gains: `predictions`, the files; and, of folds of rows,
# `refits` for prediction intervals, which see the sizes of residuals (rounded_residuals()) instead
# of the residuals of cv-refits.R.
write_held_out <- function(problem, cv, folder) {
  payload <- prediction_payload(problem, cv)
  payload$folder <- usable_folder(folder, "argument", "keep")
  written <- over_chunks(problem, write_work, payload, "predictions", combine = combine_written)
  list(predictions = written$files,
       refits = if (!is.null(payload$refits)) chunk_refits(problem, cv, written$residuals))
}

combine_written <- function(a, b) {
  list(files = c(a$files, b$files),
       residuals = add_counts(rbind(a$residuals, b$residuals)))
}

# In the form of cv-refits.R, of several outputs too.
chunk_refits <- function(problem, cv, residuals) {
  if (is.null(residuals) || is_class(cv$fit$response) || !is.null(problem$family)) return(NULL)
  kept <- cv$fit$held_out
  at <- unique(unname(kept$at[c("min", "1se")]))
  v <- length(problem$survey$y$mean)
  some <- some_points(kept, at, v)
  alpha <- if (is.null(kept$cell$cholesky)) some$b
           else backsolve(kept$cell$cholesky, some$b, upper.tri = FALSE, transpose = TRUE)
  a0 <- as.vector(some$offset) - as.vector(crossprod(some$b, kept$cell$coordinates$centre))
  list(at = cv$lambda[at], residuals = residuals,
       expansion = list(alpha = array(alpha, c(nrow(alpha), v, ncol(alpha) / v)),
                        a0 = matrix(a0, v)))
}

# ---- files -------------------------------------------------------------------------------------

# What workers need to predict the rows of a chunk at lambda.min and lambda.1se.
prediction_payload <- function(problem, cv) {
  kept <- cv$fit$held_out
  at <- unname(kept$at[c("min", "1se")])
  if (!is.null(kept$payload)) {
    payload <- kept$payload
    payload$lambda <- cv$lambda[unique(at)]
    return(c(payload, list(columns = match(at, unique(at)))))
  }
  refits <- some_points(kept, at, length(problem$survey$y$mean))
  members <- kept$cell$members
  plan <- kept$plan
  chunk_payload(problem, problem$validation$folds, list(kept$cell), refits = refits,
                members = list(chunk = members$chunk[plan$scores], row = members$row[plan$scores],
                               scores = member_scores(members, plan, refits)))
}

# Refits at some points of the path.
some_points <- function(refits, at, v) {
  n <- nrow(refits$b)
  c <- nrow(refits$offset) / v
  count <- ncol(refits$offset)
  b <- array(refits$b, c(n, v, c, count))[, , at, , drop = FALSE]
  offset <- array(refits$offset, c(v, c, count))[, at, , drop = FALSE]
  list(b = matrix(b, n), offset = matrix(offset, v * length(at)))
}

write_work <- function(payload, i) {
  rows <- known_rows(payload, i)
  found <- if (is.null(payload$refits)) each_predictions(payload, rows)
           else fold_predictions(payload, rows)
  order <- order(found$at)
  at <- found$at[order]
  v <- ncol(rows$y)
  held <- list(
    row = rows$rows[at], key = if (!is.null(payload$frame$source$key)) rows$key[at],
    group = rows$group[at], fold = found$fold[order], y = rows_at(rows$y, at),
    weights = rows$weights[at],
    prediction = array(found$scores[order, ], c(length(at), v, 2),
                       list(NULL, payload$frame$response$outputs, c("lambda.min", "lambda.1se")))
  )
  file <- file.path(payload$folder, sprintf("held-out-%06d.rds", i))
  write_whole(held, file, "keep", "Held-out predictions could not be written.")
  list(files = file, residuals = rounded_residuals(held$y, held$fold, held$weights,
                                                   held$prediction, !is.null(held$group)))
}

each_predictions <- function(payload, rows) {
  held <- held_out_of_chunk(payload, rows)
  scores <- held$scores[, , payload$columns, drop = FALSE]
  list(at = held$at[held$row], fold = NULL, scores = matrix(scores, length(held$row)))
}

fold_predictions <- function(payload, rows) {
  others <- fold_scores_of(payload, rows)
  here <- which(payload$members$chunk == rows$chunk)
  at <- c(match(payload$members$row[here], rows$rows), others$used)
  list(at = at, fold = rows$fold[at],
       scores = rbind(rows_at(payload$members$scores, here), others$values))
}

# ---- residuals -----------------------------------------------------------------------------------
# Held-out residuals of rows in chunks, counted by their sizes, for prediction intervals.

# How many rows of positive weight of each fold have a residual of about that size: a matrix with
# the columns bin, fold, output, point (of lambda.min, lambda.1se) and count. NULL where folds hold
# groups, whose rows would have to share a vote.
rounded_residuals <- function(y, fold, weights, prediction, grouped) {
  if (grouped || is.null(fold)) return(NULL)
  used <- weights > 0
  size <- abs(prediction[used, , , drop = FALSE] - as.vector(y[used, ]))
  bin <- ceiling(log(pmax(size, .Machine$double.xmin)) / log(residual_step))
  at <- arrayInd(seq_along(size), dim(size))
  add_counts(cbind(bin = as.vector(bin), fold = fold[used][at[, 1]], output = at[, 2],
                   point = at[, 3], count = rep(1, length(size))))
}

add_counts <- function(table) {
  if (NROW(table)) {
    as.matrix(aggregate(count ~ bin + fold + output + point, as.data.frame(table), sum))
  } else table
}
