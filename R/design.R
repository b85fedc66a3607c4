# What every fitting function reads: x as a numeric matrix (dense, or a sparse
# CsparseMatrix), y, the labels that belong to rows, and the `blueprint` that turns
# new data into the same columns. `rows` are the positions of the rows in the data as
# supplied, before `subset` and the removal of missing values; `rownames` their names, or numbers
# where the data have no names and rows were removed, NULL where names would say nothing.

new_design <- function(x, y, blueprint, weights = NULL, labels = list(),
                       rows = seq_len(nrow(x)), supplied = nrow(x), intercept = TRUE,
                       rownames = base::rownames(x), terms = NULL, na.action = NULL,
                       codes = NULL) {
  response <- read_response(y, nrow(x))
  structure(
    list(x = x, response = response, blueprint = blueprint,
         weights = check_weights(weights, nrow(x)), balance = class_balance(weights, response),
         labels = labels, rows = rows, supplied = supplied, intercept = intercept,
         rownames = rownames, terms = terms, na.action = na.action, codes = codes),
    class = "sparserls_design"
  )
}

# What a fit keeps of its data.
data_fields <- function(design) {
  list(nobs = nrow(design$x), response = design$response, weights = design$weights,
       blueprint = design$blueprint, columns = colnames(design$x), rownames = design$rownames,
       terms = design$terms, na.action = design$na.action, dummies = dummy_columns(design$x))
}

# The columns that hold zeros and ones and nothing else.
dummy_columns <- function(x) {
  if (!is.matrix(x)) return(which(diff(x@p) < nrow(x) & column_all(x@x == 1, x@p) & diff(x@p) > 0))
  some <- x[even_rows(nrow(x), 20), , drop = FALSE]
  maybe <- which(unname(colSums(some == 0 | some == 1)) == nrow(some))
  maybe[vapply(maybe, function(j) {
    ones <- sum(x[, j] == 1)
    ones > 0 && ones < nrow(x) && sum(x[, j] == 0) + ones == nrow(x)
  }, NA)]
}

# Of the stored entries of sparse columns, which start after those of p: whether all are TRUE.
column_all <- function(entries, p) diff(c(0, cumsum(!entries))[p + 1]) == 0

# Names of a data frame's rows; NULL where they are just numbered, 1 to the number supplied.
frame_rownames <- function(frame, supplied = nrow(frame)) {
  names <- attr(frame, "row.names")
  if (!identical(names, seq_len(supplied))) names
}

# kernels: those of the call, which say how factors are coded; NULL for features.
as_design <- function(x, y, weights, kernels = NULL) {
  if (inherits(x, "sparserls_design")) return(x)
  if (inherits(x, "sparserls_frame")) return(code_frame(x, kernels))
  if (missing(y)) abort("y", "`y` is missing.")
  if (is.data.frame(x)) {
    if (nrow(x) == 0) abort("x", "`x` has no rows.")
    plain <- !inherits(x, "na_level_frame") && all(vapply(x, is_numeric_column, NA))
    if (!plain) return(frame_design(x, y, weights, kernels))
    x <- as.matrix(x)
  }
  x <- read_matrix(x, "x")
  new_design(x, y, matrix_blueprint(x), weights)
}

# ---- matrices ----------------------------------------------------------------

is_numeric_column <- function(column) {
  plain <- !is.object(column) || inherits(column, "AsIs")
  is.null(dim(column)) && plain && (is_real(column) || is.logical(column))
}

matrix_blueprint <- function(x) {
  list(type = "matrix", columns = colnames(x), p = ncol(x))
}

# Errors about x, z and data have the class `x`, those about newdata one of their own.
matrix_topic <- function(name) if (name == "newdata") "newdata" else "x"

read_matrix <- function(x, name, missing_ok = FALSE, rows_ok = FALSE) {
  topic <- matrix_topic(name)
  if (inherits(x, "Matrix")) {
    x <- read_sparse(x, name)
  } else if (is_plain_matrix(x)) {
    x <- plain_matrix(x)
  } else {
    abort(topic, sprintf("`%s` must be a numeric matrix, a Matrix or a data frame.", name),
          describe(x),
          if (is.numeric(x) && is.null(dim(x))) {
            "A single row is x[1, , drop = FALSE], a single column as.matrix(x)."
          }
          else real_remedy(x))
  }
  if (nrow(x) == 0 && !rows_ok) abort(topic, sprintf("`%s` has no rows.", name))
  if (ncol(x) == 0) abort(topic, sprintf("`%s` has no columns.", name))
  if (is.matrix(x) && !is.double(x)) storage.mode(x) <- "double"
  check_finite_matrix(x, name, missing_ok)
  x
}

