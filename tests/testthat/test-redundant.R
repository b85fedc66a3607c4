# Redundant basis vectors are dropped, but the refit without a fold has all members of the basis
# that are outside the fold: those come back that were redundant because of the fold's.

# Every third with folds that hold twins of basis vectors which are not scored.
case_of <- function(seed) {
  case <- redundant_case(seed)
  if (seed %% 3 || case$redundancy == "near") case else with_wider_folds(case)
}

test_that("both hold-out forms equal honest refits with redundant basis vectors", {
  seeds <- usable_seeds(1:30, function(seed) length(case_of(seed)$folds) > 0)
  for (seed in seeds) {
    case <- case_of(seed)
    k <- reference_shifted(case$kernel, case$x, case$basis, case$jitter)
    honest <- reference_cv(k, case$y, case$w, case$basis, case$folds, case$lambda, case$mode,
                           case$intercept, case$x)
    # A vector that the others span only to working precision may differ from what they span by
    # the root of the pivots that count as zero, n eps, 6e-8.
    allowed <- if (case$redundancy == "near") 1e-7 else 1e-9
    for (solver in c("update", "retrain")) {
      cv <- suppressWarnings(cv_case(case, solver),
                             classes = c("sparserls_warning_basis", "sparserls_warning_jitter"))
      expect_lt(relative_error(cv$fit.preval, honest), allowed,
                label = paste(seed, solver, case$mode, case$redundancy))
    }
  }
})

set.seed(2)
x <- matrix(rnorm(180), 60)
y <- drop(x %*% c(1, -1, 0.5)) + 0.2 * rnorm(60)
folds <- unname(split(1:60, rep(1:6, 10)))
lambda <- c(1, 0.1)
run <- function(x, basis, kernel = kernel_linear(), folds. = folds, jitter = 0, ...) {
  suppressWarnings(
    cv.sparserls(x, y, basis, kernel, lambda, jitter = jitter, standardize = FALSE, folds = folds.,
                 keep = TRUE, progress = FALSE, ...),
    classes = "sparserls_warning_basis"
  )
}

test_that("dense, sparse, precomputed and custom kernels agree", {
  x[c(4, 30, 31), ] <- x[c(2, 5, 6), ]
  kernels <- list(kernel_linear(), kernel_polynomial(2, features = 1), kernel_gaussian(0.3))
  for (jitter in c(0, 1e-3)) {
    for (kernel in kernels) {
      basis <- c(1:10, 30, 31, 40)
      k <- reference_shifted(kernel, x, basis, jitter)
      honest <- reference_cv(k, y, rep(1, 60), basis, folds, lambda, "remove", TRUE, x)
      own <- kernel_custom(function(x, z) reference_kernel(kernel, x, z))
      all <- kernel_matrix(kernel, x)
      for (solver in c("update", "retrain")) {
        values <- list(
          run(x, basis, kernel, jitter = jitter, solver = solver),
          run(as(x, "CsparseMatrix"), basis, kernel, jitter = jitter, solver = solver),
          run(x, basis, own, jitter = jitter, solver = solver),
          run(all, basis, kernel_precomputed(), jitter = jitter, solver = solver)
        )
        for (cv in values) expect_lt(relative_error(cv$fit.preval, honest), 1e-9)
      }
    }
  }
})

test_that("folds that take away no vector that had made others redundant pay nothing", {
  k <- kernel_matrix(kernel_linear(), x)
  for (solver in c("update", "retrain")) {
    named <- run(k, 1:10, kernel_precomputed(), solver = solver)
    plain <- run(k, named$fit$basis, kernel_precomputed(), solver = solver)
    touched <- vapply(folds, function(held) any(named$fit$basis %in% held), NA)
    others <- unlist(folds[!touched])
    expect_gt(length(others), 20)
    expect_identical(named$fit.preval[others, ], plain$fit.preval[others, ])
    expect_gt(max(abs(named$fit.preval - plain$fit.preval)), 1e-3)
  }
})

test_that("a fold may hold all vectors that were kept, but not all that were named", {
  kept <- run(x, 1:10)$fit$basis
  folds <- list(c(kept, 20:25), 26:30)
  for (solver in c("update", "retrain")) {
    cv <- run(x, 1:10, folds. = folds, solver = solver)
    honest <- reference_ridge(x, y, rep(1, 60), setdiff(1:60, folds[[1]]), folds[[1]], lambda, TRUE)
    expect_equal(cv$fit.preval[folds[[1]], ], honest[, 1, ], tolerance = 1e-12, ignore_attr = TRUE)
  }
  expect_refusals(run(x, 1:10, folds. = list(1:12, 26:30)) | folds | "holds all basis vectors")
})

