# Held-out predictions of penalized likelihood (family-likelihood.R): the fits of a path with the
# refits without every fold, as exact as the choice asks for.

evaluate.glm_problem <- function(problem, candidate, folds, tick) {
  if (problem$reselect) return(NextMethod())
  # A share of the candidate's work is done.
  tell <- function(share) {
    if (!is.null(tick)) tick(share * min(progress_steps, length(folds$folds)))
  }
  model <- begin_model(problem, candidate)
  plan <- ridge_plan(problem, model$part, folds$folds)
  check_fold_intercepts(problem, plan)
  held_of <- function(solved) {
    held <- lapply(solved, function(found) found$refits$prediction)
    if (!is.null(plan$answer)) held <- lapply(held, function(x) rows_at(x, plan$answer))
    held_by_plan(folds, plan, with_offset(bind_outputs(held), problem, plan$rows))
  }
  model <- path_folds(problem, model, plan, held_of, tell)
  model <- exact_choice(problem, model, function(model) held_of(model$solved),
                        function(model, wanted) exact_lambdas(problem, model, plan, wanted, tell))
  begun_with(model, plan = plan, certified = certified_folds(model), held = held_of(model$solved))
}

# How the core does a path with folds.
path_manner <- function(problem, model, plan) {
  folds <- length(plan$h)
  kept <- prod(dim(model$training$map)[1], folds, length(model$path$lambda)) <= 4e6
  many <- folds > many_folds
  asked <- problem$validation$certificate %||% if (many) rough_tolerance else path_tolerance
  exact <- asked <= fold_tolerance
  list(fit = if (exact) fit_tolerance else loose_fit, folds = asked,
       apart = if (exact || many) 1 else 3, keep = kept && !many)
}

# The model with `solved`, and `asked`, the tolerances of refits. A path that is open ends where the
# held-out error is two standard errors above its least and `df` is known: nobody would choose what
# follows. The core does some values at a time, up to where that is expected, and with less care
# those whose error may be half a standard error above the least.
path_folds <- function(problem, model, plan, held_of, tell) {
  lambda <- model$path$lambda
  how <- path_manner(problem, model, plan)
  rows <- !is.null(problem$validation$measure$rows)
  model$solved <- vector("list", ncol(problem$y))
  error <- list(cvm = NULL, cvsd = NULL)
  usual <- how
  next_count <- 20
  while (length(model$asked) < length(lambda)) {
    done <- length(model$asked)
    to <- min(done + next_count, length(lambda))
    # Both ends have degrees of freedom of their own.
    ends <- next_count < ahead || to == length(lambda)
    how$apart <- replace(rep(usual$apart, to), c(1, if (ends) to), 1)
    model$solved <- lapply(seq_along(model$solved), function(j) {
      core_path(problem, model, j, lambda[seq_len(to)], how, plan, model$solved[[j]])
    })
    reached <- min(lengths(lapply(model$solved, `[[`, "b0")))
    model$asked <- rep_len(how$folds, reached)
    tell(0.8 * (to - done) / length(lambda))
    if (rows && reached > done) {
      new <- errors(held_of(lapply(model$solved, some_lambdas, (done + 1):reached)), problem)
      error <- Map(c, error, new[c("cvm", "cvsd")])
      best <- which.min(error$cvm)
      rise <- (error$cvm - error$cvm[best]) / error$cvsd[best]
      expected <- expected_rise(rise[reached], reached - best)
      next_count <- min(which(expected > 2), ahead)
      careless <- expected > 0.5 & is.null(problem$validation$certificate)
      how$folds <- c(model$asked, ifelse(careless, rough_tolerance, usual$folds))
      ended <- if (is.null(problem$lambda)) path_end(model, rise, best)
      if (length(ended)) {
        model$asked <- model$asked[seq_len(ended[1])]
        break
      }
    }
    if (reached < to) break
  }
  model$solved <- lapply(model$solved, some_lambdas, seq_along(model$asked))
  reached_path(model)
}

# Where errors behind the best have risen by two standard errors, and `df` is known.
path_end <- function(model, rise, best) {
  values <- seq_along(rise)
  which(rise > 2 & is.finite(rowSums(solved_table(model, "df"))[values]) & values > best)
}

# How far the error is expected above its least at the next values of lambda, if it has risen by
# `rise` in the last `values`: by the square of their number.
expected_rise <- function(rise, values) {
  if (isTRUE(rise > 0)) rise * ((values + seq_len(ahead)) / values)^2 else numeric(ahead)
}
ahead <- 10

