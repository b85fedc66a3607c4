# What the public functions of every family end in: a cross-validation, which is the search
# (cv-search.R) and its nested error (cv-nested.R).

# drawn: of draw_search(), which draws all random numbers of the search.
cross_validate <- function(problem, drawn = draw_search(problem)) {
  cv <- search_candidates(problem, drawn)
  # Last, so that it changes none of the other results.
  if (!is.null(problem$validation$outer)) cv$nested <- nested_error(problem)
  cv
}
