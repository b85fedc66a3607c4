# Folds of chunks: every row finds its own, wherever it is read. A list of
#   kind    "chunks"
#   deal    "label": those of a column; "row": by the hashed number of each; "group": whole groups
#           in turn; "each": every group, or row, is a fold
#   folds   as many elements as there are folds (cv-search.R counts them); empty with "each"
#   count   how many folds there are
#   labels  of the column, or all groups in the order in which they are dealt

chunk_folds <- function(survey, nfolds) {
  frame <- survey$frame
  grouped <- !is.null(frame$groups)
  if (!is.null(frame$foldid)) {
    one_of(nfolds = nfolds, groups = frame$groups, foldid = frame$foldid)
    must(length(survey$foldid) > 1, "folds", "`foldid` must have at least two different labels.")
    return(new_chunk_folds("label", length(survey$foldid), labels = survey$foldid))
  }
  nfolds <- nfolds %||% if (grouped) "loo" else 10
  if (identical(nfolds, "loo")) {
    if (grouped) check_whole_groups(survey$groups)
    count <- if (grouped) length(unlist(survey$groups)) else survey$nobs
    must(count > 1, "folds", "Cross-validation needs at least two groups.", shown(count))
    return(new_chunk_folds("each", 0, count = as_count(count)))
  }
  nfolds <- check_count(nfolds, "nfolds")
  must(nfolds > 1, "folds", "`nfolds` must be at least 2.", shown(nfolds))
  if (grouped) dealt_groups(survey, nfolds) else new_chunk_folds("row", nfolds)
}

new_chunk_folds <- function(deal, folds, count = folds, ...) {
  list(kind = "chunks", deal = deal, folds = vector("list", folds), count = count, ...)
}

# Groups may be few: drawn one by one, as rows are, all could come into one fold. Dealt in the order
# of their hashed numbers, folds differ by one group at most and do not depend on how rows are cut.
dealt_groups <- function(survey, nfolds) {
  groups <- all_groups(survey)
  must(nfolds <= length(groups), "folds",
       sprintf("`nfolds` must be \"loo\" or from 2 to %d, the number of groups.", length(groups)),
       shown(nfolds))
  order <- order(hashed(groups, survey$frame$seed + draw_purpose$folds))
  new_chunk_folds("group", nfolds, labels = groups[order])
}

# Without each group in turn: a group must lie within one chunk.
check_whole_groups <- function(groups) {
  all <- unlist(groups)
  torn <- all[anyDuplicated(all)]
  must(!length(torn), "folds", "To leave one group out every group must lie within one chunk.",
       sprintf("group %s is in chunks %s", quoted(torn),
               enumerate(which(vapply(groups, function(some) torn %in% some, NA)))),
       paste("Cut the chunks by groups, by chunks_files(..., groups = ) of files whose rows are",
             "sorted by group, or use `nfolds`, folds of whole groups."))
}

all_groups <- function(survey) unique(unlist(survey$groups))

# The fold of every row.
fold_of <- function(frame, folds, rows) {
  count <- length(folds$folds)
  switch(folds$deal,
    label = match_label(rows$foldid, folds$labels, "foldid"),
    group = 1L + (match_label(rows$group, folds$labels, "groups") - 1L) %% count,
    row = 1L + as.integer(row_draws(frame, rows, draw_purpose$folds) * count),
    each = rep(1L, length(rows$key))
  )
}

match_label <- function(label, labels, name) {
  check_seen(setdiff(label, labels), sprintf("`%s` has labels", name))
  match(label, labels)
}
