# A problem with a map of rank 1 to p. The points before it are not centred.
map_case <- function(seed) {
  case <- gradient_folds(random_case(seed), seed)
  case$kernel <- switch(seed %% 5 + 1, kernel_gaussian(1), kernel_matern(0.5, 1),
                        kernel_matern(1.5, 1), kernel_matern(2.5, 1), kernel_linear())
  p <- ncol(case$x)
  rank <- sample(p, 1)
  case$x <- case$x + 3
  case$map <- matrix(rnorm(p * rank, 0, 0.5), p)
  case$lambda <- case$lambda[2]
  case
}

map_answer <- function(case, solver, threads = 1L) {
  found <- answer_at(case, case$x %*% case$map, case$lambda, solver, threads, case$x)
  expect_identical(core("status_name")(found$status), "ok")
  expect_identical(found$moments, t(found$moments))
  list(loss = found$loss, by_map = 2 * found$moments %*% case$map,
       by_log_lambda = found$by_log_lambda)
}

# From differences of pairs, or products, as the definition says.
honest_map_loss <- function(case, map, log_lambda) {
  z <- case$x %*% map
  vectors <- z[case$basis, , drop = FALSE]
  u <- if (case$kernel$name == "linear") tcrossprod(z, vectors) else reference_squares(z, vectors)
  refitted_loss(case, values_of(case, u), exp(log_lambda))
}

seeds <- usable_seeds(201:214, function(seed) has_plan(map_case(seed)))

# Small enough that hardly a pair's difference passes 0, where the Matern kernels have their kinks.
step <- 1e-4

test_that("random problems: loss and gradient by the map are those of honest refits", {
  for (seed in seeds) {
    case <- map_case(seed)
    log_lambda <- log(case$lambda)
    directions <- replicate(2, matrix(rnorm(length(case$map)), nrow(case$map)), simplify = FALSE)
    honest <- c(vapply(directions, function(v) {
      slope_at_zero(function(h) honest_map_loss(case, case$map + h * v, log_lambda), step)
    }, 0), slope_at_zero(function(h) honest_map_loss(case, case$map, log_lambda + h)))
    loss <- honest_map_loss(case, case$map, log_lambda)
    for (solver in c("update", "retrain", "auto")) {
      found <- map_answer(case, solver)
      along <- vapply(directions, function(v) sum(v * found$by_map), 0)
      expect_lt(abs(found$loss / loss - 1), 1e-9, label = paste(seed, solver))
      expect_lt(largest_relative(c(along, found$by_log_lambda), honest), 1e-6,
                label = paste(seed, solver))
    }
  }
})

test_that("the moments of a diagonal map are the derivatives by the widths; threads, blocks", {
  case <- large_case()
  gamma <- c(0.7, 0.1, 0.3)
  z <- case$x * rep(sqrt(gamma), each = nrow(case$x))
  for (kernel in list(kernel_gaussian(1), kernel_matern(0.5, 1), kernel_linear())) {
    case$kernel <- kernel
    widths <- answer_at(case, z, 1, "auto", 1L)
    map <- answer_at(case, z, 1, "auto", 1L, case$x)
    expect_equal(map$loss, widths$loss, tolerance = 1e-12)
    expect_equal(gamma * diag(map$moments), widths$by_log_width, tolerance = 1e-9)
    expect_identical(answer_at(case, z, 1, "auto", 4L, case$x), map)
  }
})

test_that("pairs that nearly coincide keep their digits where the slope has no bound", {
  set.seed(2)
  case <- map_case(201)
  case$kernel <- kernel_matern(0.5, 1)
  near <- setdiff(seq_along(case$w), case$basis)[seq_along(case$basis)]
  case$x[near, ] <- case$x[case$basis, ] + 1e-11 * rnorm(length(case$basis) * ncol(case$x))
  by_hand <- function(map) honest_map_loss(case, map, log(case$lambda))
  found <- map_answer(case, "auto")
  # Along the map itself: the distances stay apart in proportion.
  slope <- slope_at_zero(function(h) by_hand(case$map * exp(h)))
  expect_lt(abs(sum(found$by_map * case$map) / slope - 1), 1e-6)
})

test_that("pairs that only rounding keeps apart under the map count as coinciding", {
  set.seed(3)
  m <- 200
  # Whole eighths have exact sums; a map onto the sum makes many rows one.
  case <- list(x = matrix(sample(8, 3 * m, TRUE) / 8, m), w = rep(1, m), basis = 1:12,
               kernel = kernel_matern(0.5, 1), mode = "remove", jitter = 1e-3, intercept = TRUE,
               folds = core("whole_folds")(unname(split(seq_len(m), rep(1:5, 40)))))
  case$y <- rowSums(case$x^2) + rnorm(m) / 10
  case$map <- matrix(1, 3)
  case$lambda <- 0.1
  exact <- map_answer(case, "auto")$by_map
  case$x <- case$x * (1 + .Machine$double.eps * matrix(rnorm(3 * m), m))
  z <- drop(case$x %*% case$map)
  apart <- abs(outer(z, z[case$basis], "-"))
  expect_gt(sum(apart > 0 & apart < 1e-14), 50)
  expect_lt(largest_relative(map_answer(case, "auto")$by_map, exact), 1e-6)
})
