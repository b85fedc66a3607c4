# Responses: numeric vectors and matrices as they are, two classes as -1 and +1, more
# classes one-versus-all.

# offset: the field of a design, or NULL.
read_response <- function(y, m, offset = NULL) {
  y <- response_of_rows(y, m)
  if (has_classes(y)) class_response(y) else numeric_response(unclass(y), offset)
}

# y of a kind that there is, with a value for each of m rows; data frames as matrices.
response_of_rows <- function(y, m) {
  must(!is.null(y), "y", "`y` is missing.")
  check_response_class(y)
  if (is.data.frame(y)) y <- if (length(y) == 1 && !is.numeric(y[[1]])) y[[1]] else as.matrix(y)
  size <- if (is.matrix(y)) nrow(y) else length(y)
  must(size == m, "y", sprintf("`y` must have one value for each of the %d rows of `x`.", m),
       sprintf("%d values", size))
  y
}

# Whether y is classes; else it must be numbers.
has_classes <- function(y) {
  if (is.factor(y) || (is.logical(y) && !is.matrix(y))) return(TRUE)
  must(is.numeric(y) && length(dim(y)) <= 2, "y",
       "`y` must be numeric (a vector or a matrix), a factor or logical.", shown(y),
       if (is.character(y)) {
         spoilt <- spoilt_numbers(c(y))
         if (!length(spoilt)) "Use factor(y) for classes."
         else sprintf("It is numeric except for %s: read it with na.strings.", quoted(spoilt, 3))
       })
  FALSE
}

# Classes of values that are stored as numbers and are none, and what to use in their place.
response_remedies <- c(
  Surv = "Count events in intervals, with family = \"poisson\": see vignette(\"survival\").",
  Date = "Use as.numeric(y), days since 1970-01-01.",
  POSIXt = "Use as.numeric(as.POSIXct(y)), seconds since 1970-01-01.",
  difftime = "Use as.numeric(y, units = \"days\") or another unit.",
  yearmon = "Use as.numeric(y), years.", yearqtr = "Use as.numeric(y), years.",
  units = "Use as.numeric(y), numbers without their unit.",
  integer64 = "Use as.double(y) of the package bit64.",
  haven_labelled = "Use as.numeric(y) for numbers, haven::as_factor(y) for classes.",
  list = "Use unlist(y) for one output, do.call(cbind, y) for several.",
  formula = formula_first
)

check_response_class <- function(y) {
  must(!inherits(y, "na_level"), "y", "The response is never filled.", NULL,
       "Use na_level() for predictors: na_level(data), or na_level(x) in the formula.")
  kind <- intersect(class(y), names(response_remedies))
  if (is.list(y) && !inherits(y, c("data.frame", "POSIXt"))) kind <- "list"
  must(!length(kind), "y", "`y` must be numeric (a vector or a matrix), a factor or logical.",
       shown(y), response_remedies[[kind[1]]])
}

is_cbind <- function(expression) is.call(expression) && identical(expression[[1]], quote(cbind))

# cbind(successes, failures), as glm() has it, would be two outputs here.
check_binomial <- function(expression, y) {
  must(!is_cbind(expression) || NCOL(y) != 2 || !is.numeric(y) || anyNA(y) ||
         any(y < 0 | y != round(y)), "y",
       "`cbind()` of two columns of counts is not taken as successes and failures.",
       deparse1(expression),
       paste("sparserls() and rls() take it with family = \"binomial\"; write I(cbind(...))",
             "where two outputs are meant."))
}

numeric_response <- function(y, offset) {
  must(NCOL(y) > 0, "y", "`y` has no columns.")
  # Arrays of one dimension, as of tapply(), have names of rows only.
  outputs <- if (is.matrix(y)) colnames(y)
  values <- matrix(as.double(y), NROW(y), NCOL(y), dimnames = list(NULL, outputs))
  check_finite(values, "y")
  rest <- less_offset(values, offset)
  # Where the offset is all there is to it that is so up to rounding.
  rounding <- if (is.null(offset)) 0 else 8 * .Machine$double.eps * max(abs(values))
  check_varying(apply(rest, 2, function(column) diff(range(column)) <= rounding),
                if (!is.null(offset)) "`y` minus the offset is constant.")
  list(type = "numeric", y = values, outputs = outputs)
}

