# Large bases: seconds and peak memory of cv.sparserls() with ten folds, beside the calls of BLAS and
# LAPACK that no way of computing it avoids.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/large-basis.R [n] [rows] [lambdas] [before]
#
# n basis vectors, rows, numbers of lambda with commas between them; `before`: a library with another
# version of the package, which is measured in turn. Each case once, in a process of its own (Linux:
# reads /proc/self/status). CPU seconds; memory above the data in units of the rows x n block. The
# floor is C^-1 K of all rows (dtrsm), their gram matrix and those of the folds (dsyrk, twice), the
# factor of K_BB and one factor for each fold (dpotrf). The seed is 1. Needs the installed package.

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
given <- commandArgs(TRUE)
nfolds <- 10
features <- 26

cpu <- function(expression) {
  time <- system.time(expression)
  sum(time[c("user.self", "sys.self")])
}

status <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

one_case <- function(n, m, lambdas, lib) {
  library(sparserls, lib.loc = if (nzchar(lib)) lib)
  set.seed(1)
  x <- matrix(rnorm(m * features), m)
  y <- sin(x[, 1]) + rnorm(m) / 5
  basis <- sort(sample(m, n))
  lambda <- if (lambdas == 50) NULL else 10^seq(1, -2, length.out = lambdas)
  invisible(cv.sparserls(x[1:500, ], y[1:500], 1:20, kernel_matern(gamma = 0.05), progress = FALSE))
  invisible(gc())
  resident <- status("VmRSS")
  seconds <- cpu(cv <- suppressMessages(
    cv.sparserls(x, y, basis, kernel_matern(gamma = 0.05), lambda, nfolds = nfolds,
                 progress = FALSE)
  ))
  c(seconds = seconds, blocks = (status("VmHWM") - resident) / (8 * m * n / 2^20),
    error = min(cv$cvm))
}

floor_seconds <- function(n, m) {
  set.seed(1)
  z <- matrix(rnorm(n * m), n)
  cpu(gram <- tcrossprod(z))
  diag(gram) <- diag(gram) + 1
  t <- c(dtrsm = cpu(backsolve(chol(gram / m), z, transpose = TRUE)), dsyrk = cpu(tcrossprod(z)),
         dpotrf = cpu(chol(gram)))
  c(t, floor = t[["dtrsm"]] + 2 * t[["dsyrk"]] + (1 + nfolds) * t[["dpotrf"]])
}

if (identical(given[1], "case")) {
  sizes <- as.numeric(given[2:4])
  set.seed(1)
  cat(if (sizes[3] == 0) floor_seconds(sizes[1], sizes[2])
      else one_case(sizes[1], sizes[2], sizes[3], c(given, "", "")[5]), "\n")
} else {
  library(sparserls)
  source(file.path(here, "store.R"))
  say_provenance()
  n <- argument(1, 3000)
  m <- argument(2, 13500)
  lambdas <- as.numeric(strsplit(c(given, "", "", "")[3], ",")[[1]])
  if (!length(lambdas)) lambdas <- c(50, 10, 5, 1)
  run <- function(...) {
    words <- c(file.path(here, "large-basis.R"), "case", ...)
    out <- system2(file.path(R.home("bin"), "Rscript"), words, TRUE, FALSE)
    as.numeric(strsplit(trimws(out[length(out)]), " +")[[1]])
  }
  cat(sprintf("# n = %d, %d rows, %d folds, OPENBLAS_CORETYPE=%s\n", n, m, nfolds,
              Sys.getenv("OPENBLAS_CORETYPE", "not set")))
  least <- run(n, m, 0)
  cat(sprintf("# dtrsm %.1f s, dsyrk %.1f s, dpotrf %.2f s: floor %.1f s\n", least[1], least[2],
              least[3], least[4]))
  sides <- c(after = "", before = if (length(given) > 3) given[4])
  for (count in lambdas) {
    for (side in names(sides)) {
      got <- run(n, m, count, sides[[side]])
      cat(sprintf("%-6s %2d lambda  %6.1f s  %.2f blocks  least error %.12g\n", side, count, got[1],
                  got[2], got[3]))
    }
  }
}
