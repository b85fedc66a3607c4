# What a cross-validation searches alongside lambda, kernels with their parameters and sizes of the
# basis: the search for widths, and the words about it.
#
# A width that was left open, `gamma = NULL` of a kernel of differences, is searched. Multiples of
# the data-driven gamma are tried, first in steps of four, further in the direction in which the
# error falls, then half way to the neighbours of the best. All share the folds, and a basis is
# drawn for each with the same random numbers.
#
# Where the kernel itself was left open, its *shapes* are searched, one after the other, and only
# the best of them takes the last, half step. All widths of a shape have one basis.
#
# A candidate whose width is searched has two fields more: `walk`, the number of its kernel, and
# `origin`: `state`, of the random stream before its basis was drawn, the `bases` of its kernel, and
# of a shape those that were `drawn`, selections for kernel_candidates().

# The data-driven gamma first: of widths that are equally good it is chosen.
first_multiples <- c(1, 1 / 4, 4)
# The search goes no further.
widest <- 4^-4
narrowest <- 4^4
# What a step must gain, in standard errors, to be followed by another one.
worthwhile <- 0.1

# A width that a kernel leaves open is to be searched.
searched_width <- function(kernel) {
  open <- sees_distances(kernel) && is.null(kernel$gamma) && is.null(kernel$multiple)
  if (open && !has_map(kernel)) replace(kernel, "search", TRUE) else kernel
}

# The kernels of which one is searched where none was named. On sparse x the Laplacian has no
# products of sparse matrices to save the differences of all columns.
open_shapes <- function(sparse) {
  shapes <- list(kernel_gaussian(), kernel_laplacian())
  if (sparse) lapply(shapes[1], searched_width) else lapply(shapes, replace, "search", "shape")
}

is_shape <- function(kernel) identical(kernel$search, "shape")

seeks_shape <- function(problem) any(vapply(problem$kernels, is_shape, NA))

# The candidates of all kernels, of those whose width is searched at the first multiples; of shapes
# those of the first.
candidates_by_kernel <- function(problem, bases) {
  open <- if (seeks_shape(problem)) 1L else seq_along(problem$kernels)
  unlist(lapply(open, function(i) {
    if (is.null(problem$kernels[[i]]$search)) {
      return(kernel_candidates(problem, problem$kernels[[i]], bases))
    }
    stream <- keep_random_stream()
    if (is.null(globalenv()$.Random.seed)) set.seed(NULL)
    origin <- list(state = globalenv()$.Random.seed, bases = bases)
    tried <- candidates_at(problem, first_multiples, i, origin)
    # A basis that was given draws nothing: then there is no stream where there was none.
    if (identical(globalenv()$.Random.seed, origin$state)) stream$restore()
    tried
  }), recursive = FALSE)
}

# Those of the kernel of number `walk`. The widths of a shape share the selections of its first.
candidates_at <- function(problem, multiples, walk, origin) {
  kernel <- problem$kernels[[walk]]
  found <- list()
  for (multiple in multiples) {
    bases <- origin$drawn %||% origin$bases
    if (is.null(origin$drawn)) assign(".Random.seed", origin$state, envir = globalenv())
    tried <- kernel_candidates(problem, at_multiple(kernel, multiple), bases)
    largest <- tried[[length(tried)]]
    if (is_shape(kernel)) {
      origin$drawn <- lapply(c(list(largest), largest$folds), `[[`, "selection")
    }
    found <- c(found, lapply(tried, c, list(walk = walk, origin = origin)))
  }
  found
}

