d <- prostate[prostate$train, 1:9]
rownames(d) <- sprintf("man %d", seq_len(nrow(d)))

# Arguments that every family needs; calls are made as a user writes them.
needed <- list(
  sparserls = quote(f(basis = 1:20, lambda = c(10, 1))),
  rls = quote(f(lambda = c(10, 1))),
  rls2 = quote(f(lambda = c(10, 1))),
  greedyrls = quote(f(k = 2))
)
families <- c(names(needed), paste0("cv.", names(needed)))

make <- function(name, ...) {
  more <- needed[[sub("cv.", "", name, fixed = TRUE)]]
  if (startsWith(name, "cv")) more$nfolds <- 5
  call <- as.call(c(as.name(name), as.list(substitute(f(...)))[-1], as.list(more)[-1]))
  eval(call, parent.frame())
}

test_that("formula, terms, model.frame and weights are those of lm()", {
  w <- seq_len(nrow(d)) / 10
  for (name in families) {
    fit <- make(name, lpsa ~ ., d, weights = w)
    reference <- lm(lpsa ~ ., d, weights = w)
    expect_equal(formula(fit), formula(reference), info = name)
    expect_equal(terms(fit), terms(reference), ignore_attr = TRUE, info = name)
    expect_equal(model.frame(fit), model.frame(reference), ignore_attr = "terms", info = name)
    expect_identical(weights(fit), setNames(w, rownames(d)), info = name)
  }
})

test_that("the model matrix has the columns that coefficients belong to", {
  d$svi <- factor(d$svi, 0:2, c("no", "yes", "never"))
  d$high <- d$gleason > 6
  d$age[3] <- NA
  new <- head(prostate[!prostate$train, ], 4)
  new <- transform(new, svi = factor(svi, 0:1, c("no", "yes")), high = gleason > 6)
  for (intercept in c(TRUE, FALSE)) {
    fit <- rls(lpsa ~ lcavol * svi + age + high, d, lambda = 1, intercept = intercept)
    x <- model.matrix(fit)
    expect_identical(colnames(x)[1] == "(Intercept)", intercept)
    expect_equal(drop(x %*% coef(fit)[colnames(x), ]), fitted(fit))
    same(drop(model.matrix(fit, data = new) %*% coef(fit)[colnames(x), ]), predict(fit, new), 1e-8)
  }
})

test_that("rows that are at hand no more are asked for", {
  men <- d
  parts <- chunks_function(3, function(i) d[seq(i, nrow(d), by = 3), ])
  fit <- rls(lpsa ~ lcavol + age, men, lambda = 1)
  cv <- cv.rls(lpsa ~ lcavol + age, men, lambda = 1, keep = TRUE)
  chunked <- (function(given) rls(lpsa ~ lcavol + age, given, lambda = 1))(parts)
  wanted <- list(frame = model.frame(fit), matrix = model.matrix(fit),
                 effects = derivatives(cv)$average)
  # As when the fit was saved, and read in another session.
  rm(men)
  expect_refusals({
    model.frame(fit) | formula | "The model frame of the fit cannot be .. object 'men' not found"
    terms(rls(as.matrix(d[1:8]), d$lpsa, lambda = 1)) | formula | "The fit has no formula."
    model.frame(chunked) | formula | "A fit to rows in chunks has no model frame."
    derivatives(fit) | newdata | "`newdata` is missing, and the data of .. object 'men' not found"
    model.frame(fit, d) | dots | "Arguments that replace those of the call need names."
  })
  expect_identical(model.frame(fit, data = d), wanted$frame)
  expect_identical(model.matrix(cv, data = d), wanted$matrix)
  expect_identical(derivatives(cv, d)$average, wanted$effects)
})

test_that("deviance and sigma are those of the residuals", {
  w <- replace(seq_len(nrow(d)) / 10, 5:9, 0)
  for (intercept in c(TRUE, FALSE)) {
    for (name in families) {
      fit <- make(name, as.matrix(d[1:8]), d$lpsa, weights = w, intercept = intercept)
      expect_equal(unname(deviance(fit))[1], sum(w * as.matrix(residuals(fit))[, 1]^2), info = name)
      if (name %in% families[1:3]) {
        expect_equal(sigma(fit), sqrt(deviance(fit) / (nrow(d) - 5 - fit$df - intercept)))
      }
    }
    greedy <- make("greedyrls", as.matrix(d[1:8]), d$lpsa, weights = w, intercept = intercept)
    ridge <- rls(as.matrix(d[greedy$selected]), d$lpsa, weights = w, intercept = intercept,
                 lambda = greedy$lambda)
    expect_equal(deviance(greedy), deviance(ridge))
    expect_equal(sigma(greedy), sigma(ridge))
  }
  fit <- rls(lpsa ~ ., d, lambda = c(10, 1e-8))
  expect_equal(sigma(fit, s = 1e-8), sigma(lm(lpsa ~ ., d)), tolerance = 1e-6)
  expect_error(deviance(fit, s = 1), class = "sparserls_error_lambda")
})

