# What calls refuse and say, in tables.

# A table is a block of rows
#
#   sparserls(x, y, 21) | basis | "`basis` must be a whole number from 1 to 20 .. 21 .. I(7)"
#
# of a call, the end of its condition's class (sparserls_error_basis) and words of its text: pieces
# between " .. " that must occur in this order. A call that raises several conditions has a class
# and words for each, and none that it does not name.
expect_refusals <- function(table) check_rows(substitute(table), parent.frame(), "error")

# The same for calls that go on: their classes are message and warning_<topic>, and a call without
# columns says nothing.
expect_notes <- function(table) check_rows(substitute(table), parent.frame(), "^$|warning|message")

check_rows <- function(table, env, kind) {
  rows <- if (identical(table[[1]], quote(`{`))) as.list(table)[-1] else list(table)
  for (row in rows) {
    row <- columns(row)
    raised <- conditions(row$call, env)
    problem <- disagreement(raised, row$class, row$words)
    if (!grepl(kind, toString(tail(row$class, 1)))) problem <- c(problem, paste("no", kind))
    testthat::expect(is.null(problem), paste0(c(
      deparse1(row$call), paste("  is not as in its row:", problem),
      vapply(raised, function(c) paste0("  ", class(c)[1], ": ", conditionMessage(c)), "")
    ), collapse = "\n"))
  }
}

# `call | class | words | class | words` from its end; of `name <- call | ...` the call assigns.
columns <- function(row) {
  class <- words <- character()
  target <- if (identical(row[[1]], quote(`<-`))) row[[2]]
  if (!is.null(target)) row <- row[[3]]
  while (is_bar(row) && is.character(row[[3]]) && is_bar(row[[2]])) {
    words <- c(row[[3]], words)
    name <- as.character(row[[2]][[3]])
    prefix <- if (grepl("^(message$|warning_)", name)) "sparserls_" else "sparserls_error_"
    class <- c(paste0(prefix, name), class)
    row <- row[[2]][[2]]
  }
  list(call = if (is.null(target)) row else call("<-", target, row), class = class, words = words)
}

is_bar <- function(expr) is.call(expr) && identical(expr[[1]], quote(`|`))

conditions <- function(call, env) {
  raised <- list()
  keep <- function(restart = NULL) function(condition) {
    raised[[length(raised) + 1]] <<- condition
    if (!is.null(restart)) invokeRestart(restart)
  }
  tryCatch(
    withCallingHandlers(eval(call, env), warning = keep("muffleWarning"),
                        message = keep("muffleMessage")),
    error = keep()
  )
  raised
}

disagreement <- function(raised, class, words) {
  classes <- vapply(raised, function(condition) class(condition)[1], "")
  if (!identical(classes, class)) return(paste("its class must be", toString(class)))
  said <- vapply(raised, function(condition) conditionMessage(condition), "")
  unsaid <- !mapply(occur, strsplit(words, " .. ", fixed = TRUE), said)
  if (any(unsaid)) paste("its text must have:", words[unsaid])
}

occur <- function(pieces, text) {
  for (piece in pieces) {
    at <- regexpr(piece, text, fixed = TRUE)
    if (at < 0) return(FALSE)
    text <- substring(text, at + nchar(piece))
  }
  TRUE
}
