# The rows whose effect a curve averages, with its feature at any value.

# As effect_rows(), with the name of the feature, `set`, a function of one of its values: the coded
# complete rows with the feature at that value; what the complete rows have, `observed`; and
# the `levels` of a variable that has some.
curve_rows <- function(fit, feature, newdata, weights, offset = NULL) {
  if (fit$blueprint$type != "terms") {
    return(matrix_curve_rows(fit, feature, newdata, weights, offset))
  }
  check_feature(feature, curve_features(fit))
  own <- missing(newdata)
  data <- if (own) own_variables(fit, feature) else raw_values(newdata)
  check_newdata_frame(data)
  rows <- effect_rows(fit, data, if (own && is.null(weights)) fit$weights else weights, offset)
  check_present(feature, names(data))
  data <- as.data.frame(data)
  data[[feature]] <- gaps_as_level(fit$blueprint$terms, feature, data[[feature]])
  rows <- rows_with(rows, !is.na(data[[feature]][rows$complete]))
  data <- data[rows$complete, , drop = FALSE]
  rows$feature <- feature
  rows$observed <- curve_variable(data[[feature]], feature)
  if (is_leveled(data[[feature]])) {
    seen <- rows$observed[!duplicated(rows$observed)]
    known <- c(fit$blueprint$xlevels[[feature]], levels(data[[feature]]), sort(seen))
    rows$levels <- intersect(known, c(seen, fit$blueprint$xlevels[[feature]]))
  }
  rows$set <- function(value) {
    data[[feature]] <- like_variable(value, data[[feature]])
    forge_terms(fit$blueprint, data)
  }
  rows
}

# Rows whose own value is a gap that na_level() has filled by a number have no part in the curve.
rows_with <- function(rows, there) {
  if (!any(rows$share[there] > 0)) {
    abort("argument", "The feature is missing in all rows.", NULL, "Give others as `newdata`.")
  }
  rows$complete <- rows$complete[there]
  rows$share <- rows$share[there] / sum(rows$share[there])
  rows$offset <- rows$offset[there]
  rows
}

matrix_curve_rows <- function(fit, feature, newdata, weights, offset) {
  check_feature(feature, curve_features(fit))
  rows <- effect_rows(fit, newdata, weights, offset)
  column <- match(feature, slope_names(fit))
  x <- rows$x[rows$complete, , drop = FALSE]
  rows$feature <- feature
  rows$observed <- as.double(x[, column])
  rows$set <- function(value) {
    x[, column] <- value
    x
  }
  rows
}

curve_features <- function(fit) {
  if (fit$blueprint$type == "terms") variable_names(fit$blueprint$terms) else slope_names(fit)
}

check_feature <- function(feature, known) {
  feature <- tryCatch(feature, error = function(e) {
    abort("argument", "`feature` must name one variable of the model.", conditionMessage(e),
          sprintf("Write its name in quotes: there are %s.",
                  enumerate(dQuote(known, FALSE), 10)))
  })
  if (is.character(feature) && length(feature) == 1 && feature %in% known) return(invisible())
  abort("argument", "`feature` must name one variable of the model.", shown(feature),
        if (is.character(feature) && length(feature) == 1 && length(nearest(feature, known))) {
          suggest(feature, known)
        } else sprintf("There are %s.", enumerate(dQuote(known, FALSE), 10)))
}

# Numbers, or levels as strings.
curve_variable <- function(x, feature) {
  if (is_leveled(x)) return(as.character(x))
  if (is_numeric_column(x)) return(as.double(x))
  abort("argument", "`feature` must be a variable of numbers or levels.",
        sprintf("`%s` is %s", feature, shown(x)))
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
  labels <- c(paste0("raw.", names), paste0("gap.", names))
  frame <- own_frame(fit, setNames(c(raw, gaps), labels))
  found <- setNames(frame[sprintf("(raw.%s)", names)], names)
  found[] <- Map(replace, found, frame[sprintf("(gap.%s)", names)], NA)
  found
}

without_gaps <- function(x) replace(x, is.na(x), x[!is.na(x)][1])
