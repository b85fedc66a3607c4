# A cross-validation: the search, and the nested error of it. Verbs are in verbs.R.

# drawn: of draw_search(), which draws all random numbers of the search.
cross_validate <- function(problem, drawn = draw_search(problem)) {
  within_memory(problem, {
    cv <- search_candidates(problem, drawn)
    # Last, so that it changes none of the other results.
    cv$nested <- nested_error(problem)
    cv
  })
}

# The fit to all rows of a problem with one candidate.
fit_problem <- function(problem) {
  within_memory(problem, finish(problem, begin(problem, candidates(problem)[[1]])))
}
