# The calls of public functions: what they are wrapped in, and what fits keep of them, so that
# update() works.

# What a public function answers of its problem: a fit (fit_problem()) or a cross-validation. Users
# are told once, for all folds and kernels, of warnings that differ only in where they belong, and
# of basis vectors that were dropped: on exit, so that an error about the folds does not hide it.
public_call <- function(answer, problem) {
  dropped <- character()
  on.exit(warn_redundant(dropped))
  withCallingHandlers(
    warned_once(within_memory(problem, answer(problem))),
    sparserls_basis_note = function(note) dropped <<- union(dropped, note$dropped)
  )
}

# The fit to all rows of a problem with one candidate.
fit_problem <- function(problem) {
  candidate <- candidates(problem)[[1]]
  problem <- settle(problem, candidate)
  fit <- finish(problem, begin(problem, candidate))
  warn_shift(fit)
  fit
}

# ---- memory --------------------------------------------------------------------------------------
# Where R runs out of memory, the error says how much a method needs and what would need less.

# R's own messages, up to version 4.4 and since, as C formats.
memory_formats <- c(
  "cannot allocate vector of size %0.1f Gb", "cannot allocate vector of size %0.1f Mb",
  "cannot allocate vector of size %0.f Kb", "cannot allocate vector of length %lld",
  "cannot allocate memory block of size %0.1f Gb", "cannot allocate memory block of size %0.1f Mb",
  "cannot allocate memory block of size %0.f Tb", "memory exhausted (limit reached?)",
  "vector memory exhausted (limit reached?)", "could not allocate memory",
  "cannot allocate vector of size %0.1f %s", "cannot allocate vector of size %0.f %s",
  "cannot allocate memory block of size %0.f %s",
  "cons memory limit of %llu nodes reached, see mem.maxNSize()",
  "vector memory limit of %0.1f %s reached, see mem.maxVSize()"
)

# In English or the user's language: all the text between the values of a format.
is_memory_error <- function(e) {
  formats <- unique(c(memory_formats, gettext(memory_formats, domain = "R")))
  any(vapply(strsplit(formats, "%[0-9.]*l*[a-z]"), function(parts) {
    all(vapply(trimws(parts), grepl, NA, x = conditionMessage(e), fixed = TRUE))
  }, NA))
}

# The value of code that works on a problem. Other errors stay as they are, with their call and
# traceback.
within_memory <- function(problem, code) {
  force(problem)
  leave <- function(e) {
    if (inherits(e, "sparserls_error") || !is_memory_error(e)) return()
    invokeRestart("memory_used_up", conditionMessage(e))
  }
  found <- withRestarts(list(value = withCallingHandlers(code, error = leave)),
                        memory_used_up = function(text) text)
  if (is.list(found)) return(found$value)
  block <- largest_block(problem)
  size <- format(structure(8 * block$rows * block$columns, class = "object_size"), units = "auto")
  abort("memory", "R ran out of memory.",
        c(found, sprintf("the method needs blocks of %.0f x %.0f numbers (%s), %s", block$rows,
                         block$columns, size, block$what)), block$remedy)
}

largest_block.default <- function(problem) {
  list(rows = nrow(problem$y), columns = ncol(problem$design$x), what = "rows by features",
       remedy = "Use fewer rows, or leave out features.")
}

full_kernel_block <- function(problem) {
  list(rows = nrow(problem$y), columns = nrow(problem$y), what = "the kernel of all rows",
       remedy = "Use sparserls() with a subset of the rows as basis.")
}

# ---- calls that are kept ---------------------------------------------------------------------

# A call of a method as one of the generic, in the package's namespace where the user said so.
generic_call <- function(call, name) {
  qualified <- is.call(call[[1L]]) && identical(call[[1L]][[1L]], quote(`::`))
  call[[if (qualified) c(1L, 3L) else 1L]] <- as.name(name)
  call
}

