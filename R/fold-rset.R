# Resamples of the packages rsample and spatialsample as folds: the assessment rows are scored, and
# all rows outside the analysis set are omitted. An `rset` is a data frame with a list `splits`. A
# split holds the data, and as numbers of its rows the analysis set, `in_id`, and the assessment
# set, `out_id` (NA: all others).

rset_folds <- function(rset, supplied) {
  Map(rset_fold, rset$splits, seq_along(rset$splits), supplied)
}

rset_fold <- function(split, i, supplied) {
  rows <- nrow(split$data)
  if (rows != supplied) {
    abort("folds", "The resamples in `folds` are of other data.",
          sprintf("%d rows for %d", rows, supplied), "Make them from the data as supplied here.")
  }
  inside <- split$in_id
  if (anyDuplicated(inside)) {
    abort("folds", "Folds must not train a row more than once: bootstraps are no folds.",
          sprintf("fold %d holds rows %s repeatedly", i,
                  enumerate(unique(inside[duplicated(inside)]))),
          "Use vfold_cv(), mc_cv() and their like, or `weights`.")
  }
  omit <- setdiff(seq_len(rows), inside)
  list(score = if (anyNA(split$out_id)) omit else split$out_id, omit = omit)
}
