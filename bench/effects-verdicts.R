# How often summary() of derivatives() says "Do not rely on these", and coverage of 95 % intervals
# where it does not: cells of bench/effects.R, designs of bench/effects-partial.R, more features.
# Stored as a table, bench/effects-verdicts.txt; rows and arguments as in bench/effects-partial.R.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-verdicts.R sims=1:100 to=rows.csv
#
# Rows have, for every term, the largest difference after weighting, its sampling level, the
# effective share of rows and the estimates. The table compares two limits of the differences: 0.1
# plus two levels, and 0.1 plus as many as the largest of p normal values exceeds in 5 %.
suppressMessages(library(sparserls))
source("bench/store.R")
source("bench/effects-designs.R")
asked <- asked_arguments(1:100)
to <- asked$to

# rho: of all pairs of features.
features <- function(m, p, rho) normal(m, p) * sqrt(1 - rho) + rnorm(m) * sqrt(rho)
wide <- function(p, rho) function() smooth(features(500, p, rho))
# The truth of every term, slopes of .5, .3 and 0; the second is a sine.
mixed <- function(m, p, rho) function() {
  x <- features(m, p, rho)
  truth <- c(0.5, 2 * exp(-2), rep_len(c(0.3, 0), p - 2))
  y <- sin(2 * x[, 2]) + drop(x[, -2] %*% truth[-2]) + rnorm(m)
  list(d = data.frame(y, x), truth = truth)
}
designs <- c(designs, list(corr10 = wide(10, 0.5), corr20 = wide(20, 0.5), indep30 = wide(30, 0),
                           indep10 = wide(10, 0)))
of_mixed <- list(m500p30 = mixed(500, 30, 0.5), m200p30 = mixed(200, 30, 0.5),
                 m100p10 = mixed(100, 10, 0.5), m200p30i = mixed(200, 30, 0),
                 m150p5 = mixed(150, 5, 0.8), m300p15 = mixed(300, 15, 0.9))
designs <- c(designs, of_mixed)
of_cells <- c("linear250", "nonlinear250", "null250", "treatment250", "nonlinear.groups40",
              "linear.groups20", "linear.correlated", "uneven250")
some <- c(of_cells, "normal250", "confounded", "chisquared", "treatment", "overlap", "rare0.5",
          "rare1", "uniform_linear", "clusters40", "heteroscedastic", "correlated30", "corr10",
          "corr20", "indep30", "indep10", names(of_mixed))

# The effects, and the truth of one term, or of all.
drawn <- function(name) {
  if (name %in% of_cells) {
    p <- draw(cells[[name]])
    found <- quiet(derivatives(fitted_once(p$x, p$y, p$groups), p$x))
    return(list(effects = found, truth = truth_of(cells[[name]]), term = 1))
  }
  p <- designs[[name]]()
  cv <- quiet(cv.sparserls(y ~ ., p$d, groups = p$groups, keep = TRUE, progress = FALSE))
  found <- quiet(derivatives(cv))
  if (length(p$truth) > 1) return(list(effects = found, truth = p$truth, term = seq_along(p$truth)))
  list(effects = found, truth = p$truth,
       term = match(if (is.null(p$term)) "X1" else p$term, names(found$difference)))
}

facts <- function(x) {
  share <- x$representer$share
  moved <- term_balance(x)
  data.frame(estimate = unname(x$average), plugin = unname(x$plugin), se = unname(x$std.error),
             t = qt(0.975, x$df), off = apply(abs(moved$after), 2, max, na.rm = TRUE),
             level = sqrt(colSums((share * x$representer$weights)^2)) * moved$unit,
             size = x$representer$size / sum(share > 0), told = !(untold(x) | few_units(x)))
}
environment(facts) <- asNamespace("sparserls")

for (sim in asked$sims) for (name in some) {
  set.seed((if (name %in% names(of_mixed)) 67000 else 5000) + 1000 * match(name, some) + sim)
  p <- drawn(name)
  row <- facts(p$effects)
  sine <- name %in% names(of_mixed) & seq_len(nrow(row)) == 2
  row <- cbind(design = paste0(name, ifelse(sine, " sine", "")), sim, terms = nrow(row),
               known = seq_len(nrow(row)) %in% p$term, truth = p$truth, row)
  suppressWarnings(write.table(row, to, append = TRUE, sep = ",", row.names = FALSE,
                               col.names = !file.exists(to)))
}

d <- read.csv(to)
all <- c(some[!some %in% names(of_mixed)],
         as.vector(rbind(names(of_mixed), paste(names(of_mixed), "sine"))))
table <- t(sapply(split(d, factor(d$design, all), drop = TRUE), function(d) {
  d <- d[d$told, ]
  p <- d$terms[1]
  other <- d$size < 0.1 | abs(d$estimate - d$plugin) > 2 * d$se
  two <- other | d$off > 0.1 + 2 * d$level
  joint <- other | d$off > 0.1 + qnorm(1 - 0.025 / p) * d$level
  hit <- abs(d$estimate - d$truth) < d$t * d$se
  cover <- function(which) mean(hit[d$known & which])
  c(sims = length(unique(d$sim[d$known])), terms = p, other = mean(other), two = mean(two),
    joint = mean(joint), known.two = mean(two[d$known]), known.joint = mean(joint[d$known]),
    cover = cover(TRUE), cover.two = cover(!two), cover.joint = cover(!joint))
}))
options(width = 120)
print(round(table, 3))
