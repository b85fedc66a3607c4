# The same job in seven packages: the error on new rows, seconds of the processor and memory, on
# 23 real data sets. The article `comparison` shows what this has stored.
#
#   OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 Rscript bench/compare.R [key=value ...]       (Linux)
#
#   splits=1:3           all that a data set has by default: 10, or 3 where a fit takes long
#   sets=servo,heart     methods="sparserls default,ardrls"     sets, and methods, left out: all
#   commit=c631501       of the sparserls that is installed; by default that of this folder
#   again=yes            does anew what another version of a method's package has stored
#
# The table, vignettes/articles/stored/comparison.csv, gets a line after every fit: it can be stopped at any
# time and called again, and does what is not there yet; rows that are done anew replace those
# before. The head has a line for every run (command, commit, machine), and every row names the
# version behind it. Every fit is a child process of its own, which ends after `limit` seconds of
# the processor. Needs ../shared/data (or the folder SPARSERLS_DATA), mlbench, modeldata, ISLR2
# and ggplot2 for data, and of the packages below those that are to be compared.

limit <- 240
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "parts.R"))
source(file.path(here, "many-fits.R"))
stored <- file.path(here, "..", "vignettes", "articles", "stored", "comparison.csv")
asked <- arguments()

# ---- data sets: a frame, y first; x with indicator columns for factors, y a number or a factor --

as_set <- function(d, response, groups = NULL) {
  d <- as.data.frame(d)
  d <- d[c(response, setdiff(names(d), response))]
  names(d)[1] <- "y"
  whole <- complete.cases(d)
  d <- d[whole, ]
  ordered <- vapply(d, is.ordered, NA)
  d[ordered] <- lapply(d[ordered], factor, ordered = FALSE)
  texts <- vapply(d, is.character, NA)
  d[texts] <- lapply(d[texts], factor)
  if (!is.numeric(d$y)) d$y <- factor(d$y)
  x <- model.matrix(~ ., d[-1])[, -1]
  colnames(x) <- paste0("x", seq_len(ncol(x)))
  list(frame = d, x = x, y = d$y, groups = groups[whole])
}
visits <- function() {
  d <- survival::pbcseq
  d <- transform(d, lbili = log(bili), alk.phos = log(alk.phos), ast = log(ast),
                 platelet = log(platelet), protime = log(protime))
  as_set(d[c("lbili", "day", "trt", "age", "sex", "ascites", "hepato", "spiders", "edema",
             "albumin", "alk.phos", "ast", "platelet", "protime", "stage")], "lbili", d$id)
}
# Rows of one mixture differ in age alone.
mixtures <- function() {
  d <- as.data.frame(of_package("modeldata", "concrete"))
  as_set(d, "compressive_strength", do.call(paste, d[1:7]))
}
ozone <- function() {
  d <- of_package("mlbench", "Ozone")
  d$V1 <- as.numeric(d$V1)
  as_set(d[paste0("V", c(4, 1, 5:8, 10:13))], "V4")        # without the days and the many missing
}
# Levels of less than 2 % of the rows become one, or where that is rare itself the commonest: a
# formula refuses new rows with levels that it has not seen.
lumped <- function(d) {
  d <- as.data.frame(d)
  factors <- vapply(d, is.factor, NA)
  d[factors] <- lapply(d[factors], function(f) {
    f <- factor(f, ordered = FALSE)
    common <- levels(f)[table(f) >= 0.02 * length(f)]
    others <- mean(!f %in% common)
    into <- if (others < 0.02) names(which.max(table(f))) else "other"
    factor(ifelse(f %in% common, as.character(f), into))
  })
  d[vapply(d, function(column) length(unique(column)) > 1, NA)]
}
logged <- function(d, response) {
  d <- as.data.frame(d)
  d[[response]] <- log(d[[response]])
  as_set(d, response)
}
bikes <- function() {
  d <- lumped(of_package("ISLR2", "Bikeshare"))
  as_set(d[setdiff(names(d), c("casual", "registered"))], "bikers")     # these add up to bikers
}
# In the order in which they are done: the small ones first.
sets <- list(
  servo = function() as_set(shared("servo"), "class"),
  airquality = function() as_set(datasets::airquality, "Ozone"),
  fgl = function() as_set(MASS::fgl, "type"),
  Hitters = function() logged(of_package("ISLR2", "Hitters"), "Salary"),
  heart = function() as_set(shared("heart_statlog"), "class"),
  sonar = function() as_set(shared("sonar"), "Class"),
  Ozone = ozone,
  autompg = function() as_set(shared("autompg", na.strings = "?"), "class"),
  Carseats = function() as_set(of_package("ISLR2", "Carseats"), "Sales"),
  Boston = function() as_set(MASS::Boston, "medv"),
  pima = function() as_set(shared("pima"), "class"),
  quakes = function() as_set(datasets::quakes, "depth"),
  concrete = mixtures,
  diamonds = function() logged(ggplot2::diamonds, "price"),
  Bikeshare = bikes,
  attrition = function() as_set(of_package("modeldata", "attrition"), "Attrition"),
  spam = function() as_set(of_package("kernlab", "spam"), "type"),
  pbcseq = visits,
  pole = function() as_set(shared("pole"), "foo"),
  ailerons = function() as_set(shared("ailerons"), "goal"),
  ames = function() logged(lumped(of_package("modeldata", "ames")), "Sale_Price"),
  Satellite = function() as_set(of_package("mlbench", "Satellite"), "classes"),
  tumours = function() as_set(shared("ramaswamy190"), "class")
)
slow <- c("diamonds", "Bikeshare", "attrition", "spam", "pbcseq", "pole", "ailerons", "ames",
          "Satellite", "tumours")