# constant: of every output whether it is; problem: if so, in other words than of numbers.
check_varying <- function(constant, problem = NULL) {
  must(!any(constant), "y",
       problem %||% if (length(constant) == 1) "`y` is constant."
                    else sprintf("Column %d of `y` is constant.", which(constant)[1]),
       NULL, "There is nothing to fit.")
}

# The response without what is known of it.
less_offset <- function(y, offset) if (is.null(offset)) y else y - offset$values

# Scores of rows of a problem (by default all), rows x anything, with the offsets of these rows.
with_offset <- function(scores, problem, rows = TRUE) {
  if (is.null(problem$offset)) scores else scores + problem$offset[rows]
}

class_response <- function(y) {
  must(!anyNA(y), "y", "`y` has missing classes.", sprintf("rows %s", enumerate(which(is.na(y)))),
       drop_gaps)
  logical <- is.logical(y)
  y <- if (logical) factor(y, c(FALSE, TRUE)) else droplevels(y)
  must(length(unique(y)) >= 2, "y", "`y` has a single class.", quoted(as.character(y[1])))
  response <- class_fields(levels(y), logical, as.integer(y))
  colnames(response$y) <- response$outputs
  response
}

# class: the number of every row's level.
class_fields <- function(levels, logical, class = integer()) {
  check_named_levels(levels, "y", "y")
  outputs <- if (length(levels) > 2) levels
  list(type = if (is.null(outputs)) "binary" else "multiclass", y = class_codes(class, levels),
       levels = levels, logical = logical, outputs = outputs)
}

class_codes <- function(class, levels) {
  if (length(levels) == 2) matrix(2 * class - 3, ncol = 1)
  else -1 + 2 * outer(class, seq_along(levels), "==")
}

# NA may be a level of a factor, addNA() makes it one. topic: of the error.
check_named_levels <- function(levels, name, topic) {
  must(!anyNA(levels), topic, sprintf("`%s` has NA as a level.", name),
       enumerate(ifelse(is.na(levels), "NA", dQuote(levels, FALSE))),
       "Give it a name, levels(f)[is.na(levels(f))] <- \"missing\", or drop those rows.")
}

# y of other rows as the fit codes it, a vector; NA for classes that are not among the fit's.
response_codes <- function(response, y) {
  classes <- is_class(response)
  numbers <- (is.numeric(y) || is.logical(y)) && !inherits(y, names(response_remedies))
  known <- if (classes) !numbers || any(as.character(y) %in% response$levels) else numbers
  must(!is.list(y) && NCOL(y) <= 1 && (known || all(is.na(y))), "newdata",
       if (classes) "The response must have the classes of the fit."
       else "The response must be numeric, as in the fit.",
       shown(y), "Leave its column out where it is not known.")
  if (!classes) return(as.vector(y))
  codes <- match(as.character(y), response$levels)
  if (is.null(response$low)) 2 * codes - 3 else codes - 1
}

# Which class positive scores stand for, where there are classes; how many outputs, where there are
# several.
describe_response <- function(response) {
  if (response$type == "binary") {
    sprintf(if (is.null(response$low)) "two classes: positive scores mean %s, others %s"
            else "two classes: means are probabilities of %s, the other is %s",
            quoted(response$levels[2]), quoted(response$levels[1]))
  } else if (is_class(response)) {
    sprintf("%d classes, one-versus-all: %s", length(response$levels),
            quoted(response$levels))
  } else if (ncol(response$y) > 1) {
    paste(c(sprintf("%d outputs", ncol(response$y)),
            if (!is.null(response$outputs)) enumerate(output_names(response))), collapse = ": ")
  }
}

is_class <- function(response) response$type != "numeric"

# Class of every score: scores m x v x c, value m x c of integers. A tie goes to
# the first level.
score_classes <- function(response, scores) {
  classes <- if (response$type == "binary") 1L + (scores > 0) else apply(scores, 3, function(s) {
    best <- max.col(replace(s, is.na(s), -Inf), ties.method = "first")
    replace(best, is.na(s[, 1]), NA)
  })
  matrix(classes, dim(scores)[1], dim(scores)[3])
}

true_classes <- function(response) {
  if (response$type == "binary") 1L + (response$y[, 1] > 0) else max.col(response$y, "first")
}

output_count <- function(fit) ncol(fit$response$y)

