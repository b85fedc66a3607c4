# Cross-validations under a plan: of every family and kind of response, with outer folds and
# without, the numbers are those of one process to the bit, and the stream of random numbers ends
# where it ends there. Those without have given folds and basis vectors, and draw nothing.

# Processes of a cluster, as those of multisession are, serve all cases of a child.
plans <- list(
  multicore = function() future::plan(future::multicore, workers = 2),
  cluster = function() {
    if (is.null(processes)) processes <<- parallel::makePSOCKcluster(2)
    future::plan(future::cluster, workers = processes)
  }
)
processes <- NULL

# Kinds of responses with `y` of 40 rows and scores f, and those that a `family` has.
responses <- list(
  numbers = function(f) f + rnorm(40), outputs = function(f) cbind(f, rnorm(40)),
  two = function(f) factor(ifelse(f + rnorm(40) > 0, "yes", "no")),
  three = function(f) factor(sample(rep_len(letters[1:3], 40))),
  binomial = function(f) sample(rep_len(0:1, 40)), poisson = function(f) rpois(40, exp(f / 2)),
  Gamma = function(f) exp(f + rnorm(40) / 3)
)
families <- list(binomial = "binomial", poisson = "poisson", Gamma = stats::Gamma("log"))

# What else the functions are given.
shared <- list(
  cv.sparserls = list(basis = 1:20, kernel = kernel_gaussian(c(0.1, 1)), lambda = c(1, 0.1)),
  cv.rls = list(kernel = kernel_gaussian(c(0.1, 1)), lambda = c(1, 0.1)),
  cv.greedyrls = list(k = 2, lambda = c(1, 0.1)), cv.rls2 = list(nlambda = 3),
  cv.ardrls = list(basis = 1:20, penalty = c(Inf, 1), maxit = 2)
)

plan_grid <- expand.grid(plan = names(plans), outer = c(FALSE, TRUE), response = names(responses),
                         what = names(shared), stringsAsFactors = FALSE)
plan_grid <- plan_grid[!plan_grid$response %in% names(families) |
                         plan_grid$what %in% c("cv.sparserls", "cv.rls"), ]

planned_call <- function(this) {
  x <- matrix(rnorm(120), 40, dimnames = list(NULL, letters[1:3]))
  folds <- if (this$outer && this$what != "cv.ardrls") list(nfolds = 3)
           else list(foldid = rep_len(1:3, 40))
  list(what = this$what, args = c(
    list(x, responses[[this$response]](sin(2 * x[, 1]))), shared[[this$what]], folds,
    list(progress = FALSE, keep = runif(1) < 0.5), if (this$outer) list(outer = 2),
    list(family = families[[this$response]])[this$response %in% names(families)]
  ))
}

plan_case <- function(case, turn) {
  if (!requireNamespace("future", quietly = TRUE)) return("error")
  this <- plan_grid[(turn + 61 * numbers[1]) %% nrow(plan_grid) + 1, ]
  call <- planned_call(this)
  seed <- sample.int(1e6, 1)
  if (alone) str(call)
  run <- function(plan) {
    old <- plan()
    on.exit(future::plan(old))
    set.seed(seed)
    answer <- judged(do.call(call$what, call$args, quote = TRUE), call$args, may_draw(call))
    report(case, paste(call$what, "under", this$plan), answer$finding)
    list(numbers = atoms(answer$value), stream = globalenv()$.Random.seed,
         error = if (!is.null(answer$error)) conditionMessage(answer$error))
  }
  single <- run(function() future::plan(future::sequential))
  if (!is.null(single$error)) {
    report(case, call$what, list(kind = "refused", says = single$error))
    return("error")
  }
  together <- run(plans[[this$plan]])
  differ <- names(Filter(isFALSE, Map(identical, together, single)))
  if (length(differ)) {
    report(case, call$what, list(kind = "other under a plan",
                                 says = paste(c(unlist(this), differ), collapse = " ")))
  }
  "value held against its definition"
}
