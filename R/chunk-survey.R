# The first pass over chunks: what has to be known of all rows before any sum can be made. Levels of
# factors and classes, means and scales of columns, and a random sample of rows, from which the
# basis is chosen. The sample is the rows with the smallest hashed numbers: uniform, without
# replacement, and the same whatever the order in which chunks are seen.

# run: of chunk_run().
survey_chunks <- function(run) {
  frame <- run$frame
  count <- chunk_count(frame$source)
  first <- data_frame_of(frame, run$head)
  note_odd_columns(first, term_variables(predictor_terms(frame$terms)))
  found <- if (any(vapply(first, has_levels, NA)) || length(factor_columns(frame, run$head))) {
    map_chunks(count, level_work, list(frame = frame), combine_levels, pass(run, "levels"))
  }
  if (isTRUE(found$used == 0)) stop_no_rows()
  frame <- with_levels(frame, found, run$head)
  found <- map_chunks(count, survey_work, list(frame = frame, reservoir = run$reservoir),
                      combine_surveys, pass(run, "survey"))
  check_survey(found, frame)
  # Classes of the variables by rows from all chunks: in the first one all may be missing.
  variables <- data_frame_of(frame, found$sample$data)[term_variables(frame$blueprint$terms)]
  attr(frame$blueprint$terms, "dataClasses") <- vapply(variables, .MFclass, "")
  new_survey(frame, found)
}

# ---- levels ---------------------------------------------------------------------------------

# Columns that are factors, of those in the formula or in `subset`.
factor_columns <- function(frame, data) {
  used <- c(all.vars(frame$terms), all.vars(frame$subset))
  Filter(is.factor, data[names(data) %in% used])
}

# For every variable with levels, and for columns that are factors, whether or not they are
# variables: `all`, those of a factor, and `seen`, those that occur.
level_work <- function(payload, i) {
  frame <- payload$frame
  data <- read_chunk(frame$source, i, frame$columns)
  found <- data_frame_of(frame, data)
  levels_of <- function(x) {
    x <- as.factor(x)
    list(all = levels(x), seen = levels(droplevels(x)), ordered = is.ordered(x))
  }
  list(used = nrow(found), levels = lapply(Filter(has_levels, found), levels_of),
       columns = lapply(factor_columns(frame, data), levels_of))
}

combine_levels <- function(a, b) {
  merged <- function(a, b) {
    names <- union(names(a), names(b))
    setNames(Map(merge_levels, a[names], b[names]), names)
  }
  list(used = a$used + b$used, levels = merged(a$levels, b$levels),
       columns = merged(a$columns, b$columns))
}

# Factors that have the same levels in all chunks keep their order; of others, which were made chunk
# by chunk of characters, all are sorted; and otherwise they stand as they come. For ordered
# factors, some chunk must have all levels.
merge_levels <- function(a, b) {
  if (is.null(a) || is.null(b)) return(c(a, b))
  ordered <- a$ordered || b$ordered
  all <- if (ordered) merge_ordered(a$all, b$all) else merge_unordered(a$all, b$all)
  list(all = all, seen = all[all %in% c(a$seen, b$seen)], ordered = ordered)
}

merge_unordered <- function(a, b) {
  if (identical(a, b)) return(a)
  all <- union(a, b)
  if (isFALSE(is.unsorted(a)) && isFALSE(is.unsorted(b))) sort(all) else all
}

merge_ordered <- function(a, b) {
  longer <- if (length(a) < length(b)) b else a
  must(identical(longer[longer %in% a], a) && identical(longer[longer %in% b], b), "chunks",
       "An ordered factor has its levels in another order in another chunk.",
       c(quoted(a), quoted(b)), "Give it the same levels in every chunk.")
  longer
}

# The frame with xlevels, response and blueprint. found: of combine_levels().
with_levels <- function(frame, found, head) {
  seen <- lapply(found$levels, `[[`, "seen")
  known <- lapply(found$levels, function(levels) {
    if (frame$indicators && levels$ordered) levels$all else levels$seen
  })
  frame$column_levels <- lapply(found$columns, `[[`, "all")
  data <- data_frame_of(frame, head)
  frame$response <- response_of(data[[1]], seen[[names(data)[1]]])
  predictors <- predictor_terms(frame$terms)
  variables <- data[term_variables(predictors)]
  frame$xlevels <- known[intersect(names(known), names(variables))]
  variables <- with_seen_levels(variables, frame$xlevels)
  predictors <- varying_terms(predictors, names(variables) %in% names(seen)[lengths(seen) < 2])
  # As model.frame() would have them.
  variables <- structure(as.data.frame(variables, optional = TRUE), terms = predictors)
  frame$blueprint <- terms_blueprint(predictors, variables, names(head), frame$indicators)
  frame
}

# y: of the first chunk; levels: of all.
response_of <- function(y, levels) {
  check_response_class(y)
  if (has_classes(y)) {
    if (is.logical(y)) levels <- c("FALSE", "TRUE")
    must(length(levels) > 1, "y", "`y` has a single class.", quoted(levels))
    return(class_fields(levels, is.logical(y)))
  }
  list(type = "numeric", y = matrix(0, 0, NCOL(y)), outputs = if (is.matrix(y)) colnames(y))
}

