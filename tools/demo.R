# What `make demo` runs: visits of patients, cross-validated by rows and by patients, then the
# prostate data with a weight for every feature.  Usage, from the package's root:
#   Rscript tools/demo.R

library(sparserls)

say <- function(...) cat("", strwrap(sprintf(...), 92), sep = "\n")
seconds <- function(code) system.time(code)[["elapsed"]]

## ---- 1. Visits of patients ---------------------------------------------------------------------

cat("\nVisits of 312 patients with liver disease (survival::pbcseq). Mean squared error:\n\n")

findings <- lbili ~ day + trt + age + sex + ascites + hepato + spiders + edema + albumin +
  log(alk.phos) + log(ast) + log(platelet) + log(protime) + stage
visits <- transform(survival::pbcseq, lbili = log(bili))
visits <- visits[complete.cases(visits[all.vars(findings)]), ]

# Two thirds of the patients to train, with all their visits.
set.seed(2)
patients <- unique(visits$id)
old <- visits$id %in% sample(patients, round(2 / 3 * length(patients)))
train <- visits[old, ]
new <- visits[!old, ]
# Mean squared errors with standard errors: cross-validated (over folds, or over patients), and of
# the new patients, over these.
validated <- function(cv) {
  c(`cross-validated` = min(cv$cvm), SE = cv$cvsd[[which.min(cv$cvm)]])
}
on_new <- function(prediction) {
  loss <- (new$lbili - drop(prediction))^2
  each <- tapply(loss - mean(loss), new$id, sum)
  c(`new patients` = mean(loss),
    SE = sqrt(sum(each^2) * length(each) / (length(each) - 1)) / length(loss))
}

# Both with the same 500 visits as basis vectors.
set.seed(1)
by_rows <- cv.sparserls(findings, train, basis = 500, nfolds = 10)
set.seed(1)
time_patients <- seconds(by_patients <- cv.sparserls(findings, train, basis = 500, groups = id))

print(signif(rbind(
  `10 folds of rows` = c(validated(by_rows), on_new(predict(by_rows, new))),
  `leave one patient out` = c(validated(by_patients), on_new(predict(by_patients, new))),
  `least squares` = c(NA, NA, on_new(predict(lm(findings, train), new)))
), 3))
say(
  "%d visits of %d patients train, %d visits of %d others test. Folds of rows leave other visits of
  a held-out patient in the training set: the error looks too small, and lambda comes out too small
  (%.2g; by patients %.2g). Leaving out all %d patients in turn, for %d lambdas, took %.1f s.",
  nrow(train), length(unique(train$id)), nrow(new), length(unique(new$id)), by_rows$lambda.min,
  by_patients$lambda.min, by_patients$nfolds, length(by_patients$lambda), time_patients
)

# One patient against the honest refit without him. The findings are standardized beforehand, so
# that both use the same ones.
x <- scale(model.matrix(findings, train)[, -1])
basis <- seq(1, nrow(x), by = 10)
lambda <- by_patients$lambda.min
kernel <- kernel_gaussian(gamma = 0.05)
out <- which(train$id == train$id[1])
held_out <- cv.sparserls(
  x, train$lbili, basis, kernel, lambda,
  standardize = FALSE, folds = list(out), keep = TRUE
)$fit.preval[out, ]
refit <- sparserls(
  x[-out, ], train$lbili[-out], which(seq_len(nrow(x))[-out] %in% basis), kernel, lambda,
  standardize = FALSE
)
say(
  "Exact: the held-out predictions of one patient's %d visits and those of a refit without them
  differ by at most %.0e.",
  length(out), max(abs(held_out - predict(refit, x[out, ])))
)

## ---- 2. A weight for every feature -------------------------------------------------------------

# Standardized over all 97 rows, as in the paper.
x <- scale(as.matrix(prostate[, 1:8]))
y <- prostate$lpsa
train <- prostate$train
fit <- rls2(x[train, ], y[train], lambda = 0.0883, standardize = FALSE)
least_squares <- lm(y ~ x, subset = train)

slopes <- coef(fit)[, 1]
published <- c(2.452, 0.544, 0.207, 0, 0.104, 0.170, 0, 0, 0.064)
test_error <- function(b) mean((y[!train] - cbind(1, x[!train, ]) %*% b)^2)
say(
  "Prostate cancer data: rls2() learns a weight for every feature. %s have slope zero, all slopes
  are those of the paper (Dinuzzo, 2010; largest difference %.0e), and the error on 30 new men is
  %.3f, of least squares %.3f.",
  paste(names(slopes)[slopes == 0], collapse = ", "), max(abs(slopes - published)),
  test_error(slopes), test_error(coef(least_squares))
)

## ---- The curves --------------------------------------------------------------------------------

file <- file.path(getwd(), "demo-lambda-curve.png")
png(file, width = 1400, height = 600, res = 120)
par(mfrow = c(1, 2), mar = c(5, 4, 4, 1))
limits <- range(by_rows$cvlo, by_patients$cvup)
plot(by_rows, ylim = limits)
title("10 folds of rows", line = 2.5)
plot(by_patients, ylim = limits)
title("Leave one patient out", line = 2.5)
invisible(dev.off())
say("The error against lambda, with lambda.min and lambda.1se as dashed lines, is in %s", file)
