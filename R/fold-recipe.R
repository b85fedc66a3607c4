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

fold_recipe <- function(design, nfolds, foldid, groups, strata, folds) {
  m <- nrow(design$x)
  one_of(nfolds = nfolds, foldid = foldid, folds = folds)
  one_of(groups = groups, foldid = foldid, folds = folds)
  one_of(strata = strata, foldid = foldid, folds = folds)
  if (!is.null(foldid)) {
    foldid <- check_labels(foldid, m, "foldid")
    if (nlevels(foldid) < 2) abort("folds", "`foldid` must have at least two different labels.")
  }
  if (!is.null(folds)) {
    groups <- groups_of_folds(folds, design)
    folds <- list_folds(folds, design)
  }
  if (!is.null(groups)) groups <- check_labels(groups, m, "groups")
  if (!is.null(strata)) strata <- check_labels(strata, m, "strata")
  list(kind = "rows", rows = seq_len(m), nfolds = nfolds, foldid = foldid, groups = groups,
       strata = strata, folds = folds)
}

# The recipe of a call: labels that are not given may come from its formula.
asked_folds <- function(asked, design) {
  labels <- c("foldid", "groups", "strata")
  given <- Filter(Negate(is.null), asked[labels])
  labels <- replace(design$labels, names(given), given)
  fold_recipe(design, asked$nfolds, labels$foldid, labels$groups, labels$strata, asked$folds)
}

draw_folds <- function(recipe) {
  rows <- recipe$rows
  if (recipe$kind == "pairs") return(list(kind = "pairs", folds = list()))
  if (recipe$kind == "chunks") return(recipe)
  folds <- if (!is.null(recipe$foldid)) labelled_folds(rows, recipe$foldid[rows])
           else if (!is.null(recipe$folds)) folds_among(recipe$folds, rows)
           else dealt_folds(recipe)
  scored <- fold_rows(folds, "score")
  sizes <- lengths(scored)
  scored <- unlist(scored)
  partition <- length(scored) == length(rows) && !omits_more(folds) && !anyDuplicated(scored)
  foldid <- rep(seq_along(folds), sizes)
  list(kind = "rows", folds = folds, foldid = if (partition) foldid[order(scored)],
       groups = recipe$groups, turn = repeat_of(scored, sizes))
}

# The scored or omitted rows of every fold. (There may be as many folds as rows: no closure.)
fold_rows <- function(folds, which) lapply(folds, .subset2, which)

# Whether any fold leaves out rows that it does not score.
omits_more <- function(folds) {
  any(lengths(fold_rows(folds, "omit")) > lengths(fold_rows(folds, "score")))
}

# Which repeat every fold belongs to, where folds, one after the other, divide the same rows again
# and again; else NULL. scored: the rows of all folds; sizes: how many each has.
repeat_of <- function(scored, sizes) {
  rows <- length(unique(scored))
  turn <- (cumsum(sizes) - 1L) %/% rows + 1L
  last <- c(diff(turn) > 0, TRUE)
  whole <- max(turn) > 1 && all(cumsum(sizes)[last] %% rows == 0) && all(tabulate(turn) > 1)
  if (whole && !anyDuplicated(cbind(scored, rep(turn, sizes)))) turn
}

dealt_folds <- function(recipe) {
  rows <- recipe$rows
  dealt <- cv_folds(length(rows), recipe$nfolds, recipe$groups[rows], recipe$strata[rows])
  if (length(rows) < max(rows)) dealt <- lapply(dealt, function(some) rows[some])
  whole_folds(dealt)
}

# Labels that no row has are no folds.
labelled_folds <- function(rows, labels) whole_folds(unname(split(rows, labels, drop = TRUE)))

# Folds whose rows are all scored.
whole_folds <- function(folds) lapply(folds, function(rows) list(score = rows, omit = rows))

# What is left of folds among some rows; folds that hold none are dropped.
folds_among <- function(folds, rows) {
  scored_folds(lapply(folds, lapply, intersect, rows))
}

scored_folds <- function(folds) folds[lengths(fold_rows(folds, "score")) > 0]

# The recipe without some rows.
recipe_without <- function(recipe, rows) {
  recipe$rows <- setdiff(recipe$rows, rows)
  recipe
}

