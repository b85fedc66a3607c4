# Coverage of 95 % intervals of partial_effects(), their standard error over the standard deviation
# of the estimates, and lm() beside them, in designs of which half are hard. Stored as a table,
# bench/effects-partial.txt; `part` of the simulations can run at the same time as others.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-partial.R sims=1:1000 designs=normal,uniform
#
# Every simulation is a row of the file that `to` names (by default in the temporary folder).
suppressMessages(library(sparserls))
source("bench/store.R")
asked <- strsplit(commandArgs(TRUE), "=")
asked <- setNames(lapply(asked, `[`, 2), vapply(asked, `[`, "", 1))
to <- if (is.null(asked$to)) file.path(tempdir(), "effects-partial.csv") else asked$to

normal <- function(m, p) matrix(rnorm(m * p), m)
two <- function(p) factor(rbinom(length(p), 1, p), 0:1, c("a", "b"))
# The m rows of the largest values of a score have the rare level.
rare <- function(score, m) factor(ifelse(rank(-score) <= m, "r", "c"))
clustered <- function(groups, size) {
  g <- rep(seq_len(groups), each = size)
  x <- normal(groups, 3)[g, ] * sqrt(0.5) + normal(length(g), 3) * sqrt(0.5)
  y <- 0.5 * x[, 1] + sin(2 * x[, 2]) + rnorm(groups)[g] * 0.7 + rnorm(length(g))
  list(d = data.frame(y, x), truth = 0.5, groups = g)
}
smooth <- function(x, noise = rnorm(nrow(x))) {
  list(d = data.frame(y = 0.5 * x[, 1] + sin(2 * x[, 2]) + noise, x), truth = 0.5)
}

