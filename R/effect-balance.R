# How the weights of debiased averages balance the features, and when not to believe the averages.

#' Balance of the weights of debiased effects
#'
#' How well the weights of debiased effects balance the other features: differences of each feature
#' before and after weighting, as in the "love plots" of matching.
#'
#' `before` is, for a derivative, the correlation with the term's feature; for a first difference,
#' the difference of means between rows with the level (or a one) and the others, in standard
#' deviations of the feature; for [average_effect()], minus the target. `after` is
#' `sum_i w_i alpha_i x_il` minus its target, in the same units: `w` the shares of the rows, `alpha`
#' the weights of the term, `x_l` the centred feature. The target is 0 for other features and 1 for
#' the term's own; for [average_effect()] by how much `f` moves each coded column on average.
#'
#' Values within 0.1 count as balanced by a rule of thumb; the sampling error of `after` is about
#' `sqrt(sum_i (w_i alpha_i)^2)`. If values remain large, rows with and without the level have
#' little in common, and the effect rests on the fitted function.
#' @param x a result of [derivatives()] with `type = "debiased"`, or of [average_effect()].
#' @return A data frame with a row for each term and feature: `term, feature, before, after`; NA for
#'   constant features. `print()` shows those furthest off after weighting; `plot()` and
#'   `autoplot()` draw the first nine terms, or those that `terms` names.
#' @references
#' Hirshberg, D. A. and Wager, S. (2021) Augmented minimax linear estimation. *Annals of Statistics*
#' 49, 3206-3227.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' effects <- derivatives(cv)
#' subset(balance(effects), term == "svi")
#' plot(balance(effects), terms = "svi")
#' @export
balance <- function(x) {
  check_effects(x)
  must(!is.null(x$representer$weights), "argument", "These effects have no weights.",
       sprintf("type \"%s\"", x$type),
       "Debiased effects have: cross-validate with keep = TRUE, and use derivatives().")
  features <- colnames(x$x) %||% paste0("x", seq_len(ncol(x$x)))
  moved <- term_balance(x)
  table <- data.frame(term = rep(names(x$difference), each = length(features)),
                      feature = rep(features, length(x$difference)),
                      before = as.vector(moved$before), after = as.vector(moved$after))
  size <- ifelse(untold(x), "the data cannot determine it",
                 sprintf("effective sample size %s of %d",
                         format_values(x$representer$size), sum(x$representer$share > 0)))
  # Words on the rows of every term.
  structure(table, class = c("balance", "data.frame"), size = setNames(size, names(x$difference)))
}

#' @export
print.balance <- function(x, digits = 2, ...) {
  known <- x[!is.na(x$after), ]
  shown <- head(known[order(-abs(known$after)), ], 12)
  cat("Standardized differences before and after weighting, the largest after it first:\n",
      sprintf("%d of %d are beyond 0.1 after it, %d are shown\n\n", sum(abs(known$after) > 0.1),
              nrow(known), nrow(shown)), sep = "")
  shown[c("before", "after")] <- round(shown[c("before", "after")], digits)
  print.data.frame(shown, row.names = FALSE)
  invisible(x)
}

# before and after: features x terms, in standard deviations of the feature and, of a derivative,
# for one standard deviation of the term's own, `unit`.
term_balance <- function(x) {
  share <- x$representer$share
  moments <- column_moments(x$x, share)
  sd <- replace(moments$sd, moments$sd == 0, NA)
  z <- scale(x$x, moments$centre, sd)
  moved <- function(weights) crossprod(z, share * weights)
  after <- moved(x$representer$weights)
  target <- x$representer$target
  if (!is.null(target)) return(list(before = -target / sd, after = after - target / sd, unit = 1))
  unit <- ifelse(x$difference, 1, sd)
  before <- moved(z * each_row(unit / sd, z))
  diag(before) <- 0 * sd
  list(before = before, unit = unit,
       after = after * each_row(unit, after) - diag(unit / sd, length(sd)))
}

check_effects <- function(x) {
  must(inherits(x, "derivatives"), "argument",
       "`x` must be a result of derivatives(), average_effect() or partial_effects().", shown(x),
       if (inherits(x, "effect_curve")) {
         "Use partial_effects(), or effect_curve(centre = ) for differences from one value."
       })
}