# A kernel whose width is searched, at a multiple of its data-driven gamma, which stands there
# already where it is that of other rows (remade()).
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
  walk <- vapply(tried, function(of) if (is.null(of$origin)) 0L else of$walk, 0L)
  maximize <- problem$validation$measure$maximize
  origin <- function(i) tried[[match(i, walk)]]$origin
  if (!seeks_shape(problem) || !any(walk > 0)) {
    return(unlist(lapply(setdiff(walk, 0L), function(i) {
      candidates_at(problem, next_multiples(curves[walk == i], maximize), i, origin(i))
    }), recursive = FALSE))
  }
  step <- next_of_shapes(walk, curves, length(problem$kernels), maximize)
  from <- if (step$walk %in% walk) origin(step$walk) else replace(origin(1L), "drawn", list(NULL))
  candidates_at(problem, step$multiples, step$walk, from)
}

# The shape `walk` with its multiples, none where all is done. Every shape goes in steps of four
# unless it is behind the best by more than a standard error; the next one starts where the best
# multiple took this one, half as many steps away, as an inverse width is the root of an inverse
# squared one. At the end the best goes half a step towards the better of its neighbours.
next_of_shapes <- function(walk, curves, shapes, maximize) {
  multiple <- vapply(curves, function(curve) curve$kernel$multiple, 0)
  of <- function(i) curves[walk == i]
  loss <- function(curves) at_best(curves[[best_curve(curves, maximize)]], "cvm")
  best <- best_curve(curves, maximize)
  last <- max(walk)
  steps <- next_multiples(of(last), maximize)
  behind <- isTRUE(abs(loss(of(last)) - loss(curves)) > at_best(curves[[best]], "cvsd"))
  if (!behind && length(steps) && !is_half(steps[1])) return(list(walk = last, multiples = steps))
  if (last < shapes) {
    start <- multiple[walk == last][best_curve(of(last), maximize)]
    return(list(walk = last + 1L, multiples = 4^trunc(log(start, 4) / 2)))
  }
  here <- walk[best]
  steps <- next_multiples(of(here), maximize)
  others <- walk == here & multiple != multiple[best]
  beside <- multiple[others][best_curve(curves[others], maximize)]
  towards <- steps[sign(log(steps) - log(multiple[best])) == sign(log(beside / multiple[best]))]
  list(walk = here, multiples = if (!any(is_half(multiple[walk == here]))) towards)
}

is_half <- function(multiple) log2(multiple) %% 2 == 1

refine.default <- function(problem, tried, curves, folds) next_widths(problem, tried, curves)

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
  if (is_half(at)) return(numeric())
  loss <- vapply(curves, at_best, 0, "cvm")
  gain <- abs(loss - loss[best])[tried %in% (at * c(1 / 4, 4))]
  enough <- worthwhile * max(0, at_best(curves[[best]], "cvsd"), na.rm = TRUE)
  if (length(gain) && all(gain <= enough)) return(numeric())
  open <- function(steps) {
    steps <- at * steps
    setdiff(steps[steps >= widest & steps <= narrowest], tried)
  }
  if (length(open(c(1 / 4, 4)))) open(c(1 / 4, 4)) else open(c(1 / 2, 2))
}

# Curves with the widths of every kernel in the order of gamma.
widths_in_order <- function(curves) {
  walk <- seq_along(curves)
  multiple <- numeric(length(curves))
  for (i in walk) if (!is.null(curves[[i]]$walk)) {
    walk[i] <- -curves[[i]]$walk
    multiple[i] <- curves[[i]]$kernel$multiple
  }
  curves[order(match(walk, walk), multiple)]
}

# f, which does not compute the same point twice in a row.
remembering <- function(f) {
  force(f)
  last <- NULL
  function(...) {
    point <- list(...)
    if (!identical(last$point, point)) last <<- list(point = point, value = f(...))
    last$value
  }
}

# ---- what was searched ----------------------------------------------------------------------

