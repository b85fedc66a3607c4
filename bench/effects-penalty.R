# How much debiased averages depend on the penalty of their weights, lambda_a: that of the smallest
# held-out loss, and one to four half decades below it, on the same data, fits and folds as those
# of bench/effects.R.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-penalty.R SIMULATIONS cell [cell ...]
#
#   mean, cover (se), se/sd, width, n   as of bench/effects.R
#   moved   the mean distance of the estimate from the one that the package answers, in standard
#           errors of the latter
# The penalty that the package takes has a star.
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
for (part in head(parse(file.path(here, "effects.R")), -2)) eval(part) # all but its own run

most <- 4
original <- sparserls:::choose_representers
with_steps <- function(steps, code) {
  set_choice <- function(f) assignInNamespace("choose_representers", f, "sparserls")
  on.exit(set_choice(original))
  set_choice(function(alpha, loss, lambda, ...) original(alpha, loss, lambda, steps))
  force(code)
}

# c(estimate, standard error, degrees of freedom) x steps.
by_steps <- function(cell) {
  data <- draw(cell)
  cv <- fitted_once(data$x, data$y, data$groups)
  vapply(0:most, function(steps) {
    with_steps(steps, of_first(quiet(derivatives(cv, data$x))))
  }, numeric(3))
}

run_steps <- function(name, times) {
  cell <- cells[[name]]
  own <- if (cell$groups) 2 else 1
  found <- vapply(seq_len(times), function(i) {
    set.seed(10000 * match(name, names(cells)) + i)
    by_steps(cell)
  }, matrix(0, 3, most + 1))
  moved <- abs(found[1, , ] - rep(found[1, own + 1, ], each = most + 1)) /
    rep(found[2, own + 1, ], each = most + 1)
  table <- cbind(t(vapply(0:most, function(k) summarized(found[, k + 1, ], truth_of(cell)),
                          numeric(7))), moved = rowMeans(moved, na.rm = TRUE))
  rownames(table) <- paste0(0:most, ifelse(0:most == own, "*", ""))
  cat(sprintf("\n%s: %s; the truth is %.3f\n", name, described(cell), truth_of(cell)))
  print(round(table, 3))
}

asked <- commandArgs(TRUE)
cat("\n")
say_provenance()
for (name in asked[-1]) run_steps(name, as.integer(asked[1]))
