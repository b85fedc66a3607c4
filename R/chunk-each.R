# Leaving out every group, or every row, that lies within one chunk: a second pass, in which each
# chunk finishes its own by the hold-out shortcut. A fold's own rows and the members of the basis
# are at hand; all other rows are in the sums of the first pass.

leave_each_out <- function(problem, model, folds) {
  cell <- model$candidate$cell
  payload <- chunk_payload(problem, folds = folds, cell = cell_payload(cell),
                           training = model$training,
                           lambda = model$path$lambda, basis = seq_along(cell$part$basis),
                           redundant = member_redundant(cell), mode = problem$mode,
                           group = cell$members$group, loss = problem$validation$measure$loss)
  sums <- over_chunks(problem, each_work, payload, "each", list(cell))
  if (sums$count == 0 && problem$mode %in% c("keep_loss", "skip")) stop_unscored(problem$mode)
  must(sums$count > 1, "folds", "There must be at least two groups to leave one out.")
  held <- structure(sums[c("weight", "loss", "square", "count")], class = "held_units")
  if (payload$loss != "squared") held$squared <- replace(held, "loss", sums["squared"])
  list(held = held, refits = list(payload = payload))
}

each_work <- function(payload, i) {
  rows <- known_rows(payload, i)
  held <- held_out_of_chunk(payload, rows)
  if (length(held$cluster) == 0) {
    return(list(rows = as.double(length(rows$rows)), weight = 0, loss = 0, square = 0, count = 0,
                squared = 0))
  }
  sums_of <- function(loss) {
    .Call(ffi_loss_sums, loss, held$row, held$y, held$scores, held$weights[held$row], held$cluster,
          max(held$cluster))
  }
  sums <- sums_of(payload$loss)
  used <- sums$weight > 0
  weight <- sums$weight[used]
  mean <- sums$sum[used, , drop = FALSE] / weight
  list(rows = as.double(length(rows$rows)), weight = sum(weight), loss = colSums(weight * mean),
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
  v <- ncol(local$training$y)
  scores <- array(0, c(length(plan$scored), v, length(payload$lambda)))
  if (any(plan$scored)) {
    scores <- located(chunk_label(payload$frame$source, rows$chunk),
                      hold_out(local$training, plan, payload$lambda))
  }
  y <- local$training$y + rep(payload$training$y_mean, each = length(label))
  list(at = local$at, y = y, weights = local$training$weights, row = plan$rows[plan$scored],
       cluster = plan$fold[plan$scored], scores = scores[plan$scored, , , drop = FALSE],
       label = label)
}

# The training list with the members and the other rows of a chunk, in the coordinates of the
# eigenvectors.
local_training <- function(payload, rows) {
  training <- payload$training
  cell <- payload$cell
  cell$coordinates$centre <- training$z_mean
  others <- other_rows(payload, cell, rows)
  used <- others$used
  found <- in_chunk(payload, rows$chunk,
                    .Call(ffi_chunk_z, others$coordinates, length(used), payload$threads))
  y <- rows$y[used, , drop = FALSE] - rep(training$y_mean, each = length(used))
  training$z <- cbind(training$z, found$z)
  training$y <- rbind(training$y, unname(y))
  training$weights <- c(training$weights, rows$weights[used])
  training$partial <- TRUE
  here <- ifelse(cell$members$chunk == rows$chunk, match(cell$members$row, rows$rows), NA)
  list(training = turned(training), at = c(here, used))
}
