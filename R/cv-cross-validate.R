# What the public functions of every family end in: a fit alone, or a cross-validation, which is the
# search (cv-search.R) and its nested error (cv-nested.R).

# drawn: of draw_search(), which draws all random numbers of the search.
cross_validate <- function(problem, drawn = draw_search(problem)) {
  within_memory(problem, warned_once({
    cv <- search_candidates(problem, drawn)
    # Last, so that it changes none of the other results.
    cv$nested <- nested_error(problem)
    cv
  }))
}

# The fit to all rows of a problem with one candidate.
fit_problem <- function(problem) {
  within_memory(problem, {
    begun <- begin(problem, candidates(problem)[[1]])
    fit <- finish(problem, begun)
    warn_shift(fit)
    fit
  })
}
