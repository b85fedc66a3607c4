# Probabilities of classes from held-out scores (Platt 2000): for outputs k with scores s_k
#
#   P(y = k | s) proportional to exp(a_k + b_k s_k),   b_k >= 0,
#
# the least cross-entropy to Platt's smoothed classes; of two classes the first has a score of 0.
# Held-out scores may point the wrong way where x tells nothing about y; then b = 0 and the
# probabilities are the base rates. Among ways to calibrate several classes this has the smallest
# log loss on new rows, or nearly so (bench/calibration.R).

# The field `calibration` of a cv object, at the two points of the path that are chosen; NULL where
# there are no classes, or no held-out scores (leave-pair-out).
# index: of choose_point(); groups: labels of rows that stay together, or NULL; df: along the path
# of the fit, or NULL.
new_calibration <- function(problem, found, index, groups, df) {
  held <- found$held
  design <- problem$design
  response <- design$response
  if (!is_class(response) || is.null(held$scores)) return(NULL)
  points <- path_chosen(found$path, index)
  named <- paste0(names(found$path)[1], c(".min", ".1se"))
  rows <- calibration_rows(held, population_weights(design), groups)
  parts <- lapply(points, function(point) {
    calibrate(matrix(held$scores[rows$held, , point], length(rows$held)), rows, response,
              design$family)
  })
  # What has a sigmoid of its own: the second of two classes, or each of several.
  classes <- response$levels[if (response$type == "binary") 2 else TRUE]
  table <- function(name) {
    matrix(joined(parts, name), ncol = 2, dimnames = list(classes, named))
  }
  bins <- do.call(rbind, Map(function(part, s) cbind(s = s, part$bins), parts, named))
  rownames(bins) <- NULL
  list(intercept = table("intercept"), slope = table("slope"), counts = parts[[1]]$counts,
       logloss = c(setNames(vapply(parts, `[[`, 0, "logloss"), named), base = parts[[1]]$base),
       auc = held_auc(problem, held, setNames(points, named), df[points]), bins = bins,
       balance = design$balance)
}

# The measure "auc" at some points of the path; NULL where it is undefined, or without the package
# survival. NA where all rows are ranked together and the model is the null model: it predicts a row
# by the mean of the others, which is the larger the smaller y is, so that its AUC is 0.
held_auc <- function(problem, held, points, df) {
  held$scores <- held$scores[, , points, drop = FALSE]
  tryCatch({
    problem$validation$measure <- read_measure("auc", problem$design$response)
    auc <- setNames(errors(held, problem)$cvm, names(points))
    if (is.null(held$cluster)) replace(auc, which(is_null_df(df)), NA) else auc
  }, sparserls_error_measure = function(e) NULL)
}

# The held rows that count: their positions, rows of the design, weights, and clusters. A cluster
# (group or row) counts once, however many rows it has and however many folds score it.
calibration_rows <- function(held, weights, groups) {
  w <- weights[held$row] / max(weights)
  used <- which(w > 0)
  row <- held$row[used]
  cluster <- if (is.null(groups)) row else as.integer(groups)[row]
  list(held = used, row = row, w = w[used], cluster = cluster,
       part = calibration_parts(held$fold[used], cluster))
}

# The parts (at most five) that are judged by a sigmoid fitted without them: whole folds; or units,
# where these are in several folds, or all in one; or rows.
calibration_parts <- function(fold, cluster) {
  torn <- nrow(unique(cbind(fold, cluster))) > length(unique(cluster))
  by <- Find(function(by) length(unique(by)) > 1,
             list(if (!torn) fold, cluster, seq_along(cluster)))
  if (is.null(by)) rep(1L, length(cluster)) else match(by, sort(unique(by))) %% 5L
}

# scores: rows x outputs. A list of intercept and slope by output, from all rows; and, of what every
# part of the rows has from the others, the log loss of the probabilities and of the base rates, and
# `bins`. Means of a likelihood (family) are probabilities already: nothing is fitted to them.
calibrate <- function(scores, rows, response, family) {
  class <- true_classes(response)[rows$row]
  classes <- length(response$levels)
  means <- if (!is.null(family)) two_columns(mean_matrix(family, scores))
  # `base`: the base rates of the rows i.
  sigmoid <- function(i) {
    share <- prop.table(rows$w[i])
    target <- smoothed_classes(class[i], classes, rows$w[i], rows$cluster[i])
    c(list(base = colSums(share * target)), if (is.null(means)) {
      multinomial(scores[i, , drop = FALSE], target, share)
    } else list(intercept = numeric(ncol(scores)), slope = rep(1, ncol(scores))))
  }
  p <- base <- matrix(0, length(class), classes)
  for (part in split(seq_along(class), rows$part)) {
    found <- sigmoid(if (length(part) < length(class)) -part else part)
    p[part, ] <- if (is.null(means)) {
      class_probabilities(scores[part, , drop = FALSE], found$intercept, found$slope)
    } else means[part, ]
    base[part, ] <- rep(found$base, each = length(part))
  }
  loss <- function(p) -sum(rows$w * log(p[cbind(seq_along(class), class)])) / sum(rows$w)
  c(sigmoid(seq_along(class))[c("intercept", "slope")],
    list(logloss = loss(p), base = loss(base), bins = calibration_bins(p, class, rows),
         counts = tabulate(1 + pmin(19, floor(20 * p[, if (classes == 2) 2 else TRUE])), 20)))
}

