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
  leveled <- any(vapply(first[setdiff(names(first), "(rows)")], has_levels, NA)) ||
    length(factor_columns(frame, run$head)) > 0
  found <- if (leveled) {
    map_chunks(count, level_work, list(frame = frame), combine_levels, pass(run, "levels"))
  }
  if (!is.null(found) && found$used == 0) stop_no_rows()
  frame <- with_levels(frame, found, run$head)
  found <- map_chunks(count, survey_work, list(frame = frame, reservoir = run$reservoir),
                      combine_surveys, pass(run, "survey"))
  check_survey(found, frame)
  # Classes of the variables by rows from all chunks: in the first one all may be missing.
  variables <- data_frame_of(frame, found$sample$data)[term_variables(frame$blueprint$terms)]
  attr(frame$blueprint$terms, "dataClasses") <- vapply(variables, stats::.MFclass, "")
  new_survey(frame, found)
}

# ---- levels ---------------------------------------------------------------------------------

# Columns that are factors, of those in the formula or in `subset`.
factor_columns <- function(frame, data) {
  used <- c(all.vars(frame$terms), all.vars(frame$subset))
  Filter(is.factor, data[intersect(names(data), used)])
}

# For every variable with levels: `all`, those of a factor, and `seen`, those that occur. And the
# levels of columns, whether or not they are variables.
level_work <- function(payload, i) {
  frame <- payload$frame
  located(chunk_label(frame$source, i), {
    data <- read_chunk(frame$source, i, frame$columns)
    found <- data_frame_of(frame, data)
    levels <- lapply(Filter(has_levels, found[setdiff(names(found), "(rows)")]), function(x) {
      if (is.character(x)) x <- factor(x)
      list(all = levels(x), seen = levels(droplevels(x)), ordered = is.ordered(x))
    })
    columns <- lapply(factor_columns(frame, data), function(x) {
      list(all = levels(x), ordered = is.ordered(x))
    })
    list(used = nrow(found), levels = levels, columns = columns)
  })
}

combine_levels <- function(a, b) {
  merged <- function(what) {
    names <- union(names(a[[what]]), names(b[[what]]))
    sapply(names, function(name) merge_levels(a[[what]][[name]], b[[what]][[name]]),
           simplify = FALSE)
  }
  list(used = a$used + b$used, levels = merged("levels"), columns = merged("columns"))
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
  shorter <- if (length(a) < length(b)) a else b
  if (identical(longer[longer %in% shorter], shorter)) return(longer)
  abort("chunks", "An ordered factor has its levels in another order in another chunk.",
        c(quoted(a), quoted(b)),
        "Give it the same levels in every chunk.")
}

# The frame with xlevels, response and blueprint. found: of combine_levels().
with_levels <- function(frame, found, head) {
  seen <- lapply(found$levels, `[[`, "seen")
  known <- lapply(found$levels, function(levels) {
    if (frame$indicators && levels$ordered) levels$all else levels$seen
  })
  frame$column_levels <- lapply(found$columns, `[[`, "all")
  data <- data_frame_of(frame, head)
  name <- names(data)[1]
  frame$response <- response_of(data[[1]], seen[[name]])
  predictors <- predictor_terms(frame$terms)
  variables <- data[term_variables(predictors)]
  frame$xlevels <- known[intersect(names(known), names(variables))]
  variables <- with_seen_levels(variables, frame$xlevels)
  single <- names(variables) %in% names(seen)[lengths(seen) < 2]
  predictors <- varying_terms(predictors, single)
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
    check_named_levels(levels, "y", "y")
    if (length(levels) < 2) abort("y", "`y` has a single class.", quoted(levels))
    return(class_fields(levels, is.logical(y)))
  }
  list(type = "numeric", y = matrix(0, 0, NCOL(y)), levels = NULL,
       outputs = if (is.matrix(y)) colnames(y))
}

# ---- moments and the sample --------------------------------------------------------------------

