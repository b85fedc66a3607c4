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
#' @seealso [partial_effects()] for the table of a regression, [derivatives()] for average slopes.
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
average_effect.sparserls_fit <- function(object, f, from = NULL, by = NULL, newdata, s = NULL,
                                         weights = NULL, type = NULL,
                                         scale = c("response", "link"), newoffset = NULL, ...) {
  # A fit alone has no refits, and says so as derivatives() does; with a family there is the
  # plug-in.
  if (inherits(object, "sparserls_fit") && !is_likelihood(object$family)) {
    own_cross_fits(list(known = object, fit = object, type = "debiased"))
  }
  check_dots(..., known = names(formals()))
  asked <- asked_effects(object, newdata, s, type, weights, scale, newoffset)
  fit <- asked$fit
  if (!is_likelihood(fit$family)) {
    asked$type <- check_choice(if (is.null(asked$type)) "debiased" else asked$type, "debiased",
                               "type")
  }
  data <- if (asked$own) fit_data(fit) else fit_rows(asked$newdata, fit)
  given <- as_given(asked, data)
  offset <- effect_offset(if (asked$own && nrow(data) == fit$nobs) asked else given)
  rows <- fit_weighted(effect_rows(given, offset), asked)
  low <- if (is.null(from)) rows$x else moved_rows(fit, data, from, "from")
  moves <- named_moves(f, data)
  effects <- Map(function(term, move) {
    list(term = term, difference = TRUE, moved = list(low, moved_rows(fit, data, move, "f")))
  }, names(moves), moves)
  new_effects(asked, rows, unname(effects), read_subgroups(by, data, rows$share))
}

#' @rdname average_effect
#' @export
average_effect.sparserls_cv <- at_default_s(average_effect.sparserls_fit)

# ---- data ------------------------------------------------------------------------------

# data: of which a variable that is named in place of a function is shown one.
named_moves <- function(f, data) {
  if (is.function(f)) return(list(effect = f))
  named <- is.list(f) && length(f) > 0 && all(vapply(f, is.function, NA)) && !is.null(names(f))
  must(named && all(names(f) != "") && !anyDuplicated(names(f)), "argument",
       "`f` must be a function of the data, or a list of functions with names.", shown(f),
       if (is.data.frame(data) && is_string(f) && f %in% names(data)) move_example(f, data[[f]])
       else "Write function(d) transform(d, age = age + 10), for example.")
  f
}

# How to move one variable: from the first of its values to the second, or by one.
move_example <- function(name, values) {
  to <- function(value) {
    sprintf("function(d) transform(d, %s = %s)", deparse1(as.name(name), backtick = TRUE), value)
  }
  levels <- if (is.factor(values)) levels(values) else sort(unique(values))
  if (is_leveled(values) || length(levels) == 2) {
    levels <- if (is.numeric(levels)) format(levels) else vapply(levels, deparse1, "")
    return(sprintf("Write f = %s,\nfrom = %s.", to(levels[2]), to(levels[1])))
  }
  sprintf("Write %s.", to(paste(deparse1(as.name(name), backtick = TRUE), "+ 1")))
}

# The rows as a function moves them, coded.
moved_rows <- function(fit, data, f, name) {
  check <- function(fine, problem, given = NULL, remedy = NULL) {
    must(fine, "argument", sprintf(problem, name), given, remedy)
  }
  check(is.function(f), "`%s` must be a function of the data.", shown(f))
  # A function may change a data.table in place.
  moved <- f(if (inherits(data, "data.table")) data.table::copy(data) else data)
  check(identical(dim(moved)[1], dim(data)[1]), "`%s` must return the rows that it gets, moved.",
        shown(moved), sprintf("It gets %s.", shown(data)))
  check(!is.data.frame(data) || identical(rownames(moved), rownames(data)) ||
          !setequal(rownames(moved), rownames(data)), "`%s` must leave the rows in their order.")
  x <- tryCatch(forge(fit$blueprint, moved), sparserls_error_newdata = function(e) {
    returned <- sprintf("`%s(data)`", name)
    abort("argument", sub("`newdata`", returned, e$problem, fixed = TRUE), e$given)
  })
  check(!anyNA(as.vector(x)), "`%s` returns rows with missing values.")
  x
}

# `shares`, rows x subgroups, of which each adds up to one, and their names, NULL where there is one
# average over all rows.
read_subgroups <- function(by, data, share) {
  if (is.null(by)) return(list(shares = cbind(share)))
  part <- subgroup_of(by, data)
  used <- droplevels(part[share > 0])
  must(!anyNA(used), "argument", "`by` has missing values.", counted(sum(is.na(used)), "row"))
  shares <- vapply(levels(used), function(level) {
    inside <- share * (part %in% level)
    inside / sum(inside)
  }, share)
  list(shares = shares, names = levels(used))
}

subgroup_of <- function(by, data, name = "by") {
  if (is.atomic(by) && length(by) == nrow(data)) return(as.factor(by))
  must(is.character(by) && length(by) > 0 && is.data.frame(data) && all(by %in% names(data)),
       "argument", sprintf("`%s` must name columns of the data, or %s.", name,
                           "have a value for each row of the fit"), shown(by))
  interaction(as.list(data[by]), sep = ", ", drop = TRUE)
}
