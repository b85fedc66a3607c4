# What was asked for in terms of folds, and the folds that are drawn from it. A recipe is a list of
#   kind     "rows", or "pairs" where all pairs of rows are held out (leave-pair-out), or "chunks"
#            (chunk-folds.R), which are drawn by the rows themselves
#   rows     the rows that are divided, numbers of the design
#   nfolds, foldid, groups, strata   as in cv_folds(), checked; labels for all rows of the design
#   folds    a list of list(score = , omit = ), or NULL
# Drawn folds are a list of
#   kind     as above
#   folds    list(score = , omit = ) each: the rows that are predicted, and all that are left out,
#            the former first
#   foldid   the fold of every row, where folds divide the rows
#   groups   labels of rows that stay together, or NULL
#   turn     which repeat every fold belongs to, or NULL

fold_recipe <- function(design, nfolds = NULL, foldid = NULL, groups = NULL, strata = NULL,
                        folds = NULL) {
  m <- nrow(design$x)
  one_of(nfolds = nfolds, groups = groups, strata = strata, foldid = foldid, folds = folds)
  foldid <- check_labels(foldid, m, "foldid")
  must(is.null(foldid) || nlevels(foldid) >= 2, "folds",
       "`foldid` must have at least two different labels.")
  if (!is.null(folds)) {
    groups <- groups_of_folds(folds, design)
    folds <- list_folds(folds, design)
  }
  list(kind = "rows", rows = seq_len(m), nfolds = nfolds, foldid = foldid,
       groups = check_labels(groups, m, "groups"), strata = check_labels(strata, m, "strata"),
       folds = folds)
}

# Nothing else is given with `foldid` or `folds`, which come last.
one_of <- function(...) {
  given <- names(not_null(list(...)))
  last <- given[length(given)]
  must(length(given) < 2 || !last %in% c("foldid", "folds"), "folds",
       sprintf("`%s` and `%s` cannot be given together.", given[1], last), NULL,
       sprintf("`%s` alone determines the folds.", last))
}

row_labels <- c("foldid", "groups", "strata")

# The recipe of a call: labels that are not given may come from its formula.
asked_folds <- function(asked, design) {
  given <- not_null(asked[row_labels])
  labels <- replace(design$labels, names(given), given)
  fold_recipe(design, asked$nfolds, labels$foldid, labels$groups, labels$strata, asked$folds)
}

draw_folds <- function(recipe) {
  rows <- recipe$rows
  if (recipe$kind == "pairs") return(list(kind = "pairs", folds = list()))
  if (recipe$kind == "chunks") return(recipe)
  # Labels that no row has are no folds.
  folds <- if (!is.null(recipe$foldid)) {
    whole_folds(unname(split(rows, recipe$foldid[rows], drop = TRUE)))
  } else if (!is.null(recipe$folds)) folds_among(recipe$folds, rows)
  else {
    dealt <- cv_folds(length(rows), recipe$nfolds, recipe$groups[rows], recipe$strata[rows])
    whole_folds(lapply(dealt, function(some) rows[some]))
  }
  scored <- fold_rows(folds, "score")
  sizes <- lengths(scored)
  scored <- unlist(scored)
  partition <- length(scored) == length(rows) && !omits_more(folds) && !anyDuplicated(scored)
  foldid <- rep(seq_along(folds), sizes)
  list(kind = "rows", folds = folds, foldid = if (partition) foldid[order(scored)],
       groups = recipe$groups, turn = repeat_of(scored, sizes))
}

# Whether any fold leaves out rows that it does not score.
omits_more <- function(folds) {
  any(lengths(fold_rows(folds, "omit")) > lengths(fold_rows(folds, "score")))
}

# Which repeat every fold belongs to, where folds, one after the other, divide the same rows again
# and again; else NULL. scored: the rows of all folds; sizes: how many each has.
repeat_of <- function(scored, sizes) {
  rows <- length(unique(scored))
  turn <- (cumsum(sizes) - 1L) %/% rows + 1L
  whole <- max(turn) > 1 && all(cumsum(sizes)[c(diff(turn) > 0, TRUE)] %% rows == 0) &&
    all(tabulate(turn) > 1)
  if (whole && !anyDuplicated(cbind(scored, rep(turn, sizes)))) turn
}

# Folds whose rows are all scored.
whole_folds <- function(folds) lapply(folds, function(rows) list(score = rows, omit = rows))

# What is left of folds among some rows; folds that hold none are dropped.
folds_among <- function(folds, rows) scored_folds(lapply(folds, lapply, intersect, rows))

scored_folds <- function(folds) folds[lengths(fold_rows(folds, "score")) > 0]

# The recipe without some rows.
recipe_without <- function(recipe, rows) {
  recipe$rows <- setdiff(recipe$rows, rows)
  recipe
}

