# New rows, coded as the rows of the fit were, by its blueprint (design.R, design-factors.R).

# newdata as a matrix with the columns of the blueprint; rows with missing values stay
# (as NA) where newdata is a data frame. Gaps that na_level() has filled are filled as those of the
# fit were.
forge <- function(blueprint, newdata) {
  if (isTRUE(attr(newdata, "coded"))) {
    attr(newdata, "coded") <- NULL
    return(newdata)
  }
  if (blueprint$type == "terms") return(forge_terms(blueprint, newdata))
  frame <- is.data.frame(newdata)
  newdata <- if (frame) raw_values(newdata) else plain_columns(newdata, "newdata")
  newdata <- pick_columns(newdata, blueprint, colnames(newdata))
  if (frame) {
    other <- newdata[!vapply(newdata, is_numeric_column, NA)]
    must(!length(other), "newdata",
         sprintf("Column `%s` of `newdata` must be numeric, as it was in the fit.",
                 names(other)[1]), shown(other[[1]]))
    newdata <- plain_columns(as.matrix(newdata), "newdata")
  }
  check_finite(newdata, "newdata", missing_ok = frame)
}

# Rows that forge() need not code. (A class would not do: they may be sparse.)
as_coded <- function(x, names) {
  if (!is.null(names)) rownames(x) <- names
  attr(x, "coded") <- TRUE
  x
}

pick_columns <- function(newdata, blueprint, names) {
  if (!is.null(names) && !is.null(blueprint$columns) && !anyDuplicated(blueprint$columns)) {
    check_present(blueprint$columns, names)
    return(newdata[, match(blueprint$columns, names), drop = FALSE])
  }
  if (ncol(newdata) == blueprint$p) return(newdata)
  abort("newdata", sprintf("`newdata` must have %d columns.", blueprint$p),
        sprintf("%d columns", ncol(newdata)))
}

check_present <- function(wanted, present) {
  lacking <- setdiff(wanted, present)
  must(!length(lacking), "newdata", "`newdata` lacks columns that the model was fitted to.",
       enumerate(sprintf("`%s`", lacking)), "Columns are matched by name.")
}

# For fits by terms.
check_newdata_frame <- function(newdata) {
  must(is.data.frame(newdata), "newdata", "`newdata` must be a data frame.", shown(newdata),
       "The model was fitted to a data frame or by a formula.")
}

forge_terms <- function(blueprint, newdata) {
  terms_matrix(blueprint, terms_frame(blueprint, newdata))
}

# The variables of the formula. unknown: what is done with levels that the fit has not seen, of
# known_levels().
terms_frame <- function(blueprint, newdata, unknown = refuse_unknown) {
  check_newdata_frame(newdata)
  check_present(blueprint$needed, names(newdata))
  check_bits(newdata, blueprint$needed, "newdata")
  newdata <- raw_values(newdata)
  # model.frame() warns of lengths, in words of its own, only where `newdata` is the name.
  given <- type_gaps(blueprint, newdata)
  frame <- tryCatch({
    frame <- model.frame(blueprint$terms, given, na.action = na.pass)
    frame <- known_levels(frame, blueprint$xlevels, unknown)
    .checkMFClasses(attr(blueprint$terms, "dataClasses"), frame)
    frame
  }, error = function(e) {
    if (inherits(e, "sparserls_error_newdata")) stop(e)
    abort("newdata", "`newdata` does not fit the model.", conditionMessage(e))
  })
  check_columns(frame, "newdata", matrices_ok = TRUE)
  # Variables that were not in the data of the fit are looked for where the formula was written.
  must(nrow(frame) == nrow(newdata), "newdata",
       "Variables of the formula that `newdata` lacks have another number of rows.",
       c(sprintf("`%s`", setdiff(variable_names(blueprint$terms), names(newdata))),
         sprintf("%d rows, `newdata` %d", nrow(frame), nrow(newdata))),
       "Fit the model to a data frame that holds all variables.")
  frame
}

terms_matrix <- function(blueprint, frame) {
  blueprint_matrix(blueprint, frame, "newdata", missing_ok = TRUE)
}

# A column of which only NA is left may come as a logical, whatever it was in the fit.
type_gaps <- function(blueprint, newdata) {
  types <- attr(blueprint$terms, "dataClasses")
  for (name in setdiff(blueprint$needed, names(types)[types == "logical"])) {
    values <- .subset2(newdata, name)
    if (!is.logical(values) || !all(is.na(values))) next
    levels <- blueprint$xlevels[[name]]
    newdata[[name]] <- if (length(levels)) factor(values, levels) else as.numeric(values)
  }
  newdata
}

unknown_levels <- function(values, known) setdiff(unique(as.character(values)), c(known, NA))

# The variables with the levels of the fit. unknown: a function of a variable's name, its values,
# and its levels, that answers values with known levels.
known_levels <- function(frame, xlevels, unknown) {
  for (name in intersect(names(xlevels), names(frame))) {
    if (!has_levels(frame[[name]])) next
    values <- as.character(frame[[name]])
    if (length(unknown_levels(values, xlevels[[name]]))) {
      values <- unknown(name, values, xlevels[[name]])
    }
    frame[[name]] <- factor(values, xlevels[[name]], ordered = is.ordered(frame[[name]]))
  }
  frame
}

refuse_unknown <- function(name, values, known) {
  abort("newdata", sprintf("Column `%s` of `newdata` has levels the model has not seen.", name),
        quoted(unknown_levels(values, known)),
        sprintf("Known levels: %s. predict(unknown = \"as rare\") places others.",
                quoted(known)))
}