one_of <- function(...) {
  given <- names(Filter(Negate(is.null), list(...)))
  if (length(given) > 1) {
    abort("folds", sprintf("`%s` and `%s` cannot be given together.", given[1], given[2]), NULL,
          sprintf("`%s` alone determines the folds.", given[length(given)]))
  }
}

# Folds as the user gives them (row numbers of the data as supplied) in rows of the design. Rows
# that subset and na.action have removed are in no fold.
list_folds <- function(folds, design) {
  if (inherits(folds, "rset")) folds <- rset_folds(folds, design$supplied)
  if (!is.list(folds) || length(folds) == 0) {
    abort("folds", "`folds` must be a list of vectors of row numbers.", shown(folds))
  }
  folds <- Map(given_fold, unclass(folds), seq_along(folds), design$supplied)
  # A subset may repeat a row: whoever holds it holds all of its copies.
  places <- split(seq_along(design$rows), factor(design$rows, seq_len(design$supplied)))
  folds <- lapply(unname(folds), lapply, function(rows) as.integer(unlist(places[rows])))
  kept <- scored_folds(folds)
  if (length(kept) == 0) {
    abort("folds", "`folds` holds only rows that `subset` or missing values have removed.", NULL,
          "Folds count the rows of the data as supplied.")
  }
  kept
}

# fold: row numbers, or list(score = , omit = ); its number is i.
given_fold <- function(fold, i, supplied) {
  if (is.list(fold) && !identical(sort(union(names(fold), "omit")), c("omit", "score"))) {
    abort("folds", "A fold must be row numbers, or list(score = , omit = ) of them.",
          sprintf("fold %d: %s", i, shown(fold)))
  }
  if (!is.list(fold)) fold <- list(score = fold)
  if (is.null(fold$omit)) fold$omit <- fold$score
  for (rows in fold[c("score", "omit")]) check_fold(rows, i, supplied)
  score <- as.integer(unclass(fold$score))
  omit <- as.integer(unclass(fold$omit))
  kept <- setdiff(score, omit)
  if (length(kept)) {
    abort("folds", "Rows that a fold scores must be among those that it omits.",
          sprintf("fold %d scores %s", i, enumerate(kept)),
          "`omit` holds all rows that do not train, the scored ones too.")
  }
  list(score = score, omit = c(score, setdiff(omit, score)))
}

# The groups that folds were made of keep together what the standard error is over.
groups_of_folds <- function(folds, design) {
  groups <- attr(folds, "groups")
  if (!is.null(groups) && length(groups) != design$supplied) {
    abort("folds", sprintf("`folds` were made for %d rows.", length(groups)),
          sprintf("%d rows", design$supplied))
  }
  if (!is.null(groups)) groups[design$rows]
}

check_fold <- function(rows, i, supplied) {
  wanted <- sprintf("Every fold must hold row numbers from 1 to %d.", supplied)
  if (!is_real(rows) || length(rows) == 0) {
    abort("folds", wanted, sprintf("fold %d: %s", i, shown(rows)), real_remedy(rows))
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

# The recipe for outer folds that keep together what those of the cross-validation
# itself, `inner`, do. Given inner folds are kept whole, too: they may be groups. word: what `outer`
# may be beside a number and folds.
nested_recipe <- function(outer, design, inner, word = "loo") {
  if (is.list(outer)) {
    return(located("in `outer`", fold_recipe(design, NULL, NULL, NULL, NULL, outer)))
  }
  labels <- if (is.null(inner$groups)) inner$foldid else inner$groups
  what <- if (is.null(inner$groups)) "folds of `foldid`" else "groups"
  units <- unit_count(labels, design)
  if (!identical(outer, word) && !(is_count(outer) && outer >= 2 && outer <= units)) {
    abort("folds",
          sprintf("`outer` must be a number of folds from 2 to %d, \"%s\", or folds.", units, word),
          shown(outer), if (!is.null(labels)) sprintf("Outer folds are made of whole %s.", what))
  }
  fold_recipe(design, outer, NULL, labels, inner$strata, NULL)
}

# How many there are of what stays together.
unit_count <- function(labels, design) if (is.null(labels)) nrow(design$x) else nlevels(labels)
