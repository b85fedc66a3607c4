# Partial effects in five data sets that everybody knows, beside debiased averages of derivatives,
# lm() (errors by groups, CR1), lmer() and the formula of DoubleML's partially linear model by hand,
# with forests of 100 trees. Needs lme4, mlmRev, modeldata, nlme, palmerpenguins, ranger and, for
# two rows of the schools, grf.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/effects-examples.R
#
# penguins    body mass of 333 by species, island, measures, sex and year, ten folds, three seeds
# sleepstudy  milliseconds of reaction time for a day without sleep, 18 subjects (lme4)
# Exam        4059 pupils of 65 schools: exam by entry test, standLRT (mlmRev)
# ames        log price of 2930 houses in 28 neighbourhoods (modeldata)
# schools     mathematics of 7185 pupils in 160 schools (nlme)
suppressMessages(library(sparserls))
source("bench/store.R")

# All answer estimates and errors, terms x 2.
table_of <- function(found) cbind(coef(found), sqrt(diag(vcov(found))))

partial <- function(formula, data, groups, seed = 1) {
  set.seed(seed)
  cv <- quiet(do.call(cv.sparserls, c(list(formula, data, keep = TRUE), groups = groups)))
  list(partial = table_of(partial_effects(cv, data = data)),
       derivatives = table_of(quiet(derivatives(cv, data))))
}

straight <- function(formula, data, unit) {
  fit <- lm(formula, data)
  a <- model.matrix(fit)
  cbind(coef(fit), sandwich(a, residuals(fit), unit))[-1, , drop = FALSE]
}

mixed <- function(formula, data, random) {
  coef(summary(quiet(lme4::lmer(update(formula, random), data))))[-1, 1:2, drop = FALSE]
}

# What forests without the fold say of z by the others, ten folds of units.
held_out <- function(others, z, unit) {
  if (ncol(others) == 0) others <- data.frame(one = rep(1, length(z)))
  fold <- sample(rep_len(1:10, length(unique(unit))))[match(unit, unique(unit))]
  found <- numeric(length(z))
  for (k in 1:10) {
    grown <- ranger::ranger(x = others[fold != k, , drop = FALSE], y = z[fold != k],
                            num.trees = 100, min.node.size = 10, num.threads = 1)
    found[fold == k] <- predict(grown, others[fold == k, , drop = FALSE],
                                num.threads = 1)$predictions
  }
  found
}

# Two regressions for each term, and the slope of what they leave.
forests <- function(formula, data, unit) {
  set.seed(1)
  frame <- model.frame(formula, data)
  terms <- setdiff(names(frame), names(frame)[1])
  found <- lapply(terms, function(term) {
    others <- frame[setdiff(terms, term)]
    d <- model.matrix(reformulate(term), frame)[, -1, drop = FALSE]
    y <- frame[[1]]
    r <- y - held_out(others, y, unit)
    left <- apply(d, 2, function(z) z - held_out(others, z, unit))
    theta <- solve(crossprod(left), crossprod(left, r))
    matrix(c(theta, sandwich(left, drop(r - left %*% theta), unit)), ncol = 2,
           dimnames = list(colnames(d), NULL))
  })
  do.call(rbind, found)
}

overlap <- function(formula, data, unit) {
  x <- model.matrix(formula, data)[, -1]
  y <- model.response(model.frame(formula, data))
  asked <- c("SES", "SectorCatholic")
  found <- vapply(asked, function(name) {
    grown <- grf::causal_forest(x[, colnames(x) != name], y, x[, name], num.threads = 1, seed = 1,
                                clusters = as.integer(factor(unit)))
    grf::average_treatment_effect(grown, target.sample = "overlap")
  }, numeric(2))
  t(found)
}

rows_of <- function(data, methods) {
  do.call(rbind, unname(Map(function(name, found) {
    data.frame(data = data, term = rownames(found), method = name, estimate = found[, 1],
               std.error = found[, 2])
  }, names(methods), methods)))
}

every_way <- function(title, formula, data, groups, random) {
  unit <- as.character(data[[groups]])
  ours <- partial(formula, data, groups)
  rows_of(title, c(ours, list(lm = straight(formula, data, unit),
                              lmer = mixed(formula, data, random),
                              forests = forests(formula, data, unit))))
}

# ---- the data --------------------------------------------------------------------------

penguins <- function() {
  data <- droplevels(as.data.frame(na.omit(palmerpenguins::penguins)))
  formula <- body_mass_g ~ .
  seeds <- lapply(1:3, function(seed) partial(formula, data, NULL, seed))
  each <- function(what) {
    setNames(lapply(seeds, `[[`, what), sprintf("%s; seed %d", what, 1:3))
  }
  rows <- seq_len(nrow(data))
  rows_of("penguins", c(each("partial"), each("derivatives"),
                        list(lm = straight(formula, data, rows),
                             forests = forests(formula, data, rows))))
}

sleepstudy <- function() {
  data <- lme4::sleepstudy
  formula <- Reaction ~ Days
  set.seed(1)
  cv <- quiet(cv.sparserls(formula, data, groups = "Subject", keep = TRUE))
  on <- function(day) function(data) transform(data, Days = day)
  nine <- average_effect(cv, on(9), from = on(0), newdata = data)
  rbind(every_way("sleepstudy", formula, data, "Subject", . ~ . + (Days | Subject)),
        data.frame(data = "sleepstudy", term = "Days", method = "a ninth of day 9 from day 0",
                   estimate = nine$average[[1]] / 9, std.error = nine$std.error[[1]] / 9))
}

exam <- function() {
  every_way("Exam", normexam ~ standLRT + sex + schavg, mlmRev::Exam, "school",
            . ~ . + (standLRT | school))
}

ames <- function() {
  houses <- with(modeldata::ames, data.frame(
    price = log(Sale_Price), living = Gr_Liv_Area / 1000, basement = Total_Bsmt_SF / 1000,
    lot = log(Lot_Area), age = (Year_Sold - Year_Built) / 10, air = Central_Air,
    latitude = Latitude, longitude = Longitude, where = as.character(Neighborhood)))
  every_way("ames", price ~ living + basement + lot + age + air + latitude + longitude, houses,
            "where", . ~ . + (1 | where))
}

schools <- function() {
  math <- pupils()
  math$School <- as.character(math$School)
  rbind(every_way("schools", pupils_formula, math, "School", . ~ . + (SES | School)),
        if (requireNamespace("grf", quietly = TRUE)) {
          rows_of("schools", list(`grf; overlap` = overlap(pupils_formula, math, math$School)))
        })
}

found <- rbind(penguins(), sleepstudy(), exam(), ames(), schools())
store(found, "effects-examples.csv", "seed 1; folds are the groups one by one, of penguins ten", 8)
found$cell <- sprintf("%.3f (%.3f)", found$estimate, found$std.error)
for (data in unique(found$data)) {
  wide <- reshape(found[found$data == data, c("term", "method", "cell")], direction = "wide",
                  idvar = "term", timevar = "method")
  names(wide) <- sub("^cell\\.", "", names(wide))
  cat("\n", data, "\n", sep = "")
  print(wide, row.names = FALSE, na.print = "")
}
