# What every fitting function reads: x as a numeric matrix (dense, or a sparse
# CsparseMatrix), y, the labels that belong to rows, and the `blueprint` that turns
# new data into the same columns. `rows` are the positions of the rows in the data as
# supplied, before `subset` and the removal of missing values; `rownames` their names, or numbers
# where the data have no names and rows were removed, NULL where names would say nothing.

new_design <- function(x, y, blueprint, weights = NULL, labels = list(),
                       rows = seq_len(nrow(x)), supplied = nrow(x), intercept = TRUE,
                       rownames = base::rownames(x), offset = NULL, family = NULL,
                       bound = FALSE, ...) {
  read <- if (!is.null(family)) family_response(y, nrow(x), weights, family, bound)
          else list(response = read_response(y, nrow(x), offset),
                    weights = check_weights(weights, nrow(x)))
  check_scale(x, "x")
  check_scale(read$response$y, "y")
  check_scale(offset$values, "offset")
  balance <- attr(weights, "balance")
  structure(
    list(x = x, response = read$response, blueprint = blueprint, weights = read$weights,
         balance = if (!is.null(balance)) class_balance(balance, read$response),
         labels = labels, rows = rows, supplied = supplied, intercept = intercept,
         rownames = rownames, offset = offset, family = family, ...),
    class = "sparserls_design"
  )
}

# What a fit keeps of its data.
data_fields <- function(design) {
  c(list(nobs = nrow(design$x), response = design$response, weights = design$weights,
         blueprint = design$blueprint, columns = colnames(design$x), rownames = design$rownames,
         terms = design$terms, na.action = design$na.action, dummies = dummy_columns(design$x)),
    not_null(design["offset"]),
    # Numbers as supplied, where some were left out.
    if (!identical(design$rows, seq_len(nrow(design$x)))) list(rows = design$rows),
    # Rows are made again of fits by formulas only.
    if (!is.null(design$terms)) list(marks = row_marks(design$x)))
}

# The columns that hold zeros and ones and nothing else.
dummy_columns <- function(x) {
  if (!is.matrix(x)) {
    others <- diff(c(0, cumsum(x@x != 1))[x@p + 1])
    return(which(diff(x@p) < nrow(x) & diff(x@p) > 0 & others == 0))
  }
  which(vapply(seq_len(ncol(x)), function(j) {
    all(range(x[, j]) == 0:1) && all(x[, j] %in% 0:1)
  }, NA))
}

# kernels: those of the call, which say how factors are coded; NULL for features. offset: as given,
# with a formula in the frame. family: of read_family().
as_design <- function(x, y, weights, kernels = NULL, offset = NULL, family = NULL) {
  if (inherits(x, "sparserls_design")) return(x)
  if (inherits(x, "sparserls_frame")) return(code_frame(x, kernels, family))
  must(!missing(y), "y", "`y` is missing.")
  if (is.data.frame(x)) {
    must(nrow(x), "x", "`x` has no rows.")
    if (inherits(x, "na_level_frame") || !all(vapply(x, is_numeric_column, NA))) {
      return(frame_design(x, y, weights, kernels, offset, family))
    }
    x <- as.matrix(x)
  }
  x <- read_matrix(x, "x")
  new_design(x, y, list(type = "matrix", columns = colnames(x), p = ncol(x)), weights,
             offset = given_offset(offset, nrow(x)), family = family)
}

# ---- data frames and formulas --------------------------------------------------

frame_design <- function(x, y, weights, kernels, offset, family) {
  fills <- fill_calls(x)
  x <- raw_values(x)
  check_columns(x, "x")
  must(tell_apart(names(x)), "x",
       "The columns of `x` must have different names, none of them empty.",
       quoted(names(x)[duplicated(names(x)) | names(x) == ""]))
  frame <- model.frame(~ ., x, na.action = na.pass)
  frame <- model.frame(filled_terms(terms(frame), fills), x, na.action = na.pass)
  gaps <- which(!complete.cases(frame))
  must(!length(gaps), "x", "`x` has missing values.",
       c(sprintf("rows %s", enumerate(gaps)), paste("gaps:", name_gaps(count_gaps(frame)))),
       paste("Drop or impute them, or give na_level(x);",
             "the formula interface drops them by na.action."))
  note_odd_columns(frame, term_variables(terms(frame)))
  coded_design(frame, terms(frame), names(x), kernels, "x", y, weights,
               rownames = frame_rownames(x), offset = given_offset(offset, nrow(x)),
               family = family)
}

