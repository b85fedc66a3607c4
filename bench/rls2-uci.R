# The UCI benchmark of Dinuzzo (2010), section 5.2: tables 2 to 4 and figures 4 to 8, as far as the
# data are at hand (Liver, Ionosphere and Wpbc are not).
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/rls2-uci.R [splits] [folder of the data]
#
# Needs the installed package, MASS, and the folder (../shared/data by default; data sets that are
# not there are left out). Writes rls2-uci.txt (the table) and rls2-uci-regression.png and
# rls2-uci-classes.png (70/30) beside this file.
#
# The numbers of kernels are the paper's but for Servo, where two columns of five letters and two
# numbers are 12 features and 13 (12 + 1) kernels; its 156 would be 11 features. Of its table 3 the
# text at hand has one entry only, Heart at 60/40: 84 (3.28).
#
# The left ends of the profiles are flat, and have to be: on distinct rows the Gaussian kernel with
# gamma 1e3 is nearly the identity. Once it has weight, a smaller lambda only gives it more, so that
# the predictor stays the same. What regularizes there is this kernel, not lambda.

library(sparserls)
arguments <- commandArgs(TRUE)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "timing.R"))
splits <- if (length(arguments) > 0) as.integer(arguments[1]) else 100L
folder <- if (length(arguments) > 1) arguments[2] else file.path(here, "..", "..", "shared", "data")
lambda <- 10^seq(0, -6, length.out = 30)

# -- Data: a matrix of features, y as numbers (classes as -1 and +1), and the published number of
# kernels.

# Rows with missing values removed, columns of letters to one indicator for each level; all rows
# standardized together where table 2 says so.
data_set <- function(data, y, standardize, published, classes = FALSE) {
  data <- data[complete.cases(data), ]
  x <- do.call(cbind, lapply(data[names(data) != y], indicators))
  y <- data[[y]]
  list(x = if (standardize) scale(x) else x, classes = classes, published = published,
       y = if (classes) 2 * as.integer(factor(y)) - 3 else y)
}

indicators <- function(column) {
  if (is.numeric(column)) return(column)
  outer(column, sort(unique(column)), "==") + 0
}

from_folder <- function(file, ...) {
  path <- file.path(folder, paste0(file, ".csv.xz"))
  if (file.exists(path)) data_set(read.csv(path, na.strings = "?"), ...)
}

# 37 features make the published 494 kernels: thirty vendors (the first word of the name), the six
# columns on the machine, and the estimate by those who published the data.
cpu <- function() {
  data <- MASS::cpus
  data$name <- sub(" .*", "", data$name)
  data_set(data, "perf", TRUE, 494)
}

data_sets <- list(
  `Auto-mpg` = from_folder("autompg", "class", TRUE, 104),
  Cpu = cpu(),
  Servo = from_folder("servo", "class", FALSE, 156),
  Housing = data_set(MASS::Boston, "medv", TRUE, 182),
  Heart = from_folder("heart_statlog", "class", TRUE, 182, classes = TRUE),
  Pima = from_folder("pima", "class", TRUE, 117, classes = TRUE),
  Sonar = from_folder("sonar", "Class", FALSE, 793, classes = TRUE)
)
data_sets <- Filter(Negate(is.null), data_sets)

# -- One split: scores, kernels and iterations for every lambda, and seconds for the path.

one_split <- function(seed, d, share, kernels) {
  set.seed(seed)
  train <- sample(nrow(d$x), round(share * nrow(d$x)))
  run <- timed(function() {
    rls2(d$x[train, ], d$y[train], kernels, lambda, newdata = d$x[-train, ],
         intercept = !d$classes, standardize = FALSE)
  })
  fit <- run$value
  scores <- predict(fit, d$x[-train, ])
  y <- d$y[-train]
  score <- if (d$classes) 100 * colMeans(sign(scores) == y) else sqrt(colMeans((y - scores)^2))
  list(score = score, kernels = fit$nkernels, iterations = fit$iterations, gap = max(fit$gap),
       seconds = run$cpu)
}

all_splits <- function(d, share) {
  kernels <- kernel_bank(d$x)
  runs <- lapply(seq_len(splits), one_split, d, share, kernels)
  profiles <- c("score", "kernels", "iterations")
  result <- lapply(setNames(profiles, profiles), function(name) sapply(runs, `[[`, name))
  average <- rowMeans(result$score)
  c(result, list(
    best = if (d$classes) which.max(average) else which.min(average), bank = length(kernels),
    gap = max(sapply(runs, `[[`, "gap")), seconds = sapply(runs, `[[`, "seconds")
  ))
}

# -- Table: mean (standard deviation) over the splits: of the score (RMSE, or accuracy in per cent)
# and the number of kernels at the lambda with the best mean score, and for the whole path of the
# iterations and of the seconds (of the processor, kernel matrices included). Bank: the number of
# kernels, Paper: the number in its table 2.

spread <- function(values) sprintf("%s (%s)", signif(mean(values), 3), signif(sd(values), 2))

table_row <- function(name, d, ratio, r) {
  data.frame(
    Data = name, Rows = nrow(d$x), Bank = r$bank, Paper = d$published, Split = ratio,
    Score = spread(r$score[r$best, ]), Lambda = signif(lambda[r$best], 2),
    Kernels = spread(r$kernels[r$best, ]), Iterations = spread(colSums(r$iterations)),
    Seconds = spread(r$seconds)
  )
}

# -- Figures: thin lines for splits, a thick mean, dotted where the mean score is best.

profile <- function(values, best, title, ylab) {
  matplot(lambda, values, type = "l", lty = 1, col = "grey80", log = "x", las = 1, main = title,
          xlab = expression(lambda), ylab = ylab, xaxt = "n")
  axis(1, 10^seq(-6, 0, 2), expression(10^-6, 10^-4, 10^-2, 1))
  lines(lambda, rowMeans(values), lwd = 3, col = "firebrick")
  abline(v = lambda[best], lty = 3)
}

figure <- function(file, sets) {
  classes <- data_sets[[sets[1]]]$classes
  png(file.path(here, file), 230 * length(sets), 600, pointsize = 12)
  par(mfcol = c(3, length(sets)), mar = c(4, 4.2, 2, 0.5))
  for (name in sets) {
    r <- results[[name]][["70/30"]]
    profile(r$score, r$best, name, if (classes) "Accuracy (%)" else "RMSE")
    profile(r$kernels, r$best, "", "Kernels")
    profile(r$iterations, r$best, "", "Iterations")
  }
  invisible(dev.off())
}

ratios <- c(`60/40` = 0.6, `70/30` = 0.7)
results <- lapply(data_sets, function(d) lapply(ratios, function(share) all_splits(d, share)))
rows <- lapply(names(data_sets), function(name) {
  Map(function(ratio, r) table_row(name, data_sets[[name]], ratio, r), names(ratios),
      results[[name]])
})
table <- do.call(rbind, unlist(rows, recursive = FALSE))
gaps <- sapply(unlist(results, recursive = FALSE), `[[`, "gap")
options(width = 100)
text <- c(
  sprintf("%d random splits; R %s, BLAS %s; largest relative gap %s", splits, getRversion(),
          basename(dirname(extSoftVersion()[["BLAS"]])), signif(max(gaps), 1)),
  capture.output(print(table, row.names = FALSE, right = FALSE))
)
writeLines(text, file.path(here, "rls2-uci.txt"))
writeLines(text)
classes <- vapply(data_sets, `[[`, NA, "classes")
if (any(classes)) figure("rls2-uci-classes.png", names(data_sets)[classes])
figure("rls2-uci-regression.png", names(data_sets)[!classes])
