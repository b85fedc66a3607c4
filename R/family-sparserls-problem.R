# The verbs of RLS on a subset of regressors (verbs.R). A candidate is a kernel, a `size` of the
# basis where several are searched, and the `selection` of basis vectors (basis-selection.R); with
# reselect also one for every fold, `folds`. Fields of the problem, beside those of problem.R:
#   basis           as asked for; `chosen`: the same after random draws, NULL where it is still to
#                   be drawn among `rows`, those that are not left out
#   given           the points that were asked for as a basis (basis-selection.R), or NULL
#   lambda, nlambda, jitter
#   solver, holdout_basis, reselect   how folds are left out, of a cross-validation

sparserls_problem <- function(design, call, kernels, basis, lambda, nlambda, intercept, standardize,
                              jitter, threads, validation = NULL, ...) {
  given <- points_of_basis(basis, design, kernels)
  chosen <- if (is.null(given)) choose_basis(basis, design) else seq_len(nrow(given))
  new_problem("sparserls", design, call, kernels, intercept, standardize, threads, validation,
              lambda = lambda, nlambda = nlambda, jitter = check_jitter(jitter), basis = basis,
              chosen = chosen, given = given, rows = seq_len(nrow(design$x)), takes_offset = TRUE,
              ...)
}

candidates.sparserls_problem <- function(problem, folds = NULL) {
  chosen <- problem$chosen
  if (is.null(chosen)) chosen <- choose_basis(problem$basis, problem$design, problem$rows)
  bases <- c(list(chosen), if (isTRUE(problem$reselect)) {
    choose_fold_bases(problem$basis, problem$design, problem$rows, folds$folds)
  })
  candidates_by_kernel(problem, bases)
}

# All sizes of a kernel, one after the other. Rows are selected once for all sizes: a basis begins
# with those of the smaller sizes. bases: of choose_basis(), for all rows and for each fold.
kernel_candidates.sparserls_problem <- function(problem, kernel, bases) {
  sizes <- if (inherits(problem$basis, "sparserls_basis")) problem$basis$sizes
  on_points <- kernel_points(problem, kernel)
  selections <- lapply(bases, new_selection, problem, on_points)
  lapply(if (is.null(sizes)) list(NULL) else sizes, function(size) {
    sized <- lapply(selections, function(selection) {
      list(kernel = kernel, selection = first_rows(selection, size))
    })
    c(sized[[1]], list(size = size, folds = sized[-1]))
  })
}

# A model: the basis and its kernel (`part`), the training list of the core, and the path.
train.sparserls_problem <- function(problem, candidate, path = NULL) {
  train_part(problem, candidate, basis_part(problem, candidate), path, rotate = FALSE)
}

basis_part <- function(problem, candidate) {
  on_points <- kernel_points(problem, candidate$kernel)
  if (is.null(problem$given)) return(kernel_problem(problem, on_points, candidate$selection))
  points_problem(problem, on_points, problem$given, problem$standard)
}

# rotate: prepare for the update form of the hold-out.
train_part <- function(problem, candidate, part, path = NULL, rotate) {
  training <- core_training(problem, part, rotate)
  lambda <- path_lambda(training, part, basis_weights(problem, part), problem$jitter,
                        if (is.null(path)) problem$lambda else path$lambda, problem$nlambda)
  candidate$kernel <- part$kernel
  list(candidate = candidate, path = new_path(lambda = lambda), part = part,
       training = training)
}

# With one basis for all folds the shortcut; with a basis for every fold, honest refits.
evaluate.sparserls_problem <- function(problem, candidate, folds, tick) {
  if (problem$reselect) return(NextMethod())
  part <- basis_part(problem, candidate)
  plan <- fold_plan(folds$folds, part$basis, problem$holdout_basis, problem$weights,
                    part$redundant)
  c <- if (is.null(problem$lambda)) problem$nlambda else length(problem$lambda)
  forms <- holdout_forms(problem$solver, plan, nrow(problem$y), length(part$basis),
                         ncol(problem$y), c)
  model <- train_part(problem, candidate, part, rotate = any(forms == form_code("update")))
  scores <- hold_out(model$training, model$path$lambda, plan, forms, tick)
  list(candidate = model$candidate, path = model$path, model = model, plan = plan,
       solver = problem$solver,
       held = held_by_plan(folds, plan, with_offset(scores, problem, plan$rows)))
}

refits.sparserls_problem <- function(problem, found, folds, at) {
  if (problem$reselect) NextMethod() else shortcut_refits(problem, found, at)
}

# Of a model with a basis of its own.
predictor.sparserls_problem <- function(problem, model) {
  part <- model$part
  spectrum <- c(model$training$spectrum, list(y_mean = model$training$y_mean))
  solved <- .Call(ffi_coefficients, spectrum, spectrum$y_mean, model$path$lambda)
  shape <- c(length(part$basis), ncol(problem$y), length(model$path$lambda))
  structure(list(kernel = part$kernel, basis = part$basis,
                 points = if (!is_precomputed(part$kernel)) point_rows(part$points, part$basis),
                 alpha = array(solved$alpha, shape), a0 = solved$a0), class = "own_expansion")
}

# A basis that was drawn is drawn anew, from the rows that are left.
without.sparserls_problem <- function(problem, rows) {
  problem$rows <- setdiff(problem$rows, rows)
  if (is.null(problem$given)) problem["chosen"] <- list(NULL)
  without_weight(problem, rows)
}

predict_rows.sparserls_problem <- function(problem, model, rows) {
  with_offset(trained_predictions(model, rows), problem, rows)
}

finish.sparserls_problem <- function(problem, begun, choice = NULL) {
  new_fit(problem, begun$model, "sparserls", path_choice(choice),
          jitter = problem$jitter, shift_df = model_shift_df(problem, begun$model),
          selector = begun$model$part$selector)
}

fits_each.sparserls_problem <- function(problem, nfolds) if (problem$reselect) NextMethod() else 1

own_fields.sparserls_problem <- function(problem, found, fit, index) {
  rows <- !problem$reselect && is.null(problem$given)
  part <- found[["model"]]$part
  c(list(holdout_basis = if (rows) problem$holdout_basis, reselect = problem$reselect),
    if (rows && problem$holdout_basis == "remove") {
      stand_ins(split(found$plan$rows, found$plan$fold), part$basis, part$redundant$rows,
                problem$design$rows)
    })
}

leaving_units.sparserls_problem <- function(problem, model) {
  if (problem$holdout_basis != "remove") return(NextMethod())
  part <- model$part
  list(own = c(part$basis, part$redundant$rows), plan = function(units) {
    fold_plan(units, part$basis, "remove", problem$weights, part$redundant)
  })
}

largest_block.sparserls_problem <- function(problem) {
  chosen <- problem$chosen
  list(rows = nrow(problem$y), columns = if (is.list(chosen)) chosen$n else length(chosen),
       what = "rows by basis vectors", remedy = "Use fewer basis vectors.")
}
