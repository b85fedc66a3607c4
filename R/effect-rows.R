# The rows that effects and curves are asked of.

# ---- what is asked ---------------------------------------------------------------------

# Arguments of the public functions as one list: `fit`, `lambda` and `known` are those of
# single_fit(), `call` is that of the object. `own`: without `newdata` the rows of the fit are asked
# for.
asked_effects <- function(object, newdata, s, type = NULL, weights = NULL, scale = "link",
                          newoffset = NULL) {
  must(!inherits(final_fit(object), "greedyrls"), "object",
       "Fits of greedyrls() are linear: their coefficients are their derivatives.", NULL,
       "Use coef().")
  own <- missing(newdata) || is.null(newdata)
  c(single_fit(object, s),
    list(call = object$call, type = type, own = own, newdata = if (!own) newdata,
         weights = weights, scale = check_choice(scale, c("response", "link"), "scale"),
         newoffset = newoffset))
}

# The rows of the fit, which may be given as `data`; of list(x, y) they are x: the fit has y.
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

# ---- rows ------------------------------------------------------------------------------

# Rows at which effects are asked for, a list of
#   data      as the user has them
#   x         coded, as forge() does it
#   frame     the variables of the formula, NULL where the fit knows columns only
#   complete  which rows have no missing values
#   own       whether they are the rows of the fit
#   share     of every complete row in averages
#   offset    of every complete row, where effects are of means (effect-terms.R); NULL: of f
#   names     of the rows
#   index     their numbers among the rows that were asked for
effect_rows <- function(asked) {
  fit <- asked$fit
  blueprint <- fit$blueprint
  data <- if (asked$own) fit_data(fit) else asked$newdata
  frame <- if (blueprint$type == "terms") terms_frame(blueprint, data)
  x <- if (is.null(frame)) forge(blueprint, data) else terms_matrix(blueprint, frame)
  offset <- if (has_family(fit) && asked$scale == "response") {
    given <- if (asked$own && is.null(asked$newoffset)) fit$offset$values
             else new_offset(fit, data, asked$newoffset)
    given %||% numeric(NROW(data))
  }
  gaps <- rowSums(is.na(x)) > 0
  complete <- which(!gaps & !is.na(offset %||% 0))
  must(length(complete) > 0, "newdata",
       "`newdata` has no rows without missing values: there is no average.",
       sprintf("%d rows", nrow(x)))
  own <- !any(gaps) && have_marks(x, (asked$known$refits %||% fit)$marks)
  must(own || !asked$own, "newdata",
       "`newdata` is missing, and the data of the fit have changed.", NULL, "Give `newdata`.")
  weights <- if (own && is.null(asked$weights)) fit$weights else asked$weights
  weights <- check_weights(weights, nrow(x))[complete]
  must(sum(weights) > 0, "weights", "All complete rows have weight zero: there is no average.")
  list(data = data, x = x, frame = frame, complete = complete, own = own,
       share = prop.table(weights), offset = offset[complete],
       names = if (asked$own) fit$rownames else rownames(data), index = seq_len(nrow(x)))
}

# The rows of a cross-validation, which may be given as `data`.
own_rows <- function(cv, asked) {
  asked$known <- cv
  rows <- named_data(effect_rows(asked))
  must(rows$own, "newdata", "`data` are not the rows of the fit.", NULL,
       "Give the rows of the fit, all of them and in their order.")
  rows
}

# what: "Partial effects", ...
refuse_chunks <- function(fit, what) {
  must(is.null(fit$chunks), "chunks",
       paste(what, "takes rows in memory: chunks are not kept."), NULL, sample_remedy)
}

sample_remedy <- "Cross-validate chunks_survey(formula, chunks)$sample with keep = TRUE."

# Those without missing values, coded.
complete_x <- function(rows) rows_at(rows$x, rows$complete)

# Some of rows that are all complete.
certain_rows <- function(rows, which) {
  rows[c("x", "frame")] <- lapply(rows[c("x", "frame")], rows_at, which)
  rows[c("share", "index")] <- lapply(rows[c("share", "index")], `[`, which)
  rows$complete <- seq_along(which)
  rows
}

