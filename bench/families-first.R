# Part `first` of families.R: a first call of cv.sparserls(), all arguments at their defaults, with
# a family and without, in turns; seconds are the processor's, medians of `times` runs, and their
# ratio. And with a given basis and one width: ten folds along 50 lambdas, and leave-one-out at one.

rows_of <- function(d, m) {
  set.seed(1)
  d[sample(nrow(d), m), ]
}
simulated <- function(m) {
  set.seed(1)
  d <- data.frame(matrix(rnorm(3 * m), m))
  transform(d, y = factor(rbinom(m, 1, plogis(sin(2 * X1) + X2 / 2))))
}
Pima <- function() rbind(MASS::Pima.tr, MASS::Pima.te)

sets <- list(
  epil = function() list(y ~ trt + base + age + period, MASS::epil, "poisson", groups = "subject"),
  epil_negbin = function() {
    list(y ~ trt + base + age + period, MASS::epil, "negbin", groups = "subject")
  },
  pima = function() list(type ~ ., Pima(), "binomial"),
  spam = function() list(type ~ ., rows_of(of_package("kernlab", "spam"), 2000), "binomial"),
  Bikeshare = function() {
    list(bikers ~ hr + mnth + workingday + weathersit + temp + hum + windspeed,
         rows_of(of_package("ISLR2", "Bikeshare"), 2000), "poisson")
  },
  simulated = function() list(y ~ ., simulated(4000), "binomial"),
  Default = function() list(default ~ ., rows_of(of_package("ISLR2", "Default"), 7000), "binomial")
)
if (length(size$sets)) sets <- sets[strsplit(size$sets, ",")[[1]]]

repetitions <- size$times
row <- function(what, ...) {
  time <- compare(..., clock = function(code) cpu_seconds(function() quiet(code())))
  cat(sprintf("%-44s %8.2f s %8.2f s %6.1f\n", what, time[1], time[2], time[1] / time[2]))
}

cat(sprintf("%-44s %10s %10s %6s\n", "", "family", "without", "ratio"))
for (name in names(sets)) {
  set <- sets[[name]]()
  call <- function(family) {
    set.seed(2)
    do.call(cv.sparserls, list(set[[1]], set[[2]], family = family, groups = set$groups,
                               progress = FALSE))
  }
  row(sprintf("%s, %d rows, %s", name, nrow(set[[2]]), set[[3]]),
      function() call(set[[3]]), function() call(NULL))
}

d <- simulated(4000)
set.seed(3)
foldid <- sample(rep_len(1:10, 4000))
basis <- sample(4000, 500)
for (family in c("binomial", "poisson")) {
  y <- if (family == "binomial") d$y else rpois(4000, exp(sin(2 * d$X1) + d$X2 / 2))
  cross <- function(family, lambda, ...) {
    cv.sparserls(as.matrix(d[1:3]), y, I(basis), kernel_gaussian(0.3), lambda, family = family,
                 progress = FALSE, ...)
  }
  path <- quiet(cross(family, NULL, foldid = foldid))
  row(sprintf("ten folds along 50 lambdas, %s", family),
      function() cross(family, NULL, foldid = foldid),
      function() cross(NULL, NULL, foldid = foldid))
  row(sprintf("leave-one-out at one lambda, %s", family),
      function() cross(family, path$lambda.min, nfolds = "loo"),
      function() cross(NULL, path$lambda.min, nfolds = "loo"))
}
