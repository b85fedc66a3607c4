# Nested cross-validation: the honest error of everything that a cross-validation chooses. The whole
# of it, centres and scales included, is repeated without each outer fold, and the model chosen
# there predicts the fold.

# The recipe for outer folds that keep together what those of the cross-validation itself, `inner`,
# do. Given inner folds are kept whole, too: they may be groups.
nested_recipe <- function(outer, design, inner) {
  if (is.null(outer)) return(NULL)
  if (!is.null(inner$groups)) {
    outer_recipe(outer, design, inner$groups, inner$strata, "loo", "groups")
  } else {
    outer_recipe(outer, design, inner$foldid, inner$strata, "loo", "folds of `foldid`")
  }
}

# What `outer` asks for, a recipe (fold-recipe.R).
#   labels   of rows that stay together, which users know as `what`, or NULL
#   word     what `outer` may be beside a number and folds
outer_recipe <- function(outer, design, labels, strata, word, what) {
  if (is.list(outer)) {
    return(located("in `outer`", fold_recipe(design, NULL, NULL, NULL, NULL, outer)))
  }
  units <- unit_count(labels, design)
  if (!identical(outer, word) && !(is_count(outer) && outer >= 2 && outer <= units)) {
    abort("folds",
          sprintf("`outer` must be a number of folds from 2 to %d, \"%s\", or folds.", units, word),
          describe(outer), if (!is.null(labels)) sprintf("Outer folds are made of whole %s.", what))
  }
  fold_recipe(design, outer, NULL, labels, strata, NULL)
}

# How many there are of what stays together.
unit_count <- function(labels, design) if (is.null(labels)) nrow(design$x) else nlevels(labels)

# The field `nested` of a cv object, or NULL.
nested_error <- function(problem) {
  validation <- problem$validation
  if (is.null(validation$outer)) return(NULL)
  outer <- draw_folds(validation$outer)
  bar <- new_progress(validation$progress, min(progress_steps, length(outer$folds)))
  if (!is.null(bar)) on.exit(bar$close())
  found <- nested(problem, outer, bar$tick)
  exponent <- error_exponent(validation$measure, problem$unit)
  error <- bring_back(errors(found$held, problem)[c("cvm", "cvsd")], exponent)
  rows <- vapply(fold_rows(outer$folds, "score"), length, 0L)
  chosen <- data.frame(fold = seq_along(rows), rows = rows,
                       cvm = times_two(fold_errors(found$held, problem), exponent), found$chosen)
  c(error, list(nfolds = length(rows), fits = found$fits, foldid = outer$foldid, chosen = chosen))
}

# outer: folds of draw_folds(). A list of `held`, held_rows at one point; `chosen`, a data frame
# with a row for each fold; and `fits`, how many there were.
nested <- function(problem, outer, tick = NULL) {
  count <- length(outer$folds)
  payload <- list(problem = problem, outer = outer)
  each <- if (goes_parallel(problem, count)) {
    items <- lapply(seq_len(count), function(i) {
      list(i = i, drawn = draw_nested(outer_rest(payload, i), i))
    })
    in_parallel(items, nested_fold, payload, "outer folds")
  } else each_fold(outer, tick, function(i) {
    rest <- outer_rest(payload, i)
    nested_fold(payload, list(i = i, drawn = draw_nested(rest, i)), rest)
  })
  row <- fold_rows(outer$folds, "score")
  list(
    held = held_rows(outer, unlist(row), rep(seq_along(row), lengths(row)),
                     stack_rows(lapply(each, `[[`, "scores"))),
    chosen = do.call(rbind, lapply(each, `[[`, "chosen")),
    fits = sum(vapply(each, `[[`, 0, "fits"))
  )
}

in_outer_fold <- function(i, code) {
  withCallingHandlers(
    located(sprintf("outer fold %d", i), code),
    sparserls_message = function(note) tryInvokeRestart("muffleMessage")
  )
}

# The problem without outer fold i.
outer_rest <- function(payload, i) {
  in_outer_fold(i, {
    omit <- payload$outer$folds[[i]]$omit
    if (all(replace(payload$problem$weights, omit, 0) == 0)) {
      abort("folds", "An outer fold leaves no row of positive weight.",
            sprintf("%d rows omitted", length(omit)))
    }
    without_rows(payload$problem, omit)
  })
}

