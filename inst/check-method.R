# Is a method of own_method() (?own) right? check_method() runs it through what users ask, and says
# in words what is wrong. In the tests of a package:
#   source(system.file("check-method.R", package = "sparserls"), local = TRUE)
#   expect_identical(check_method(lasso), character())
#
# make       a function that answers the method, without arguments: each fit has one made afresh
# x, y       a numeric matrix with names of columns, and numbers; by default 40 simulated rows
# weights    whether the method takes weights: 2 is then the same as the row twice
# tolerance  of comparisons, relative to the largest distance of y from its mean
# Answers what is wrong, invisibly, one string for each check that failed.
check_method <- function(make, x = NULL, y = NULL, weights = TRUE, tolerance = 1e-6) {
  set.seed(1)
  if (is.null(x)) x <- matrix(rnorm(40 * 3), 40, dimnames = list(NULL, c("a", "b", "c")))
  if (is.null(y)) y <- x[, 1] - x[, 2] / 2 + rnorm(nrow(x)) / 3
  m <- list(make = make, x = x, y = y, tolerance = tolerance)
  # With the same random numbers for all fits.
  m$fit <- function(x = m$x, y = m$y, method = make(), ...) {
    set.seed(2)
    sparserls::own(x, y, method = method, ...)
  }
  m$cv <- function(x = m$x, y = m$y, method = make(), ...) {
    set.seed(2)
    suppressMessages(sparserls::cv.own(x, y, method = method, ..., progress = FALSE))
  }
  said <- function(code) {
    tryCatch(code, error = function(e) paste("it ends in the error:", conditionMessage(e)),
             warning = function(w) paste("it warns:", conditionMessage(w)))
  }
  checks <- method_checks[weights | !startsWith(names(method_checks), "weights")]
  open <- grDevices::dev.cur()
  grDevices::pdf(NULL)
  on.exit({
    grDevices::dev.off()
    if (open > 1) grDevices::dev.set(open)
  })
  first <- said({
    m$axis <- names(make()$path)
    m$path <- m$fit()[[m$axis]]
    m$shown <- predict(m$fit(), x)
    TRUE
  })
  found <- if (isTRUE(first)) lapply(checks, function(check) said(check(m))) else list(fit = first)
  wrong <- Filter(Negate(isTRUE), found)
  wrong <- sprintf("%s: %s", names(wrong), vapply(wrong, paste, "", collapse = " "))
  cat(sprintf("%d checks, %d failed\n", length(found), length(wrong)), sprintf("* %s\n", wrong),
      sep = "")
  invisible(wrong)
}

# TRUE, or what is not so in words.
agree <- function(m, found, expected, words) {
  found <- as.vector(found)
  expected <- as.vector(expected)
  if (length(found) != length(expected)) {
    return(sprintf("%s (%d numbers in place of %d)", words, length(found), length(expected)))
  }
  apart <- max(abs(found - expected)) / max(abs(m$y - mean(m$y)))
  holds(apart <= m$tolerance, sprintf("%s (they are %.2g apart)", words, apart))
}
holds <- function(fine, words) if (isTRUE(fine)) TRUE else words
all_of <- function(...) {
  wrong <- Filter(Negate(isTRUE), list(...))
  if (length(wrong)) wrong[[1]] else TRUE
}
# Ends the code in an error of this class?
refused <- function(code, class) {
  tryCatch({
    code
    sprintf("it is not refused by an error of class %s", class)
  }, error = function(e) holds(inherits(e, class), conditionMessage(e)))
}
# The method with another path.
with_path <- function(m, values) {
  method <- m$make()
  method$path[[1]] <- values
  method
}

# Held-out predictions against fits, with methods made afresh, to the rows that are left.
honest <- function(m, folds, ...) {
  cv <- m$cv(..., standardize = FALSE, keep = TRUE)
  left_out <- lapply(folds, function(rows) {
    fit <- m$fit(m$x[-rows, , drop = FALSE], m$y[-rows], with_path(m, cv[[m$axis]]),
                 standardize = FALSE)
    predict(fit, m$x[rows, , drop = FALSE])
  })
  held <- lapply(folds, function(rows) matrix(cv$fit.preval, nrow(m$x))[rows, ])
  agree(m, unlist(held), unlist(left_out),
        "held-out predictions are not those of a fit without the fold")
}

