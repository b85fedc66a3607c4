# Draws the package's sticker, man/figures/sticker.png: a fit, the fit without one row (dashed), and
# the error at that row. Not logo.png: pkgdown would send that to a web service for icons.
#   Usage, from the package's root: Rscript tools/sticker.R

x <- c(-1.9, -1.45, -1.1, -0.6, -0.2, 0.25, 0.7, 1.15, 1.5, 1.9)
y <- c(-0.35, -0.75, -0.55, -0.3, 0.05, 0.95, 0.35, 0.3, -0.1, -0.3)
out <- 6
curve_of <- function(rows, at) {
  fit <- sparserls::rls(as.matrix(x[rows]), y[rows], kernel = sparserls::kernel_gaussian(0.8),
                        lambda = 0.05)
  drop(stats::predict(fit, as.matrix(at)))
}
across <- seq(-2.05, 2.05, length.out = 200)

angle <- pi / 6 + (0:5) * pi / 3
hexagon <- function(size, ...) graphics::polygon(size * cos(angle), size * sin(angle), ...)
# From data to the hexagon, whose corners are at distance 1 from its middle.
to_x <- function(x) 0.37 * x
to_y <- function(y) 0.12 + 0.42 * y

grDevices::png("man/figures/sticker.png", width = 240, height = 277, res = 36,
               bg = "transparent", type = "cairo")
graphics::par(mar = c(0, 0, 0, 0), xaxs = "i", yaxs = "i")
graphics::plot.new()
graphics::plot.window(c(-1, 1) * sqrt(3) / 2, c(-1, 1), asp = 1)
hexagon(1, col = "#1F3B57", border = NA)
hexagon(0.95, col = "#F7F5EF", border = NA)
held_out <- curve_of(-out, x[out])
graphics::segments(to_x(x[out]), to_y(y[out]), to_x(x[out]), to_y(held_out), col = "#C8553D",
                   lwd = 6)
graphics::lines(to_x(across), to_y(curve_of(seq_along(x), across)), col = "#1F3B57", lwd = 8)
graphics::lines(to_x(across), to_y(curve_of(-out, across)), col = "#C8553D", lwd = 6, lty = "42")
graphics::points(to_x(x[-out]), to_y(y[-out]), pch = 16, cex = 2.6, col = "#1F3B57")
graphics::points(to_x(x[out]), to_y(y[out]), pch = 21, cex = 2.6, lwd = 6, col = "#C8553D",
                 bg = "#F7F5EF")
graphics::text(0, -0.52, "sparserls", cex = 5, font = 2, col = "#1F3B57")
invisible(grDevices::dev.off())
