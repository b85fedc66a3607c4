#' Average effects of moving the rows
#'
#' What it does to the prediction, on average over the rows, to move them: the effect of a policy,
#' of a treatment, or any other average difference of the fitted function at moved rows and at the
#' rows as they are; debiased as the averages of [derivatives()] are, with standard errors over
#' rows or groups.
#'
#' @param object a result of [cv.sparserls()], [cv.rls()] or [cv.ardrls()] with `keep = TRUE`, whose
#'   folds divide the rows. With a `family` any fit or cross-validation.
#' @param f a function of the data that returns them moved, such as
#'   `function(d) transform(d, age = age + 10)`, or a named list of such functions, each an effect.
#'   It gets the rows of the fit, a data frame as the fit had it (or the matrix `newdata`), and
#'   returns as many rows, in their order.
#' @param from a function like `f`: effects are those of moving from there to `f`, as
#'   `function(d) transform(d, treated = 0)`. The default leaves the rows as they are.
#' @param by what makes subgroups: names of columns of the data, or a vector or factor with a value
#'   for each row of the fit. The average is then over the rows of every subgroup, a term for each.
#' @param newdata the rows of the fit. Fits by a formula with `data` may leave it out.
#' @param s a single value of lambda, see [predict.sparserls_fit()].
#' @param weights one weight for each row of the fit in the averages; `NULL`: those of the fit.
#' @param type,scale,newoffset of fits with a `family`, as in [derivatives()]: there are no debiased
#'   averages, but those of the fit itself with errors by the jackknife or the sandwich, of means or
#'   of linear predictors. Offsets stay as they are, whatever `f` moves. Of least squares `type` is
#'   `"debiased"`.
#' @param ... unused.
#' @return A list of classes `average_effect` and `derivatives`, with the fields of [derivatives()]:
#'   `derivatives` are the changes of the fitted function for every row (NA outside of a term's
#'   subgroup), `x` the coded features, `vcov` the joint covariance of all terms. Its methods are
#'   those of [derivatives()]. [effect_contrasts()] has differences between subgroups, or between
#'   policies; it is a model for `marginaleffects::hypotheses()`, too. Kernels need no derivative.
#' @section What it takes on trust: That moved rows are where the data are: a policy that moves rows
#'   out of the range of the others asks for what the data do not know. Its weights then do not
#'   balance: look at `plot(x, "weights")` and at the effective sample size. Averages over subgroups
#'   have weights of their own, and need not add up to the average over all rows.
#' @section Errors: `sparserls_error_family` for debiased averages with a `family`,
#'   `sparserls_error_keep`, `sparserls_error_folds`, `sparserls_error_newdata` where
#'   the rows are not those of the fit, `sparserls_error_argument` for what is no function or
#'   returns other rows.
#' @references
#' Chernozhukov, V., Newey, W. K. and Singh, R. (2022) Automatic debiased machine learning of causal
#' and structural effects. *Econometrica* 90, 967-1027.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' older <- average_effect(cv, function(d) transform(d, age = age + 5))
#' summary(older)
#' by_svi <- average_effect(cv, function(d) transform(d, age = age + 5), by = "svi")
#' by_svi
#' effect_contrasts(by_svi)
#' @export
average_effect <- function(object, ...) {
  UseMethod("average_effect")
}

#' @rdname average_effect
#' @export
average_effect.sparserls_cv <- function(object, f, from = NULL, by = NULL, newdata,
                                        s = default_s(object), weights = NULL, type = NULL,
                                        scale = c("response", "link"), newoffset = NULL, ...) {
  check_dots(..., known = names(formals()))
  average_effect_at(object, f, from, by, newdata, s, weights, type, scale, newoffset)
}

# A fit alone has no refits, and says so as derivatives() does; with a family there is the plug-in.
#' @rdname average_effect
#' @export
average_effect.sparserls_fit <- function(object, f, from = NULL, by = NULL, newdata, s = NULL,
                                         weights = NULL, type = NULL,
                                         scale = c("response", "link"), newoffset = NULL, ...) {
  if (!is_likelihood(object$family)) {
    own_cross_fits(object, object, NULL, object$lambda, "debiased")
  }
  check_dots(..., known = names(formals()))
  average_effect_at(object, f, from, by, newdata, s, weights, type, scale, newoffset)
}