# Two thirds to train and a third to test, 600 and 300 rows at most: test rows are half as many as
# training rows everywhere (the article's corrected test needs their ratio). Groups stay whole, and
# classes keep their shares. Split i has seed i.
split_rows <- function(set, i) {
  set.seed(i)
  m <- length(set$y)
  kept <- if (!is.null(set$groups)) {
    units <- sample(unique(set$groups))
    order(match(set$groups, units))
  } else sample(m)
  kept <- kept[seq_len(min(m, 900))]
  n <- round(2 / 3 * length(kept))
  train <- if (!is.null(set$groups)) {
    units <- unique(set$groups[kept])
    kept[set$groups[kept] %in% units[seq_len(round(2 / 3 * length(units)))]]
  } else if (is.factor(set$y)) {
    unlist(lapply(split(kept, set$y[kept]), function(k) {
      k[seq_len(ceiling(2 / 3 * length(k)))]
    }), use.names = FALSE)
  } else kept[seq_len(n)]
  list(train = train, test = setdiff(kept, train))
}

# ---- choices: folds, and grids that grow until the best is inside -------------------------------

# Groups whole, classes with their shares.
folds_of <- function(y, groups, k) {
  if (!is.null(groups)) {
    units <- unique(groups)
    return(sample(rep_len(seq_len(k), length(units)))[match(groups, units)])
  }
  folds <- integer(length(y))
  for (rows in if (is.factor(y)) split(seq_along(y), y) else list(seq_along(y))) {
    folds[rows] <- sample(rep_len(sample(k), length(rows)))
  }
  folds
}

# Mean loss of held-out predictions: squares, or wrong answers. `fitted` takes x, y and new rows.
held_out <- function(fitted, x, y, folds) {
  losses <- lapply(split(seq_along(y), folds), function(rows) {
    answer <- fitted(x[-rows, , drop = FALSE], y[-rows], x[rows, , drop = FALSE])
    if (is.factor(y)) answer != y[rows] else (answer - y[rows])^2
  })
  mean(unlist(losses))
}

# The best point of a grid of integers. Where it is at an edge, the grid grows there, up to `most`
# values.
tuned <- function(grid, loss, most = 8) {
  known <- numeric()
  repeat {
    points <- expand.grid(grid)
    keys <- do.call(paste, points)
    for (i in which(!keys %in% names(known))) {
      known[keys[i]] <- tryCatch(do.call(loss, points[i, , drop = FALSE]),
                                 error = function(e) Inf)        # gausspr: var under 10^-3
    }
    best <- points[which.min(known[keys]), , drop = FALSE]
    wider <- Map(function(values, b) {
      if (length(values) >= most) return(values)
      c(if (b == min(values)) b - 1L, values, if (b == max(values)) b + 1L)
    }, grid, best)
    if (identical(wider, grid)) return(best)
    grid <- wider
  }
}