# The random numbers of its search.
draw_nested <- function(rest, i) in_outer_fold(i, draw_search(rest))

# item: the number of the outer fold, and what was drawn for it.
nested_fold <- function(payload, item, rest = outer_rest(payload, item$i)) {
  problem <- payload$problem
  fold <- payload$outer$folds[[item$i]]
  in_outer_fold(item$i, {
    cv <- cross_validate(rest, item$drawn)
    scores <- chosen_scores(cv, problem$design$x[fold$score, , drop = FALSE])
    list(scores = outputs_times_two(scores, -problem$unit$y), chosen = chosen_values(cv),
         fits = max(1, length(cv$curves)) * fits_each(rest, cv$nfolds))
  })
}

# The problem as if the rows did not exist: they are not divided into folds either. Of its
# cross-validation only the choice matters.
without_rows <- function(problem, rows) {
  problem <- anew(without(problem, rows), setdiff(seq_along(problem$weights), rows))
  problem$validation$folds <- recipe_without(problem$validation$folds, rows)
  unwanted <- list(outer = NULL, keep = FALSE, by_output = FALSE, progress = FALSE)
  problem$validation[names(unwanted)] <- unwanted
  problem
}

# What the choice of a cross-validation predicts for coded rows: rows x outputs x 1.
chosen_scores <- function(cv, x) {
  coded_scores(cv$fit, x, path_points(cv$fit, cv[[paste0(chosen_axis(cv), ".min")]]))
}

# The choice itself, a data frame of one row.
chosen_values <- function(cv) {
  several <- length(cv$curves) > 1
  axes <- unique(c(chosen_axis(cv), "lambda"))
  as.data.frame(Filter(length, c(list(kernel = if (several) format(cv$kernel), size = cv$size),
                                 setNames(unclass(cv)[paste0(axes, ".min")], axes))))
}

# How many fits a candidate takes with so many folds: one for each, and one to all rows; where there
# is a shortcut the folds come with the latter.
fits_each <- function(problem, nfolds) UseMethod("fits_each")
fits_each.default <- function(problem, nfolds) nfolds + 1

# The error of every fold alone; NA for measures of sets of rows where there is none.
fold_errors <- function(held, problem) {
  held$turn <- NULL
  vapply(split(seq_along(held$row), held$fold), function(i) {
    tryCatch(errors(some_rows(held, i), problem)$cvm,
             sparserls_error_measure = function(e) NA_real_)
  }, 0, USE.NAMES = FALSE)
}

# What the print of a cv object says of it.
print_nested <- function(x, digits) {
  nested <- x$nested
  if (is.null(nested)) return(invisible())
  cat("", sprintf("Nested: %s (SE %s), the error of the whole choice, in %d outer folds",
                  format(signif(nested$cvm, digits)), format(signif(nested$cvsd, digits)),
                  nested$nfolds),
      sprintf("at the price of %d more fits.", nested$fits), sep = "\n")
}

# Columns of glance().
nested_columns <- function(x) {
  if (!is.null(x$nested)) {
    list(nested.estimate = x$nested$cvm, nested.std.error = x$nested$cvsd)
  }
}

# Rows of tidy().
tidy_nested <- function(x) {
  if (is.null(x$nested)) {
    abort("argument", "There is no nested error.", NULL, "Cross-validate with `outer = 5`.")
  }
  chosen <- x$nested$chosen
  names(chosen)[names(chosen) == "cvm"] <- "estimate"
  as_table(chosen)
}

# Of nested_error().
is_nested <- function(nested, m) {
  chosen <- nested$chosen
  is.list(nested) && reals(nested$cvm, 1) && reals(nested$cvsd, 1) && is_count(nested$nfolds) &&
    is_count(nested$fits) && is_table(chosen) && nrow(chosen) == nested$nfolds &&
    reals(chosen$cvm, nrow(chosen)) &&
    (is.null(nested$foldid) || positions(nested$foldid, nested$nfolds, m))
}
