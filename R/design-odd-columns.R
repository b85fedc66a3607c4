# Columns that can be fitted, but are hardly meant to be, and what users are told of them: names of
# rows, and numbers that a few entries have turned into text.

# The number of rows up to which nothing is said.
few_rows <- 20

# frame: the rows that are used; predictors: names of its variables.
note_odd_columns <- function(frame, predictors) {
  if (nrow(frame) <= few_rows) return(invisible())
  # Of groups that are a predictor note_groups() has more to say.
  groups <- as.character(frame[["(groups)"]])
  columns <- Filter(function(v) has_levels(v) && !identical(as.character(v), groups),
                    lapply(frame[predictors], raw_values))
  spoilt <- lapply(columns, spoilt_numbers)
  numbers <- lengths(spoilt) > 0
  notes <- c(row_name_notes(columns[!numbers], nrow(frame)), number_notes(spoilt[numbers]))
  if (length(notes)) inform(paste(notes, collapse = "\n"))
}

# An ordered factor may well have a rank for every row.
row_name_notes <- function(columns, rows) {
  levels <- vapply(Filter(Negate(is.ordered), columns), function(v) {
    length(unique(v[!is.na(v)]))
  }, 1L)
  levels <- levels[levels > rows / 2]
  if (length(levels) == 0) return(NULL)
  sprintf("%s in %d rows: leave %s the rows.",
          enumerate(sprintf("`%s` has %d levels", names(levels), levels)), rows,
          if (length(levels) == 1) "it out if it only names" else "them out if they only name")
}

number_notes <- function(spoilt) {
  vapply(names(spoilt), function(name) {
    sprintf("`%s` is numeric except for %s: read it with na.strings.", name,
            shown_entries(spoilt[[name]]))
  }, "")
}

shown_entries <- function(entries) enumerate(dQuote(entries, FALSE), 3)

# The entries of text that are no numbers, where they have spoilt a column of numbers.
spoilt_numbers <- function(values) {
  if (!is.character(values)) return(NULL)
  values <- values[!is.na(values)]
  others <- not_numbers(unique(values))
  if (are_spoilt(sum(values %in% others), length(values), others)) others
}

# With a decimal point or comma.
not_numbers <- function(entries) {
  entries[is.na(suppressWarnings(as.double(sub(",", ".", entries, fixed = TRUE))))]
}

# At most a fifth of the values are such entries, and none of those has a digit, as "4+" has, which
# is no gap.
are_spoilt <- function(count, values, others) {
  count <= values / 5 && !any(grepl("[0-9]", others))
}
