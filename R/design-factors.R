# The variables of a formula as columns of numbers: contrasts, indicators of all levels, ranks.

#' How factors and gaps are coded
#'
#' @description
#' Says how factor, character and logical variables become numbers, in a formula or in a data frame
#' as `x`. Each counts as one feature, however many levels it has.
#'
#' @details
#' *Gaussian, Laplacian, Matern and custom kernels.* Every level gets an indicator (two levels, two
#' columns), and every interaction of factors one for each cell, so that distances do not depend on
#' the order of levels. An ordered factor is a number, the rank of its level. To standardize, all
#' columns of a factor are divided by the root of the sum of their variances: every variable, factor
#' or number, then adds 2 to the expected squared distance of two rows. Each column of a matrix is a
#' feature.
#'
#' *Linear and polynomial kernels only.* Factors, ordered ones too, are coded by contrasts, as in
#' [stats::lm()], and each column is standardized by itself. Fits depend on the reference level.
#'
#' *Indicators made by hand*, by [stats::model.matrix()] or one-hot coding, are ordinary numbers: a
#' factor of L levels then adds 2 L to the distance. Prefer the factor.
#'
#' *Gaps.* Formulas leave out rows with missing values, unless [na_level()] fills them. Levels that
#' occur only in new rows are an error, unless `unknown` of [predict()][predict.sparserls_fit]
#' places them. A factor with a single level in the rows used is left out, with a message of class
#' `sparserls_message`.
#' @return Fits keep the coding and apply it to new rows.
#' @seealso [sparserls()], [kernels], [na_level()]
#' @examples
#' set.seed(1)
#' d <- transform(prostate, gleason = factor(gleason))
#' cv <- cv.sparserls(lpsa ~ lcavol + age + gleason, data = d, basis = 30)
#' predict(cv, data.frame(lcavol = 1, age = 65, gleason = c("6", "7")))
#' @name factors
NULL

# columns: the names of the data; variables of the formula that are not among them
# are taken from the formula's environment in prediction too. indicators: whether factors are coded
# for kernels that see differences; then `ranked` names ordered ones, whose levels are numbers, and
# `feature` says of every column the number of its feature, and by its names what that is called. It
# is NULL where every column is a feature of its own. `leveled` are those of factors alone. weights:
# of the rows, for the `shares` of levels among them (design-unknown.R); NULL where these are not
# all rows.
terms_blueprint <- function(form, frame, columns, indicators, weights = NULL) {
  xlevels <- .getXlevels(form, frame)
  for (name in names(xlevels)) check_named_levels(xlevels[[name]], name, "x")
  ranked <- if (indicators) Filter(function(name) is.ordered(frame[[name]]), names(xlevels))
  coded <- with_ranks(frame, ranked, xlevels)
  # Indicators of all levels stand next to an intercept, or they would lose a level in interactions.
  if (indicators) attr(form, "intercept") <- 1L
  # Identity matrices: every main effect has a column for each level, and every interaction of
  # factors one for each cell.
  contrasts <- if (indicators) lapply(leveled_factors(form, coded), function(v) {
    matrix(diag(nlevels(v)), nlevels(v), dimnames = list(levels(v), levels(v)))
  })
  x <- or_failed(model_columns(form, coded, contrasts),
                 "The predictors could not be coded as numbers.", topic = "x")
  shares <- if (!is.null(weights)) Map(function(name, levels) {
    c(tapply(weights, factor(frame[[name]], levels), sum, default = 0)) / sum(weights)
  }, names(xlevels), xlevels)
  numbers <- !vapply(frame[term_variables(form)], is_leveled, NA)
  of_factors <- which(colSums(rows_at(attr(form, "factors"), numbers)) == 0)
  list(type = "terms", terms = form, xlevels = xlevels, shares = shares, ranked = ranked,
       contrasts = attr(x, "contrasts"), columns = colnames(x), p = ncol(x),
       feature = if (indicators) column_features(form, coded, x),
       leveled = which(attr(x, "assign") %in% of_factors),
       needed = intersect(variable_names(form), as.character(columns)))
}

