# The toy (toy.R) as if it were a file of the package, here or on a worker: on the search path, as
# exported functions are, and registered, as methods are.
use_toy <- function(file) {
  if ("toy" %in% search()) detach("toy", character.only = TRUE)
  space <- asNamespace("sparserls")
  toy <- attach(NULL, name = "toy")
  sys.source(file, toy)
  for (name in ls(toy)) environment(toy[[name]]) <- space
  method <- "^(.+)[.](default|formula|toy|toy_problem)$"
  for (name in setdiff(grep(method, ls(toy), value = TRUE), "cv.toy")) {
    registerS3method(sub(method, "\\1", name), sub(method, "\\2", name), toy[[name]], space)
  }
}
