# Held-out errors of rows in chunks. Kinds of `held` (cv-held.R):
#   held_sums   the mean loss of every fold: value (folds x lambdas) and weight
#   held_units  sums over groups or rows that were left out one by one: weight, and weight times
#               loss and squared loss (lambdas); count
# Where the measure is not the squared error, both also have a field `squared`, the same for squared
# errors, of which only the mean is used. The squared error of folds needs no second look at the
# rows; everything else does.

# sum: of weighted losses, folds x lambdas; weight: of every fold.
held_sums <- function(sum, weight, ...) {
  structure(list(value = sum / ifelse(weight > 0, weight, 1), weight = weight, ...),
            class = "held_sums")
}

errors.held_sums <- function(held, problem) {
  used <- held$weight > 0
  if (!any(used)) {
    if (problem$mode %in% c("keep_loss", "skip")) stop_unscored(problem$mode)
    abort("folds", "The folds hold only rows of weight zero: nothing is scored.")
  }
  rooted_error(.Call(ffi_weighted_error, rows_at(held$value, used), held$weight[used]),
               problem$validation$measure)
}

# Sums over chunks have no rows: the units are folds.
differences.held_sums <- function(held, problem, from) {
  used <- held$weight > 0
  weighted_difference(list(value = rows_at(held$value, used), weight = held$weight[used]),
                      from)
}

errors.held_units <- function(held, problem) {
  mean <- held$loss / held$weight
  spread <- pmax(held$square / held$weight - mean^2, 0)
  rooted_error(list(cvm = mean, cvsd = sqrt(spread / (held$count - 1))),
               problem$validation$measure)
}

# ---- folds -------------------------------------------------------------------------------------

leave_sums_out <- function(problem, model, folds) {
  cell <- model$candidate$cell
  plan <- member_plan(problem, cell, length(folds$folds))
  # About the provisional centres, as the sums are.
  training <- replace(model$training, c("z", "y", "z_mean", "y_mean"),
                      list(cell$members$z, cell$members$y, cell$coordinates$centre,
                           problem_centre(problem)))
  found <- .Call(ffi_leave_sums_out, training, model$path$lambda, plan, cell$table)
  stop_status(found$status, sprintf("fold %d", found$fold))
  own <- split(cell$members$weights[plan$scores], factor(plan$within, seq_along(plan$scored)))
  weight <- cell$table$w + vapply(own, sum, 0, USE.NAMES = FALSE)
  # In coordinates about the provisional centres: b (n x (outputs lambdas folds)), offset ((outputs
  # lambdas) x folds), which includes y's centre.
  lambdas <- length(model$path$lambda)
  refits <- list(b = found$b, offset = found$offset + rep(training$y_mean, lambdas))
  # Errors are (outputs lambdas) x folds.
  sums <- colSums(array(found$errors, c(length(training$y_mean), lambdas, length(weight))))
  held <- held_sums(t(sums), weight, null = null_squares(problem, cell))
  if (!identical(problem$validation$measure$loss, "squared")) {
    held <- replace(score_chunks(problem, cell, plan, refits, folds), "squared", list(held))
  }
  list(held = held, refits = c(refits, list(cell = cell, plan = plan)))
}

# The mean squared error, in every fold, of the mean of the rows of other folds; NULL for several
# outputs, for classes, and where not all rows are scored.
null_squares <- function(problem, cell) {
  members <- cell$members
  table <- cell$table
  other <- is_class(problem$design$response) || problem$mode %in% c("keep_loss", "skip")
  if (other || ncol(members$y) > 1) return(NULL)
  sums <- vapply(seq_along(table$w), function(f) {
    w <- members$weights * (members$fold == f)
    c(table$w[f] + sum(w), table$wy[f] + sum(w * members$y), table$yy[f] + sum(w * members$y^2))
  }, numeric(3))
  mean <- (sum(sums[2, ]) - sums[2, ]) / (sum(sums[1, ]) - sums[1, ])
  (sums[3, ] - 2 * mean * sums[2, ]) / sums[1, ] + mean^2
}

