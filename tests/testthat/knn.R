# The mean of the k nearest rows, by the verbs of verbs.R alone: a method whose path is one of k,
# from the simplest, the largest, on.

knn <- function(x, ...) UseMethod("knn")
knn.default <- function(x, y, k = c(20, 9, 3, 1), ...) {
  public_call(fit_problem, knn_problem(read_arguments("knn", match.call(), environment(), ...)))
}
cv.knn <- function(x, ...) UseMethod("cv.knn")
cv.knn.default <- function(x, y, k = c(20, 9, 3, 1), groups = NULL, keep = FALSE, outer = NULL,
                           by.output = FALSE, ...) {
  asked <- read_arguments("cv.knn", match.call(), environment(), ...)
  public_call(cross_validate, knn_problem(asked))
}
knn_problem <- function(asked) {
  design <- asked_design(asked)
  new_problem("knn", asked, design, if (is_cv(asked)) new_validation(asked, design), k = asked$k)
}
train.knn_problem <- function(problem, candidate, path = NULL) {
  rows <- problem$weights > 0
  list(candidate = candidate, path = new_path(k = problem$k),
       x = problem$points$x[rows, , drop = FALSE], y = problem$y[rows, , drop = FALSE])
}
knn_scores <- function(x, model, k) {
  means <- apply(x, 1, function(row) {
    nearest <- order(colSums((t(model$x) - row)^2))
    vapply(k, function(k) colMeans(model$y[nearest[1:k], , drop = FALSE]), model$y[1, ])
  })
  aperm(array(means, c(ncol(model$y), length(k), nrow(x))), c(3, 1, 2))
}
predict_rows.knn_problem <- function(problem, model, rows) {
  knn_scores(problem$points$x[rows, , drop = FALSE], model, problem$k)
}
finish.knn_problem <- function(problem, begun, choice = NULL) {
  new_family_fit(problem, "knn", list(
    k = problem$k, standard = problem$standard, model = begun$model,
    fitted = knn_scores(problem$points$x, begun$model, problem$k)
  ))
}
coded_scores.knn <- function(object, x, at) {
  knn_scores(new_points(object, x)$x, object$model, object$k[at])
}
path_axis.knn <- function(fit) {
  new_axis("k", fit$k, function(s) if (is.null(s)) seq_along(fit$k) else read_k(s, fit$k),
           "numbers of neighbours", "k")
}
read_k <- function(s, k) {
  at <- match(s, k)
  if (anyNA(at)) abort("k", "`s` is not on the path of `k`.", shown(s))
  at
}
