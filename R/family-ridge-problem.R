# The verbs of RLS (verbs.R): rows in coordinates, of which squares make models for a whole path at
# once, and of which folds leave by the hold-out shortcut. (With a likelihood in place of squares
# family-likelihood.R answers some of them.) Two kinds of problem say what the coordinates are:
#
# "sparserls_problem"  a kernel with basis vectors. A candidate is a kernel, a `size` of the basis
# where several are searched, and the `selection` of basis vectors (basis-selection.R); with
# reselect also one for every fold, `folds`. Fields alongside those of problem.R:
#   basis           as asked for; `chosen`: the same after random draws, NULL where it is still to
#                   be drawn among `rows`, those that are not left out
#   given           the points that were asked for as a basis (basis-selection.R), or NULL
#   jitter
#   solver, holdout_basis, reselect   how folds are left out, of a cross-validation
# "rls_problem"  all rows: the features or the full kernel. A candidate is a kernel. Its field
#   solver          is that of training, as asked for
# Both have lambda (numbers, of rls() also lambda_df(), or NULL) and nlambda.
# A model has the `part` and the training list of train-coordinates.R, and the path.

# ...: fields of problems that are one of these, too.
sparserls_problem <- function(asked, design, validation, ...) {
  given <- points_of_basis(asked$basis, design, asked$kernels)
  chosen <- if (is.null(given)) choose_basis(asked$basis, design) else seq_len(nrow(given))
  new_problem(c("sparserls", "ridge"), asked, design, validation,
              c("lambda", "nlambda", "jitter", "basis", "solver", "holdout_basis", "reselect"),
              takes_offset = TRUE, chosen = chosen, given = given, rows = seq_len(nrow(design$x)),
              ...)
}

rls_problem <- function(asked, design, validation) {
  new_problem(c("rls", "ridge"), asked, design, validation,
              c("lambda", "nlambda", "solver", "reselect"), takes_offset = TRUE)
}

# ---- candidates --------------------------------------------------------------------------------

candidates.ridge_problem <- function(problem, folds = NULL) candidates_by_kernel(problem, NULL)

candidates.sparserls_problem <- function(problem, folds = NULL) {
  choose <- function(rows) choose_basis(problem$basis, problem$design, rows)
  # Before any kernel is looked at, so that all kernels of a search see the same random basis.
  chosen <- problem$chosen %||% choose(problem$rows)
  candidates_by_kernel(problem, c(list(chosen), if (problem$reselect) {
    lapply(seq_along(folds$folds), function(i) {
      located(sprintf("fold %d", i), choose(setdiff(problem$rows, folds$folds[[i]]$omit)))
    })
  }))
}

kernel_candidates.ridge_problem <- function(problem, kernel, bases) list(list(kernel = kernel))

# All sizes of a kernel, one after the other. Rows are selected once for all sizes: a basis begins
# with those of the smaller sizes. bases: of choose_basis(), for all rows and for each fold.
kernel_candidates.sparserls_problem <- function(problem, kernel, bases) {
  sizes <- if (inherits(problem$basis, "sparserls_basis")) problem$basis$sizes
  selections <- lapply(bases, new_selection, problem, kernel_points(problem, kernel))
  lapply(sizes %||% list(NULL), function(size) {
    sized <- lapply(selections, function(selection) {
      list(kernel = kernel, selection = first_rows(selection, size))
    })
    c(sized[[1]], list(size = size, folds = sized[-1]))
  })
}

# ---- coordinates -------------------------------------------------------------------------------

# The part of a candidate, and its training list.
ridge_part <- function(problem, candidate) {
  on_points <- kernel_points(problem, candidate$kernel)
  if (inherits(problem, "rls_problem")) rls_part(problem, on_points, problem$solver)
  else if (is.null(problem$given)) kernel_part(problem, on_points, candidate$selection)
  else points_part(problem, on_points, problem$given, problem$standard)
}

ridge_training <- function(problem, part) {
  if (inherits(problem, "rls_problem")) rls_training(problem, part)
  else core_training(problem, part)
}