survey_work <- function(payload, i) {
  frame <- payload$frame
  rows <- chunk_rows(frame, i)
  located(chunk_label(frame$source, i), {
    check_scale(rows$y, "y")
    check_scale(rows$weights, "weights")
  })
  list(
    rows = as.double(length(rows$rows)), trained = as.double(sum(rows$weights > 0)),
    supplied = as.double(nrow(rows$data)),
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
  list(size = size, data = rows$data[rows$rows[taken], , drop = FALSE], draw = draws[taken],
       chunk = rep(rows$chunk, length(taken)), row = rows$rows[taken])
}

# Factors of two chunks may have different levels.
combine_samples <- function(a, b) {
  draw <- c(a$draw, b$draw)
  taken <- head(order(draw), a$size)
  rownames(a$data) <- rownames(b$data) <- NULL
  list(size = a$size, data = rbind(a$data, b$data)[taken, , drop = FALSE], draw = draw[taken],
       chunk = c(a$chunk, b$chunk)[taken], row = c(a$row, b$row)[taken])
}

# Identifies a chunk.
chunk_mark <- function(rows) {
  c(rows = length(rows$rows), supplied = nrow(rows$data), x = sum(rows$x), y = sum(rows$y),
    weights = sum(rows$weights))
}

# Weighted: their sum, means, and standard deviations (divisor the sum of weights).
moments <- function(x, weights) {
  if (sum(weights) == 0) return(list(w = 0, mean = numeric(ncol(x)), sd = numeric(ncol(x))))
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
  list(rows = a$rows + b$rows, trained = a$trained + b$trained, supplied = a$supplied + b$supplied,
       ranges = rbind(pmin(a$ranges[1, ], b$ranges[1, ]), pmax(a$ranges[2, ], b$ranges[2, ])),
       x = combine_moments(a$x, b$x), y = combine_moments(a$y, b$y),
       sample = combine_samples(a$sample, b$sample), foldid = union(a$foldid, b$foldid),
       groups = c(a$groups, b$groups), each = c(a$each, b$each))
}

# What no chunk can see.
check_survey <- function(found, frame) {
  if (found$rows == 0) stop_no_rows()
  must(found$y$w > 0, "weights", "All `weights` are zero.")
  check_scale(`colnames<-`(found$ranges, frame$blueprint$columns), "x")
  constant <- which(found$y$sd == 0)
  must(!length(constant), "y",
       if (is_class(frame$response)) "`y` has a single class."
       else if (length(found$y$mean) == 1) "`y` is constant."
       else sprintf("Column %d of `y` is constant.", constant[1]), NULL,
       "There is nothing to fit.")
}

new_survey <- function(frame, found) {
  structure(list(
    nobs = found$rows, supplied = found$supplied, trained = found$trained, weight = found$x$w,
    columns = data.frame(mean = found$x$mean, sd = found$x$sd,
                         row.names = frame$blueprint$columns),
    ranges = found$ranges, y = found$y, response = frame$response, levels = frame$xlevels,
    foldid = sort_labels(found$foldid), groups = found$groups, each = found$each,
    sample = found$sample$data, position = found$sample[c("draw", "chunk", "row")], frame = frame
  ), class = "chunks_survey")
}

# Numbers among all rows as supplied.
row_numbers <- function(survey, chunk, row) {
  before <- c(0, cumsum(vapply(survey$each, `[[`, 0, "supplied")))
  before[chunk] + row
}

# Integers, as nrow() has it, where they are.
as_count <- function(x) if (max(x) <= .Machine$integer.max) as.integer(x) else x

# Numbers by size, others as text.
sort_labels <- function(labels) {
  if (is.null(labels)) return(NULL)
  numbers <- suppressWarnings(as.numeric(labels))
  if (anyNA(numbers)) sort(labels) else labels[order(numbers)]
}

#' @export
print.chunks_survey <- function(x, ...) {
  cat(sprintf("%.0f rows in %d chunks (%.0f read), %d columns of x\n", x$nobs, length(x$each),
              x$supplied, nrow(x$columns)))
  said <- describe_response(x$response)
  if (length(said)) cat(said, sep = "\n")
  for (name in names(x$levels)) {
    cat(sprintf("%s: levels %s\n", name, enumerate(x$levels[[name]])))
  }
  cat(sprintf("a random sample of %d rows in `sample`\n", nrow(x$sample)))
  print(head(x$columns, 10), ...)
  if (nrow(x$columns) > 10) cat(sprintf("... %d columns in all\n", nrow(x$columns)))
  invisible(x)
}
