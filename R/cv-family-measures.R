# Measures of the held-out linear predictors of families (loss.R), in entries as in cv-measures.R.

# Scores are rows x outputs x points; every function answers rows x points.

row_deviance <- function(family) function(response, row, scores) {
  y <- response$y[row, , drop = FALSE]
  if (ncol(y) == 1) return(flat_points(family_deviance(family, y[, 1], scores)))
  own <- sum_outputs(family_log_mean(family, scores) * as.vector(y))
  flat_points(2 * log(sum_outputs(family_mean(family, scores))) - 2 * own)
}

row_means <- function(family, loss) function(response, row, scores) {
  y <- response$y[row, , drop = FALSE]
  flat_points(sum_outputs(loss(as.vector(y) - score_means(family, scores))))
}

# Sums over outputs, rows x 1 x points.
sum_outputs <- function(x) {
  array(colSums(aperm(x, c(2, 1, 3))), c(nrow(x), 1, dim(x)[3]))
}

flat_points <- function(x) matrix(x, nrow(x), dim(x)[3])

# Means of scores, in their shape: of one output, or of several classes.
score_means <- function(family, scores) {
  if (ncol(scores) == 1) family_mean(family, scores) else class_shares(family, scores)
}

# The same of a matrix, rows x outputs.
mean_matrix <- function(family, scores) {
  matrix(score_means(family, array(scores, c(dim(scores), 1))), nrow(scores))
}

# Probabilities of several classes, each against the others, divided by their sum.
class_shares <- function(family, eta) {
  p <- array(family_mean(family, eta), dim(eta)) # of no rows plogis() drops the dimensions
  p / as.vector(aperm(array(rep(sum_outputs(p), dim(eta)[2]), dim(eta)[c(1, 3, 2)]), c(1, 3, 2)))
}

family_measures <- function(family) {
  classes <- loss_trait(family, "classes")
  table <- list(
    deviance = list(label = "Deviance", rows = row_deviance(family)),
    class = list(label = "Misclassification error", loss = "class", check = measures$class$check),
    auc = c(measures$auc[c("label", "set", "moves", "maximize")],
            list(check = measures$auc$check)),
    mse = list(label = if (classes) "Brier score" else "Mean squared error",
               rows = row_means(family, function(r) r^2)),
    mae = list(label = "Mean absolute error", rows = row_means(family, abs))
  )
  if (classes) table else table[c("deviance", "mse", "mae")]
}

read_family_measure <- function(type.measure, response, family) {
  table <- family_measures(family)
  ties <- c(list(type = "deviance"), table$deviance, list(maximize = FALSE))
  if (is.null(type.measure)) type.measure <- "deviance"
  if (is.function(type.measure)) {
    measure <- user_measure(type.measure)
    of_means <- measure$set
    measure$set <- function(response, row, score, weights) {
      of_means(response, row, mean_matrix(family, score), weights)
    }
    return(c(list(type = "function"), measure, list(maximize = FALSE, ties = ties)))
  }
  type <- check_choice(type.measure, names(table), "type.measure")
  measure <- table[[type]]
  if (!is.null(measure$check)) measure$check(response)
  measure$maximize <- isTRUE(measure$maximize)
  c(list(type = type), measure, if (type != "deviance") list(ties = ties))
}