# Folds as they leave these coordinates.
ridge_plan <- function(problem, part, folds) {
  if (is.null(problem$holdout_basis)) return(fold_plan(folds, integer(), "keep", problem$weights))
  fold_plan(folds, part$basis, problem$holdout_basis, problem$weights, part$redundant,
            problem$solver)
}

# ---- models ------------------------------------------------------------------------------------

train.ridge_problem <- function(problem, candidate, path = NULL) {
  part <- ridge_part(problem, candidate)
  training <- ridge_training(problem, part)
  lambda <- ridge_path(problem, part, training, path$lambda %||% problem$lambda)
  candidate$kernel <- part$kernel
  list(candidate = candidate, path = new_path(lambda = lambda), part = part, training = training)
}

# With one basis for all folds the shortcut; with a basis for every fold, honest refits.
evaluate.ridge_problem <- function(problem, candidate, folds, tick) {
  if (problem$reselect) return(NextMethod())
  model <- train(problem, candidate)
  if (folds$kind == "pairs") return(evaluate_pairs(model))
  lambda <- model$path$lambda
  plan <- ridge_plan(problem, model$part, folds$folds)
  model$training <- turned(model$training, plan, lambda)
  scores <- hold_out(model$training, plan, lambda, tick = tick)
  begun_with(model, plan = plan,
             held = held_by_plan(folds, plan, with_offset(scores, problem, plan$rows)))
}

# All pairs of rows that differ in y, held out two at a time.
evaluate_pairs <- function(model) {
  model$training <- turned(model$training)
  counts <- computed(.Call(ffi_leave_pairs_out, model$training, model$path$lambda))
  begun_with(model, held = structure(counts[c("concordant", "pairs")], class = "held_pairs"))
}

# For a problem of ardrls(), with widths as they are.
as_sparserls <- function(problem) {
  structure(problem, class = c("sparserls_problem", "ridge_problem", "problem"))
}

predict_rows.ridge_problem <- function(problem, model, rows) {
  lambda <- model$path$lambda
  fitted <- .Call(ffi_fitted, model$training, lambda)$fitted
  fitted <- array(fitted, c(dim(problem$y), length(lambda)))
  with_offset(fitted[rows, , , drop = FALSE], problem, rows)
}

# A basis that was drawn is drawn again, from the rows that are left.
without.sparserls_problem <- function(problem, rows) {
  problem$rows <- setdiff(problem$rows, rows)
  if (is.null(problem$given)) problem["chosen"] <- list(NULL)
  NextMethod()
}

finish.sparserls_problem <- function(problem, begun, choice = NULL) {
  new_ridge_fit(problem, begun$model, "sparserls", path_choice(choice),
          jitter = problem$jitter, shift_df = model_shift_df(problem, begun$model),
          selector = begun$model$part$selector)
}

finish.rls_problem <- function(problem, begun, choice = NULL) {
  with_gcv(new_ridge_fit(problem, begun$model, "rls", path_choice(choice),
                   solver = begun$model$training$solver))
}

with_gcv <- function(fit) {
  rows <- trained_rows(fit)
  fit$gcv <- rows * residual_squares(fit, NULL) / (rows - fit$df - fit$intercept)^2
  fit
}

# ---- refits ------------------------------------------------------------------------------------

refits.ridge_problem <- function(problem, found, folds, at) {
  if (problem$reselect) NextMethod() else shortcut_refits(problem, found, at)
}

# ---- what is known of it -----------------------------------------------------------------------

own_fields.sparserls_problem <- function(problem, found, fit, index) {
  rows <- !problem$reselect && is.null(problem$given)
  part <- found[["model"]]$part
  basis_fields(if (rows) problem$holdout_basis, problem$reselect,
               split(found$plan$rows, found$plan$fold), part$basis, part$redundant$rows,
               problem$design$rows)
}

# mode: what became of held-out basis vectors, NULL where none is held out; ...: of stand_ins().
basis_fields <- function(mode, reselect, ...) {
  c(list(holdout_basis = mode, reselect = reselect),
    if (identical(mode, "remove")) stand_ins(...))
}
