#' Models for tidymodels
#'
#' Engines "sparserls" of parsnip, known after `library(sparserls)`.
#'
#' | model | engine | arguments |
#' |---|---|---|
#' | `linear_reg()` | ridge regression, [rls()] | `penalty`: lambda; `mixture` 0 or `NULL` |
#' | `svm_linear()` | linear kernel, [sparserls()] | `cost`: `1 / lambda`; `margin` `NULL` |
#' | `svm_rbf()` | Gaussian or another kernel, [sparserls()] | the same, and `rbf_sigma` is gamma |
#' | `logistic_reg()`, `multinom_reg()` | ridge logistic regression, [rls()] | as `linear_reg()` |
#' | `poisson_reg()` | ridge Poisson regression, [rls()] | as `linear_reg()` |
#' | `krr_reg()` of FastKRR | [rls()] or [sparserls()] | see below |
#'
#' @section Arguments: The loss is a sum, so lambda grows with the rows: glmnet's penalty of the
#'   same problem is `lambda * sd(y) / m`, and kernlab's `C` does not carry over. Columns are
#'   standardized; `rbf_sigma = NULL` is the default gamma, which is searched whenever the model
#'   cross-validates (without `cost`, with `keep`, or for classes).
#'
#'   Without `penalty` (or `cost`) the model *chooses lambda itself* by exact cross-validation: tune
#'   only the other arguments. `multi_predict()` takes any `penalty` (`cost`), and one fit serves a
#'   whole grid of `penalty` of `linear_reg()`.
#'
#'   `set_engine("sparserls", ...)` takes `basis` (to tune it, `basis = tune()` and [num_basis()]);
#'   `nfolds`, `groups` and `type.measure` for the choice of lambda; `lambda`, its grid; for
#'   `svm_rbf()` a `kernel`, or, without `cost`, several, such as
#'   `list(kernel_gaussian(), kernel_laplacian())`; and other arguments of [cv.rls()] and
#'   [cv.sparserls()].
#' @section Factors and gaps: Give `svm_rbf()` and `krr_reg()` factors as they are, without
#'   `recipes::step_dummy()`: a factor is then one feature of the kernel, and an ordered one a
#'   number, see [factors]. The linear models have contrasts. Formulas of
#'   `fit()` are those of [sparserls()], `offset()` included. Rows with missing values are dropped
#'   by `fit()` and predicted as NA; [na_level()] or a recipe fills them.
#' @section Groups: Resamples of whole groups (`rsample::group_vfold_cv()`) are all that tuning
#'   `penalty` or `cost` needs. A model that chooses lambda itself leaves out single rows unless it
#'   is given groups: `set_engine("sparserls", groups = "id")` names a column of the data in
#'   `fit()` by a formula, also in resamples (write `- id` in it).
#' @section Prediction intervals: In regression, with `keep = TRUE` (and `groups`) in
#'   `set_engine()`, `predict(type = "pred_int")` gives those of `interval = "jackknife+"`
#'   ([predict.sparserls_fit()]), with `groups` for new groups. A given `penalty` or `cost` is then
#'   cross-validated, too.
#' @section Classes: `svm_linear()` and `svm_rbf()` classify by least squares; probabilities are
#'   calibrated on held-out scores, so these models always cross-validate (`nfolds`, 10 folds).
#'   `logistic_reg()` and `multinom_reg()` maximize the likelihood, for several classes each against
#'   all others. `set_engine("sparserls", family = "binomial")` turns the `svm_` models into kernel
#'   logistic regressions.
#' @section Families: `family` of `set_engine()` is that of [rls()]: `poisson_reg()` also takes
#'   `MASS::negative.binomial(theta)` and `Gamma(link = "log")`. `multi_predict()` of these models
#'   takes values of a grid given by `set_engine("sparserls", lambda = )`, without `penalty`.
#' @section krr_reg: FastKRR's model, for regression only: its `penalty` is lambda / m, `rho` gamma,
#'   `kernel` `"gaussian"` or `"laplace"`; `opt = "exact"` is [rls()], `"nystrom"` and `"pivoted"`
#'   are [sparserls()] with `m` basis vectors, at random or by pivoted Cholesky. Columns are not
#'   standardized.
#' @section The fit itself: `tidy()` has the coefficients at the chosen lambda; `glance()` and
#'   `autoplot()` are those of the fit or cross-validation in `extract_fit_engine(fit)$object`,
#'   whose effects need the training rows as `data` (or `newdata`). Predict with the workflow or the
#'   parsnip fit, which codes columns.
#' @examples
#' \donttest{
#' library(sparserls)
#' if (requireNamespace("parsnip", quietly = TRUE)) {
#'   spec <- parsnip::set_engine(parsnip::linear_reg(penalty = 1), "sparserls")
#'   fit <- parsnip::fit(spec, lpsa ~ . - train, data = prostate)
#'   predict(fit, prostate[1:3, ])
#'   parsnip::multi_predict(fit, prostate[1:3, ], penalty = c(0.1, 10))
#'
#'   # lambda by leaving groups out, and intervals for rows of new groups
#'   site <- rep(1:20, length.out = nrow(prostate))
#'   spec <- parsnip::set_engine(parsnip::svm_rbf("regression"), "sparserls", groups = site,
#'                               keep = TRUE)
#'   fit <- parsnip::fit(spec, lpsa ~ . - train, data = prostate)
#'   predict(fit, prostate[1:3, ], type = "pred_int", level = 0.9)
#' }
#' }
#' @name tidymodels
NULL

