# What is said of a cross-validation of classes beside its measure: the AUC of the held-out scores,
# and the log loss of the held-out probabilities (cv-calibration.R).

# The measure "auc" at some points of the path; NULL where it is undefined, or without the package
# survival.
held_auc <- function(problem, held, points) {
  held$scores <- held$scores[, , points, drop = FALSE]
  tryCatch({
    problem$validation$measure <- read_measure("auc", problem$design$response)
    setNames(errors(held, problem)$cvm, names(points))
  }, sparserls_error_measure = function(e) NULL)
}

# What is said of the two points that are chosen: the AUC where it is not what was measured, and the
# log loss.
class_table <- function(object) {
  calibration <- object$calibration
  table <- data.frame(row.names = c("min", "1se"))
  if (names(object$name) != "auc") table$AUC <- calibration$auc
  table$LogLoss <- calibration$logloss[1:2]
  table
}

# Lines on its columns.
class_key <- function(calibration, digits) {
  c(sprintf("LogLoss: of held-out probabilities; that of the base rates is %s.",
            format(signif(calibration$logloss[["base"]], digits))),
    if (!is.null(calibration$balance)) {
      paste0("Probabilities are those of the population; class weights: ",
             describe_balance(calibration$balance), ".")
    })
}

# Of a summary.
print_class_table <- function(x, digits) {
  if (is.null(x$classes)) return(invisible())
  cat("\n")
  print(signif(x$classes, digits))
}

# Columns of glance(), by yardstick's names. at: the point of its estimate.
class_columns <- function(x, at = "min") {
  calibration <- x$calibration
  if (is.null(calibration)) return(NULL)
  at <- match(at, c("min", "1se"))
  c(if (!is.null(calibration$auc)) list(roc_auc = calibration$auc[[at]]),
    list(mn_log_loss = calibration$logloss[[at]]))
}