# ---- methods: predictions of the rows of `new`, for classes their probabilities or names --------

# x, y and new as matrices, factors as indicators; data and newdata: the same rows as frames.
cannot <- function(why) stop(structure(class = c("cannot", "error", "condition"),
                                       list(message = why, call = NULL)))
many <- function(y) is.factor(y) && nlevels(y) > 2

ours <- function(cv, y, new) {
  if (!is.factor(y)) return(drop(predict(cv, new)))
  structure(predict(cv, new, type = "prob"), class = NULL,
            chosen = drop(predict(cv, new, type = "class")))
}
linear <- function(x, y, new, groups, alpha) {
  family <- if (!is.factor(y)) "gaussian" else if (many(y)) "multinomial" else "binomial"
  foldid <- if (!is.null(groups)) folds_of(y, groups, 10)
  cv <- glmnet::cv.glmnet(x, y, alpha = alpha, family = family, foldid = foldid)
  p <- drop(predict(cv, new, s = "lambda.min", type = "response"))
  if (family == "binomial") cbind(1 - p, p) else p
}
# kernlab scales no column at all where one is constant in a fold: scaled here, as it would.
scaled <- function(x, y, new) {
  centre <- colMeans(x)
  spread <- apply(x, 2, sd)
  y0 <- if (is.factor(y)) 0 else mean(y)
  y1 <- if (is.factor(y)) 1 else sd(y)
  to <- function(x) scale(x, centre, spread)
  list(x = to(x), y = if (is.factor(y)) y else (y - y0) / y1, new = to(new),
       back = function(p) p * y1 + y0, sigma = kernlab::sigest(to(x), scaled = FALSE)[[2]])
}
krls <- function(x, y, new, approx) {
  if (many(y)) cannot("two classes at most")
  fit <- KRLS::krls(x, as.numeric(y), derivative = FALSE, vcov = FALSE, approx = approx,
                    print.level = 0)
  p <- drop(predict(fit, new)$fit)
  if (is.factor(y)) factor(levels(y)[1 + (p > 1.5)], levels(y)) else p
}