# The variables of a frame as columns. form: terms without a response; columns: the names of the
# data, which errors call `name`; ...: of new_design().
coded_design <- function(frame, form, columns, kernels, name, y, weights, ...) {
  indicators <- sees_levels(kernels)
  if (indicators) frame <- with_all_ranks(frame, form)
  blueprint <- terms_blueprint(varying_terms(form, single_levels(form, frame)), frame, columns,
                               indicators, check_weights(weights, nrow(frame)))
  new_design(blueprint_matrix(blueprint, frame, name), y, blueprint, weights,
             codes = leveled_factors(form, frame), ...)
}

# given: of formula_call(); extras: arguments of the call that, like weights, hold one value per row
# and are looked for in the data first. The variables of the formula are coded as numbers by
# as_design(), which knows the kernels.
formula_design <- function(given, extras) {
  call <- given$read
  fills <- fill_calls(call$data)
  call$data <- raw_values(call$data)
  check_random_effects(call$formula)
  frame <- tryCatch(formula_frame(call, given$env, extras, fills), error = function(e) {
    if (inherits(e, "sparserls_error")) stop(e)
    # model.frame() may have refused the response.
    y <- or_null(eval(call$formula[[2]], call$data, environment(call$formula)))
    if (!is.null(y)) check_response_class(y)
    smooth <- intersect(all.names(call$formula), c("s", "te", "ti", "t2"))
    abort("formula", "The formula could not be evaluated.", conditionMessage(e),
          sprintf("The kernel is smooth already: write x rather than %s(x).", head(smooth, 1)))
  })
  form <- attr(frame, "terms")
  check_terms(form)
  note_groups(call, form, frame)
  predictors <- predictor_terms(form)
  check_columns(frame[term_variables(predictors)], "data", matrices_ok = TRUE)
  check_bits(call$data, c(if (is.call(form[[2]])) all.vars(form[[2]]), variable_names(predictors)),
             "data")
  note_odd_columns(frame, term_variables(predictors))
  structure(
    list(frame = frame, terms = predictors, columns = names(call$data),
         offset = if (length(c(attr(form, "offset"), frame$`(offset)`))) {
           frame_offset(frame, names(call$data), offset_argument(call))
         },
         extras = extras, intercept = attr(form, "intercept") == 1),
    class = "sparserls_frame"
  )
}

