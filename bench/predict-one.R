# predict() of a single row: milliseconds in all and by part, the smallest of several loops. One
# fit to a matrix, the same by a formula, and a cross-validation at lambda.min.
#
#   Rscript bench/predict-one.R [basis vectors]

library(sparserls)

source("bench/store.R")

basis <- basis_random(argument(1, 1000))
set.seed(1)
x <- matrix(rnorm(2000 * 10), ncol = 10, dimnames = list(NULL, paste0("x", 1:10)))
y <- sin(x[, 1]) + x[, 2]^2 + 0.3 * rnorm(nrow(x))
fits <- list(
  matrix = sparserls(x, y, basis, kernel_gaussian(), lambda = 1),
  formula = sparserls(y ~ ., data.frame(x, y), basis, kernel_gaussian(), lambda = 1),
  cv = cv.sparserls(x, y, basis, kernel_gaussian(width_multiples(1)), progress = FALSE)
)

milliseconds <- function(code, loops = 20, times = 100) {
  run <- eval(call("function", NULL, substitute(code)), parent.frame())
  round(1000 * min(replicate(loops, system.time(for (i in seq_len(times)) run())[["elapsed"]])) /
          times, 3)
}

# The steps of predict.sparserls_fit(), in the namespace where they are.
parts <- function(object, row) {
  fit <- final_fit(object)
  lambda <- if (inherits(object, "sparserls_cv")) object$lambda.min else fit$lambda
  coded <- forge(fit$blueprint, row)
  c(all = milliseconds(predict(object, row)),
    forge = milliseconds(forge(fit$blueprint, row)),
    coefficients = milliseconds(expansion_at(fit, lambda)),
    kernel = milliseconds(term_values(fit, coded)),
    scores = milliseconds(coded_scores(fit, coded, lambda)))
}
environment(parts) <- list2env(list(milliseconds = milliseconds), parent = asNamespace("sparserls"))

row <- x[1, , drop = FALSE]
say_provenance()
print(rbind(
  matrix = parts(fits$matrix, row),
  formula = parts(fits$formula, as.data.frame(row)),
  cv = parts(fits$cv, row)
))
