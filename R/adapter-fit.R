# What models of other packages are fitted by (adapter-parsnip.R, adapter-mlr3.R, adapter-caret.R):
# with one value of lambda a fit alone, unless held-out predictions are wanted; otherwise a
# cross-validation.

# method: "sparserls" or "rls". settings: arguments of the fit; choice: those that only its `cv.`
# function has. validated: whether a single lambda is cross-validated, too. The call would hold the
# data: it is left empty.
adapter_fit <- function(method, settings, choice, validated) {
  single <- length(settings$lambda) == 1
  if (single && !validated) return(with_calls(do.call(method, settings), call(method)))
  name <- paste0("cv.", method)
  choice$progress <- FALSE
  with_calls(quiet_edges(do.call(name, c(settings, choice)), single), call(name))
}

# Which of these arguments say how lambda is chosen.
are_of_choice <- function(arguments, method) {
  known <- function(name) names(formals(get(paste0(name, ".default"))))
  arguments %in% setdiff(known(paste0("cv.", method)), known(method))
}

# Whether probabilities are made from held-out scores: of classes without a likelihood.
calibrates <- function(y, family) is.factor(y) && is.null(family)

# A single lambda was not chosen at an edge.
quiet_edges <- function(code, single) {
  withCallingHandlers(code, sparserls_message = function(note) {
    if (single) tryInvokeRestart("muffleMessage")
  })
}

# No more folds than there are rows, or groups of them.
possible_folds <- function(nfolds, groups, rows) {
  min(nfolds, if (is.null(groups)) rows else length(unique(groups)))
}
