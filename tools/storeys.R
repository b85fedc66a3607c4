# Is the house in R/ as it is meant to be? Four storeys, which the prefix of a file's name says:
# checks < tools < families < interface. Files call their own storey or those below, and no files
# use each other in a circle, by calls or by functions that are handed on. (Verbs are not followed:
# who calls one does not know who answers.)
# Every name is defined once, every file begins by saying what it is for, and no function has more
# than 60 lines.
# Says what is not so, and fails.
# Usage: Rscript tools/storeys.R (of tools/storeys.sh)

storeys <- list(
  checks = c("blas", "blocks", "check-args", "conditions", "progress"),
  tools = c("basis", "calls", "cv", "describe", "design", "effect", "fit", "fold",
            "interval", "kernel", "lambda", "loss", "path", "predict", "problem", "source",
            "train", "vcov", "verbs", "workers"),
  families = c("family", "chunk"),
  interface = c("adapter", "plot", "sparserls-package", "tidy")
)

files <- list.files("R", "[.]R$", full.names = TRUE)
names <- sub("[.]R$", "", basename(files))
parsed <- setNames(lapply(files, parse, keep.source = TRUE), names)

# The functions, and other values, that a file defines.
is_definition <- function(x) {
  is.call(x) && identical(x[[1]], as.name("<-")) && is.name(x[[2]])
}
defined <- lapply(parsed, function(lines) {
  definitions <- Filter(is_definition, as.list(lines))
  setNames(lapply(definitions, `[[`, 3), vapply(definitions, function(x) as.character(x[[2]]), ""))
})
home <- rep(names, lengths(defined))
names(home) <- unlist(lapply(defined, names))

# One row for each use of a file by another, a call or a function that is handed on: by which
# function, of which.
calls <- do.call(rbind, lapply(names, function(file) {
  do.call(rbind, lapply(names(defined[[file]]), function(by) {
    globals <- codetools::findGlobals(eval(call("function", NULL, defined[[file]][[by]])))
    called <- intersect(globals, names(home)[home != file])
    if (length(called)) data.frame(from = file, to = home[called], by = by, called = called)
  }))
}))

storey_of <- function(file) {
  owner <- vapply(storeys, function(prefixes) {
    any(file == prefixes | startsWith(file, paste0(prefixes, "-")))
  }, NA)
  if (sum(owner) == 1) which(owner) else NA
}
storey <- vapply(names, storey_of, 0L)

wrong <- c(
  sprintf("%s.R is of no storey: name it after one (tools/storeys.R)", names[is.na(storey)]),
  with(calls[which(storey[calls$from] < storey[calls$to]), ],
       sprintf("%s.R (%s) calls %s() of %s.R, a storey above", from, by, called, to)),
  sprintf("%s.R does not begin by saying what it is for",
          names[!vapply(files, function(file) grepl("^#", readLines(file, 1)), NA)]),
  vapply(unique(names(home)[duplicated(names(home))]), function(name) {
    sprintf("%s is defined more than once: %s", name, toString(home[names(home) == name]))
  }, "")
)

# Files that call each other in a circle: those that reach each other.
edges <- unique(calls[c("from", "to")])
reaches <- matrix(FALSE, length(names), length(names), dimnames = list(names, names))
reaches[as.matrix(edges)] <- TRUE
repeat {
  further <- reaches | reaches %*% reaches > 0
  if (identical(further, reaches)) break
  reaches <- further
}
circle <- merge(calls, edges[reaches[as.matrix(edges[c("to", "from")])], ])
wrong <- c(wrong, with(circle, sprintf("in a circle: %s.R (%s) calls %s() of %s.R",
                                       from, by, called, to)))

lines <- unlist(lapply(parsed, function(source) {
  long <- vapply(attr(source, "srcref"), function(at) at[3] - at[1] + 1L, 0L)
  is_function <- vapply(as.list(source), function(x) {
    is_definition(x) && is.call(x[[3]]) && identical(x[[3]][[1]], as.name("function"))
  }, NA)
  setNames(long[is_function], vapply(as.list(source)[is_function], function(x) {
    as.character(x[[2]])
  }, ""))
}))
wrong <- c(wrong, sprintf("%s has %d lines", names(lines), lines)[lines > 60])

if (length(wrong)) writeLines(wrong)
cat(sprintf("%d edges of the call graph between %d files of R/\n",
            nrow(unique(calls[c("from", "to")])), length(files)))
if (length(wrong)) quit(status = 1)
