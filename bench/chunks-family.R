# Likelihoods of rows in chunks: passes and processor time, compared with least squares in chunks
# and with the same call in memory on the first 20,000 rows.
#
#   Rscript bench/chunks-family.R binomial|poisson ROWS
#
# 10 features, n = 300, ten folds, 20 lambdas, chunks of 10,000 rows, one survey for both. One
# thread of BLAS: set OPENBLAS_NUM_THREADS=1.
suppressMessages(library(sparserls))
source("bench/store.R")
say_provenance()

arguments <- commandArgs(TRUE)
family <- arguments[1]
rows <- as.numeric(arguments[2])

set.seed(1)
data <- as.data.frame(matrix(rnorm(rows * 10), rows))
eta <- sin(2 * data$V1) + data$V2 * data$V3 / 2 + data$V4 / 2
data$y <- if (family == "binomial") rbinom(rows, 1, plogis(eta)) else rpois(rows, exp(eta / 2))
data$fold <- rep(1:10, length.out = rows)
chunks <- chunks_function(rows / 1e4, function(i) data[(i - 1) * 1e4 + 1:1e4, ])

form <- y ~ . - fold
set.seed(2)
survey <- chunks_survey(form, chunks, foldid = fold)
folder <- tempfile()
run <- function(data, ...) {
  started <- proc.time()
  cv <- cv.sparserls(form, data, basis = 300, kernel = kernel_gaussian(gamma = 0.1),
                     foldid = "fold", nlambda = 20, ...)
  list(cv = cv, seconds = sum((proc.time() - started)[1:2]))
}
squares <- run(chunks, survey = survey)
likelihood <- run(chunks, survey = survey, family = family, checkpoint = folder)
memory <- run(data[1:20000, ], family = family)
cat(sprintf("least squares %.1f s; %s %.1f s, %d passes for %d lambdas\n", squares$seconds, family,
            likelihood$seconds, length(list.files(folder, "^newton")),
            length(likelihood$cv$lambda)))
cat(sprintf("20,000 rows in memory %.1f s\n", memory$seconds))
