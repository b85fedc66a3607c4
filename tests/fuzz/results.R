# Results of every kind, and all methods that the package has for each: what is asked follows from
# NAMESPACE, so that a new method is asked without a line here.

# Quoted makers of results; x (a matrix), d (the same and y as a data frame, with a factor f), y,
# classes, counts and groups are drawn anew for each case.
makers <- list(
  sparserls = quote(sparserls(x, y, 1:6, lambda = c(1, 0.1))),
  rls = quote(rls(y ~ ., d, lambda = c(1, 0.1))),
  rls2 = quote(rls2(x, y, lambda = c(1, 0.1))),
  greedyrls = quote(greedyrls(x, y, 2)),
  ardrls = quote(ardrls(x, y, 1:6, penalty = c(Inf, 0), maxit = 2)),
  ardrls_map = quote(ardrls(x, y, 1:6, penalty = list(widths = c(Inf, 0), map = 0), map = TRUE,
                            maxit = 2)),
  binomial = quote(sparserls(x, classes, 1:6, lambda = c(1, 0.1), family = "binomial")),
  poisson = quote(rls(counts ~ a + b, d, lambda = c(1, 0.1), family = poisson())),
  cv.sparserls = quote(cv.sparserls(y ~ ., d, basis = 1:6, lambda = c(1, 0.1), groups = groups,
                                    keep = TRUE)),
  cv.classes = quote(cv.rls(x, classes, lambda = c(1, 0.1), groups = groups)),
  cv.rls = quote(cv.rls(x, y, lambda = c(1, 0.1), groups = groups, keep = TRUE, outer = 2)),
  cv.rls2 = quote(cv.rls2(x, y, lambda = c(1, 0.1), groups = groups, keep = TRUE)),
  cv.greedyrls = quote(cv.greedyrls(x, y, 2, lambda = 1, groups = groups, keep = TRUE)),
  own = quote(own(y ~ ., d, method = mean_method())),
  cv.own = quote(cv.own(x, y, mean_method(), groups = groups, keep = TRUE)),
  cv.ardrls = quote(cv.ardrls(y ~ ., d, basis = 1:20, penalty = c(Inf, 0), maxit = 2, outer = 2)),
  cv.binomial = quote(cv.sparserls(x, classes, 1:6, lambda = c(1, 0.1), family = "binomial",
                                   groups = groups, keep = TRUE)),
  cv.poisson = quote(cv.rls(counts ~ a + b + offset(c), d, lambda = c(1, 0.1), family = poisson(),
                            groups = groups, keep = TRUE)),
  derivatives = quote(derivatives(cv.rls(x, y, lambda = 1, groups = groups, keep = TRUE), x)),
  family_effects = quote(derivatives(cv.rls(x, classes, lambda = 1, family = "binomial",
                                            groups = groups, keep = TRUE), x)),
  average_effect = quote(average_effect(
    cv.rls(y ~ ., d, kernel_gaussian(0.3), 0.1, groups = groups, keep = TRUE),
    function(d) transform(d, a = a + 1), by = "f"
  )),
  effect_contrasts = quote(effect_contrasts(average_effect(
    cv.rls(y ~ ., d, kernel_gaussian(0.3), 0.1, groups = groups, keep = TRUE),
    function(d) transform(d, a = a + 1), by = "f"
  ))),
  effect_curve = quote(effect_curve(cv.rls(x, y, kernel_gaussian(1), 0.1, groups = groups), "a",
                                    x)),
  summary_fit = quote(summary(rls(x, y, lambda = 1))),
  summary_cv = quote(summary(cv.rls(x, y, lambda = c(1, 0.1), groups = groups))),
  summary_rls2 = quote(summary(rls2(x, y, lambda = 1))),
  summary_greedy = quote(summary(cv.greedyrls(x, y, 2, lambda = 1, groups = groups))),
  summary_effects = quote(summary(derivatives(rls(x, y, lambda = 1), x))),
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
)

if (requireNamespace("parsnip", quietly = TRUE)) {
  makers$parsnip <- quote(parsnip::fit_xy(
    parsnip::set_engine(parsnip::linear_reg(penalty = 1), "sparserls"), x, y
  ))
}

# What a method is given beside the object.
given_with <- list(
  predict = quote(list(object, x)), augment = quote(list(object, newdata = x)),
  derivatives = quote(list(object, x)),
  get_predict = quote(list(object, newdata = as.data.frame(x))),
  average_effect = quote(list(object, function(d) d, newdata = as.data.frame(x))),
  effect_curve = quote(list(object, "a", as.data.frame(x))),
  set_coef = quote(list(object, 1:4)), multi_predict = quote(list(object, x, penalty = 1)),
  Ops = quote(list(object, 2)), `[` = quote(list(object, 1:2)),
  `[<-` = quote(list(object, 1, value = 2)), quantile = quote(list(object, 0.5, na.rm = TRUE)),
  median = quote(list(object, na.rm = TRUE)), makepredictcall = quote(list(object, quote(a)))
)

# Group generics by one of their members.
member <- c(Ops = "+", Math = "abs", Summary = "range")

draw_data <- function() {
  x <- matrix(rnorm(120), 40, dimnames = list(NULL, c("a", "b", "c")))
  y <- sin(x[, 1]) + rnorm(40) / 2
  classes <- factor(ifelse(y + rnorm(40) > 0, "yes", "no"))
  counts <- rpois(40, exp(y / 2))
  groups <- rep(1:8, each = 5)
  list(x = x, y = y, classes = classes, counts = counts, groups = groups,
       d = data.frame(x, y = y, f = factor(rep(c("u", "v"), 20))))
}

# The generics that have a method for an object, by the table of offered().
generics_for <- function(object, all = offered()) {
  unique(all[!is.na(all$generic) & all$class %in% class(object) & is_here(all$from) &
               !all$class %in% c("default", "formula"), c("generic", "from")])
}

ask_generic <- function(generic, from, object, x) {
  if (generic %in% names(member)) generic <- member[[generic]]
  given <- if (is.null(given_with[[generic]])) quote(list(object)) else given_with[[generic]]
  ask <- get(generic, if (exists(generic, asNamespace("sparserls"))) asNamespace("sparserls")
                      else asNamespace(home_of(generic, from)))
  do.call(ask, eval(given), quote = TRUE)
}

# All methods of the result that is next.
result_case <- function(case, turn) {
  name <- names(makers)[turn %% length(makers) + 1]
  data <- draw_data()
  made <- judged(eval(makers[[name]], data, globalenv()), data, draws = TRUE)
  report(case, paste("result", name), made$finding)
  if (!is.null(made$error)) {
    report(case, paste("result", name),
           list(kind = "refused", says = conditionMessage(made$error)))
    return("error")
  }
  object <- made$value
  x <- if (is.list(object) && !is.null(object$terms)) data$d else data$x
  ask_all(case, name, object, x)
  "value"
}

ask_all <- function(case, name, object, x) {
  generics <- generics_for(object)
  chosen <- generics[sample.int(nrow(generics)), ]
  for (i in seq_len(nrow(chosen))) {
    utils::capture.output(answer <- judged(
      ask_generic(chosen$generic[i], chosen$from[i], object, x), list(object, x),
      draws = chosen$generic[i] == "update"
    ))
    report(case, paste(chosen$generic[i], "of", name), answer$finding)
  }
}
