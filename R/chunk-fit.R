# Fits to rows in chunks: the objects of fit.R, without what holds a value for each row (`weights`,
# `fitted`, rownames, y of the response). Their field `chunks` has in its place
#   rows      trained (of positive weight), supplied, chunks: how many
#   weight    the sum of weights; largest of them
#   squares   sums of w y^2 about the mean (without an intercept about zero), one for each output
#   missing   how many rows had missing values; NULL where `subset` left rows out too

# ...: fields of a family's own, `basis` and `points` among them.
chunked_fit <- function(problem, model, class, ...) {
  training <- model$training
  lambda <- model$path$lambda
  spectrum <- c(training$spectrum, list(y_mean = training$y_mean))
  total <- sum(model$squares)
  rss <- total - vapply(lambda, function(lambda) sum(explained_squares(spectrum, lambda)), 0)
  structure(c(
    list(call = problem$call, lambda = lambda, df = coefficients_at(spectrum, lambda)$df,
         dev.ratio = explained(pmax(rss, 0), total), nulldev = total, spectrum = spectrum,
         kernel = model$part$kernel, intercept = problem$intercept,
         standard = problem$local$standard, ...),
    sampled_fields(problem, model)
  ), class = c(class, "sparserls_fit"))
}

# What data_fields() says of rows in memory.
sampled_fields <- function(problem, model) {
  survey <- problem$survey
  blueprint <- survey$frame$blueprint
  list(
    format = object_format, nobs = as_count(survey$nobs), response = survey$response,
    weights = NULL, blueprint = blueprint, columns = blueprint$columns, rownames = NULL,
    terms = survey$frame$terms, na.action = NULL,
    ranges = if (!is.null(survey$ranges)) bounded(survey$ranges, blueprint),
    dummies = dummy_columns(problem$design$x), fitted = NULL, fitted_at = integer(),
    chunks = list(
      rows = c(trained = survey$trained, supplied = survey$supplied, chunks = length(survey$each)),
      weight = survey$weight, largest = max(problem$weights), squares = model$squares,
      missing = if (is.null(survey$frame$subset)) survey$supplied - survey$nobs
    )
  )
}

# Integers, as nrow() has it, where they are.
as_count <- function(x) if (max(x) <= .Machine$integer.max) as.integer(x) else x
