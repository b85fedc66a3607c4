# How many rows, groups or folds carry an effect. A standard error that leaves units out is a sum
# over their changes: where two rows make an effect only two changes differ from zero, and quantiles
# of t with G - 1 degrees of freedom, which would need G such changes, are far too small. With S_g
# the share of unit g in the variance of the effect, as of a regression on its column alone, the
# effective number of units is (sum S_g)^2 / sum S_g^2 (Carter, Schnepel and Steigerwald, 2017): of
# a level about the units that have it, of a normal column a third of the rows.

# A list of `columns`, of every column of x, and `levels`, of every variable with levels a vector
# by level. groups: the unit of each row as a number, or NULL: rows.
carriers <- function(design, weights, groups = NULL) {
  x <- design$x
  moments <- column_moments(x, weights)
  columns <- lapply(row_blocks(ncol(x), nrow(x)), function(at) {
    z <- scale(as.matrix(columns_at(x, at)), moments$centre[at], moments$sd[at])
    effective_count(weights * z^2, groups)
  })
  list(columns = as.double(unlist(columns, use.names = FALSE)),
       levels = lapply(design$codes, function(codes) {
         effective_count(weights * outer(codes, setNames(nm = levels(codes)), "=="), groups)
       }))
}

# squares: rows x columns. NaN where all of a column are zero.
effective_count <- function(squares, groups) {
  if (!is.null(groups)) squares <- rowsum(squares, groups)
  colSums(squares)^2 / colSums(squares^2)
}

# Which terms have no p-value: those that fewer than 4.5 units carry, or of few units up to two
# fifths. (A level counts its rows; a column of zeros and ones with four ones among 100 rows has
# 4.3, with five 5.5.)
too_few <- function(carriers, count) {
  if (is.null(carriers)) FALSE else !is.na(carriers) & carriers < pmin(4.5, 0.4 * count + 1e-6)
}

# leveled: for each effect, or for all, whether it is of a level. For groups the Gaussian process
# would be no remedy: it takes rows as independent. types: whether there are other standard errors.
warn_few <- function(terms, carriers, errors, leveled, types = TRUE) {
  few <- which(too_few(carriers, errors$count))
  if (length(few) == 0) return(invisible())
  remedies <- c(if (any(rep_len(leveled, length(carriers))[few])) "join levels",
                switch(errors$units, folds = "use more outer folds",
                       rows = if (types) "use type = \"gp\", with one variance for all rows"),
                if (errors$type == "debiased") {
                  c("see partial_effects()", if (!types) "take a smaller move")
                })
  warn("carriers",
       sprintf("An effect rests on too few %s: it has no p-value and no interval.", errors$units),
       enumerate(sprintf("%s (about %s of %d)", terms[few], format(round(carriers[few], 1)),
                         errors$count)),
       sprintf("Standard errors that leave %s out are meaningless there%s.", errors$units,
               if (length(remedies)) paste0(": ", paste(remedies, collapse = ", or ")) else ""))
}

# For every term, whatever the output, whether it is carried by too few units for a p-value.
few_units <- function(x) rep_len(too_few(x$carriers, x$count), length(x$difference))

# For every term whether its weights do not balance the rows, or, with a family, the rows are moved
# to where there are none, or their levels are short of basis vectors: the data, or the fit, cannot
# tell the effect.
untold <- function(x) {
  unknown <- x$representer$unknown %||% (x$uncovered %||% numeric(length(x$difference)) > 0)
  unknown | x$short %||% FALSE
}