methods <- list(
  `base rate` = function(x, y, new, groups, ...) {
    if (!is.factor(y)) return(rep(mean(y), nrow(new)))
    matrix(prop.table(table(y)), nrow(new), nlevels(y), byrow = TRUE)
  },
  `sparserls default` = function(x, y, new, groups, data, newdata) {
    gaussian <- sparserls::kernel_gaussian() # the default before 0.3.0
    ours(sparserls::cv.sparserls(y ~ ., data, kernel = gaussian, groups = groups), y, newdata)
  },
  ardrls = function(x, y, new, groups, ...) {
    ours(sparserls::cv.ardrls(x, y, groups = groups), y, new)
  },
  `ardrls map` = function(x, y, new, groups, ...) {
    ours(sparserls::cv.ardrls(x, y, groups = groups, map = TRUE), y, new)
  },
  `glmnet ridge` = function(x, y, new, groups, ...) linear(x, y, new, groups, 0),
  `glmnet lasso` = function(x, y, new, groups, ...) linear(x, y, new, groups, 1),
  `kernlab ksvm` = function(x, y, new, groups, ...) {
    d <- scaled(x, y, new)
    folds <- folds_of(y, groups, 5)
    fit <- function(x, y, C, width, ...) {
      kernlab::ksvm(x, y, scaled = FALSE, C = 4^C, kpar = list(sigma = d$sigma * 4^width), ...)
    }
    best <- tuned(list(C = 0:3, width = -1:1), function(C, width) {
      held_out(function(x, y, new) kernlab::predict(fit(x, y, C, width, fit = FALSE), new),
               d$x, d$y, folds)
    })
    best <- fit(d$x, d$y, best$C, best$width, prob.model = is.factor(y))
    if (!is.factor(y)) return(d$back(drop(kernlab::predict(best, d$new))))
    structure(kernlab::predict(best, d$new, type = "probabilities"),
              chosen = kernlab::predict(best, d$new))
  },
  `kernlab gausspr` = function(x, y, new, groups, ...) {
    d <- scaled(x, y, new)
    folds <- folds_of(y, groups, 5)
    fit <- function(x, y, width, noise) {
      kernlab::gausspr(x, y, scaled = FALSE, var = 10^noise, fit = FALSE,
                       kpar = list(sigma = d$sigma * 4^width))
    }
    loss <- function(width, noise = 0) {
      held_out(function(x, y, new) kernlab::predict(fit(x, y, width, noise), new),
               d$x, d$y, folds)
    }
    if (is.factor(y)) {
      best <- tuned(list(width = -1:1), loss)         # var is for numbers alone
      return(kernlab::predict(fit(d$x, d$y, best$width, 0), d$new, type = "probabilities"))
    }
    best <- tuned(list(width = -1:1, noise = -3:0), loss)
    d$back(drop(kernlab::predict(fit(d$x, d$y, best$width, best$noise), d$new)))
  },
  `KRLS exact` = function(x, y, new, groups, ...) krls(x, y, new, "none"),
  `KRLS default` = function(x, y, new, groups, ...) {
    if (nrow(x) <= 500) cannot("the same as exact up to 500 rows")
    krls(x, y, new, "auto")
  },
  mgcv = function(x, y, new, groups, ...) {
    if (many(y)) cannot("not done: one formula for each class")
    values <- apply(x, 2, function(column) length(unique(column)))
    smooth <- values >= 10
    k <- min(10, floor((0.9 * nrow(x) - sum(!smooth)) / sum(smooth)))
    terms <- ifelse(smooth, sprintf("s(%s, k = %d)", colnames(x), k), colnames(x))
    formula <- reformulate(terms, "y", env = asNamespace("mgcv"))
    family <- if (is.factor(y)) binomial() else stats::gaussian()
    data <- data.frame(x, y = if (is.factor(y)) as.numeric(y) - 1 else y)
    fit <- if (nrow(x) < 600) mgcv::gam(formula, family, data, method = "REML") else
      mgcv::bam(formula, family, data, discrete = TRUE)
    p <- drop(predict(fit, data.frame(new), type = "response"))
    if (is.factor(y)) cbind(1 - p, p) else p
  },
  # mtry by the error out of bag, with groups by folds of whole groups.
  ranger = function(x, y, new, groups, ...) {
    fit <- function(x, y, mtry) {
      ranger::ranger(x = x, y = y, mtry = mtry, probability = is.factor(y), num.threads = 1)
    }
    p <- ncol(x)
    mtry <- sort(unique(pmax(1, round(c(sqrt(p), p * c(1 / 16, 1 / 8, 1 / 4, 1 / 2, 1))))))
    folds <- if (!is.null(groups)) folds_of(y, groups, 5)
    errors <- vapply(mtry, function(k) {
      if (is.null(folds)) return(fit(x, y, k)$prediction.error)
      held_out(function(x, y, new) predict(fit(x, y, k), new, num.threads = 1)$predictions,
               x, y, folds)
    }, 0)
    predict(fit(x, y, mtry[which.min(errors)]), new, num.threads = 1)$predictions
  },
  # Depth and the number of rounds by folds, at a learning rate of a tenth.
  xgboost = function(x, y, new, groups, ...) {
    objective <- if (!is.factor(y)) list(objective = "reg:squarederror") else
      list(objective = "multi:softprob", num_class = nlevels(y), eval_metric = "mlogloss")
    data <- xgboost::xgb.DMatrix(x, label = if (is.factor(y)) as.integer(y) - 1 else y)
    folds <- unname(split(seq_along(y), folds_of(y, groups, 5)))
    settings <- function(depth) {
      c(objective, max_depth = depth, eta = 0.1, subsample = 0.8, colsample_bytree = 0.8,
        nthread = 1)
    }
    depths <- c(1, 2, 4, 6)
    runs <- lapply(depths, function(depth) {
      cv <- xgboost::xgb.cv(settings(depth), data, nrounds = 1000, folds = folds,
                            early_stopping_rounds = 20, verbose = 0)
      list(rounds = cv$best_iteration, loss = cv$evaluation_log[[4]][cv$best_iteration])
    })
    best <- which.min(vapply(runs, `[[`, 0, "loss"))
    fit <- xgboost::xgb.train(settings(depths[best]), data, nrounds = runs[[best]]$rounds)
    p <- predict(fit, new)
    if (is.factor(y)) matrix(p, nrow(new), nlevels(y), byrow = TRUE) else p
  }
)

