# A call of several seconds for every kind of long computation, which tools/interrupts.R interrupts.
# Each entry makes its data and answers the call as a function. `drawing` names those that draw
# random numbers; the others must leave .Random.seed alone.

long_rows <- function(m, p) {
  set.seed(1)
  x <- matrix(rnorm(m * p), m, dimnames = list(NULL, paste0("x", seq_len(p))))
  list(x = x, y = sin(x[, 1]) + x[, 2] * x[, 3] + rnorm(m) / 5, id = seq_len(m))
}
frame_of <- function(d) data.frame(d$x, y = d$y)
every <- function(m, n) floor(seq(1, m, length.out = n))
narrow <- kernel_gaussian(0.1)

# Chunks of random rows, the same whenever they are read.
long_chunks <- function(n) {
  chunks_function(n, function(i) {
    x <- matrix(stats::rnorm(60000), 6000)
    data.frame(x, y = sin(x[, 1]) + x[, 2] + stats::rnorm(6000) / 5)
  })
}

long_fit <- function(m = 2000, n = 600) {
  d <- long_rows(m, 8)
  sparserls(y ~ ., data = frame_of(d), basis = every(m, n), kernel = narrow)
}

long_calls <- list(
  "cv.sparserls, ten folds" = function() {
    d <- long_rows(12000, 10)
    function() cv.sparserls(d$x, d$y, every(12000, 1000), narrow, foldid = d$id %% 10)
  },
  "cv.sparserls, rows one by one" = function() {
    d <- long_rows(16000, 10)
    function() cv.sparserls(d$x, d$y, every(16000, 1000), narrow, nfolds = "loo")
  },
  "cv.sparserls, groups" = function() {
    d <- long_rows(12000, 10)
    function() cv.sparserls(d$x, d$y, every(12000, 600), narrow, groups = d$id %% 300)
  },
  "cv.sparserls, basis kept" = function() {
    d <- long_rows(15000, 10)
    function() {
      cv.sparserls(d$x, d$y, every(15000, 800), narrow, foldid = d$id %% 40, holdout_basis = "keep")
    }
  },
  "cv.sparserls, retrained" = function() {
    d <- long_rows(15000, 10)
    function() {
      cv.sparserls(d$x, d$y, every(15000, 900), narrow, foldid = d$id %% 10, solver = "retrain")
    }
  },
  "cv.sparserls, reselected" = function() {
    d <- long_rows(5000, 10)
    function() cv.sparserls(d$x, d$y, basis_rpcholesky(200), narrow, nfolds = 8, reselect = TRUE)
  },
  "cv.sparserls, overlapping folds" = function() {
    d <- long_rows(4000, 10)
    function() {
      cv.sparserls(d$x, d$y, every(4000, 300), narrow, folds = cv_folds(4000, 5, repeats = 20))
    }
  },
  "cv.sparserls, several kernels" = function() {
    d <- long_rows(6000, 10)
    kernels <- c(lapply(2^(-5:-2), kernel_gaussian), lapply(2^(-3:-1), kernel_laplacian))
    function() cv.sparserls(d$x, d$y, every(6000, 400), kernels, foldid = d$id %% 10)
  },
  "cv.sparserls, a width searched" = function() {
    d <- long_rows(8000, 10)
    function() cv.sparserls(d$x, d$y, 400, foldid = d$id %% 10)
  },
  "cv.sparserls, a greedy basis" = function() {
    d <- long_rows(5000, 10)
    function() cv.sparserls(d$x, d$y, basis_greedy(120, 60), narrow, foldid = d$id %% 10)
  },
  "cv.sparserls, outer folds" = function() {
    d <- long_rows(3000, 10)
    function() {
      cv.sparserls(d$x, d$y, every(3000, 250), narrow, foldid = d$id %% 10, outer = 10, keep = TRUE)
    }
  },
  "cv.rls, dual" = function() {
    d <- long_rows(2000, 10)
    function() cv.rls(d$x, d$y, narrow, foldid = d$id %% 10)
  },
  # New rows of a full kernel, as rows without a weight are held to be.
  "rls, rows without weight" = function() {
    d <- long_rows(9000, 10)
    function() rls(d$x, d$y, narrow, weights = as.numeric(d$id <= 1000))
  },
  "cv.rls, primal" = function() {
    d <- long_rows(40000, 500)
    function() cv.rls(d$x, d$y, foldid = d$id %% 10)
  },
  "cv.rls, pairs" = function() {
    d <- long_rows(4000, 200)
    function() cv.rls(d$x, d$y > 0, nfolds = "pairs")
  },
  "greedyrls" = function() {
    d <- long_rows(4000, 3000)
    function() greedyrls(d$x, d$y, 60)
  },
  "cv.greedyrls" = function() {
    d <- long_rows(2500, 800)
    function() cv.greedyrls(d$x, d$y, 15, foldid = d$id %% 10)
  },
  "rls2" = function() {
    d <- long_rows(600, 10)
    function() rls2(d$x, d$y, kernel_bank(d$x))
  },
  "cv.rls2" = function() {
    d <- long_rows(300, 10)
    function() cv.rls2(d$x, d$y, kernel_bank(d$x), foldid = d$id %% 5, nlambda = 20)
  },
  "ardrls" = function() {
    d <- long_rows(3000, 8)
    function() ardrls(d$x, d$y, every(3000, 150), foldid = d$id %% 5)
  },
  "cv.ardrls, maps" = function() {
    d <- long_rows(1500, 6)
    function() {
      cv.ardrls(d$x, d$y, every(1500, 120), npenalty = 3, map = TRUE, foldid = d$id %% 4, outer = 3)
    }
  },
  "a family's path" = function() {
    d <- long_rows(5000, 10)
    function() sparserls(d$x, d$y > 0, every(5000, 300), narrow, family = binomial())
  },
  "a family's folds" = function() {
    d <- long_rows(4000, 8)
    function() {
      cv.sparserls(d$x, round(exp(d$y / 2)), every(4000, 200), narrow, foldid = d$id %% 10,
                   family = poisson(), nlambda = 20)
    }
  },
  "chunks with a checkpoint" = function() {
    folder <- tempfile("checkpoint-")
    function() {
      cv.sparserls(y ~ ., data = long_chunks(24), basis = 150, kernel = narrow, nfolds = 10,
                   checkpoint = folder)
    }
  },
  "chunks on workers" = function() {
    future::plan(future::multisession, workers = 2)
    function() {
      cv.sparserls(y ~ ., data = long_chunks(24), basis = 150, kernel = narrow, nfolds = 10)
    }
  },
  "predict, many rows" = function() {
    fit <- long_fit()
    d <- long_rows(150000, 8)
    function() predict(fit, as.data.frame(d$x))
  },
  "predict, chunks to a file" = function() {
    fit <- cv.sparserls(y ~ ., data = long_chunks(2), basis = 300, kernel = narrow, nfolds = 5)
    folder <- tempfile("predictions-")
    function() {
      unlink(folder, recursive = TRUE)
      predict(fit, long_chunks(40), file = folder)
    }
  },
  "predict, intervals by refits" = function() {
    d <- long_rows(4000, 8)
    cv <- cv.sparserls(d$x, d$y, every(4000, 100), narrow, foldid = d$id %% 20, keep = TRUE)
    more <- long_rows(80000, 8)
    function() predict(cv, more$x, interval = "jackknife+")
  },
  "derivatives" = function() {
    fit <- long_fit(4000, 600)
    d <- long_rows(120000, 8)
    function() derivatives(fit, as.data.frame(d$x), s = 1)
  },
  "average_effect" = function() {
    d <- long_rows(20000, 8)
    cv <- cv.sparserls(y ~ ., data = frame_of(d), basis = every(20000, 700), kernel = narrow,
                       foldid = d$id %% 10, keep = TRUE)
    function() average_effect(cv, function(d) transform(d, x1 = x1 + 0.1))
  },
  "effect_curve" = function() {
    fit <- long_fit(8000, 600)
    function() effect_curve(fit, "x1", s = 1)
  }
)
drawing <- c("cv.sparserls, reselected", "cv.sparserls, overlapping folds",
             "cv.sparserls, a width searched", "cv.sparserls, a greedy basis",
             "cv.sparserls, outer folds", "cv.ardrls, maps", "chunks with a checkpoint",
             "chunks on workers")