# The plan of fold_plan() for folds that are known by their members of the basis alone, as
# src/sums_cv.c reads it; `scores`, `places`, `within`: members that count, whose z predicts
# them, and their folds.
member_plan <- function(problem, cell, count) {
  members <- cell$members
  inside <- lapply(seq_len(count), function(f) which(members$fold == f))
  plan <- fold_plan(whole_folds(inside), seq_along(cell$part$basis), problem$mode, members$weights,
                    member_redundant(cell), all = FALSE, unused = TRUE)
  place <- if (is.null(plan$answer)) plan$leave else plan$leave[plan$answer]
  scored <- plan$scored
  plan$scored <- tabulate(plan$fold[scored], count)
  c(plan, list(scores = plan$rows[scored], places = place[scored], within = plan$fold[scored]))
}

# The dropped members, who come after the kept ones.
member_redundant <- function(cell) {
  twin_of <- cell$part$redundant$twin_of
  list(rows = length(cell$part$basis) + seq_along(twin_of), twin_of = twin_of)
}

# ---- losses of rows ---------------------------------------------------------------------------

# The mean loss of every fold by another look at the rows.
score_chunks <- function(problem, cell, plan, refits, folds) {
  loss <- problem$validation$measure[c("loss", "rows")]
  cells <- list(cell)
  payload <- chunk_payload(problem, folds, cells, refits = refits, loss = loss)
  sums <- over_chunks(problem, score_work, payload, "scores", cells)
  own <- member_losses(problem, cell, plan, refits, loss)
  held_sums(sums$sum + own$sum, sums$weight + own$weight)
}

score_work <- function(payload, i) {
  rows <- known_rows(payload, i)
  scores <- fold_scores_of(payload, rows)
  fold_losses(payload$loss, rows$y, scores$values, rows$weights, rows$fold, scores$used,
              length(payload$folds$folds))
}

# Held-out predictions of the rows of a chunk that are no members: `values` (rows x (outputs
# lambdas)) of the rows `used`.
fold_scores_of <- function(payload, rows) {
  others <- other_rows(payload, payload$cells[[1]], rows)
  found <- computed(.Call(
    ffi_chunk_scores, others$coordinates, others$counts, payload$refits$b, payload$refits$offset,
    payload$threads
  ))
  list(used = others$used, values = found$scores + offset_of(rows$offset, others$used))
}

# Sums of weighted losses, folds x lambdas, and of weights. scores: of the rows `used`; loss: `loss`
# or `rows` of a measure (cv-measures.R).
fold_losses <- function(loss, y, scores, weights, fold, used, count) {
  lambdas <- ncol(scores) / ncol(y)
  if (!length(used)) return(list(sum = matrix(0, count, lambdas), weight = numeric(count)))
  if (is.null(loss$rows)) {
    return(.Call(ffi_loss_sums, loss$loss, used, y, scores, weights[used], fold[used], count))
  }
  values <- loss$rows(list(y = y), used, array(scores, c(length(used), ncol(y), lambdas)))
  of_folds <- outer(seq_len(count), fold[used], "==")
  list(sum = of_folds %*% (weights[used] * values), weight = drop(of_folds %*% weights[used]))
}

# The same of the members.
member_losses <- function(problem, cell, plan, refits, loss) {
  members <- cell$members
  y <- members$y + each_row(problem_centre(problem), members$y)
  fold_losses(loss, rows_at(y, plan$scores), member_scores(members, plan, refits),
              members$weights[plan$scores], plan$within, seq_along(plan$within),
              length(plan$scored))
}

member_scores <- function(members, plan, refits) {
  columns <- nrow(refits$offset)
  scores <- matrix(0, length(plan$within), columns)
  for (f in unique(plan$within)) {
    inside <- plan$within == f
    b <- columns_at(refits$b, (f - 1) * columns + seq_len(columns))
    z <- columns_at(members$z, plan$places[inside])
    scores[inside, ] <- crossprod(z, b) + rep(refits$offset[, f], each = sum(inside))
  }
  scores + members$offset[plan$scores]
}

