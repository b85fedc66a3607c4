# The rows of a chunk as the numeric core reads them: the formula of a call on the columns of one
# chunk. A `frame` is what workers need to know for that, a list of
#   source    of chunks (source.R)
#   terms     of the formula, with an environment that holds nothing
#   columns   of the chunks that are read
#   weights, foldid, groups, offset   names of columns, or NULL
#   subset    an expression, or NULL; na.action   a function
#   indicators  whether factors have one indicator for each level (design-factors.R)
#   seed      of the hashed numbers of rows
# and, once the first pass knows them (chunk-survey.R),
#   xlevels   of all variables that are factors or characters
#   column_levels  of columns that are factors
#   response  type, levels, logical and outputs, as of read_response(); y has no rows
#   blueprint of terms_blueprint()

stop_chunk_offset <- function() {
  abort("offset", "Fits to rows in chunks take no offset.", NULL,
        "Subtract it from the response; with a family they take one.")
}

# The formula's functions are those of R, stats and the search path of whoever reads the chunk: an
# environment of the user's would travel to every worker. offsets: whether there may be some.
formula_terms <- function(formula, head, offsets) {
  form <- or_failed(terms(formula, data = head), not_evaluated, topic = "formula")
  check_terms(form)
  if (length(attr(form, "offset")) && !offsets) stop_chunk_offset()
  attr(form, ".Environment") <- new.env(parent = globalenv())
  form
}

not_evaluated <- "The formula could not be evaluated."

# The model frame of some data, after `subset` and `na.action`, with the numbers of its rows as
# `(rows)`; where xlevels are known, factors have these levels.
data_frame_of <- function(frame, data) {
  check_subset(frame, data)
  data$`(rows)` <- seq_len(nrow(data))
  call <- list(quote(stats::model.frame), formula = frame$terms,
               # as.integer(a) must be the same number in all chunks.
               data = with_seen_levels(data, frame$column_levels),
               na.action = frame$na.action, rows = as.name("(rows)"), subset = frame$subset)
  call <- c(call, lapply(not_null(frame[c("weights", "offset")]), as.name))
  found <- or_failed(eval(as.call(call), attr(frame$terms, ".Environment")), not_evaluated,
                     topic = "formula")
  check_rowwise(attr(found, "terms"))
  check_columns(found[term_variables(predictor_terms(frame$terms))], "data", matrices_ok = TRUE)
  with_seen_levels(found, frame$xlevels)
}

# Numbers of rows would be those of a chunk.
check_subset <- function(frame, data) {
  chosen <- tryCatch(eval(frame$subset, data, attr(frame$terms, ".Environment")),
                     error = function(e) TRUE)
  must(is.null(frame$subset) || is.logical(chosen), "argument",
       "With rows in chunks `subset` must be TRUE or FALSE for every row.",
       sprintf("`%s`: %s", deparse1(frame$subset), shown(chosen)), "Write a condition on columns.")
}

# poly(x) and its like look at all rows.
check_rowwise <- function(form) {
  variables <- variable_calls(form)
  made <- as.list(attr(form, "predvars"))[-1]
  same <- mapply(identical, variables, made)
  must(!length(made) || all(same), "formula", "A term needs all rows, which no chunk has.",
       deparse1(variables[!same][[1]]), "Compute its columns beforehand, in the chunks.")
}

# Factors with the levels that they have in all chunks together. levels: by names of variables.
with_seen_levels <- function(data, levels) {
  for (name in intersect(names(levels), names(data))) {
    check_seen(unknown_levels(data[[name]], levels[[name]]), sprintf("`%s` has levels", name))
    data[[name]] <- factor(data[[name]], levels[[name]], exclude = NULL)
  }
  data
}

check_seen <- function(unseen, what) {
  must(!length(unseen), "chunks", paste(what, "that the first pass has not seen."),
       quoted(unseen), "Have the chunks been changed since?")
}

# What a call needs of the rows of some data: x (coded), y, weights, the offset (NULL: none), and
# `rows`, their numbers in the data.
code_rows <- function(frame, data) {
  found <- data_frame_of(frame, data)
  rows <- found$`(rows)`
  offset <- model.offset(found)
  if (!is.null(offset)) offset <- check_offset(offset, length(rows), "offset")
  list(x = blueprint_matrix(frame$blueprint, found, "data"),
       y = coded_response(frame$response, model.response(found)),
       weights = check_weights(found$`(weights)`, length(rows), all = FALSE),
       offset = offset, rows = rows)
}

