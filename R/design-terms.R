# The terms of a formula: their variables, and what they may hold.

# Names in the model frame of the variables of a formula without response.
term_variables <- function(form) {
  vapply(as.list(attr(form, "variables"))[-1], deparse1, "")
}

# Columns, or variables elsewhere, that the terms are about.
variable_names <- function(form) all.vars(attr(form, "variables"))

# The terms without the response, and without variables that are in no term: a fit of y ~ . - site
# does not know `site`, and new rows need not have it.
predictor_terms <- function(form) {
  form <- delete.response(form)
  kept <- attributes(form)
  used <- rowSums(kept$factors) > 0
  kept$variables <- kept$variables[c(TRUE, used)]
  kept$predvars <- kept$predvars[c(TRUE, used)]
  kept$factors <- kept$factors[used, , drop = FALSE]
  kept$dataClasses <- kept$dataClasses[setdiff(names(kept$dataClasses), names(used)[!used])]
  kept$offset <- NULL
  attributes(form) <- kept
  form
}

check_terms <- function(form) {
  must(attr(form, "response") != 0, "formula", "The formula has no response.", NULL,
       "Write y ~ x1 + x2.")
  must(length(attr(form, "term.labels")) > 0, "formula", "The formula has no predictors.", NULL,
       "Write y ~ . for all columns.")
  # model.matrix() would leave its column as the memory happens to be.
  must(!any(attr(form, "factors")[attr(form, "response"), ] > 0), "formula",
       "The response is one of the predictors, too.",
       sprintf("`%s`", term_variables(form)[attr(form, "response")]),
       "Leave it out on the right-hand side.")
}

# Terms in which these variables no longer are.
without_variables <- function(form, gone) {
  factors <- attr(form, "factors") > 0
  labels <- apply(factors & !gone, 2, function(used) {
    paste(rownames(factors)[used], collapse = ":")
  })
  new <- terms(stats::reformulate(setdiff(labels, ""), intercept = attr(form, "intercept") == 1,
                                  env = environment(form)))
  old <- term_variables(form)
  classes <- attr(form, "dataClasses")
  attr(new, "predvars") <- attr(form, "predvars")[c(1, match(term_variables(new), old) + 1)]
  attr(new, "dataClasses") <- classes[setdiff(names(classes), old[gone])]
  new
}