# The rows of a fit by a formula as the user has them: its data, or, where it has none, the
# variables where the formula was written.
fit_data <- function(fit) {
  must(is.null(fit$chunks), "newdata", "`newdata` is missing: rows in chunks are not kept.", NULL,
       "Give some of them, as newdata = chunks_survey(formula, chunks)$sample.")
  must(!is.null(fit$terms), "newdata", "`newdata` is missing.", NULL,
       "Fits to a matrix or data frame `x` do not keep their rows: give newdata = x.")
  data <- tryCatch(
    eval(fit$call$data, environment(fit$terms)) %||%
      get_all_vars(delete.response(fit$terms)),
    error = function(e) {
      abort("newdata", "`newdata` is missing, and the data of the fit cannot be found again.",
            conditionMessage(e), "Give the rows of the fit as `newdata`.")
    }
  )
  fit_rows(data, fit)
}

# Of data with more rows than the fit the rows of the fit, by name: without those that `subset` and
# gaps left out.
fit_rows <- function(data, fit) {
  if (!is.data.frame(data) || nrow(data) <= fit$nobs || is.null(fit$rownames)) return(data)
  at <- match(fit$rownames, rownames(data))
  if (anyNA(at)) data else rows_at(data, at)
}

# ---- rows of curves --------------------------------------------------------------------

# As effect_rows(), with the name of the feature, `set`, a function of one of its values: the coded
# complete rows with the feature at that value, and `also` moved by a function; what the complete
# rows have, `observed`; and the `levels` of a variable that has some.
curve_rows <- function(asked, feature) {
  fit <- asked$fit
  known <- curve_features(fit)
  named <- is_string(feature)
  must(named && feature %in% known, "argument", "`feature` must name one variable of the model.",
       shown(feature),
       (if (named) suggest(feature, known)) %||% sprintf("There are %s.", quoted(known, 10)))
  rows <- effect_rows(asked)
  rows$feature <- feature
  if (fit$blueprint$type != "terms") {
    x <- complete_x(rows)
    column <- match(feature, known)
    return(c(rows, list(observed = as.double(x[, column]), set = function(value, also = identity) {
      x[, column] <- value
      also(x)
    })))
  }
  data <- as.data.frame(raw_values(rows$data))
  check_present(feature, names(data))
  data[[feature]] <- gaps_as_level(fit$blueprint$terms, feature, data[[feature]])
  # Rows whose own value is a gap that na_level() has filled by a number have no part in the curve.
  there <- !is.na(data[[feature]][rows$complete])
  must(any(rows$share[there] > 0), "argument", "The feature is missing in all rows.", NULL,
       "Give others as `newdata`.")
  kept <- c("complete", "share", "offset")
  rows[kept] <- lapply(rows[kept], `[`, there)
  rows$share <- prop.table(rows$share)
  data <- rows_at(data, rows$complete)
  variable <- data[[feature]]
  leveled <- is_leveled(variable)
  must(leveled || is_numeric_column(variable), "argument",
       "`feature` must be a variable of numbers or levels.",
       sprintf("`%s` is %s", feature, shown(variable)))
  rows$observed <- if (leveled) as.character(variable) else as.double(variable)
  if (leveled) {
    seen <- unique(rows$observed)
    known <- fit$blueprint$xlevels[[feature]]
    rows$levels <- intersect(c(known, levels(variable), sort(seen)), c(seen, known))
  }
  rows$set <- function(value, also = identity) {
    data[[feature]] <- like_variable(value, variable)
    forge_terms(fit$blueprint, also(data))
  }
  rows
}

curve_features <- function(fit) {
  if (fit$blueprint$type == "terms") variable_names(fit$blueprint$terms) else slope_names(fit)
}

like_variable <- function(value, x) {
  value <- rep(value, length(x))
  if (is.factor(x)) factor(value, union(levels(x), value), ordered = is.ordered(x))
  else if (is.logical(x)) as.logical(value)
  else value
}
