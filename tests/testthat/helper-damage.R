# Damage as files and hands do it: one mutation somewhere in an object.

# Paths to all elements of a nested list (S3 objects included), two levels into its lists and more.
element_paths <- function(object, depth = 4) {
  object <- unclass(object)
  if (!is.list(object) || depth == 0 || length(object) == 0) return(list())
  unlist(lapply(seq_along(object), function(i) {
    c(list(i), lapply(element_paths(object[[i]], depth - 1), function(path) c(i, path)))
  }), recursive = FALSE)
}

# One element in a random way: gone, cut, lengthened, missing, of another type or class.
damaged_value <- function(value) {
  some <- function(x) if (length(x)) sample.int(length(x), 1) else integer()
  plain <- unclass(value)
  atomic <- is.atomic(plain) && length(plain) > 0
  switch(sample(14, 1),
    NULL,
    if (is.null(dim(value))) head(plain, -1)
    else if (length(dim(value)) == 2 && !is.object(value)) value[, -1, drop = FALSE] else 1,
    if (atomic) c(plain, plain[1]) else list(),
    if (atomic) replace(plain, some(plain), NA) else NA,
    if (is.double(plain) && atomic) replace(plain, some(plain), NaN) else NaN,
    if (is.numeric(plain) && atomic) replace(plain, some(plain), -1e9) else -1,
    if (is.integer(plain) && atomic) replace(plain, some(plain), 100000L) else 50L,
    if (is.numeric(plain) && atomic) replace(plain, some(plain), Inf) else Inf,
    if (atomic) as.character(plain) else "a",
    if (atomic) as.list(plain) else 1,
    structure(if (is.null(value) || is.symbol(value)) list() else plain, class = "other"),
    if (is.vector(plain)) plain[0] else list(),
    { attributes(plain) <- NULL; plain },
    function(...) stop("not a field")
  )
}

# path: to the element that is damaged.
damage <- function(object, path = {
                     paths <- element_paths(object)
                     paths[[sample.int(length(paths), 1)]]
                   }) {
  change <- function(x, path) {
    class <- oldClass(x)
    x <- unclass(x)
    value <- if (length(path) == 1) damaged_value(x[[path]]) else change(x[[path[1]]], path[-1])
    if (is.null(value) && runif(1) < 0.5) x[[path[1]]] <- NULL else x[path[1]] <- list(value)
    oldClass(x) <- class
    x
  }
  list(object = change(object, path), path = path)
}

# The names along a path.
path_name <- function(object, path) {
  names <- character()
  for (i in path) {
    object <- unclass(object)
    names <- c(names, if (is.null(names(object))) i else names(object)[i])
    object <- object[[i]]
  }
  paste(names, collapse = "$")
}
