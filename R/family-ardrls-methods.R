# What fits with one width for each feature answer: such a fit holds one of sparserls() for every
# step of its path, `fits`. Points of the path are positions among the steps.

path_axis.ardrls <- function(fit) {
  maps <- has_maps(fit)
  new_axis("penalty", fit$penalty,
           function(s) if (is.null(s)) seq_along(fit$penalty) else read_penalties(s, fit),
           paste0("values of the penalty", if (maps) " (maps: list(kind = \"map\", penalty = ))"),
           "Penalty", chosen = c("1se", "min"), most = 12, kind = if (maps) fit$kind)
}

# s as positions among the steps: penalties of widths, or list(kind = , penalty = ).
read_penalties <- function(s, fit) {
  given <- s
  if (!is.list(s)) s <- list(kind = "widths", penalty = s)
  asked <- s$penalty
  must(length(s) == 2 && is_string(s$kind) && is.numeric(asked) && length(asked) > 0, "penalty",
       "`s` must be numbers, values of the penalty, or list(kind = , penalty = ).", shown(given))
  of_kind <- which(fit$kind == s$kind)
  path <- fit$penalty[of_kind]
  at <- match_points(asked, path)
  # As they are printed.
  at <- ifelse(is.na(at), match(format_values(asked), format_values(path)), at)
  must(!anyNA(at), "penalty", "`s` is not on the path of `penalty`.",
       paste(c(if (s$kind != "widths") s$kind, format(asked[is.na(at)][1])), collapse = " "),
       path_of_penalties(fit))
  of_kind[at]
}

path_of_penalties <- function(fit) {
  said <- function(kind) enumerate(format_values(fit$penalty[fit$kind == kind]), 12)
  maps <- if (has_maps(fit)) {
    sprintf("; of maps, list(kind = \"map\", penalty = ), it is %s", said("map"))
  }
  paste0("The path is ", said("widths"), maps, ".")
}

# How many features, and which, starting with the most relevant, carry 95 % of the sum of gammas.
carrying_features <- function(relevance) {
  order <- order(relevance, decreasing = TRUE)
  sums <- cumsum(relevance[order])
  order[seq_len(which(sums >= 0.95 * sums[length(sums)])[1])]
}

describe.ardrls <- function(object) {
  path <- known(penalty = object$penalty, kind = if (has_maps(object)) object$kind,
                lambda = object$lambda, loss = object$loss, df = vapply(object$fits, path_df, 0),
                features = unname(apply(object$relevance, 2, function(gamma) {
                  length(carrying_features(gamma))
                })))
  printed <- replace(path, "penalty", axis_column(path_axis(object)))
  c(ardrls_lines(object), list(
    path = path, printed = setNames(printed, sub("(.)", "\\U\\1", names(path), perl = TRUE)),
    key = "Loss: the error that was minimized. Features: how many carry 95 % of the relevance.",
    along = path[c("lambda", "features")], chosen = list(Lambda = object$lambda),
    numbers = known(nterms = length(object$fits[[object$at]]$basis), kernel = format(object$kernel),
                    kind = if (has_maps(object)) object$kind[object$at],
                    npath = length(object$penalty))
  ))
}

ardrls_lines <- function(fit) {
  basis <- vapply(fit$fits, function(step) length(step$basis), 0L)
  last <- basis[fit$at]
  larger <- length(basis) > 1 && last > max(basis[-fit$at])
  if (larger) basis <- basis[-fit$at]
  kernel <- fit$fits[[1]]$kernel
  selector <- fit$fits[[1]]$selector
  list(lines = fit_lines(
    fit, c(describe_basis(unique(basis), fit$fits[[1]]),
           sprintf("%s kernel with a width for each of %s", kernel_trait(kernel, "label"),
                   counted(length(kernel$gamma), "feature")),
           if (has_maps(fit)) "then with a map")
  ), details = c(
    if (!is.null(selector)) paste("basis:", selector),
    if (larger) sprintf("step %d of %d alone has a larger basis, of %d vectors (final_basis)",
                        fit$at, length(fit$penalty), last)
  ))
}

# Whether its path goes on from widths to maps.
has_maps <- function(fit) "map" %in% fit$kind

# at: a position in the path, as of path_points().
gp_view.ardrls <- function(fit, at) gp_view(fit$fits[[at]], fit$fits[[at]]$lambda)

expansion_terms.ardrls <- function(object) {
  max(vapply(object$fits, function(fit) expansion_terms(fit), 0L))
}

