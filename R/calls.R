# The calls of public functions: what they are wrapped in, and what fits keep of them, so that
# update() works.

# What a public function answers of its problem: a fit (fit_problem()) or a cross-validation. Users
# are warned once, for all folds and kernels.
public_call <- function(answer, problem) warned_once(within_memory(answer(problem)))

# The fit to all rows of a problem with one candidate.
fit_problem <- function(problem) {
  candidate <- candidates(problem)[[1]]
  problem <- settle(problem, candidate)
  fit <- finish(problem, begin(problem, candidate))
  warn_shift(fit)
  fit
}

# Where R runs out of memory, in English messages of all its versions, the error says what would
# need less. Other errors stay as they are, with their call and traceback.
within_memory <- function(code) {
  known <- "^(cannot allocate|could not allocate|memory exhausted)|memory (exhausted|limit of)"
  withCallingHandlers(code, error = function(e) {
    must(inherits(e, "sparserls_error") || !grepl(known, conditionMessage(e)), "memory",
         "R ran out of memory.", conditionMessage(e),
         c("sparserls() takes blocks of rows x basis vectors: use fewer of these.",
           "rls() and rls2() take rows x rows where the kernel is not linear: use sparserls()."))
  })
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
  known <- unlist(lapply(paste0(name, c(".default", ".formula")), function(method) {
    names(formals(method, envir = topenv()))
  }))
  chosen <- chosen_arguments(cv)
  own <- call[c(TRUE, names(call)[-1] %in% setdiff(known, chosen$none))]
  chosen$none <- NULL
  own[names(chosen)] <- chosen
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

# The call of the public method that asks for this, two frames up.
called <- function() {
  match.call(sys.function(sys.parent(2)), sys.call(sys.parent(2)), envir = parent.frame(3))
}

# What a formula method was given: `call`, as its fit keeps it, for the generic called `name`;
# `read`, the same with the values of the formula and the data, which are evaluated here and nowhere
# else; and `env`, where it was called.
formula_call <- function(name, call, env, formula, data) {
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
    must(!is_string(data), "formula", "`data` must be a data frame, a list or an environment.",
         shown(data),
         "Files are read by data = chunks_files(list.files(folder, full.names = TRUE)).")
  }
  list(call = call, read = read, env = env)
}

# Rows that are read one part after another (source.R).
is_chunks <- function(data) inherits(data, "sparserls_chunks")

# The body of every formula method. Arguments that hold one label for each row are, like weights,
# looked for in the data first. .basis: the argument `basis` of methods that have it; .chunks: what
# becomes of a call on chunks. (Here and wherever users' dots are handed on, names begin with a dot,
# so that no argument of theirs is taken for one of them.)
from_formula <- function(.name, .formula, .data, ..., .basis, .chunks = NULL) {
  given <- formula_call(.name, called(), parent.frame(2), .formula, .data)
  if (is.function(.chunks) && is_chunks(given$read$data)) {
    return(if (missing(.basis)) .chunks(.name, given, ...) else .chunks(.name, given, .basis, ...))
  }
  .default <- get(paste0(.name, ".default"), topenv())
  labels <- intersect(row_labels, names(formals(.default)))
  check_formula_dots(..., looked_up = c("subset", "na.action", "weights", labels,
                                       intersect("offset", names(formals(.default)))))
  design <- formula_design(given, labels)
  design$call <- named_call(given$call, .default, c(frame_arguments, labels))
  if (missing(.basis)) .default(design, NULL, ...)
  else .default(design, NULL, formula_basis(.basis, given), ...)
}

