# What `make demo` runs: visits of patients, cross-validated by rows and by patients, then the
# prostate data with a weight for every feature.  Usage, from the package's root:
#   Rscript tools/demo.R

library(sparserls)

say <- function(...) cat("", strwrap(sprintf(...), 92), sep = "\n")
seconds <- function(code) system.time(code)[["elapsed"]]

## ---- 1. Visits of patients ---------------------------------------------------------------------

cat("\n== 1. Visits of 312 patients with liver disease (pbcseq of the package survival)\n\n")

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
# Mean squared errors with standard errors: as promised (over folds, or over patients), and of the
# new patients, over these.
promised <- function(cv) c(promised = min(cv$cvm), SE = cv$cvsd[[which.min(cv$cvm)]])
on_new <- function(prediction) {
  loss <- (new$lbili - drop(prediction))^2
  each <- tapply(loss - mean(loss), new$id, sum)
  c(`new patients` = mean(loss),
    SE = sqrt(sum(each^2) * length(each) / (length(each) - 1)) / length(loss))
}

# Both with the same 500 visits as basis vectors.
set.seed(1)
time_rows <- seconds(by_rows <- cv.sparserls(findings, train, basis = 500, nfolds = 10))
set.seed(1)
time_patients <- seconds(by_patients <- cv.sparserls(findings, train, basis = 500, groups = id))

print(signif(rbind(
  `10 folds of rows` = c(promised(by_rows), on_new(predict(by_rows, new))),
  `leave one patient out` = c(promised(by_patients), on_new(predict(by_patients, new))),
  `least squares` = c(NA, NA, on_new(predict(lm(findings, train), new)))
), 3))
say(
  "The log of bilirubin is predicted by the other findings of a visit: %d visits of %d patients to
  train, %d of %d others to test. Compare the mean squared error that a cross-validation promises
  with the one on new patients. Folds of rows know a held-out visit by the patient's other visits:
  they promise too much and choose too small a lambda (%.2g; by patients %.2g).",
  nrow(train), length(unique(train$id)), nrow(new), length(unique(new$id)),
  by_rows$lambda.min, by_patients$lambda.min
)
say(
  "All %d patients left out in turn, their visits removed from the basis as well, %d lambdas: %.1f s.
  Ten folds of rows: %.1f s.",
  by_patients$nfolds, length(by_patients$lambda), time_patients, time_rows
)

# One patient against the honest refit without him. The findings are standardized beforehand, so that
# both use the same ones.
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

cat("\n== 2. Prostate cancer data: which of eight features does the response need?\n\n")

# Standardized over all 97 rows, as in the paper.
x <- scale(as.matrix(prostate[, 1:8]))
y <- prostate$lpsa
train <- prostate$train
fit <- rls2(x[train, ], y[train], lambda = 0.0883, standardize = FALSE)
least_squares <- lm(y ~ x, subset = train)

slopes <- cbind(rls2 = coef(fit)[, 1], published = c(
  2.452, 0.544, 0.207, 0, 0.104, 0.170, 0, 0, 0.064
), `least squares` = coef(least_squares))
test_error <- function(b) mean((y[!train] - cbind(1, x[!train, ]) %*% b)^2)
print(round(rbind(slopes, `Test error` = apply(slopes, 2, test_error)), 3))
say(
  "rls2() learns a weight for every feature together with the predictor: three slopes are exactly
  zero, and the error on 30 new men is smaller than that of least squares. Second column: the same
  as printed in the paper (Dinuzzo, 2010). The optimum is certified: relative duality gap %.0e.",
  fit$gap
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
say("To read the articles, vignette(package = \"sparserls\"), see README.md: this way of installing
  has left them out.")
