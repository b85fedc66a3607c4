# Data of the simulations of effects: `cells` of bench/effects.R, `designs` of the other scripts; and
# what these are asked for.

# Arguments name=value, by name. sims: the default; `to`: the file of rows, by default temporary.
asked_arguments <- function(sims) {
  asked <- named_arguments()
  asked$sims <- if (is.null(asked$sims)) sims else eval(str2lang(asked$sims))
  if (is.null(asked$to)) asked$to <- tempfile("effects", fileext = ".csv")
  asked
}

# ---- cells: the effect of x[, 1], a number or a treatment, averaged over rows ------------

# Five normal features, the first two with correlation rho; with groups half of every feature's
# variance, and noise of sd 0.7, are between groups.
draw_features <- function(cell) {
  x <- matrix(rnorm(cell$rows * 5), ncol = 5)
  x[, 1] <- cell$rho * x[, 2] + sqrt(1 - cell$rho^2) * x[, 1]
  if (cell$groups == 0) return(list(x = x, groups = NULL, noise = 0))
  groups <- sample(rep_len(seq_len(cell$groups), cell$rows))
  between <- matrix(rnorm(cell$groups * 5), ncol = 5)
  list(x = sqrt(0.5) * (x + between[groups, ]), groups = groups,
       noise = 0.7 * rnorm(cell$groups)[groups])
}

# As lognormal, with mean 0 and variance 1.
skewed <- function(z) (exp(0.6 * z) - exp(0.18)) / sqrt((exp(0.36) - 1) * exp(0.36))

surface <- list(
  linear = function(x) 0.5 * x[, 1] + x[, 2],
  null = function(x) x[, 2] + sin(x[, 3]),
  nonlinear = function(x) sin(1.5 * x[, 1]) + x[, 1] * x[, 2] / 2 + cos(x[, 3]),
  # x[, 1] is a treatment, more likely where the response without it is large.
  treatment = function(x) {
    x[, 2] + sin(x[, 3]) + x[, 4] * x[, 2] / 2 + x[, 1] * (1 + x[, 2]) / 2
  },
  # The same, where no straight line takes the confounding away.
  curved = function(x) x[, 2] + x[, 3]^2 / 2 + x[, 1] * (1 + x[, 2]) / 2
)
odds <- list(treatment = function(x) x[, 2] + x[, 3] / 2,
             curved = function(x) x[, 2] + x[, 3]^2 - 1)

# The average derivative by x[, 1], or the average effect of the treatment.
truth_of <- function(cell) {
  if (cell$truth == "null") return(0)
  if (cell$truth != "nonlinear") return(0.5)
  if (cell$x == "normal") return(1.5 * exp(-1.5^2 / 2))
  integrate(function(z) 1.5 * cos(1.5 * skewed(z)) * dnorm(z), -8, 8, rel.tol = 1e-8)$value
}

draw <- function(cell) {
  drawn <- draw_features(cell)
  x <- drawn$x
  if (cell$x == "skewed") x <- skewed(x)
  if (cell$truth %in% names(odds)) x[, 1] <- rbinom(nrow(x), 1, plogis(odds[[cell$truth]](x)))
  # Noise of variance 1, of one that grows with the first feature where that is asked for.
  sd <- if (cell$uneven) sqrt(0.25 + 0.75 * x[, 1]^2) else 1
  y <- surface[[cell$truth]](x) + drawn$noise + sd * rnorm(nrow(x))
  list(x = x, y = y, groups = drawn$groups)
}

cell <- function(truth, rows, groups = 0, rho = 0.5, x = "normal", uneven = FALSE,
                 inside = FALSE) {
  list(truth = truth, rows = rows, groups = groups, rho = rho, x = x, uneven = uneven,
       inside = inside)
}

cells <- list(
  linear250 = cell("linear", 250), linear1000 = cell("linear", 1000),
  linear4000 = cell("linear", 4000),
  nonlinear250 = cell("nonlinear", 250), nonlinear1000 = cell("nonlinear", 1000),
  nonlinear4000 = cell("nonlinear", 4000),
  null250 = cell("null", 250), null1000 = cell("null", 1000), null4000 = cell("null", 4000),
  linear.groups40 = cell("linear", 800, 40), nonlinear.groups40 = cell("nonlinear", 800, 40),
  null.groups40 = cell("null", 800, 40), treatment.groups40 = cell("treatment", 800, 40),
  linear.groups20 = cell("linear", 400, 20), nonlinear.groups20 = cell("nonlinear", 400, 20),
  linear.correlated = cell("linear", 250, rho = 0.9),
  nonlinear.correlated = cell("nonlinear", 1000, rho = 0.9),
  uneven250 = cell("nonlinear", 250, uneven = TRUE),
  uneven1000 = cell("nonlinear", 1000, uneven = TRUE),
  treatment250 = cell("treatment", 250), treatment1000 = cell("treatment", 1000),
  treatment4000 = cell("treatment", 4000), curved1000 = cell("curved", 1000),
  skewed1000 = cell("nonlinear", 1000, x = "skewed"),
  nonlinear250.inside = cell("nonlinear", 250, inside = TRUE),
  treatment250.inside = cell("treatment", 250, inside = TRUE)
)

fitted_once <- function(x, y, groups = NULL) {
  quiet(cv.sparserls(x, y, basis = basis_random(if (length(y) < 4000) 150 else 200),
                     kernel = kernel_gaussian(width_multiples(1)), groups = groups, nfolds = 10,
                     keep = TRUE, progress = FALSE))
}

# ---- designs ---------------------------------------------------------------------------

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
