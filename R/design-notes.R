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

# "`a` 12, `b` 7, and 3 more", the most gaps first.
name_gaps <- function(gaps, most = 4) {
  gaps <- sort(gaps[gaps > 0], decreasing = TRUE)
  names(gaps) <- sub("^[(](.*)[)]$", "\\1", names(gaps))
  shown <- paste(sprintf("`%s` %d", names(head(gaps, most)), as.integer(head(gaps, most))),
                 collapse = ", ")
  if (length(gaps) > most) sprintf("%s, and %d more", shown, length(gaps) - most) else shown
}

# What keeps the rows of a frame. gaps: of every variable in it, by which so many rows are `lost`;
# columns: the names of the data. A variable that most rows lack may as well be left out.
gaps_remedy <- function(gaps, frame, lost, columns) {
  form <- attr(frame, "terms")
  predictors <- if (attr(form, "response")) term_variables(form)[-attr(form, "response")]
  gaps <- sort(gaps[names(gaps) %in% predictors & gaps > 0], decreasing = TRUE)
  fillable <- names(gaps)[vapply(frame[names(gaps)], is_fillable, NA)]
  if (sum(gaps) < lost / 2) {
    return(paste0("Every row needs its response, and its weight, group or fold if there are any",
                  if (length(fillable)) ";\nna_level() keeps rows with gaps in predictors", "."))
  }
  if (sum(gaps[fillable]) < lost / 2) {
    return(sprintf("Fill the gaps of `%1$s` before, or leave `%1$s` out.", names(gaps)[1]))
  }
  made <- setdiff(fillable, columns)
  paste0(if (length(made)) sprintf("na_level(%s) keeps its rows", made[1])
         else "na_level(data) keeps rows with gaps",
         ", see ?na_level",
         if (gaps[1] > nrow(frame) / 2) sprintf("; or leave `%s` out", names(gaps)[1]), ".")
}

# frame: the rows that are left; whole: a function that gives those before na.action, after
# `subset`; columns: the names of the data.
check_rows_left <- function(frame, whole, columns) {
  many <- function(lost) nrow(frame) == 0 || lost > silent_gaps * (nrow(frame) + lost)
  if (!many(length(attr(frame, "na.action")))) return(invisible())
  whole <- whole()
  # Where `subset` is missing a row is not wanted.
  whole <- whole[!is.na(whole[["(rows)"]]), , drop = FALSE]
  rows <- nrow(whole)
  lost <- rows - nrow(frame)
  if (rows == 0) stop_no_rows()
  if (!many(lost)) return(invisible())
  gaps <- count_gaps(whole)
  remedy <- gaps_remedy(gaps, whole, lost, columns)
  must(nrow(frame) > 0, "formula", "No rows are left: every row has a gap.",
       sprintf("gaps in %s: %s", counted(rows, "row"), name_gaps(gaps)), remedy)
  inform(sprintf("%d of %s are left out because of gaps: %s.\n%s", lost, counted(rows, "row"),
                 name_gaps(gaps), remedy))
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
  if (nrow(frame) <= few_rows) return(invisible())
  # Of groups that are a predictor note_groups() has more to say.
  groups <- as.character(frame[["(groups)"]])
  columns <- Filter(function(v) has_levels(v) && !identical(as.character(v), groups),
                    lapply(Filter(has_levels, frame[predictors]), raw_values))
  spoilt <- Filter(length, lapply(columns, spoilt_numbers))
  notes <- c(row_name_notes(columns[setdiff(names(columns), names(spoilt))], nrow(frame)),
             sprintf("`%s` is numeric except for %s: read it with na.strings.", names(spoilt),
                     vapply(spoilt, shown_entries, "")))
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
