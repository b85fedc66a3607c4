#' Average effects of changing the rows
#'
#' What a policy, a treatment or any other change of the rows does to the prediction, on average:
#' the fitted function at the changed rows minus that at the rows as they are. Averages are debiased
#' like those of [derivatives()], with standard errors over rows or groups, for any kernel.
#'
#' Changed rows must lie where the data are: check `summary()` and `plot(x, "weights")`.
#'
#' @param object a result of [cv.sparserls()], [cv.rls()] or [cv.ardrls()] with `keep = TRUE` and
#'   folds that hold out each row once; with a `family` any fit or cross-validation.
#' @param f a function of the data that returns them changed, with rows in the same order, such as
#'   `function(d) transform(d, age = age + 10)`; or a named list of such functions. It gets the data
#'   frame of the fit (or the matrix `newdata`).
#' @param from a function like `f` for the start of the change. Default: the rows as they are; those
#'   that `f` leaves unchanged then contribute zero.
#' @param by subgroups, one result term each: the name of a column of the data (several: their
#'   combinations), or a value for each row.
#' @param newdata the rows of the fit, needed only without a formula; with a `family` any rows.
#' @param s a single value of lambda, see [predict.sparserls_fit()].
#' @param weights one weight for each row in the averages; `NULL`: those of the fit.
#' @param type,scale,newoffset with a `family`, as in [derivatives()]: averages are then those of
#'   the penalized fit (means or linear predictors); changed rows keep their offsets. For least
#'   squares `type` is `"debiased"`.
#' @param ... unused.
#' @return A list of classes `average_effect` and `derivatives`, as [derivatives()] returns it:
#'   `derivatives` are the changes of the prediction by row (NA outside a term's subgroup), `x` the
#'   coded features, `vcov` spans all terms. [effect_contrasts()] gives differences between
#'   subgroups or policies.
#' @section Errors: As in [derivatives()]; `sparserls_error_newdata` also for rows that are not
#'   those of the fit, `sparserls_error_argument` if `f` adds, drops or reorders rows.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, basis = 30, keep = TRUE)
#' decade <- average_effect(cv, function(d) transform(d, age = 70),
#'                          from = function(d) transform(d, age = 60))
#' summary(decade)
#' by_svi <- average_effect(cv, function(d) transform(d, age = age + 5), by = "svi")
#' effect_contrasts(by_svi)
#' @export
average_effect <- function(object, ...) UseMethod("average_effect")

#' @rdname average_effect
#' @export
average_effect.sparserls_fit <- function(object, f, from = NULL, by = NULL, newdata, s = NULL,
                                         weights = NULL, type = NULL,
                                         scale = c("response", "link"), newoffset = NULL, ...) {
  # A fit alone has no refits, and says so before `f` is called; with a family there is the plug-in.
  if (inherits(object, "sparserls_fit") && !has_family(object)) {
    own_cross_fits(list(known = object, fit = object, type = "debiased"))
  }
  check_dots(...)
  asked <- asked_effects(object, newdata, s, type, weights, scale, newoffset)
  fit <- asked$fit
  if (!has_family(fit)) {
    asked$type <- check_choice(type %||% "debiased", "debiased", "type")
  }
  asked["newdata"] <- list(fit_rows(asked$newdata, fit))
  rows <- effect_rows(asked)
  low <- if (is.null(from)) rows$x else moved_rows(fit, rows$data, from, "from")
  moves <- named_moves(f, rows$data)
  effects <- Map(function(term, move) {
    list(term = term, difference = TRUE,
         moved = list(low, moved_rows(fit, rows$data, move, "f")))
  }, names(moves), moves)
  parts <- read_subgroups(by, rows, rows$share > 0)
  outside <- vapply(effects, function(effect) {
    far <- lapply(effect_ends(fit, rows, effect), function(x) rows_outside(fit, x, asked$lambda))
    sum(far[[1]] | far[[2]])
  }, 0)
  warn_outside(max(outside), "after the move",
               "Averages over them extrapolate: a smaller move asks for less.")
  new_effects(asked, rows, unname(effects), parts)
}

#' @rdname average_effect
#' @export
average_effect.sparserls_cv <- at_default_s(average_effect.sparserls_fit)

# ---- data ------------------------------------------------------------------------------

# data: of which a variable that is named in place of a function is shown one.
named_moves <- function(f, data) {
  if (is.function(f)) return(list(effect = f))
  named <- is.list(f) && length(names(f)) && tell_apart(names(f))
  must(named && all(vapply(f, is.function, NA)), "argument",
       "`f` must be a function of the data, or a list of functions with names.", shown(f),
       if (is.data.frame(data) && is_string(f) && f %in% names(data)) move_example(f, data[[f]])
       else "Write function(d) transform(d, age = age + 10), for example.")
  f
}

# How to move one variable: from the first of its values to the second, or by one.
move_example <- function(name, values) {
  name <- as_written(name)
  to <- function(value) sprintf("function(d) transform(d, %s = %s)", name, value)
  levels <- if (is.factor(values)) levels(values) else sort(unique(values))
  ends <- vapply(levels[1:2], deparse1, "", control = NULL)
  if (is_leveled(values) || length(levels) == 2) {
    sprintf("Write f = %s,\nfrom = %s.", to(ends[2]), to(ends[1]))
  } else sprintf("Write %s.", to(paste(name, "+ 1")))
}

# The rows as a function moves them, coded.
moved_rows <- function(fit, data, f, name) {
  check <- function(fine, problem, given = NULL, remedy = NULL) {
    must(fine, "argument", sprintf(problem, name), given, remedy)
  }
  check(is.function(f), "`%s` must be a function of the data.", shown(f))
  # A function may change a data.table in place.
  moved <- f(if (inherits(data, "data.table")) data.table::copy(data) else data)
  check(identical(dim(moved)[1], dim(data)[1]), "`%s` must return the rows that it gets, changed.",
        shown(moved), sprintf("It gets %s.", shown(data)))
  check(!is.data.frame(data) || identical(rownames(moved), rownames(data)) ||
          !setequal(rownames(moved), rownames(data)), "`%s` must leave the rows in their order.")
  x <- tryCatch(forge(fit$blueprint, moved), sparserls_error_newdata = function(e) {
    abort("argument", sub("newdata", sprintf("%s(data)", name), e$problem, fixed = TRUE), e$given)
  })
  check(!anyNA(as.vector(x)), "`%s` returns rows with missing values.")
  x
}

# Parts of the complete rows, of those that are `used`: `within`, logical, rows x parts, and their
# `names`, NULL where all are one part.
read_subgroups <- function(by, rows, used) {
  if (is.null(by)) return(list(within = cbind(used)))
  part <- subgroup_of(by, rows$data)[rows$complete]
  must(!anyNA(part[used]), "argument", "`by` has missing values.",
       counted(sum(is.na(part[used])), "row"))
  levels <- levels(droplevels(part[used]))
  list(within = used & outer(as.character(part), levels, "=="), names = levels)
}

subgroup_of <- function(by, data, name = "by") {
  if (is.atomic(by) && length(by) == nrow(data)) return(as.factor(by))
  must(is.character(by) && length(by) > 0 && is.data.frame(data) && all(by %in% names(data)),
       "argument", sprintf("`%s` must name columns of the data, or %s.", name,
                           "have a value for each row of the fit"), shown(by))
  interaction(as.list(data[by]), sep = ", ", drop = TRUE)
}