method_checks <- list(
  "predictions" = function(m) {
    shape <- c(nrow(m$x), length(m$path))
    all_of(holds(identical(dim(m$shown), shape), "they are not rows x values of the path"),
           agree(m, fitted(m$fit()), m$shown, "fitted values are not predictions of the same rows"))
  },
  "one row of new data" = function(m) {
    found <- vapply(1:5, function(i) {
      predict(m$fit(), m$x[i, , drop = FALSE])[1, ]
    }, m$shown[1, ])
    agree(m, found, t(m$shown[1:5, ]), "the prediction of a row depends on those beside it")
  },
  "order of new rows" = function(m) {
    turned <- rev(seq_len(nrow(m$x)))
    agree(m, predict(m$fit(), m$x[turned, ]), m$shown[turned, ],
          "predictions are not those of the same rows in another order")
  },
  "order of rows" = function(m) {
    turned <- rev(seq_len(nrow(m$x)))
    fit <- m$fit(m$x[turned, ], m$y[turned], with_path(m, m$path))
    agree(m, predict(fit, m$x), m$shown, "the model depends on the order of the rows")
  },
  "a fit again" = function(m) {
    method <- m$make()
    other <- predict(m$fit(y = rev(m$y), method = method), m$x)
    all_of(holds(any(other != m$shown), "another y does not change predictions"),
           agree(m, predict(m$fit(method = method), m$x), m$shown,
                 "the method remembers the data of an earlier fit"))
  },
  "random numbers" = function(m) {
    set.seed(3)
    drawn <- predict(sparserls::own(m$x, m$y, method = m$make()), m$x)
    agree(m, drawn, m$shown, "results change with the seed")
  },
  "every value of the path" = function(m) {
    fit <- m$fit()
    each <- vapply(m$path, function(value) as.vector(predict(fit, m$x, s = value)), m$shown[, 1])
    agree(m, each, m$shown, "predictions at one value are not those of the path")
  },
  "a part of the path" = function(m) {
    some <- seq(1, length(m$path), by = 2)
    agree(m, predict(m$fit(method = with_path(m, m$path[some])), m$x), m$shown[, some],
          "predictions at a value depend on the others (is the argument `path` used?)")
  },
  "from the simplest model on" = function(m) {
    error <- colMeans((m$y - m$shown)^2)
    holds(error[1] >= error[length(error)] - m$tolerance * error[1],
          "the last model of the path fits its rows worse than the first")
  },
  "paths in no order or with NA" = function(m) {
    class <- paste0("sparserls_error_", m$axis)
    values <- if (length(m$path) > 2) m$path else 3:1
    all_of(refused(m$fit(method = with_path(m, values[c(2, 1, 3)])), class),
           refused(m$fit(method = with_path(m, c(values[1], NA))), class))
  },
  "weights of zero" = function(m) {
    w <- rep(1:0, c(nrow(m$x) - 5, 5))
    rows <- w > 0
    one <- m$fit(weights = w, method = with_path(m, m$path), standardize = FALSE)
    other <- m$fit(m$x[rows, ], m$y[rows], with_path(m, m$path), standardize = FALSE)
    agree(m, predict(one, m$x), predict(other, m$x), "they are not as if the row were not there")
  },
  "weights of two" = function(m) {
    w <- rep(1:2, length.out = nrow(m$x))
    twice <- rep(seq_along(w), w)
    one <- m$fit(weights = w, method = with_path(m, m$path))
    other <- m$fit(m$x[twice, ], m$y[twice], with_path(m, m$path))
    agree(m, predict(one, m$x), predict(other, m$x), "they are not as the row twice")
  },
  "several outputs" = function(m) {
    both <- cbind(u = m$y, v = sqrt(abs(m$y)))
    method <- function() with_path(m, m$path)
    found <- predict(m$fit(y = both, method = method()), m$x)
    turned <- predict(m$fit(y = both[, 2:1], method = method()), m$x)
    alike <- predict(m$fit(y = cbind(m$y, m$y), method = method()), m$x)
    all_of(holds(identical(dim(found), c(nrow(m$x), 2L, length(m$path))),
                 "predictions are not rows x outputs x values of the path"),
           agree(m, turned[, 2:1, ], found, "they change with the order of the outputs"),
           agree(m, alike[, 1, ], alike[, 2, ], "equal outputs have unequal predictions"))
  },
  "a single column" = function(m) {
    fit <- m$fit(m$x[, 1, drop = FALSE], method = with_path(m, m$path[1]))
    holds(length(predict(fit, m$x[, 1, drop = FALSE])) == nrow(m$x),
          "there is not one prediction for every row")
  },
  "missing values in new rows" = function(m) {
    fit <- sparserls::own(m$y ~ ., data.frame(m$x), method = with_path(m, m$path))
    found <- predict(fit, data.frame(replace(m$x[1:3, ], 2, NA)))
    all_of(holds(all(is.na(found[2, ])), "their predictions are not NA"),
           agree(m, found[-2, ], m$shown[c(1, 3), ], "they change predictions of other rows"))
  },
  "leave-one-out" = function(m) honest(m, seq_len(nrow(m$x)), nfolds = "loo"),
  "folds" = function(m) {
    id <- rep(1:5, length.out = nrow(m$x))
    honest(m, split(seq_along(id), id), foldid = id)
  },
  "groups" = function(m) {
    id <- rep(1:4, each = 3, length.out = nrow(m$x))
    honest(m, split(seq_along(id), id), groups = id)
  },
  "outer folds and intervals by refits" = function(m) {
    cv <- m$cv(nfolds = 4, outer = 3, keep = TRUE)
    interval <- predict(cv, m$x[1:2, ], interval = "jackknife+")
    all_of(holds(is.finite(cv$nested$cvm), "the error in outer folds is not a number"),
           holds(all(interval[, "lwr"] < interval[, "upr"]), "lower ends are not below upper ones"))
  },
  "classes" = function(m) {
    class <- factor(ifelse(m$y > median(m$y), "high", "low"))
    cv <- m$cv(y = class, nfolds = 4)
    probabilities <- predict(cv, m$x, type = "prob")
    right <- mean(predict(cv, m$x, type = "class") == class)
    all_of(holds(all(abs(rowSums(probabilities) - 1) < 1e-8), "probabilities do not sum to one"),
           holds(right > 0.5, "most of the rows are predicted to be of the wrong class"),
           refused(m$fit(y = factor(rep("one", nrow(m$x)))), "sparserls_error_y"))
  },
  "coefficients" = function(m) {
    if (is.null(m$make()$coef)) return(refused(coef(m$fit()), "sparserls_error_object"))
    agree(m, cbind(1, m$x) %*% coef(m$fit()), m$shown, "predictions do not follow from them")
  },
  "formulas and update()" = function(m) {
    data <- data.frame(y = m$y, m$x, check.names = FALSE)
    method <- with_path(m, m$path)
    fit <- sparserls::own(y ~ ., data, method = method)
    all_of(agree(m, predict(fit, data), m$shown, "predictions are not those of the matrix"),
           agree(m, predict(update(fit, standardize = FALSE), data),
                 predict(m$fit(method = method, standardize = FALSE), m$x),
                 "the updated fit is not that with the other argument"))
  },
  "saved and read" = function(m) {
    file <- tempfile(fileext = ".rds")
    on.exit(unlink(file))
    saveRDS(m$fit(), file)
    agree(m, predict(readRDS(file), m$x), m$shown, "the fit predicts something else")
  },
  "prints, summaries, tables and plots" = function(m) {
    fit <- m$fit()
    cv <- m$cv(nfolds = 4)
    for (object in list(fit, cv)) {
      utils::capture.output(print(object), print(summary(object)))
      if (requireNamespace("generics", quietly = TRUE)) {
        if (inherits(object, "cv.own") || !is.null(m$make()$coef)) generics::tidy(object)
        generics::glance(object)
        generics::augment(object, newdata = m$x)
      }
    }
    plot(cv)
    if (m$axis == "lambda" && !is.null(m$make()$coef)) plot(fit)
    TRUE
  }
)
