# What the objects of this package are: a condition for every field in terms of the others. An
# object that comes from a file may be damaged or have been edited: every method asks check_model(),
# or check_read() where time counts, before it, or the numeric core, reads the fields.

# The whole look: fields that all fits share, and those of object_table() (verbs.R).
check_model <- function(object) UseMethod("check_model")

check_model.default <- function(object) {
  table <- object_table(object)
  if (is.null(table)) stop_damaged(sprintf("it is %s", describe(object)))
  check_fields(object, table)
}

check_model.sparserls_fit <- function(object) {
  check_fields(object, shared_fields(), object_table(object))
}

check_model.sparserls_cv <- function(object) {
  fit <- fit_field(object)
  family <- sub("cv.", "", class(object)[1], fixed = TRUE)
  if (!inherits(fit, family)) stop_damaged(sprintf("`fit` is %s", describe(fit)))
  check_model(fit)
  check_fields(object, object_table(object))
}

# The same of what predictions of new rows read, but for the entries of large blocks, which takes
# time that grows with the data: what is not finite there shows in what is made of it, and whoever
# makes it then asks check_model(). (Points are looked at: kernels of distances make finite numbers
# of any.)
check_read <- function(object) {
  look$whole <- FALSE
  on.exit(look$whole <- TRUE)
  check_model(object)
}

# That field of what has not been checked yet.
fit_field <- function(object) {
  fields <- unclass(object)
  if (!is.list(fields)) stop_damaged(sprintf("it is %s", describe(fields)))
  fields[["fit"]]
}

# The fit of a cross-validation, which is checked.
cv_fit <- function(object) {
  check_model(object)
  object$fit
}

# Of data_fields(), in m rows, v outputs and p columns.
shared_fields <- function() field_table(expression(
  call = is.call(call), nobs = is_count(nobs), blueprint = is_blueprint(blueprint),
  response = is_response(response, m, v), columns = is.null(columns) || strings(columns, p),
  weights = is_weights(weights, m), rownames = is_rownames(rownames, m),
  na.action = is_omitted(na.action), terms = is.null(terms) || inherits(terms, "terms"),
  dummies = is.null(dummies) || positions(dummies, p),
  offset = is.null(offset) || is_offset(offset, m), marks = is.null(marks) || reals(marks, m)
), expression(m = nobs, v = ncol(response$y), p = blueprint$p),
c("columns", "dummies", "offset", "marks"),
c("blueprint", "response", "columns", "offset"))