average_effect_at <- function(object, f, from, by, newdata, s, weights, type, scale, newoffset) {
  part <- single_fit(object, s, refuse_selected)
  fit <- part$fit
  data <- if (missing(newdata)) fit_data(fit) else fit_rows(newdata, fit)
  rows <- effect_rows(fit, data, weights, if (missing(newdata) && nrow(data) == fit$nobs) {
    effect_offset(fit, scale = scale, newoffset = newoffset)
  } else effect_offset(fit, data, scale, newoffset))
  if (is.null(weights)) rows <- weighted_as_fit(rows, part)
  likelihood <- is_likelihood(fit$family)
  if (!likelihood && !is.null(type)) check_choice(type, "debiased", "type")
  # There are none with a family, which is said where no type was asked for.
  cross <- if (is.null(type) || identical(type, "debiased")) {
    own_cross_fits(part$known, fit, rows, part$lambda, if (likelihood) type else "debiased")
  }
  low <- if (is.null(from)) rows$x else moved_rows(fit, data, from, "from")
  effects <- lapply(named_moves(f), function(move) {
    list(term = move$term, difference = TRUE,
         moved = list(low, moved_rows(fit, data, move$f, "f")))
  })
  subgroups <- read_subgroups(by, data, rows$share)
  averages <- if (likelihood) {
    plugin_averages(part$known, fit, rows, part$lambda, type, effects, subgroups$shares)
  } else {
    c(in_user_units(debiased_averages(cross, fit, rows, effects, subgroups$shares)),
      list(type = "debiased"))
  }
  with_calls(new_average_effect(averages, fit, rows, part$lambda, effects, subgroups), object$call)
}

# Of the fit itself, with errors as derivatives() has them: columns are the effects of the first
# subgroup, then of the next one.
plugin_averages <- function(object, fit, rows, lambda, type, effects, shares) {
  of <- effects_of(rows)
  parts <- lapply(seq_len(ncol(shares)), function(k) replace(rows, "share", list(shares[, k])))
  value <- function(part, at) {
    do.call(rbind, lapply(parts, function(rows) of(part, rows, effects, at)$average))
  }
  found <- lapply(parts, function(rows) of(fit, rows, effects, expansion_at(fit, lambda)))
  averages <- list(value = value, constant = 0,
                   functionals = do.call(cbind, lapply(found, `[[`, "functionals")))
  if (!is.null(found[[1]]$gradient)) averages$gradient <- function() {
    each <- lapply(found, function(part) part$gradient())
    list(functionals = do.call(cbind, lapply(each, `[[`, "functionals")),
         constant = unlist(lapply(each, `[[`, "constant")))
  }
  type <- error_type(object, fit, lambda, type, averages)
  average <- do.call(rbind, lapply(found, `[[`, "average"))
  c(list(average = average, type = type),
    average_errors(object, fit, lambda, type, averages, dim(average)))
}

# averages: of debiased_averages() or plugin_averages(); subgroups: of read_subgroups().
new_average_effect <- function(averages, fit, rows, lambda, effects, subgroups) {
  found <- effects_of(rows)(fit, rows, effects, expansion_at(fit, lambda))
  outputs <- if (ncol(fit$response$y) > 1) output_names(fit$response)
  labels <- vapply(effects, `[[`, "", "term")
  terms <- if (is.null(subgroups$names)) labels
           else as.vector(outer(labels, subgroups$names, paste, sep = ", "))
  each <- rep(seq_along(effects), length.out = length(terms))
  share <- subgroups$shares[, rep(seq_len(ncol(subgroups$shares)), each = length(effects)),
                            drop = FALSE]
  values <- warn_derivatives(found$values[, each, , drop = FALSE])
  plugin <- colSums(as.vector(share) * values)
  values[rep(as.vector(share == 0), dim(values)[3])] <- NA
  named <- function(values) if (!is.null(values)) name_terms(values, list(terms), outputs)
  debiased <- averages$type == "debiased"
  if (debiased) warn_few(terms, averages$carriers, averages$count, averages$units, FALSE,
                         types = FALSE)
  structure(list(
    call = fit$call, derivatives = name_terms(values, list(rows$names, terms), outputs),
    average = named(averages$average), std.error = named(averages$std.error),
    vcov = name_terms(averages$covariance, list(terms, terms), outputs),
    df = averages$df, type = averages$type, units = averages$units, count = averages$count,
    carriers = if (debiased) setNames(averages$carriers, terms), lambda = lambda,
    difference = setNames(rep(TRUE, length(terms)), terms), x = as.matrix(rows$x),
    nobs = sum(rows$share > 0), scale = effect_scale(fit, rows),
    titles = lapply(seq_len(ncol(fit$response$y)), function(output) drawn_output(fit, output)),
    joint = averages$joint, plugin = if (debiased) named(plugin),
    correction = named(averages$correction),
    representer = if (debiased) {
      c(averages$representer, list(target = moved_by(fit, rows, effects, subgroups$shares)))
    }
  ), class = c("average_effect", "derivatives"))
}