#' What parsnip calls
#'
#' The functions behind the engines of [tidymodels].
#'
#' @param x,y,weights rows, as parsnip passes them: x and y, or a formula and the data.
#' @param lambda,penalty,cost,gamma of the model; `NULL`: chosen.
#' @param model,mixture,margin,family,kernel see [tidymodels].
#' @param ... further arguments of [rls()] or [sparserls()], or of their `cv.` functions.
#' @return An object of class `sparserls_engine` with the fit or cross-validation in
#'   `object` and the value of lambda in `lambda`.
#' @keywords internal
#' @export
engine_fit <- function(x, y, weights = NULL, lambda = NULL, cost = NULL, gamma = NULL,
                       model = "linear_reg", mixture = NULL, margin = NULL, family = NULL,
                       penalty = NULL, kernel = NULL, ...) {
  # tidymodels evaluates arguments of the engine here, and not in the data.
  tryCatch(list(...), error = function(e) {
    abort("argument", "An argument of set_engine() could not be evaluated.", conditionMessage(e),
          "Columns are not looked up there: groups = data$id, or groups = \"id\" by a formula.")
  })
  must(is.null(mixture) || identical(as.double(mixture), 0), "argument",
       "`mixture` must be 0 or NULL with the engine sparserls.", shown(mixture),
       "There is no lasso here: see rls2() and greedyrls() for selected features.")
  must(is.null(margin), "argument", "`margin` must be NULL with the engine sparserls.",
       shown(margin), "Squared losses have no margin.")
  lambda <- penalty %||% lambda
  if (!is.null(cost)) lambda <- 1 / cost
  must(is.null(kernel) || model == "svm_rbf", "kernel",
       sprintf("%s() is linear: it has no `kernel`.", model), shown(kernel),
       "Use svm_rbf(), with `family` in set_engine() for counts and classes.")
  if (is_string(kernel)) kernel <- named_kernel(kernel, "kernel")
  kernel <- if (model != "svm_rbf") kernel_linear()
            else if (is.null(kernel)) kernel_gaussian(gamma)
            else if (is.null(gamma)) kernel
            else with_gamma(kernel, gamma)
  new_engine(x, y, weights, lambda, kernel, !startsWith(model, "svm_"), family = family, ...)
}

