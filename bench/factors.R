# What it changes that a factor is one feature (?sparserls, section Factors): errors on new rows of
# two tables with factors. One core, some three minutes.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/factors.R [ames] [diamonds] > bench/factors.txt
#
# Every method but ranger is cv.sparserls() with 400 random basis vectors, five folds, the Matern
# kernel of smoothness 1.5 and nine widths, most of them below its default; the codings differ:
#   columns   an indicator for every level, each standardized by itself: what was done before
#   features  indicators standardized together, ordered factors like others
#   ranks     the same, ordered factors as the numbers of their levels: what formulas do
# Ames: modeldata::ames, log price, 2230 rows to train and 700 to test; none of its factors is
# ordered, so those that name qualities are made so. Diamonds: ggplot2::diamonds, log price, 6000
# and 6000 rows. Split i has the seed i; the error is RMSE / sd on the rows to test. `difference` is
# that from `columns`, with the standard error of its mean over the splits.

suppressMessages(library(sparserls))
splits <- 5
kernel <- kernel_matern(1.5, relative(2^seq(-9, 1, by = 1.25)))

qualities <- list(
  c("Po", "Fa", "TA", "Gd", "Ex"), c("Poor", "Fair", "Typical", "Good", "Excellent"),
  c("No_Basement", "Poor", "Fair", "Typical", "Good", "Excellent"),
  c("Very_Poor", "Poor", "Fair", "Below_Average", "Average", "Above_Average", "Good", "Very_Good",
    "Excellent", "Very_Excellent"),
  c("No_Basement", "No", "Mn", "Av", "Gd"), c("No_Garage", "Unf", "RFn", "Fin"),
  c("Dirt_Gravel", "Partial_Pavement", "Paved"), c("Irregular", "Moderately_Irregular",
                                                   "Slightly_Irregular", "Regular")
)
as_ordered <- function(v) {
  for (known in qualities) {
    if (is.factor(v) && all(v %in% known)) return(factor(v, known, ordered = TRUE))
  }
  v
}
unordered <- function(v) if (is.ordered(v)) factor(v, ordered = FALSE) else v
each <- function(d, f) as.data.frame(lapply(d, f))

ames <- as.data.frame(modeldata::ames)
ames$y <- log(ames$Sale_Price)
ames$Sale_Price <- NULL
diamonds <- as.data.frame(ggplot2::diamonds)
diamonds$y <- log(diamonds$price)
diamonds$price <- NULL
sets <- list(
  ames = list(data = each(ames, as_ordered), train = 2230, test = 700),
  diamonds = list(data = diamonds, train = 6000, test = 6000)
)

indicators <- function(d) {
  coded <- Filter(is.factor, d)
  model.matrix(~ ., d, contrasts.arg = lapply(coded, contrasts, contrasts = FALSE))[, -1]
}
codings <- list(
  columns = function(d) indicators(each(d, unordered)),
  features = function(d) each(d, unordered),
  ranks = identity
)

run <- function(code, d, rows, held) {
  x <- code(d[names(d) != "y"])
  set.seed(rows[1])
  cv <- cv.sparserls(x[rows, ], d$y[rows], basis_random(400), kernel, nfolds = 5, progress = FALSE)
  predict(cv, x[held, ])
}
forest <- function(d, rows, held) {
  set.seed(rows[1])
  fit <- ranger::ranger(y ~ ., d[rows, ], num.threads = 1, verbose = FALSE)
  predict(fit, d[held, ], num.threads = 1)$predictions
}

asked <- intersect(commandArgs(TRUE), names(sets))
for (name in if (length(asked)) asked else names(sets)) {
  d <- sets[[name]]$data
  kinds <- table(vapply(d[names(d) != "y"], function(v) class(v)[1], ""))
  cat(sprintf("%s: %d rows; %s\n", name, nrow(d), paste(names(kinds), kinds, collapse = ", ")))
  errors <- NULL
  for (i in seq_len(splits)) {
    set.seed(i)
    rows <- sample(nrow(d), sets[[name]]$train + sets[[name]]$test)
    held <- rows[-seq_len(sets[[name]]$train)]
    rows <- rows[seq_len(sets[[name]]$train)]
    found <- c(lapply(codings, run, d, rows, held), list(ranger = forest(d, rows, held)))
    error <- function(p) sqrt(mean((d$y[held] - p)^2)) / stats::sd(d$y[held])
    errors <- rbind(errors, vapply(found, error, 0))
  }
  print(round(errors, 4))
  gain <- errors - errors[, "columns"]
  table <- rbind(mean = colMeans(errors), se = apply(errors, 2, stats::sd) / sqrt(splits),
                 difference = colMeans(gain), se = apply(gain, 2, stats::sd) / sqrt(splits))
  print(round(table, 4))
  cat("\n")
}
cat(R.version.string, "; seconds of the processor:", round(sum(proc.time()[1:2])), "\n")
