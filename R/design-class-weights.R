# Weights of rows that give all classes the same total weight: sampling weights times a factor for
# each class, which the attribute `balance` holds by the names of the classes. Without that factor
# the calibration of probabilities sees the population (cv-calibration.R). The class keeps the
# attribute through `[`, as in subset() and model.frame(), and products.

#' Weights for classes of unequal size
#'
#' Weights of rows that give all classes the same total weight, for the argument `weights` of all
#' models: a rare class then counts as much as a frequent one.
#'
#' @param y classes of the rows: a factor, logical or characters. Where y is NA the weight is NA;
#'   formulas drop such rows.
#' @param weights non-negative sampling weights of the rows; `NULL`: all the same.
#' @return A numeric vector of class `sparserls_class_weights`, one weight for each row: with m
#'   rows, K classes and m_k rows of class k it is `m / (K m_k)`, 1 on average (with `weights` w
#'   `w * sum(w) / (K sum(w_k))`). Its attribute `balance` has the factor of each class.
#' @section What they change: The fit, its scores and predicted classes, and the measure by which
#'   lambda is chosen: misclassification becomes the mean of the error rates of the classes.
#'   Probabilities (`predict(type = "prob")`), their `threshold`, calibration plot and log loss
#'   remain those of the population that the rows come from. If only the costs are unequal, use no
#'   weights but a `threshold`, see [predict.sparserls_fit()].
#'
#'   For this the weights must be recognized. They are recognized after subsetting, as a column of a
#'   data frame, and multiplied or divided by numbers. `c()`, `rbind()`, `ifelse()`, other
#'   arithmetic, text files, `caret::train(formula)` and case weights of tidymodels
#'   (`as.numeric(class_weights(y))`) leave plain numbers. These count as sampling weights, in
#'   probabilities too.
#'
#'   Rows in chunks take `m / (K m_k)` as a column, and have no probabilities.
#' @section Errors: `sparserls_error_y` for numbers and a single class, `sparserls_error_weights`
#'   for weights that do not suit the classes.
#' @examples
#' set.seed(1)
#' data <- data.frame(x = rnorm(500))
#' data$y <- factor(ifelse(data$x + 1.5 * rnorm(500) > 3, "rare", "usual"), c("usual", "rare"))
#' cv <- cv.rls(y ~ x, data, kernel_gaussian(), weights = class_weights(y))
#' table(data$y, predict(cv, data, type = "class"))
#' c(mean(data$y == "rare"), mean(predict(cv, data, type = "prob")[, "rare"]))
#' @export
class_weights <- function(y, weights = NULL) {
  must(is.factor(y) || is.character(y) || (is.logical(y) && is.null(dim(y))), "y",
       "`y` must be a factor, logical or characters, for class weights.", shown(y),
       if (is.numeric(y)) "Use factor(y) if the numbers are classes.")
  weights <- check_weights(weights, length(y))
  y <- droplevels(as.factor(y))
  check_named_levels(levels(y), "y", "y")
  must(nlevels(y) >= 2, "y", "`y` must have two classes at least.",
       sprintf("%d of them", nlevels(y)))
  totals <- vapply(split(weights, y), sum, 0)
  must(!any(totals == 0), "weights", "A class has no weight.",
       quoted(names(totals)[totals == 0][1]))
  balance <- sum(totals) / (nlevels(y) * totals)
  as_class_weights(weights * unname(balance)[as.integer(y)], balance)
}

as_class_weights <- function(values, balance) {
  structure(values, balance = balance, class = c("sparserls_class_weights", "numeric"))
}

plain_weights <- function(weights) as.vector(unclass(weights))

#' @export
`[.sparserls_class_weights` <- function(x, ...) {
  as_class_weights(plain_weights(x)[...], attr(x, "balance"))
}

# As of rbind(): the factors may be those of one part alone.
#' @export
`[<-.sparserls_class_weights` <- function(x, ..., value) {
  x <- plain_weights(x)
  x[...] <- plain_weights(value)
  x
}

# Products and quotients by plain numbers have the factors of the classes still; all else is plain
# numbers.
#' @export
Ops.sparserls_class_weights <- function(e1, e2) {
  terms <- if (missing(e2)) list(e1) else list(e1, e2)
  own <- vapply(terms, inherits, NA, "sparserls_class_weights")
  values <- do.call(.Generic, lapply(terms, plain_weights))
  scaled <- !all(own) && (.Generic == "*" || (.Generic == "/" && own[1]))
  if (scaled) as_class_weights(values, attr(terms[[which(own)]], "balance")) else values
}

#' @export
Math.sparserls_class_weights <- function(x, ...) get(.Generic)(plain_weights(x), ...)

#' @export
print.sparserls_class_weights <- function(x, ...) {
  cat("Class weights: ", describe_balance(attr(x, "balance")), "\n", sep = "")
  print(plain_weights(x), ...)
  invisible(x)
}

# "no 0.53, yes 10"
describe_balance <- function(balance) {
  enumerate(paste(names(balance), vapply(balance, format, "", digits = 3)), 10)
}

# The factors of the classes of a response, in the order of its levels; NULL where y has no classes.
class_balance <- function(balance, response) {
  if (!is_class(response)) return(NULL)
  lacking <- setdiff(response$levels, names(balance))
  must(!length(lacking), "weights",
       "`weights` are class_weights() of other classes than those of `y`.",
       quoted(lacking), "Give class_weights() the response.")
  balance[response$levels]
}

# The weights that rows have in the population.
population_weights <- function(design) {
  if (is.null(design$balance)) design$weights
  else design$weights / unname(design$balance)[true_classes(design$response)]
}