# full: rls() rather than sparserls().
new_engine <- function(x, y, weights, lambda, kernel, full, ...) {
  given <- c(engine_rows(x, y), list(kernel = kernel, weights = weights, lambda = lambda, ...))
  response <- if (inherits(x, "formula")) eval(x[[2]], y, environment(x)) else given$y
  object <- adapter_fit(if (full) "rls" else "sparserls", given, is.factor(response))
  structure(list(object = object, lambda = object$lambda.min %||% object$lambda),
            class = "sparserls_engine")
}

# Rows as arguments of ours: x and y, or a formula and the data. Where a model takes a formula, rows
# of fit_xy() come as `..y ~ .`.
engine_rows <- function(x, y) {
  if (!inherits(x, "formula")) return(list(x = x, y = if (is.data.frame(y)) y[[1]] else y))
  if (!identical(x[[2]], quote(..y))) return(list(x, data = y))
  rows <- as.data.frame(y[setdiff(names(y), "..y")])
  if (all(vapply(rows, is.numeric, NA))) rows <- parsnip::maybe_matrix(rows)
  list(x = rows, y = y[["..y"]])
}

#' @export
print.sparserls_engine <- function(x, ...) {
  print(x$object, ...)
  invisible(x)
}

# Rows with missing values that na_level() does not fill are predicted as NA.
#' @export
predict.sparserls_engine <- function(object, newdata, type = "response", lambda = object$lambda,
                                     level = 0.95, ...) {
  check_dots(...)
  model <- object$object
  fit <- final_fit(model)
  # Entries that a sparse matrix does not store are zeros.
  x <- if (fit$blueprint$type == "terms") forge(fit$blueprint, newdata) else newdata
  complete <- which(rowSums(is.na(x)) == 0)
  if (length(complete) < nrow(newdata)) {
    found <- predict(object, newdata[complete, , drop = FALSE], type, lambda, level)
    rows <- match(seq_len(nrow(newdata)), complete)
    return(if (is.matrix(found)) found[rows, , drop = FALSE] else found[rows])
  }
  if (type == "interval") {
    must(inherits(model, "sparserls_cv") && !is.null(model$refits), "keep",
         "The engine has not kept what prediction intervals need.", NULL,
         "Use set_engine(\"sparserls\", keep = TRUE), with `groups` where rows have some.")
    return(predict(model, newdata, interval = "jackknife+", level = level))
  }
  if (!has_family(fit)) {
    must(type != "prob" || identical(lambda, object$lambda), "argument",
         "Probabilities exist only at the value of lambda of the fitted model.",
         enumerate(format(lambda)), "Fit the model again for other values.")
    # The coordinates of the fit serve any values.
    check_resolvable(check_lambda(lambda), fit$spectrum$values)
    if (type != "prob") model <- replace(fit, "lambda", list(c(fit$lambda, lambda)))
  }
  found <- predict(model, newdata, s = lambda, type = type)
  if (is.matrix(found)) found else unname(found)
}

#' @exportS3Method generics::tidy
tidy.sparserls_engine <- function(x, ...) {
  check_dots(...)
  generics::tidy(final_fit(x$object), s = x$lambda)
}

#' @exportS3Method generics::glance
glance.sparserls_engine <- function(x, ...) generics::glance(x$object, ...)

#' @exportS3Method ggplot2::autoplot
autoplot.sparserls_engine <- function(object, ...) ggplot2::autoplot(object$object, ...)

# ---- registration ----------------------------------------------------------------------------

register_parsnip <- function(...) {
  ridge <- function(one_fit) {
    list(penalty = dial("penalty", "penalty", c(-3, 4), one_fit), mixture = dial("mixture"))
  }
  add_engine("linear_reg", "regression", ridge(TRUE))
  add_engine("logistic_reg", "classification", ridge(FALSE), family = "binomial")
  add_engine("multinom_reg", "classification", ridge(FALSE), family = "binomial")
  add_engine("poisson_reg", "regression", ridge(FALSE), family = "poisson")
  kernels <- list(cost = dial("cost", range = c(-12, 8)), margin = dial("margin", "svm_margin"))
  add_engine("svm_linear", c("regression", "classification"), kernels)
  add_engine("svm_rbf", c("regression", "classification"),
             c(kernels, list(rbf_sigma = dial("gamma", "rbf_sigma", c(-3, 1)))))
}