# Probabilities of both classes where there are those of the second.
two_columns <- function(p) if (ncol(p) == 1) cbind(1 - p, p) else p

# Platt's targets, rows x classes: of n rows of a class (n + 1) / (n + 2) for it, and the rest in
# equal parts for the others. n: how many of independent() weight.
smoothed_classes <- function(class, classes, w, cluster) {
  n <- vapply(seq_len(classes), function(k) independent(w[class == k], cluster[class == k]), 0)
  target <- matrix(1 / ((n + 2) * (classes - 1))[class], length(class), classes)
  target[cbind(seq_along(class), class)] <- ((n + 1) / (n + 2))[class]
  target
}

# The loss is convex. It is minimized on standardized scores from the base rates on, which are the
# minimum where it does not fall as slopes leave zero.
multinomial <- function(scores, target, share) {
  # optim() divides by squares of gradients, which must not vanish.
  share[share < 2^-300] <- 0
  outputs <- seq_len(ncol(scores))
  several <- length(outputs) > 1
  centre <- colSums(share * scores)
  z <- scores - each_row(centre, scores)
  scale <- sqrt(colSums(share * z^2))
  # Scores that are the same except for rounding say nothing.
  scale[scale <= tolerance("tie") * apply(abs(scores), 2, max)] <- Inf
  z <- z / each_row(scale, scores)
  base <- log(colSums(share * target))
  base <- if (several) base - mean(base) else base[2] - base[1]
  # Asked for twice at every point, by the loss and by the gradient.
  log_p <- remembering(function(ab) log_probabilities(z, ab[outputs], ab[-outputs]))
  gradient <- function(ab) {
    residual <- share * (exp(log_p(ab)) - target)
    if (!several) residual <- residual[, 2, drop = FALSE]
    c(colSums(residual), colSums(residual * z))
  }
  ab <- stats::optim(c(base, 0 * outputs), function(ab) -sum(share * target * log_p(ab)), gradient,
                     method = "L-BFGS-B", lower = rep(c(-Inf, 0), each = length(outputs)),
                     control = list(factr = 100, maxit = 1000))$par
  slope <- ab[-outputs] / scale
  list(intercept = ab[outputs] - slope * centre, slope = slope)
}

# The effective number of units (Kish): (sum W)^2 / sum W^2, W those of the units.
independent <- function(w, cluster) {
  if (length(w) == 0) return(0)
  total <- rowsum(w, cluster)
  # Squares of small weights vanish.
  total <- total / max(total)
  sum(total)^2 / sum(total^2)
}

# scores: rows x outputs; rows x classes.
log_probabilities <- function(scores, intercept, slope) {
  eta <- scores * each_row(slope, scores) + each_row(intercept, scores)
  if (ncol(eta) == 1) eta <- cbind(0 * eta, eta)
  eta <- eta - do.call(pmax, as.data.frame(eta))
  eta - log(rowSums(exp(eta)))
}

class_probabilities <- function(scores, intercept, slope) {
  exp(log_probabilities(scores, intercept, slope))
}

# Probabilities in at most ten bins of about equal weight (equal ones stay together), wide ones
# split, with the share of rows that are of the class, and its standard error over units. With
# several classes all probabilities of a row count.
calibration_bins <- function(p, class, rows) {
  shown <- if (ncol(p) == 2) 2L else seq_len(ncol(p))
  hit <- as.vector(outer(class, shown, "=="))
  p <- as.vector(p[, shown])
  w <- rep(rows$w, length(shown))
  cluster <- rep(rows$cluster, length(shown))
  value <- match(p, sort(unique(p)))
  weight <- as.vector(rowsum(w, value))
  middle <- (cumsum(weight) - weight / 2) / sum(w)
  bins <- min(10, ceiling(independent(rows$w, rows$cluster) / 10))
  parts <- lapply(split(seq_along(p), ceiling(bins * middle)[value]), split_bin, p, w, cluster)
  each <- vapply(unlist(parts, recursive = FALSE, use.names = FALSE), function(i) {
    w <- prop.table(w[i])
    observed <- sum(w * hit[i])
    c(predicted = sum(w * p[i]), observed = observed,
      std.error = sqrt(sum(rowsum(w * (hit[i] - observed), cluster[i])^2)))
  }, numeric(3))
  as.data.frame(t(each))
}

