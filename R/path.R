# Paths: the values that one training serves. A list with one vector for each axis, the first
# running fastest wherever predictions or errors are laid out: list(lambda = ) or
# list(k = , lambda = ). Every axis is ordered from the simplest model on (lambda falls, k grows),
# so that the first of equals is the simpler one. Where models are of several kinds these come one
# after the other, each with values in order, which may be those of another kind, too.

# kind: of every value, where there are several.
new_path <- function(..., kind = NULL) {
  path <- list(...)
  for (name in names(path)) {
    values <- path[[name]]
    must(!anyNA(values), name, sprintf("A path of `%s` must not have missing values.", name),
         shown(values), "Leave them out.")
    parts <- if (is.null(kind)) list(values) else split(values, kind)
    sorted <- function(order) !any(vapply(lapply(parts, order), is.unsorted, NA))
    # What is simple is the family's matter, except for lambda.
    must(sorted(rev) || (name != "lambda" && sorted(identity)), name,
         sprintf("A path of `%s` must go from the simplest model on.", name), shown(values),
         if (name == "lambda") "Use sort(lambda, decreasing = TRUE)."
         else sprintf("Sort `%s`.", name))
  }
  structure(path, class = "sparserls_path")
}

# The rules for being as good as the best: an error of at most the smallest plus its standard error;
# or a mean difference from the best, on the same rows, of at most the standard error of that
# difference ("1se", "paired").
is_paired <- function(rule) identical(rule, "paired")

# Positions of the smallest error, and of the simplest model that is as good along the first axis;
# `column`: the position on the other axis. error: cvm and cvsd over the path, and `squared`, which
# decides among equals, or NULL. differences_from: NULL for the usual rule; or a function of a
# position, which answers cvm and cvsd of the differences from it.
choose_point <- function(path, error, maximize, differences_from = NULL) {
  rows <- length(path[[1]])
  column <- (best_of(error$cvm, maximize, error$squared) - 1L) %/% rows + 1L
  along <- (column - 1L) * rows + seq_len(rows)
  best <- best_of(error$cvm[along], maximize, error$squared[along])
  paired <- !is.null(differences_from)
  if (paired) error <- differences_from(along[best])
  loss <- (if (maximize) -error$cvm else error$cvm)[along]
  slack <- ifelse(is.na(error$cvsd), 0, error$cvsd)[along]
  good <- if (paired) loss <= slack else loss <= loss[best] + slack[best]
  c(min = best, `1se` = which(replace(good, best, TRUE))[[1]], column = column)
}

# Both chosen positions among all points of the path, the first axis running fastest.
path_chosen <- function(path, index) {
  path_choice(index) + length(path[[1]]) * (index[["column"]] - 1L)
}

# The chosen positions on the first axis, which are all that a fit with one axis needs.
path_choice <- function(choice) choice[names(choice) != "column"]

# Position of the smallest error. Among equals, within rounding, the smaller squared error decides
# (errors that are counted are often equal), then the first, the simpler one.
best_of <- function(cvm, maximize, squared = NULL) {
  best <- smallest(if (maximize) -cvm else cvm)
  if (length(best) > 1 && !is.null(squared)) best <- best[smallest(squared[best])]
  best[[1]]
}

smallest <- function(loss) which(loss <= min(loss) + tolerance("tie") * abs(min(loss)))

# ---- axes ------------------------------------------------------------------------

# How users ask a fit for points of its path: along the first axis, of which the fit says
#   name      of the field that has its values, and of what a cross-validation has chosen on it:
#             <name>.min and <name>.1se. Errors of reading it are of class sparserls_error_<name>
#   values    from the simplest model on
#   kind      of every value, where there are several; values may then be repeated
#   between   whether there are predictions between the values. Then a point is a value; otherwise
#             it is a position among them
#   argument  of predict() and its like that takes its values
#   read      a function of this argument: the points, checked; of NULL those that the fit shows
#             where nothing is asked for
#   words     what it takes apart from the names of what was chosen, in messages
#   labels    a function of points: the names of their columns in results
#   heading   of a column of values in prints
#   title     in plots
#   chosen    "min" and "1se", first the one that a cross-validation predicts at
#   most      how many points a summary shows at most
path_axis.default <- function(fit) {
  new_axis("lambda", fit$lambda, function(s) path_values(fit, s), "values of lambda", "Lambda",
           between = TRUE, title = expression(lambda))
}

new_axis <- function(name, values, read, words, heading, argument = "s", between = FALSE,
                     labels = function(points) sprintf("s%d", seq_along(points)),
                     chosen = c("min", "1se"), title = heading, most = 5, kind = NULL) {
  replace(as.list(environment()), "read", list(function(at) {
    if (inherits(at, "path_position")) as.integer(at) else read(at)
  }))
}

# Positions where others give values, which need not tell points apart.
new_position <- function(at) structure(at, class = "path_position")

# The points at some positions among the values.
points_at <- function(axis, at) if (axis$between) axis$values[at] else at

# What a cross-validation has chosen along.
chosen_axis <- function(cv) path_axis(cv$fit)$name

# The points that were chosen, "min" and "1se", named as the fields with their values.
chosen_at <- function(cv, axis = path_axis(cv$fit)) {
  index <- cv$index[, 1]
  setNames(points_at(axis, index), paste(axis$name, names(index), sep = "."))
}