is_plain_matrix <- function(x) is.matrix(x) && (is_real(x) || is.logical(x))

# Without its class: duplicated(), `[` and others would do what the class means by them.
plain_matrix <- function(x) {
  if (!is.object(x)) return(x)
  x <- unclass(x)
  matrix(as.vector(x), nrow(x), ncol(x), dimnames = dimnames(x))
}

check_finite_matrix <- function(x, name, missing_ok) {
  values <- if (is.matrix(x)) x else x@x
  if (is.finite(sum(values))) return(invisible())
  bad <- if (missing_ok) is.infinite(values) else !is.finite(values)
  if (!any(bad)) return(invisible())
  first <- which(bad)[1]
  column <- if (is.matrix(x)) (first - 1) %/% nrow(x) + 1 else findInterval(first - 1, x@p)
  row <- if (is.matrix(x)) (first - 1) %% nrow(x) + 1 else x@i[first] + 1
  if (!is.null(colnames(x))) column <- sprintf("`%s`", colnames(x)[column])
  abort(matrix_topic(name), sprintf("`%s` has values that are missing or not finite.", name),
        sprintf("%d of them, the first in row %d, column %s: %s", sum(bad), row, column,
                values[first]),
        paste0("Drop or impute those rows",
               if (name != "newdata") "; the formula interface drops them by na.action", "."))
}

# Any class of Matrix: dense ones become base matrices, all others CsparseMatrix
# of doubles without a special structure.
read_sparse <- function(x, name) {
  valid <- tryCatch(validObject(x), error = conditionMessage)
  if (is.character(valid)) {
    abort(matrix_topic(name), sprintf("`%s` is not a valid Matrix.", name), valid)
  }
  if (is(x, "denseMatrix")) return(as.matrix(x))
  as(as(as(x, "CsparseMatrix"), "dMatrix"), "generalMatrix")
}

# ---- data frames and formulas --------------------------------------------------

check_columns <- function(columns, name, matrices_ok = FALSE) {
  fine <- vapply(columns, function(column) {
    is_numeric_column(column) || is.factor(column) || is.character(column) ||
      (matrices_ok && is.matrix(column) && is_real(column))
  }, NA)
  if (!all(fine)) stop_column(columns[!fine][1], name)
}

stop_column <- function(column, name) {
  abort(matrix_topic(name),
        sprintf("Column `%s` of `%s` is neither numeric, logical, factor nor character.",
                names(column), name),
        describe(column[[1]]),
        if (inherits(column[[1]], "integer64")) real_remedy(column[[1]])
        else "Convert it first, a date with as.numeric() for instance.")
}

# Functions of a formula, as log(), take 64-bit integers for other numbers where the package bit64
# is not loaded.
check_bits <- function(data, used, name) {
  if (isNamespaceLoaded("bit64")) return(invisible())
  for (column in intersect(used, names(data))) {
    if (inherits(.subset2(data, column), "integer64")) stop_column(data[column], name)
  }
}

frame_design <- function(x, y, weights, kernels) {
  fills <- fill_calls(x)
  x <- raw_values(x)
  check_columns(x, "x")
  if (anyDuplicated(names(x)) || any(names(x) == "")) {
    abort("x", "The columns of `x` must have different names, none of them empty.",
          enumerate(dQuote(names(x)[duplicated(names(x)) | names(x) == ""], FALSE)))
  }
  frame <- model.frame(~ ., x, na.action = stats::na.pass)
  if (length(fills)) {
    frame <- model.frame(filled_terms(terms(frame), fills), x, na.action = stats::na.pass)
  }
  gaps <- which(!stats::complete.cases(frame))
  if (length(gaps)) {
    abort("x", "`x` has missing values.",
          c(sprintf("rows %s", enumerate(gaps)), paste("gaps:", name_gaps(count_gaps(frame)))),
          paste("Drop or impute them, or give na_level(x);",
                "the formula interface drops them by na.action."))
  }
  note_odd_columns(frame, term_variables(terms(frame)))
  form <- varying_terms(terms(frame), single_levels(terms(frame), frame))
  blueprint <- terms_blueprint(form, frame, names(x), sees_levels(kernels),
                               check_weights(weights, nrow(x)))
  new_design(blueprint_matrix(blueprint, frame, "x"), y, blueprint, weights,
             rownames = frame_rownames(x), codes = leveled_factors(terms(frame), frame))
}

