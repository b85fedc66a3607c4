# Rows that are left out because a variable is missing: what users are told of them.

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
  if (sum(gaps) < lost / 2) return("A row needs its response, and what else it is labelled with.")
  fillable <- names(gaps)[vapply(frame[names(gaps)], is_fillable, NA)]
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