# A fit with its call; a cv object with its own, and its fit with that of the fitting function: the
# user's arguments that are no matter of the cross-validation, and those of chosen_arguments().
with_calls <- function(object, call) {
  cv <- replace(object, "call", list(call))
  if (!inherits(cv, "sparserls_cv")) return(cv)
  name <- sub("^cv[.]", "", tail(as.character(call[[1]]), 1))
  methods <- Filter(is.function, mget(paste0(name, c(".default", ".formula")), envir = topenv(),
                                      ifnotfound = list(NULL), inherits = TRUE))
  known <- setdiff(unlist(lapply(methods, function(method) names(formals(method)))), "...")
  chosen <- chosen_arguments(cv)
  own <- call[c(TRUE, names(call)[-1] %in% setdiff(known, chosen$none))]
  chosen$none <- NULL
  for (argument in names(chosen)) own[[argument]] <- chosen[[argument]]
  cv$fit$call <- generic_call(own, name)
  cv
}

chosen_arguments.sparserls_cv <- function(cv) {
  sizes <- max(1, length(unique(cv$kernels$size)))
  c(if (length(cv$curves) > sizes) list(kernel = kernel_call(cv$kernel)),
    if (sizes > 1) list(basis = I(cv$fit$basis)))
}

# A kernel as the call that makes it.
kernel_call <- function(kernel) {
  name <- paste0("kernel_", kernel$name)
  defaults <- as.list(formals(name, envir = topenv()))
  kernel$features <- feature_names(kernel)
  arguments <- kernel[intersect(names(defaults), names(kernel))]
  usual <- vapply(names(arguments), function(name) {
    isTRUE(all.equal(arguments[[name]], defaults[[name]], tolerance = 0))
  }, NA)
  as.call(c(as.name(name), arguments[!usual]))
}

# What a formula method was given: `call`, as its fit keeps it, for the generic called `name`;
# `read`, the same with the values of the formula and the data, which are evaluated here and nowhere
# else; and `env`, where it was called.
formula_call <- function(call, name, env, formula, data) {
  force(env)
  read <- call <- generic_call(call, name)
  if (!missing(formula)) read$formula <- formula
  if (!missing(data)) {
    read$data <- tryCatch(data, error = function(e) {
      if (inherits(e, "sparserls_error")) stop(e)
      abort("formula", "`data` could not be evaluated.",
            sprintf("data = %s: %s", deparse(call$data)[1], conditionMessage(e)),
            "update() evaluates that of the original call, unless it is given another `data`.")
    })
    # What model.frame() takes, without S4 classes of others.
    fine <- is.null(data) || is.list(data) || is.environment(data) ||
      (is.object(data) && !isS4(data))
    must(fine, "formula", "`data` must be a data frame, a list or an environment.", shown(data),
         if (!is_string(data) || !length(Sys.glob(data))) "Use as.data.frame(data)."
         else if (!dir.exists(data)) "Read files by data = chunks_files(Sys.glob(data))."
         else "Read files by data = chunks_files(list.files(data, full.names = TRUE)).")
  }
  list(call = call, read = read, env = env)
}

# Rows that are read one part after another (source.R).
is_chunks <- function(data) inherits(data, "sparserls_chunks")

# The body of every formula method. labels: its arguments that hold one label for each row and, like
# weights, are looked for in the data first.
from_formula <- function(given, default, ..., labels = character()) {
  check_formula_dots(..., looked_up = c("subset", "na.action", "weights", labels,
                                       intersect("offset", names(formals(default)))))
  design <- formula_design(given, labels)
  design$call <- named_call(given$call, default, c(frame_arguments, labels))
  default(design, NULL, ...)
}

# The call with names for all of its arguments, those of `own` and else as `method` has them behind
# its first two: next to `formula = ` the generic would take the first without a name for x.
named_call <- function(call, method, own) {
  if (all(nzchar(names(call)[-1]))) return(call)
  given <- as.list(call)
  rest <- given[!names(given) %in% own]
  passed <- match.call(method, as.call(c(rest[1], list(NULL, NULL), rest[-1])))
  as.call(c(given[1], given[names(given) %in% own], as.list(passed)[-(1:3)]))
}

# The method of cross-validations where it is that of fits: `s` is what they predict at.
at_default_s <- function(method) {
  formals(method)$s <- quote(default_s(object))
  method
}
