# The search for a width that was left open: `gamma = NULL` of a kernel of differences in a
# cross-validation. Multiples of the data-driven gamma are tried, first in steps of four, further in
# the direction in which the error falls, then half way to the neighbours of the best. All share the
# folds, and a basis is drawn for each with the same random numbers.
#
# A candidate whose width is searched has two fields more: `walk`, the number of its kernel, and
# `origin`: `state`, of the random stream before its basis was drawn, and the `bases` of its kernel.

# The data-driven gamma first: of widths that are equally good it is chosen.
first_multiples <- c(1, 1 / 4, 4)
# The search goes no further.
widest <- 4^-4
narrowest <- 4^4
# What a step must gain, in standard errors, to be followed by another one.
worthwhile <- 0.1

# A width that a kernel leaves open is to be searched.
searched_width <- function(kernel) {
  if (is_open(kernel)) replace(kernel, "search", TRUE) else kernel
}

is_open <- function(kernel) {
  sees_distances(kernel) && is.null(kernel$gamma) && is.null(kernel$multiple) && !has_map(kernel)
}

# The candidates of all kernels, of those whose width is searched at the first multiples.
candidates_by_kernel <- function(problem, bases) {
  unlist(lapply(seq_along(problem$kernels), function(i) {
    if (!isTRUE(problem$kernels[[i]]$search)) {
      return(kernel_candidates(problem, problem$kernels[[i]], bases))
    }
    stream <- keep_random_stream()
    origin <- list(state = random_state(), bases = bases)
    tried <- candidates_at(problem, first_multiples, i, origin)
    # A basis that was given draws nothing: then there is no stream where there was none.
    if (identical(globalenv()$.Random.seed, origin$state)) stream$restore()
    tried
  }), recursive = FALSE)
}

# Those of the kernel of number `walk`.
candidates_at <- function(problem, multiples, walk, origin) {
  unlist(lapply(multiples, function(multiple) {
    assign(".Random.seed", origin$state, envir = globalenv())
    tried <- kernel_candidates(problem, at_multiple(problem$kernels[[walk]], multiple),
                               origin$bases)
    lapply(tried, c, list(walk = walk, origin = origin))
  }), recursive = FALSE)
}

random_state <- function() {
  if (is.null(globalenv()$.Random.seed)) set.seed(NULL)
  globalenv()$.Random.seed
}

# A kernel whose width is searched, at a multiple of its data-driven gamma, which stands there
# already where it is that of other rows (anew()).
at_multiple <- function(kernel, multiple) {
  if (!is.null(kernel$gamma)) kernel$gamma <- kernel$gamma * multiple
  kernel$multiple <- multiple
  kernel$search <- NULL
  kernel
}

# Candidates at the widths that the errors of those tried suggest, a list; empty where all is done.
next_widths <- function(problem, tried, curves) {
  stream <- keep_random_stream()
  on.exit(stream$restore())
  walk <- vapply(tried, function(candidate) c(candidate$walk, 0L)[1], 0L)
  unlist(lapply(setdiff(unique(walk), 0L), function(i) {
    here <- which(walk == i)
    multiples <- next_multiples(curves[here], problem$validation$measure$maximize)
    candidates_at(problem, multiples, i, tried[[here[1]]]$origin)
  }), recursive = FALSE)
}

# Multiples next to the best, where it gains more than a tenth of its standard error over one of the
# neighbours tried so far. After the last, half a step, there are none. curves: of one kernel, of
# several sizes of the basis where these are searched too.
next_multiples <- function(curves, maximize) {
  multiple <- vapply(curves, function(curve) curve$kernel$multiple, 0)
  tried <- unique(multiple)
  curves <- lapply(split(curves, match(multiple, tried)), function(sizes) {
    sizes[[best_curve(sizes, maximize)]]
  })
  best <- best_curve(curves, maximize)
  at <- tried[best]
  if (log2(at) %% 2 == 1) return(numeric())
  loss <- vapply(curves, at_best, 0, "cvm")
  gain <- abs(loss - loss[best])[tried %in% (at * c(1 / 4, 4))]
  error <- at_best(curves[[best]], "cvsd")
  if (all(gain <= worthwhile * c(error[!is.na(error)], 0)[1])) return(numeric())
  open <- function(multiples) {
    setdiff(multiples[multiples >= widest & multiples <= narrowest], tried)
  }
  if (length(open(at * c(1 / 4, 4)))) open(at * c(1 / 4, 4)) else open(at * c(1 / 2, 2))
}

# Curves with the widths of every kernel in the order of gamma.
widths_in_order <- function(curves) {
  walked <- vapply(curves, function(curve) !is.null(curve$walk), NA)
  walk <- seq_along(curves)
  walk[walked] <- -vapply(curves[walked], `[[`, 0L, "walk")
  multiple <- replace(numeric(length(curves)), walked,
                      vapply(curves[walked], function(curve) curve$kernel$multiple, 0))
  curves[order(match(walk, walk), multiple)]
}

refine.default <- function(problem, tried, curves, folds) {
  next_widths(problem, tried, curves)
}
