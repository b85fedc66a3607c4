# Random problems, a new one for every seed.

# The value of code with the random numbers of a seed.
seeded <- function(seed, code) {
  set.seed(seed)
  code
}

# The seeds whose problem can be asked for; fails where that is less than half of them.
usable_seeds <- function(seeds, usable) {
  kept <- Filter(usable, seeds)
  expect_gte(length(kept), length(seeds) / 2)
  kept
}

# A fixed list: one more kernel here would draw every seeded case anew. Those that come have their
# cases in test-kernel-table.R.
random_kernel <- function(p) {
  features <- if (runif(1) < 0.2) sort(sample(p, max(1, p - 1)))
  normalize <- runif(1) < 0.25
  switch(sample(6, 1),
    kernel_linear(normalize, features),
    kernel_gaussian(exp(runif(1, -3, 0)), normalize, features),
    kernel_laplacian(exp(runif(1, -3, 0)), normalize, features),
    kernel_matern(sample(c(0.5, 1.5, 2.5), 1), exp(runif(1, -3, 0)), normalize, features),
    kernel_polynomial(sample(3, 1), exp(runif(1, -2, 0)), runif(1), normalize, features),
    kernel_custom(function(x, z) (0.5 + 0.2 * tcrossprod(x, z))^2, normalize, features)
  )
}

random_folds <- function(m, basis) {
  switch(sample(6, 1),
    as.list(seq_len(m)),
    unname(split(seq_len(m), sample(rep_len(1:5, m)))),
    unname(split(seq_len(m), rep(seq_len(ceiling(m / 4)), each = 4)[seq_len(m)])),
    unname(split(seq_len(m), sample(rep_len(1:2, m)))),
    replicate(4, sort(sample(m, sample(2:6, 1))), simplify = FALSE),
    list(sort(c(sample(basis, 1), sample(setdiff(seq_len(m), basis), 3))), 1:3)
  )
}

# The case with folds that leave out more rows than they score, up to six each; those that leave
# something to train, a basis vector, and (whatever the mode) something to score.
with_wider_folds <- function(case) {
  m <- nrow(case$x)
  folds <- lapply(case$folds, function(rows) {
    others <- setdiff(seq_len(m), rows)
    more <- others[sample.int(length(others), sample(0:min(6, length(others)), 1))]
    list(score = rows, omit = unlist(lapply(list(c(rows, more)), sample)))
  })
  fine <- vapply(folds, function(fold) {
    sum(case$w[-fold$omit] > 0) > 1 && (is.null(case$basis) || !all(case$basis %in% fold$omit)) &&
      any(case$w[setdiff(fold$score, case$basis)] > 0)
  }, NA)
  replace(case, "folds", list(folds[fine]))
}

random_case <- function(seed) {
  set.seed(seed)
  m <- sample(20:60, 1)
  p <- sample(2:6, 1)
  n <- sample(4:15, 1)
  v <- if (runif(1) < 0.3) sample(2:3, 1) else 1
  x <- matrix(rnorm(m * p), m, p)
  y <- sin(x %*% matrix(rnorm(p * v), p)) + 0.3 * matrix(rnorm(m * v), m)
  w <- switch(sample(3, 1), rep(1, m), runif(m, 0.2, 3), sample(0:2, m, TRUE, c(0.15, 0.6, 0.25)))
  basis <- sample(m, n)
  folds <- random_folds(m, basis)
  # Some fold may ask for more than there is; such requests have tests of their own.
  fine <- vapply(folds, function(held) sum(w[-held]) > 0 && !all(basis %in% held), NA)
  list(
    x = x, y = if (v == 1) y[, 1] else y, w = w, basis = basis, folds = folds[fine],
    kernel = random_kernel(p), lambda = sort(10^runif(4, -3, 2), decreasing = TRUE),
    intercept = runif(1) < 0.5, mode = sample(c("remove", "keep", "keep_loss", "skip"), 1),
    jitter = sample(c(1e-7, 1e-4), 1)
  )
}

# The same with redundant basis vectors of several kinds.
redundant_case <- function(seed) {
  case <- random_case(seed)
  m <- nrow(case$x)
  p <- ncol(case$x)
  n <- length(case$basis)
  case$redundancy <- c("rank", "polynomial", "twins", "near", "both")[seed %% 5 + 1]
  case$jitter <- if (case$redundancy == "twins") sample(c(1e-7, 1e-2, 1), 1) else 0
  if (case$redundancy %in% c("rank", "both")) case$kernel <- kernel_linear(runif(1) < 0.3)
  if (case$redundancy == "polynomial") case$kernel <- kernel_polynomial(2, features = 1)
  if (case$redundancy == "near") case$kernel <- kernel_custom(gaussian_by_differences)
  if (case$redundancy %in% c("twins", "both")) {
    # Of some rows one to three copies, among the basis vectors and elsewhere.
    copies <- sample(m, sample(2:12, 1))
    case$x[copies, ] <- case$x[sample(case$basis, length(copies), TRUE), ]
  }
  if (case$redundancy == "near") {
    near <- sample(case$basis, n %/% 2)
    case$x[near, ] <- case$x[sample(case$basis, length(near), TRUE), ] + 1e-9 * rnorm(length(near))
  }
  if (runif(1) < 0.7) case$mode <- "remove"
  case
}

# Without the rounding errors of squared distances by inner products, which may be larger than the
# pivots that count as zero.
gaussian_by_differences <- function(x, z) {
  squares <- Map(function(a, b) outer(a, b, "-")^2, asplit(x, 2), asplit(z, 2))
  exp(-0.5 * Reduce(`+`, squares))
}

cv_case <- function(case, solver, ...) {
  cv.sparserls(case$x, case$y, case$basis, case$kernel, case$lambda, weights = case$w,
               intercept = case$intercept, standardize = FALSE, jitter = case$jitter,
               folds = case$folds, holdout_basis = case$mode, keep = TRUE, solver = solver,
               progress = FALSE, ...)
}
