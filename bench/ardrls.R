# ardrls() on data with relevant and irrelevant features, beside other methods: error of a test set
# as RMSE over the standard deviation of y, and seconds of processor time, one thread.
#
#   OPENBLAS_NUM_THREADS=1 SPARSERLS_DATA=../shared/data \
#     Rscript bench/ardrls.R pole|ailerons [number of basis vectors | others]
#
# 90 % of the rows train. Without a number other methods run, with their defaults, where their package
# is installed; those that need a kernel of all rows get as many as the line says. Figures:
# bench/ardrls.md.

library(sparserls)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "timing.R"))
source(file.path(here, "store.R"))
say_provenance()

name <- c(commandArgs(TRUE), "pole")[1]
d <- read.csv(file.path(Sys.getenv("SPARSERLS_DATA"), paste0(name, ".csv.xz")))
d <- d[complete.cases(d), ]
y <- as.numeric(scale(d[[ncol(d)]]))
x <- as.matrix(d[-ncol(d)])
set.seed(1)
held <- sample(nrow(x), floor(nrow(x) / 10))
train <- setdiff(seq_len(nrow(x)), held)

# predictions: a function without arguments that fits to the rows that train and predicts the others.
line <- function(what, predictions, packages = NULL) {
  if (!all(vapply(packages, requireNamespace, NA, quietly = TRUE))) return(invisible())
  set.seed(1)
  run <- timed(predictions)
  cat(sprintf("| %s | %s | %.3f | %.0f |\n", name, what, sqrt(mean((run$value - y[held])^2)),
              run$cpu))
}

ard <- function(n, selector, penalty) {
  function() {
    fit <- ardrls(x[train, ], y[train], basis = selector(n), penalty = penalty, progress = FALSE)
    predict(fit, x[held, ], s = min(penalty))
  }
}

# Rows for methods with a kernel of all rows.
part <- function(rows) sample(train, rows)

# Columns that vary among some rows.
varying <- function(rows) apply(x[rows, ], 2, function(column) length(unique(column)) > 1)

additive_model <- function() {
  distinct <- apply(x[train, ], 2, function(column) length(unique(column)))
  names <- colnames(x)[distinct > 1]
  terms <- ifelse(distinct[names] > 20, sprintf("s(%s)", names), names)
  fit <- mgcv::bam(reformulate(terms, "y"), data = data.frame(x, y)[train, ], discrete = TRUE)
  predict(fit, data.frame(x)[held, ])
}

lasso <- function() {
  fit <- glmnet::cv.glmnet(x[train, ], y[train])
  predict(fit, x[held, ], s = "lambda.min")
}

forest <- function() {
  fit <- ranger::ranger(x = x[train, ], y = y[train], num.trees = 500, num.threads = 1)
  predict(fit, x[held, ], num.threads = 1)$predictions
}

kernlab_with <- function(method, rows) {
  function() {
    rows <- part(rows)
    kept <- varying(rows)
    fit <- method(x[rows, kept], y[rows])
    kernlab::predict(fit, x[held, kept])
  }
}

krls_with <- function(rows) {
  function() {
    rows <- part(rows)
    kept <- varying(rows)
    fit <- KRLS::krls(x[rows, kept], y[rows], derivative = FALSE, vcov = FALSE, print.level = 0)
    predict(fit, x[held, kept])$fit
  }
}

compare_bases <- function(n) {
  for (selector in c("basis_random", "basis_rpcholesky")) {
    label <- sprintf("ardrls(), n = %d, %s(), %%s", n, selector)
    line(sprintf(label, "free widths"), ard(n, get(selector), c(Inf, 0)))
    line(sprintf(label, "one width"), ard(n, get(selector), Inf))
  }
}

others <- function() {
  line("ranger, 500 trees", forest, "ranger")
  line("cv.glmnet", lasso, "glmnet")
  line("mgcv::bam, smooth terms of features with more than 20 values", additive_model, "mgcv")
  line("KRLS, 1500 rows", krls_with(1500), "KRLS")
  line("kernlab::gausspr, 2000 rows", kernlab_with(kernlab::gausspr, 2000), "kernlab")
  line(sprintf("kernlab::ksvm, %d rows", length(train)), kernlab_with(kernlab::ksvm, length(train)),
       "kernlab")
}

cat("| data | method | RMSE / sd | seconds |\n|---|---|---|---|\n")
asked <- suppressWarnings(as.integer(commandArgs(TRUE)[2]))
if (is.na(asked)) others() else compare_bases(asked)