# Rows i as a list of bins that are at most 0.1 wide, or cannot be cut into parts of 20 units: at
# their middle, or as near to it as leaves 20. For a rare class, equal weights put all that is above
# a few percent into one bin.
split_bin <- function(i, p, w, cluster) {
  sorted <- sort(p[i])
  n <- length(sorted)
  if (n < 40 || sorted[n] - sorted[1] <= 0.1) return(list(i))
  cut <- min(max((sorted[1] + sorted[n]) / 2, sorted[21]), sorted[n - 19])
  sides <- split(i, p[i] >= cut)
  units <- vapply(sides, function(side) independent(w[side], cluster[side]), 0)
  if (length(sides) < 2 || any(units < 20 - 1e-6)) return(list(i))
  unlist(unname(lapply(sides, split_bin, p, w, cluster)), recursive = FALSE)
}

# ---- predictions ----------------------------------------------------------------

# at: of the path, as the user gives it; threshold: NULL, or that of the second of two classes,
# which are then predicted.
predict_probabilities <- function(object, newdata, at, threshold) {
  calibration <- calibrated(object)
  fit <- object$fit
  must(!by_output(object, at), "argument",
       "Probabilities of a row need one `lambda` for all of its classes.", shown(at),
       "Use \"lambda.min\" or \"lambda.1se\".")
  sigmoids <- calibration_at(object, calibration, cv_values(object, at))
  scores <- as.matrix(predict_at(fit, sigmoids$at, newdata))
  p <- class_probabilities(scores, sigmoids$intercept, sigmoids$slope)
  levels <- fit$response$levels
  if (is.null(threshold)) name_all(p, rownames(scores), levels)
  else factor(levels[1L + (p[, 2] >= threshold)], levels)
}

# type: checked; crossed: whether there are probabilities, of a cross-validation or a likelihood.
check_threshold <- function(threshold, type, response, crossed = TRUE) {
  must(is_number(threshold) && threshold > 0 && threshold < 1,
       "argument", "`threshold` must be a number between 0 and 1.", shown(threshold),
       "Rows with at least this probability are predicted as the second class.")
  must(type == "class", "argument", "`threshold` is for `type = \"class\"`.", shown(type))
  must(response$type == "binary", "argument", "`threshold` is for two classes.",
       sprintf("%d classes", length(response$levels)),
       paste("Weigh costs by probabilities: with p of type = \"prob\" the column",
             "max.col(-p %*% cost, \"first\") is the class of least cost."))
  must(crossed, "argument", "`threshold` needs a result of a `cv.` function.", NULL,
       paste("It is a probability, and these come from held-out scores. For a fit alone",
             "compare the scores, type = \"response\", with a threshold of your own."))
}

# The sigmoids at one of the two chosen points of the path. It answers as `at` what the fit reads.
calibration_at <- function(object, calibration, at) {
  axis <- path_axis(object$fit)
  chosen <- chosen_at(object, axis)
  value <- if (axis$between) at else axis$read(at)
  found <- if (is.numeric(value) && length(value) == 1) match_points(value, chosen) else NA
  must(!is.na(found), "argument",
       sprintf("Probabilities are calibrated at `%s` or `%s` only.", names(chosen)[1],
               names(chosen)[2]),
       if (is.numeric(value)) enumerate(format_points(axis, value)) else shown(value),
       "Other scores have another scale.")
  list(at = if (axis$between) chosen[[found]] else at, intercept = calibration$intercept[, found],
       slope = calibration$slope[, found])
}

calibrated <- function(object) {
  must(inherits(object, "sparserls_cv"),
       "argument", "`type = \"prob\"` needs a result of a `cv.` function.", NULL,
       "Probabilities come from held-out scores, which a fit alone does not have.")
  must(!is.null(object$calibration),
       "argument", "This cross-validation has no held-out scores of classes to calibrate.", NULL,
       if (!is.null(object$fit$chunks)) {
         "With rows in chunks there are none: use type = \"class\" without `threshold`."
       } else if (has_family(object$fit)) {
         "Its response must be a factor, logicals, or zeros and ones, not counts or shares."
       } else "Probabilities need a factor or logical response, and folds rather than pairs.")
  object$calibration
}

# ---- words about them -------------------------------------------------------------------------

# At the two chosen points: the AUC where it is not what was measured, and the log loss.
class_table <- function(object) {
  data.frame(known(AUC = if (names(object$name) != "auc") object$calibration$auc,
                   LogLoss = object$calibration$logloss[1:2]), row.names = c("min", "1se"))
}