# ---- one fit: a data set, a method, a split -----------------------------------------------------

# Misclassification and log loss, or the root mean squared error over sd(y) of all rows.
error_of <- function(answer, y, all_y) {
  if (!is.factor(y)) return(c(sqrt(mean((answer - y)^2)) / sd(all_y), NA))
  if (is.factor(answer)) return(c(mean(answer != y), NA))
  chosen <- attr(answer, "chosen")
  if (is.null(chosen)) chosen <- levels(y)[max.col(answer, "first")]
  p <- answer[cbind(seq_along(y), as.integer(y))]
  c(mean(as.character(chosen) != y), -mean(log(pmax(p, 1e-15))))
}

# What a fit costs and how good it is: a list of some columns of the table. In a child process.
one_fit <- function(method, set, i) {
  rows <- split_rows(set, i)
  varies <- apply(set$x[rows$train, ], 2, function(column) any(column != column[1]))
  x <- set$x[rows$train, varies]
  new <- set$x[rows$test, varies]
  groups <- if (!is.null(set$groups)) as.integer(factor(set$groups[rows$train]))
  found <- list(train = nrow(x), test = nrow(new), features = ncol(x))
  cat("5", file = "/proc/self/clear_refs")     # the peak counts from here
  before <- megabytes("VmRSS")
  time <- system.time(answer <- tryCatch(
    suppressMessages(suppressWarnings(methods[[method]](
      x, set$y[rows$train], new, groups, data = set$frame[rows$train, ],
      newdata = set$frame[rows$test, -1]
    ))),
    error = identity
  ))
  if (inherits(answer, "error")) {
    return(c(found, note = gsub("[\n\"]", " ", substr(conditionMessage(answer), 1, 100))))
  }
  error <- error_of(answer, set$y[rows$test], set$y)
  c(found, error = signif(error[1], 5), logloss = signif(error[2], 5),
    seconds = round(sum(time[1:2]), 2), mb = round(megabytes("VmHWM") - before, 1))
}

# ---- all of them --------------------------------------------------------------------------------

package_of <- function(method) {
  first <- sub(" .*", "", method)
  switch(first, base = "stats", ardrls = "sparserls", first)
}
versions <- vapply(names(methods), function(method) version_of(package_of(method)), "")

# The head: what all rows share, and a line for every run, which goes before its first row.
title <- paste("# Rscript bench/compare.R; seeds are the numbers of splits; rows, features, error",
               "(root mean squared over sd(y), or share of wrong answers), log loss, seconds of",
               "the processor, MB at the peak; runs:")

done <- read_stored()
splits <- if (is.null(asked$splits)) 1:10 else eval(str2lang(asked$splits))
data <- lapply(sets[some(asked$sets, names(sets))], function(set) set())
present <- present_methods()
invisible(gc())                              # here, as every child would have to do it again
for (split in splits) for (name in names(data)) for (method in present) {
  if (is.null(asked$splits) && split > 3 && name %in% slow || !to_do(name, method, split)) next
  found <- limited(parallel::mcparallel(one_fit(method, data[[name]], split)))
  row <- data.frame(set = name, method = method, split = split, train = NA, test = NA,
                    features = NA, error = NA, logloss = NA, seconds = NA, mb = NA,
                    version = versions[[method]], note = "")
  row[names(found)] <- found
  store(row)
}
in_order()
