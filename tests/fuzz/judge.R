# What may come of a call: a value that says nothing false, or an error of a class of ours. All else
# is a finding, in a word.

# How many calls of the package's have been judged.
calls <- 0

# A list of `value` or `error`, and `finding`, NULL or list(kind, says). args are those of the call;
# draws: whether it may draw random numbers.
judged <- function(code, args, draws = FALSE, seconds = 20) {
  calls <<- calls + 1
  stream <- globalenv()$.Random.seed
  before <- serialize(atoms(args), NULL, version = 2)
  setTimeLimit(cpu = seconds, transient = TRUE)
  on.exit(setTimeLimit())
  outcome <- tryCatch(list(value = suppressWarnings(suppressMessages(code))),
                      error = function(e) list(error = e))
  finding <- found_in(outcome)
  if (is.null(finding) && !identical(before, serialize(atoms(args), NULL, version = 2))) {
    finding <- list(kind = "modified argument", says = "")
  }
  if (is.null(finding) && !draws && !identical(stream, globalenv()$.Random.seed)) {
    finding <- list(kind = "hidden draw", says = "")
  }
  c(outcome, list(finding = finding))
}

# What of an argument are numbers and texts: functions are compiled by being called.
atoms <- function(x) {
  if (isS4(x)) x <- lapply(methods::slotNames(x), function(name) methods::slot(x, name))
  if (is.list(x)) return(lapply(unclass(x), atoms))
  if (is.atomic(x)) c(list(as.vector(x)), attributes(x)[c("dim", "names", "class", "levels")])
}

found_in <- function(outcome) {
  error <- outcome$error
  if (is.null(error)) return(NULL)
  says <- conditionMessage(error)
  if (grepl("reached CPU time limit", says)) return(list(kind = "slow", says = says))
  # Not ours: errors of the user's own function, of generics that have no method for an object, and
  # of other packages (rlang's).
  if (inherits(error, "sparserls_error") || identical(says, "mine") ||
      grepl("no applicable method for", says) || inherits(error, "rlang_error")) return(NULL)
  list(kind = "unclassed error", says = sprintf("%s: %s", deparse1(conditionCall(error))[1], says))
}

# Numbers of an answer that are not finite although the rows are.
not_finite <- function(value, x) {
  numbers <- if (is.numeric(value)) value
             else if (is.data.frame(value)) unlist(Filter(is.numeric, value)) else numeric()
  rows <- tryCatch(all(is.finite(as.matrix(x))), error = function(e) FALSE)
  if (rows && any(is.nan(numbers) | is.na(numbers))) list(kind = "silent NaN", says = "")
}