# Folds as the user gives them (row numbers of the data as supplied) in rows of the design. Rows
# that subset and na.action have removed are in no fold.
list_folds <- function(folds, design) {
  supplied <- design$supplied
  if (inherits(folds, "rset")) {
    folds <- Map(rset_fold, folds$splits, seq_along(folds$splits), supplied)
  }
  must(is.list(folds) && length(folds),
       "folds", "`folds` must be a list of vectors of row numbers.", shown(folds))
  folds <- Map(given_fold, unclass(folds), seq_along(folds), supplied)
  # A subset may repeat a row: whoever holds it holds all of its copies.
  places <- split(seq_along(design$rows), factor(design$rows, seq_len(supplied)))
  folds <- lapply(unname(folds), lapply, function(rows) as.integer(unlist(places[rows])))
  kept <- scored_folds(folds)
  must(length(kept), "folds",
       "`folds` holds only rows that `subset` or missing values have removed.", NULL,
       "Folds count the rows of the data as supplied.")
  kept
}

# Resamples of the packages rsample and spatialsample: the assessment rows are scored, and all rows
# outside the analysis set are omitted. An `rset` is a data frame with a list `splits`. A split
# holds the data, and as numbers of its rows the analysis set, `in_id`, and the assessment set,
# `out_id` (NA: all others). It is that of fold i.
rset_fold <- function(split, i, supplied) {
  rows <- nrow(split$data)
  must(rows == supplied, "folds", "The resamples in `folds` are of other data.",
       sprintf("%d rows for %d", rows, supplied), "Make them from the data as supplied here.")
  inside <- split$in_id
  must(!anyDuplicated(inside),
       "folds", "Folds must not train a row more than once: bootstraps are not folds.",
       sprintf("fold %d holds rows %s repeatedly", i,
               enumerate(unique(inside[duplicated(inside)]))),
       "Use vfold_cv(), mc_cv() or similar, or `weights`.")
  omit <- setdiff(seq_len(rows), inside)
  list(score = if (anyNA(split$out_id)) omit else split$out_id, omit = omit)
}

# fold: row numbers, or list(score = , omit = ); its number is i.
given_fold <- function(fold, i, supplied) {
  if (!is.list(fold)) fold <- list(score = fold)
  else must(identical(sort(union(names(fold), "omit")), c("omit", "score")),
            "folds", "A fold must be row numbers, or list(score = , omit = ) of them.",
            sprintf("fold %d: %s", i, shown(fold)))
  fold$omit <- fold$omit %||% fold$score
  fold <- lapply(fold[c("score", "omit")], read_fold, i, supplied)
  kept <- setdiff(fold$score, fold$omit)
  must(!length(kept), "folds", "Rows that a fold scores must be among those that it omits.",
       sprintf("fold %d scores %s", i, enumerate(kept)),
       "`omit` holds all rows that do not train, the scored ones too.")
  list(score = fold$score, omit = union(fold$score, fold$omit))
}

read_fold <- function(rows, i, supplied) {
  wanted <- sprintf("Every fold must hold row numbers from 1 to %d.", supplied)
  must(is_real(rows) && length(rows),
       "folds", wanted, sprintf("fold %d: %s", i, shown(rows)), real_remedy(rows))
  rows <- unclass(rows)
  wrong <- !is.finite(rows) | rows != round(rows) | rows < 1 | rows > supplied
  must(!any(wrong), "folds", wanted,
       sprintf("fold %d: %s", i, enumerate(format(rows[wrong], trim = TRUE))))
  must(!anyDuplicated(rows), "folds", sprintf("Fold %d holds rows more than once.", i),
       enumerate(unique(rows[duplicated(rows)])))
  as.integer(rows)
}

# The groups that folds were made of keep together what the standard error is over.
groups_of_folds <- function(folds, design) {
  groups <- attr(folds, "groups")
  must(is.null(groups) || length(groups) == design$supplied,
       "folds", sprintf("`folds` were made for %d rows.", length(groups)),
       sprintf("%d rows", design$supplied))
  groups[design$rows]
}

# The recipe for outer folds that keep together what those of the cross-validation
# itself, `inner`, do. Given inner folds are kept whole, too: they may be groups. word: what `outer`
# may be given alongside a number and folds.
nested_recipe <- function(outer, design, inner, word = "loo") {
  if (is.list(outer)) return(located("in `outer`", fold_recipe(design, folds = outer)))
  labels <- inner$groups %||% inner$foldid
  units <- unit_count(labels, design)
  must(identical(outer, word) || (is_count(outer) && outer >= 2 && outer <= units), "folds",
       sprintf("`outer` must be a number of folds from 2 to %d, \"%s\", or folds.", units, word),
       shown(outer), if (!is.null(labels)) {
         sprintf("Outer folds are made of whole %s.",
                 if (is.null(inner$groups)) "folds of `foldid`" else "groups")
       })
  fold_recipe(design, outer, groups = labels, strata = inner$strata)
}

# How many there are of what stays together.
unit_count <- function(labels, design) if (is.null(labels)) nrow(design$x) else nlevels(labels)
