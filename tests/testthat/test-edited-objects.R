# Whatever has happened to a saved object, no method of it crashes R: the bridge looks at all that C
# reads. And an object of another format is refused.

data <- data.frame(bad_x(), f = factor(rep(c("u", "v"), 10)), y = bad_y())
x <- bad_x()
sparse <- as(x * (abs(x) > 0.4), "CsparseMatrix")
classes <- factor(rep(c("a", "b", "c", "a"), 5))
lambda <- c(1, 0.1)
set.seed(5) # of outer folds, which might hold all basis vectors

objects <- list(
  dense = list(sparserls(x, data$y, 1:5, lambda = lambda), x),
  sparse = list(sparserls(sparse, data$y, 1:5, lambda = lambda), sparse),
  linear = list(sparserls(sparse, data$y, 1:3, kernel_linear(), lambda), x),
  formula = list(sparserls(y ~ ., data, basis = 1:5, lambda = lambda), data),
  classes = list(sparserls(x, classes, 1:5, lambda = lambda), x),
  gram = list(rls(tcrossprod(x), data$y, kernel_precomputed(), lambda, standardize = FALSE),
              tcrossprod(x)),
  rls = list(rls(x, data$y, lambda = lambda), x),
  cv = list(cv.sparserls(y ~ ., data, basis = 1:5, lambda = lambda, foldid = rep(1:4, 5),
                         keep = TRUE), data),
  grid = list(cv.rls(x, data$y, kernel_gaussian(c(0.1, 1)), lambda, foldid = rep(1:4, 5),
                     keep = TRUE, outer = 2), x),
  anew = list(cv.sparserls(x, data$y, basis_random(5), lambda = lambda, foldid = rep(1:4, 5),
                           reselect = TRUE, keep = TRUE), x),
  features = list(rls2(x, data$y, lambda = lambda), x),
  map = list(sparserls(x, data$y, 1:5, kernel_matern(map = matrix(sin(1:6), 3)), lambda), x),
  kernels = list(rls2(x, cbind(data$y, x[, 1]), list(kernel_linear(), kernel_gaussian(1)), lambda),
                 x),
  cv_rls2 = list(cv.rls2(x, data$y, lambda = lambda, foldid = rep(1:4, 5), keep = TRUE), x),
  greedy = list(greedyrls(x, data$y, 2), x),
  cv_greedy = list(cv.greedyrls(x, data$y, 2, foldid = rep(1:4, 5), keep = TRUE, outer = 2), x),
  cv_classes = list(cv.rls(x, classes, lambda = lambda, foldid = rep(1:4, 5)), x),
  widths = list(ardrls(y ~ ., data, basis = 1:8, penalty = c(Inf, 0), maxit = 3), data),
  width_classes = list(ardrls(x, classes, 1:8, penalty = 1, maxit = 3), x),
  cv_widths = list(suppressMessages(
    cv.ardrls(x, data$y, 1:8, penalty = c(Inf, 1, 0), maxit = 3, outer = 2, keep = TRUE)
  ), x),
  maps = list(ardrls(y ~ ., data, 1:8, penalty = list(widths = c(Inf, 0), map = 0), map = TRUE,
                     maxit = 3), data),
  cv_maps = list(suppressMessages(
    cv.ardrls(x, classes, 1:8, penalty = list(widths = c(Inf, 0), map = 0), map = TRUE, maxit = 3,
              outer = 2, keep = TRUE)
  ), x)
)
objects$kept <- list(cv.rls(x, cbind(data$y, x[, 1]), lambda = lambda, groups = rep(1:5, 4),
                            keep = TRUE), x)
objects$kept_dual <- list(cv.rls(x, data$y, kernel_gaussian(0.1), lambda = lambda, keep = TRUE,
                                 groups = rep(1:5, 4)), x)
objects$offset <- list(cv.rls(y ~ a + offset(b), data, lambda = lambda, foldid = rep(1:4, 5),
                              keep = TRUE), data)
objects$family <- list(sparserls(y > 0 ~ a + b, data, basis = 1:5, lambda = lambda,
                                 family = "binomial"), data)
objects$cv_family <- list(suppressMessages(
  cv.rls(round(exp(y)) ~ a + b + offset(c), data, lambda = lambda, family = poisson(),
         foldid = rep(1:4, 5), keep = TRUE)
), data)
objects$groups_family <- list(suppressMessages(
  cv.sparserls(x, classes, basis = 1:5, lambda = 0.1, family = "binomial", keep = TRUE,
               groups = rep(1:5, each = 4))
), x)
objects$family_effects <- list(suppressMessages(derivatives(objects$cv_family[[1]], data)), data)
objects$derivatives <- list(derivatives(objects$kept[[1]], x), x)
objects$jackknife <- list(derivatives(objects$kept[[1]], x, type = "jackknife"), x)
objects$average_effect <- list(suppressWarnings(
  average_effect(objects$cv[[1]], function(d) transform(d, a = a + 1), by = "f")
), data)
objects$curve <- list(effect_curve(objects$kept[[1]], "a", x), x)
objects$summary_derivatives <- list(summary(objects$derivatives[[1]]), x)
objects$summary <- list(summary(objects$cv[[1]]), x)
objects$summary_rls2 <- list(summary(objects$features[[1]]), x)
objects$summary_greedy <- list(summary(objects$cv_greedy[[1]]), x)
objects$summary_cv_widths <- list(summary(objects$cv_widths[[1]]), x)
objects$summary_cv_maps <- list(summary(objects$cv_maps[[1]]), x)

