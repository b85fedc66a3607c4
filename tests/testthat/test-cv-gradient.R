# A problem with a width for each feature: random_case() with its kernel replaced.
gradient_case <- function(seed) {
  case <- gradient_folds(random_case(seed), seed)
  case$kernel <- switch(seed %% 6 + 1, kernel_gaussian(1), kernel_laplacian(1),
                        kernel_matern(0.5, 1), kernel_matern(1.5, 1), kernel_matern(2.5, 1),
                        kernel_linear())
  case$features <- if (seed %% 4 == 0 && ncol(case$x) > 2) c(1, 3) else seq_len(ncol(case$x))
  case$at <- c(log(runif(length(case$features), 0.05, 0.6)), log(case$lambda[2]))
  case
}

# The points as the kernel sees them at the logarithms `at` of widths and lambda.
points_at <- function(case, at) {
  power <- if (case$kernel$name == "laplacian") 1 else 0.5
  widths <- exp(power * head(at, -1))
  case$x[, case$features, drop = FALSE] * rep(widths, each = nrow(case$x))
}

core_answer <- function(case, solver, threads = 1L) {
  answer_at(case, points_at(case, case$at), exp(tail(case$at, 1)), solver, threads)
}

core_status <- function(...) core("status_name")(core_answer(...)$status)

core_gradient <- function(...) {
  found <- core_answer(...)
  expect_identical(core("status_name")(found$status), "ok")
  list(loss = found$loss, gradient = c(found$by_log_width, found$by_log_lambda))
}

honest_loss <- function(case, at) {
  gamma <- exp(head(at, -1))
  x <- case$x[, case$features, drop = FALSE]
  each <- switch(case$kernel$name, linear = `*`, laplacian = function(a, b) abs(a - b),
                 function(a, b) (a - b)^2)
  u <- Reduce(`+`, lapply(seq_along(gamma), function(d) {
    gamma[d] * outer(x[, d], x[case$basis, d], each)
  }))
  refitted_loss(case, values_of(case, u), exp(tail(at, 1)))
}

honest_gradient <- function(case) {
  vapply(seq_along(case$at), function(j) {
    slope_at_zero(function(by) honest_loss(case, replace(case$at, j, case$at[j] + by)))
  }, 0)
}

seeds <- usable_seeds(1:16, function(seed) has_plan(gradient_case(seed)))

test_that("loss and gradient are those of honest refits, in every form", {
  chosen <- c(update = 0, retrain = 0)
  for (seed in seeds) {
    case <- gradient_case(seed)
    honest <- honest_gradient(case)
    found <- lapply(c(update = "update", retrain = "retrain", auto = "auto"), core_gradient,
                    case = case)
    for (solver in names(found)) {
      expect_lt(abs(found[[solver]]$loss / honest_loss(case, case$at) - 1), 1e-9,
                label = paste(seed, solver))
      expect_lt(largest_relative(found[[solver]]$gradient, honest), 1e-6,
                label = paste(seed, solver))
    }
    expect_lt(largest_relative(found$update$gradient, found$retrain$gradient), 1e-8, label = seed)
    chosen <- chosen + c(identical(found$auto, found$update), identical(found$auto, found$retrain))
    if (seed %% 5 == 0) {
      expect_identical(core_gradient(case, "update", threads = 4L), found$update)
      expect_identical(core_gradient(case, "retrain", threads = 3L), found$retrain)
    }
  }
  # Where there is a choice both forms are chosen.
  expect_true(all(chosen > 0 & chosen < length(seeds)))
})

test_that("more rows than a block, more folds than a batch, several threads", {
  case <- c(large_case(), list(features = 1:3, at = c(-1, -2, -1.5, 0)))
  m <- length(case$w)
  for (kernel in list(kernel_gaussian(1), kernel_laplacian(1), kernel_linear())) {
    case$kernel <- kernel
    one <- core_gradient(case, "update")
    expect_identical(core_gradient(case, "update", threads = 4L), one)
    expect_lt(largest_relative(core_gradient(case, "retrain")$gradient, one$gradient), 1e-9)
    # Folds larger than a batch of the update form.
    halves <- unname(split(seq_len(m), seq_len(m) > m / 2))
    grouped <- replace(case, "folds", list(core("whole_folds")(halves)))
    retrained <- core_gradient(grouped, "retrain")
    expect_lt(largest_relative(core_gradient(grouped, "update")$gradient, retrained$gradient), 1e-9)
    expect_lt(largest_relative(retrained$gradient, honest_gradient(grouped)), 1e-6)
  }
})

test_that("folds that the update form would spoil are trained again", {
  set.seed(3)
  m <- 30
  case <- list(x = matrix(rnorm(2 * m), m), w = rep(1, m), basis = sample(m, 24), mode = "remove",
               jitter = 1e-7, intercept = TRUE, features = 1:2, kernel = kernel_gaussian(1),
               folds = core("whole_folds")(as.list(seq_len(m))))
  # Two rows that coincide, a weight that outweighs all others, hardly any regularization.
  case$x[2, ] <- case$x[1, ]
  case$w[5] <- 1e9
  case$y <- sin(case$x[, 1]) + rnorm(m) / 5
  for (lambda in c(1e-4, 1e-7)) {
    case$at <- c(1, 1.5, log(lambda))
    update <- core_gradient(case, "update")
    expect_lt(abs(update$loss / honest_loss(case, case$at) - 1), 1e-10)
    expect_lt(largest_relative(update$gradient, core_gradient(case, "retrain")$gradient), 1e-8)
    expect_lt(largest_relative(update$gradient, honest_gradient(case)), 1e-6)
  }
  # Below what the sums resolve there is a status, and no number.
  case$at[3] <- log(1e-10)
  expect_identical(core_status(case, "update"), "ill_posed")
  expect_identical(core_status(case, "retrain"), "ill_posed")
})