# ---- moments and the sample --------------------------------------------------------------------

survey_work <- function(payload, i) {
  frame <- payload$frame
  rows <- chunk_rows(frame, i)
  check_scale(rows$y, "y")
  check_scale(rows$weights, "weights")
  list(
    trained = as.double(sum(rows$weights > 0)),
    ranges = column_ranges(rows$x, rows$weights > 0),
    x = moments(rows$x, rows$weights), y = moments(rows$y, rows$weights),
    sample = sample_rows(frame, rows, payload$reservoir),
    foldid = unique(rows$foldid), groups = list(unique(rows$group)), each = list(chunk_mark(rows))
  )
}

# The `size` rows of a chunk with the smallest numbers: their data, and where they stand.
sample_rows <- function(frame, rows, size) {
  draws <- row_draws(frame, rows, draw_purpose$sample)
  taken <- head(order(draws), size)
  list(size = size, data = rows_at(rows$data, rows$rows[taken]),
       position = data.frame(draw = draws[taken], chunk = rep(rows$chunk, length(taken)),
                             row = rows$rows[taken]))
}

# Factors of two chunks may have different levels.
combine_samples <- function(a, b) {
  position <- rbind(a$position, b$position)
  taken <- head(order(position$draw), a$size)
  rownames(a$data) <- rownames(b$data) <- NULL
  list(size = a$size, data = rows_at(rbind(a$data, b$data), taken),
       position = position[taken, ])
}

# Identifies a chunk.
chunk_mark <- function(rows) {
  c(rows = length(rows$rows), supplied = nrow(rows$data), x = sum(rows$x), y = sum(rows$y),
    weights = sum(rows$weights))
}

# Weighted: their sum and, where it is positive, means and standard deviations (divisor the sum of
# weights).
moments <- function(x, weights) {
  if (sum(weights) == 0) return(list(w = 0))
  found <- column_moments(x, weights)
  list(w = sum(weights), mean = unname(found$centre), sd = unname(found$sd))
}

# Two sets of rows as one (Chan, Golub and LeVeque 1979): the variance is the mean of theirs and
# that of the two means.
combine_moments <- function(a, b) {
  if (a$w == 0) return(b)
  if (b$w == 0) return(a)
  share <- b$w / (a$w + b$w)
  apart <- b$mean - a$mean
  variance <- (1 - share) * a$sd^2 + share * b$sd^2 + share * (1 - share) * apart^2
  list(w = a$w + b$w, mean = a$mean + apart * share, sd = sqrt(variance))
}

combine_surveys <- function(a, b) {
  list(trained = a$trained + b$trained,
       ranges = rbind(pmin(a$ranges[1, ], b$ranges[1, ]), pmax(a$ranges[2, ], b$ranges[2, ])),
       x = combine_moments(a$x, b$x), y = combine_moments(a$y, b$y),
       sample = combine_samples(a$sample, b$sample), foldid = union(a$foldid, b$foldid),
       groups = c(a$groups, b$groups), each = c(a$each, b$each))
}

# What no chunk can see.
check_survey <- function(found, frame) {
  if (!nrow(found$sample$data)) stop_no_rows()
  must(found$y$w > 0, "weights", "All `weights` are zero.")
  check_scale(`colnames<-`(found$ranges, frame$blueprint$columns), "x")
  check_varying(found$y$sd == 0, if (is_class(frame$response)) "`y` has a single class.")
}

new_survey <- function(frame, found) {
  totals <- Reduce(`+`, found$each)
  structure(list(
    nobs = totals[["rows"]], supplied = totals[["supplied"]], trained = found$trained,
    weight = found$x$w,
    columns = data.frame(mean = found$x$mean, sd = found$x$sd,
                         row.names = frame$blueprint$columns),
    ranges = found$ranges, y = found$y, response = frame$response, levels = frame$xlevels,
    foldid = sort_labels(found$foldid), groups = found$groups, each = found$each,
    sample = found$sample$data, position = found$sample$position, frame = frame
  ), class = "chunks_survey")
}

# Numbers among all rows as supplied.
row_numbers <- function(survey, position) {
  before <- c(0, cumsum(joined(survey$each, "supplied")))
  before[position$chunk] + position$row
}

# Integers, as nrow() has it, where they are.
as_count <- function(x) if (max(x) <= .Machine$integer.max) as.integer(x) else x

# Numbers by size, others as text.
sort_labels <- function(labels) {
  numbers <- suppressWarnings(as.numeric(labels))
  if (anyNA(numbers)) sort(labels) else labels[order(numbers)]
}

#' @export
print.chunks_survey <- function(x, ...) {
  cat(sprintf("%.0f rows in %d chunks (%.0f read), %d columns of x\n", x$nobs, length(x$each),
              x$supplied, nrow(x$columns)))
  said <- describe_response(x$response)
  if (length(said)) cat(said, sep = "\n")
  cat(sprintf("%s: levels %s\n", names(x$levels), vapply(x$levels, enumerate, "")), sep = "")
  cat(sprintf("a random sample of %d rows in `sample`\n", nrow(x$sample)))
  print(head(x$columns, 10), ...)
  if (nrow(x$columns) > 10) cat(sprintf("... %d columns in all\n", nrow(x$columns)))
  invisible(x)
}