generics <- c("print", "summary", "predict", "coef", "fitted", "residuals", "nobs", "plot",
              "tidy", "glance", "augment", "autoplot", "vcov", "derivatives", "average_effect")
has_method <- function(generic, object) {
  # Refused for what they are, damaged or not.
  if (generic %in% c("vcov", "derivatives") && inherits(object, c("greedyrls", "cv.greedyrls"))) {
    return(FALSE)
  }
  if (generic == "average_effect") {
    return(inherits(object, c("cv.sparserls", "cv.rls")) && has_field(object, "refits"))
  }
  if (generic == "vcov" && inherits(object, c("rls2", "cv.rls2", "ardrls", "cv.ardrls"))) {
    return(FALSE)
  }
  any(vapply(class(object), function(class) {
    !is.null(utils::getS3method(generic, class, optional = TRUE, envir = asNamespace("sparserls")))
  }, NA))
}
has_field <- function(object, name) {
  fields <- unclass(object)
  is.list(fields) && !is.null(fields[[name]])
}
call_method <- function(generic, object, newdata) {
  method <- get(generic, asNamespace(if (generic %in% c("tidy", "glance", "augment")) "generics"
                                     else if (generic == "autoplot") "ggplot2" else "sparserls"))
  type <- if (inherits(object, c("glmrls", "cv.glmrls"))) "sandwich" else "gp"
  by_refits <- generic == "derivatives" && has_field(object, "refits") && runif(1) < 0.5
  if (by_refits || (generic == "derivatives" && inherits(object, c("ardrls", "cv.ardrls")))) {
    method(object, newdata)
  } else if (generic == "average_effect") {
    method(object, function(d) replace(d, 1, d[, 1] + 1), newdata = newdata)
  } else if (generic == "derivatives") {
    method(object, newdata, s = 0.1, type = if (!inherits(object, c("rls2", "cv.rls2"))) type)
  } else if (generic == "vcov" && !inherits(object, c("derivatives", "effect_curve"))) {
    method(object, 0.1, type)
  } else if (generic == "predict") {
    method(object, newdata, type = sample(c("response", "class", "prob"), 1))
  } else if (generic == "plot" && has_field(object, "calibration")) {
    method(object, what = "calibration")
  } else if (generic == "tidy" && has_field(object, "nested") && runif(1) < 0.5) {
    method(object, what = "nested")
  } else method(object)
}

# "works", or the class and the words of an error.
outcome <- function(generic, object, newdata) {
  tryCatch({
    utils::capture.output(suppressWarnings(call_method(generic, object, newdata)))
    "works"
  }, error = function(e) paste(class(e)[1], conditionMessage(e)[1]))
}

# ---- edits, as files and hands do it: one mutation somewhere in an object ------------------

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

# ---- what must not happen ------------------------------------------------------------------

test_that("two thousand calls of methods on edited objects end, with an answer or an error of R", {
  skip_if_not_installed("generics")
  skip_if_not_installed("ggplot2")
  pdf(NULL)
  on.exit(dev.off())
  methods <- lapply(objects, function(object) {
    Filter(function(generic) has_method(generic, object[[1]]), generics)
  })
  for (name in names(objects)) for (generic in methods[[name]]) {
    expect_match(outcome(generic, objects[[name]][[1]], objects[[name]][[2]]),
                 "^works|^sparserls_error_(argument|kernel)", info = paste(name, generic))
  }
  set.seed(1)
  found <- replicate(as.integer(Sys.getenv("SPARSERLS_FUZZ", "2000")), {
    name <- sample(names(objects), 1)
    outcome(sample(methods[[name]], 1), edited(objects[[name]][[1]]), objects[[name]][[2]])
  })
  # Most edits are of what nobody reads; of what C reads the bridge stops some.
  expect_gt(mean(found == "works"), 0.5)
  expect_gt(sum(grepl("internal error: ", found, fixed = TRUE)), 5)
})

test_that("objects of another format are refused, whatever is asked", {
  methods <- list(predict = predict, coef = coef, fitted = fitted, residuals = residuals,
                  deviance = deviance, formula = formula, print = print, summary = summary)
  for (name in c("dense", "cv", "features", "greedy", "cv_greedy", "widths", "family", "rls")) {
    fit <- objects[[name]][[1]]
    for (format in list(NULL, 0L, 2L, "1")) {
      if (inherits(fit, "sparserls_cv")) fit$fit["format"] <- list(format)
      else fit["format"] <- list(format)
      for (what in names(methods)) {
        expect_error(methods[[what]](fit), class = "sparserls_error_object",
                     info = paste(name, what))
      }
      expect_error(predict(fit, objects[[name]][[2]]), class = "sparserls_error_object")
    }
  }
  expect_refusals({
    predict(replace(objects$dense[[1]], "format", list(NULL)), x) | object |
      "The fit was made by another version of sparserls."
    predict(replace(objects$dense[[1]], "format", 2L), x) | object |
      "The fit was made by another version of sparserls."
  })
})
