# All methods of results of every kind (tests/testthat/helper-results.R), and searches under a plan.

# Results that have few methods, or need other packages.
makers <- c(result_makers, list(
  effect_contrasts = quote(effect_contrasts(average_effect(
    cv.rls(y ~ ., d, kernel_gaussian(0.3), 0.1, groups = groups, keep = TRUE),
    function(d) transform(d, a = a + 1), by = "f"
  ))),
  balance = quote(balance(derivatives(
    cv.rls(y ~ a + b, d, kernel_gaussian(0.3), 0.1, keep = TRUE)
  ))),
  influence = quote(stats::influence(cv.rls(y ~ a + b, d, lambda = 0.1, nfolds = "loo",
                                            keep = TRUE))),
  surface = quote(effect_curve(rls(y ~ a + b, d, kernel_gaussian(0.3), 0.1), c("a", "b"))),
  chunks = quote(chunks_function(2, function(i) d[20 * (i - 1) + 1:20, ])),
  survey = quote(chunks_survey(y ~ a + b,
                               chunks_function(2, function(i) d[20 * (i - 1) + 1:20, ]))),
  engine = quote(engine_fit(x, y, lambda = 0.1)),
  engine_krr = quote(engine_krr(x, y, penalty = 0.1)),
  learner = quote(SL.sparserls(y, as.data.frame(x), as.data.frame(x), gaussian(), rep(1, 40),
                               groups)$fit),
  na_level = quote(na_level(replace(y, 1:3, NA))),
  class_weights = quote(class_weights(classes)),
  kernel = quote(kernel_gaussian(c(0.1, 1))), relative = quote(width_multiples(1:2)),
  bank = quote(kernel_bank(x)), basis = quote(basis_random(5)), df = quote(lambda_df(3)),
  family = quote(rls(x, classes, lambda = 1, family = "binomial")$family),
  folds = quote(cv_folds(40, groups = groups)), info = quote(sparserls_info())
))
if (requireNamespace("parsnip", quietly = TRUE)) {
  makers$parsnip <- quote(parsnip::fit_xy(
    parsnip::set_engine(parsnip::linear_reg(penalty = 1), "sparserls"), x, y
  ))
}

# A result, NULL where it cannot be made.
made <- function(case, name, data) {
  answer <- judged(eval(makers[[name]], data, globalenv()), data, draws = TRUE)
  report(case, paste("result", name), answer$finding)
  if (!is.null(answer$error)) {
    report(case, paste("result", name),
           list(kind = "refused", says = conditionMessage(answer$error)))
  }
  answer$value
}

# All methods of the result that is next.
result_case <- function(case, turn) {
  name <- names(makers)[turn %% length(makers) + 1]
  data <- result_data()
  object <- made(case, name, data)
  if (is.null(object)) return("error")
  methods <- methods_for(object, offered())
  for (i in sample.int(nrow(methods))) {
    ask_method(case, name, methods[i, ], object, rows_for(object, data))
  }
  "value"
}

ask_method <- function(case, name, method, object, x) {
  force(method) # it is drawn
  utils::capture.output(answer <- judged(
    ask_generic(method$generic, method$from, object, x), list(object, x),
    draws = method$generic %in% c("importance", "var_imp", "simulate")
  ))
  report(case, paste(method$generic, "of", name), answer$finding)
}

# Cross-validations of every family and kind of response under a plan: the numbers are those of one
# process to the bit, and the stream of random numbers ends where it ends there. Processes of a
# cluster serve all cases of a child.
processes <- NULL

plan_case <- function(case, turn) {
  if (!requireNamespace("future", quietly = TRUE)) return("error")
  searches <- grep("^cv", names(makers), value = TRUE)
  name <- searches[turn %% length(searches) + 1]
  data <- result_data()
  seed <- sample.int(1e6, 1)
  run <- function(...) {
    old <- future::plan(...)
    on.exit(future::plan(old))
    set.seed(seed)
    value <- made(case, name, data)
    list(numbers = atoms(value), stream = globalenv()$.Random.seed)
  }
  if (is.null(processes)) processes <<- parallel::makePSOCKcluster(2)
  together <- if (runif(1) < 0.5) run(future::multicore, workers = 2)
              else run(future::cluster, workers = processes)
  if (!identical(together, run(future::sequential))) {
    report(case, name, list(kind = "other under a plan", says = ""))
  }
  "value held against its definition"
}