# The one point of an `at` that stands for a single one. NULL: where points are those of a set the
# least simple one.
path_point <- function(fit, at) {
  axis <- path_axis(fit)
  points <- if (is.null(at) && !axis$between) length(axis$values) else axis$read(at)
  must(length(points) == 1, axis$name,
       sprintf("`%s` must be a single value%s here.", axis$argument,
               if (axis$between) paste(" of", axis$name) else ""),
       shown(at %||% axis$values),
       if (!axis$between) sprintf("The path is %s.", enumerate(format_steps(axis), 12)))
  points
}

# As they are printed.
format_values <- function(values) vapply(values, format, "", digits = 3, scientific = 1)

# Where one string has to tell the values of an axis apart. The first kind goes without saying.
format_steps <- function(axis) {
  kind <- axis$kind
  values <- format_values(axis$values)
  if (is.null(kind)) values else ifelse(kind == kind[1], values, paste(kind, values))
}

# The same of points, in messages.
format_points <- function(axis, points, ...) {
  if (axis$between) format(points, ...) else format_steps(axis)[points]
}

# What a cross-validation predicts at where nothing is asked for.
default_s <- function(cv) {
  axis <- path_axis(cv$fit)
  paste(axis$name, axis$chosen[1], sep = ".")
}

# Where every output is asked for at a lambda of its own (cv-object.R).
by_output <- function(object, s) {
  isTRUE(s %in% c("lambda.min.output", "lambda.1se.output")) &&
    inherits(object, "sparserls_cv") && chosen_axis(object) == "lambda"
}

# What `at` is for the fit: of a cross-validation it may be names of what was chosen.
cv_values <- function(object, at, axis = path_axis(object$fit)) {
  given <- is.numeric(at) || is.list(at) || is.null(at)
  if (given || !inherits(object, "sparserls_cv")) return(at)
  known <- paste(axis$name, axis$chosen, sep = ".")
  if (!is.character(at) || length(at) == 0 || !all(at %in% known)) {
    abort(axis$name, sprintf("`%s` must be %s or %s.", axis$argument, quoted(known, Inf),
                             axis$words), shown(at))
  }
  points <- chosen_at(object, axis)[at]
  if (axis$between) points else new_position(points)
}

# Degrees of freedom along the path, of several outputs the mean; NULL of families that know none.
path_df <- function(fit) if (is.matrix(fit$df)) rowMeans(fit$df) else fit$df

# The null model: the same number for all rows, to the eye (default_lambda() begins there).
null_df <- 0.05

# df: NA of families that know none.
is_null_df <- function(df) !is.na(df) & df <= null_df

# s as numbers within the path, or the whole path; with a family, between whose values there is
# nothing, as values of the path.
path_values <- function(object, s) {
  if (is.null(s)) return(object$lambda)
  if (inherits(s, "sparserls_df")) {
    must(!is.null(object$spectrum), "lambda",
         "lambda_df() is for least squares by sparserls() and rls().", NULL,
         "The field `df` of the fit has the degrees of freedom of its path.")
    s <- solve_df(s, object$spectrum$values)
  }
  must(is.numeric(s) && length(s) > 0 && !anyNA(s), "lambda",
       "`s` must be numbers, values of lambda.", shown(s))
  if (inherits(object, "glmrls")) {
    at <- match_points(s, object$lambda)
    must(!anyNA(at), "lambda", "With a family `s` must be values of the path of `lambda`.",
         format(s[is.na(at)][1]),
         sprintf("The path has %s; fit with `lambda` of your own for others.",
                 enumerate(format(object$lambda, digits = 5, trim = TRUE))))
    return(object$lambda[at])
  }
  range <- range(object$lambda)
  slack <- 1e-8
  outside <- s < range[1] * (1 - slack) | s > range[2] * (1 + slack)
  if (!any(outside)) return(as.double(s))
  abort("lambda", "`s` is outside the path of `lambda`.", format(s[outside][1]),
        sprintf("The path goes from %s to %s; fit again with more values of `lambda`.",
                format(range[1], digits = 4), format(range[2], digits = 4)))
}

# Positions of values that users give, or that are kept, among those of a path: equal to ten digits,
# NA where there is none.
match_points <- function(values, path) match(signif(values, 10), signif(path, 10))

# Points as positions among the values, where what is kept for those is asked for.
path_positions <- function(fit, at) {
  axis <- path_axis(fit)
  if (!axis$between) return(axis$read(at))
  if (is.null(at)) return(seq_along(axis$values))
  found <- match_points(axis$read(at), axis$values)
  must(!anyNA(found), axis$name,
       sprintf("Fitted values are kept for the values of `%s` in the path only.", axis$name),
       format(unlist(at)[is.na(found)][1]), "Use predict() with the training rows as `newdata`.")
  found
}

# Whether all points are values of the path.
is_on_path <- function(fit, at) {
  axis <- path_axis(fit)
  !axis$between || !anyNA(match_points(axis$read(at), axis$values))
}

# at: what a user gives for the axis, of a fit or of a cross-validation's.
path_points <- function(fit, at) path_axis(fit)$read(at)

path_labels <- function(fit, at) {
  if (is.numeric(at) && !is.null(names(at))) return(names(at))
  axis <- path_axis(fit)
  axis$labels(axis$read(at))
}
