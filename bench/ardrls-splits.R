# ardrls() and cv.ardrls() with their defaults on many rows: mean squared error over the variance of
# y on a tenth of the rows, and seconds of the processor, over random splits.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/ardrls-splits.R pole|ailerons [splits] [folder of the runs]
#
# A random forest stands beside it. Every fit of every split is a file in the folder of the runs, so
# that a run goes on where it was stopped. Figures: bench/ardrls-splits.txt.

library(sparserls)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "timing.R"))
source(file.path(here, "store.R"))
say_provenance()
arguments <- commandArgs(TRUE)
name <- c(arguments, "pole")[1]
splits <- if (length(arguments) > 1) as.integer(arguments[2]) else 3L
runs <- if (length(arguments) > 2) arguments[3] else tempfile("ardrls-splits")
dir.create(runs, showWarnings = FALSE, recursive = TRUE)

folder <- Sys.getenv("SPARSERLS_DATA", file.path(here, "..", "..", "shared", "data"))
d <- read.csv(file.path(folder, paste0(name, ".csv.xz")))
d <- d[complete.cases(d), ]
y <- as.numeric(scale(d[[ncol(d)]]))
x <- as.matrix(d[-ncol(d)])

fits <- list(
  `ardrls(map = TRUE)` = function(x, y) ardrls(x, y, map = TRUE, progress = FALSE),
  `ardrls()` = function(x, y) ardrls(x, y, progress = FALSE),
  `cv.ardrls(outer = "split")` = function(x, y) {
    suppressMessages(cv.ardrls(x, y, outer = "split", progress = FALSE))
  },
  `cv.ardrls(map = TRUE, outer = "split")` = function(x, y) {
    suppressMessages(cv.ardrls(x, y, map = TRUE, outer = "split", progress = FALSE))
  },
  ranger = function(x, y) ranger::ranger(x = x, y = y, num.threads = 1)
)
predicted <- function(fit, new) {
  if (inherits(fit, "ranger")) return(predict(fit, new, num.threads = 1)$predictions)
  p <- predict(fit, new)
  matrix(p, nrow(new))[, ncol(matrix(p, nrow(new)))]    # of a path its last step
}

one_split <- function(method, seed) {
  set.seed(seed)
  held <- sample(nrow(x), floor(nrow(x) / 10))
  run <- timed(function() fits[[method]](x[-held, ], y[-held]))
  chose <- inherits(run$value, "sparserls_cv")
  fit <- if (chose) run$value$fit else run$value
  list(error = mean((predicted(run$value, x[held, ]) - y[held])^2), seconds = run$cpu,
       basis = if (inherits(fit, "ranger")) NA else max(vapply(fit$fits, function(step) {
         length(step$basis)
       }, 0L)),
       honest = if (chose) run$value$cvm[run$value$index[["1se", 1]]] else NA,
       kind = if (chose) run$value$kind[["1se"]] else "")
}

cat("| data | method | splits | MSE / var (standard error) | honest error | seconds, median |",
    "largest basis | maps chosen |\n|---|---|---|---|---|---|---|---|\n")
for (method in names(fits)) {
  found <- lapply(seq_len(splits), function(seed) {
    file <- file.path(runs, sprintf("%s-%d-%02d.rds", name, match(method, names(fits)), seed))
    if (!file.exists(file)) saveRDS(one_split(method, seed), file)
    readRDS(file)
  })
  all <- function(field) vapply(found, function(s) as.numeric(s[[field]]), 0)
  error <- all("error")
  cat(sprintf("| %s | %s | %d | %.4f (%.4f) | %.4f | %.0f | %.0f | %d |\n", name, method, splits,
              median(error), sd(error) / sqrt(splits), median(all("honest")),
              median(all("seconds")), median(all("basis")),
              sum(vapply(found, `[[`, "", "kind") == "map")))
}