output_names <- function(response) {
  numbered <- paste0("y", seq_len(ncol(response$y)))
  if (is.null(response$outputs)) numbered
  else ifelse(response$outputs == "", numbered, response$outputs)
}

# Which of several outputs, or which class, is drawn: the title of a plot.
drawn_output <- function(fit, output) {
  levels <- fit$response$levels
  if (length(levels) == 2) return(sprintf("Class %s", quoted(levels[2])))
  name <- output_names(fit$response)[output]
  if (length(levels)) sprintf("Class %s", quoted(name))
  else if (output_count(fit) > 1) name
}

# ---- of families ---------------------------------------------------------------------------------

# Responses of families (loss.R), on the scale of their means: counts, positive numbers, shares, and
# classes as 0 and 1, which have the fields of other classes.

# What a family reads of y and of weights, a list of `response` and `weights`. bound: whether y was
# cbind() in a formula.
family_response <- function(y, m, weights, family, bound = FALSE) {
  must(!inherits(weights, "sparserls_class_weights"), "weights",
       "class_weights() would make probabilities those of balanced classes.", NULL,
       "Leave them out, and predict(type = \"class\", threshold = ).")
  weights <- check_weights(weights, m)
  y <- response_of_rows(y, m)
  shares <- loss_trait(family, "classes")
  if (shares && bound) return(trials_response(y, weights))
  read <- if (shares) share_response else amount_response
  list(response = read(y, family), weights = weights)
}

# One number for each row, in the range of the family, as a matrix of one column.
amount_response <- function(y, family) {
  shares <- loss_trait(family, "classes")
  must(!has_classes(y) && NCOL(y) == 1, "y",
       sprintf("The %s family needs one number for each row as `y`.", family$label), shown(y),
       if (shares) "Counts of successes and failures are cbind(successes, failures) in a formula."
       else if (is.factor(y) || is.logical(y)) "Classes have family = \"binomial\".")
  response <- numbers_alone(y)
  check_in_range(response$y, family)
  response
}

numbers_alone <- function(y) {
  y <- matrix(as.double(unclass(y)), ncol = 1)
  check_finite(y, "y")
  list(type = "numeric", y = y)
}

check_in_range <- function(y, family) {
  shares <- loss_trait(family, "classes")
  bad <- which(!is_in_range(family, y))
  must(!length(bad), "y",
       sprintf("The %s family needs %s.", family$label,
               if (shares) "`y` between 0 and 1"
               else if (loss_trait(family, "closed")) "non-negative `y`" else "positive `y`"),
       sprintf("y[%d] is %s", bad[1], format(y[bad[1]])),
       if (shares) "Classes: factor(y). Counts are shares of their trials, the `weights`.")
}

# Classes, zeros and ones, or shares.
share_response <- function(y, family) {
  if (has_classes(y)) return(zero_one(class_response(y)))
  response <- amount_response(y, family)
  if (all(response$y %in% 0:1)) zero_one(class_response(factor(response$y))) else response
}

# The codes of classes as the shares that they are.
zero_one <- function(response) {
  response$y <- (response$y + 1) / 2
  c(response, list(low = 0))
}

# cbind(successes, failures): shares, weighted by their trials.
trials_response <- function(y, weights) {
  must(is.numeric(y) && is.matrix(y) && ncol(y) == 2 && all(is.finite(y)) && all(y >= 0), "y",
       "`cbind()` of a binomial response needs two columns, successes and failures.",
       shown(y), "Both are counts, not negative and not missing.")
  check_scale(y, "y")
  trials <- y[, 1] + y[, 2]
  must(sum(weights * trials) != 0, "y", "There are no trials.")
  list(response = numbers_alone(ifelse(trials > 0, trial_shares(y), 0)),
       weights = weights * unname(trials))
}

# NaN without trials.
trial_shares <- function(y) y[, 1] / (y[, 1] + y[, 2])

# Rows of positive weight whose y leave the intercept without a best value.
check_intercept <- function(family, response, weights) {
  for (j in seq_len(ncol(response$y))) {
    why <- why_no_intercept(family, response$y[weights > 0, j])
    must(is.null(why), "y", sprintf("The training rows have no fit with an intercept: %s.", why),
         NULL, "Use rows of both kinds, or intercept = FALSE.")
  }
}
