# What effects and their curves show: print, summary and tidy.

#' @rdname derivatives
#' @importFrom stats printCoefmat pt
#' @export
print.derivatives <- function(x, digits = print_digits(), ...) {
  print_head(x$call, describe_derivatives(x))
  table <- coefficient_table(x)
  print(table[setdiff(names(table), c("statistic", "p.value"))], digits = digits)
  if (!is.null(x$shrunk)) writeLines(verdict_lines(x))
  invisible(x)
}

# What standard errors are of.
describe_errors <- function(x) {
  over <- function(what) paste(what, "over", units_of(x))
  switch(x$type,
    none = "without standard errors",
    debiased = over("debiased by cross-fitted balancing weights, standard errors"),
    gp = "standard errors by the Gaussian-process view",
    partial = c(sprintf("adjusted like regression coefficients%s: not averages over the rows",
                        if (isTRUE(x$straight)) "" else ", by curves"),
                over("standard errors")),
    over(paste("standard errors by the", x$type))
  )
}

units_of <- function(x) paste(x$count, if (x$units == "folds") "outer folds" else x$units)

describe_derivatives <- function(x) {
  partial <- inherits(x, "partial_effects")
  slopes <- !partial && !inherits(x, "average_effect")
  says <- function(text, these, ...) {
    terms <- names(x$difference)[these %in% TRUE]
    # A single function without a name.
    name <- if (identical(terms, "effect")) "this move" else enumerate_terms(terms)
    if (length(terms)) sprintf(text, name, ...)
  }
  unknown <- untold(x) & !x$short %||% FALSE
  few <- few_units(x) & !untold(x)
  # Between the few values of a number no row says what the slope of a curve is.
  few_values <- function(values) length(unique(values)) %in% 2:10
  stepped <- if (slopes && x$curved) {
    !x$difference & !grepl(":", names(x$difference)) & apply(x$x, 2, few_values)
  }
  c(describe_average(x, if (partial) "Partial effects" else if (slopes) "Average derivatives"
                        else "Average effects", if (slopes) " of the " else " on the "),
    describe_errors(x),
    if (length(x$interactions)) sprintf("without %s: average_effect(by = ) compares subgroups",
                                        enumerate(x$interactions)),
    says("no p-values of %s: the estimate rests on too few %s", few, x$units),
    says(if (partial) "no p-values: the other features determine %s"
         else "no p-values: the data cannot determine the effect of %s", unknown),
    says("no errors of %s: levels with too few basis vectors\n(%s)", x$short, x$short_remedy),
    if (any(x$uncovered > 0)) {
      c(sprintf("(%s of the rows are moved to where no row has that level;",
                enumerate(sprintf("%.0f %%", 100 * x$uncovered[x$uncovered > 0]))),
        " give rows where both levels occur as `newdata`)")
    },
    says("few distinct values of %s: average_effect() compares two of them", stepped),
    if (slopes && any(x$difference)) "* first differences")
}

# Names with commas in them, as those of subgroups have, need another mark between them.
enumerate_terms <- function(terms) {
  if (any(grepl(",", terms, fixed = TRUE))) terms <- dQuote(terms, FALSE)
  enumerate(terms)
}

# With what effects are of, of classes and of fits with a family.
describe_average <- function(x, what, before) {
  scales <- c(link = "linear predictor", response = "mean", score = "scores, coded -1/+1,")
  paste0(what, if (!is.null(x$scale)) paste0(before, scales[[x$scale]]), " over ",
         counted(x$nobs, "row"),
         if (!is.null(x$lambda)) paste0(", lambda ", format(x$lambda, digits = 4)))
}

# The positions of terms that an argument names or numbers.
term_numbers <- function(x, terms, name) {
  known <- names(x$difference)
  at <- if (is.character(terms)) match(terms, known) else terms
  must(is.numeric(at) && length(at) > 0 && all(at %in% seq_along(known)), "argument",
       sprintf("`%s` must name or number the terms.", name), shown(terms),
       quoted(known, 10))
  at
}

# Names of terms; first differences have a star, moved rows are always one.
starred <- function(x) {
  plain <- inherits(x, c("average_effect", "partial_effects"))
  paste0(names(x$difference), ifelse(x$difference & !plain, "*", ""))
}

