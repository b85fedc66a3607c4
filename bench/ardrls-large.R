# cv.ardrls() on many rows: 14,000 rows, 20 features, 300 basis vectors, one split of the rows as
# outer fold. Seconds of processor time and gradients. Rscript bench/ardrls-large.R
library(sparserls)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "store.R"))
say_provenance()

set.seed(1)
m <- 14000
x <- matrix(rnorm(m * 20), m)
y <- sin(2 * x[, 1]) + x[, 2]^2 + x[, 3] * x[, 4] / 2 + 0.3 * x[, 5] + rnorm(m) / 2
set.seed(1)
used <- system.time({
  cv <- cv.ardrls(x, y, basis = 300, outer = "split", progress = FALSE)
})
cat(sprintf("%.0f s of processor time, %d gradients of the fit to all rows\n",
            used[["user.self"]] + used[["sys.self"]], sum(cv$fit$gradients)))
