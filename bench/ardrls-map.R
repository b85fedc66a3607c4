# The search for linear maps, ardrls(map = TRUE): what its defaults rest on.
#
#   OPENBLAS_NUM_THREADS=1 SPARSERLS_DATA=../shared/data Rscript bench/ardrls-map.R ...
#     path <set> [splits] [starts]   loss and test error along a long path of maps, from widths of
#                             these penalties (a comma between them)
#     honest <set> [splits]   cv.ardrls() with and without maps, their test errors paired
#     search <set>            ways to scale what is minimized over, and rotations, 4000 rows
#     toys                    directions that are no axes, a product, noise
#     cost                    a gradient by a map beside one by widths
#
# Nine tenths of the rows train where there are more than 2000, else three quarters. Errors are over
# the variance of y (classes: -1 and +1). Figures: bench/ardrls-map.md.

library(sparserls)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "timing.R"))
source(file.path(here, "store.R"))
say_provenance()
core <- function(name) get(name, asNamespace("sparserls"))
asked <- c(commandArgs(TRUE), "toys")
splits <- if (length(asked) > 3) as.integer(asked[3]) else 5L
starts <- if (length(asked) > 4) as.numeric(strsplit(asked[4], ",")[[1]]) else c(Inf, 3, 0)

data_set <- function(name) {
  d <- switch(name, Boston = MASS::Boston, airquality = airquality[c(2:6, 1)], quakes = quakes,
              read.csv(file.path(Sys.getenv("SPARSERLS_DATA"), paste0(name, ".csv.xz")),
                       na.strings = c("NA", "?"), stringsAsFactors = TRUE))
  d <- d[complete.cases(d), ]
  y <- d[[ncol(d)]]
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

mean_se <- function(x) sprintf("%.4f (%.4f)", mean(x), sd(x) / sqrt(length(x)))

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
                  mean(each[1, ]), mean(each[2, ]), mean_se(each[2, ] - base), mean(each[3, ])))
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
              mean_se(found[1, ]), mean_se(found[5, ]), mean_se(found[5, ] - found[1, ]),
              mean_se(found[6, ] - found[2, ]), sum(found[7, ]), median(found[4, ]),
              median(found[8, ])))
}

# ---- ways to search --------------------------------------------------------------------

# The problem of 4000 rows with the widths of penalty 3, and where maps start from there.
small_problem <- function(data) {
  set.seed(1)
  rows <- sample(length(data$y))
  train <- rows[1:4000]
  test <- rows[4001:min(9000, length(rows))]
  x <- data.matrix(data$x)
  problem <- core("ardrls_problem")(
    quote(f()), x[train, ], data$y[train], basis_random(300), kernel_matern(), c(Inf, 3), 8, 100,
    FALSE, NULL, NULL, sample(rep_len(1:10, 4000)), NULL, NULL, NULL, "remove", NULL, TRUE, TRUE,
    1e-7, 1, FALSE
  )
  folds <- core("draw_folds")(problem$inner)
  widths <- core("start_widths")(problem)
  steps <- core("relevance_path")(problem, folds, core("chosen_basis")(problem), widths)
  objective <- function(maps) {
    core("error_objective")(problem, maps, maps$selection$rows, folds)
  }
  error <- function(kernel, at) {
    fit <- core("fit_step")(problem, kernel, steps[[2]]$selection, at)
    mean((predict(fit, x[test, ]) - data$y[test])^2)
  }
  list(problem = problem, maps = core("start_maps")(problem, widths, steps), objective = objective,
       error = error)
}

traced <- function(objective) {
  values <- NULL
  list(values = function() cummin(exp(values)), look = function(...) {
    value <- objective(...)
    values <<- c(values, if (is.null(value$value)) Inf else value$value)
    value
  })
}

search_line <- function(name, what, small, maps, scheme) {
  trace <- traced(small$objective(maps))
  maps$scheme <- scheme
  found <- core("minimize_error")(trace$look, maps$at, 0, maps, replace(small$problem, "maxit", 60))
  values <- trace$values()
  shown <- paste(sprintf("%.4f", values[pmin(c(1, 5, 10, 20, 30, 50), length(values))]),
                 collapse = " | ")
  cat(sprintf("| %s | %s | %s | %d | %.4f |\n", name, what, shown, length(values),
              small$error(core("with_map")(maps, found$map), found)))
  found
}

tight <- function(...) replace(core("free_map")(...), "share", 0.003)