# A row for each term and output; what is debiased stands alongside the average of the fit itself.
coefficient_table <- function(x) {
  tidied <- tidy_derivatives(x)
  # On held-out rows the share may be below zero.
  if (!is.null(tidied$explained)) tidied$explained <- pmax(tidied$explained, 0)
  tidied$plugin <- as.vector(x$plugin)
  columns <- c("estimate", "std.error", "plugin", "explained", "statistic", "p.value")
  data.frame(tidied[intersect(columns, names(tidied))], row.names = average_names(x, starred(x)))
}

# For all averages: of several outputs with these.
average_names <- function(x, terms = names(x$difference)) {
  with_outputs(terms, colnames(x$average))
}

with_outputs <- function(terms, outputs) {
  if (is.null(outputs)) terms else paste0(rep(outputs, each = length(terms)), ": ", terms)
}

# An error of zero, as of a constant column, or what is no number any more, tests nothing; no
# p-value where too few units carry the term, or the data cannot tell it. level: of intervals, which
# there are where p-values are.
tidy_derivatives <- function(x, level = NULL) {
  estimate <- as.vector(x$average)
  error <- as.vector(x$std.error)
  statistic <- replace(estimate / error, !is.finite(error) | error == 0, NA)
  p <- replace(2 * pt(-abs(statistic), x$df),
               rep_len(few_units(x) | untold(x), length(statistic)), NA)
  out <- cbind(labelled(names(x$difference), colnames(x$average)), estimate = estimate,
               std.error = error, statistic = statistic, p.value = p)
  if (!is.null(x$explained)) out$explained <- unname(rep_len(x$explained, nrow(out)))
  if (is.null(level)) return(out)
  cbind(out, interval_ends(estimate, replace(error, is.na(p), NA), x$df, level))
}

# As columns of a table.
interval_ends <- function(estimate, error, df, level) {
  ends <- unname(interval_matrix(estimate, error, df, NULL, level = level))
  data.frame(conf.low = ends[, 1], conf.high = ends[, 2])
}

# Terms with the names of outputs, where there are some.
labelled <- function(terms, outputs) {
  out <- data.frame(term = rep(terms, max(1, length(outputs))))
  out$output <- rep(outputs, each = length(terms))
  out
}

#' @rdname derivatives
#' @usage
#' \method{tidy}{derivatives}(x, conf.int = FALSE, conf.level = 0.95, ...)
#' @param conf.int,conf.level whether `tidy()` adds intervals, `conf.low` and `conf.high`, and their
#'   level.
#' @rawNamespace S3method(generics::tidy,derivatives)
tidy.derivatives <- function(x, conf.int = FALSE, conf.level = 0.95, ...) {
  check_table_dots(...)
  as_table(tidy_derivatives(x, if (check_flag(conf.int, "conf.int")) conf.level))
}

# modelsummary hands on arguments that are its own matter, and no `vcov`.
check_table_dots <- function(...) {
  given <- list(...)
  own <- c("coef_rename", "gof_map", if (is.null(given[["vcov"]])) "vcov")
  others <- setdiff(seq_along(given), which(names(given) %in% own))
  do.call(check_dots, c(given[others], list(known = above())))
}

#' @rdname tidiers
#' @usage NULL
#' @exportS3Method generics::glance
glance.derivatives <- function(x, ...) {
  check_table_dots(...)
  as_table(data.frame(known(nobs = x$nobs, lambda = x$lambda, type = x$type, df.residual = x$df)))
}

#' @rdname derivatives
#' @export
summary.derivatives <- function(object, ...) {
  check_dots(...)
  table <- coefficient_table(object)
  # Partial effects have none of single rows.
  quartiles <- if (!is.null(object$derivatives)) {
    values <- matrix(object$derivatives, nrow(object$x))
    colnames(values) <- rownames(table)
    t(apply(values, 2, quantile, c(0.25, 0.5, 0.75), na.rm = TRUE))
  }
  structure(list(call = object$call, description = describe_derivatives(object),
                 coefficients = table, quartiles = quartiles, linear = curved_terms(object),
                 verdicts = verdict_lines(object)),
            class = "summary.derivatives")
}