code_frame <- function(data, kernels, family) {
  frame <- data$frame
  form <- attr(frame, "terms")
  extras <- data$extras
  if (is.null(family)) check_binomial(form[[2]], model.response(frame))
  coded_design(
    frame, data$terms, data$columns, kernels, "data", model.response(frame), frame$`(weights)`,
    labels = setNames(as.list(frame)[sprintf("(%s)", extras)], extras),
    rows = frame$`(rows)`, supplied = attr(frame, "supplied"), intercept = data$intercept,
    rownames = frame_rownames(frame, attr(frame, "supplied")), terms = form,
    na.action = attr(frame, "na.action"), offset = data$offset, family = family,
    bound = is_cbind(form[[2]])
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
  for (name in intersect(c("weights", "offset", "subset", extras), names(call))) {
    value <- label_value(call[[name]], call, env)
    column <- if (name != "subset") named_column(value, name, names(call$data))
    must(name != "foldid" || !is.null(column) ||
           !is.list(value) && length(value) %in% c(0, supplied), "folds",
         sprintf("`foldid` must have one label for each of the %d rows of the data.", supplied),
         sprintf("%d labels", length(value)),
         if (is.list(value)) list_of_folds
         else paste("Where `cv` has left rows out, because of gaps or `subset`, use",
                    "folds = split(cv$fit$rows, cv$foldid)."))
    if (!is.null(value)) wanted[[name]] <- if (is.null(column)) value else as.name(column)
  }
  form <- attr(everything, "terms")
  # With the values of the variables, from where model.frame() takes them: a user's functions are
  # called once, as they may draw random numbers or take long.
  wanted$formula <- form
  attr(wanted$formula, "predvars") <- as.call(c(quote(list), unname(as.list(everything))))
  wanted$formula <- filled_terms(wanted$formula, fills)
  wanted$rows <- seq_len(supplied)
  wanted$drop.unused.levels <- TRUE
  frame <- eval(wanted, env)
  attr(attr(frame, "terms"), "predvars") <- attr(filled_terms(form, fills), "predvars")
  if (!nrow(frame) || length(attr(frame, "na.action"))) {
    check_rows_left(frame, function() {
      wanted$na.action <- quote(stats::na.pass)
      eval(wanted, env)
    })
  }
  structure(frame, supplied = supplied,
            ordered = lapply(Filter(is.ordered, everything), levels))
}

# The number of an ordered level does not depend on which other levels the rows have.
with_all_ranks <- function(frame, form) {
  still <- names(Filter(is.ordered, frame[term_variables(form)]))
  ranked <- intersect(still, names(attr(frame, "ordered")))
  frame[ranked] <- Map(factor, frame[ranked], attr(frame, "ordered")[ranked],
                       MoreArgs = list(exclude = NULL))
  frame
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

# R would take the bar of (1 | id) for "or", which stands before a condition.
check_random_effects <- function(formula) {
  if (!inherits(formula, "formula")) return()
  bar <- Find(function(part) {
    is.call(part) && as.character(part[[1]])[1] %in% c("|", "||") && is.name(part[[3]])
  }, formula_parts(formula[[length(formula)]]))
  must(is.null(bar), "formula", "There are no random effects here.", deparse1(bar),
       sprintf("Leave it out; a cross-validation takes groups = %s. \"Or\" is I(%s).",
               deparse1(bar[[3]]), deparse1(bar)))
}

formula_parts <- function(expression) {
  sum <- is.call(expression) && as.character(expression[[1]])[1] %in% c("+", "-", "(")
  if (sum) unlist(lapply(as.list(expression)[-1], formula_parts)) else list(expression)
}

# Nothing is wrong with it until a new group comes.
note_groups <- function(call, form, frame) {
  name <- if (is.name(call$groups) || is.character(call$groups)) as.character(call$groups)
  if (length(name) == 1 && as_written(name) %in% attr(form, "term.labels")) {
    as <- if (has_levels(frame[[name]])) ": a new group has a level that the model has not seen"
          else ", as a number"
    inform(sprintf(paste("`%s`, the groups, is a predictor too%s.\nThe error may be too small for",
                         "new groups. Write - %s in the formula to leave it out."), name, as,
                   as_written(name)))
  }
}

# ---- dense columns ---------------------------------------------------------------

# x is standardized and updated column by column: nothing would stay sparse.
dense_design <- function(design) {
  if (is.matrix(design$x)) return(design)
  must(prod(dim(design$x)) <= .Machine$integer.max, "x", "`x` is too large to be made dense.",
       paste(format(dim(design$x), scientific = FALSE, trim = TRUE), collapse = " x "),
       "The method works on a dense matrix: leave out columns first.")
  design$x <- as.matrix(design$x)
  design
}

# ---- marks of rows -------------------------------------------------------------------------------

# How the rows of a fit are recognized, where they are given or made again.

# A number for each coded row, in which all its columns have their part, whatever their units, and
# the units, too: a column in metres has other marks than in feet.
row_marks <- function(x) {
  moments <- column_moments(x, rep(1, nrow(x)))
  size <- pmax(abs(moments$centre), moments$sd, .Machine$double.xmin)
  share <- cos(seq_len(ncol(x)))
  as.vector(x %*% (share / size)) + sum(share * log(size))
}

# Whether coded rows have these marks, up to rounding: products of sparse rows add up differently.
have_marks <- function(x, marks) {
  nrow(x) == length(marks) && isTRUE(max(abs(row_marks(x) - marks)) <= 1e-9 * max(abs(marks)))
}
