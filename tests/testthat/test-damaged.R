# Whatever happens to a saved object, its methods work or say that it is damaged.

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

# "works", "sparserls_error_object", or the class of another error.
outcome <- function(generic, object, newdata) {
  tryCatch({
    utils::capture.output(suppressWarnings(call_method(generic, object, newdata)))
    "works"
  }, error = function(e) {
    if (inherits(e, "sparserls_error")) class(e)[1] else paste(class(e)[1], conditionMessage(e)[1])
  })
}

fuzz <- function(calls, seed) {
  set.seed(seed)
  found <- character(calls)
  for (i in seq_len(calls)) {
    name <- sample(names(objects), 1)
    whole <- objects[[name]][[1]]
    broken <- damage(whole)
    generic <- sample(Filter(function(generic) has_method(generic, whole), generics), 1)
    result <- outcome(generic, broken$object, objects[[name]][[2]])
    # No classes to predict, or classes where there is no interval; levels that newdata does not
    # have; standard errors and derivatives by a kernel that has none, or of what has kept nothing.
    fine <- paste0("sparserls_error_", c("argument", "newdata", "kernel", "offset"))
    if (generic %in% c("predict", "vcov", "derivatives") && result %in% fine) result <- "works"
    if (generic %in% c("vcov", "average_effect") && result == "sparserls_error_keep") {
      result <- "works"
    }
    found[i] <- if (result %in% c("works", "sparserls_error_object")) result
                else paste(name, generic, path_name(whole, broken$path), result)
  }
  found
}

test_that("damaged objects work or are refused as damaged, whatever the method", {
  skip_if_not_installed("generics")
  skip_if_not_installed("ggplot2")
  pdf(NULL)
  on.exit(dev.off())
  for (name in names(objects)) {
    whole <- objects[[name]][[1]]
    for (generic in Filter(function(generic) has_method(generic, whole), generics)) {
      expect_identical(outcome(generic, whole, objects[[name]][[2]]) %in%
                         c("works", "sparserls_error_argument", "sparserls_error_kernel"), TRUE,
                       info = paste(name, generic))
    }
  }
  calls <- as.integer(Sys.getenv("SPARSERLS_FUZZ", "600"))
  found <- fuzz(calls, seed = 1)
  other <- setdiff(found, c("works", "sparserls_error_object"))
  expect_identical(other, character())
  # Most damages matter.
  expect_gt(mean(found == "sparserls_error_object"), 0.5)
})

# What is wrong with predictions of so many rows, or "".
flaw <- function(values, rows, levels, type) {
  columns <- if (is.data.frame(values)) values else list(values)
  if (is.null(dim(values))) {
    if (length(values) != rows) return("length")
  } else if (nrow(values) != rows) return("rows")
  if (type == "class") {
    known <- vapply(columns, function(column) !anyNA(column) && all(column %in% levels), NA)
    return(if (all(known)) "" else "levels")
  }
  if (!is.numeric(values) || !all(is.finite(values))) return("not finite")
  if (type == "prob" && any(values < 0 | values > 1)) "no probability" else ""
}

test_that("whatever field is damaged, new rows are refused, or predicted by finite numbers", {
  set.seed(2)
  found <- character()
  for (name in names(objects)) {
    whole <- objects[[name]][[1]]
    newdata <- objects[[name]][[2]]
    if (!inherits(whole, c("sparserls_fit", "sparserls_cv"))) next
    fit <- if (inherits(whole, "sparserls_cv")) whole$fit else whole
    # Means of a log link may be infinite where the linear predictor is none.
    types <- c(if (is.null(fit$family)) "response" else "link", if (length(fit$response$levels)) "class",
               if (!is.null(whole$calibration)) "prob")
    for (path in element_paths(whole)) for (type in types) {
      broken <- damage(whole, path)$object
      wrong <- tryCatch({
        flaw(suppressWarnings(predict(broken, newdata, type = type)), nrow(newdata),
             fit$response$levels, type)
      }, sparserls_error = function(e) "", error = conditionMessage)
      if (nzchar(wrong)) found <- c(found, paste(name, type, path_name(whole, path), wrong))
    }
  }
  expect_identical(found, character())
})

test_that("a large block is looked through where what it makes is not finite", {
  x <- matrix(sin(1:400), 100)
  fit <- sparserls(x, cos(1:100), 1:50, lambda = lambda)
  for (value in c(NaN, NA, Inf, -Inf)) {
    broken <- fit
    broken$spectrum$map[7, 3] <- value
    expect_error(predict(broken, x), class = "sparserls_error_object")
    expect_error(predict(broken, x, s = 0.5, se.fit = TRUE), class = "sparserls_error_object")
    expect_error(coef(broken), class = "sparserls_error_object")
    broken <- fit
    broken$points$x[7, 3] <- value
    expect_error(predict(broken, x), class = "sparserls_error_object")
  }
  broken <- fit
  broken$spectrum$map <- fit$spectrum$map[-1, ]
  expect_error(predict(broken, x), class = "sparserls_error_object")
})

