# Held-out losses of cross-validations, unit by unit: what comparisons and importance are made of.

#' Comparison of cross-validations
#'
#' Which of several models predicts better, and is the difference more than noise? Gives the
#' differences of held-out losses on the same rows and folds, with paired standard errors.
#'
#' Models may be of any kind, as long as the rows, their response and weights, the folds and the
#' loss are the same. Each is taken at the point where its cross-validation predicts
#' (`"lambda.min"`, for [cv.ardrls()] `"penalty.1se"`).
#'
#' After a choice among many candidates (kernels, widths) the error is too small, and so are
#' differences from it. If all models have been cross-validated with the same `outer` folds, the
#' columns `outer.` compare the honest errors of the whole choice; the error of [cv.ardrls()] is one
#' of these. Standard errors cover the variation of the scored rows, not of the training rows
#' (Nadeau and Bengio, 2003): a difference of two standard errors is weaker evidence than it looks.
#' @param ... results of `cv.` functions with `keep = TRUE`; the others are compared with the first.
#'   Models are named by the names of the arguments or of the variables
#'   (`model 2` if the argument is a call).
#' @return A list of class `sparserls_comparison`: `table`, a data frame of `model`, `estimate` (its
#'   held-out error), `difference` (minus that of the first) and its `std.error`, and with outer
#'   folds the same of these; `measure` and `validated` (see [importance()]: AUC, concordance and
#'   your own functions are replaced by the mean squared error or the deviance); `nobs`, `nfolds`,
#'   `units` ("rows" or "groups") and their `count`. `tidy()` returns the table.
#' @section The same folds: `foldid = first$foldid` takes those of another cross-validation; if
#'   `first` has left rows out, `folds = split(first$fit$rows, first$foldid)`. [cv.ardrls()] takes
#'   `outer = split(seq_along(first$foldid), first$foldid)`.
#' @section Errors: `sparserls_error_argument` for arguments that are not cross-validations, and for
#'   different rows, weights or losses; `sparserls_error_folds` for different folds and for rows
#'   that are held out more than once; `sparserls_error_keep` without `keep = TRUE`.
#' @references Nadeau, C. and Bengio, Y. (2003) Inference for the generalization error. *Machine
#'   Learning* 52, 239-281.
#' @examples
#' set.seed(1)
#' gaussian <- cv.sparserls(lpsa ~ . - train, prostate, basis = 30, keep = TRUE)
#' linear <- cv.rls(lpsa ~ . - train, prostate, foldid = gaussian$foldid, keep = TRUE)
#' compare(linear, gaussian)
#' @export
compare <- function(...) {
  cvs <- list(...)
  must(length(cvs) > 1, "argument", "compare() needs two cross-validations or more.")
  # do.call() passes the objects themselves, which have no words.
  written <- vapply(as.list(substitute(list(...)))[-1],
                    function(one) if (is.language(one)) deparse1(one) else "", "")
  written[nchar(written) > 30] <- "" # too wide for a table
  written <- given_names(setNames(cvs, written), paste("model", seq_along(cvs)))
  names(cvs) <- given_names(cvs, written)
  same_folds <- function() sprintf(
    if (is.null(cvs[[1]]$fit$rows)) "Use foldid = %1$s$foldid (for cv.ardrls() see ?compare)."
    else "Use folds = split(%1$s$fit$rows, %1$s$foldid) (for cv.ardrls() see ?compare).",
    written[1])
  chosen <- Map(function(cv, name) {
    must(inherits(cv, "sparserls_cv"), "argument", "compare() takes results of `cv.` functions.",
         shown(cv), "For lm() use cv.rls(lambda = 1e-6); for other methods see ?own.")
    scores <- tryCatch(chosen_scores(cv), sparserls_error_keep = function(e) {
      abort("keep", sprintf("`%s` has not kept its refits.", name), NULL,
            paste(e$remedy, same_folds()))
    })
    list(scores = scores, fold = cv$refits$fold)
  }, cvs, names(cvs))
  check_same_rows(cvs)
  table <- paired_errors(cvs, chosen, "folds", same_folds())
  honest <- lapply(cvs, honest_scores)
  if (all(lengths(honest))) {
    remedy <- "Use outer = split(seq_along(%1$s$nested$foldid), %1$s$nested$foldid)."
    outer <- paired_errors(cvs, honest, "outer folds", sprintf(remedy, written[1]))
    table <- cbind(table, setNames(outer, paste0("outer.", names(outer))))
  }
  structure(c(list(table = cbind(model = names(cvs), table)), loss_facts(cvs[[1]])),
            class = "sparserls_comparison")
}

# Names, or others where there are none.
given_names <- function(x, others) {
  given <- names(x) %||% character(length(x))
  ifelse(given == "", others, given)
}

# Deviances of different families are different losses.
check_same_rows <- function(cvs) {
  asked <- lapply(cvs, function(cv) {
    response <- cv$fit$response
    list(y = if (is_class(response)) response$levels[true_classes(response)]
             else as.vector(response$y),
         weights = as.vector(cv$fit$weights),
         loss = toString(c(cv$name, if ("deviance" %in% names(cv$name)) cv$fit$family$label)))
  })
  remedies <- c(`other rows or another response` = "Take the same rows in the same order.",
                `other weights` = "Give all of them the same `weights`.",
                `another loss` = "Use the same `type.measure` (\"mse\", say).")
  for (name in names(cvs)) for (i in seq_along(remedies)) {
    parts <- lapply(asked[c(name, names(cvs)[1])], `[[`, i)
    must(identical(parts[[1]], parts[[2]]), "argument",
         sprintf("`%s` has %s than the first model.", name, names(remedies)[i]),
         paste(vapply(parts, shown, ""), collapse = " and "), remedies[[i]])
  }
}