# Our name of an argument, its function of dials, and whether one fit serves all values.
dial <- function(ours, fun = ours, range = NULL, one_fit = FALSE) {
  list(ours, known(pkg = "dials", fun = fun, range = range), one_fit)
}

# arguments: by parsnip's names lists of dial(); family: the default one.
add_engine <- function(model, modes, arguments, fit = "engine_fit", family = NULL) {
  if ("sparserls" %in% parsnip::get_from_env(model)$engine) return()
  defaults <- if (fit == "engine_fit") known(model = model, family = family)
  for (mode in modes) {
    parsnip::set_model_engine(model, mode, "sparserls")
    parsnip::set_dependency(model, "sparserls", "sparserls", mode)
    # Formulas and factors as they are: of a formula parsnip would hand over all variables, whatever
    # it says, and a matrix would have no offset.
    parsnip::set_fit(model, mode, "sparserls", list(
      protect = c("x", "y", "weights"), func = c(pkg = "sparserls", fun = fit),
      defaults = as.list(defaults), interface = "formula",
      data = c(formula = "x", data = "y", weights = "weights")
    ))
    parsnip::set_encoding(model, mode, "sparserls", list(
      predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = TRUE,
      allow_sparse_x = TRUE
    ))
    types <- c(if (mode == "regression") c(numeric = "response", pred_int = "interval")
               else c(class = "class", prob = "prob"), raw = "response")
    for (type in names(types)) {
      parsnip::set_pred(model, mode, "sparserls", type, engine_prediction(type, types[[type]]))
    }
  }
  for (name in names(arguments)) {
    do.call(parsnip::set_model_arg, c(model, "sparserls", name, arguments[[name]]))
  }
}

engine_prediction <- function(type, ours) {
  arguments <- list(object = quote(object$fit), newdata = quote(new_data))
  if (type != "raw") arguments$type <- ours
  if (type == "pred_int") arguments$level <- quote(level)
  post <- switch(type,
    prob = function(x, object) as_tibble_class(as.data.frame(x)),
    pred_int = function(x, object) {
      as_tibble_class(list(.pred_lower = unname(x[, "lwr"]), .pred_upper = unname(x[, "upr"])))
    }
  )
  list(pre = NULL, post = post, func = c(fun = "predict"), args = arguments)
}

# A data frame as tibble has them, without that package.
as_tibble_class <- function(frame) {
  structure(frame, class = c("tbl_df", "tbl", "data.frame"),
            row.names = .set_row_names(length(frame[[1]])))
}

# ---- several penalties -----------------------------------------------------------------------