# Each answers the data, with the response y, the true partial effect, and the name of its row in
# the table, "X1" where nothing is said.
designs <- list(
  normal250 = function() smooth(normal(250, 3)),
  nonlinear1000 = function() {
    x <- normal(1000, 3)
    list(d = data.frame(y = sin(x[, 1]) + x[, 1] * x[, 2] + rnorm(1000), x), truth = exp(-0.5))
  },
  confounded = function() {
    x <- normal(400, 3)
    x[, 1] <- sin(2 * x[, 2]) + 0.5 * x[, 1]
    list(d = data.frame(y = 0.5 * x[, 1] + 2 * sin(2 * x[, 2]) + rnorm(400), x), truth = 0.5)
  },
  chisquared = function() {
    x <- matrix(rchisq(1200, 4), 400)
    noise <- rnorm(400) * (0.5 + x[, 1] / 8)
    list(d = data.frame(y = 0.5 * x[, 1] + sqrt(x[, 2]) + noise, x), truth = 0.5)
  },
  discrete = function() {
    x <- cbind(sample(0:4, 400, TRUE), normal(400, 2))
    list(d = data.frame(y = 0.3 * x[, 1] + sin(2 * x[, 2]) + rnorm(400), x), truth = 0.3)
  },
  treatment = function() {
    x <- normal(400, 3)
    t <- two(plogis(0.7 * x[, 1]))
    y <- 0.4 * (t == "b") + sin(2 * x[, 1]) + x[, 2] + rnorm(400)
    list(d = data.frame(y, x, t), truth = 0.4, term = "tb")
  },
  overlap = function() {
    x <- normal(400, 2)
    t <- two(plogis(3 * x[, 1]))
    y <- 0.4 * (t == "b") + sin(2 * x[, 1]) + x[, 2] + rnorm(400)
    list(d = data.frame(y, x, t), truth = 0.4, term = "tb")
  },
  rare = function() {
    x <- normal(600, 2)
    t <- rare(-seq_len(600), 30)
    list(d = data.frame(y = x[, 1] + sin(2 * x[, 2]) + rnorm(600), x, t), truth = 0, term = "tr")
  },
  rare0.5 = function() {
    x <- normal(600, 2)
    t <- rare(-x[, 1] + rnorm(600, 0, 0.5), 18)
    list(d = data.frame(y = sin(2 * x[, 1]) + x[, 2] + rnorm(600), x, t), truth = 0, term = "tr")
  },
  rare1 = function() {
    x <- normal(600, 2)
    t <- rare(-x[, 1] + rnorm(600), 25)
    list(d = data.frame(y = x[, 1]^2 / 2 + x[, 2] + rnorm(600), x, t), truth = 0, term = "tr")
  },
  rare1.5 = function() {
    x <- normal(600, 4)
    t <- rare(-x[, 1] + rnorm(600, 0, 1.5), 18)
    y <- 2 * x[, 1] + x[, 2] * x[, 3] + rnorm(600, 0, 0.5)
    list(d = data.frame(y, x, t), truth = 0, term = "tr")
  },
  # Of x uniform on (-a, a) the slope of sin(1.5 x) on x is 3 (sin(1.5 a) / 2.25 - a cos(1.5 a) /
  # 1.5) / a^3, that of x^3 / 2 is 3 a^2 / 10.
  uniform_sine = function() {
    x <- matrix(runif(800, -1.7, 1.7), 400)
    truth <- 3 * (sin(2.55) / 2.25 - 1.7 * cos(2.55) / 1.5) / 1.7^3
    list(d = data.frame(y = sin(1.5 * x[, 1]) + x[, 2] + rnorm(400), x), truth = truth)
  },
  uniform_cubic = function() {
    x <- matrix(runif(800, -1.7, 1.7), 400)
    list(d = data.frame(y = x[, 1]^3 / 2 + x[, 2] + rnorm(400), x), truth = 0.3 * 1.7^2)
  },
  uniform_linear = function() smooth(matrix(runif(800, -1.7, 1.7), 400)),
  islands = function() {
    t <- sample(3, 340, TRUE, c(0.45, 0.35, 0.2))
    p <- c(0.7, 0.45, 1)[t]
    s <- ifelse(runif(340) < p, 1, c(2, 3, 1)[t])
    x <- rnorm(340, s)
    y <- 0.8 * (s == 3) + 0.5 * x + rnorm(340, 0, 0.7)
    list(d = data.frame(y, x, s = factor(s), t = factor(t)), truth = 0, term = "t2")
  },
  # Var(X1 | X2) and the slope grow with X2: the truth is E slope Var / E Var.
  varying = function() {
    x <- normal(600, 2)
    x[, 1] <- x[, 1] * sqrt(plogis(2 * x[, 2]))
    y <- x[, 1] * plogis(x[, 2]) + sin(2 * x[, 2]) + rnorm(600) / 2
    v <- function(x) dnorm(x) * plogis(2 * x)
    truth <- integrate(function(x) v(x) * plogis(x), -9, 9)$value / integrate(v, -9, 9)$value
    list(d = data.frame(y, x), truth = truth)
  },
  varying_overlap = function() {
    x <- normal(600, 2)
    p <- plogis(x[, 1])
    t <- two(p)
    y <- (t == "b") * (1 + x[, 1]^2) / 2 + sin(2 * x[, 1]) + rnorm(600)
    v <- function(x) dnorm(x) * plogis(x) * plogis(-x)
    truth <- integrate(function(x) v(x) * (1 + x^2) / 2, -9, 9)$value / integrate(v, -9, 9)$value
    list(d = data.frame(y, x, t), truth = truth, term = "tb")
  },
  clusters40 = function() clustered(40, 10),
  clusters20 = function() clustered(20, 20),
  heteroscedastic = function() {
    x <- normal(400, 3)
    smooth(x, rnorm(400) * (0.3 + x[, 1]^2))
  },
  heavy_tails = function() smooth(normal(400, 3), rt(400, 3)),
  rows4000 = function() smooth(normal(4000, 3)),
  correlated30 = function() smooth((normal(500, 30) + rnorm(500)) / sqrt(2))
)

simulated <- function(name, sim) {
  set.seed(1000 * match(name, names(designs)) + sim)
  p <- designs[[name]]()
  term <- if (is.null(p$term)) "X1" else p$term
  cv <- quiet(cv.sparserls(y ~ ., p$d, groups = p$groups, keep = TRUE, progress = FALSE))
  variable <- if (term == "X1") term else "t"
  found <- quiet(generics::tidy(partial_effects(cv, variable, progress = FALSE)))
  found <- found[found$term == term, ]
  linear <- summary(lm(y ~ ., p$d))$coefficients[term, ]
  data.frame(design = name, sim = sim, truth = p$truth, estimate = found$estimate,
             se = found$std.error, p = found$p.value,
             t = qt(0.975, if (is.null(p$groups)) nrow(p$d) - 1 else max(p$groups) - 1),
             lm = linear[[1]], lm_se = linear[[2]])
}

some <- if (is.null(asked$designs)) names(designs) else strsplit(asked$designs, ",")[[1]]
sims <- if (is.null(asked$sims)) 1:1000 else eval(str2lang(asked$sims))
done <- if (file.exists(to)) read.csv(to) else data.frame(design = character(), sim = integer())
for (sim in sims) for (name in some) {
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
print(round(table, 3))
if (is.null(asked$designs) && length(sims) >= 1000) {
  writeLines(c("# Rscript bench/effects-partial.R; 95 % intervals, error: of the coverage",
               capture.output(print(round(table, 3)))), file.path(here, "effects-partial.txt"))
}