# The numbers of candidates, a data frame with a row for each of these curves: parameters of kernels
# and the size of the basis, NA where there is none, as for gamma where it is one width for each
# feature.
candidate_numbers <- function(curves) {
  parameters <- unique(joined(session$kernels, "parameters"))
  names <- c(append(parameters, "multiple", match("gamma", parameters)), "size")
  number <- function(name, curve) {
    kernel <- curve$kernel
    no_number <- !inherits(kernel, "sparserls_kernel") || (name == "gamma" && has_widths(kernel))
    value <- if (name == "size") curve$size else if (!no_number) kernel[[name]]
    if (length(value) == 1) as.double(value) else NA_real_
  }
  as.data.frame(do.call(rbind, lapply(curves, function(curve) vapply(names, number, 0, curve))))
}

# Those that vary.
varying <- function(numbers) {
  Filter(function(x) length(unique(x[!is.na(x)])) > 1, numbers)
}

# One row for each candidate.
kernel_table <- function(curves) {
  at <- function(name, which) vapply(curves, function(curve) curve[[name]][[curve$index[which]]], 0)
  table <- cbind(
    data.frame(kernel = vapply(curves, function(curve) format(curve$kernel), "")),
    varying(candidate_numbers(curves)),
    data.frame(lambda.min = at("lambda", "min"), cvm = at("cvm", "min"),
               cvsd = at("cvsd", "min"), lambda.1se = at("lambda", "1se"))
  )
  # Where some candidates have been left out by squares (screen()).
  squares <- vapply(curves, function(curve) isTRUE(curve$squares), NA)
  if (any(squares)) table$error <- ifelse(squares, "squared", "likelihood")
  table
}

kernel_labels <- function(curves) vapply(curves, function(curve) kernel_label(curve$kernel), "")

# A kernel without its numbers: "Gaussian on age".
kernel_label <- function(kernel) {
  if (!inherits(kernel, "sparserls_kernel")) return(format(kernel))
  name <- sub(" kernel.*", "", format(replace(kernel, "features", list(NULL))))
  paste0(name, if (has_map(kernel)) " with a map",
         if (!is.null(kernel$features)) paste(" on", enumerate(feature_names(kernel))))
}

# What tells candidates apart: families, where there are several, and numbers that vary.
candidate_labels <- function(curves) {
  numbers <- varying(candidate_numbers(curves))
  families <- kernel_labels(curves)
  vapply(seq_along(curves), function(i) {
    own <- unlist(numbers[i, setdiff(names(numbers), "multiple"), drop = FALSE])
    own <- own[!is.na(own)]
    parts <- c(if (length(unique(families)) > 1) families[i],
               sprintf("%s = %s", sub("size", "n", names(own)), format_values(own)))
    if (length(parts)) paste(parts, collapse = ", ") else format(curves[[i]]$kernel)
  }, "")
}

# Gammas of the candidates that differ from the best one in nothing else.
rivals_of_best <- function(cv) {
  numbers <- candidate_numbers(cv$curves)
  others <- setdiff(names(numbers), c("gamma", "multiple"))
  same <- Map(`%in%`, numbers[others], candidate_numbers(list(cv))[others])
  rivals <- Reduce(`&`, same, kernel_labels(cv$curves) == kernel_label(cv$kernel))
  numbers$gamma[rivals & !is.na(numbers$gamma)]
}

# "Searched 9 kernels: Gaussian, Laplacian, gamma from 0.1 to 10; basis sizes 50, 100, 200"
describe_search <- function(cv) {
  numbers <- candidate_numbers(cv$curves)
  sizes <- unique(numbers$size)
  varied <- varying(numbers[setdiff(names(numbers), c("multiple", "size"))])
  end <- function(f) format_values(vapply(varied, f, 0, na.rm = TRUE))
  paste0("Searched ", counted(length(unique(lapply(cv$curves, `[[`, "kernel"))), "kernel"), ": ",
         paste(c(unique(kernel_labels(cv$curves)),
                 sprintf("%s from %s to %s", names(varied), end(min), end(max))), collapse = ", "),
         if (length(sizes) > 1) sprintf("; basis sizes %s", enumerate(sizes)))
}
