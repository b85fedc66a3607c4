# Curves of two features at once: at each pair of their values the mean over the rows.

# asked: of asked_effects(); at: NULL, or a list of values of both.
effect_surface <- function(asked, features, at) {
  must(length(features) == 2 && !anyDuplicated(features) &&
         (is.null(at) || is.list(at) && length(at) == 2), "argument",
       "Curves are of one feature, or of two with `at` a list of values of both.", shown(features))
  fit <- asked$fit
  each <- lapply(features, curve_rows, asked = asked)
  values <- lapply(1:2, function(i) {
    found <- curve_values(each[[i]], at[[i]])
    if (is.null(at) && length(found) > 20) seq(found[1], tail(found, 1), length.out = 20) else found
  })
  data <- if (asked$own) surface_data(fit, features) else asked$newdata
  # Means are at the rows' own offsets, which are known.
  plain <- replace(asked, "scale", "link")
  expansion <- expansion_at(fit, asked$lambda)
  v <- ncol(fit$response$y)
  means <- vapply(values[[2]], function(value) {
    if (is.data.frame(data)) data[[features[2]]] <- like_variable(value, data[[features[2]]])
    else data[, match(features[2], slope_names(fit))] <- value
    rows <- curve_rows(as_given(plain, data), features[1])
    rows["offset"] <- list(each[[1]]$offset)
    curve_means(fit, rows, values[[1]], expansion, integer())$means
  }, matrix(0, length(values[[1]]), v))
  dim(means) <- c(length(values[[1]]), v, length(values[[2]]))
  names <- c(lapply(values, as.character), list(several_outputs(fit)))
  structure(list(
    call = asked$call, feature = features, values = values,
    estimate = array(aperm(means, c(1, 3, 2)), c(lengths(values), v), names),
    observed = lapply(each, `[[`, "observed"), lambda = asked$lambda,
    nobs = sum(each[[1]]$share > 0),
    scale = effect_scale(fit, each[[1]]), response = response_words(fit), centre = FALSE,
    titles = lapply(seq_len(v), drawn_output, fit = fit)
  ), class = "effect_surface")
}

# The variables of a formula in the rows of the fit.
surface_data <- function(fit, features) {
  data <- own_variables(fit, features[1])
  if (!features[2] %in% names(data)) {
    data[[features[2]]] <- own_variables(fit, features[2])[[features[2]]]
  }
  as.data.frame(data)
}

#' @export
print.effect_surface <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  print_head(x$call, c(sprintf("%s over %s, by %s (rows) and %s", curve_label(x),
                               counted(x$nobs, "row"), x$feature[1], x$feature[2]), ""))
  shown <- lapply(dim(x$estimate)[1:2], even_rows, 7)
  print(x$estimate[shown[[1]], shown[[2]], seq_along(x$titles)], digits = digits)
  invisible(x)
}