# ---- each group, or row --------------------------------------------------------------------------

# Leaving out every group, or every row, that lies within one chunk: a second pass, in which each
# chunk finishes its own by the hold-out shortcut. A fold's own rows and the members of the basis
# are at hand; all other rows are in the sums of the first pass.

leave_each_out <- function(problem, model, folds) {
  cell <- model$candidate$cell
  cells <- list(cell)
  payload <- chunk_payload(problem, folds, cells, training = model$training,
                           lambda = model$path$lambda, basis = seq_along(cell$part$basis),
                           redundant = member_redundant(cell), mode = problem$mode,
                           loss = problem$validation$measure$loss)
  sums <- over_chunks(problem, each_work, payload, "each", cells)
  if (sums$count == 0 && problem$mode %in% c("keep_loss", "skip")) stop_unscored(problem$mode)
  must(sums$count > 1, "folds", "There must be at least two groups to leave one out.")
  held <- structure(sums[c("weight", "loss", "square", "count")], class = "held_units")
  if (payload$loss != "squared") held$squared <- replace(held, "loss", sums["squared"])
  list(held = held, refits = list(payload = payload))
}

each_work <- function(payload, i) {
  held <- held_out_of_chunk(payload, known_rows(payload, i))
  if (!length(held$cluster)) return(list(weight = 0, loss = 0, square = 0, count = 0, squared = 0))
  sums_of <- function(loss) {
    .Call(ffi_loss_sums, loss, held$row, held$y, held$scores, held$weights[held$row], held$cluster,
          max(held$cluster))
  }
  sums <- sums_of(payload$loss)
  used <- sums$weight > 0
  weight <- sums$weight[used]
  mean <- rows_at(sums$sum, used) / weight
  list(weight = sum(weight), loss = colSums(weight * mean),
       square = colSums(weight * mean^2), count = sum(used),
       squared = if (payload$loss == "squared") 0 else colSums(sums_of("squared")$sum))
}

# Held-out predictions of the rows of a chunk. Rows are the members of the basis and then the others
# of the chunk: `at`, their places in the chunk (NA: elsewhere), y, weights; scored are `row` with
# `scores` (rows x outputs x lambdas) in `cluster`.
held_out_of_chunk <- function(payload, rows) {
  local <- local_training(payload, rows)
  # What every row is left out with: the group, or the row itself; NA: nothing.
  label <- if (is.null(payload$frame$groups)) local$at else rows$group[local$at]
  folds <- whole_folds(unname(split(seq_along(label), label)))
  plan <- fold_plan(folds, payload$basis, payload$mode, local$training$weights, payload$redundant,
                    all = FALSE)
  scores <- array(0, c(length(plan$scored), ncol(local$training$y), length(payload$lambda)))
  if (any(plan$scored)) {
    scores <- hold_out(local$training, plan, payload$lambda)
  }
  y <- local$training$y + each_row(payload$training$y_mean, local$training$y)
  list(at = local$at, y = y, weights = local$training$weights, row = plan$rows[plan$scored],
       cluster = plan$fold[plan$scored], scores = scores[plan$scored, , , drop = FALSE],
       label = label)
}

# The training list with the members and the other rows of a chunk, in the coordinates of the
# eigenvectors.
local_training <- function(payload, rows) {
  training <- payload$training
  cell <- payload$cells[[1]]
  cell$coordinates$centre <- training$z_mean
  others <- other_rows(payload, cell, rows)
  used <- others$used
  found <- computed(.Call(ffi_chunk_z, others$coordinates, length(used), payload$threads))
  y <- rows_at(rows$y, used) - rep(training$y_mean, each = length(used))
  training$z <- cbind(training$z, found$z)
  training$y <- rbind(training$y, unname(y))
  training$weights <- c(training$weights, rows$weights[used])
  training$partial <- TRUE
  here <- ifelse(cell$members$chunk == rows$chunk, match(cell$members$row, rows$rows), NA)
  list(training = turned(training), at = c(here, used))
}