# The terms without factors of which the rows have a single level: no column could code them.
# single: of every variable whether it is one.
varying_terms <- function(form, single) {
  if (!any(single)) return(form)
  said <- sprintf("%s: a single level in the rows that are used",
                  enumerate(sprintf("`%s`", term_variables(form)[single])))
  must(!all(attr(form, "factors")[!single, ] == 0), "x", "No predictor varies.", said,
       "Factors need two levels among the rows.")
  inform(sprintf("Left out: %s.", said))
  without_variables(form, single)
}

single_levels <- function(form, frame) {
  vapply(frame[term_variables(form)], function(v) {
    has_levels(v) && length(unique(v[!is.na(v)])) < 2
  }, NA)
}

# Ordered factors as the numbers of their levels.
with_ranks <- function(frame, ranked, levels) {
  for (name in ranked) {
    frame[[name]] <- as.double(match(as.character(frame[[name]]), levels[[name]]))
  }
  frame
}

# All columns of a term with factors, or with gaps that are filled, are one feature, called by the
# term; other columns are features by themselves. The attribute `counts` says what columns count
# within their feature, NULL where all count alike (design-na-level.R).
column_features <- function(form, frame, x) {
  variables <- frame[term_variables(form)]
  filled <- vapply(variables, function(v) inherits(v, "na_level") && is.matrix(v), NA)
  joined <- filled | vapply(variables, is_leveled, NA)
  whole <- which(colSums(attr(form, "factors") > 0 & joined) > 0)
  if (!length(whole)) return(NULL)
  term <- attr(x, "assign")
  joint <- term %in% whole
  key <- ifelse(joint, -term, seq_along(term))
  feature <- match(key, unique(key))
  names(feature) <- ifelse(joint, attr(form, "term.labels")[term], colnames(x))
  if (any(filled)) attr(feature, "counts") <- column_counts(form, variables[filled], x)
  feature
}

# The product of what its variables count: an indicator of gaps has a count of its own.
column_counts <- function(form, filled, x) {
  counts <- rep(1, ncol(x))
  for (name in names(filled)) {
    variable <- rownames(attr(form, "factors"))[match(name, term_variables(form))]
    indicator <- grepl(sprintf(":%s.missing:", variable), sprintf(":%s:", colnames(x)),
                       fixed = TRUE)
    counts[indicator] <- counts[indicator] * indicator_count(filled[[name]])
  }
  counts
}

# Whether factors are coded by one indicator for every level, ordered ones by ranks. Distances
# between rows depend on the contrasts: with treatment contrasts two levels are sqrt(2) apart, but
# one from the first level. Inner products depend on them too, but there the reference level is what
# users of lm() expect.
sees_levels <- function(kernels) !all(vapply(kernels, kernel_trait, "", "argument") == "product")

# The variables that have levels, as factors.
leveled_factors <- function(form, frame) {
  variables <- frame[intersect(term_variables(form), names(frame))]
  lapply(Filter(is_leveled, variables), function(v) {
    if (is.logical(v)) factor(v, c(FALSE, TRUE)) else as.factor(v)
  })
}

# The model matrix without its intercept, if it has one: the intercept of the fit is `intercept`. As
# in lm(), the first factor of a formula without an intercept has a column for every level.
model_columns <- function(form, frame, contrasts) {
  x <- model.matrix(form, frame, contrasts.arg = contrasts)
  kept <- attr(x, "assign") != 0
  structure(columns_at(x, kept), contrasts = attr(x, "contrasts"),
            assign = attr(x, "assign")[kept])
}

blueprint_matrix <- function(blueprint, frame, name, missing_ok = FALSE) {
  frame <- with_ranks(frame, blueprint$ranked, blueprint$xlevels)
  x <- model_columns(blueprint$terms, frame, blueprint$contrasts)
  attributes(x)[c("contrasts", "assign")] <- NULL
  read_matrix(x, name, missing_ok, rows_ok = TRUE)
}