# given: of formula_call(); extras: arguments of the call that, like weights, hold one value per row
# and are looked for in the data first. The variables of the formula are coded as numbers by
# as_design(), which knows the kernels.
formula_design <- function(given, extras) {
  call <- given$read
  fills <- fill_calls(call$data)
  call$data <- raw_values(call$data)
  check_random_effects(call$formula, call$data)
  frame <- tryCatch(formula_frame(call, given$env, extras, fills), error = function(e) {
    if (inherits(e, "sparserls_error")) stop(e)
    check_formula_response(call$formula, call$data)
    abort("formula", "The formula could not be evaluated.", conditionMessage(e),
          formula_remedy(call$formula, conditionMessage(e)))
  })
  form <- attr(frame, "terms")
  check_terms(form)
  note_groups(call, form, frame)
  predictors <- predictor_terms(form)
  check_columns(frame[term_variables(predictors)], "data", matrices_ok = TRUE)
  check_bits(call$data, c(if (is.call(form[[2]])) all.vars(form[[2]]), variable_names(predictors)),
             "data")
  check_binomial(form[[2]], model.response(frame))
  note_odd_columns(frame, term_variables(predictors))
  structure(
    list(frame = frame, terms = predictors, columns = names(call$data),
         extras = extras, intercept = attr(form, "intercept") == 1),
    class = "sparserls_frame"
  )
}

# For what formulas of other packages have.
formula_remedy <- function(formula, problem) {
  smooth <- intersect(all.names(formula), c("s", "te", "ti", "t2"))
  if (length(smooth)) sprintf("The kernel is smooth already: write x rather than %s(x).", smooth[1])
  else if (grepl("(list)", problem, fixed = TRUE)) "Turn a column of lists into columns of numbers."
}

code_frame <- function(data, kernels) {
  frame <- data$frame
  extras <- data$extras
  indicators <- sees_levels(kernels)
  if (indicators) frame <- with_all_ranks(frame, data$terms)
  form <- varying_terms(data$terms, single_levels(data$terms, frame))
  blueprint <- terms_blueprint(form, frame, data$columns, indicators,
                               check_weights(frame[["(weights)"]], nrow(frame)))
  new_design(
    blueprint_matrix(blueprint, frame, "data"), model.response(frame), blueprint,
    weights = frame[["(weights)"]],
    labels = setNames(lapply(sprintf("(%s)", extras), function(name) frame[[name]]), extras),
    rows = frame[["(rows)"]], supplied = attr(frame, "supplied"), intercept = data$intercept,
    rownames = frame_rownames(frame, attr(frame, "supplied")), terms = attr(frame, "terms"),
    na.action = attr(frame, "na.action"), codes = leveled_factors(data$terms, frame)
  )
}

# The model frame, with the row numbers of the data as supplied as a variable of its own: they tell
# which rows have survived subset and na.action. Factors lose the levels that these rows lack; of
# ordered ones all are in the attribute `ordered`. call: with the values of the formula and the
# data; fills: of fill_calls().
formula_frame <- function(call, env, extras, fills) {
  everything <- frame_call(call, c("formula", "data"))
  everything$na.action <- quote(stats::na.pass)
  everything <- eval(everything, env)
  supplied <- nrow(everything)
  wanted <- frame_call(call, c(frame_arguments, extras))
  for (name in intersect(c("weights", extras), names(call))) {
    value <- label_value(call[[name]], name, call, env)
    column <- named_column(value, name, names(call$data))
    if (!is.null(value)) wanted[[name]] <- if (is.null(column)) value else as.name(column)
  }
  if (length(fills)) wanted$formula <- filled_terms(attr(everything, "terms"), fills)
  wanted$rows <- seq_len(supplied)
  wanted$drop.unused.levels <- TRUE
  frame <- eval(wanted, env)
  check_rows_left(frame, function() {
    wanted$na.action <- quote(stats::na.pass)
    eval(wanted, env)
  }, names(call$data))
  structure(frame, supplied = supplied,
            ordered = lapply(Filter(is.ordered, everything), levels))
}

# The number of an ordered level does not depend on which other levels the rows have.
with_all_ranks <- function(frame, form) {
  ordered <- attr(frame, "ordered")
  still <- names(Filter(is.ordered, frame[term_variables(form)]))
  for (name in intersect(still, names(ordered))) {
    frame[[name]] <- factor(frame[[name]], ordered[[name]], exclude = NULL)
  }
  frame
}

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

frame_arguments <- c("formula", "data", "subset", "na.action", "weights")

# A formula method's call as one of model.frame().
frame_call <- function(call, arguments) {
  call <- call[c(1L, match(arguments, names(call), 0L))]
  call[[1L]] <- quote(stats::model.frame)
  call
}