# In words, the partial effects that a single number does not describe.
curved_terms <- function(x) {
  p <- as.vector(x$linear)
  curved <- which(p < 0.05)
  if (length(curved)) {
    values <- format.pval(p[curved], digits = 2)
    values <- ifelse(startsWith(values, "<"), values, paste("=", values))
    sprintf("One number does not describe %s: look at effect_curve().",
            enumerate(sprintf("%s (p %s)", average_names(x)[curved], values)))
  }
}

#' @export
print.summary.derivatives <- function(x, digits = print_digits(), ...) {
  print_head(x$call, x$description)
  table <- as.matrix(x$coefficients)
  labels <- c(estimate = "Estimate", std.error = "Std. Error", plugin = "Plug-in",
              explained = "Explained", statistic = "t value", p.value = "Pr(>|t|)")
  colnames(table) <- labels[colnames(table)]
  if (all(is.na(table[, 2]))) print(columns_at(table, 1), digits = digits)
  else printCoefmat(table, digits = digits, cs.ind = seq_len(ncol(table) - 2),
                    tst.ind = ncol(table) - 1, has.Pvalue = TRUE,
                    signif.stars = is.null(x$verdicts) && getOption("show.signif.stars", TRUE))
  if ("Explained" %in% colnames(table)) {
    cat("\nExplained: the share of the term's variance that other features explain.\n")
  }
  if (length(x$verdicts)) cat("\n", paste0(x$verdicts, "\n"), sep = "")
  if (length(x$linear)) cat("\n", paste0(strwrap(x$linear, 80), "\n"), sep = "")
  if (is.null(x$quartiles)) return(invisible(x))
  debiased <- "Plug-in" %in% colnames(table)
  cat("\nQuartiles over the rows", if (debiased) ", of the fit itself", ":\n\n", sep = "")
  print(x$quartiles, digits = digits)
  invisible(x)
}

# ---- curves ----------------------------------------------------------------------------

#' @rdname effect_curve
#' @export
print.effect_curve <- function(x, digits = print_digits(), ...) {
  check_dots(...)
  count <- length(x$values)
  shown <- if (is.character(x$values)) seq_len(count) else even_rows(count, 7)
  print_head(x$call, c(describe_curve(x), if (length(shown) < count) {
    sprintf("%d of %d values are shown", length(shown), count)
  }))
  table <- curve_table(x)[c(if (length(x$titles) > 1) "output", "value", "estimate", "std.error")]
  names(table)[names(table) == "value"] <- x$feature
  print(table[rep(seq_len(count), length.out = nrow(table)) %in% shown, ], digits = digits,
        row.names = FALSE)
  invisible(x)
}

describe_curve <- function(x) {
  c(paste0(describe_average(x, paste("Effect of", x$feature), " on the "), ", ",
           if (isTRUE(x$centre)) "minus its mean over the rows"
           else if (isFALSE(x$centre)) "not centred"
           else paste("minus that at", format(x$centre))),
    describe_errors(x),
    if (any(x$few)) sprintf("no intervals where the effect rests on too few %s", x$units),
    if (any(x$short)) {
      sprintf("no errors at %s: too few basis vectors\n(%s)", enumerate(x$values[x$short]),
              x$short_remedy)
    })
}

# A row for each value and output, with the ends of pointwise intervals.
curve_table <- function(x, level = 0.95) {
  estimate <- as.vector(x$estimate)
  error <- as.vector(x$std.error)
  cbind(labelled(rep(x$feature, length(x$values)), colnames(x$estimate)), value = x$values,
        estimate = estimate, std.error = error,
        interval_ends(estimate, replace(error, x$few | !is.finite(error), NA), x$df, level))
}

#' @rdname effect_curve
#' @usage NULL
#' @export
summary.effect_curve <- function(object, ...) {
  check_dots(...)
  table <- curve_table(object)
  table$statistic <- table$estimate / replace(table$std.error, table$std.error == 0, NA)
  table
}

#' @rdname effect_curve
#' @usage
#' \method{tidy}{effect_curve}(x, conf.level = 0.95, ...)
#' @rawNamespace S3method(generics::tidy,effect_curve)
tidy.effect_curve <- function(x, conf.level = 0.95, ...) {
  check_dots(...)
  as_table(curve_table(x, conf.level))
}