test_that("several outputs: sums over outputs", {
  y <- as.matrix(d[c("lpsa", "lcavol")])
  fit <- rls(as.matrix(d[2:8]), y, lambda = c(10, 1))
  each <- lapply(1:2, function(j) rls(as.matrix(d[2:8]), y[, j], lambda = c(10, 1)))
  expect_equal(deviance(fit), deviance(each[[1]]) + deviance(each[[2]]))
  expect_equal(sigma(fit)^2, (sigma(each[[1]])^2 + sigma(each[[2]])^2) / 2)
  layers <- rls2(as.matrix(d[2:8]), y, lambda = c(10, 1))
  left <- rowSums(nrow(d) - layers$df - 1)
  expect_equal(sigma(layers), sqrt(deviance(layers) / left))
})

test_that("update() knows arguments that were given by position", {
  kernel <- kernel_gaussian(0.3)
  cv <- cv.sparserls(lpsa ~ lcavol + age, d, 1:20, kernel, c(1, 0.1), weights = lcavol + 3,
                     foldid = rep_len(1:5, nrow(d)))
  expect_identical(update(cv, threads = 1)$cvm, cv$cvm)
  expect_identical(rownames(coef(update(rls(lpsa ~ lcavol + age, d, lambda = 1), . ~ . - age))),
                   c("(Intercept)", "lcavol"))
  expect_identical(update(cv$fit)$fitted, cv$fit$fitted)
  fits <- list(sparserls(lpsa ~ lcavol, d, 1:20, kernel, 1), rls(lpsa ~ age, d, kernel, 1),
               rls2(lpsa ~ age, d, list(kernel), 1), greedyrls(lpsa ~ age, d, 1, 2))
  for (fit in fits) {
    expect_identical(nzchar(names(fit$call)[-1]), rep(TRUE, length(fit$call) - 1))
    expect_identical(fitted(update(fit, subset = 1:97)), fitted(fit))
  }
})

test_that("the fit of a cross-validation has the call that makes it", {
  groups <- rep_len(1:10, nrow(d))
  x <- as.matrix(d[1:8])
  cvs <- list(
    cv.sparserls(lpsa ~ ., d, basis = 1:20, groups = groups, holdout_basis = "keep", keep = TRUE),
    cv.sparserls(x, d$lpsa, 1:20, kernel_gaussian(c(0.1, 0.01)), nfolds = 5, solver = "retrain"),
    cv.rls(lpsa ~ ., d, weights = lcavol + 3, foldid = groups, solver = "svd"),
    cv.rls2(lpsa ~ ., d, groups = groups, lambda = c(10, 1), scaling = "none"),
    cv.greedyrls(x, d$lpsa, k = 3, lambda = 10^(3:1), foldid = groups, criterion = "folds")
  )
  for (cv in cvs) {
    again <- update(cv$fit)
    expect_identical(class(again), class(cv$fit))
    expect_equal(predict(again, d), predict(cv$fit, d), tolerance = 1e-10)
    expect_identical(again$call, cv$fit$call)
  }
  expect_identical(cvs[[2]]$fit$call, quote(sparserls(x = x, y = d$lpsa, basis = 1:20,
                                                      kernel = kernel_gaussian(gamma = 0.01))))
})

test_that("of rows that were changed since the fit has its response, and takes no predictors", {
  men <- prostate
  cv <- cv.sparserls(lpsa ~ lcavol + age, men, I(1:20), "gaussian", c(1, 0.1), keep = TRUE)
  known <- derivatives(cv)$average
  men$lpsa <- rev(men$lpsa)
  expect_identical(derivatives(cv)$average, known)

  form <- lpsa ~ lcavol + age + offset(lweight)
  fits <- list(quote(rls(form, men, lambda = 1)),
               quote(cv.sparserls(form, men, basis = 1:20, keep = TRUE)),
               quote(rls(svi ~ lcavol + age, men, lambda = 1, kernel = kernel_gaussian(),
                         family = "binomial")))
  for (call in fits) {
    men <- prostate
    fit <- eval(call)
    expect_error(suppressMessages(derivatives(fit)), NA)
    men$age <- men$age / 10
    expect_refusals(derivatives(fit) | newdata | "the data of the fit have changed")
  }
})
