# How often plug-in averages of effects that are zero have p < 0.05: by the jackknife over rows and
# groups, with terms that ever fewer rows (groups) carry; and of widths that were searched.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-null.R [repetitions [searches]]
#
# Rates with their binomial standard errors. "kept" is what derivatives() gives a p-value to.

library(sparserls)
source("bench/store.R")
repetitions <- argument(1, 1000)
searches <- argument(2, 100)
say_provenance()

say <- function(name, p, kept = rep(TRUE, length(p))) {
  rate <- mean(p < 0.05, na.rm = TRUE)
  n <- sum(!is.na(p))
  cat(sprintf("%-46s %.3f (%.3f) of %5d, kept %.2f\n", name, rate, sqrt(rate * (1 - rate) / n), n,
              mean(kept)))
}
p_of <- function(effects) 2 * pt(-abs(effects$average / effects$std.error), effects$df)

# The last term is 1 in `few` units and 0 in all others; the first is normal.
one <- function(few, kernel, units, by_group) {
  group <- if (by_group) rep(seq_len(units), each = 5) else seq_len(units)
  m <- length(group)
  x <- cbind(a = rnorm(m), b = as.double(group <= few))
  y <- rnorm(m) + if (by_group) rnorm(units)[group] else 0
  if (by_group) x[, 1] <- rnorm(units)[group]
  cv <- quiet(cv.sparserls(x, y, basis_random(20), kernel, nlambda = 10,
                           groups = if (by_group) group, nfolds = if (by_group) NULL else 10,
                           keep = TRUE, progress = FALSE))
  effects <- quiet(derivatives(cv, x, type = "jackknife"))
  list(p = p_of(effects), kept = !sparserls:::few_units(effects))
}

set.seed(1)
kernels <- list(kernel_linear(), kernel_gaussian(width_multiples(1 / 4)))
for (by_group in c(FALSE, TRUE)) for (kernel in kernels) {
  units <- if (by_group) 20 else 60
  for (few in c(1, 2, 3, 4, 5, 6, 10)) {
    found <- replicate(repetitions, one(few, kernel, units, by_group), simplify = FALSE)
    p <- vapply(found, `[[`, numeric(2), "p")
    kept <- vapply(found, `[[`, logical(2), "kept")
    what <- if (by_group) "groups" else "rows"
    say(sprintf("%s, 1 in %d of %d %s", kernel$name, few, units, what), p[2, ], kept[2, ])
    if (few == 10) say(sprintf("%s, a normal column", kernel$name), p[1, ], kept[1, ])
  }
}

search <- function(p, outer) {
  x <- matrix(rnorm(100 * p), 100)
  y <- sin(2 * x[, 1]) + rnorm(100)
  cv <- quiet(cv.ardrls(x, y, npenalty = 4, outer = outer, keep = TRUE, progress = FALSE))
  list(outer = p_of(quiet(derivatives(cv, x, type = "jackknife")))[-1],
       fixed = p_of(derivatives(cv, x, type = "gp"))[-1])
}
for (outer in c(5, 10)) {
  found <- replicate(searches, search(8, outer), simplify = FALSE)
  say(sprintf("cv.ardrls, %d outer folds", outer), unlist(lapply(found, `[[`, "outer")))
  say("  widths taken as known", unlist(lapply(found, `[[`, "fixed")))
}
