# What fields of objects may be: conditions, and tables of them by field. An object that comes
# from a file may be damaged or have been edited.

# Whether all is looked at, or what is cheap (check_read()).
look <- new.env()
look$whole <- TRUE

# Whether the entries of x are looked at.
seen <- function(x) look$whole || length(x) <= 1000

# Every condition of the tables sees the fields that they name (NULL where they are not there), the
# sizes, and the whole `object`; what is not TRUE, an error included, is a damage. Of two conditions
# for a field the latter table's holds.
check_fields <- function(object, ...) {
  fields <- unclass(object)
  if (!is.list(fields)) stop_damaged(sprintf("it is %s", describe(fields)))
  tables <- list(...)
  joined <- function(part) do.call(c, lapply(tables, `[[`, part))
  conditions <- joined("conditions")
  conditions <- conditions[!duplicated(names(conditions), fromLast = TRUE)]
  lacking <- setdiff(names(conditions), c(names(fields), joined("optional")))
  if (length(lacking)) stop_damaged(sprintf("without `%s`", lacking[1]))
  known <- setNames(lapply(names(conditions), function(name) fields[[name]]), names(conditions))
  scope <- list2env(c(known, list(object = fields)), parent = environment(check_fields))
  if (!look$whole) conditions <- conditions[names(conditions) %in% joined("read")]
  sizes <- joined("sizes")
  for (name in names(sizes)) {
    eval(call("delayedAssign", name, sizes[[name]], scope, scope))
  }
  wrong <- NULL
  tryCatch(for (name in names(conditions)) {
    wrong <- name
    if (!isTRUE(eval(conditions[[name]], scope))) break
    wrong <- NULL
  }, error = identity)
  if (is.null(wrong)) return(invisible())
  stop_damaged(sprintf("`%s` does not fit (%s)", wrong, describe(fields[[wrong]])))
}

# A table: conditions by field, the sizes they use, the fields that need not be there, and those
# that predictions of new rows read.
field_table <- function(conditions, sizes = expression(), optional = NULL,
                        read = names(conditions)) {
  list(conditions = conditions, sizes = sizes, optional = optional, read = read)
}

stop_damaged <- function(what) {
  abort("object", "The fit is damaged or was not made by this package.", what, "Fit it again.")
}

# Without copies of x.
all_finite <- function(x) length(x) == 0 || (is.finite(max(x)) && is.finite(min(x)))

# Finite, and none so small that digits are lost.
all_normal <- function(x) all_finite(x) && all(x == 0 | abs(x) >= .Machine$double.xmin)

plain_doubles <- function(x, size) is.double(x) && !is.object(x) && length(x) == prod(size)

# Finite numbers; size: a length, or the dimensions.
numbers <- function(x, size = length(x)) {
  plain_doubles(x, size) && (length(size) == 1 || identical(dim(x), as.integer(size))) &&
    (!seen(x) || all_finite(x))
}

# Numbers that may be missing or infinite.
reals <- function(x, size) plain_doubles(x, size)

positions <- function(x, most, size = length(x)) {
  is.integer(x) && !is.object(x) && length(x) == size &&
    (!seen(x) || (!anyNA(x) && all(x >= 1 & x <= most)))
}

strings <- function(x, size = length(x)) {
  is.character(x) && !is.object(x) && length(x) == size && (!seen(x) || !anyNA(x))
}

is_weights <- function(x, m) numbers(x, m) && (!seen(x) || all(x >= 0))

is_flag <- function(x) is.logical(x) && length(x) == 1 && !is.na(x)

among <- function(x, choices) is.character(x) && length(x) == 1 && x %in% choices

is_path <- function(lambda, infinite = FALSE) {
  is.double(lambda) && !is.object(lambda) && length(lambda) > 0 && !anyNA(lambda) &&
    all(lambda > 0) && !is.unsorted(rev(lambda)) && (infinite || all(is.finite(lambda)))
}

# One for every row; of a data frame they may be integers.
is_rownames <- function(names, m) {
  is.null(names) || (is.atomic(names) && !is.object(names) && length(names) == m &&
                        (!seen(names) || !anyNA(names)))
}

# Rows that na.action has removed.
is_omitted <- function(omitted) {
  is.null(omitted) || (inherits(omitted, c("omit", "exclude")) && is.integer(omitted) &&
                         length(omitted) > 0 && !anyNA(omitted) && all(unclass(omitted) >= 1))
}

is_standard <- function(standard, p) {
  is.null(standard) || (is.list(standard) && numbers(standard$centre, p) &&
                          numbers(standard$scale, p) && all(standard$scale > 0))
}

is_table <- function(x) is.data.frame(x) && all(lengths(unclass(x)) == nrow(x))

is_sparse <- function(x, size) {
  is(x, "CsparseMatrix") && isTRUE(validObject(x, test = TRUE)) && is.double(x@x) &&
    identical(dim(x), as.integer(size)) && (!seen(x@x) || all_finite(x@x))
}

# Exponents of two (scaling.R).
is_unit <- function(unit, v) {
  exponents <- unlist(unit)
  is.list(unit) && numbers(unit$y, v) && numbers(unit$lambda, 1) && is.numeric(exponents) &&
    all_finite(exponents) && all(abs(exponents) <= 1e4)
}