# What is minimized over are the logs of the widths of turned axes.
axes_alone <- function(at, maps, penalty, problem) {
  r <- ncol(maps$start)
  point <- function(par) {
    scale <- rep(exp(par[1:r] / 2), each = nrow(maps$start))
    list(map = maps$start * scale, log_lambda = par[r + 1])
  }
  look <- function(par, objective) {
    at <- point(par)
    found <- objective(at$map, at$log_lambda)
    if (is.null(found$value)) return(found)
    by_log <- colSums(at$map * matrix(found$by_point, nrow(at$map))) / 2
    list(value = found$value, gradient = c(by_log, found$by_lambda), error = found$value)
  }
  list(start = c(numeric(r), at$log_lambda), look = look, point = point, share = 0.003,
       lower = c(rep(-12, r), at$bounds[1]), upper = c(rep(8, r), at$bounds[2]))
}

# The start turned to the eigenvectors of the average outer product of gradients.
turned <- function(small, maps, kernel, at) {
  fit <- core("fit_step")(small$problem, kernel, maps$selection, at)
  product <- core("gradient_products")(small$problem, fit, seq_len(ncol(kernel$map)))
  start <- unname(kernel$map[maps$rows, ]) %*% eigen(product, symmetric = TRUE)$vectors
  replace(maps, c("start", "at"), list(start, c(list(map = start), at[c("log_lambda", "bounds")])))
}

ways_to_search <- function(name) {
  small <- small_problem(data_set(name))
  maps <- small$maps
  cat("| set | parameters | after 1 | 5 | 10 | 20 | 30 | 50 gradients | gradients | test |\n")
  cat("|---|---|---|---|---|---|---|---|---|---|\n")
  scale <- rowSums(maps$start)
  typical <- sqrt(mean(scale^2))
  for (power in c(0, 0.5, 1)) {
    unit <- scale^(1 - power) * typical^power
    what <- sprintf("A, rows in units of D^%g g^%g", 1 - power, power)
    search_line(name, what, small, replace(maps, "unit", list(unit)), tight)
  }
  kernel <- core("with_map")(maps, maps$start)
  at <- maps$at
  for (round in 1:3) {
    axes <- turned(small, maps, kernel, at)
    at <- search_line(name, paste("widths of turned axes, round", round), small, axes, axes_alone)
    kernel <- core("with_map")(axes, at$map)
  }
}

# ---- toys ------------------------------------------------------------------------------

toys <- function() {
  responses <- list(`sin(2 (x1 + x2))` = function(x) sin(2 * (x[, 1] + x[, 2])),
                    `x1 x2` = function(x) x[, 1] * x[, 2], noise = function(x) numeric(nrow(x)))
  for (what in names(responses)) for (rank in list(NULL, 1, 2)) {
    set.seed(1)
    x <- matrix(rnorm(5 * 1300), 1300)
    y <- responses[[what]](x) + rnorm(1300) / 5
    fit <- ardrls(x[1:300, ], y[1:300], map = TRUE, rank = rank, progress = FALSE)
    test <- test_errors(fit, list(x = x, y = y), 1:300)
    cat(sprintf("\n%s + noise of variance 0.04, rank %s\n", what,
                if (is.null(rank)) "NULL" else rank))
    print(data.frame(kind = fit$kind, penalty = fit$penalty, loss = fit$loss, test = test,
                     gradients = fit$gradients), digits = 3)
    leading <- fit$kernel$map[, seq_len(min(2, ncol(fit$kernel$map))), drop = FALSE]
    print(leading / rep(sqrt(colSums(leading^2)), each = 5), digits = 2)
  }
}

# ---- the cost of a gradient --------------------------------------------------------------

gradient_cost <- function() {
  set.seed(1)
  m <- 13500
  y <- matrix(rnorm(m))
  basis <- sort(sample(m, 300))
  folds <- core("whole_folds")(unname(split(1:m, rep_len(1:10, m))))
  plan <- core("fold_plan")(folds, basis, "remove", rep(1, m))
  plan$forms <- .Call(core("ffi_plan_adjoint_forms"), m, 300L, plan$h, plan$e)
  blocks <- numeric(3 * 300 * m)
  cat("| columns | widths, seconds | map | ratio |\n|---|---|---|---|\n")
  for (p in c(26, 60, 200)) {
    x <- matrix(rnorm(m * p), m)
    map <- diag(p) / 5 + rnorm(p^2) / 50
    gradient <- function(z, mapped) {
      .Call(core("ffi_cv_gradient"), core("kernel_list")(kernel_matern(gamma = 1)), z, numeric(p),
            basis, 1e-7, y, rep(1, m), TRUE, 1, plan, blocks, 1L, mapped)
    }
    sides <- list(function() gradient(x / 5, NULL),
                  function() gradient(x %*% map, list(x = x, centre = numeric(p))))
    times <- replicate(7, vapply(sides, cpu_seconds, 0))
    cat(sprintf("| %d | %.3f | %.3f | %.3f |\n", p, median(times[1, ]), median(times[2, ]),
                median(times[2, ] / times[1, ])))
  }
}

switch(asked[1], path = along_path(asked[2], starts), honest = honest_choice(asked[2]),
       search = ways_to_search(asked[2]), toys = toys(), cost = gradient_cost())
