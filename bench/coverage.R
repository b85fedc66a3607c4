# Coverage and width of prediction intervals: jackknife+ by rows and by groups, CV+ with ten folds,
# the Gaussian-process view, and split conformal with half of the rows for calibration.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/coverage.R [simulations]
#   OPENBLAS_NUM_THREADS=1 Rscript bench/coverage.R 100 searched > bench/coverage-searched.txt
#
# Simulations: 200 of each kind, 200 new rows in each. Real data: 20 random divisions. lambda is
# chosen anew by cross-validation every time. Needs the installed package; three minutes. Writes
# inst/extdata/coverage.csv, which the vignette uncertainty shows, and prints it. With `searched`
# the first three kinds, the width of the kernel searched in every cross-validation.

suppressPackageStartupMessages(library(sparserls))
simulations <- as.integer(c(commandArgs(TRUE), 200)[1])
searched <- identical(commandArgs(TRUE)[2], "searched")
splits <- ceiling(simulations / 10)
level <- 0.9
source("bench/store.R")

# ---- data: lists of x, y and cluster (NULL) ------------------------------------------------

smooth <- function(x) sin(2 * x[, 1]) + x[, 2] * x[, 3] / 2

rows_of <- function(m, noise) {
  x <- matrix(rnorm(5 * m), m)
  list(x = x, y = smooth(x) + noise(x) * rnorm(m))
}

# Clusters differ in what x says of them and in a random effect: rows of a cluster that is known
# are predicted well, those of a new one badly. size: rows of each cluster.
clusters_of <- function(size) {
  cluster <- rep(seq_along(size), size)
  centre <- matrix(rnorm(4 * length(size)), ncol = 4)
  x <- centre[cluster, ] + matrix(rnorm(4 * sum(size)), ncol = 4) / 4
  effect <- rnorm(length(size))
  list(x = x, y = sin(x[, 1]) + effect[cluster] + rnorm(sum(size)) / 3, cluster = cluster)
}

wide <- function(m) {
  x <- matrix(rnorm(150 * m), m)
  list(x = x, y = rowSums(x[, 1:10]) / 2 + rnorm(m))
}

unequal <- function() 1 + rgeom(60, 1 / 8)
constant <- function(x) 0.5
growing <- function(x) 0.1 + abs(x[, 1]) / 2

sparse <- function(n) function(d, ...) {
  kernel <- if (searched) kernel_gaussian() else one_width(d$x)
  cv.sparserls(d$x, d$y, basis_random(min(n, nrow(d$x) %/% 2)), kernel, nlambda = 30, ...)
}
linear <- function(d, ...) cv.rls(d$x, d$y, nlambda = 30, ...)

kinds <- list(
  "independent rows" = list(function() rows_of(200, constant), function() rows_of(200, constant),
                            sparse(60)),
  "heteroscedastic noise" = list(function() rows_of(200, growing), function() rows_of(200, growing),
                                 sparse(60)),
  "60 clusters of unequal size" = list(function() clusters_of(unequal()),
                                       function() clusters_of(rep(1, 200)), sparse(100)),
  "p = 150 and m = 60" = list(function() wide(60), function() wide(200), linear),
  "n = 10 and m = 500" = list(function() rows_of(500, constant), function() rows_of(200, constant),
                           sparse(10))
)

if (searched) kinds <- kinds[1:3]

# ---- methods: matrices fit, lwr, upr ---------------------------------------------------------

some <- function(d, rows) list(x = d$x[rows, , drop = FALSE], y = d$y[rows])

split_conformal <- function(fit, d, new) {
  rows <- sample(nrow(d$x), nrow(d$x) %/% 2)
  cv <- quiet(fit(some(d, rows), nfolds = 10, progress = FALSE))
  rest <- some(d, setdiff(seq_len(nrow(d$x)), rows))
  residual <- sort(abs(rest$y - predict(cv, rest$x)))
  width <- residual[ceiling(level * (length(residual) + 1))]
  fitted <- predict(cv, new$x)
  cbind(fit = fitted, lwr = fitted - width, upr = fitted + width)
}

intervals <- function(fit, d, new, loo) {
  jackknife <- function(...) {
    cv <- quiet(fit(d, keep = TRUE, progress = FALSE, ...))
    predict(cv, new$x, interval = "jackknife+", level = level)
  }
  cv <- quiet(fit(d, nfolds = 10, keep = TRUE, progress = FALSE))
  found <- list("CV+ by 10 folds" = predict(cv, new$x, interval = "jackknife+", level = level),
                "GP" = predict(cv, new$x, interval = "gp", level = level),
                "split conformal" = split_conformal(fit, d, new))
  if (loo) found[["jackknife+"]] <- jackknife(nfolds = "loo")
  if (!is.null(d$cluster)) found[["jackknife+ by groups"]] <- jackknife(groups = d$cluster)
  found
}

measured <- function(found, y) {
  vapply(found, function(ends) {
    c(coverage = mean(ends[, "lwr"] <= y & y <= ends[, "upr"]),
      width = median(ends[, "upr"] - ends[, "lwr"]))
  }, c(coverage = 0, width = 0))
}

# Mean coverage over repetitions with its standard error, and the median of the widths.
summarized <- function(data, values) {
  means <- apply(values, 1:2, mean)
  repetitions <- dim(values)[3]
  data.frame(data = data, method = colnames(means), coverage = means["coverage", ],
             se = apply(values["coverage", , , drop = FALSE], 2, sd) / sqrt(repetitions),
             width = apply(values["width", , , drop = FALSE], 2, median),
             repetitions = repetitions, row.names = NULL)
}

simulated <- lapply(names(kinds), function(kind) {
  set.seed(1)
  parts <- kinds[[kind]]
  values <- replicate(simulations, {
    d <- parts[[1]]()
    new <- parts[[2]]()
    measured(intervals(parts[[3]], d, new, loo = TRUE), new$y)
  })
  summarized(kind, values)
})

if (searched) {
  say_provenance()
  print(do.call(rbind, simulated), digits = 3, row.names = FALSE)
  quit()
}

# ---- real data: widths in standard deviations of y -----------------------------------------------

real <- lapply(c("pole", "ailerons", "autompg"), function(name) {
  set.seed(1)
  data <- na.omit(shared(name, na.strings = "?"))
  y <- data[[ncol(data)]] / sd(data[[ncol(data)]])
  x <- as.matrix(data[-ncol(data)])
  m <- min(2000, nrow(x) %/% 2)
  values <- replicate(splits, {
    train <- sample(nrow(x), m)
    rest <- setdiff(seq_len(nrow(x)), train)
    test <- rest[seq_len(min(1000, length(rest)))]
    measured(intervals(sparse(200), some(list(x = x, y = y), train),
                       some(list(x = x, y = y), test), loo = TRUE), y[test])
  })
  summarized(sprintf("%s (%d rows)", name, m), values)
})

result <- do.call(rbind, c(simulated, real))
print(result, digits = 3)
store(result, "coverage.csv",
      sprintf("%d simulations, %d divisions of real data, seed 1", simulations, splits), 3)
