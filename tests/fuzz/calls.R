# Random calls: of the fitting functions, and of the methods of what they answer.

fitters <- c("sparserls", "cv.sparserls", "rls", "cv.rls", "greedyrls", "cv.greedyrls", "rls2",
             "cv.rls2", "ardrls", "cv.ardrls")

# What is cheap enough for thousands of calls.
small <- list(ardrls = list(maxit = 3), cv.ardrls = list(outer = 2), greedyrls = list(k = 2),
              cv.greedyrls = list(k = 2))

# Functions that are no fits, with what their arguments may be.
others <- list(
  cv_folds = quote(list(one_of(20, 5, 1), nfolds = one_of(5, "loo", 2), repeats = one_of(1, 2))),
  kernel_matrix = quote(list(kernel_of(), matrix_of(8, 2), matrix_of(5, 2))),
  kernel_gaussian = quote(list(one_of(1, c(1, 2), NULL))),
  kernel_laplacian = quote(list(one_of(1, c(1, 2), NULL))),
  kernel_matern = quote(list(one_of(0.5, 2.5, 1))), kernel_linear = quote(list(TRUE)),
  kernel_polynomial = quote(list(one_of(1, 2, 1.5))), kernel_precomputed = quote(list()),
  kernel_bank = quote(list(matrix_of(10, 3))),
  kernel_custom = quote(list(function(x, z) as.matrix(x) %*% t(as.matrix(z)))),
  relative = quote(list(one_of(1, 2:3))),
  lambda_df = quote(list(one_of(3, 1:4))),
  basis_random = quote(list(one_of(5, 1))), basis_greedy = quote(list(one_of(5, 1))),
  basis_rpcholesky = quote(list(one_of(5, 1))), basis_sizes = quote(list(one_of(5, c(3, 9)))),
  basis_groups = quote(list(groups_of(12), one_of(1, 2))),
  class_weights = quote(list(factor(c("a", "b", "b")))),
  na_level = quote(list(column(12))), sparserls_info = quote(list()),
  num_basis = quote(list(one_of(c(5, 9), c(9, 5)))), caret_sparserls = quote(list()),
  engine_fit = quote(list(table_of(20, 2), rnorm(20), lambda = one_of(1, c(1, 0.1)))),
  engine_krr = quote(list(matrix_of(20, 2), response_of(20), penalty = 0.1)),
  SL.sparserls = quote(list(rnorm(20), table_of(20, 2), table_of(5, 2),
                            one_of(stats::gaussian(), stats::binomial()), rep(1, 20),
                            rep_len(1:5, 20))),
  SL.ardrls = quote(list(rnorm(20), table_of(20, 2), table_of(5, 2), stats::gaussian(), rep(1, 20),
                         rep_len(1:5, 20), maxit = 2)),
  chunks_function = quote(list(one_of(2, 1), function(i) data.frame(a = rnorm(3), y = 1:3))),
  chunks_files = quote(list(one_of(tempdir(), tempfile()), one_of(10, 1e6))),
  chunks_dbi = quote(list(function() stop("mine"), "SELECT 1", by = "a", n = 2)),
  chunks_source = quote(list(list(a = 1), one_of(2, 1),
                             function(source, i, columns) data.frame(a = rnorm(3)))),
  chunks_survey = quote(list(y ~ a, chunks_function(2, function(i) data.frame(a = 1:3, y = 3:1)))),
  derivatives = quote(list(rls(matrix_of(9, 2), rnorm(9)))),
  average_effect = quote(list(rls(y ~ a, data.frame(a = 1:9, y = rnorm(9))), function(d) d)),
  effect_curve = quote(list(rls(y ~ a, data.frame(a = 1:9, y = rnorm(9))), "a")),
  effect_contrasts = quote(list(1)), balance = quote(list(1)),
  partial_effects = quote(list(rls(y ~ a, data.frame(a = 1:9, y = rnorm(9))))),
  importance = quote(list(cv.rls(y ~ a, data.frame(a = 1:20, y = rnorm(20)), keep = TRUE), NULL,
                          one_of("permute", "refit"), "a", rep(1:2, 10), 2)),
  compare = quote(list(cv.rls(y ~ a, data.frame(a = 1:20, y = rnorm(20)), keep = TRUE), 1)),
  own_method = quote(list("mean", list(k = one_of(1, 3:1)), function(...) 1, function(...) 1)),
  own = quote(list(matrix_of(20, 2), rnorm(20), mean_method(), runif(20))),
  cv.own = quote(list(matrix_of(20, 2), rnorm(20), mean_method(), nfolds = one_of(4, "loo")))
)

# A list of `what`, the name of a function, and `args`. A third of the calls have good data and
# nothing odd; in others every argument is now and then of no use.
random_call <- function() {
  if (runif(1) < 0.3) return(plain_call())
  what <- sample(fitters, 1, prob = c(4, 6, 3, 5, 2, 2, 2, 2, 0.5, 0.5))
  m <- sample(c(1, 2, 3, 8, 20, 35), 1, prob = c(0.5, 0.5, 0.5, 3, 8, 8))
  p <- sample(4, 1)
  formals <- names(formals(utils::getS3method(what, "default")))
  table <- argument_table(m)
  known <- intersect(formals, names(table))
  chosen <- sample(known, min(length(known), stats::rpois(1, 1.5)))
  if (runif(1) < 0.15) chosen <- union(chosen, intersect("family", known))
  more <- lapply(table[chosen], eval, list2env(list(m = m), parent = environment()))
  wrong <- runif(length(more)) < 0.05
  more[wrong] <- lapply(more[wrong], function(old) useless())
  own <- small_arguments(what, formals)
  list(what = what, args = c(data_arguments(m, p), own[setdiff(names(own), names(more))], more))
}

