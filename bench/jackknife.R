# The price of intervals by refits, in fits of one lambda: m = 5000 rows, n = 500 basis vectors,
# 10,000 new rows; ten folds and leave-one-out. Rscript bench/jackknife.R
library(sparserls)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "store.R"))
say_provenance()

seconds <- function(code) {
  used <- system.time(code)
  used[["user.self"]] + used[["sys.self"]]
}

set.seed(1)
m <- 5000
x <- matrix(rnorm(m * 10), m)
y <- sin(x[, 1]) + x[, 2] * x[, 3] + rnorm(m) / 3
new <- matrix(rnorm(1e5), 1e4)
basis <- sample(m, 500)
kernel <- kernel_gaussian(0.05)
one <- min(replicate(3, seconds(sparserls(x, y, basis, kernel, lambda = 1))))
for (folds in list(10, "loo")) {
  cv <- cv.sparserls(x, y, basis, kernel, lambda = c(10, 1, 0.1), nfolds = folds, keep = TRUE,
                     progress = FALSE)
  each <- c(jackknife = seconds(predict(cv, new, interval = "jackknife+")),
            gp = seconds(predict(cv, new, interval = "gp")), plain = seconds(predict(cv, new)))
  cat(format(folds), sprintf("%s %.2f", names(each), each / one), "\n")
}