# By how much the columns of x move on average, columns x (effects x subgroups).
moved_by <- function(fit, rows, effects, shares) {
  changes <- lapply(effects, function(effect) column_moves(fit, rows, effect, shares))
  order <- order(rep(seq_len(ncol(shares)), length(effects)))
  unname(do.call(cbind, changes)[, order, drop = FALSE])
}

# ---- data ------------------------------------------------------------------------------

# The data of a fit by a formula as the user has them.
fit_data <- function(fit) {
  frame <- if (!is.null(fit$terms) && !is.null(fit$call$data)) {
    tryCatch(eval(fit$call$data, environment(fit$terms)), error = function(e) NULL)
  }
  if (!is.data.frame(frame)) {
    abort("newdata", "`newdata` is missing, and the data of the fit cannot be found again.", NULL,
          "Give the rows of the fit as `newdata`.")
  }
  fit_rows(frame, fit)
}

# Of more rows those of the fit, by their names: without what `subset` and gaps left out.
fit_rows <- function(data, fit) {
  if (!is.data.frame(data) || nrow(data) <= fit$nobs || is.null(fit$rownames)) return(data)
  at <- match(fit$rownames, rownames(data))
  if (anyNA(at)) data else data[at, , drop = FALSE]
}

named_moves <- function(f) {
  if (missing(f)) f <- NULL
  if (is.function(f)) return(list(list(term = "effect", f = f)))
  fine <- is.list(f) && length(f) > 0 && all(vapply(f, is.function, NA))
  if (!fine || is.null(names(f)) || any(names(f) == "") || anyDuplicated(names(f))) {
    abort("argument", "`f` must be a function of the data, or a list of functions with names.",
          shown(f), "Write function(d) transform(d, age = age + 10), for example.")
  }
  unname(Map(function(term, f) list(term = term, f = f), names(f), f))
}

# The rows as a function moves them, coded.
moved_rows <- function(fit, data, f, name) {
  if (!is.function(f)) {
    abort("argument", sprintf("`%s` must be a function of the data.", name), shown(f))
  }
  # A function may change a data.table in place.
  moved <- f(if (inherits(data, "data.table")) data.table::copy(data) else data)
  if (!identical(dim(moved)[1], dim(data)[1])) {
    abort("argument", sprintf("`%s` must return the rows that it gets, moved.", name),
          shown(moved), sprintf("It gets %s.", shown(data)))
  }
  if (is.data.frame(data) && !identical(rownames(moved), rownames(data)) &&
        setequal(rownames(moved), rownames(data))) {
    abort("argument", sprintf("`%s` must leave the rows in their order.", name))
  }
  x <- tryCatch(forge(fit$blueprint, moved), sparserls_error_newdata = function(e) {
    returned <- sprintf("`%s(data)`", name)
    abort("argument", sub("`newdata`", returned, e$problem, fixed = TRUE), e$given)
  })
  if (anyNA(as.vector(x))) {
    abort("argument", sprintf("`%s` returns rows with missing values.", name))
  }
  x
}

# `shares`, rows x subgroups, of which each adds up to one, and their names, NULL where there is one
# average over all rows.
read_subgroups <- function(by, data, share) {
  if (is.null(by)) return(list(shares = cbind(share)))
  part <- subgroup_of(by, data)
  used <- droplevels(part[share > 0])
  if (anyNA(used)) {
    abort("argument", "`by` has missing values.", counted(sum(is.na(used)), "row"))
  }
  shares <- vapply(levels(used), function(level) {
    inside <- share * (part %in% level)
    inside / sum(inside)
  }, share)
  list(shares = shares, names = levels(used))
}

subgroup_of <- function(by, data) {
  if (is.atomic(by) && length(by) == nrow(data)) return(as.factor(by))
  known <- is.character(by) && length(by) > 0 && is.data.frame(data) && all(by %in% names(data))
  if (known) return(interaction(as.list(data[by]), sep = ", ", drop = TRUE))
  abort("argument", "`by` must name columns of the data, or have a value for each row of the fit.",
        shown(by))
}
