# Share of simulations in which an effect is found (p < .05): power where there is one, size where
# it is zero, by partial_effects(), lm(), derivatives() (debiased averages) and, for a treatment,
# augmented inverse propensity weighting (AIPW) of the same kernel fits. Stored as a table,
# bench/effects-power.txt; rows and arguments are as in bench/effects-partial.R.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-power.R sims=1:100 designs=treatment to=rows.csv
#
# A p-value that is withheld, or has a verdict of summary(), counts as not found.
suppressMessages(library(sparserls))
source("bench/store.R")
source("bench/effects-designs.R")
asked <- strsplit(commandArgs(TRUE), "=")
asked <- setNames(lapply(asked, `[`, 2), vapply(asked, `[`, "", 1))
to <- if (is.null(asked$to)) file.path(tempdir(), "effects-power.csv") else asked$to
sims <- if (is.null(asked$sims)) 1:100 else eval(str2lang(asked$sims))

designs$linear <- function() {
  x <- normal(400, 3)
  list(d = data.frame(y = x[, 2] + rnorm(400), x), truth = 0)
}
effects <- list(treatment = c(0, 0.25), overlap = c(0, 0.4), linear = c(0, 0.12),
                confounded = c(0, 0.25), rare1 = c(0, 0.5))

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

# Estimate, standard error, p-value.
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
  list(partial = own(partial_effects(cv, if (term == "X1") term else "t", progress = FALSE)),
       lm = summary(lm(y ~ ., d))$coefficients[term, c(1, 2, 4)],
       debiased = debiased)
}
environment(methods) <- asNamespace("sparserls")

some <- if (is.null(asked$designs)) names(effects) else strsplit(asked$designs, ",")[[1]]
for (sim in sims) for (name in some) {
  set.seed(1000 * match(name, names(effects)) + sim)
  p <- designs[[name]]()
  t <- if (is.null(p$term)) p$d$X1 else as.numeric(p$d$t) - 1
  p$d$y <- p$d$y - p$truth * t
  weighted <- if (!is.null(p$term)) quiet(aipw(p$d, t))
  for (effect in effects[[name]]) {
    found <- quiet(methods(replace(p$d, "y", p$d$y + effect * t), c(p$term, "X1")[1]))
    if (!is.null(weighted)) {
      # An effect moves the response of one arm by a constant.
      at <- c(weighted[1] + effect, weighted[2])
      found$aipw <- c(at, 2 * pnorm(-abs(at[1] / at[2])))
    }
    row <- data.frame(design = name, effect, sim, method = names(found),
                      do.call(rbind, lapply(found, setNames, c("estimate", "se", "p"))))
    suppressWarnings(write.table(row, to, append = TRUE, sep = ",", row.names = FALSE,
                                 col.names = !file.exists(to)))
  }
}

d <- read.csv(to)
by <- list(factor(d$method, unique(d$method)), d$effect, factor(d$design, names(effects)))
table <- do.call(rbind, lapply(split(d, by, drop = TRUE), function(d) {
  found <- mean(d$p < 0.05 & !is.na(d$p))
  data.frame(design = d$design[1], effect = d$effect[1], method = d$method[1], n = nrow(d), found,
             error = sqrt(found * (1 - found) / nrow(d)), withheld = mean(is.na(d$p)),
             mean = mean(d$estimate), sd = sd(d$estimate), se = sqrt(mean(d$se^2)))
}))
options(width = 120)
print(format(table, digits = 2, nsmall = 2), row.names = FALSE)
