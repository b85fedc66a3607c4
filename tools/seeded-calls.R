# Whether two builds of the package answer the same numbers: 300 calls of all families, of rows in
# chunks, effects and intervals, each from a seed of its own. What a call answers is asked for
# predictions, errors, covariances and the like, which are kept as plain numbers; of an error the
# class is kept.
# Usage: R_LIBS=LIB Rscript tools/seeded-calls.R FILE.rds
#        Rscript tools/seeded-calls.R compare OLD.rds NEW.rds
one_of <- function(...) {
  choices <- substitute(list(...))[-1]
  eval(choices[[sample.int(length(choices), 1)]], parent.frame())
}

# ---- what calls are made of -------------------------------------------------------------------

# Rows of three features on scales of their own and a factor, responses of all kinds, new rows, and
# options that many calls share.
data_of <- function() {
  m <- sample(24:60, 1)
  x <- matrix(rnorm(3 * m), m, dimnames = list(NULL, c("a", "b", "c")))
  x <- x %*% diag(10^(sample(0:1, 1) * runif(3, -3, 3)))
  colnames(x) <- c("a", "b", "c")
  f <- factor(sample(c("u", "v", "w"), m, TRUE), c("u", "v", "w"))
  eta <- sin(scale(x)[, 1]) + scale(x)[, 2] + (f == "v")
  y <- (eta + rnorm(m) / 3) * one_of(1, 1, 1, 1e4, 1e-5)
  w <- runif(m, 0.2, 3)
  d <- data.frame(y = y, x, f = f, w = w, one = as.integer(eta + rnorm(m) > 0))
  some <- sample.int(m, 5)
  list(
    m = m, x = x, y = y, w = w, d = d, both = cbind(y, z = eta^2), g = rep_len(1:7, m),
    classes = factor(ifelse(d$one, "yes", "no")), three = f, counts = rpois(m, exp(eta / 3)),
    positive = rexp(m, exp(-eta / 4)), new = list(x = x[some, ] * 1.01, d = d[some, ]),
    rows = sort(sample.int(m, 9)), weights = if (runif(1) < 0.5) w,
    intercept = runif(1) < 0.8, standardize = runif(1) < 0.7
  )
}

kernel <- function() one_of(
  kernel_gaussian(), kernel_gaussian(0.2), kernel_laplacian(0.3), kernel_linear(),
  kernel_polynomial(2), kernel_matern(2.5, 0.5), kernel_gaussian(c(0.1, 0.3, 0.2)),
  kernel_linear(normalize = TRUE), kernel_gaussian(0.3, features = c("a", "c")),
  kernel_gaussian(map = matrix(c(1, 0.5, 0, 0.2, 0.1, 1), 3)),
  kernel_custom(function(x, z) exp(-abs(outer(x[, 1], z[, 1], "-"))))
)

basis <- function(rows) {
  one_of(rows, rows, basis_random(8), basis_greedy(6), basis_rpcholesky(8))
}

path <- function() one_of(NULL, NULL, 10^(1:-3), lambda_df(c(2, 4)))

chunks <- function(d) {
  parts <- unname(split(d, rep_len(1:3, nrow(d))))
  chunks_function(3, function(i) parts[[i]])
}

# ---- the calls, in the data of data_of() ------------------------------------------------------

