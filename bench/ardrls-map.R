# The search for linear maps, ardrls(map = TRUE): what its defaults rest on.
#
#   OPENBLAS_NUM_THREADS=1 SPARSERLS_DATA=../shared/data Rscript bench/ardrls-map.R ...
#     path <set> [splits] [starts]   loss and test error along a long path of maps, from widths of
#                             these penalties (a comma between them)
#     honest <set> [splits]   cv.ardrls() with and without maps, their test errors paired
#
# Nine tenths of the rows train where there are more than 2000, else three quarters. Errors are over
# the variance of y (classes: -1 and +1). Figures: bench/ardrls-map.md.

library(sparserls)
source("bench/store.R")
say_provenance()
asked <- commandArgs(TRUE)
splits <- if (length(asked) > 2) as.integer(asked[3]) else 5L
starts <- if (length(asked) > 3) as.numeric(strsplit(asked[4], ",")[[1]]) else c(Inf, 3, 0)

data_set <- function(name) {
  d <- complete_rows(switch(name, Boston = MASS::Boston, airquality = airquality[c(2:6, 1)],
                            quakes = quakes, with_unknowns(name)))
  y <- d$y
  list(x = d[-ncol(d)], y = as.vector(scale(if (is.factor(y)) as.integer(y) else y)))
}

# Row numbers that train.
training <- function(seed, m) {
  set.seed(seed)
  sort(sample(m, floor((if (m > 2000) 0.9 else 0.75) * m)))
}

test_errors <- function(fit, data, train) {
  predicted <- vapply(seq_along(fit$penalty), function(i) {
    s <- list(kind = fit$kind[i], penalty = fit$penalty[i])
    predict(fit, data$x[-train, ], s = s)
  }, numeric(nrow(data$x) - length(train)))
  colMeans((predicted - data$y[-train])^2)
}

# ---- along the path ------------------------------------------------------------------

along_path <- function(name, starts) {
  data <- data_set(name)
  maps <- c(1000, 300, 100, 30, 10, 1)
  cat("| set | start | step | loss | test | test less that of the start | gradients |\n")
  cat("|---|---|---|---|---|---|---|\n")
  for (start in starts) {
    # Where maps start is the last of at least 1.
    widths <- unique(c(Inf, start))
    found <- lapply(seq_len(splits), function(seed) {
      train <- training(seed, length(data$y))
      fit <- ardrls(data$x[train, ], data$y[train], map = TRUE, progress = FALSE,
                    final_basis = FALSE, penalty = list(widths = widths, map = maps))
      cbind(fit$loss, test_errors(fit, data, train), fit$gradients)
    })
    first <- length(widths)
    for (i in c(first, first + seq_along(maps))) {
      each <- vapply(found, function(run) run[i, ], numeric(3))
      base <- vapply(found, function(run) run[first, 2], 0)
      step <- if (i == first) "widths" else paste("map", maps[i - first])
      cat(sprintf("| %s | %s | %s | %.4f | %.4f | %s | %.0f |\n", name, start, step,
                  mean(each[1, ]), mean(each[2, ]), mean_se(each[2, ] - base, 4), mean(each[3, ])))
    }
  }
}

# ---- honest choices ------------------------------------------------------------------

honest_choice <- function(name) {
  data <- data_set(name)
  found <- vapply(seq_len(splits), function(seed) {
    train <- training(seed, length(data$y))
    one <- function(map) {
      set.seed(seed)
      run <- timed(function() {
        suppressMessages(cv.ardrls(data$x[train, ], data$y[train], map = map))
      })
      cv <- run$value
      errors <- test_errors(cv$fit, data, train)
      c(errors[cv$index[c("1se", "min"), 1]], cv$kind[["1se"]] == "map", run$cpu)
    }
    c(one(FALSE), one(TRUE))
  }, numeric(8))
  cat("| set | widths, 1se | maps, 1se | difference | min, difference | map chosen | seconds |\n",
      "|---|---|---|---|---|---|---|\n", sep = "")
  cat(sprintf("| %s, %d splits | %s | %s | %s | %s | %d | %.1f, %.1f |\n", name, splits,
              mean_se(found[1, ], 4), mean_se(found[5, ], 4), mean_se(found[5, ] - found[1, ], 4),
              mean_se(found[6, ] - found[2, ], 4), sum(found[7, ]), median(found[4, ]),
              median(found[8, ])))
}

switch(asked[1], path = along_path(asked[2], starts), honest = honest_choice(asked[2]))
