# The rows that effects and curves are asked of.

# ---- what is asked ---------------------------------------------------------------------

# Arguments of the public functions as one list: `fit`, `lambda` and `known` are those of
# single_fit(), `call` is that of the object. `own`: without `newdata` the rows of the fit are asked
# for.
asked_effects <- function(object, newdata, s, type, weights, scale, newoffset) {
  own <- missing(newdata)
  c(single_fit(object, s, refuse_selected),
    list(call = object$call, type = type, own = own, newdata = if (!own) newdata,
         weights = weights, scale = check_choice(scale, c("response", "link"), "scale"),
         newoffset = newoffset))
}

# The same of the rows of the fit, which may be given as `data`.
asked_rows <- function(object, data, s) {
  data <- given_x(data)
  ask <- function(newdata) asked_effects(object, newdata, s, NULL, NULL, "link", NULL)
  if (is.null(data)) ask() else ask(data)
}

# The rows of list(x, y) are x: the fit has y.
given_x <- function(data) {
  if (!is.list(data) || is.data.frame(data)) return(data)
  data[[if ("x" %in% names(data)) "x" else 1L]]
}

# Errors about `newdata` of a function whose argument is `data`.
named_data <- function(code) {
  tryCatch(code, sparserls_error_newdata = function(e) {
    say <- function(text) gsub("newdata", "data", text, fixed = TRUE)
    abort("newdata", say(e$problem), e$given, say(e$remedy))
  })
}

refuse_selected <- function(fit) {
  must(!inherits(fit, "greedyrls"), "object",
       "Fits of greedyrls() are linear: their coefficients are their derivatives.", NULL,
       "Use coef().")
}

# The same of rows in `data`: where these are the rows of the fit, with its weights.
as_given <- function(asked, data) {
  if (asked$own && is.null(asked$weights) && nrow(data) == asked$fit$nobs) {
    asked$weights <- asked$fit$weights
  }
  replace(asked, c("own", "newdata"), list(FALSE, data))
}

# Of the rows that effects are asked of: their offsets, where effects are of means; NULL where they
# are of f.
effect_offset <- function(asked) {
  fit <- asked$fit
  if (asked$own) refuse_newoffset(asked$newoffset)
  if (!is_likelihood(fit$family) || asked$scale == "link") return(NULL)
  offset <- if (asked$own) fit$offset$values else new_offset(fit, asked$newdata, asked$newoffset)
  if (is.null(offset)) numeric(if (asked$own) fit$nobs else nrow(asked$newdata)) else offset
}

# ---- rows ------------------------------------------------------------------------------

# Rows at which effects are asked for, a list of
#   x         coded, as forge() does it
#   frame     the variables of the formula, NULL where the fit knows columns only
#   complete  which rows have no missing values
#   share     of every complete row in averages
#   offset    of every complete row, where effects are of means (effect-terms.R); NULL: of f
#   names     of the rows
#   index     their numbers among the rows that were asked for
effect_rows <- function(asked, offset = effect_offset(asked)) {
  fit <- asked$fit
  blueprint <- fit$blueprint
  frame <- if (asked$own) own_frame(fit)
           else if (blueprint$type == "terms") terms_frame(blueprint, asked$newdata)
  x <- if (is.null(frame)) forge(blueprint, asked$newdata) else terms_matrix(blueprint, frame)
  gaps <- if (is.matrix(x)) rowSums(is.na(x)) > 0 else logical(nrow(x))
  complete <- which(if (is.null(offset)) !gaps else !gaps & !is.na(offset))
  must(length(complete) > 0, "newdata",
       "`newdata` has no rows without missing values: there is no average.",
       sprintf("%d rows", nrow(x)))
  weights <- if (asked$own && is.null(asked$weights)) fit$weights else asked$weights
  list(x = x, frame = frame, complete = complete, index = seq_len(nrow(x)),
       share = row_shares(weights, nrow(x), complete), offset = offset[complete],
       names = if (asked$own) fit$rownames else rownames(asked$newdata))
}

# The same of the rows of a cross-validation, which may be given as `data`.
own_rows <- function(cv, asked) {
  rows <- named_data(effect_rows(asked))
  must(are_own_rows(cv$refits$marks, rows), "newdata", "`data` are not the rows of the fit.", NULL,
       "Give the rows of the fit, all of them and in their order.")
  rows
}

