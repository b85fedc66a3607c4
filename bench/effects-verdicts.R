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
asked <- strsplit(commandArgs(TRUE), "=")
asked <- setNames(lapply(asked, `[`, 2), vapply(asked, `[`, "", 1))
to <- if (is.null(asked$to)) file.path(tempdir(), "effects-verdicts.csv") else asked$to
sims <- if (is.null(asked$sims)) 1:100 else eval(str2lang(asked$sims))

wide <- function(p, rho) function() {
  smooth(normal(500, p) * sqrt(1 - rho) + rnorm(500) * sqrt(rho))
}
designs <- c(designs, list(corr10 = wide(10, 0.5), corr20 = wide(20, 0.5), indep30 = wide(30, 0),
                           indep10 = wide(10, 0)))
of_cells <- c("linear250", "nonlinear250", "null250", "treatment250", "nonlinear.groups40",
              "linear.groups20", "linear.correlated", "uneven250")
some <- c(of_cells, "normal250", "confounded", "chisquared", "treatment", "overlap", "rare0.5",
          "rare1", "uniform_linear", "clusters40", "heteroscedastic", "correlated30", "corr10",
          "corr20", "indep30", "indep10")

# The effects, the true one of the first term, and its name.
drawn <- function(name) {
  if (name %in% of_cells) {
    p <- draw(cells[[name]])
    found <- quiet(derivatives(fitted_once(p$x, p$y, p$groups), p$x))
    return(list(effects = found, truth = truth_of(cells[[name]]), term = 1))
  }
  p <- designs[[name]]()
  cv <- quiet(cv.sparserls(y ~ ., p$d, groups = p$groups, keep = TRUE, progress = FALSE))
  found <- quiet(derivatives(cv))
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

for (sim in sims) for (name in some) {
  set.seed(5000 + 1000 * match(name, some) + sim)
  p <- drawn(name)
  row <- facts(p$effects)
  row <- cbind(design = name, sim, first = seq_len(nrow(row)) == p$term, truth = p$truth, row)
  suppressWarnings(write.table(row, to, append = TRUE, sep = ",", row.names = FALSE,
                               col.names = !file.exists(to)))
}

d <- read.csv(to)
table <- t(sapply(split(d, factor(d$design, some), drop = TRUE), function(d) {
  p <- sum(d$sim == d$sim[1])
  d <- d[d$told, ]
  other <- d$size < 0.1 | abs(d$estimate - d$plugin) > 2 * d$se
  two <- other | d$off > 0.1 + 2 * d$level
  joint <- other | d$off > 0.1 + qnorm(1 - 0.025 / p) * d$level
  hit <- abs(d$estimate - d$truth) < d$t * d$se
  cover <- function(which) mean(hit[d$first & which])
  c(sims = sum(d$first), terms = p, other = mean(other), two = mean(two), joint = mean(joint),
    first.two = mean(two[d$first]), first.joint = mean(joint[d$first]), cover = cover(TRUE),
    cover.two = cover(!two), cover.joint = cover(!joint))
}))
options(width = 120)
print(round(table, 3))
