# Share of simulations in which an effect is found (p < .05): power where there is one, size where
# it is zero, by partial_effects(), lm(), derivatives() (debiased averages) and, for a treatment,
# augmented inverse propensity weighting (AIPW) of the same kernel fits. Stored as a table,
# bench/effects-power.txt; rows and arguments are as in bench/effects-partial.R.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-power.R sims=1:100 designs=treatment to=rows.csv
#
# Every design is drawn once, without an effect: that of `effects` is added to the estimates. (Where
# it was added to the response, means of two estimates differed by .006 at most.) A p-value that is
# withheld, or has a verdict of summary(), counts as not found.
suppressMessages(library(sparserls))
source("bench/store.R")
source("bench/effects-designs.R")
asked <- asked_arguments(1:100)
to <- asked$to

designs$linear <- function() {
  x <- normal(400, 3)
  list(d = data.frame(y = x[, 2] + rnorm(400), x), truth = 0)
}
effects <- list(treatment = 0.25, overlap = 0.4, linear = 0.12, confounded = 0.25, rare1 = 0.5)

# Responses of both arms and propensities (within .01 and .99), each without its own fold of ten.
aipw <- function(d, t) {
  held <- function(formula, rows, ...) {
    cv <- cv.sparserls(formula, d[rows, ], nfolds = 10, keep = TRUE, progress = FALSE, ...)
    found <- predict(cv, d, s = "lambda.min")
    replace(found, rows, cv$fit.preval[, match(cv$lambda.min, cv$lambda)])
  }
  others <- setdiff(names(d), c("y", "t"))
  one <- held(reformulate(others, "y"), which(t == 1))
  zero <- held(reformulate(others, "y"), which(t == 0))
  score <- held(reformulate(others, "t"), seq_along(t), family = "binomial")
  p <- pmin(pmax(plogis(score), 0.01), 0.99)
  psi <- one - zero + ifelse(t == 1, (d$y - one) / p, -(d$y - zero) / (1 - p))
  c(mean(psi), sd(psi) / sqrt(length(psi)))
}

# Estimate, standard error, and whether there is a p-value.
methods <- function(d, term) {
  cv <- cv.sparserls(y ~ ., d, keep = TRUE, progress = FALSE)
  own <- function(found) {
    found <- generics::tidy(found)
    unlist(found[found$term == term, c("estimate", "std.error", "p.value")])
  }
  average <- derivatives(cv)
  debiased <- own(average)
  verdicts <- do.call(cbind, effect_verdicts(average))[names(average$difference) == term, ]
  if (any(verdicts)) debiased[3] <- NA
  found <- list(partial = own(partial_effects(cv, if (term == "X1") term else "t",
                                              progress = FALSE)),
                lm = summary(lm(y ~ ., d))$coefficients[term, c(1, 2, 4)], debiased = debiased)
  lapply(found, function(values) c(values[1:2], !is.na(values[3])))
}
environment(methods) <- asNamespace("sparserls")

some <- if (is.null(asked$designs)) names(effects) else strsplit(asked$designs, ",")[[1]]
for (sim in asked$sims) for (name in some) {
  set.seed(1000 * match(name, names(effects)) + sim)
  p <- designs[[name]]()
  t <- if (is.null(p$term)) p$d$X1 else as.numeric(p$d$t) - 1
  p$d$y <- p$d$y - p$truth * t
  found <- quiet(methods(p$d, c(p$term, "X1")[1]))
  if (!is.null(p$term)) found$aipw <- c(quiet(aipw(p$d, t)), 1)
  row <- data.frame(design = name, sim, method = names(found),
                    do.call(rbind, lapply(found, setNames, c("estimate", "se", "told"))))
  suppressWarnings(write.table(row, to, append = TRUE, sep = ",", row.names = FALSE,
                               col.names = !file.exists(to)))
}

d <- read.csv(to)
by <- list(factor(d$method, unique(d$method)), factor(d$design, names(effects)))
table <- do.call(rbind, lapply(split(d, by, drop = TRUE), function(d) {
  effect <- effects[[d$design[1]]]
  found <- function(effect) mean(d$told & abs(d$estimate + effect) > 1.97 * d$se)
  error <- function(share) sqrt(share * (1 - share) / nrow(d))
  data.frame(design = d$design[1], method = d$method[1], n = nrow(d), size = found(0),
             size_error = error(found(0)), effect, power = found(effect),
             power_error = error(found(effect)), withheld = mean(!d$told),
             bias = mean(d$estimate), sd = sd(d$estimate), se = sqrt(mean(d$se^2)))
}))
options(width = 120)
print(format(table, digits = 2, nsmall = 2), row.names = FALSE)
