# Survival times by pieces of follow-up and a Poisson likelihood, as in the article survival, next to
# coxph(), glmnet's lasso and ranger's forests, all by default. Two thirds of the persons train, one
# third tests, in 20 splits (rotterdam, in months: 5); positive skewed numbers are logarithms for
# all methods. Concordance by the mean survival up to the horizon, which is the 80 % quantile of the
# times of events, and the integrated Brier score up to there, by inverse probabilities of
# censoring.
#   Usage, from the package's root: Rscript bench/survival.R [sets] >>bench/survival.txt
library(sparserls)
library(survival)
source("bench/store.R")

logs <- function(d, columns) replace(d, columns, lapply(d[columns], log1p))
sets <- list(
  pbc = function() {
    d <- pbc[c("time", "status", "trt", "age", "sex", "ascites", "hepato", "spiders", "edema",
               "bili", "albumin", "copper", "alk.phos", "ast", "platelet", "protime", "stage")]
    d$status <- as.numeric(d$status == 2)
    logs(na.omit(d), c("bili", "copper", "alk.phos", "ast", "protime"))
  },
  veteran = function() logs(veteran, "diagtime"),
  rotterdam = function() {
    d <- rotterdam[c("dtime", "death", "age", "meno", "size", "grade", "nodes", "pgr", "er",
                     "hormon", "chemo")]
    names(d)[1:2] <- c("time", "status")
    d$time <- ceiling(d$time / 30.4)         # a forest keeps a curve at each time, for each node
    logs(d, c("nodes", "pgr", "er"))
  }
)

# Ten periods with as many events each; a row for each person and period.
in_pieces <- function(d, cuts) {
  d$person <- seq_len(nrow(d))
  survSplit(Surv(time, status) ~ ., d, cut = cuts, start = "from", episode = "period")
}
poisson_curves <- function(train, new, times) {
  cuts <- unname(quantile(train$time[train$status == 1], 1:9 / 10))
  model <- reformulate(c(setdiff(names(train), c("time", "status")), "period",
                         "offset(log(time - from))"), "status")
  cv <- cv.sparserls(model, in_pieces(train, cuts), family = "poisson", groups = person,
                     nfolds = 10, progress = FALSE)
  hazard <- vapply(1:10, function(period) {
    suppressWarnings(predict(cv, transform(new, period = period, from = 0), newoffset = 0))
  }, numeric(nrow(new)))
  spent <- vapply(times, function(t) pmax(0, pmin(t, c(cuts, Inf)) - c(0, cuts)), numeric(10))
  exp(-hazard %*% spent)
}
# Breslow's baseline.
proportional <- function(train, score, new_score, times) {
  at_risk <- vapply(train$time, function(t) sum(exp(score)[train$time >= t]), 0)
  base <- vapply(times, function(t) sum((train$status / at_risk)[train$time <= t]), 0)
  exp(-outer(exp(new_score), base))
}
methods <- list(
  `Kaplan-Meier` = function(train, new, times) {
    matrix(curve_at(survfit(Surv(time, status) ~ 1, train), times), nrow(new), length(times), TRUE)
  },
  `pieces, cv.sparserls` = poisson_curves,
  coxph = function(train, new, times) {
    fit <- coxph(Surv(time, status) ~ ., train)
    proportional(train, predict(fit), predict(fit, new), times)
  },
  glmnet = function(train, new, times) {
    x <- function(d) model.matrix(~ . - time - status, d)[, -1]
    fit <- glmnet::cv.glmnet(x(train), Surv(train$time, train$status), family = "cox")
    score <- function(d) drop(predict(fit, x(d), s = "lambda.min"))
    proportional(train, score(train), score(new), times)
  },
  ranger = function(train, new, times) {
    fit <- ranger::ranger(Surv(time, status) ~ ., train, num.threads = 1, verbose = FALSE)
    found <- predict(fit, new, num.threads = 1, verbose = FALSE)
    at <- findInterval(times, found$unique.death.times)
    cbind(1, found$survival)[, at + 1]
  }
)

curve_at <- function(fit, times) {
  approx(c(0, fit$time), c(1, fit$surv), times, "constant", rule = 2)$y
}
scores <- function(curves, train, new, times) {
  censored <- survfit(Surv(time, 1 - status) ~ 1, train)
  free <- function(t) pmax(curve_at(censored, t), 0.05)
  brier <- vapply(seq_along(times), function(i) {
    died <- new$time <= times[i] & new$status == 1
    weight <- ifelse(died, 1 / free(new$time), (new$time > times[i]) / free(times[i]))
    mean(weight * ((new$time > times[i]) - curves[, i])^2)
  }, 0)
  c(concordance = concordance(Surv(time, status) ~ rowMeans(curves), new)$concordance,
    brier = mean(brier))
}

say_provenance()
cat("seed of split i: i; standard errors over splits, which share persons\n")
for (name in c(commandArgs(TRUE), if (!length(commandArgs(TRUE))) names(sets))) {
  d <- sets[[name]]()
  splits <- if (nrow(d) > 1000) 5 else 20
  found <- vapply(seq_len(splits), function(split) {
    set.seed(split)
    rows <- sample(nrow(d), round(2 / 3 * nrow(d)))
    train <- d[rows, ]
    new <- d[-rows, ]
    times <- seq(0, quantile(train$time[train$status == 1], 0.8), length.out = 51)[-1]
    vapply(methods, function(method) {
      seconds <- sum(system.time(curves <- suppressMessages(method(train, new, times)))[1:2])
      c(scores(curves, train, new, times), seconds = seconds)
    }, numeric(3))
  }, matrix(0, 3, length(methods)))
  mean_se <- function(i) sprintf("%.3f (%.3f)", rowMeans(found[i, , ]),
                                 apply(found[i, , ], 1, sd) / sqrt(splits))
  cat(sprintf("\n%s: %d persons, %d events, %d splits\n", name, nrow(d), sum(d$status), splits))
  print(data.frame(concordance = mean_se(1), `integrated Brier` = mean_se(2),
                   seconds = round(apply(found[3, , ], 1, median), 2),
                   row.names = names(methods), check.names = FALSE))
}
