# Average effects in three data sets that everybody knows, the penalized fit's own (with its
# jackknife) and debiased, beside lm() with errors by groups (CR1), lmer() and KRLS. Needs lme4,
# mlmRev, modeldata and KRLS.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-examples.R
#
# sleepstudy  reaction time by days without sleep, 18 subjects (lme4)
# Exam        4059 pupils of 65 schools: exam by entry test (standLRT) (mlmRev)
# ames        log price of 2930 houses in 28 neighbourhoods by size, age and condition (modeldata)
suppressMessages(library(sparserls))
source("bench/store.R")
say_provenance()
cat("# seed 1 for every cross-validation; folds are the groups one by one\n")

# Estimates and errors of terms, terms x 2, by method.
own <- function(formula, data, groups, s = "lambda.min", ...) {
  set.seed(1)
  cv <- quiet(cv.sparserls(formula, data, groups = groups, keep = TRUE, ...))
  plugin <- quiet(derivatives(cv, data, s = s, type = "jackknife"))
  debiased <- quiet(derivatives(cv, data, s = s))
  list(plugin = cbind(plugin$average, plugin$std.error),
       debiased = cbind(debiased$average, debiased$std.error),
       size = debiased$representer$size)
}

straight <- function(formula, data, groups) {
  fit <- lm(formula, data)
  design <- model.matrix(fit)
  scores <- rowsum(design * residuals(fit), as.character(data[[groups]]))
  count <- nrow(scores)
  factor <- count / (count - 1) * (nrow(design) - 1) / fit$df.residual
  bread <- solve(crossprod(design))
  cbind(coef(fit), sqrt(diag(bread %*% crossprod(scores) %*% bread) * factor))[-1, , drop = FALSE]
}

mixed <- function(formula, data, random) {
  fit <- quiet(lme4::lmer(update(formula, random), data))
  coef(summary(fit))[-1, 1:2, drop = FALSE]
}

krls <- function(formula, data) {
  x <- model.matrix(formula, data)[, -1, drop = FALSE]
  fit <- quiet(KRLS::krls(x, data[[all.vars(formula)[1]]], print.level = 0))
  cbind(drop(fit$avgderivatives), sqrt(drop(fit$var.avgderivatives)))
}

show <- function(title, methods, digits = 3) {
  cat("\n", title, "\n", sep = "")
  cells <- vapply(methods, function(found) {
    sprintf("%.*f (%.*f)", digits, found[, 1], digits, found[, 2])
  }, character(nrow(methods[[1]])))
  names <- list(rownames(methods[[1]]), names(methods))
  cells <- matrix(cells, nrow(methods[[1]]), dimnames = names)
  print(cells, quote = FALSE, right = TRUE)
}

every_way <- function(title, formula, data, groups, random, digits = 3, ...) {
  ours <- own(formula, data, groups, ...)
  simple <- own(formula, data, groups, "lambda.1se", ...)
  show(title, list(`plug-in` = ours$plugin, debiased = ours$debiased,
                   `plug-in, 1se` = simple$plugin, `debiased, 1se` = simple$debiased,
                   lm = straight(formula, data, groups),
                   lmer = mixed(formula, data, random), KRLS = krls(formula, data)), digits)
  cat("effective sample size:", paste(names(ours$plugin[, 1]), round(ours$size), collapse = ", "),
      "of", nrow(data), "\n")
}

data(sleepstudy, package = "lme4")
every_way("sleepstudy: milliseconds for a day, the average derivative", Reaction ~ Days, sleepstudy,
          "Subject", . ~ . + (Days | Subject), 2)

# Ten values of Days have no density: see the weights. What the data can tell is a difference.
on_day <- function(day) function(data) transform(data, Days = day)
a_day <- function(...) {
  set.seed(1)
  cv <- quiet(cv.sparserls(Reaction ~ Days, sleepstudy, groups = "Subject", keep = TRUE, ...))
  list(derivative = derivatives(cv, sleepstudy),
       nine = average_effect(cv, on_day(9), from = on_day(0), newdata = sleepstudy))
}
gaussian <- a_day()
nine <- gaussian$nine
linear <- a_day(kernel = kernel_linear())$derivative
two <- function(estimate, error) matrix(c(estimate, error), 1, dimnames = list("Days", NULL))
show("the same from day 0 to day 9, a ninth; and with a linear kernel",
     list(`plug-in, 0 to 9` = two(nine$plugin / 9, NA),
          `debiased, 0 to 9` = two(nine$average / 9, nine$std.error / 9),
          `plug-in, linear` = two(linear$plugin, NA),
          `debiased, linear` = two(linear$average, linear$std.error)), 2)
cat("mean weights by day, of the average derivative and of the difference:\n")
print(round(sapply(gaussian, function(effect) {
  tapply(effect$representer$weights[, 1], sleepstudy$Days, mean)
}), 1))

data(Exam, package = "mlmRev")
every_way("Exam: standard deviations of the exam for one of the entry test",
          normexam ~ standLRT + sex + schavg, Exam, "school", . ~ . + (standLRT | school))

data(ames, package = "modeldata")
houses <- with(ames, data.frame(
  price = log(Sale_Price), living = Gr_Liv_Area / 1000, basement = Total_Bsmt_SF / 1000,
  lot = log(Lot_Area), age = (Year_Sold - Year_Built) / 10, air = Central_Air,
  latitude = Latitude, longitude = Longitude, where = as.character(Neighborhood)))
every_way("ames: log price, for 1000 square feet, a unit of log lot, ten years", price ~ living +
            basement + lot + age + air + latitude + longitude, houses, "where",
          . ~ . + (1 | where))
