# The family of a file (toy.R, knn.R) as if it were one of the package, here or on a worker: on the
# search path, as exported functions are, and registered, as methods are.
use_family <- function(file, name) {
  if (name %in% search()) detach(name, character.only = TRUE)
  space <- asNamespace("sparserls")
  family <- attach(NULL, name = name)
  sys.source(file, family)
  for (each in ls(family)) environment(family[[each]]) <- space
  for (each in ls(family)) {
    parts <- strsplit(each, ".", fixed = TRUE)[[1]]
    heads <- vapply(seq_along(parts)[-1] - 1, function(n) paste(parts[1:n], collapse = "."), "")
    generic <- tail(Filter(function(head) exists(head, space, mode = "function"), heads), 1)
    if (length(generic)) {
      registerS3method(generic, substring(each, nchar(generic) + 2), family[[each]], space)
    }
  }
}
