# by.output = TRUE: every output has a lambda of its own. It is chosen from the held-out predictions
# of the best candidate, all outputs sharing its kernel and basis.

check_by_output <- function(measure, response) {
  if (ncol(response$y) == 1) {
    abort("argument", "`by.output = TRUE` needs several outputs.", "1 output")
  }
  if (identical(measure$loss, "class") || (is_class(response) && isTRUE(measure$as_given))) {
    abort("measure", "`by.output = TRUE` needs a measure that each output has alone.",
          measure$label, "Use type.measure = \"mse\" or \"mae\".")
  }
}

# Of every output alone: its errors, points of the path x outputs, and
# the positions of its lambda.min and lambda.1se.
output_curves <- function(problem, found) {
  found <- lapply(seq_len(ncol(problem$y)), function(j) {
    held <- held_output(found$held, j)
    own <- problem_output(problem, j)
    error <- choice_errors(held, own)
    c(error, list(index = path_choice(chosen_points(own, found$path, held, error))))
  })
  table <- function(name) {
    values <- do.call(cbind, lapply(found, `[[`, name))
    colnames(values) <- output_names(problem$design$response)
    values
  }
  list(cvm = table("cvm"), cvsd = table("cvsd"), index = table("index"))
}

held_output <- function(held, j) {
  held$scores <- held$scores[, j, , drop = FALSE]
  held
}

problem_output <- function(problem, j) {
  problem$design$response$y <- problem$design$response$y[, j, drop = FALSE]
  problem
}

# Fields of the cv object: errors, lambdas x outputs, and the chosen lambda of each output.
output_fields <- function(curve, problem) {
  output <- curve$output
  if (is.null(output)) return(NULL)
  if (names(curve$path)[1] != "lambda") {
    abort("argument", "`by.output = TRUE` needs a path of `lambda`.",
          sprintf("a path of `%s`", names(curve$path)[1]))
  }
  lambda <- curve$path$lambda
  at <- function(which) setNames(lambda[output$index[which, ]], colnames(output$index))
  list(cvm.output = output$cvm, cvsd.output = output$cvsd, lambda.min.output = at("min"),
       lambda.1se.output = at("1se"))
}

# method(fit, s, ...) of a cross-validation's fit. With lambda.min.output, or lambda.1se.output, it
# is an array with one value of the path, each output at its own lambda. (Predictions lose this
# dimension, predictions_at_chosen().)
at_chosen <- function(object, s, method, ...) {
  fit <- final_fit(object)
  if (!by_output(object, s)) return(method(fit, cv_values(object, s), ...))
  own <- object[[s]]
  if (is.null(own)) {
    abort("lambda", sprintf("There is no \"%s\".", s), NULL,
          "Cross-validate with `by.output = TRUE`.")
  }
  lambda <- unique(unname(own))
  values <- method(fit, lambda, ...)
  names <- list(rownames(values), colnames(values), s)
  dim(values) <- c(nrow(values), length(own), length(lambda))
  picked <- lapply(seq_along(own), function(j) values[, j, match(own[[j]], lambda)])
  array(unlist(picked), c(nrow(values), length(own), 1), names)
}

predictions_at_chosen <- function(object, s, method, ...) {
  values <- at_chosen(object, s, method, ...)
  if (by_output(object, s)) label_predictions(values, object$fit$response, s) else values
}

# At most ten outputs with their lambda and error, as lines of a print.
print_by_output <- function(x, digits) {
  at <- match(x$lambda.min.output, x$lambda)
  error <- x$cvm.output[cbind(at, seq_along(at))]
  shown <- head(seq_along(at), 10)
  cat("\nFor every output alone", if (length(at) > 10) sprintf(" (10 of %d)", length(at)), ":\n\n",
      sep = "")
  table <- rounded(list(Output = names(x$lambda.min.output), Lambda = x$lambda.min.output,
                        Index = at, Measure = error), digits)
  print(table[shown, ], row.names = FALSE)
}
