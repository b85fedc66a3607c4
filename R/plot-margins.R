# Margins of plots: room for the names next to them, and for notes.

line_height <- function() par("csi") * par("mex")

# R's own error, "figure margins too large", has no class.
check_room <- function() {
  margins <- par("mai")
  size <- par("fin")
  must(all(size - margins[c(2, 1)] - margins[c(4, 3)] > 0.15), "device",
       "The figure is too small for its margins.",
       sprintf("%.1f x %.1f inches", size[1], size[2]),
       "Open a larger device, draw fewer panels, or make par(\"mar\") smaller.")
}

# Widens the left margin to what its labels need, names to a third of the figure at most.
# The line of the axis title, clear of the labels.
widen_margin <- function(settings, left) {
  numbers <- is.null(left)
  if (numbers && (identical(settings$yaxt, "n") || !isTRUE(settings$las %in% 1:2))) return(0)
  width <- min(label_width(settings, left), par("fin")[1] / 3) / line_height()
  labels <- par("mgp")[2] + width + 0.4
  titled <- !is.null(settings$ylab) && !identical(settings$ylab, "")
  needed <- if (titled) max(labels, par("mgp")[1]) + 1.1 else labels
  par(mar = replace(par("mar"), 2, if (numbers) max(needed, par("mar")[2]) else needed))
  if (titled) labels else 0
}

# In inches, of names or of numbers at the ticks. How wide text is nobody knows before there is a
# plot: an empty one is opened, and the next is drawn over it.
label_width <- function(settings, left) {
  old <- par(mar = c(0, 0, 0, 0))
  on.exit(par(c(old, new = TRUE)))
  plot.new()
  if (is.null(left)) {
    limits <- settings$ylim %||% range(settings$y, finite = TRUE)
    plot.window(c(0, 1), limits, log = gsub("[^y]", "", settings$log %||% ""))
    left <- format(axTicks(2), trim = TRUE)
  }
  max(strwidth(left, "inches", cex = settings$cex.axis %||% par("cex.axis")))
}

# Names on the left axis: smaller where rows are close, without their middle where the margin is too
# narrow for them.
left_axis <- function(at, names, ...) {
  given <- list(...)
  if (!is.null(given$yaxt)) return(invisible())
  spacing <- par("pin")[2] / (length(at) + 0.5)
  cex <- given$cex.axis %||% par("cex.axis")
  cex <- max(0.5, min(1, spacing / par("cin")[2])) * cex
  room <- par("mai")[2] - (par("mgp")[2] + 0.2) * line_height()
  letters <- floor(nchar(names) * room / strwidth(names, "inches", cex = cex))
  axis(2, at, cut_middle(names, pmax(5, letters)), las = 1, cex.axis = cex)
}

# Longer names without their middle.
cut_middle <- function(names, letters) {
  last <- (letters - 2) %/% 2
  ifelse(nchar(names) <= letters, names,
         paste0(substr(names, 1, letters - 2 - last), "..",
                substring(names, nchar(names) - last + 1)))
}

# Lines of small text in a margin, in the middle of the plot or as near as the figure has room for
# them, and no wider than it.
margin_notes <- function(notes, side, line) {
  if (!any(nzchar(notes))) return(invisible())
  figure <- par("fin")[1]
  width <- max(strwidth(notes, "inches", cex = 0.75)) / figure
  size <- min(1, 0.98 / width)
  half <- size * width / 2
  middle <- grconvertX(0.5, "npc", "nfc")
  at <- grconvertX(max(half, min(1 - half, middle)), "nfc")
  mtext(notes, side, line, at = at, cex = 0.75 * size * par("cex"), col = "grey30")
}
