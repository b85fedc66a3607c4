# Coverage of 95 % intervals of partial_effects(), their standard error over the standard deviation
# of the estimates, and lm() beside them, in designs of which half are hard. Stored as a table,
# bench/effects-partial.txt; `part` of the simulations can run at the same time as others.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-partial.R sims=1:1000 designs=normal,uniform
#
# Every simulation is a row of the file that `to` names (by default in the temporary folder).
# `nested=TRUE` adds what it costs that lambda and widths are chosen with the fold: the estimate
# by a fixed grid of lambda, and the same with both chosen by a cross-validation without the fold.
suppressMessages(library(sparserls))
source("bench/store.R")
source("bench/effects-designs.R")
asked <- asked_arguments(1:1000)
to <- asked$to

# Of nuisances by a grid of lambda that both ways share: estimates and standard errors.
nested_effect <- function(d, groups, variable) {
  grid <- nrow(d) * 10^seq(0, -8, length.out = 50)
  of_rows <- function(d, groups) {
    cv <- cv.sparserls(y ~ ., d, groups = groups, keep = TRUE, progress = FALSE)
    asked <- asked_effects(cv, given_x(d), default_s(cv))
    rows <- named_data(effect_rows(asked))
    nuisance <- new_nuisance(cv, asked, rows)
    nuisance$problem$lambda <- grid
    term <- partial_terms(asked$fit, rows)[[variable]]
    list(nuisance = nuisance, term = term, targets = list(y = nuisance$y, d = term$d))
  }
  held <- function(of, kernels = of$nuisance$kernels$y, folds = of$nuisance$folds) {
    held_out_by(replace(of$nuisance, "folds", list(folds)), of$term$columns,
                do.call(cbind, of$targets), kernels)
  }
  # The kernel and lambda of the smallest held-out error of one target.
  best <- function(found, of, columns) {
    all <- do.call(cbind, of$targets)[, columns]
    loss <- sapply(found, function(held) {
      colSums((held[, columns, , drop = FALSE] - as.vector(all))^2, dims = 2)
    })
    arrayInd(which.min(loss), dim(loss))
  }
  whole <- of_rows(d, groups)
  all <- do.call(cbind, whole$targets)
  columns <- list(1, 1 + seq_len(ncol(whole$term$d)))
  found <- held(whole)
  chosen <- inside <- all
  for (j in columns) {
    at <- best(found, whole, j)
    chosen[, j] <- found[[at[2]]][, j, at[1]]
  }
  for (fold in whole$nuisance$folds$folds) {
    k <- fold$omit
    part <- of_rows(d[-k, ], groups[-k])
    choices <- held(part)
    refits <- held(whole, part$nuisance$kernels$y,
                   replace(whole$nuisance$folds, "folds", list(list(fold))))
    for (j in columns) {
      at <- best(choices, part, j)
      inside[k, j] <- refits[[at[2]]][k, j, at[1]]
    }
  }
  keep <- if (whole$term$first) -(1:2) else -1
  unlist(lapply(list(grid = chosen, nested = inside), function(predicted) {
    left <- all - predicted
    slope <- partial_slopes(left[, 1, drop = FALSE], left[, keep, drop = FALSE],
                            all[, keep, drop = FALSE], whole$nuisance$weights,
                            whole$nuisance$groups)
    c(estimate = slope$estimate[1], se = sqrt(sum(slope$moves[[1]]^2)))
  }))
}
environment(nested_effect) <- asNamespace("sparserls")

simulated <- function(name, sim) {
  set.seed(1000 * match(name, names(designs)) + sim)
  p <- designs[[name]]()
  term <- if (is.null(p$term)) "X1" else p$term
  cv <- quiet(cv.sparserls(y ~ ., p$d, groups = p$groups, keep = TRUE, progress = FALSE))
  variable <- if (term == "X1") term else "t"
  found <- quiet(generics::tidy(partial_effects(cv, variable, progress = FALSE)))
  found <- found[found$term == term, ]
  linear <- summary(lm(y ~ ., p$d))$coefficients[term, ]
  row <- data.frame(design = name, sim = sim, truth = p$truth, estimate = found$estimate,
                    se = found$std.error, p = found$p.value,
                    t = qt(0.975, if (is.null(p$groups)) nrow(p$d) - 1 else max(p$groups) - 1),
                    lm = linear[[1]], lm_se = linear[[2]])
  if (is.null(asked$nested)) return(row)
  cbind(row, t(quiet(nested_effect(p$d, p$groups, variable))))
}

some <- if (is.null(asked$designs)) names(designs) else strsplit(asked$designs, ",")[[1]]
done <- if (file.exists(to)) read.csv(to) else data.frame(design = character(), sim = integer())
for (sim in asked$sims) for (name in some) {
  if (any(done$design == name & done$sim == sim)) next
  row <- simulated(name, sim)
  write.table(row, to, append = TRUE, sep = ",", row.names = FALSE, col.names = !file.exists(to))
}

d <- read.csv(to)
by_design <- split(d, factor(d$design, names(designs)), drop = TRUE)
table <- do.call(rbind, lapply(by_design, function(d) {
  told <- !is.na(d$p)
  hit <- abs(d$estimate - d$truth) < d$t * d$se
  data.frame(simulations = nrow(d), coverage = mean(hit[told]),
             error = sd(hit[told]) / sqrt(sum(told)), withheld = mean(!told),
             bias = mean(d$estimate - d$truth) / sd(d$estimate),
             se_sd = sqrt(mean(d$se^2)) / sd(d$estimate), median_se = median(d$se),
             lm = mean(abs(d$lm - d$truth) < 1.96 * d$lm_se))
}))
# Of both ways, and of nested ones less the others in each simulation, in standard errors.
if (!is.null(asked$nested)) {
  table <- do.call(rbind, lapply(by_design, function(d) {
    of <- function(way) {
      estimate <- d[[paste0(way, ".estimate")]]
      se <- d[[paste0(way, ".se")]]
      hit <- mean(abs(estimate - d$truth) < d$t * se)
      c(coverage = hit, error = sqrt(hit * (1 - hit) / nrow(d)),
        bias = mean(estimate - d$truth) / sd(estimate), se_sd = sqrt(mean(se^2)) / sd(estimate))
    }
    moved <- (d$nested.estimate - d$grid.estimate) / d$grid.se
    data.frame(simulations = nrow(d), t(c(grid = of("grid"), nested = of("nested"))),
               moved = mean(moved), moved_error = sd(moved) / sqrt(nrow(d)), moved_sd = sd(moved),
               se_ratio = mean(d$nested.se / d$grid.se))
  }))
}
options(width = 120)
say_provenance()
print(round(table, 3))