test_that("twins that are outliers, weigh nothing or are all that trains", {
  x[21, ] <- x[3, ] <- c(30, -30, 30)
  x[c(22, 23), ] <- x[c(4, 4), ]
  w <- replace(rep(1:2, 30), 22, 0)
  folds <- list(3:8, c(4, 9), setdiff(1:60, c(21, 23)))
  k <- reference_shifted(kernel_polynomial(2), x, c(3, 4, 10, 21, 22, 23), 0.5)
  honest <- reference_cv(k, y, w, c(3, 4, 10, 21, 22, 23), folds, lambda, "remove", TRUE, x)
  for (solver in c("update", "retrain")) {
    cv <- run(x, c(3, 4, 10, 21, 22, 23), kernel_polynomial(2), folds, 0.5, weights = w,
              solver = solver)
    expect_lt(relative_error(cv$fit.preval, honest), 1e-8)
  }
})

# A selection ends where the rows that it found span all others: of p features p or p + 1. Were
# these the whole basis, a refit without one of them would lack a direction.
test_that("the refits of a selection that spans all rows span them, too", {
  set.seed(1)
  d <- data.frame(x = rnorm(60), z = rnorm(60), u = rexp(60))
  d$y <- d$x - d$z + d$u + rnorm(60)
  folds <- rep(1:6, 10)
  lambda <- c(10, 1)
  full <- cv.rls(y ~ ., d, foldid = folds, lambda = lambda)
  for (basis in list(NULL, basis_rpcholesky(20), basis_greedy(20, 10))) {
    set.seed(1)
    cv <- suppressWarnings(cv.sparserls(y ~ ., d, basis = basis, kernel = kernel_linear(),
                                        lambda = lambda, foldid = folds, jitter = 1e-12))
    expect_lt(length(cv$fit$basis), 10)
    expect_equal(cv$cvm, full$cvm, tolerance = 1e-8)
  }
  # Of a selection of fewer rows, which does not span them, nothing else is a member.
  set.seed(1)
  few <- cv.sparserls(y ~ ., d, basis = basis_rpcholesky(2), kernel = kernel_linear(),
                      lambda = lambda, foldid = folds, keep = TRUE)
  expect_length(few$refits$basis$redundant$rows, 0)
})

test_that("rows that stand in for held-out basis vectors are named: the basis of the refit", {
  # A line has one basis vector; other rows span what it spans.
  set.seed(8)
  id <- rep_len(1:5, 50)
  cv <- suppressMessages(cv.sparserls(dist ~ speed, cars, kernel = kernel_linear(), foldid = id,
                                      lambda = 1, keep = TRUE, subset = -1))
  fold <- cv$foldid[match(cv$fit$basis, 2:50)]
  expect_length(cv$fit$basis, 1)
  expect_named(cv$stand_ins, as.character(fold))
  others <- cv$stand_ins[[1]]
  expect_false(any(others %in% (2:50)[cv$foldid == fold]))
  left <- (2:50)[cv$foldid != fold]
  speed <- cars$speed - mean(cars$speed[-1])
  standard <- speed / sqrt(mean(speed[-1]^2))
  refit <- sparserls(cbind(standard[left]), cars$dist[left], match(others, left), kernel_linear(),
                     lambda = 1, standardize = FALSE) |> suppressWarnings()
  out <- cv$foldid == fold
  expect_equal(cv$fit.preval[out, 1], drop(predict(refit, cbind(standard[-1][out]))),
               tolerance = 1e-6, ignore_attr = TRUE)
  # Twins; no field where nothing was dropped, or where basis vectors stay.
  x <- matrix(rnorm(60), 20)
  twice <- rbind(x, x[1:2, ])
  quiet <- function(...) suppressMessages(suppressWarnings(cv.sparserls(..., lambda = 1)))
  run <- function(basis, y = twice[, 1], foldid = rep_len(1:11, 22), ...) {
    quiet(twice, y, basis, foldid = foldid, ...)
  }
  named <- run(c(1:6, 21, 22))
  expect_identical(named$stand_ins, rep(list(21:22), 6) |> setNames(1:6))
  expect_false("stand_ins" %in% names(run(1:6)))
  expect_false("stand_ins" %in% names(run(c(1:6, 21, 22), holdout_basis = "keep")))
  d <- data.frame(twice, y = twice[, 1], id = rep_len(1:11, 22))
  glm <- run(c(1:6, 21, 22), twice[, 1] > 0, family = "binomial")
  expect_identical(glm$stand_ins, named$stand_ins)
  pieces <- chunks_function(2, function(i) d[(i - 1) * 11 + 1:11, ])
  chunked <- quiet(y ~ X1 + X2 + X3, pieces, basis_random(22), foldid = "id")
  rows <- c(chunked$fit$basis, setdiff(1:22, chunked$fit$basis))
  memory <- quiet(y ~ X1 + X2 + X3, d, I(rows), foldid = "id")
  expect_identical(lapply(chunked$stand_ins, sort), lapply(memory$stand_ins, sort))
})
