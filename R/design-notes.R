# What users are told of rows that gaps leave out, and of columns that are hardly meant.

# ---- gaps ----------------------------------------------------------------------------------------

# The largest share of rows that na.action takes away without a word.
silent_gaps <- 0.1

# The gaps of every variable of a model frame; a row of a matrix counts once.
count_gaps <- function(frame) {
  vapply(frame, function(v) {
    gaps <- is.na(v)
    sum(if (is.matrix(gaps)) rowSums(gaps) > 0 else gaps)
  }, 0)
}

# "`a` 12, `b` 7, ... (5 in all)", the most gaps first.
name_gaps <- function(gaps) {
  gaps <- sort(gaps[gaps > 0], decreasing = TRUE)
  enumerate(sprintf("`%s` %d", sub("^[(](.*)[)]$", "\\1", names(gaps)), as.integer(gaps)), 4)
}

# frame: the rows that are left; whole: a function that gives those before na.action, after
# `subset`.
check_rows_left <- function(frame, whole) {
  many <- function(lost) !nrow(frame) || lost > silent_gaps * (nrow(frame) + lost)
  if (!many(length(attr(frame, "na.action")))) return()
  whole <- whole()
  # Where `subset` is missing a row is not wanted.
  whole <- rows_at(whole, !is.na(whole$`(rows)`))
  rows <- nrow(whole)
  if (rows == 0) stop_no_rows()
  if (!many(rows - nrow(frame))) return()
  gaps <- name_gaps(count_gaps(whole))
  # Neither responses nor weights can be filled.
  predictors <- grep("^[(]", names(whole)[-attr(attr(frame, "terms"), "response")], value = TRUE,
                     invert = TRUE)
  remedy <- gaps_remedy(predictors[vapply(whole[predictors], anyNA, NA, recursive = TRUE)])
  must(nrow(frame), "formula", "No rows are left: every row has a gap.",
       sprintf("gaps in %s: %s", counted(rows, "row"), gaps), remedy)
  inform(paste(c(sprintf("%d of %s are left out because of gaps: %s.", rows - nrow(frame),
                         counted(rows, "row"), gaps), remedy), collapse = "\n"))
}

# names: of the predictors that have gaps. Functions of variables see raw values.
gaps_remedy <- function(names) {
  calls <- !grepl("^`.*`$", names) & make.names(names) != names
  c(if (!all(calls)) "na_level(data) fills the gaps of predictors, see ?na_level.",
    if (any(calls)) sprintf("Write %s in the formula to fill its gaps, see ?na_level.",
                            enumerate(sprintf("na_level(%s)", names[calls]), 2)))
}

stop_no_rows <- function() {
  abort("formula", "No rows are left.", NULL,
        "Look at `subset` and at missing values in the variables.")
}

# ---- odd columns ---------------------------------------------------------------------------------

# Columns that can be fitted, but are hardly meant to be: names of rows, and numbers that a few
# entries have turned into text.

# The number of rows up to which there is no message.
few_rows <- 20

# frame: the rows that are used; predictors: names of its variables.
note_odd_columns <- function(frame, predictors) {
  if (nrow(frame) <= few_rows) return()
  columns <- lapply(Filter(has_levels, frame[predictors]), raw_values)
  spoilt <- Filter(length, lapply(columns, spoilt_numbers))
  notes <- c(row_name_notes(columns[setdiff(names(columns), names(spoilt))], nrow(frame)),
             sprintf("`%s` is numeric except for %s: read it with na.strings.", names(spoilt),
                     vapply(spoilt, quoted, "", 3)))
  if (length(notes)) inform(paste(notes, collapse = "\n"))
}

# An ordered factor may well have a rank for every row.
row_name_notes <- function(columns, rows) {
  levels <- vapply(Filter(Negate(is.ordered), columns), function(v) {
    length(unique(v[!is.na(v)]))
  }, 1L)
  levels <- levels[levels > rows / 2]
  sprintf("`%s` has %d levels in %d rows: leave it out if it only names the rows.", names(levels),
          levels, rows)
}

# The entries of text that are no numbers, where they have spoilt a column of numbers.
spoilt_numbers <- function(values) {
  if (!is.character(values)) return(NULL)
  values <- values[!is.na(values)]
  others <- not_numbers(unique(values))
  # None of them has a digit, as "4+" has, which is no gap.
  if (sum(values %in% others) <= length(values) / 5 && !any(grepl("[0-9]", others))) others
}

# With a decimal point or comma.
not_numbers <- function(entries) {
  entries[is.na(suppressWarnings(as.double(sub(",", ".", entries, fixed = TRUE))))]
}
