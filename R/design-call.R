# A formula method's call as one of model.frame(), and the labels of rows that it names.

# Looked for in the data, where the formula was written, and where the call was; NULL where it is
# not found, which model.frame() will say. Functions, as stats::df, are no labels.
label_value <- function(expression, name, call, env) {
  if (is_dots_symbol(expression)) return(dots_value(expression, name, names(call$data), env))
  for (place in list(environment(call$formula), env)) {
    value <- tryCatch(eval(expression, call$data, place), error = function(e) NULL)
    if (!is.null(value) && !is.function(value)) return(value)
  }
}

# `..1` is what a function was called with that hands its dots on: it is evaluated where that was
# called, and only once.
is_dots_symbol <- function(expression) {
  is.symbol(expression) && grepl("^[.][.][0-9]+$", as.character(expression))
}

dots_value <- function(expression, name, columns, env) {
  tryCatch(eval(expression, env), error = function(e) {
    written <- deparse1(dots_argument(expression, env))
    column <- if (written %in% columns) written else "column"
    abort("formula", sprintf("`%s` could not be evaluated.", name),
          c(sprintf("%s = %s, handed on by ...", name, written), conditionMessage(e)),
          sprintf("Through ... a column is named by a string: %s = \"%s\".", name, column))
  })
}

# The argument as it was written there.
dots_argument <- function(expression, env) {
  place <- as.integer(sub("..", "", as.character(expression), fixed = TRUE))
  eval(quote(substitute(list(...))), env)[[place + 1L]]
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
  if (value %in% columns) return(value)
  abort("formula", sprintf("`%s` is a single string, but no column of `data`.", argument),
        shown(value), if (length(columns)) suggest(value, columns))
}
