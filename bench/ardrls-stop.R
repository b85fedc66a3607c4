# How far ardrls() stops above the minimum: at every penalty, from where its search ends, L-BFGS-B
# goes on in the same objective until nothing changes.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/ardrls-stop.R [seeds]     >> bench/ardrls-stop.txt
#
# By data and kind of step, over penalties and seeds: how much further the objective falls, in units
# of the tolerance that the search stopped by (quartiles and largest), and how far log gamma (the
# entries of a map) then move, at most. (A penalty starts where the one before was minimized to the
# end, which the package itself does not.)
suppressMessages(library(sparserls))
source("bench/store.R")
seeds <- argument(1, 3)

stops <- NULL
original <- sparserls:::search_minimum
further <- function(look, first, scheme, maxit, tolerance) {
  best <- first
  watched <- function(par) {
    found <- look(par)
    if (!is.null(found$error) && found$value < best$value) best <<- c(list(par = par), found)
    found
  }
  original(watched, first, scheme, maxit, tolerance)
  end <- best
  for (again in 1:3) {
    optim(best$par, function(par) watched(par)$value - end$value,
          function(par) watched(par)$gradient, method = "L-BFGS-B", lower = scheme$lower,
          upper = scheme$upper, control = list(maxit = 300, lmm = 20, factr = 10))
  }
  stops <<- rbind(stops, c(gain = (end$value - best$value) / tolerance,
                           moved = max(abs(best$par - end$par))))
}
assignInNamespace("search_minimum", further, "sparserls")

smooth <- function(rows, columns) {
  x <- matrix(runif(rows * columns), rows)
  list(x = x, y = sin(2 * pi * x[, 1]) + 4 * (x[, 2] - 0.5)^2 * x[, 3] + rnorm(rows, sd = 0.2))
}
table_of <- function(data, response) {
  list(x = as.matrix(data[setdiff(names(data), response)]), y = data[[response]])
}
sets <- list(
  `smooth, 60 x 20` = function() smooth(60, 20), `smooth, 300 x 12` = function() smooth(300, 12),
  prostate = function() table_of(prostate[names(prostate) != "train"], "lpsa"),
  airquality = function() table_of(na.omit(airquality), "Ozone"),
  Boston = function() table_of(MASS::Boston[sample(506, 250), ], "medv")
)

run <- function(name) {
  found <- NULL
  for (seed in seq_len(seeds)) {
    stops <<- NULL
    set.seed(seed)
    data <- sets[[name]]()
    path <- suppressMessages(suppressWarnings(ardrls(
      data$x, data$y, basis = 50, map = TRUE, final_basis = FALSE, nfolds = 10,
      progress = FALSE
    )))
    found <- rbind(found, data.frame(kind = path$kind, stops))
  }
  for (kind in c("widths", "map")) {
    part <- found[found$kind == kind, ]
    cat(sprintf("%-17s %-7s %3d   %6.2f %6.2f %6.2f %7.2f   %6.2f\n", name, kind, nrow(part),
                quantile(part$gain, 0.25), median(part$gain), quantile(part$gain, 0.75),
                max(part$gain), max(part$moved)))
  }
}

cat("\n")
say_provenance()
cat("data              steps     n   lower  median upper  largest    moved\n")
for (name in names(sets)) run(name)