# The call with names for all of its arguments, those of `own` and else as `method` has them behind
# its first two: next to `formula = ` the generic would take the first without a name for x.
named_call <- function(call, method, own) {
  if (all(names(call)[-1] %in% c("formula", "data", own, names(formals(method))))) return(call)
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

# ---- arguments -----------------------------------------------------------------------------------

# The arguments that public functions share: what heads have as their default, what a value must be
# by itself, and what becomes of them where rows come in chunks; and how a call is read by this
# table, into one list. A new argument needs its row here, heads that offer it, and its use.

# default  an expression
# check    a function of the value, its `name` and the `choices` that the default of the head lists,
#          which returns the value to be used, or stops; NULL where only the data can tell
# chunks   "alike", "column" where it names a column of the chunks, "no" where all rows are needed,
#          "unknown" where it is refused as an argument that there is not
argument <- function(default, check = NULL, chunks = "alike") {
  list(default = substitute(default), check = check, chunks = chunks)
}

shared_arguments <- function() {
  list(
    nlambda = argument(50, check_count),
    weights = argument(NULL, chunks = "column"),
    intercept = argument(TRUE, check_flag),
    standardize = argument(TRUE, check_flag),
    jitter = argument(1e-7, check_non_negative),
    criterion = argument(c("loo", "folds"), check_choice),
    cache = argument(TRUE, check_flag),
    center = argument(FALSE, check_flag),
    algorithm = argument(c("newton", "alternate"), check_choice),
    map = argument(FALSE, check_flag),
    maxit = argument(100, check_count),
    nfolds = argument(NULL),
    foldid = argument(NULL, chunks = "column"),
    groups = argument(NULL, chunks = "column"),
    strata = argument(NULL, chunks = "no"),
    folds = argument(NULL, chunks = "no"),
    reselect = argument(FALSE, check_flag, chunks = "no"),
    holdout_basis = argument(c("remove", "keep", "keep_loss", "skip"), check_choice),
    type.measure = argument(NULL),
    rule = argument(c("1se", "paired"), check_choice),
    keep = argument(FALSE, check_flag),
    certificate = argument(NULL, check_certificate),
    solver = argument(c("auto", "update", "retrain"), check_choice, chunks = "no"),
    by.output = argument(FALSE, check_flag, chunks = "no"),
    outer = argument(NULL, chunks = "no"),
    progress = argument(interactive(), check_flag),
    threads = argument(NULL, check_threads),
    offset = argument(NULL, chunks = "unknown"),
    family = argument(NULL, function(x, ...) if (!is.null(x)) read_family(x))
  )
}

# The function with the defaults of the table for arguments that have none in its head, which may
# leave `x`, `y`, `k` and `method` alone without one.
with_defaults <- function(method) {
  head <- formals(method)
  open <- names(Filter(function(default) identical(default, quote(expr = )), head))
  defaults <- lapply(shared_arguments(), `[[`, "default")
  open <- setdiff(open, c("x", "y", "k", "method", "..."))
  stopifnot(open %in% names(defaults))
  head[open] <- defaults[open]
  `formals<-`(method, value = head)
}

# Names of the shared arguments that chunks treat in this way.
arguments_in_chunks <- function(what) {
  names(Filter(function(row) row$chunks == what, shared_arguments()))
}

# What the body of a public function begins with: its arguments by name, evaluated, those of the
# table checked, those that it does not offer as by default. Further fields:
#   public   its name, "cv.rls"
#   call     as the user made it, of the generic
#   given    names of the arguments that were given
# ...: its dots, which are refused; .frame: its environment(); .known: what it says that there is.
read_arguments <- function(.method, ..., .call = called(), .frame = parent.frame(),
                           .table = shared_arguments(), .known = names(head)) {
  force(.call)
  head <- formals(sys.function(sys.parent()))
  check_dots(..., known = .known)
  own <- setdiff(names(head), "...")
  given <- Filter(function(name) !eval(call("missing", as.name(name)), .frame), own)
  defaulted <- own[nzchar(as.character(head[own]))]
  asked <- mget(intersect(own, c(given, defaulted)), .frame)
  for (name in names(.table)) {
    row <- .table[[name]]
    default <- eval(if (name %in% own) head[[name]] else row$default)
    value <- if (name %in% own) asked[[name]] else default
    asked[name] <- list(if (is.null(row$check)) value
                        else row$check(value, name = name, choices = default))
  }
  # In a formula method the call came with the data.
  if (inherits(asked$x, "sparserls_frame")) .call <- asked$x$call
  c(asked, list(public = .method, call = generic_call(.call, .method), given = given))
}

is_cv <- function(asked) startsWith(asked$public, "cv.")

asked_design <- function(asked) {
  as_design(asked$x, asked$y, asked$weights, asked$kernels, asked$offset, asked$family)
}

# All kernels that are searched, or the one of a fit.
asked_kernels <- function(asked) {
  if (asked$public == "cv.sparserls" && is.null(asked$kernel)) {
    open_shapes(inherits(asked$x, "sparseMatrix"))
  } else if (is_cv(asked)) lapply(kernel_grid(asked$kernel), searched_width)
  else list(single_kernel(asked$kernel, sprintf("cv.%s()", asked$public)))
}