# ---- verdicts ---------------------------------------------------------------------------
# A debiased average effect asks for the derivative, or the difference, at every row, and where the
# data do not have what that takes its error is larger than it says. What can be known is looked at:
# how far the weights balance the features, on how few rows they rest, and how far the correction
# has moved the plug-in. The limits were set together by simulation (help of derivatives()).

# A list of logical vectors, one value for each term, named in words; NULL where effects are not
# debiased.
effect_verdicts <- function(x) {
  if (!identical(x$type, "debiased")) return(NULL)
  representer <- x$representer
  weight <- representer$share * representer$weights
  moved <- term_balance(x)
  # What the largest of as many differences exceeds by sampling in 5 %.
  level <- qnorm(1 - 0.025 / nrow(moved$after)) * sqrt(colSums(weight^2)) * moved$unit
  off <- apply(abs(moved$after), 2, max, 0, na.rm = TRUE)
  far <- matrix(abs(x$average - x$plugin) > 2 * x$std.error, length(x$difference))
  list(
    `weights do not balance the features` = off > 0.1 + level,
    `weights rest on less than a tenth of the rows` =
      representer$size < sum(representer$share > 0) / 10,
    `the correction is more than two standard errors` = rowSums(far, na.rm = TRUE) > 0
  )
}

# In words; terms without a p-value have been named.
verdict_lines <- function(x) {
  open <- !few_units(x) & !untold(x)
  found <- lapply(effect_verdicts(x), function(those) names(x$difference)[those %in% TRUE & open])
  found <- Filter(length, found)
  if (!is.null(x$shrunk)) {
    strwrap(paste("Averages of a penalized fit: drawn towards zero by an amount that the errors",
                  "do not include.", x$shrunk), 80)
  } else if (length(found)) {
    c("Do not rely on these, and see partial_effects():",
      sprintf("  %s: %s", names(found), vapply(found, enumerate, "")))
  }
}

# ---- rows that are moved to where there are none -----------------------------------------
# Effects of levels where there are no rows, of fits with a family. (For least squares the balancing
# weights say what the data cannot tell.) An effect moves rows to a level; where these are farther
# from all rows that have it than those are from each other, the average is extrapolated. Distances
# are those that the kernel sees, so that they order rows as its values do. Linear kernels are taken
# at their word: everything in them is extrapolated by straight lines.

# The share of the rows that every effect, in every part of the rows, moves where there are none; 0
# where so few may be chance, NULL where nothing is known. shares: of the complete rows, a column
# for each part.
uncovered_shares <- function(fit, rows, effects, shares) {
  if (!has_family(fit) || has_slopes(fit$kernel) || is_foreign(fit$kernel)) return(NULL)
  x <- complete_x(rows)
  shares_moved(effects, shares, function(effect) {
    ends <- lapply(effect_ends(fit, rows, effect), uncovered_rows, fit = fit, x = x)
    share <- colSums(shares * (ends[[1]]$far | ends[[2]]$far))
    share * (share > 0.1 + 2 / min(ends[[1]]$fewest, ends[[2]]$fewest))
  })
}

# share_of: a function of a first difference, a number for each part; derivatives move no rows. All
# effects of the first part come first.
shares_moved <- function(effects, shares, share_of) {
  found <- vapply(effects, function(effect) {
    if (effect$difference) share_of(effect) else numeric(ncol(shares))
  }, numeric(ncol(shares)))
  as.vector(t(matrix(found, ncol(shares))))
}

# Which rows, as they are moved, are `far` from all of x that have their new levels (columns of two
# values); and the number of these where they are `fewest`: of n distances the largest is exceeded
# by a share of about 1 / n of others.
uncovered_rows <- function(fit, x, moved) {
  changed <- unname(which(colSums(moved != x) > 0))
  levels <- Filter(function(j) length(unique(x[, j])) <= 2, changed)
  far <- logical(nrow(x))
  fewest <- Inf
  pattern <- function(x) do.call(paste, as.data.frame(as.matrix(columns_at(x, levels))))
  if (length(levels) == 0) return(list(far = far, fewest = fewest))
  has <- pattern(x)
  gets <- pattern(moved)
  view <- function(x) densify(kernel_view(new_points(fit, x), fit$kernel))$x
  for (level in unique(gets[gets != has])) {
    there <- which(has == level)
    there <- there[even_rows(length(there), 1000)]
    arrived <- which(gets == level & has != level)
    fewest <- min(fewest, max(2, length(there)))
    if (length(there) < 2) {
      far[arrived] <- TRUE
      next
    }
    known <- view(rows_at(x, there))
    among <- quantile(nearest_distances(known, known, TRUE), 0.99)
    far[arrived] <- nearest_distances(view(rows_at(moved, arrived)), known) >
      among + 1e-9 * sum(known^2) / nrow(known)
  }
  list(far = far, fewest = fewest)
}

