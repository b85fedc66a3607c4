# The two cross-validations of sparserls(): with one basis for all folds, and with a basis chosen
# anew in every fold. Both answer the cache of the fit to all rows, lambda and the scored pairs.

check_reselect <- function(reselect, basis, mode) {
  check_flag(reselect, "reselect")
  selector <- is.null(basis) || inherits(basis, "sparserls_basis")
  if (!reselect && inherits(basis, "sparserls_basis") && basis$type == "greedy") {
    warn("selection",
         "The error is too good: basis_greedy() has seen the responses of the held-out rows.", NULL,
         "`reselect = TRUE` selects anew in every fold.")
  }
  if (!reselect) return(invisible())
  if (!selector && !is_basis_count(basis)) {
    abort("basis", "`reselect = TRUE` needs a `basis` that can be chosen anew.", describe(basis),
          "Use a number, or basis_random() and its like.")
  }
  if (mode != "remove") {
    abort("argument", "`holdout_basis` must be left alone with `reselect = TRUE`.",
          sprintf("\"%s\"", mode), "No basis vector is ever held out.")
  }
}

# Before any kernel is looked at, so that all kernels of a search see the same random basis.
choose_fold_bases <- function(basis, design, folds) {
  lapply(seq_along(folds), function(i) {
    rows <- setdiff(seq_len(nrow(design$x)), folds[[i]])
    if (length(rows) == 0) {
      abort("folds", "A fold holds all rows: none is left to choose a basis from.",
            sprintf("fold %d", i), "Use more folds or smaller groups.")
    }
    choose_basis(basis, design, rows)
  })
}

basis_out <- function(problem, part, lambda, nlambda, solver, folds, tick, mode) {
  plan <- fold_plan(folds$folds, part$basis, mode, problem$weights, part$redundant)
  forms <- basis_forms(solver, plan, problem, part, lambda, nlambda)
  cache <- train_cache(problem, part, rotate = any(forms == form_code("update")))
  path <- path_lambda(cache, part, problem$jitter, lambda, nlambda)
  scores <- hold_out(cache, path, plan, forms, tick)
  list(cache = cache, lambda = path, pairs = scored_pairs(plan, scores, folds$groups))
}

# fold_part(i): the problem's part with the basis of fold i, which holds none of its rows. So a fold
# is the plain hold-out from a fit to all rows with that basis.
reselected_out <- function(problem, part, lambda, nlambda, solver, folds, tick, fold_part) {
  plan <- fold_plan(folds$folds, integer(), "keep", problem$weights)
  cache <- train_cache(problem, part, rotate = FALSE)
  path <- path_lambda(cache, part, problem$jitter, lambda, nlambda)
  chunks <- fold_chunks(length(folds$folds), progress_steps)
  scores <- lapply(seq_along(folds$folds), function(i) {
    part <- fold_part(i)
    fold <- single_fold(plan, i)
    forms <- basis_forms(solver, fold, problem, part, path)
    cache <- train_cache(problem, part, rotate = any(forms == form_code("update")))
    check_resolvable(path, cache$spectrum$values)
    score <- hold_out(cache, path, fold, forms, NULL)
    if (!is.null(tick) && !isTRUE(chunks[i] == chunks[i + 1])) tick()
    matrix(score, length(fold$rows))
  })
  scores <- array(do.call(rbind, scores), c(length(plan$rows), ncol(problem$y), length(path)))
  list(cache = cache, lambda = path, pairs = scored_pairs(plan, scores, folds$groups))
}

basis_forms <- function(solver, plan, problem, part, lambda, nlambda) {
  holdout_forms(solver, plan, nrow(problem$y), length(part$basis), ncol(problem$y),
                if (is.null(lambda)) nlambda else length(lambda))
}
