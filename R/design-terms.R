# The terms of a formula: their variables, and what they may hold.

# Names in the model frame of the variables of a formula without response.
term_variables <- function(form) vapply(variable_calls(form), deparse1, "")

# The name of a column as formulas have it: with backticks if it needs them.
as_written <- function(name) deparse1(as.name(name), backtick = TRUE)

variable_calls <- function(form) as.list(attr(form, "variables"))[-1]

# Columns, or variables elsewhere, that the terms are about.
variable_names <- function(form) all.vars(attr(form, "variables"))

# The terms without the response, and without variables that are in no term: a fit of y ~ . - site
# does not know `site`, and new rows need not have it.
predictor_terms <- function(form) {
  form <- delete.response(form)
  kept <- attributes(form)
  used <- rowSums(kept$factors) > 0
  kept$variables <- kept$variables[c(TRUE, used)]
  kept$predvars <- kept$predvars[c(TRUE, used)]
  kept$factors <- rows_at(kept$factors, used)
  kept$dataClasses <- kept$dataClasses[setdiff(names(kept$dataClasses), names(used)[!used])]
  kept$offset <- NULL
  attributes(form) <- kept
  form
}

check_terms <- function(form) {
  must(attr(form, "response") != 0, "formula", "The formula has no response.", NULL,
       "Write y ~ x1 + x2.")
  must(length(attr(form, "term.labels")) > 0, "formula", "The formula has no predictors.", NULL,
       "Write y ~ . for all columns.")
  # model.matrix() would leave its column as the memory happens to be.
  must(!any(attr(form, "factors")[attr(form, "response"), ] > 0), "formula",
       "The response is one of the predictors, too.",
       sprintf("`%s`", term_variables(form)[attr(form, "response")]),
       "Leave it out on the right-hand side.")
}

# Terms in which these variables no longer are.
without_variables <- function(form, gone) {
  factors <- attr(form, "factors") > 0
  labels <- apply(factors & !gone, 2, function(used) paste(rownames(factors)[used], collapse = ":"))
  new <- terms(reformulate(setdiff(labels, ""), intercept = attr(form, "intercept") == 1,
                           env = environment(form)))
  old <- term_variables(form)
  classes <- attr(form, "dataClasses")
  attr(new, "predvars") <- attr(form, "predvars")[c(1, match(term_variables(new), old) + 1)]
  attr(new, "dataClasses") <- classes[setdiff(names(classes), old[gone])]
  new
}

# ---- calls ---------------------------------------------------------------------------------------

# Looked for in the data, where the formula was written, and where the call was; NULL where it is
# not found, which model.frame() will say. Functions, as stats::df, are no labels. `..1` is what a
# function was called with that hands its dots on: it is known where that was called.
label_value <- function(expression, call, env) {
  if (is.symbol(expression) && grepl("^[.][.][0-9]+$", expression)) return(eval(expression, env))
  for (place in list(environment(call$formula), env)) {
    value <- or_null(eval(expression, call$data, place))
    if (!is.null(value) && !is.function(value)) return(value)
  }
}

frame_arguments <- c("formula", "data", "subset", "na.action", "weights", "offset")

# A formula method's call as one of model.frame().
frame_call <- function(call, arguments) {
  call <- call[c(1L, match(arguments, names(call), 0L))]
  call[[1L]] <- quote(stats::model.frame)
  call
}

# groups = "site" means the column: a single string is no label for every row. NULL for values.
named_column <- function(value, argument, columns) {
  must(!inherits(value, "formula"), "formula",
       sprintf("`%s` must be a column of `data`, or values.", argument), deparse1(value),
       sprintf("Write %s = %s.", argument, all.vars(value)[1]))
  if (!is.character(value) || length(value) != 1) return(NULL)
  must(value %in% columns, "formula",
       sprintf("`%s` is a single string, but no column of `data`.", argument),
       shown(value), if (length(columns)) suggest(value, columns))
  value
}