# m x v. Classes are known by their names.
coded_response <- function(response, y) {
  if (response$type == "numeric") {
    values <- matrix(as.double(y), NROW(y), NCOL(y))
    must(all(is.finite(values)), "y", "`y` has values that are missing or not finite.",
         sprintf("row %d of those that are used", row(values)[!is.finite(values)][1]))
    return(values)
  }
  check_seen(setdiff(as.character(y), response$levels), "The response has classes")
  class_codes(match(as.character(y), response$levels), response$levels)
}

# ---- labels of rows -------------------------------------------------------------------------

# A chunk's rows, coded, with `chunk`, the `data` itself and what stands in its columns of labels.
chunk_rows <- function(frame, i) {
  data <- read_chunk(frame$source, i, frame$columns)
  rows <- code_rows(frame, data)
  c(rows, list(chunk = i, data = data), labels_of(frame, data, rows$rows))
}

# rows: their numbers in the data.
labels_of <- function(frame, data, rows, key = rows) {
  list(key = row_keys(frame, data, rows, key), group = row_labels_of(frame, "groups", data, rows),
       foldid = row_labels_of(frame, "foldid", data, rows))
}

row_labels_of <- function(frame, what, data, rows) {
  column <- frame[[what]]
  if (is.null(column)) return(NULL)
  labels <- data[[column]][rows]
  must(!anyNA(labels), "folds", sprintf("`%s` has missing labels.", what),
       sprintf("column `%s`, row %d of the chunk", column, rows[is.na(labels)][1]),
       "Every row must belong to a group; leave such rows out by `subset`.")
  as.character(labels)
}

# What a row is known by: its value of the column `key`, or its number in its chunk.
row_keys <- function(frame, data, rows, numbers) {
  key <- frame$source$key
  if (is.null(key)) return(as.double(numbers))
  keys <- data[[key]][rows]
  must(!anyNA(keys), "chunks", sprintf("The key `%s` has missing values.", key),
       sprintf("row %d of the chunk", rows[is.na(keys)][1]))
  if (is.numeric(keys)) as.double(keys) else as.character(keys)
}

# A number in [0, 1) for every row, by its key; without one by chunk and row. purpose: numbers for
# another purpose are others.
row_draws <- function(frame, rows, purpose) {
  seed <- frame$seed + purpose
  if (is.null(frame$source$key)) seed <- hashed(as.double(rows$chunk), seed) * 2^53
  hashed(rows$key, seed)
}

hashed <- function(labels, seed) .Call(ffi_row_hash, labels, seed)

draw_purpose <- list(sample = 0.25, folds = 0.5)

# ---- rows as a family reads them -----------------------------------------------------------------

# rows: of chunk_rows(); payload: with frame, family and perhaps `working`, see working_chunks().
family_rows <- function(rows, payload) {
  family <- payload$family
  offset <- offset_of(rows$offset, seq_along(rows$weights))
  if (is_class(payload$frame$response)) rows$y <- (rows$y + 1) / 2
  check_in_range(rows$y, family)
  if (is.null(payload$working)) rows
  else replace(rows, c("y", "weights"),
               working_rows(family, rows$y, rows$weights, offset, payload$working))
}

# That of a frame, which has no rows.
chunk_response <- function(frame, family) {
  response <- frame$response
  if (is.null(family)) return(response)
  must(!family$estimated, "family", "With rows in chunks theta is not estimated.", NULL,
       "Estimate it from a sample of the rows, and give MASS::negative.binomial(theta).")
  must(ncol(response$y) == 1, "family", "With a family rows in chunks have a single output.",
       sprintf("%d outputs", ncol(response$y)),
       paste("Fit each class against the others. In place of cbind(successes, failures) give",
             "the share, with the trials as `weights`."))
  if (is_class(response)) zero_one(response) else response
}

# The field `offset` of designs and fits (design-offset.R).
chunk_offset <- function(frame, values = NULL) {
  form <- frame$terms
  inside <- variable_calls(form)[attr(form, "offset")]
  calls <- c(lapply(inside, `[[`, 2), lapply(frame$offset, as.name))
  if (length(calls)) offset_field(values, calls, environment(form), FALSE)
}
