# Whatever has happened to a saved object, no method of it crashes R: the bridge looks at all that C
# reads. And an object of another format is refused.

set.seed(5) # of outer folds, which might hold all basis vectors
data <- result_data()
objects <- lapply(result_makers, function(make) quiet(eval(make, data, globalenv())))

outcome <- function(method, object, x) {
  tryCatch({
    quiet(utils::capture.output(invisible(ask_generic(method$generic, method$from, object, x))))
    "works"
  }, error = function(e) paste(class(e)[1], conditionMessage(e)[1]))
}

# Paths to all elements of a nested list (S3 objects included), two levels into its lists and more.
element_paths <- function(object, depth = 4) {
  object <- unclass(object)
  if (!is.list(object) || depth == 0 || length(object) == 0) return(list())
  unlist(lapply(seq_along(object), function(i) {
    c(list(i), lapply(element_paths(object[[i]], depth - 1), function(path) c(i, path)))
  }), recursive = FALSE)
}

# One element in a random way: gone, cut, lengthened, missing, of another type or class.
edited_value <- function(value) {
  some <- function(x) if (length(x)) sample.int(length(x), 1) else integer()
  plain <- unclass(value)
  atomic <- is.atomic(plain) && length(plain) > 0
  switch(sample(14, 1),
    NULL,
    if (is.null(dim(value))) head(plain, -1)
    else if (length(dim(value)) == 2 && !is.object(value)) value[, -1, drop = FALSE] else 1,
    if (atomic) c(plain, plain[1]) else list(),
    if (atomic) replace(plain, some(plain), NA) else NA,
    if (is.double(plain) && atomic) replace(plain, some(plain), NaN) else NaN,
    if (is.numeric(plain) && atomic) replace(plain, some(plain), -1e9) else -1,
    if (is.integer(plain) && atomic) replace(plain, some(plain), 100000L) else 50L,
    if (is.numeric(plain) && atomic) replace(plain, some(plain), Inf) else Inf,
    if (atomic) as.character(plain) else "a",
    if (atomic) as.list(plain) else 1,
    structure(if (is.null(value) || is.symbol(value)) list() else plain, class = "other"),
    if (is.vector(plain)) plain[0] else list(),
    { attributes(plain) <- NULL; plain },
    function(...) stop("not a field")
  )
}

edited <- function(object) {
  paths <- element_paths(object)
  change <- function(x, path) {
    class <- oldClass(x)
    x <- unclass(x)
    value <- if (length(path) == 1) edited_value(x[[path]]) else change(x[[path[1]]], path[-1])
    if (is.null(value) && runif(1) < 0.5) x[[path[1]]] <- NULL else x[path[1]] <- list(value)
    oldClass(x) <- class
    x
  }
  change(object, paths[[sample.int(length(paths), 1)]])
}

test_that("methods of edited objects end, with an answer or an error of R", {
  withr::local_pdf(NULL)
  all <- offered()
  cases <- unlist(lapply(names(objects), function(name) {
    object <- objects[[name]]
    lapply(split(methods_for(object, all), ~ paste(name, generic)), function(method) {
      list(method = method, object = object, x = rows_for(object, data))
    })
  }), FALSE)
  before <- vapply(cases, function(case) do.call(outcome, case), "")
  expect_identical(grep("^works|^sparserls_error", before, value = TRUE, invert = TRUE),
                   setNames(character(), character()))
  # Methods that answer for the object as it is, more with all suggested packages.
  asked <- cases[before == "works"]
  expect_gt(length(asked), 600)
  set.seed(1)
  found <- replicate(as.integer(Sys.getenv("SPARSERLS_FUZZ", "250")), {
    case <- asked[[sample.int(length(asked), 1)]]
    outcome(case$method, edited(case$object), case$x)
  })
  # Most edits are of what nobody reads. How many the bridge stops depends on the packages that are
  # installed, as their generics do: test-bridge.R gives it what it must stop.
  expect_gt(mean(found == "works"), 0.5)
})

test_that("objects of another format are refused, whatever is asked", {
  methods <- list(predict = predict, coef = coef, fitted = fitted, residuals = residuals,
                  deviance = deviance, formula = formula, print = print, summary = summary)
  for (name in c("sparserls", "cv.rls", "rls2", "greedyrls", "cv.greedyrls", "ardrls", "poisson")) {
    fit <- objects[[name]]
    for (format in list(NULL, "1")) {
      if (inherits(fit, "sparserls_cv")) fit$fit["format"] <- list(format)
      else fit["format"] <- list(format)
      for (what in names(methods)) {
        expect_error(methods[[what]](fit), class = "sparserls_error_object",
                     info = paste(name, what))
      }
      expect_error(predict(fit, rows_for(fit, data)), class = "sparserls_error_object")
    }
  }
  expect_refusals({
    predict(replace(objects$sparserls, "format", list(NULL)), data$x) |
      object | "The fit was made by another version of .. it has no format .. Fit it again"
    predict(replace(objects$sparserls, "format", 2L), data$x) |
      object | "The fit was made by another version of .. its format is 2L; this .. Fit it again"
  })
})
