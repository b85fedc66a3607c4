# The search for a width that was left open: `gamma = NULL` of a kernel of differences in a
# cross-validation. Multiples of the data-driven gamma are tried, first in steps of four, on in
# the direction in which the error falls; then those half way to the neighbours of the best. All
# share the folds, and the basis that was drawn for the data-driven gamma.
#
# A candidate whose width is searched has a field `walk`, a number that it shares with the other
# widths of the same kernel and size.

# The data-driven gamma first: of widths that are equally good it is chosen.
first_multiples <- c(1, 1 / 4, 4)
widest <- 4^-4
narrowest <- 4^3
worth <- 0.1

# Where a kernel leaves its width open it is to be searched.
searched_width <- function(kernel) {
  if (is_open(kernel)) replace(kernel, "search", TRUE) else kernel
}

is_open <- function(kernel) {
  sees_distances(kernel) && is.null(kernel$gamma) && is.null(kernel$multiple)
}

# Candidates, those of a kernel whose width is searched with their first widths.
with_first_widths <- function(tried) {
  unlist(lapply(seq_along(tried), function(i) {
    candidate <- tried[[i]]
    if (!isTRUE(candidate$kernel$search)) return(list(candidate))
    candidate$walk <- i
    lapply(first_multiples, at_multiple, candidate = candidate)
  }), recursive = FALSE)
}

# A candidate with another multiple of the data-driven gamma; in its folds, too.
at_multiple <- function(candidate, multiple) {
  kernel <- candidate$kernel
  if (!is.null(kernel$gamma)) kernel$gamma <- kernel$gamma * (multiple / kernel$multiple)
  kernel$multiple <- multiple
  kernel$search <- NULL
  candidate$kernel <- kernel
  candidate$folds <- lapply(candidate$folds, at_multiple, multiple)
  candidate
}

# Candidates at the widths that the errors of those tried suggest, a list; empty where all is done.
next_widths <- function(tried, curves, maximize) {
  walk <- vapply(tried, function(candidate) c(candidate$walk, 0)[1], 0)
  unlist(lapply(setdiff(unique(walk), 0), function(i) {
    here <- which(walk == i)
    multiples <- vapply(tried[here], function(candidate) candidate$kernel$multiple, 0)
    lapply(next_multiples(multiples, curves[here], maximize), at_multiple,
           candidate = tried[[here[1]]])
  }), recursive = FALSE)
}

# Further multiples next to the best, where more than a tenth of its standard error is gained over
# the neighbours that there are.
next_multiples <- function(multiples, curves, maximize) {
  best <- best_curve(curves, maximize)
  at <- multiples[best]
  if (log2(at) %% 2 == 1) return(numeric())
  loss <- vapply(curves, at_best, 0, "cvm")
  gain <- abs(loss - loss[best])[multiples %in% (at * c(1 / 4, 4))]
  error <- at_best(curves[[best]], "cvsd")
  if (all(gain <= worth * c(error[!is.na(error)], 0)[1])) return(numeric())
  beyond <- setdiff(at * c(1 / 4, 4), multiples)
  beyond <- beyond[beyond >= widest & beyond <= narrowest]
  if (length(beyond)) beyond else setdiff(at * c(1 / 2, 2), multiples)
}

# Curves with the widths of every walk in the order of gamma.
widths_in_order <- function(curves) {
  walk <- vapply(seq_along(curves), function(i) as.numeric(c(curves[[i]]$walk, i)[1]), 0)
  multiple <- vapply(curves, function(curve) {
    if (is.null(curve$walk)) 1 else curve$kernel$multiple
  }, 0)
  curves[order(match(walk, walk), multiple)]
}
