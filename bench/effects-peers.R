# What others estimate on the data of the article on effects, and on the examples of their own
# documentation. Needs grf, DoubleML (with mlr3, mlr3learners, ranger, glmnet), KRLS and lme4.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-peers.R schools
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-peers.R published [draws]
#
# schools    one draw of folds, forests and landmarks (seed 1): mathematics of 7185 pupils in 160
#            schools (nlme), the effect of socio-economic status and of a Catholic school
# published  grf's "get started" and DoubleML's "getting started", whose truths are known, drawn
#            anew `draws` times (without grf, whose forests take most of the time; its page has
#            0.373, standard error 0.050, of one draw)
suppressMessages(library(sparserls))
source("bench/store.R")
suppressMessages({
  library(DoubleML)
  library(mlr3)
  library(mlr3learners)
})
lgr::get_logger("mlr3")$set_threshold("warn")

version <- function(package) paste(package, utils::packageVersion(package))

# ---- DoubleML --------------------------------------------------------------------------

small_forest <- list(num.trees = 500, min.node.size = 2, max.depth = 5)
regression <- function() do.call(lrn, c("regr.ranger", num.threads = 1, small_forest))
classes <- function() {
  do.call(lrn, c("classif.ranger", predict_type = "prob", num.threads = 1, small_forest))
}
lasso <- function(m, p) lrn("regr.glmnet", lambda = sqrt(log(p) / m))

# A partially linear model of a number, an interactive one of zeros and ones.
double_ml <- function(x, y, name, cluster = NULL, of = regression) {
  data <- data.table::data.table(x, response = y, cluster = cluster)
  known <- list(data, y_col = "response", d_cols = name, x_cols = setdiff(colnames(x), name))
  data <- if (is.null(cluster)) do.call(DoubleMLData$new, known)
          else do.call(DoubleMLClusterData$new, c(known, cluster_cols = "cluster"))
  model <- if (all(x[, name] %in% 0:1)) DoubleMLIRM$new(data, of(), classes(), n_folds = 10)
           else DoubleMLPLR$new(data, of(), of(), n_folds = 10)
  model$fit()
  c(model$coef, model$se)
}

# ---- the others ------------------------------------------------------------------------

forest <- function(x, y, name, cluster = NULL) {
  others <- x[, colnames(x) != name]
  grown <- grf::causal_forest(others, y, x[, name], clusters = cluster, num.threads = 1)
  unname(grf::average_treatment_effect(grown))
}

# lm() with the usual errors by clusters (CR1), or without clusters its own.
straight <- function(x, y, name, cluster = NULL) {
  fit <- lm(y ~ x)
  if (is.null(cluster)) return(coef(summary(fit))[paste0("x", name), 1:2])
  errors <- sandwich(cbind(1, x), residuals(fit), cluster)
  c(coef(fit)[paste0("x", name)], errors[1 + match(name, colnames(x))])
}

own <- function(fitted, x, name) {
  effects <- quiet(derivatives(fitted, x))
  cbind(`plug-in` = c(effects$plugin[name], NA), debiased = c(effects$average[name],
                                                             effects$std.error[name]))
}

# ---- schools ---------------------------------------------------------------------------

schools <- function() {
  set.seed(1)
  math <- pupils()
  x <- model.matrix(pupils_formula, math)[, -1]
  y <- math$MathAch
  school <- as.integer(factor(math$School))
  mixed <- function() {
    fit <- lme4::lmer(update(pupils_formula, . ~ . + (SES | School)), math)
    t(coef(summary(fit))[c("SES", "SectorCatholic"), 1:2])
  }
  krls <- function() {
    fit <- quiet(KRLS::krls(x, y, print.level = 0))
    found <- rbind(fit$avgderivatives, sqrt(fit$var.avgderivatives))
    found[, match(c("SES", "SectorCatholic"), colnames(x))]
  }
  both <- function(f) {
    function() sapply(c("SES", "SectorCatholic"), f, x = x, y = y, cluster = school)
  }
  methods <- list(`lm, errors by schools` = both(straight), `lmer, SES by school` = mixed,
                  `KRLS, 500 landmarks` = krls, `grf, forests by schools` = both(forest),
                  `DoubleML, forests by schools` = both(double_ml))
  versions <- c(paste("R", getRversion()), version("lme4"), version("KRLS"), version("grf"),
                version("DoubleML"))
  rows <- Map(function(name, f, by) {
    seconds <- system.time(found <- f())[["elapsed"]]
    data.frame(method = gsub(",", ";", name), effect = c("SES", "Catholic"), estimate = found[1, ],
               std.error = found[2, ], seconds = seconds, version = by)
  }, names(methods), methods, versions)
  store(do.call(rbind, rows), "effects-peers.csv",
        "seed 1; mathematics of 7185 pupils in 160 schools, nlme::MathAchieve")
}

