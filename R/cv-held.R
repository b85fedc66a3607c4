# What was predicted while it was held out, its errors, and what is chosen from them. Kinds, each
# with its errors():
#   rows    one prediction for every held row; a row occurs once for each fold that scores it
#   pairs   leave-pair-out: how many pairs of rows are in order, counted by row
# (Rows in chunks have two more, chunk-held.R.)

# Errors over the points of the path, cvm and cvsd.
errors <- function(held, problem) UseMethod("errors")

# The same of their differences from the error at the point `from`, on the same rows.
differences <- function(held, problem, from) UseMethod("differences")

# row, fold: of all held rows; scores: held rows x outputs x points of the path.
# Further fields, for every held row:
#   cluster   what counts once in the standard error: its group, or else its fold; NULL: rows do
#   pair      what counts once in that of differences: its group, or else its row
#   turn      the repeat it belongs to, NULL without repeats
held_rows <- function(folds, row, fold, scores) {
  group <- if (!is.null(folds$groups)) as.integer(folds$groups)[row]
  # Several folds of three rows or more on average have errors of their own.
  count <- length(unique(fold))
  cluster <- group %||% if (count > 1 && length(row) >= 3 * count) fold
  structure(list(row = row, fold = fold, cluster = cluster,
                 pair = group %||% row, turn = folds$turn[fold],
                 scores = scores),
            class = "held_rows")
}

# The scored rows of a plan with their predictions.
held_by_plan <- function(folds, plan, scores) {
  scored <- plan$scored
  if (!all(scored)) scores <- scores[scored, , , drop = FALSE]
  held_rows(folds, plan$rows[scored], plan$fold[scored], scores)
}

errors.held_rows <- function(held, problem) over_turns(held, problem, cv_error)

differences.held_rows <- function(held, problem, from) {
  over_turns(held, problem, function(held, problem) {
    if (!is.null(problem$validation$measure$set)) set_difference(held, problem, from)
    else weighted_difference(loss_units(held, problem), from)
  })
}

# With repeats the standard error is the average of theirs: they see the same rows and are not
# independent evidence. The same holds for the error itself where the measure is not a mean over
# rows.
over_turns <- function(held, problem, error) {
  if (is.null(held$turn)) return(error(held, problem))
  turns <- lapply(split(seq_along(held$row), held$turn), function(i) {
    error(some_rows(held, i), problem)
  })
  table <- function(name) joined(turns, name, rbind)
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
  sums <- rowsum(matrix(held$scores, shape[1]), held$row)
  rows <- as.integer(rownames(sums))
  means <- matrix(NA_real_, m, ncol(sums))
  means[rows, ] <- sums / tabulate(held$row, m)[rows]
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
  by_row <- moves$by_row / each_row(moves$total, moves$by_row)
  list(cvm = moves$share - moves$share[from], cvsd = sqrt(colSums((by_row - by_row[, from])^2)))
}

pair_moves <- function(held) {
  total <- colSums(held$pairs)
  must(all(total > 0), "y",
       "No two rows of positive weight differ in `y`: there is no pair to order.")
  share <- colSums(held$concordant) / total
  list(share = share, total = total,
       by_row = 2 * (held$concordant - held$pairs * each_row(share, held$pairs)))
}

# ---- choice ---------------------------------------------------------------------------------

# What choose_point() looks at. `squared` are the errors that break ties, by the first measure of
# the table (the mean squared error, of families the deviance): NULL where they are the measure
# itself, and for leave-pair-out, which has no scores of rows.
choice_errors <- function(held, problem) {
  error <- errors(held, problem)
  if (!is.null(held$squared)) held <- held$squared
  ties <- problem$validation$measure$ties
  if (is.null(ties) || inherits(held, "held_pairs")) return(error)
  problem$validation$measure <- ties
  c(error, list(squared = errors(held, problem)$cvm))
}

# choose_point() by the rule of the problem. error: that of `held`.
chosen_points <- function(problem, path, held, error) {
  validation <- problem$validation
  choose_point(path, error, validation$measure$maximize,
               if (is_paired(validation$rule)) function(from) differences(held, problem, from))
}

# Among equals the first, as long as none has a smaller squared error. curves: of error_curve().
is_better <- function(curve, best, maximize) {
  both <- function(name) c(at_best(best, name), at_best(curve, name))
  is.null(best) || best_of(both("cvm"), maximize, both("squared")) == 2L
}

# The position of the best of several curves.
best_curve <- function(curves, maximize) {
  best <- 1L
  for (i in seq_along(curves)[-1]) if (is_better(curves[[i]], curves[[best]], maximize)) best <- i
  best
}

at_best <- function(curve, name) {
  curve[[name]][path_chosen(curve$path, curve$index)[["min"]]]
}

# ---- honest refits ----------------------------------------------------------------------------
# Every fold is left out in turn, which serves any method that can be trained.

# The refits, on the workers of the user's plan or here. A list of
#   each   what work(payload, i, drawn) answers for fold i, a list with `scores` of the rows that it
#          scores
#   held   all of these
# payload: a list with `problem` and `folds`; measured: whether work() asks the measure; draw: a
# function of payload and i, the random numbers that a worker must be given; here work() draws them
# itself (drawn is NULL).
refit_folds <- function(payload, work, what, tick, measured, draw = function(payload, i) NULL) {
  folds <- payload$folds
  count <- length(folds$folds)
  each <- if (isNamespaceLoaded("future") && goes_parallel(payload$problem, count, measured)) {
    items <- lapply(seq_len(count), function(i) list(i = i, drawn = draw(payload, i)))
    payload$work <- work
    in_parallel(items, refit_item, payload, what)
  } else {
    lapply(seq_len(count), function(i) {
      value <- work(payload, i, NULL)
      if (!is.null(tick)) tick(min(1, progress_steps / count))
      value
    })
  }
  rows <- fold_rows(folds$folds, "score")
  shape <- dim(each[[1]]$scores)[-1]
  scores <- do.call(rbind, lapply(each, function(one) matrix(one$scores, ncol = prod(shape))))
  list(each = each, held = held_rows(folds, unlist(rows), rep(seq_along(rows), lengths(rows)),
                                     array(scores, c(nrow(scores), shape))))
}

refit_item <- function(payload, item) payload$work(payload, item$i, item$drawn)

evaluate.default <- function(problem, candidate, folds, tick) {
  begun <- begin(problem, candidate)
  found <- refit_folds(list(problem = problem, candidate = candidate, folds = folds,
                            path = begun$path), evaluate_fold, "folds", tick, measured = FALSE)
  predictors <- lapply(found$each, `[[`, "predictor")
  c(begun, list(held = found$held,
                models = if (all(lengths(predictors))) predictors))
}

evaluate_fold <- function(payload, i, drawn) {
  located(sprintf("fold %d", i), {
    problem <- payload$problem
    fold <- payload$folds$folds[[i]]
    candidate <- payload$candidate
    # With `reselect` there is a candidate for each fold.
    if (length(candidate$folds)) candidate <- candidate$folds[[i]]
    rest <- without(problem, fold$omit)
    model <- train(rest, candidate, payload$path)
    list(scores = predict_rows(problem, model, fold$score),
         predictor = if (isTRUE(problem$validation$keep)) predictor(rest, model))
  })
}

begin.default <- function(problem, candidate) begun_with(train(problem, candidate))

# The list of begin() with its model; ...: further fields.
begun_with <- function(model, ...) {
  list(candidate = model$candidate, path = model$path, model = model, ...)
}
