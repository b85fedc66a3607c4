# A garbage collection at every allocation of C: whatever a routine holds without PROTECT() is then
# gone, and the answer is another one (or, in the library that tools/with-sanitizers.sh makes, there
# is a report). Small calls of all kinds go through every routine that src/init.c registers. For
# every shape of arguments of a routine the first calls are made twice, without and with torture,
# and must answer the same. A routine that is not reached is a finding.
# Usage: Rscript tools/gctorture.R [each=3] [torture=no] [record=no]
#   each      how many calls of a routine with arguments of the same types
#   torture   no: only the calls (of tools/valgrind.sh)

Sys.setenv(R_ENABLE_JIT = "0")
source("tools/record.R")
source("tools/settings.R")
settings <- read_settings(each = 3, torture = "yes", record = "yes")
torture <- settings$torture != "no"
suppressMessages(library(sparserls))
options(sparserls.progress = FALSE)
core <- asNamespace("sparserls")

calls <- character()
wrong <- character()

# Both calls draw the same random numbers.
tortured <- function(routine, ...) {
  if (routine$dll[["name"]] != "sparserls") return(.Call(routine, ...)) # of family objects
  seed <- .Random.seed
  plain <- .Call(routine, ...)
  shape <- paste(c(routine$name, vapply(list(...), typeof, "")), collapse = " ")
  if (sum(calls == shape) >= settings$each) return(plain)
  calls <<- c(calls, shape)
  assign(".Random.seed", seed, globalenv())
  gctorture(torture)
  answer <- tryCatch(.Call(routine, ...), finally = gctorture(FALSE))
  if (!identical(plain, answer)) wrong <<- c(wrong, shape)
  answer
}

# Puts tortured() in the place of .Call() in all functions of the package, methods and functions in
# tables included.
replace_call <- function(code) {
  if (identical(code, quote(.Call))) return(tortured)
  if (is.call(code) || is.pairlist(code)) {
    for (i in seq_along(code)) {
      if (!identical(code[[i]], quote(expr = )) && !is.null(code[[i]])) {
        code[[i]] <- replace_call(code[[i]])
      }
    }
  }
  code
}
replace_calls <- function(value) {
  if (is.list(value)) {
    value[] <- lapply(value, replace_calls)
  } else if (is.function(value) && ".Call" %in% all.names(body(value))) {
    body(value) <- replace_call(body(value))
  }
  value
}
places <- list(core, core$.__S3MethodsTable__., as.environment("package:sparserls"))
for (place in places) for (name in ls(place, all.names = TRUE)) {
  if (bindingIsActive(name, place)) next
  replaced <- replace_calls(place[[name]])
  if (identical(replaced, place[[name]])) next
  if (bindingIsLocked(name, place)) unlockBinding(name, place)
  assign(name, replaced, envir = place)
}

# ---- the calls ---------------------------------------------------------------------------------

set.seed(1)
m <- 24
x <- matrix(rnorm(m * 3), m, dimnames = list(NULL, c("a", "b", "c")))
y <- x[, 1] + rnorm(m) / 5
d <- data.frame(x, y = y, u = y > 0, count = rpois(m, 2))
id <- rep(1:4, 6)
w <- rep(1:2, 12)
chunks <- chunks_function(3, function(i) d[8 * (i - 1) + 1:8, ])
# So many that what is answered for each of them is too long for the pages on which R keeps small
# vectors: it is given back to the system, and a sanitizer sees who reads it afterwards.
few <- 10^seq(2, -1, length.out = 17)
cv <- function(...) cv.sparserls(x, y, lambda = few, ...)