# groups = "site" means the column: a single string is no label for every row. NULL for values.
named_column <- function(value, argument, columns) {
  if (inherits(value, "formula")) {
    abort("formula", sprintf("`%s` must be a column of `data`, or values.", argument),
          deparse1(value), sprintf("Write %s = %s.", argument, all.vars(value)[1]))
  }
  if (!is.character(value) || length(value) != 1) return(NULL)
  if (value %in% columns) return(value)
  abort("formula", sprintf("`%s` is a single string, but no column of `data`.", argument),
        describe(value), if (length(columns)) suggest(value, columns))
}

# `basis` of a formula call: the arguments of selectors are looked for in the data first.
formula_basis <- function(basis, given) {
  expression <- given$read$basis
  data <- given$read$data
  name <- if (is.call(expression)) deparse1(expression[[1L]]) else ""
  if (!grepl("^(sparserls::)?basis_[a-z]+$", name)) return(basis)
  basis <- eval(expression, data, given$env)
  label <- as.character(basis$groups)
  if (length(label) == 1 && label %in% names(data)) basis <- basis_groups(data[[label]], basis$per)
  basis
}

check_terms <- function(form) {
  if (length(attr(form, "offset"))) {
    abort("formula", "offset() is not supported.", NULL, "Subtract the offset from the response.")
  }
  if (attr(form, "response") == 0) {
    abort("formula", "The formula has no response.", NULL, "Write y ~ x1 + x2.")
  }
  if (length(attr(form, "term.labels")) == 0) {
    abort("formula", "The formula has no predictors.", NULL, "Write y ~ . for all columns.")
  }
}

# (1 | id), (1 + x | id) and, where id is a factor, (x | id), which R would take for "or".
check_random_effects <- function(formula, data) {
  if (!inherits(formula, "formula")) return(invisible())
  random <- Filter(function(part) {
    if (!is.call(part) || !as.character(part[[1]])[1] %in% c("|", "||")) return(FALSE)
    group <- if (is.name(part[[3]])) data[[as.character(part[[3]])]]
    is.numeric(part[[2]]) || identical(as.list(part[[2]])[[1]], quote(`+`)) ||
      is.factor(group) || is.character(group)
  }, formula_parts(formula[[length(formula)]]))
  if (length(random)) {
    group <- deparse1(random[[1]][[3]])
    abort("formula", "There are no random effects here.", deparse1(random[[1]]),
          sprintf("Leave it out; a cross-validation takes groups = %s.", group))
  }
}

formula_parts <- function(expression) {
  sum <- is.call(expression) && as.character(expression[[1]])[1] %in% c("+", "-", "(")
  if (sum) unlist(lapply(as.list(expression)[-1], formula_parts), recursive = FALSE)
  else list(expression)
}

# Nothing is wrong with it until a new group comes.
note_groups <- function(call, form, frame) {
  name <- if (is.name(call$groups) || is.character(call$groups)) as.character(call$groups)
  if (length(name) != 1 || !name %in% attr(form, "term.labels")) return(invisible())
  if (is.factor(frame[[name]]) || is.character(frame[[name]])) {
    inform(sprintf(paste("`%s`, the groups, is a predictor too: a new group has a level that the",
                         "model has not seen.\nWrite - %s in the formula to leave it out."),
                   name, name))
  }
}

# Names in the model frame of the variables of a formula without response.
term_variables <- function(form) {
  vapply(as.list(attr(form, "variables"))[-1], deparse1, "")
}

# The terms without the response, and without variables that are in no term: a fit of y ~ . - site
# does not know `site`, and new rows need not have it.
predictor_terms <- function(form) {
  form <- delete.response(form)
  kept <- attributes(form)
  used <- rowSums(kept$factors) > 0
  kept$variables <- kept$variables[c(TRUE, used)]
  kept$predvars <- kept$predvars[c(TRUE, used)]
  kept$factors <- kept$factors[used, , drop = FALSE]
  kept$dataClasses <- kept$dataClasses[setdiff(names(kept$dataClasses), names(used)[!used])]
  attributes(form) <- kept
  form
}

# Columns, or variables elsewhere, that the terms are about.
variable_names <- function(form) all.vars(attr(form, "variables"))

# ---- dense columns ---------------------------------------------------------------

# x is standardized and updated column by column: nothing would stay sparse.
dense_design <- function(design) {
  if (is.matrix(design$x)) return(design)
  if (prod(dim(design$x)) > .Machine$integer.max) {
    abort("x", "`x` is too large to be made dense.",
          paste(format(dim(design$x), scientific = FALSE, trim = TRUE), collapse = " x "),
          "The method works on a dense matrix: leave out columns first.")
  }
  design$x <- as.matrix(design$x)
  design
}
