# The variables that a function uses but does not define, from where it was made up to the user's
# workspace. A checkpoint identifies a function by its text and by these.

# marks: one for each variable that the functions among x (a function, or a list) use, named in
# words; unknown: variables whose values cannot be known. whose: the functions, in words.
closure_marks <- function(x, whose) {
  unknown <- character()
  # `seen`: functions that are being looked at, as they may call each other.
  known <- function(value, name, seen) {
    if (is.function(value)) {
      if (any(vapply(seen, identical, NA, value))) return("the same function")
      return(list(value, closed(value, c(seen, value))))
    }
    if (is.environment(value) || typeof(value) %in% c("externalptr", "weakref")) {
      unknown <<- c(unknown, name)
      return(typeof(value))
    }
    if (is.list(value)) return(list(lapply(unclass(value), known, name, seen),
                                    lapply(attributes(value), plain)))
    sampled_values(value)
  }
  closed <- function(f, seen) {
    values <- used_values(f)
    Map(known, values, names(values), MoreArgs = list(seen))
  }
  found <- lapply(functions_in(x), function(f) closed(f, list(f)))
  found <- as.list(unlist(unname(found), recursive = FALSE))
  in_words <- function(names) sprintf("`%s`, which %s uses", names, whose)
  list(marks = setNames(vapply(found, fingerprint, "", USE.NAMES = FALSE), in_words(names(found))),
       unknown = in_words(unique(unknown)))
}

functions_in <- function(x) {
  if (is.function(x)) list(x) else if (is.list(x)) unlist(unname(lapply(unclass(x), functions_in)))
}

# Long vectors count by some of their values, and their length.
sampled_values <- function(x, most = 1e5) {
  if (!is.atomic(x) || length(x) <= most) return(x)
  list(length(x), plain(attributes(x)[setdiff(names(attributes(x)), "names")]),
       as.vector(x)[even_rows(length(x), most)])
}

# The variables of a function's own that it finds where it was made: by their names.
used_values <- function(f) {
  if (is.primitive(f)) return(list())
  homes <- sapply(free_names(f), home_of, environment(f), simplify = FALSE)
  homes <- Filter(Negate(is.null), homes)
  Map(function(name, home) tryCatch(get(name, home), error = function(e) emptyenv()),
      names(homes), homes)
}

# Up to the workspace: what packages hold is theirs.
home_of <- function(name, env) {
  while (!isNamespace(env) && !identical(env, baseenv()) && !identical(env, emptyenv())) {
    if (exists(name, env, inherits = FALSE)) return(env)
    if (identical(env, globalenv())) return(NULL)
    env <- parent.env(env)
  }
}

# Names that a function uses and does not assign itself, be it with `<<-` (a counter of its own).
free_names <- function(f) {
  used <- bound <- character()
  parts_of <- function(call) {
    parts <- as.list(unclass(call))
    parts[!vapply(parts, identical, NA, quote(expr = ))]
  }
  walk <- function(e) {
    if (is.name(e)) used <<- c(used, as.character(e))
    if (is.pairlist(e)) bound <<- c(bound, names(e))
    if (!is.call(e) && !is.pairlist(e)) return(invisible())
    head <- if (is.call(e) && is.name(e[[1]])) as.character(e[[1]]) else ""
    if (head %in% c("::", ":::")) return(invisible())
    if (head %in% c("<-", "=", "<<-", "for")) bound <<- c(bound, target_name(e[[2]], head))
    for (part in if (head %in% c("$", "@")) list(e[[2]]) else parts_of(e)) walk(part)
  }
  walk(formals(f))
  walk(body(f))
  setdiff(used, bound)
}

# Of `x[i] <<- value` it is x.
target_name <- function(target, assignment) {
  while (assignment == "<<-" && is.call(target)) target <- target[[2]]
  if (is.name(target) || is.character(target)) as.character(target)
}
