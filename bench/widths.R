# The data-driven width of kernels, and the search around it: what rules would have chosen, and what
# cv.sparserls() finds by itself, beside the best of twelve widths. Tables of first-call-data.R
# (the rows without gaps) and seven of one or two features; three kernels; two splits into four
# fifths of the rows to train and the rest to test.
#
#   OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 Rscript bench/widths.R > bench/widths.txt
#
# Twenty minutes of one core. bench/widths.csv, which is not kept, has every fit; errors are mean
# squared errors (classes: of -1 and +1).

suppressMessages(library(sparserls))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "first-call-data.R"))

few <- list(
  mcycle = function() as_found(MASS::mcycle, "accel"),
  GAGurine = function() as_found(MASS::GAGurine, "GAG"),
  faithful = function() as_found(datasets::faithful, "eruptions"),
  topo = function() as_found(MASS::topo, "z"),
  quakes = function() as_found(datasets::quakes, "depth", c("mag", "stations")),
  economics = function() {
    d <- as.data.frame(ggplot2::economics)
    as_found(data.frame(day = as.numeric(d$date), unemploy = d$unemploy), "unemploy")
  },
  volcano = function() {
    cells <- data.frame(row = c(row(volcano)), column = c(col(volcano)), height = c(volcano))
    set.seed(1)
    as_found(cells[sample(nrow(cells), 800), ], "height")
  }
)
kernels <- list(gaussian = kernel_gaussian, laplacian = kernel_laplacian,
                matern = function(gamma = NULL) kernel_matern(1.5, gamma))
# Of the inverse of the median distance.
grid <- 2^(-8:3)
rules <- list(
  "1" = function(p) 1, "1/2" = function(p) 1 / 2, "1/4" = function(p) 1 / 4,
  "1/8" = function(p) 1 / 8, "1/sqrt(p)" = function(p) 1 / sqrt(p),
  "4/p, 1/4 to 4" = function(p) min(max(4 / p, 1 / 4), 4),
  "(4/p)^2, 1/4 to 4" = function(p) min(max((4 / p)^2, 1 / 4), 4)
)

split_rows <- function(d, i) {
  set.seed(i)
  train <- sort(sample(nrow(d), round(0.8 * nrow(d))))
  new <- d[-train, ]
  for (name in names(d)) {
    if (!is.numeric(d[[name]])) new <- new[new[[name]] %in% d[train, name], ]
  }
  list(train = droplevels(d[train, ]), new = new)
}

one_fit <- function(formula, rows, kernel, seed) {
  set.seed(seed)
  seconds <- system.time(cv <- suppressMessages(suppressWarnings(
    cv.sparserls(formula, rows$train, kernel = kernel, type.measure = "mse")
  )))[["user.self"]]
  y <- rows$new[[all.vars(formula)[1]]]
  if (is.factor(y)) y <- ifelse(y == levels(y)[2], 1, -1)
  c(cvm = min(cv$cvm), test = mean((y - predict(cv, rows$new))^2), seconds = seconds,
    widths = nrow(cv$kernels), gamma = cv$kernel$gamma, multiple = cv$kernel$multiple)
}

# The twelve widths and the search, a row for each.
one_case <- function(set, name, kernel, i) {
  d <- set$data[stats::complete.cases(set$data), ]
  d[] <- lapply(d, function(x) if (is.character(x)) factor(x) else x)
  d <- d[vapply(d, function(x) length(unique(x)) > 1, NA)]
  rows <- split_rows(d, i)
  formula <- as.formula(paste(set$response, "~ ."))
  p <- ncol(d) - 1
  guess <- rules[["(4/p)^2, 1/4 to 4"]](p)
  found <- rbind(
    t(vapply(grid, function(c) {
      one_fit(formula, rows, kernels[[kernel]](width_multiples(c / guess)), i)
    }, numeric(6))),
    one_fit(formula, rows, kernels[[kernel]](), i)
  )
  data.frame(set = name, kernel, split = i, rows = nrow(rows$train), p,
             width = c(grid, NA), found)
}

sets <- c(first_call_sets(), few)
cases <- expand.grid(split = 1:2, kernel = names(kernels), set = names(sets),
                     stringsAsFactors = FALSE)
results <- do.call(rbind, Map(function(i, kernel, name) {
  set <- sets[[name]]()
  if (sum(stats::complete.cases(set$data)) > 30) one_case(set, name, kernel, i)
}, cases$split, cases$kernel, cases$set))
write.csv(results, file.path(here, "widths.csv"), row.names = FALSE)

# ---- the table ----------------------------------------------------------------------------------

by_case <- split(results, paste(results$set, results$kernel, results$split))
log_ratio <- function(case, row, what) {
  all <- case[[what]][!is.na(case$width)]
  log(case[[what]][row] / all[which.min(case$cvm[!is.na(case$width)])])
}
at_rule <- function(rule) function(case) {
  which.min(abs(log(case$width / rule(case$p[1]))))
}
chosen <- c(lapply(rules, at_rule), search = function(case) which(is.na(case$width)))
table_of <- function(cases) {
  t(vapply(chosen, function(choose) {
    of <- function(what) {
      vapply(cases, function(case) log_ratio(case, choose(case), what), 0)
    }
    price <- vapply(cases, function(case) case$seconds[choose(case)], 0)
    c(error = mean(of("cvm")), se = sd(of("cvm")) / sqrt(length(cases)),
      worst = max(of("cvm")), test = mean(of("test")),
      se.test = sd(of("test")) / sqrt(length(cases)),
      price = sum(price) / sum(vapply(cases, function(case) case$seconds[case$width %in% 1], 0)))
  }, numeric(6)))
}
cat(sprintf("%d data sets, 3 kernels, 2 splits: %d cases of 12 widths and the search\n",
            length(unique(results$set)), length(by_case)))
cat("Means over cases of the log of an error over that of the best of the twelve (by its\n",
    "cross-validation error): `error` by cross-validation, `test` on new rows. price: seconds over\n",
    "those of one width.\n", sep = "")
for (kernel in c(names(kernels), "all three")) {
  cat("\n", kernel, "\n", sep = "")
  of <- vapply(by_case, function(case) kernel == "all three" || case$kernel[1] == kernel, NA)
  print(round(table_of(by_case[of]), 3))
}
searched <- results[is.na(results$width), ]
cat(sprintf("\nThe search tried %.1f widths on average (%d to %d)\n", mean(searched$widths),
            min(searched$widths), max(searched$widths)))
cat("\nBy data set, all kernels: errors over those of the best of twelve (1: 1 / the median distance)\n")
of_set <- split(by_case, vapply(by_case, function(case) case$set[1], ""))
print(round(t(vapply(of_set[unique(results$set)], function(cases) {
  table <- table_of(cases)[c("1", "(4/p)^2, 1/4 to 4", "search"), ]
  c(rows = cases[[1]]$rows[1], p = cases[[1]]$p[1],
    one = exp(table[1, "error"]), guess = exp(table[2, "error"]), search = exp(table[3, "error"]),
    test.one = exp(table[1, "test"]), test.guess = exp(table[2, "test"]),
    test.search = exp(table[3, "test"]), price = table[3, "price"])
}, numeric(9))), 3))
