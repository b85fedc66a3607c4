# Offsets: what is known of every row's prediction beforehand, and is not fitted. A design and the
# fits to it have a field `offset`, NULL or a list of
#   values   m numbers, the sum of all that were given
#   terms    those that are evaluated for new rows, ~ offset(log(time)), or NULL
#   needed   the columns of the data that these read
#   given    whether some were given as values, which new rows cannot know

# For an argument `offset` alongside a matrix x of m rows.
given_offset <- function(offset, m) {
  if (!is.null(offset)) offset_field(check_offset(offset, m, "offset"), list(), NULL, TRUE)
}

# One number for each of m rows. topic: of the error; gaps: whether numbers may be missing.
check_offset <- function(offset, m, name, topic = "offset", gaps = FALSE) {
  offset <- row_values(offset, m, name, topic)
  check_finite(matrix(offset), name, gaps, topic)
  offset
}

# ---- of a formula's call -------------------------------------------------------------------

# What the rows of a model frame have by offset() in the formula or by the call's argument.
# columns: the names of the data; argument: of offset_argument().
frame_offset <- function(frame, columns, argument) {
  form <- attr(frame, "terms")
  at <- attr(form, "offset")
  parts <- Filter(length, c(as.list(frame[at]), list(frame$`(offset)`)))
  names <- c(vapply(variable_calls(form)[at], deparse1, ""), "offset")
  values <- Map(check_offset, parts, nrow(frame), names[seq_along(parts)])
  calls <- c(lapply(as.list(attr(form, "predvars"))[-1][at], `[[`, 2), argument)
  offset_field(Reduce(`+`, unname(values)), calls, environment(form),
               !is.null(frame$`(offset)`) && is.null(argument), columns)
}

# calls: what is evaluated for new rows. Its terms are one offset() of their sum: of equal terms a
# formula keeps one.
offset_field <- function(values, calls, env, given, columns = needed) {
  needed <- as.character(unlist(lapply(calls, all.vars)))
  sum <- Reduce(function(a, b) call("+", a, b), calls)
  list(values = values, needed = intersect(needed, columns), given = given,
       terms = if (length(calls)) terms(as.formula(call("~", call("offset", sum)), env)))
}

# The argument as an expression of columns of the data, which new rows have, too; otherwise NULL.
offset_argument <- function(call) {
  expression <- call$offset
  columns <- names(call$data)
  if (is.character(expression) && length(expression) == 1) expression <- as.name(expression)
  variables <- all.vars(expression)
  if (length(variables) && all(variables %in% columns)) expression
}

# ---- of fits -----------------------------------------------------------------------------------

response_less_offset <- function(fit) less_offset(fit$response$y, fit$offset)

# For some rows; NULL stands for zeros.
offset_of <- function(offset, rows) if (is.null(offset)) numeric(length(rows)) else offset[rows]

# ---- of new rows -----------------------------------------------------------------------------

# One for each row of newdata, NULL where the fit has none; NA where a variable is missing.
# newoffset: what the user gave in their place, or NULL.
new_offset <- function(fit, newdata, newoffset) {
  offset <- fit$offset
  if (!is.null(offset) && fit$blueprint$type == "terms") check_newdata_frame(newdata)
  if (!is.null(newoffset)) {
    must(!is.null(offset), "offset", "`newoffset` is for fits with an offset; this one has none.",
         NULL, "Leave it out, or fit with `offset`.")
    m <- NROW(newdata)
    return(check_offset(if (length(newoffset) == 1) rep(newoffset, m) else newoffset, m,
                        "newoffset"))
  }
  if (is.null(offset)) return(NULL)
  must(!offset$given, "offset",
       "The fit has an offset that was given as values: new rows need theirs.", NULL,
       "Give `newoffset`, one number for each row; 0 is none.")
  check_present(offset$needed, names(newdata))
  frame <- or_failed(model.frame(offset$terms, newdata, na.action = na.pass),
                     "The offset of `newdata` could not be evaluated.", topic = "newdata")
  check_offset(frame[[1]], nrow(newdata), names(frame), "newdata", gaps = TRUE)
}

# Predictions of numbers, of whatever shape, and their ends, with the offsets of the rows.
plus_offset <- function(predicted, offset) {
  if (is.null(offset)) predicted
  else if (is.list(predicted)) replace(predicted, "fit", list(predicted$fit + offset))
  else predicted + offset
}