run <- list(
  quote(for (k in list(kernel_gaussian(1), kernel_matern(gamma = 1), kernel_polynomial(2),
                       kernel_linear())) {
    sparserls(x, y, 5, k, few)
  }),
  quote(predict(sparserls(x, y, 5, lambda = few), x[1:3, ])),
  quote(cv(6, foldid = id, weights = w)),
  quote(cv(6, foldid = id, solver = "update")),
  quote(cv(6, foldid = id, solver = "retrain")),
  quote(cv(6, nfolds = "loo")),
  quote(cv(x[1:4, ] + 0.1, foldid = id)),
  quote(cv.sparserls(x, y > 0, 6, lambda = few, nfolds = "loo", type.measure = "auc")),
  quote(cv(6, foldid = id, keep = TRUE, holdout_basis = "keep")),
  quote(predict(cv(6, foldid = id, keep = TRUE), x[1:3, ], interval = "jackknife+")),
  quote(predict(sparserls(x, y, 5, lambda = few), x[1:3, ], s = 1, se.fit = TRUE)),
  quote(cv(basis_rpcholesky(4), foldid = id, reselect = TRUE)),
  quote(cv(basis_greedy(4, 6), foldid = id)),
  quote(cv(6, kernel_custom(function(a, b) exp(-as.matrix(stats::dist(rbind(a, b)))[
    seq_len(nrow(a)), nrow(a) + seq_len(nrow(b)), drop = FALSE])), foldid = id)),
  quote(cv.rls(x, y, lambda = few, foldid = id, keep = TRUE)),
  quote(cv.rls(x, y, kernel_gaussian(1), few, foldid = id)),
  quote(coef(rls(x, y, lambda = few, solver = "svd"))),
  quote(confint(rls(y ~ a + b, data = d, lambda = few), s = 1, type = "gp")),
  quote(cv.rls(x, y > 0, lambda = few, nfolds = "pairs")),
  quote(rls(Matrix::Matrix(x, sparse = TRUE), y, kernel_gaussian(1), lambda = few)),
  quote(greedyrls(x, y, 2)),
  quote(cv.greedyrls(x, y, 2, foldid = id, lambda = 1)),
  quote(rls2(x, y, list(kernel_gaussian(1), kernel_linear(), kernel_polynomial(2)), few)),
  quote(rls2(x, y > 0, list(kernel_gaussian(1), kernel_linear()), nlambda = 3, scaling = "fisher")),
  quote(rls2(x, y, lambda = few, algorithm = "alternate")),
  quote(cv.rls2(x, y, lambda = few, foldid = id)),
  quote(ardrls(x, y, 5, npenalty = 2, maxit = 3, foldid = id)),
  quote(ardrls(x, y, 5, npenalty = 2, maxit = 3, map = TRUE, foldid = id, final_basis = 6)),
  quote(cv.sparserls(x, d$u, 5, lambda = few, foldid = id, family = binomial())),
  quote(cv.rls(x, d$count, lambda = few, foldid = id, family = poisson(), keep = TRUE)),
  quote(predict(cv.sparserls(y ~ a + b, data = chunks, basis = 5, lambda = few, nfolds = 3), d)),
  quote(cv.sparserls(y ~ a + b, data = chunks, basis = 5, lambda = few, nfolds = "loo")),
  quote(cv.sparserls(u ~ a + b, data = chunks, basis = 5, lambda = few, nfolds = 3)),
  quote(cv.rls(y ~ a + b, data = chunks, lambda = few, nfolds = 3)),
  quote(cv.sparserls(u ~ a + b, data = chunks, basis = 5, lambda = few, nfolds = 3,
                     family = binomial())),
  quote(sparserls(x, y, 5, lambda = few, threads = 1)),
  quote(derivatives(sparserls(y ~ a + b, data = d, basis = 5, lambda = few), s = 1)),
  quote({
    kept <- cv.sparserls(y ~ a + b, data = d, basis = 6, lambda = few, foldid = id, keep = TRUE)
    average_effect(kept, function(d) transform(d, a = a + 0.1))
    derivatives(kept, type = "debiased")
  }),
  quote(sparserls_info()),
  quote(kernel_matrix(kernel_gaussian(1), x)),
  # What is called when the package is loaded, and by its tests.
  quote(core$.onLoad(NULL, "sparserls")),
  quote(for (who in c("blas", "own")) {
    options(sparserls.blas = who)
    core$use_blas()
    for (routine in c("gemm", "cholesky", "eigen")) tortured(
      core$ffi_algebra, routine, "NN", rep(3L, 3), c(1, 0), x[1:3, ], x[1:3, ], cbind(diag(3), 0)
    )
  })
)
failed <- character()
for (code in run) {
  tryCatch(suppressWarnings(suppressMessages(eval(code))), error = function(e) {
    failed <<- c(failed, paste(deparse(code)[1], conditionMessage(e)))
  })
}

# ---- what was reached --------------------------------------------------------------------------

registered <- names(getDLLRegisteredRoutines("sparserls")$.Call)
reached <- unique(sub(" .*", "", calls))
missed <- setdiff(registered, reached)
for (name in missed) cat("not reached:", name, "\n")
for (shape in wrong) cat("another answer under torture:", shape, "\n")
for (line in failed) cat("failed:", line, "\n")
findings <- length(missed) + length(wrong) + length(failed)
cat(sprintf("%d calls of %d of %d routines%s; %d findings\n", length(calls), length(reached),
            length(registered), if (torture) " with a collection at every allocation" else "",
            findings))
if (settings$record != "no") {
  record("gctorture", command = "make gctorture",
         count = sprintf("%d calls of %d routines", length(calls), length(reached)),
         findings = findings)
}
if (findings > 0) quit(status = 1)
