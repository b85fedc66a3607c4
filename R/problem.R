# Problems: everything that a call specifies, checked, as one value. verbs.R says what is done with
# it.

# Fields of every problem; a family adds its own by `...` and documents them where it does.
#   call        the user's, by the name of the generic
#   design      x, the response and the labels of rows, as supplied (design.R)
#   y, weights  m x v and m, as the numeric core reads them; without() sets weights to zero. y is
#               less the offset
#   offset      m numbers in the unit of y, or NULL: what predictions of rows add (with_offset())
#   points, x   rows as kernels see them (kernel-points.R); NULL and the kernel values where
#               precomputed
#   standard    centre and scale of the columns, or NULL
#   columns, labels   names of the columns, of the rows
#   feature     which columns belong together, or NULL (terms_blueprint())
#   intercept, threads, standardize
#   kernels     a list: all that are searched
#   validation  of new_validation(), or NULL for a fit alone
#   settle      a function, where the likelihood leaves something open (settle()); or NULL
# asked: of read_arguments(), with `kernels`; own, ...: the family's own fields, by their names in
# `asked` or as they are.
new_problem <- function(family, asked, design, validation, own = NULL, takes_offset = FALSE, ...) {
  use_blas()
  if (!takes_offset) refuse_offset(design, paste0(family, "()"))
  else if (is.null(design$family)) check_numeric_offset(design)
  precomputed <- vapply(asked$kernels, is_precomputed, NA)
  if (any(precomputed)) {
    must(all(precomputed), "kernel",
         "A precomputed kernel cannot be searched together with others.")
    must(length(design$rows) == design$supplied, "kernel",
         "A precomputed kernel cannot be combined with `subset` or missing rows.")
    # The default is silent.
    if (asked$standardize && "standardize" %in% asked$given) {
      inform("`standardize` is ignored: the kernel is precomputed.")
    }
    asked$standardize <- FALSE
  }
  asked$intercept <- asked$intercept && design$intercept
  fields <- c("call", "standardize", "intercept", "threads", "kernels", own)
  problem <- c(asked[names(asked) %in% fields], list(
    design = design,
    x = if (any(precomputed)) design$x,
    columns = colnames(design$x),
    feature = design$blueprint$feature,
    y = if (!is.null(design$family)) design$response$y
        else less_offset(design$response$y, design$offset),
    offset = design$offset$values,
    weights = design$weights,
    labels = rownames(design$x) %||% as.character(design$rows),
    validation = validation,
    ...
  ))
  standardized(structure(problem, class = c(paste0(family, "_problem"), "problem")))
}

# Centres and scales of the columns, by the rows of positive weight, and the points with them.
standardized <- function(problem) {
  x <- problem$design$x
  centred <- is_centred(problem$intercept, problem$kernels)
  problem["standard"] <- list(standardizer(x, problem$weights, problem$standardize, centred,
                                           problem$feature))
  if (is.null(problem$x)) problem$points <- as_points(x, problem$standard)
  problem
}

# How a problem is to be cross-validated: a recipe for folds (fold-recipe.R), a measure, the rule
# for what is as good as the best (path.R), whether to keep the held-out predictions and to show
# progress, to choose lambda for every output alone, and a recipe for the outer folds of a nested
# cross-validation, or NULL. NULL for a fit alone.
new_validation <- function(asked, design, recipe = asked_folds(asked, design)) {
  if (!is_cv(asked)) return(NULL)
  measure <- read_measure(asked$type.measure, design$response, design$family)
  if (asked$by.output && !is.null(design$family)) {
    stop_likelihood("lambda for every output alone", "Leave `by.output` out.")
  }
  if (asked$by.output) check_by_output(measure, design$response)
  c(asked[c("rule", "keep", "certificate", "progress")], list(
    folds = recipe,
    measure = measure,
    by_output = asked$by.output,
    outer = if (!is.null(asked$outer)) nested_recipe(asked$outer, design, recipe)
  ))
}

# What squares can fit: of classes there are codes, and outputs would need offsets of their own.
check_numeric_offset <- function(design) {
  if (is.null(design$offset)) return()
  response <- design$response
  must(!is_class(response), "offset",
       "Least squares on the codes of classes takes no offset.", NULL, "Use family = \"binomial\".")
  must(ncol(response$y) == 1, "offset",
       "An offset is for a single output.", sprintf("%d outputs", ncol(response$y)),
       "Subtract the offsets from the outputs.")
}

# For a method that knows none.
refuse_offset <- function(design, method) {
  must(is.null(design$offset), "offset", sprintf("%s takes no offset.", method), NULL,
       "Subtract it from the response; sparserls() and rls() take offsets.")
}

# A kernel with its parameters, and the problem's points as it sees them.
kernel_points <- function(problem, kernel) {
  if (is_precomputed(kernel)) {
    return(list(kernel = kernel, points = precomputed_points(kernel, problem$x)))
  }
  # Weights as they were given: a default gamma is found once, for all folds.
  kernel <- resolve_kernel(kernel, problem$points, problem$columns, problem$feature,
                           problem$design$weights)
  list(kernel = kernel, points = kernel_view(problem$points, kernel))
}

# Problems without points (precomputed kernels, features) have nothing to find again.
remade.default <- function(problem, left) {
  if (is.null(problem$points)) return(problem)
  problem <- standardized(problem)
  points <- point_rows(problem$points, left)
  problem$kernels <- lapply(problem$kernels, resolve_kernel, points, problem$columns,
                            problem$feature, problem$design$weights[left])
  problem
}

# Rows of weight zero do not train.
without.default <- function(problem, rows) {
  problem$weights[rows] <- 0
  problem
}