# Some of rows that are all complete.
certain_rows <- function(rows, which) {
  rows$frame <- if (!is.null(rows$frame)) rows$frame[which, , drop = FALSE]
  rows$x <- rows$x[which, , drop = FALSE]
  rows$complete <- seq_along(which)
  rows[c("share", "index")] <- list(rows$share[which], rows$index[which])
  rows
}

# The rows of a fit by a formula, evaluated anew. more: further arguments of
# model.frame().
own_frame <- function(fit, more = list()) {
  must(!is.null(fit$terms) && is.null(fit$chunks), "newdata", "`newdata` is missing.", NULL,
       if (is.null(fit$terms)) {
         "Fits to a matrix or data frame `x` do not keep their rows: give newdata = x."
       } else "Fits to rows in chunks do not keep them: give some of them.")
  # Rows that the fit left out for other reasons too, such as a gap in the groups.
  more$na.action <- function(frame) {
    stats::na.omit(frame[setdiff(seq_len(nrow(frame)), fit$na.action), , drop = FALSE])
  }
  frame <- tryCatch(frame_again(fit, more), sparserls_error_formula = function(e) {
    abort("newdata", "`newdata` is missing, and the rows of the fit cannot be made again.", e$given,
          "Give `newdata`.")
  })
  same <- function(same, what) {
    must(same, "newdata", "`newdata` is missing, and the data of the fit have changed.", what,
         "Give `newdata`.")
  }
  same(nrow(frame) == fit$nobs, sprintf("%d rows, the fit had %d", nrow(frame), fit$nobs))
  y <- model.response(frame)
  y <- if (!is_likelihood(fit$family)) read_response(y, nrow(frame))$y
       else family_response(y, nrow(frame), NULL, fit$family, bound = is.matrix(y))$response$y
  same(identical(as.vector(y), as.vector(fit$response$y)), "the response has changed")
  levels <- fit$blueprint$xlevels
  frame[names(levels)] <- Map(function(v, l) factor(as.character(v), l), frame[names(levels)],
                              levels)
  same(have_marks(terms_matrix(fit$blueprint, frame), fit$marks), "a predictor has changed")
  frame
}

row_shares <- function(weights, m, complete) {
  weights <- check_weights(weights, m)[complete]
  must(sum(weights) > 0, "weights",
       "All complete rows have weight zero: there is no average.")
  weights / sum(weights)
}

# Whether rows are those of the fit.
are_own_rows <- function(marks, rows) {
  length(rows$complete) == nrow(rows$x) && have_marks(rows$x, marks)
}

# Rows that are known as those of the fit have its weights, where none were given.
fit_weighted <- function(rows, asked) {
  if (is.null(asked$weights) && are_own_rows(asked$known$refits$marks, rows)) {
    rows$share <- row_shares(asked$fit$weights, nrow(rows$x), rows$complete)
  }
  rows
}

# The data of a fit by a formula as the user has them.
fit_data <- function(fit) {
  frame <- if (!is.null(fit$terms) && !is.null(fit$call$data)) {
    tryCatch(eval(fit$call$data, environment(fit$terms)), error = function(e) NULL)
  }
  must(is.data.frame(frame), "newdata",
       "`newdata` is missing, and the data of the fit cannot be found again.", NULL,
       "Give the rows of the fit as `newdata`.")
  fit_rows(frame, fit)
}

# Of more rows those of the fit, by their names: without what `subset` and gaps left out.
fit_rows <- function(data, fit) {
  if (!is.data.frame(data) || nrow(data) <= fit$nobs || is.null(fit$rownames)) return(data)
  at <- match(fit$rownames, rownames(data))
  if (anyNA(at)) data else data[at, , drop = FALSE]
}

# ---- rows of curves --------------------------------------------------------------------

