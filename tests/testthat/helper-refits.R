# What the refits that a cross-validation has kept predict for coded rows, rows x outputs x refits.
fold_scores <- function(cv, x, point) {
  predictor <- fold_predictor(cv, point)
  scores <- predictor$scores(x) + rep(as.vector(predictor$offset), each = nrow(x))
  array(scores, c(nrow(x), dim(predictor$offset)))
}
