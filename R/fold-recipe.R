# What was asked for in terms of folds, and the folds that are drawn from it. A recipe is a list of
#   kind     "rows", or "pairs" where all pairs of rows are held out (leave-pair-out)
#   rows     the rows that are divided, numbers of the design
#   nfolds, foldid, groups, strata   as in cv_folds(), checked; labels for all rows of the design
#   folds    a list of list(score = , omit = ), or NULL
# Drawn folds are a list of
#   kind     as above
#   folds    list(score = , omit = ) each: the rows that are predicted, and all that are left out
#   foldid   the fold of every row, where folds divide the rows
#   groups   labels of rows that stay together, or NULL
#   turn     which repeat every fold belongs to, or NULL

fold_recipe <- function(design, nfolds, foldid, groups, strata, folds) {
  m <- nrow(design$x)
  one_of(nfolds = nfolds, foldid = foldid, folds = folds)
  one_of(groups = groups, foldid = foldid, folds = folds)
  one_of(strata = strata, foldid = foldid, folds = folds)
  if (!is.null(foldid)) {
    foldid <- check_labels(foldid, m, "foldid")
    if (nlevels(foldid) < 2) abort("folds", "`foldid` must have at least two different labels.")
  }
  if (!is.null(folds)) folds <- list_folds(folds, design)
  if (!is.null(groups)) groups <- check_labels(groups, m, "groups")
  if (!is.null(strata)) strata <- check_labels(strata, m, "strata")
  list(kind = "rows", rows = seq_len(m), nfolds = nfolds, foldid = foldid, groups = groups,
       strata = strata, folds = folds)
}

draw_folds <- function(recipe) {
  rows <- recipe$rows
  if (recipe$kind == "pairs") return(list(kind = "pairs", folds = list()))
  folds <- if (!is.null(recipe$foldid)) whole_folds(unname(split(rows, recipe$foldid[rows])))
           else if (!is.null(recipe$folds)) folds_among(recipe$folds, rows)
           else dealt_folds(recipe)
  scored <- unlist(lapply(folds, `[[`, "score"))
  omitted <- sum(vapply(folds, function(fold) length(fold$omit), 0L))
  partition <- length(scored) == length(rows) && omitted == length(rows) && !anyDuplicated(scored)
  foldid <- rep(seq_along(folds), vapply(folds, function(fold) length(fold$score), 0L))
  list(kind = "rows", folds = folds, foldid = if (partition) foldid[order(scored)],
       groups = recipe$groups,
       turn = attr(folds, "turn"))
}

dealt_folds <- function(recipe) {
  rows <- recipe$rows
  dealt <- cv_folds(length(rows), recipe$nfolds, recipe$groups[rows], recipe$strata[rows])
  whole_folds(lapply(dealt, function(some) rows[some]))
}

# The rows of folds.
whole_rows <- function(folds) lapply(folds, `[[`, "omit")

# Folds whose rows are all scored.
whole_folds <- function(folds) lapply(folds, function(rows) list(score = rows, omit = rows))

# What is left of folds among some rows; folds that hold none are dropped.
folds_among <- function(folds, rows) {
  kept <- lapply(folds, lapply, intersect, rows)
  used <- vapply(kept, function(fold) length(fold$score) > 0, NA)
  structure(kept[used], turn = attr(folds, "turn")[used])
}

# The recipe without some rows.
recipe_without <- function(recipe, rows) {
  recipe$rows <- setdiff(recipe$rows, rows)
  recipe
}

one_of <- function(...) {
  given <- names(Filter(Negate(is.null), list(...)))
  if (length(given) > 1) {
    abort("folds", sprintf("`%s` and `%s` cannot be given together.", given[1], given[2]), NULL,
          sprintf("`%s` says all there is to say about the folds.", given[length(given)]))
  }
}

list_folds <- function(folds, design) {
  if (!is.list(folds) || length(folds) == 0) {
    abort("folds", "`folds` must be a list of vectors of row numbers.", describe(folds))
  }
  turn <- attr(folds, "turn")
  folds <- unclass(folds)
  for (i in seq_along(folds)) check_fold(folds[[i]], i, design$supplied)
  # Rows that subset and na.action have removed are held out by nobody.
  kept <- lapply(folds, function(rows) {
    rows <- match(unclass(rows), design$rows)
    rows[!is.na(rows)]
  })
  used <- lengths(kept) > 0
  if (!any(used)) {
    abort("folds", "`folds` holds only rows that `subset` or missing values have removed.", NULL,
          "Folds count the rows of the data as supplied.")
  }
  structure(whole_folds(kept[used]), turn = turn[used])
}

check_fold <- function(rows, i, supplied) {
  wanted <- sprintf("Every fold must hold row numbers from 1 to %d.", supplied)
  if (!is_real(rows) || length(rows) == 0) {
    abort("folds", wanted, sprintf("fold %d: %s", i, describe(rows)), real_remedy(rows))
  }
  rows <- unclass(rows)
  wrong <- !is.finite(rows) | rows != round(rows) | rows < 1 | rows > supplied
  if (any(wrong)) {
    abort("folds", wanted, sprintf("fold %d: %s", i, enumerate(format(rows[wrong], trim = TRUE))))
  }
  if (anyDuplicated(rows)) {
    abort("folds", sprintf("Fold %d holds rows more than once.", i),
          enumerate(unique(rows[duplicated(rows)])))
  }
}