calls <- alist(
  sparserls(x, one_of(y, both, classes), basis(rows), kernel(), path(), weights = weights,
            intercept = intercept, standardize = standardize, nlambda = 9),
  sparserls(y ~ a + b * f, d, basis = basis(rows), weights = w, nlambda = 7),
  sparserls(x, counts, rows, family = "poisson", lambda = 10^(0:-2)),
  cv.sparserls(x, one_of(y, y, both, classes, three), basis(rows), kernel(), weights = weights,
               intercept = intercept, standardize = standardize, nfolds = one_of(5, "loo"),
               holdout_basis = one_of("remove", "keep", "keep_loss", "skip"), nlambda = 9,
               keep = TRUE),
  cv.sparserls(x, y, basis(rows), list(kernel_gaussian(), kernel_linear()), nlambda = 7, nfolds = 4,
               keep = TRUE),
  cv.sparserls(y ~ a + b + f, d, basis = basis(rows), kernel = kernel_gaussian(), groups = g,
               nfolds = one_of(NULL, 4), nlambda = 9, rule = one_of("1se", "paired"), keep = TRUE),
  cv.sparserls(x, classes, rows, family = "binomial", nfolds = 4, nlambda = 6, keep = TRUE),
  cv.sparserls(x, y, basis(rows), kernel_gaussian(), nfolds = 4, outer = 3, nlambda = 6,
               keep = TRUE),
  cv.sparserls(x, y, one_of(basis_random(7), basis_greedy(5)), kernel_gaussian(), nfolds = 4,
               reselect = TRUE, nlambda = 6, keep = TRUE),
  rls(x, one_of(y, both, three), kernel(), path(), weights = weights, intercept = intercept,
      standardize = standardize, nlambda = 9),
  cv.rls(x, one_of(y, y, both, classes), kernel(), weights = weights, intercept = intercept,
         standardize = standardize, nfolds = one_of(5, "loo", "pairs"), nlambda = 9, keep = TRUE),
  cv.rls(y ~ a + b + c + f, d, kernel = kernel_linear(), weights = w, groups = g, nlambda = 9,
         keep = TRUE),
  cv.rls(y ~ a + f + offset(b), d, nfolds = 5, nlambda = 9, keep = TRUE),
  cv.rls(one ~ a + b + f, d, kernel = one_of(kernel_linear(), kernel_gaussian()),
         family = "binomial", nfolds = 5, nlambda = 7, keep = TRUE),
  cv.rls(x, positive, family = Gamma("log"), weights = weights, nfolds = 4, nlambda = 6,
         keep = TRUE),
  cv.rls(x, classes, type.measure = one_of("auc", "class", "mse", "mae"), nfolds = 5, nlambda = 7,
         outer = 2, keep = TRUE),
  greedyrls(x, one_of(y, classes, both), k = 3, lambda = one_of(1, 0.1), weights = weights),
  cv.greedyrls(x, one_of(y, both), k = 3, nfolds = 4, keep = TRUE),
  rls2(x, one_of(y, both), weights = weights, nlambda = 6),
  rls2(x, y, list(kernel_linear(), kernel_gaussian(0.5)), nlambda = 6),
  cv.rls2(x, one_of(y, both), nfolds = 4, nlambda = 6, weights = weights, keep = TRUE),
  ardrls(x, one_of(y, classes), rows, penalty = c(Inf, 1, 0), maxit = 4, weights = weights),
  ardrls(x, y, rows, penalty = list(widths = c(Inf, 0), map = 0), map = TRUE, maxit = 3),
  cv.ardrls(x, y, rows, penalty = c(Inf, 1, 0), maxit = 3, outer = 2, keep = TRUE),
  sparserls(y ~ a + b + f, chunks(d), basis = basis_random(8), nlambda = 7),
  sparserls(one ~ a + b, chunks(d), basis = basis_random(8), kernel = kernel_linear(), nlambda = 7),
  cv.sparserls(y ~ a + b + f, chunks(d), basis = basis_random(8), kernel = kernel_gaussian(),
               weights = w, nfolds = one_of(3, "loo"), nlambda = 7,
               keep = one_of(FALSE, tempfile())),
  cv.rls(y ~ a + b + f, chunks(d), kernel = kernel_linear(), standardize = standardize,
         nfolds = one_of(3, "loo"), nlambda = 7, keep = one_of(FALSE, tempfile())),
  cv.rls(y ~ a * f, transform(d, a = replace(a, 3, NA)), threads = 2, groups = f, nlambda = 7,
         keep = TRUE),
  cv.rls(y ~ a + b, d, lambda = 10^(2:-2), foldid = rep_len(1:4, m), keep = TRUE)
)

# ---- what is asked of the answers -------------------------------------------------------------

numbers_of_path <- c("lambda", "df", "dev.ratio", "nulldev", "cvm", "cvsd", "lambda.min",
                     "lambda.1se", "fit.preval", "size")
