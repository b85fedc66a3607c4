#' Simulated gene expressions of fourteen cancers
#'
#' Expressions of the shape of the 14-cancers data, for use where those are not at hand: the same
#' numbers of training and test patients of each class, and by default of genes. Randomness is R's
#' own: `set.seed()` repeats a simulation.
#'
#' The expression of a gene is its mean (normal, standard deviation 1) plus the effects of 30
#' pathways plus noise (standard deviation 1). A pathway has loadings on 5 per cent of the genes
#' (standard deviation 0.5); a patient's value of it is normal around a mean of the class, which is
#' normal with standard deviation 0.5. Every class has `markers` genes, drawn anew for each, that
#' are shifted in its patients by 1 + an exponential variable of mean 0.5, up or down; in one of ten
#' patients of any class they are not. A patient's chip has an offset and a gain of its own.
#'
#' @param genes how many genes.
#' @param markers how many of them mark each class.
#' @return As [cancer14()].
#' @section Errors: `sparserls_error_argument` where there are fewer genes than markers.
#' @examples
#' set.seed(1)
#' data <- simulate_cancer14(genes = 500)
#' dim(data$train$x)
#' table(data$test$y)
#' @export
simulate_cancer14 <- function(genes = 16063, markers = 50) {
  genes <- check_count(genes, "genes")
  markers <- check_count(markers, "markers", "Classes need genes that mark them.")
  if (markers > genes) {
    abort("argument", "`markers` must be at most `genes`.", sprintf("%d and %d", markers, genes))
  }
  model <- list(
    mean = rnorm(genes),
    factors = matrix(rnorm(length(cancer14_classes) * 30, sd = 0.5), ncol = 30),
    loadings = matrix(rnorm(30 * genes, sd = 0.5) * (runif(30 * genes) < 0.05), 30),
    shift = matrix(vapply(cancer14_classes, function(class) marker_shift(genes, markers),
                          numeric(genes)), ncol = genes, byrow = TRUE)
  )
  list(train = simulate_patients(cancer14_counts$train, model),
       test = simulate_patients(cancer14_counts$test, model))
}

marker_shift <- function(genes, markers) {
  shift <- numeric(genes)
  shift[sample.int(genes, markers)] <- sample(c(-1, 1), markers, TRUE) * (1 + rexp(markers, 2))
  shift
}

simulate_patients <- function(counts, model) {
  class <- rep(seq_along(counts), counts)
  m <- length(class)
  genes <- length(model$mean)
  typical <- runif(m) >= 0.1
  factors <- model$factors[class, ] + rnorm(30 * m)
  x <- rep(model$mean, each = m) + factors %*% model$loadings +
    typical * model$shift[class, ] + matrix(rnorm(m * genes), m)
  x <- rnorm(m, sd = 0.5) + exp(rnorm(m, sd = 0.2)) * x
  list(x = x, y = factor(cancer14_classes[class], cancer14_classes))
}