test_that("points are looked at however many they are: distances make finite numbers of any", {
  set.seed(1)
  x <- matrix(rnorm(2100), 700)
  for (rows in list(x, Matrix::Matrix(x * (x > -2), sparse = TRUE))) {
    fit <- sparserls(rows, sin(x[, 1]), I(1:600), kernel_gaussian(0.3), 1)
    for (value in c(NA, NaN, Inf, -Inf)) {
      broken <- fit
      if (isS4(broken$points$x)) broken$points$x@x[5] <- value else broken$points$x[5] <- value
      expect_error(predict(broken, rows[1:3, ]), class = "sparserls_error_object")
    }
  }
})

test_that("edited refits are refused before they predict", {
  for (kernel in list(kernel_linear(), kernel_gaussian(0.1))) {
    cv <- suppressMessages(cv.rls2(x, bad_y(), kernel = kernel, nfolds = 4, keep = TRUE))
    for (name in c("a0", "d", "alpha", "slope")) {
      for (value in list(NA, "a", matrix(0, 2, 2), list())) {
        edited <- unclass(cv)
        edited$refits$expansion[[name]] <- value
        class(edited) <- class(cv)
        expect_error(predict(edited, x, interval = "jackknife+"), class = "sparserls_error_object")
      }
    }
  }
})

test_that("edited kernels and selectors are refused where they are read", {
  y <- data$y
  edited <- function(object, name, value) replace(object, name, list(value))
  gaussian <- function(name, value) edited(kernel_gaussian(1), name, value)
  expect_classed("kernel", {
    sparserls(x, y, 1:5, gaussian("name", "none"))
    rls(x, y, gaussian("name", "other"))
    cv.sparserls(x, y, 1:5, list(kernel_linear(), gaussian("gamma", "a")))
    kernel_matrix(gaussian("gamma", Inf), x)
    rls2(x, y, list(gaussian("normalize", NA)))
    rls(x, y, edited(kernel_custom(tcrossprod), "f", 3))
    rls(x, y, edited(kernel_polynomial(), "offset", NULL))
    rls(x, y, edited(kernel_polynomial(2), "degree", 1.5))
    rls(x, y, edited(kernel_matern(), "smoothness", 2))
    rls(x, y, structure(list(), class = "sparserls_kernel"))
    print(gaussian("name", 1))
  })
  greedy <- function(name, value) edited(basis_greedy(3), name, value)
  expect_classed("basis", {
    sparserls(x, y, greedy("type", "other"))
    sparserls(x, y, greedy("candidates", NA))
    cv.sparserls(x, y, greedy("n", "a"), reselect = TRUE)
    sparserls(x, y, greedy("lambda", -1))
    sparserls(x, y, edited(basis_groups(rep(1:4, 5)), "groups", 1:20))
    sparserls(x, y, structure(3, class = "sparserls_basis"))
    print(greedy("type", NULL))
  })
  expect_classed("lambda", {
    rls(x, y, lambda = structure(list(df = -1), class = "sparserls_df"))
    rls(x, y, lambda = structure(1, class = "sparserls_df"))
  })
})

test_that("a cross-validation that is no list, and its tidiers", {
  skip_if_not_installed("generics")
  x <- bad_x()
  cv <- suppressMessages(cv.rls(x, bad_y(), nfolds = "loo"))
  greedy <- suppressMessages(cv.greedyrls(x, bad_y(), k = 2, nfolds = "loo"))
  other <- function(value, object) structure(value, class = class(object))
  expect_classed("object", {
    predict(other(1, cv), x)
    coef(other(function() 1, cv))
    print(other("a", greedy))
    generics::tidy(other(1, greedy))
    generics::tidy(replace(greedy, "cvm", 1))
    generics::glance(replace(greedy, "index", 1))
    generics::augment(replace(greedy, "k.min", "a"))
  })
})

edited <- function(object, name, value) {
  class <- class(object)
  structure(replace(unclass(object), name, list(value)), class = class)
}

test_that("numbers and words with a class are refused as damaged", {
  effect <- objects$derivatives[[1]]
  for (name in c("nobs", "lambda", "type", "df")) {
    classed <- structure(effect[[name]], class = "a")
    expect_classed("object", {
      generics::glance(edited(effect, name, classed))
    })
  }
})

test_that("edited calls and sizes are refused as damaged", {
  for (name in c("cv", "cv_rls2", "cv_greedy", "cv_widths")) {
    cv <- objects[[name]][[1]]
    for (value in list(NA, Inf, NaN, 1i, factor("a"), mean, quote(x), NULL)) {
      broken <- edited(cv, "fit", edited(cv$fit, "call", value))
      expect_classed("object", {
        model.frame(broken)
        derivatives(broken)
        print(edited(cv, "call", value))
      })
    }
  }
  cv <- objects$cv[[1]]
  for (size in list(list(), mean, "a", NA)) {
    expect_classed("object", {
      print(edited(cv, "size", size))
      summary(edited(cv, "size", size))
    })
  }
  for (name in c("cv", "cv_rls2", "cv_greedy", "cv_widths")) {
    cv <- objects[[name]][[1]]
    for (folds in list(NA, 2.5, Inf, list(), mean)) {
      expect_classed("object", {
        print(edited(cv, "nfolds", folds))
        summary(edited(cv, "nfolds", folds))
      })
    }
    expect_output(print(edited(cv, "nfolds", 1e10)))
    expect_output(print(summary(edited(cv, "nfolds", 1e10))))
  }
})