#' @rawNamespace S3method(parsnip::multi_predict, "_sparserls_engine", predict_penalties)
predict_penalties <- function(object, new_data, type = NULL, penalty = NULL, cost = NULL, ...) {
  check_dots(...)
  spec <- object$spec
  model <- object$fit$object
  classes <- spec$mode == "classification"
  types <- if (!classes) "numeric"
           else c("class", if (is_likelihood(final_fit(model)$family)) "prob")
  type <- type %||% types[1]
  must(type %in% types, "argument",
       "`type` of multi_predict() must be \"numeric\", or \"class\" for classes.",
       shown(type), "Probabilities need a fit for each value, or one with a family.")
  fitted <- object$fit$lambda
  by_cost <- inherits(spec, c("svm_linear", "svm_rbf"))
  name <- if (by_cost) "cost" else "penalty"
  must(is.null(if (by_cost) penalty else cost), "argument",
       sprintf("multi_predict() of %s() takes `%s`.", class(spec)[1], name),
       if (by_cost) "penalty" else "cost")
  # krr_reg() counts by rows.
  unit <- if (inherits(spec, "krr_reg")) nobs(model) else 1
  values <- sort(if (by_cost) cost else penalty)
  if (!length(values)) values <- if (by_cost) 1 / fitted else fitted / unit
  lambda <- if (by_cost) 1 / values else values * unit
  predicted <- function(lambda) {
    predict(object, new_data, type = "raw",
            opts = list(lambda = lambda, type = if (classes) type else "response"))
  }
  # The columns of the answer, value after value; then those of every row.
  found <- if (type == "prob") {
    p <- warned_once(do.call(rbind, lapply(lambda, predicted)))
    setNames(as.data.frame(p), paste0(".pred_", colnames(p)))
  } else {
    setNames(list(unlist(as.data.frame(predicted(lambda)), use.names = FALSE)),
             if (classes) ".pred_class" else ".pred")
  }
  m <- nrow(new_data)
  as_tibble_class(list(.pred = lapply(seq_len(m), function(i) {
    rows <- seq(i, by = m, length.out = length(values))
    as_tibble_class(c(setNames(list(values), name), lapply(found, `[`, rows)))
  })))
}

#' The number of basis vectors as a parameter to tune
#'
#' A parameter for the package dials, for `set_engine("sparserls", basis = tune())`: tune does not
#' know arguments of engines, so add it to the parameter set of the model or workflow.
#'
#' @param range the smallest and the largest number.
#' @param trans a transformation of the package scales, or `NULL`.
#' @return A parameter of class `quant_param`.
#' @examples
#' if (requireNamespace("dials", quietly = TRUE)) num_basis()
#' \donttest{
#' if (requireNamespace("tune", quietly = TRUE)) {
#'   spec <- parsnip::set_engine(parsnip::svm_rbf("regression"), "sparserls", basis = tune::tune())
#'   parameters <- hardhat::extract_parameter_set_dials(spec)
#'   parameters <- update(parameters, basis = num_basis(c(10L, 100L)))
#'   dials::grid_regular(parameters, levels = 3)       # for tune_grid(grid = )
#' }
#' }
#' @export
num_basis <- function(range = c(20L, 500L), trans = NULL) {
  check_installed("dials", "num_basis()", "argument")
  dials::new_quant_param("integer", range, c(TRUE, TRUE), trans = trans,
                         label = c(num_basis = "# Basis Vectors"))
}

# ---- FastKRR ---------------------------------------------------------------------------------

#' @rdname engine_fit
#' @param rho,opt,m,n_threads,eps,na.rm arguments of `krr_reg()`.
#' @export
engine_krr <- function(x, y, weights = NULL, penalty = NULL, kernel = "gaussian", rho = 1,
                       opt = "exact", m = NULL, n_threads = NULL, eps = NULL, na.rm = NULL, ...) {
  check_choice(kernel, c("gaussian", "laplace"), "kernel")
  check_choice(opt, c("exact", "nystrom", "pivoted"), "opt")
  rows <- if (inherits(x, "formula")) model.frame(x, y) else x
  lambda <- if (!is.null(penalty)) check_lambda(penalty, NULL) * nrow(rows)
  kernel <- if (kernel == "gaussian") kernel_gaussian(rho) else kernel_laplacian(rho)
  given <- list(x, y, weights, lambda, kernel, full = opt == "exact", standardize = FALSE,
                threads = n_threads, ...)
  if (opt != "exact" && !is.null(m)) {
    given$basis <- if (opt == "nystrom") basis_random(m) else basis_rpcholesky(m)
  }
  do.call(new_engine, given)
}

register_krr <- function(...) {
  identity <- list(pkg = "base", fun = "identity")
  ours <- sapply(c("kernel", "opt", "m", "eps", "n_threads", "rho", "na.rm"), list, identity,
                 FALSE, simplify = FALSE)
  add_engine("krr_reg", "regression", c(list(penalty = dial("penalty")), ours), "engine_krr")
}