# ---- published examples ----------------------------------------------------------------

# grf's "get started": a treatment whose effect is max(x_1, 0), 1 / sqrt(2 pi) on average.
draw_forest <- function(m = 2000, p = 10) {
  x <- matrix(rnorm(m * p), m, dimnames = list(NULL, paste0("x", seq_len(p))))
  d <- rbinom(m, 1, 0.4 + 0.2 * (x[, 1] > 0))
  list(x = cbind(d = d, x),
       y = pmax(x[, 1], 0) * d + x[, 2] + pmin(x[, 3], 0) + rnorm(m))
}

# DoubleML's "getting started": 100 features, three of which make the treatment almost alone.
draw_lasso <- function(m = 500, p = 100) {
  x <- matrix(rnorm(m * p), m, dimnames = list(NULL, paste0("x", seq_len(p))))
  of_three <- drop(x[, 1:3] %*% c(5, 5, 5))
  d <- of_three + rnorm(m)
  list(x = cbind(d = d, x), y = 3 * d + of_three + rnorm(m))
}

published <- function(draws) {
  search <- function(f, ...) function(x, y) {
    own(quiet(f(x, y, ..., keep = TRUE, nfolds = 10)), x, "d")
  }
  one <- function(f, ...) function(x, y) cbind(f(x, y, "d", ...))
  to_small <- 10^seq(3, -3, length.out = 25)
  by_lasso <- one(double_ml, of = function() lasso(500, 100))
  examples <- list(
    grf = list(draw = draw_forest, truth = 1 / sqrt(2 * pi),
               methods = list(`cv.sparserls()` = search(cv.sparserls), lm = one(straight))),
    DoubleML = list(draw = draw_lasso, truth = 3,
                    methods = list(`cv.sparserls()` = search(cv.sparserls),
                                   `cv.rls()` = search(cv.rls),
                                   `cv.rls(); lambda to 0.001` = search(cv.rls, lambda = to_small),
                                   `DoubleML (lasso)` = by_lasso, lm = one(straight))))
  rows <- Map(function(name, example) {
    each <- lapply(seq_len(draws), function(draw) {
      set.seed(draw)
      data <- example$draw()
      lapply(example$methods, function(f) f(data$x, data$y))
    })
    do.call(rbind, lapply(names(example$methods), function(method) {
      found <- simplify2array(lapply(each, `[[`, method))
      said <- if (ncol(found) > 1) paste(method, colnames(found)) else method
      data.frame(example = name, method = said,
                 summarize(matrix(found[1, , ], ncol(found)), matrix(found[2, , ], ncol(found)),
                           example$truth), draws = draws)
    }))
  }, names(examples), examples)
  store(do.call(rbind, rows), "effects-published.csv",
        sprintf("seeds 1 to %d; %s", draws, version("DoubleML")))
}

# estimate, error: methods x draws.
summarize <- function(estimate, error, truth) {
  covered <- rowMeans(abs(estimate - truth) <= qnorm(0.975) * error)
  data.frame(truth = truth, mean = rowMeans(estimate), sd = apply(estimate, 1, sd),
             std.error = rowMeans(error), coverage = covered)
}

asked <- commandArgs(TRUE)[1]
if (asked %in% c("schools", NA)) schools()
if (asked %in% c("published", NA)) published(argument(2, 100))