# Refits in full where the choice is made: at what is chosen, next to it, and where errors are as
# near to the best, or to those that are as good, as the refits that became exact have moved theirs.
# held_of: a function of the model; improve: of the model and these positions.
exact_choice <- function(problem, model, held_of, improve) {
  exact <- model$asked <= fold_tolerance
  before <- NULL
  moved <- 0
  repeat {
    held <- held_of(model)
    error <- choice_errors(held, problem)
    if (!is.null(before)) moved <- max(moved, 2 * abs(error$cvm - before))
    before <- error$cvm
    chosen <- path_choice(chosen_points(problem, model$path, held, error))
    good <- before[chosen[["min"]]] + c(0, error$cvsd[chosen[["min"]]])
    tips <- which(apply(abs(outer(before, good[!is.na(good)], "-")) < moved, 1, any))
    wanted <- intersect(c(outer(chosen, -1:1, "+"), tips), which(!exact))
    if (!length(wanted)) return(model)
    model <- improve(model, wanted)
    exact[wanted] <- TRUE
    model$asked[wanted] <- fold_tolerance
  }
}

exact_lambdas <- function(problem, model, plan, wanted, tell) {
  wanted <- sort(wanted)
  better <- exact_fits(problem, model, plan, wanted, !is.null(model$solved[[1]]$refits$b))
  model$solved <- lapply(seq_along(better), function(j) {
    put_lambdas(model$solved[[j]], wanted, better[[j]])
  })
  tell(length(wanted) / 40)
  model
}

# core_path() again for lambdas that are solved, for each output: the exact answers are the last
# length(at) columns.
exact_fits <- function(problem, model, plan, at, keep) {
  how <- list(fit = fit_tolerance, folds = fold_tolerance, apart = 1, keep = keep)
  lapply(seq_along(model$solved), function(j) {
    core_path(problem, model, j, model$path$lambda[c(at, at)], how, plan,
              some_lambdas(model$solved[[j]], at))
  })
}

# A fold whose other rows are all of one kind has no intercept.
check_fold_intercepts <- function(problem, plan) {
  ends <- lone_ends(problem$family)
  if (!problem$intercept || length(ends) == 0) return(invisible())
  used <- problem$weights > 0
  numbers <- unique(plan$fold)
  # Rows that train every fold and are not at this end.
  counts <- function(end, j) {
    elsewhere <- used & problem$y[, j] != end
    sum(elsewhere) - tabulate(match(plan$fold[elsewhere[plan$rows]], numbers), length(numbers))
  }
  for (j in seq_len(ncol(problem$y))) {
    lacking <- Reduce(`|`, lapply(ends, function(end) counts(end, j) == 0))
    if (any(lacking)) stop_lone_folds(numbers[lacking])
  }
}

stop_lone_folds <- function(folds) {
  abort("folds", "Without a fold the training rows are all of one kind: they have no fit.",
        sprintf("fold %s", enumerate(folds)), "Use `strata`, fewer folds, or intercept = FALSE.")
}

# For every lambda: the bound of all held-out linear predictors; the steps of the fold that took
# most, how many folds took steps with a factor of their own, and the bound as a share of the spread
# of the fit's linear predictors, of the output where it is largest, with what was asked of it.
certified_folds <- function(model) {
  of <- function(name) lapply(model$solved, function(found) found$refits[[name]])
  largest <- lapply(of("certificate"), apply, 2, max)
  shares <- Map(function(bound, found) ifelse(bound > 0, bound / found$spread[1, ], 0), largest,
                model$solved)
  list(certificate = do.call(pmax, largest),
       steps = data.frame(steps = do.call(pmax, lapply(of("steps"), apply, 2, max)),
                          refactored = Reduce(`+`, lapply(of("own"), colSums)),
                          share = do.call(pmax, shares), asked = model$asked))
}

# ---- refits that are kept --------------------------------------------------------------------

refits.glm_problem <- function(problem, found, folds, at) {
  if (problem$reselect) return(NextMethod())
  model <- found[["model"]]
  v <- ncol(problem$y)
  n <- nrow(model$training$map)
  each <- lapply(at, function(l) {
    kept <- !is.null(model$solved[[1]]$refits$b)
    solved <- if (kept) model$solved else exact_fits(problem, model, found$plan, l, TRUE)
    lapply(solved, function(found) {
      glm_terms(model$training, matrix(found$refits$b[, if (kept) l else 2], n),
                found$refits$b0[, if (kept) l else 2])
    })
  })
  numbers <- unique(found$plan$fold)
  # outputs x at x folds
  shape <- c(nrow(each[[1]][[1]]$alpha), length(numbers), v, length(at))
  alpha <- array(unlist(lapply(each, lapply, `[[`, "alpha")), shape)
  a0 <- array(unlist(lapply(each, lapply, `[[`, "a0")), shape[-1])
  points <- length(at) * length(numbers)
  list(folds = numbers,
       expansion = list(alpha = array(aperm(alpha, c(1, 3, 4, 2)), c(shape[1], v, points)),
                        a0 = matrix(aperm(a0, c(2, 3, 1)), v, points)))
}
