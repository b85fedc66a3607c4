# Errors, warnings and messages with a class. Every error says what is wrong, what
# was given and what would work.

condition_text <- function(problem, given, remedy) {
  paste(c(problem, if (length(given)) paste("x", given), if (length(remedy)) paste("i", remedy)),
        collapse = "\n")
}

# kind: "error" or "warning"; ...: further fields. The condition keeps its parts, so that located()
# can add to what was given.
new_condition <- function(kind, topic, problem, given, remedy, ...) {
  class <- paste0("sparserls_", kind)
  structure(class = c(paste0(class, "_", topic), class, kind, "condition"),
            list(message = condition_text(problem, given, remedy), call = NULL,
                 problem = problem, given = given, remedy = remedy, ...))
}

abort <- function(topic, problem, given = NULL, remedy = NULL) {
  stop(new_condition("error", topic, problem, given, remedy))
}

# What must hold, or the error says what does not. Where it holds only `fine` is evaluated.
must <- function(fine, topic, problem, given = NULL, remedy = NULL) {
  if (!fine) abort(topic, problem, given, remedy)
}

warn <- function(topic, problem, given = NULL, remedy = NULL, ...) {
  warning(new_condition("warning", topic, problem, given, remedy, ...))
}

or_null <- function(code) tryCatch(code, error = function(e) NULL)

# The value of code that a user wrote, or that reads: what fails (with `warnings`, what is warned
# of, too) becomes an error that says where.
or_failed <- function(code, problem, where = NULL, warnings = FALSE, topic = "chunks") {
  failed <- function(e) {
    if (inherits(e, "sparserls_error")) stop(e)
    abort(topic, problem, c(where, conditionMessage(e)))
  }
  if (warnings) tryCatch(code, error = failed, warning = failed) else tryCatch(code, error = failed)
}

not_null <- function(x) Filter(Negate(is.null), x)

`%||%` <- function(x, y) if (is.null(x)) y else x

# Conditions raised in `code` say where they belong, "fold 3", if they do not yet.
located <- function(where, code) {
  there <- function(condition) {
    given <- as.character(condition$given)
    known <- any(given == where | endsWith(given, paste(" of", where)))
    if (known || !length(where)) return(condition)
    condition$given <- c(condition$given, where)
    condition$message <- condition_text(condition$problem, condition$given, condition$remedy)
    condition
  }
  withCallingHandlers(
    code,
    sparserls_error = function(e) stop(there(e)),
    sparserls_warning = function(w) {
      warning(there(w))
      invokeRestart("muffleWarning")
    }
  )
}

# Warnings of one problem are given once, of the first place where it is met.
warned_once <- function(code) {
  given <- character()
  withCallingHandlers(code, sparserls_warning = function(w) {
    if (w$problem %in% given) invokeRestart("muffleWarning")
    given <<- c(given, w$problem)
  })
}

inform <- function(text) {
  message(structure(
    class = c("sparserls_message", "message", "condition"),
    list(message = paste0(text, "\n"), call = NULL)
  ))
}

# The print of a small object, a line in angle brackets.
print_brief <- function(x, ...) {
  cat("<", ..., ">\n", sep = "")
  invisible(x)
}

# How many digits prints show.
print_digits <- function() max(3, getOption("digits") - 3)

# Numbers in messages.
three_digits <- function(x) format(x, digits = 3)

# "1, 2, 3, ... (12 in all)"
enumerate <- function(x, most = 5) {
  shown <- toString(head(x, most))
  if (length(x) > most) sprintf("%s, ... (%d in all)", shown, length(x)) else shown
}

# The same in quotes.
quoted <- function(x, most = 5) enumerate(dQuote(x, FALSE), most)

# "1 row", "2 rows"
counted <- function(n, one) sprintf("%d %s%s", n, one, if (n == 1) "" else "s")

# What was given, in few words.
shown <- function(x) {
  if (is.null(x)) return("NULL")
  if (is.function(x)) return("a function")
  if (length(x) == 1 && is.atomic(x) && !is.object(x)) return(deparse(as.vector(x)))
  kind <- if (is.object(x)) class(x)[1]
          else if (is.matrix(x)) paste(mode(x), "matrix")
          else if (is.array(x)) paste(mode(x), "array")
          else if (is.list(x)) "list" else paste(mode(x), "vector")
  sprintf("%s of size %s", kind, paste(dim(x) %||% length(x), collapse = " x "))
}

# What the numeric core answers where it fails (src/constants.h, sr_status): topic, problem, remedy.
status_errors <- list(
  not_finite = c("not_finite", "The computation overflowed: values are not finite.",
                 "Rescale `x`, `y` or `weights`, or choose kernel parameters with smaller values."),
  not_positive = c("singular", "The kernel matrix of the basis vectors is singular.",
                   "Use a larger `jitter` or fewer basis vectors."),
  no_convergence = c("no_convergence", "LAPACK's eigenvalue routine did not converge.",
                     "Rescale `x` or use a larger `jitter`."),
  ill_posed = c("ill_posed", "A refit is singular to working precision.",
                "Use larger values of `lambda`, a larger `jitter` or fewer basis vectors.")
)

stop_status <- function(status, where = NULL) {
  error <- status_errors[[status_name(status)]]
  must(is.null(error), error[1], error[2], where, error[3])
}

# ---- what C defines ------------------------------------------------------------------------------

# What is read once, when the package is loaded: the numbers and the tables that are defined in
# C (src/constants.h, src/kernel.c, src/measure.c), by name.

session <- new.env(parent = emptyenv())

# "ok", "ill_posed", ...: what a status of the numeric core means.
status_name <- function(status) {
  codes <- session$constants$status
  names(codes)[match(status, codes)]
}

tolerance <- function(name) session$constants$tolerance[[name]]