averages <- function(effect) list(coef(effect), vcov(effect))
at <- function(o) if (is.null(o$cvm)) o$lambda[ceiling(length(o$lambda) / 2)] else "lambda.min"
questions <- list(
  path = function(o, new, all) unclass(o)[intersect(numbers_of_path, names(o))],
  predict = function(o, new, all) predict(o, new),
  points = function(o, new, all) predict(o, new, s = c(1, 0.05)),
  min = function(o, new, all) predict(o, new, s = at(o)),
  class = function(o, new, all) predict(o, new, type = "class"),
  prob = function(o, new, all) predict(o, new, type = "prob"),
  gp = function(o, new, all) predict(o, new, s = at(o), interval = "gp"),
  refits = function(o, new, all) predict(o, new, s = at(o), interval = "jackknife+"),
  errors = function(o, new, all) predict(o, new, se.fit = TRUE),
  coef = function(o, new, all) coef(o),
  fitted = function(o, new, all) list(fitted(o), residuals(o), deviance(o)),
  sigma = function(o, new, all) sigma(o),
  vcov = function(o, new, all) vcov(o, s = at(o)),
  slopes = function(o, new, all) averages(derivatives(o, new, s = at(o))),
  jackknife = function(o, new, all) averages(derivatives(o, all, s = at(o), type = "jackknife")),
  debiased = function(o, new, all) averages(derivatives(o, all)),
  moved = function(o, new, all) {
    averages(average_effect(o, function(d) transform(d, a = a + 1), newdata = all))
  },
  curve = function(o, new, all) {
    unclass(effect_curve(o, "a", all, s = at(o)))[c("estimate", "std.error")]
  }
)

# A call with what is drawn in it: when arguments are looked at is no matter of the comparison.
drawn <- function(call, data) {
  for (i in seq_along(call)[-1]) {
    part <- call[[i]]
    if (is.call(part) && as.character(part[[1]]) %in% c("one_of", "basis", "kernel", "path")) {
      call[i] <- list(eval(part, data, globalenv()))
    }
  }
  call
}

# Whatever it is as one vector of numbers.
plain <- function(x) {
  if (is.list(x)) return(unlist(lapply(unclass(x), plain), use.names = FALSE))
  if (isS4(x)) x <- as.matrix(x)
  if (is.character(x)) x <- factor(x)
  as.numeric(unclass(x))
}

attempt <- function(code) {
  tryCatch(suppressMessages(suppressWarnings(code)), error = function(e) class(e)[1])
}

run_case <- function(i) {
  call <- calls[[(i - 1) %% length(calls) + 1]]
  set.seed(i)
  data <- data_of()
  object <- attempt(eval(drawn(call, data), data, globalenv()))
  if (is.character(object)) return(list(object))
  kind <- if ("d" %in% all.vars(call)) "d" else "x"
  set.seed(i)
  lapply(questions, function(question) {
    attempt(plain(question(object, data$new[[kind]], data[[kind]])))
  })
}

# The largest difference, relative to the largest number of what was asked; NA where other things
# were answered.
difference <- function(old, new) {
  if (identical(old, new)) return(0)
  same <- is.numeric(old) && is.numeric(new) && length(old) == length(new) &&
    identical(is.finite(old), is.finite(new))
  if (!same) return(NA)
  fine <- is.finite(old)
  max(0, abs(old - new)[fine]) / max(abs(old)[fine], .Machine$double.xmin)
}

compare <- function(old, new) {
  stopifnot(length(old) == length(new))
  found <- do.call(rbind, lapply(seq_along(old), function(i) {
    asked <- union(names(old[[i]]), names(new[[i]]))
    if (is.null(asked)) asked <- 1
    data.frame(call = i, asked = asked, by = vapply(asked, function(q) {
      if (!is.numeric(q) && !all(q %in% names(old[[i]]), q %in% names(new[[i]]))) return(NA_real_)
      difference(old[[i]][[q]], new[[i]][[q]])
    }, 0))
  }))
  other <- found[is.na(found$by) | found$by > 1e-12, ]
  if (nrow(other)) print(other, row.names = FALSE)
  cat(sprintf("%d calls, %d answers: %d bit for bit, %d within 1e-12, %d not\n", length(old),
              nrow(found), sum(found$by == 0, na.rm = TRUE),
              sum(found$by > 0 & found$by <= 1e-12, na.rm = TRUE), nrow(other)))
  nrow(other)
}

asked <- commandArgs(trailingOnly = TRUE)
if (asked[1] == "compare") quit(status = min(1, compare(readRDS(asked[2]), readRDS(asked[3]))))
library(sparserls)
answers <- lapply(1:300, run_case)
saveRDS(answers, asked[1])
kinds <- vapply(unlist(answers, recursive = FALSE), is.numeric, NA)
cat(sprintf("%d answers of numbers, %d errors\n", sum(kinds), sum(!kinds)))