# Whether a call may draw random numbers, by its help: for a basis or folds that it makes, and once
# for rows in chunks.
may_draw <- function(call) {
  args <- call$args
  if (!call$what %in% fitters) return(call$what %in% drawing)
  formals <- names(formals(utils::getS3method(call$what, "default")))
  rows <- is.numeric(args$basis) && (length(args$basis) != 1 || inherits(args$basis, "AsIs"))
  whole <- is.null(args$nfolds) && !is.null(args$groups)
  folds <- is.null(args$folds) && is.null(args$foldid) && !whole &&
    !identical(args$nfolds, "loo") && !identical(args$nfolds, "pairs")
  ("basis" %in% formals && !rows) || ("nfolds" %in% formals && folds) || !is.null(args$outer) ||
    grepl("ardrls", call$what)
}

# Adapters choose lambda by a cross-validation.
drawing <- c("cv_folds", "chunks_survey", "engine_fit", "engine_krr", "SL.sparserls", "SL.ardrls",
             "cv.own", "importance", "compare", "simulate")

# The functions one after the other, so that none is left out.
other_call <- function(turn) {
  what <- names(others)[turn %% length(others) + 1]
  args <- eval(others[[what]])
  wrong <- runif(length(args)) < 0.3
  args[wrong] <- lapply(args[wrong], function(old) useless())
  # Other packages call these, with values.
  if (startsWith(what, "engine")) args[vapply(args, is.language, NA)] <- NA
  list(what = what, args = args)
}

# Good data: the answer is held against refits in plain R (against.R).
plain_call <- function() {
  what <- sample(fitters[1:8], 1)
  m <- sample(10:40, 1)
  x <- matrix(rnorm(m * 3), m, dimnames = list(NULL, letters[1:3]))
  kernel <- one_of(kernel_gaussian(exp(rnorm(1))), kernel_laplacian(0.3), kernel_polynomial(2),
                   kernel_linear())
  family <- if (runif(1) < 0.4) one_of("binomial", "poisson")
  more <- list(kernel = kernel, lambda = exp(rnorm(1)), basis = I(sample.int(m, 5)),
               weights = runif(m), family = family, intercept = runif(1) < 0.5, k = 2,
               nfolds = one_of(3, "loo"), progress = FALSE, keep = TRUE)
  formals <- names(formals(utils::getS3method(what, "default")))
  y <- if (is.null(family) || !"family" %in% formals) rnorm(m)
       else if (family == "binomial") sample(rep_len(0:1, m)) else c(1, rpois(m - 1, 2))
  list(what = what, args = c(list(x, y), more[intersect(names(more), formals)]), plain = TRUE)
}

data_arguments <- function(m, p) {
  good <- matrix(rnorm(m * p), m, p, dimnames = list(NULL, letters[seq_len(p)]))
  if (runif(1) < 0.35) {
    data <- if (runif(1) < 0.5) as.data.frame(good) else table_of(m, p)
    data$y <- if (runif(1) < 0.6) rnorm(m) else response_of(m)[seq_len(m)]
    return(list(one_of(y ~ ., y ~ ., y ~ ., y ~ ., y ~ ., y ~ ., y ~ a, y ~ a + b, y ~ . - 1,
                       log(abs(y) + 1) ~ ., y ~ poly(a, 2), y ~ nothing),
                data = data))
  }
  list(sometimes(0.8, good, sometimes(0.9, matrix_of(m, p), useless())),
       sometimes(0.7, rnorm(m), sometimes(0.9, response_of(m), useless())))
}

small_arguments <- function(what, formals) {
  c(small[[what]][intersect(names(small[[what]]), formals)],
    if ("progress" %in% formals) list(progress = FALSE))
}

# ---- what is asked of a result -----------------------------------------------------------------

point <- function() one_of("lambda.min", "lambda.1se", NULL, 1, c(1, 0.1), NA, -1, "no", 1e-300)

# Functions of an object and the x of its call. Further arguments are drawn before.
questions <- list(
  plain = function(object, x) stats::predict(object, x),
  at = function(object, x, s = point()) stats::predict(object, x, s = s),
  rows = function(object, x, n = one_of(0, 1, 2)) stats::predict(object, utils::head(x, n)),
  type = function(object, x, type = one_of("response", "class", "prob", "link", "no")) {
    stats::predict(object, x, type = type)
  },
  interval = function(object, x, interval = one_of("jackknife+", "gp", "no"),
                      level = one_of(0.9, 0, 1, NA)) {
    stats::predict(object, x, interval = interval, level = level)
  },
  outside = function(object, x, outside = one_of("warn", "clip", "na", "no")) {
    stats::predict(object, x, outside = outside)
  },
  useless = function(object, x, new = useless()) stats::predict(object, new),
  column = function(object, x) stats::predict(object, x[, -1, drop = FALSE]),
  held_out = function(object, x, type = one_of("training", "held-out", "deviance", "no")) {
    stats::residuals(object, type = type)
  },
  balance = function(object, x) balance(derivatives(object, x)),
  influence = function(object, x) stats::influence(object, x),
  simulate = function(object, x, nsim = one_of(1, 2, 0)) stats::simulate(object, nsim),
  update = function(object, x, lambda = lambda_of()) stats::update(object, lambda = lambda),
  saved = function(object, x) {
    file <- tempfile()
    on.exit(unlink(file))
    saveRDS(object, file)
    answer <- stats::predict(readRDS(file), x)
    if (!identical(answer, stats::predict(object, x))) stop("saved and read, it answers otherwise")
    answer
  }
)
