# What was predicted while it was held out. Kinds, each with its errors():
#   rows    one prediction for every held row; a row occurs once for each fold that scores it
#   pairs   leave-pair-out: how many pairs of rows are in order, counted by row

# Errors over the points of the path, cvm and cvsd.
errors <- function(held, problem) UseMethod("errors")

# The same of their differences from the error at the point `from`, on the same rows.
differences <- function(held, problem, from) UseMethod("differences")

# The mean squared errors (of families the deviances) that break ties; NULL where they are the
# measure itself, and for leave-pair-out, which has no scores of rows.
squared_errors <- function(held, problem) {
  measure <- problem$validation$measure
  if (identical(measure$loss, "squared") || identical(measure$type, "deviance")) return(NULL)
  if (!is.null(held$squared)) held <- held$squared
  else if (is.null(held$scores)) return(NULL)
  problem$validation$measure <- if (is.null(measure$ties)) measures$mse else measure$ties
  errors(held, problem)$cvm
}

# row, fold: of all held rows; scores: held rows x outputs x points of the path.
# Further fields, for every held row:
#   cluster   what counts once in the standard error: its group, or else its fold; NULL: rows do
#   pair      what counts once in that of differences: its group, or else its row
#   turn      the repeat it belongs to, NULL without repeats
held_rows <- function(folds, row, fold, scores) {
  group <- if (!is.null(folds$groups)) as.integer(folds$groups)[row]
  cluster <- if (!is.null(group)) group else if (has_fold_errors(row, fold)) fold
  structure(list(row = row, fold = fold, cluster = cluster,
                 pair = if (is.null(group)) row else group, turn = folds$turn[fold],
                 scores = scores),
            class = "held_rows")
}

# Whether folds have errors of their own: there are several, and they have three rows or more on
# average.
has_fold_errors <- function(row, fold) {
  folds <- length(unique(fold))
  folds > 1 && length(row) >= 3 * folds
}

# With repeats the standard error is the average of theirs: they see the same rows and are not
# independent evidence. The same holds for the error itself where the measure is not a mean over
# rows.
errors.held_rows <- function(held, problem) over_turns(held, problem, cv_error)

differences.held_rows <- function(held, problem, from) {
  over_turns(held, problem, function(...) cv_difference(..., from))
}

over_turns <- function(held, problem, error) {
  found <- function(held) {
    error(problem$validation$measure, problem$design$response, problem$design$weights, held)
  }
  if (is.null(held$turn)) return(found(held))
  turns <- lapply(split(seq_along(held$row), held$turn), function(i) found(some_rows(held, i)))
  table <- function(name) do.call(rbind, lapply(turns, `[[`, name))
  list(cvm = colMeans(table("cvm")), cvsd = sqrt(colMeans(table("cvsd")^2)))
}

some_rows <- function(held, i) {
  of_rows <- c("row", "fold", "cluster", "pair", "turn")
  held[of_rows] <- lapply(held[of_rows], `[`, i)
  held$scores <- held$scores[i, , , drop = FALSE]
  held
}

# Predictions of every row, averaged over the folds that score it; NA where none does.
held_out_means <- function(held, problem) {
  m <- nrow(problem$design$x)
  shape <- dim(held$scores)
  means <- matrix(NA_real_, m, prod(shape[-1]))
  scores <- matrix(held$scores, shape[1])
  if (anyDuplicated(held$row)) {
    sums <- rowsum(scores, held$row)
    rows <- as.integer(rownames(sums))
    means[rows, ] <- sums / tabulate(held$row, m)[rows]
  } else {
    means[held$row, ] <- scores
  }
  means <- array(means, c(m, shape[-1]))
  rownames(means) <- problem$design$rownames
  means
}

# The share of pairs in order; row i moves it by 2 (concordant_i - share pairs_i) / sum(pairs).
# concordant, pairs: rows x lambdas, weights of the row's pairs that are in order, and of all.
errors.held_pairs <- function(held, problem) {
  moves <- pair_moves(held)
  list(cvm = moves$share, cvsd = sqrt(colSums(moves$by_row^2)) / moves$total)
}

differences.held_pairs <- function(held, problem, from) {
  moves <- pair_moves(held)
  by_row <- moves$by_row / rep(moves$total, each = nrow(moves$by_row))
  list(cvm = moves$share - moves$share[from], cvsd = sqrt(colSums((by_row - by_row[, from])^2)))
}

pair_moves <- function(held) {
  total <- colSums(held$pairs)
  if (any(total == 0)) {
    abort("y", "No two rows of positive weight differ in `y`: there is no pair to order.")
  }
  share <- colSums(held$concordant) / total
  by_row <- 2 * (held$concordant - held$pairs * rep(share, each = nrow(held$pairs)))
  list(share = share, by_row = by_row, total = total)
}

# The scored rows of a plan with their predictions.
held_by_plan <- function(folds, plan, scores) {
  scored <- plan$scored
  if (!all(scored)) scores <- scores[scored, , , drop = FALSE]
  held_rows(folds, plan$rows[scored], plan$fold[scored], scores)
}