# A row for each model: its error, the difference from that of the first, and its standard error.
# found: of each a list of `scores`, rows x outputs, and the `fold` of every row; what: these folds;
# remedy: what gives others those of the first model.
paired_errors <- function(cvs, found, what, remedy) {
  numbered <- function(fold) match(fold, unique(fold))
  fold <- found[[1]]$fold
  for (name in names(cvs)) {
    must(identical(numbered(found[[name]]$fold), numbered(fold)), "folds",
         sprintf("`%s` has other %s than the first model.", name, what), NULL, remedy)
  }
  each <- Map(unit_losses, cvs, lapply(found, `[[`, "scores"), list(fold))
  units <- list(value = joined(each, "value", cbind), weight = each[[1]]$weight)
  difference <- weighted_difference(units, 1)
  other <- c(NA, rep(1, length(cvs) - 1))
  data.frame(estimate = weighted_error(units)$cvm, difference = other * difference$cvm,
             std.error = other * difference$cvsd)
}

# ---- held-out predictions ----------------------------------------------------------------

# Those at the point that a cross-validation predicts at, rows x outputs.
chosen_scores <- function(cv) {
  must(is.null(cv$fit$chunks), "object", "Held-out rows in chunks are not in memory.", NULL,
       "Cross-validate some of them in memory.")
  matrix(cv_refits(cv)$scores[, , chosen_refit(cv)], cv$fit$nobs)
}

# The position of that point in refits$at.
chosen_refit <- function(cv) {
  refit_point(cv, path_point(cv$fit, cv_values(cv, default_s(cv))))
}

# Those of outer folds, which all of cv.ardrls() are; NULL where none divide the rows.
honest_scores <- function(cv) {
  if (inherits(cv, "cv.ardrls")) list(scores = chosen_scores(cv), fold = cv$refits$fold)
  else if (!is.null(cv$nested$foldid)) list(scores = cv$nested$scores, fold = cv$nested$foldid)
}

# ---- losses ------------------------------------------------------------------------------

# The measure of a cross-validation where it is a loss of rows, else the first of its table.
row_measure <- function(cv) {
  table <- if (has_family(cv$fit)) family_measures(cv$fit$family) else measures
  measure <- table[[names(cv$name)]]
  if (any(c("loss", "rows") %in% names(measure))) measure else table[[1]]
}

# The mean loss of every unit, a row or a group, under several models: `value`, units x models, and
# `weight`, in the order of their first rows. scores: an array rows x outputs x models, or a list of
# matrices. Where the measure is a root r = sqrt(mean l) units have (l / r + r) / 2: their mean is
# r, and differences have the standard errors of the delta method.
unit_losses <- function(cv, scores, fold = cv$refits$fold) {
  fit <- cv$fit
  row <- which(!is.na(fold) & fit$weights > 0)
  pair <- if (is.null(cv$refits$groups)) row else cv$refits$groups[row]
  scores <- matrix(unlist(scores), fit$nobs)[row, , drop = FALSE]
  held <- list(row = row, pair = match(pair, unique(pair)),
               scores = array(scores, c(length(row), output_count(fit),
                                        ncol(scores) / output_count(fit))))
  measure <- row_measure(cv)
  units <- loss_units(held, list(design = fit, validation = list(measure = measure)))
  if (!isTRUE(measure$root)) return(units)
  root <- each_row(sqrt(weighted_error(units)$cvm), units$value)
  units$value[] <- ifelse(root > 0, (units$value / root + root) / 2, 0)
  units
}

# How messages name them.
loss_facts <- function(cv) {
  list(measure = row_measure(cv)$label, validated = cv$name[[1]], nobs = nobs(cv),
       nfolds = cv$nfolds, units = units_by(cv$ngroups), count = cv$ngroups %||% nobs(cv))
}

# The two lines of a print.
loss_lines <- function(x) {
  c(paste0("Held-out loss: ", x$measure, if (x$validated != x$measure) {
    sprintf(" (%s is not a mean over rows)", x$validated)
  }),
    sprintf("%s in %d folds, paired standard errors over %d %s", counted(x$nobs, "row"), x$nfolds,
            x$count, x$units))
}

# A table with as many decimals in a column as its largest number needs.
print_rounded <- function(table, digits) {
  for (j in seq_len(ncol(table))) {
    largest <- max(abs(table[, j]), 0, na.rm = TRUE)
    if (largest > 0) table[, j] <- round(table[, j], max(0, digits - 1 - floor(log10(largest))))
  }
  print(table, na.print = "")
}

#' @export
print.sparserls_comparison <- function(x, digits = print_digits(), ...) {
  cat("", loss_lines(x), "", sep = "\n")
  table <- as.matrix(x$table[-1])
  labels <- c("Error", "Difference", "SE", "Outer error", "Difference", "SE")
  dimnames(table) <- list(x$table$model, labels[seq_len(ncol(table))])
  print_rounded(table, digits)
  cat("\nDifferences from ", x$table$model[1], if (ncol(table) > 3) {
    ". Outer: the whole choice, in outer folds"
  }, ".\n", sep = "")
  invisible(x)
}

#' @rdname compare
#' @param x a result of `compare()`.
#' @usage
#' \method{tidy}{sparserls_comparison}(x, ...)
#' @exportS3Method generics::tidy
tidy.sparserls_comparison <- function(x, ...) as_table(x$table)