# Squared, of every row of x to the nearest of z. own: z is x, and no row is its own neighbour.
nearest_distances <- function(x, z, own = FALSE) {
  found <- lapply(row_blocks(nrow(x), nrow(z)), function(rows) {
    part <- rows_at(x, rows)
    distance <- outer(rowSums(part^2), rowSums(z^2), "+") - 2 * tcrossprod(part, z)
    if (own) distance[cbind(seq_along(rows), rows)] <- Inf
    do.call(pmin, as.data.frame(distance))
  })
  unlist(found, use.names = FALSE)
}

# ---- levels without basis vectors --------------------------------------------------------------
# A basis that leaves a level out takes its rows as others that are near, whatever their response:
# neither the errors nor the balancing weights, which are of the same basis, know what is missing.

# How many basis vectors a level has at least, by simulation (help of derivatives()).
own_vectors <- 5

# Whether every effect, as in uncovered_shares(), moves a tenth of the rows from or to levels of
# fewer basis vectors.
short_of_vectors <- function(fit, rows, effects, shares) {
  basis <- seen_basis(fit)
  if (is.null(basis)) return(NULL)
  shares_moved(effects, shares, function(effect) {
    ends <- effect_ends(fit, rows, effect)
    few <- Map(few_vectors, list(basis), ends, rev(ends))
    colSums(shares * (few[[1]] | few[[2]]))
  }) > 0.1
}

# Whether each value of a curve is a level of fewer basis vectors, which one row tells: against the
# next value, as few_vectors() compares two.
short_values <- function(fit, rows, values) {
  basis <- seen_basis(fit)
  leveled <- !is.null(rows$levels) || length(unique(rows$observed)) == 2
  if (is.null(basis) || !leveled || length(values) < 2) return(logical(length(values)))
  each <- lapply(values, function(value) rows_at(rows$set(value), 1))
  unlist(Map(few_vectors, list(basis), each, each[c(2:length(each), 1)]))
}

# What gives these levels more basis vectors, or what does without: the basis may have all rows that
# differ.
short_remedy <- function(fit, rows) {
  basis <- seen_basis(fit)
  distinct <- nrow(unique(as.matrix(columns_at(rows$x, basis$columns))))
  if (!rows$own || nrow(unique(basis$x)) < distinct) "use a larger `basis`"
  else sprintf("the rows have only %d distinct values: see %s", distinct,
               if (has_family(fit)) "rls()" else "partial_effects()")
}

# Basis vectors in the user's units, of the columns that the kernel sees, and the numbers of these;
# NULL where none can be missing: the full kernel has all that there are of a level. What a map
# mixes is not known by columns.
seen_basis <- function(fit) {
  known <- !is.null(coordinates(fit)) && !is_foreign(fit$kernel) && !has_map(fit$kernel)
  if (!known || has_slopes(fit$kernel) || is_full(fit)) return(NULL)
  seen <- seen_columns(fit, fit$kernel)
  centre <- if (is.null(fit$standard)) 0 * seen$column else fit$standard$centre[seen$column]
  x <- densify(fit$points)$x
  list(x = x / each_row(seen$rate, x) + each_row(centre, x), columns = seen$column)
}

# Which rows of `to` have a level of fewer basis vectors, and another one in `from`.
few_vectors <- function(basis, to, from) {
  moved <- Filter(function(j) any(to[, j] != from[, j]), basis$columns)
  values <- lapply(moved, function(j) unique(c(to[, j], from[, j])))
  leveled <- moved[lengths(values) == 2]
  middle <- vapply(values[lengths(values) == 2], mean, 0)
  if (length(leveled) == 0) return(logical(nrow(to)))
  level <- function(x, at) {
    x <- as.matrix(columns_at(x, at)) > each_row(middle, x)
    do.call(paste, as.data.frame(x))
  }
  counts <- table(level(basis$x, match(leveled, basis$columns)))
  reached <- level(to, leveled)
  reached != level(from, leveled) & !reached %in% names(counts)[counts >= own_vectors]
}
