# Plots of effect_curve().

#' @rdname effect_curve
#' @export
plot.effect_curve <- function(x, output = NULL, level = 0.95, ...)
  draw_figure(x, curve_figure(x, output, level), ...)

# Numbers have a curve with its band, levels a row each; several classes have the curves of all.
curve_figure <- function(x, output, level) {
  if (is.null(output) && length(x$titles) > 1 && !is.null(x$scale)) return(classes_figure(x, level))
  output <- output_place(output %||% 1, length(x$titles), colnames(x$estimate))
  curve <- output_curve(x, output, level)
  lines <- matrix(x$ice[, , output], dim(x$ice)[1])
  zero <- !isFALSE(x$centre)
  range <- range(curve, lines, finite = TRUE)
  note <- curve_note(x, curve, level)
  frame <- list(xlab = x$feature, ylab = curve_label(x), main = x$titles[[output]])
  if (has_rows(x)) {
    frame[c("xlab", "ylab", "xlim")] <- list(frame$ylab, if (zero) "" else x$feature, range)
    return(list(rows = data.frame(name = as.character(x$values), curve), values = lines,
                lines = if (zero) 0, frame = frame, note = note))
  }
  single <- lapply(seq_len(nrow(lines)), function(i) {
    new_curve(x$values, lines[i, ], adjustcolor("grey60", 0.4), lwd = 0.7)
  })
  list(curves = c(single, list(new_curve(x$values, curve$estimate, estimate_colour, lwd = 2))),
       bands = new_bands(x$values, curve, interval_colour), zero = zero, rug = x$observed,
       frame = c(frame, list(ylim = range)), note = note)
}

has_rows <- function(x) is.character(x$values) || length(x$values) < 3

output_curve <- function(x, output, level) {
  with_ends(curve_table(x, level))[seq_along(x$values) + (output - 1L) * length(x$values), ]
}

# A curve for each class, with its name: of numbers with bands, of levels with bars side by side.
classes_figure <- function(x, level) {
  discrete <- has_rows(x)
  places <- if (discrete) seq_along(x$values) else x$values
  classes <- seq_along(x$titles)
  looks <- line_looks(length(classes))
  each <- lapply(classes, output_curve, x = x, level = level)
  at <- lapply(classes - mean(classes), function(k) places + discrete * 0.05 * k)
  ends <- cbind(x = unlist(at), do.call(rbind, each), col = "grey60")
  list(
    curves = Map(new_curve, at, lapply(each, `[[`, "estimate"), looks$col, colnames(x$estimate),
                 if (discrete) "p" else "l", looks$lty),
    frame = list(xlab = x$feature, ylab = curve_label(x),
                 xlim = range(places) + discrete * c(-0.3, 0.3),
                 ylim = range(x$estimate, ends[c("low", "high")], finite = TRUE)),
    below = if (discrete) list(values = as.character(x$values)),
    bars = if (discrete) ends,
    bands = if (!discrete) unlist(Map(new_bands, at, each, looks$col), recursive = FALSE),
    note = sub(";? ?grey: .*", "", curve_note(x, each[[1]], level))
  )
}

# What the band and the grey lines are, in a line.
curve_note <- function(x, curve, level) {
  paste(c(if (any(!is.na(curve$low))) {
    sprintf("%s %% pointwise intervals, %s", format(100 * level),
            if (x$type == "gp") "Gaussian-process view" else paste(x$type, "over", units_of(x)))
  }, if (nrow(x$ice)) sprintf("grey: %s", counted(nrow(x$ice), "single row"))), collapse = "; ")
}

# ---- two features --------------------------------------------------------------------------

#' @export
plot.effect_surface <- function(x, output = 1, ...) draw_figure(x, surface_figure(x, output), ...)

# Lines by the levels of a feature that has some; of two numbers heights.
surface_figure <- function(x, output) {
  output <- output_place(output, length(x$titles), dimnames(x$estimate)[[3]])
  z <- matrix(x$estimate[, , output], length(x$values[[1]]))
  leveled <- vapply(x$values, is.character, NA)
  if (!any(leveled)) {
    return(list(x = x$values[[1]], y = x$values[[2]], z = z, frame = list(
      xlab = x$feature[1], ylab = x$feature[2],
      main = paste(c(curve_label(x), x$titles[[output]]), collapse = ", ")
    ), points = data.frame(x = x$observed[[1]], y = x$observed[[2]])))
  }
  by <- if (leveled[2]) 2 else 1
  if (by == 1) z <- t(z)
  at <- x$values[[3 - by]]
  levels <- x$values[[by]]
  steps <- is.character(at)
  places <- if (steps) seq_along(at) else at
  looks <- line_looks(length(levels))
  list(
    curves = Map(new_curve, list(places), as.data.frame(z), looks$col,
                 paste(x$feature[by], levels, sep = ": "), if (steps) "o" else "l", looks$lty),
    frame = list(xlab = x$feature[3 - by], ylab = curve_label(x), main = x$titles[[output]],
                 xlim = range(places), ylim = range(z)),
    below = if (steps) list(values = at)
  )
}