kept_scores.ardrls <- function(object, at) {
  scores <- lapply(object$fits[path_points(object, at)], function(fit) kept_scores(fit, NULL))
  array(unlist(scores), c(dim(scores[[1]])[1:2], length(scores)))
}

coded_scores.ardrls <- function(object, x, at) step_scores(object$fits[at], x)

#' Predictions and coefficients at penalties
#'
#' How [predict()][predict.sparserls_fit], `coef()`, [deviance()][fit_methods] and others read `s`
#' of fits along a path of penalties.
#'
#' `s` are values of the path, exact or as printed. Numbers are penalties of widths;
#' `list(kind = "map", penalty = c(1, 0))` selects steps of maps. `NULL`: all steps. For `cv`
#' results also `"penalty.1se"`, the default, and `"penalty.min"`. Predictions have a column for
#' each.
#'
#' Intervals of type `"jackknife+"` and probabilities come from the outer folds ([cv.ardrls()] with
#' `keep = TRUE`), never from the error that was minimized; with `outer = "split"` they are split
#' conformal intervals. `"gp"` and `se.fit` take widths and lambda as known.
#'
#' @param object a fit of [ardrls()].
#' @param s one value of the path; `NULL`: its last.
#' @param ... unused.
#' @return `coef()`: as [coef.sparserls_fit()], one column.
#' @section Errors: `sparserls_error_penalty` for values that are not in the path.
#' @examples
#' set.seed(1)
#' fit <- ardrls(lpsa ~ . - train, data = prostate, basis = 20, penalty = c(Inf, 1))
#' predict(fit, prostate[1:3, ])
#' head(coef(fit))
#' @aliases predict.ardrls
#' @export
coef.ardrls <- function(object, s = NULL, ...) {
  check_dots(...)
  final_fit(object)
  step <- object$fits[[path_point(object, s)]]
  coef(step, setNames(step$lambda, if (!is.list(s)) names(s)))
}

df_at.ardrls <- function(fit, at) vapply(fit$fits[path_points(fit, at)], path_df, 0)

# The fit at a penalty, with the call of the whole.
fit_at.ardrls <- function(fit, point, object) {
  part <- fit$fits[[point]]
  known <- if (inherits(object, "sparserls_cv")) kept_outer_fits(object, point)
           else outer_fits(why = "Use cv.ardrls() with keep = TRUE.")
  list(fit = replace(part, "call", list(fit$call)), lambda = part$lambda, known = known)
}

describe.cv.ardrls <- function(object) {
  found <- NextMethod()
  found$folds[1] <- paste0(
    if (object$outer == "split") "a fifth of the rows held out once"
    else sub("(folds|leave)", "outer \\1", found$folds[1]),
    if (has_maps(object$fit)) ", which do not repeat the choice of widths or a map"
  )
  found$features <- carrying_line(object)
  found$notes <- penalty_notes(object)
  found
}

carrying_line <- function(cv) {
  at <- cv$index[["1se", 1]]
  # For a common width every feature carries the same.
  if (is.infinite(cv$penalty[at])) return(NULL)
  relevance <- cv$fit$relevance
  carrying <- carrying_features(relevance[, at])
  shown <- c(rownames(relevance)[head(carrying, 10)], if (length(carrying) > 10) "...")
  sprintf("%d of %s carry 95 %% of the relevance at penalty.1se: %s", length(carrying),
          counted(nrow(relevance), "feature"), paste(shown, collapse = ", "))
}

# At the ends of a path that was left to us nothing lies beyond.
penalty_notes <- function(cv) {
  penalty <- cv$penalty
  i <- cv$index[, 1]
  if (length(penalty) == 1) return(character())
  kind <- cv$fit$kind
  last <- i[["min"]] == max(which(kind == kind[i[["min"]]]))
  chosen <- penalty[i[["min"]]]
  c(
    if (is.infinite(chosen)) {
      "penalty.min is Inf: one width for all features is as good as any."
    } else if (is.infinite(penalty[i[["1se"]]])) {
      paste("penalty.1se is Inf: one width for all features is within one standard error of the",
            "best.")
    } else if (i[["min"]] == 1) {
      "penalty.min is the largest penalty: larger ones, up to Inf, may do better."
    },
    if (last && !is.null(cv$call$penalty) && chosen > 0 && is.finite(chosen)) {
      sprintf("penalty.min is the smallest penalty%s: smaller ones, down to 0, may do better.",
              if (has_maps(cv$fit)) sprintf(" of kind \"%s\"", kind[i[["min"]]]) else "")
    }
  )
}