# As effect_rows(), with the name of the feature, `set`, a function of one of its values: the coded
# complete rows with the feature at that value; what the complete rows have, `observed`; and
# the `levels` of a variable that has some.
curve_rows <- function(asked, feature) {
  fit <- asked$fit
  check_feature(feature, curve_features(fit))
  if (fit$blueprint$type != "terms") return(matrix_curve_rows(asked, feature))
  offset <- effect_offset(asked)
  data <- if (asked$own) own_variables(fit, feature) else raw_values(asked$newdata)
  check_newdata_frame(data)
  rows <- effect_rows(as_given(asked, data), offset)
  check_present(feature, names(data))
  data <- as.data.frame(data)
  data[[feature]] <- gaps_as_level(fit$blueprint$terms, feature, data[[feature]])
  rows <- rows_with(rows, !is.na(data[[feature]][rows$complete]))
  data <- data[rows$complete, , drop = FALSE]
  variable <- data[[feature]]
  leveled <- is_leveled(variable)
  must(leveled || is_numeric_column(variable), "argument",
       "`feature` must be a variable of numbers or levels.",
       sprintf("`%s` is %s", feature, shown(variable)))
  rows$feature <- feature
  rows$observed <- if (leveled) as.character(variable) else as.double(variable)
  if (leveled) {
    seen <- unique(rows$observed)
    known <- c(fit$blueprint$xlevels[[feature]], levels(variable), sort(seen))
    rows$levels <- intersect(known, c(seen, fit$blueprint$xlevels[[feature]]))
  }
  rows$set <- function(value) {
    data[[feature]] <- like_variable(value, variable)
    forge_terms(fit$blueprint, data)
  }
  rows
}

# Rows whose own value is a gap that na_level() has filled by a number have no part in the curve.
rows_with <- function(rows, there) {
  must(any(rows$share[there] > 0), "argument", "The feature is missing in all rows.", NULL,
       "Give others as `newdata`.")
  rows$complete <- rows$complete[there]
  rows$share <- rows$share[there] / sum(rows$share[there])
  rows$offset <- rows$offset[there]
  rows
}

matrix_curve_rows <- function(asked, feature) {
  rows <- effect_rows(asked)
  column <- match(feature, slope_names(asked$fit))
  x <- rows$x[rows$complete, , drop = FALSE]
  c(rows, list(feature = feature, observed = as.double(x[, column]), set = function(value) {
    x[, column] <- value
    x
  }))
}

curve_features <- function(fit) {
  if (fit$blueprint$type == "terms") variable_names(fit$blueprint$terms) else slope_names(fit)
}

check_feature <- function(feature, known) {
  refuse <- function(given, near = NULL, known_as = "There are %s.") {
    abort("argument", "`feature` must name one variable of the model.", given,
          if (length(near)) near else sprintf(known_as, enumerate(dQuote(known, FALSE), 10)))
  }
  feature <- tryCatch(feature, error = function(e) {
    refuse(conditionMessage(e), known_as = "Write its name in quotes: there are %s.")
  })
  one <- is.character(feature) && length(feature) == 1
  if (!one || !feature %in% known) refuse(shown(feature), if (one) suggest(feature, known))
}

like_variable <- function(value, x) {
  value <- rep(value, length(x))
  if (is.factor(x)) factor(value, union(levels(x), value), ordered = is.ordered(x))
  else if (is.logical(x)) as.logical(value)
  else value
}

# The variables of a fit by a formula before its functions, in the rows of the fit: those of its
# data, or of what is as long where the formula was written. Gaps travel beside them: na.omit()
# would leave out rows whose gaps na_level() has filled.
own_variables <- function(fit, feature) {
  names <- fit$blueprint$needed
  if (!feature %in% names) {
    size <- function(name) NROW(get0(name, environment(fit$terms)))
    known <- variable_names(fit$blueprint$terms)
    names <- c(names, Filter(function(other) size(other) == size(feature), setdiff(known, names)))
  }
  raw <- lapply(names, function(name) as.call(list(without_gaps, as.name(name))))
  gaps <- lapply(names, function(name) call("is.na", as.name(name)))
  frame <- own_frame(fit, setNames(c(raw, gaps), c(paste0("raw.", names), paste0("gap.", names))))
  data <- setNames(frame[sprintf("(raw.%s)", names)], names)
  data[] <- Map(replace, data, frame[sprintf("(gap.%s)", names)], NA)
  data
}

without_gaps <- function(x) replace(x, is.na(x), x[!is.na(x)][1])
