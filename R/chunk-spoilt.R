# Numbers that a few entries have turned into text, which the pass for the levels finds, and where
# the first of these entries is.

# values: a variable of chunk i; rows: their numbers in the chunk. `count` of the values that are no
# numbers, and the place of the first; NULL of what is a factor already.
text_counts <- function(values, rows, i) {
  if (!is.character(values)) return(NULL)
  other <- which(values %in% not_numbers(unique(values[!is.na(values)])))
  list(values = sum(!is.na(values)), count = length(other),
       first = if (length(other)) c(i, rows[other[1]]))
}

# a is of earlier chunks.
merge_counts <- function(a, b) {
  if (is.null(a) || is.null(b)) return(c(a, b))
  list(values = a$values + b$values, count = a$count + b$count,
       first = if (is.null(a$first)) b$first else a$first)
}

# found: of combine_levels(); names: of the response and of the other variables. Text is no response
# in any case: there entries with digits have spoilt numbers, too.
report_spoilt <- function(frame, found, names) {
  named <- intersect(names, names(found$levels))
  spoilt <- Filter(function(variable) length(variable$others) > 0,
                   Map(spoilt_entries, found$levels[named], named == names[1]))
  where <- function(variable) row_label(frame$source, variable$first[1], variable$first[2])
  if (length(spoilt) && names(spoilt)[1] == names[1]) {
    abort("y", sprintf("The response is numeric except for %s.",
                       shown_entries(spoilt[[1]]$others)),
          paste("first in", where(spoilt[[1]])), "Read it with na.strings.")
  }
  if (length(spoilt) == 0 || found$used <= few_rows) return(invisible())
  inform(paste(sprintf("`%s` is numeric except for %s (first in %s): read it with na.strings.",
                       names(spoilt), vapply(spoilt, function(v) shown_entries(v$others), ""),
                       vapply(spoilt, where, "")), collapse = "\n"))
}

# `others`, the entries that have spoilt a variable, with its `first` place.
spoilt_entries <- function(variable, response) {
  counts <- variable$text
  if (is.null(counts)) return(NULL)
  others <- not_numbers(variable$seen)
  if (are_spoilt(counts$count, counts$values, if (!response) others)) {
    list(others = others, first = counts$first)
  }
}
