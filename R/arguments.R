# The arguments that public functions share: what heads have as their default, what a value must be
# by itself, and what becomes of them where rows come in chunks; and how a call is read by this
# table, into one list. A new argument needs its row here, heads that offer it, and its use. (Heads
# are written out, as R CMD check and the help want them; test-arguments.R compares them with the table.)

# default  an expression
# check    a function that answers the value as it goes on, or stops: of the value, its name and the
#          default of the head, or of the first of these; NULL where only the data can tell
# chunks   "alike", "column" where it names a column of the chunks, "no" where all rows are needed,
#          "unknown" where it is refused as an argument that there is not
argument <- function(default, check = NULL, chunks = "alike") {
  list(default = substitute(default), check = check, chunks = chunks)
}

shared_arguments <- function() {
  list(
    nlambda = argument(50, check_nlambda),
    weights = argument(NULL, chunks = "column"),
    intercept = argument(TRUE, check_flag),
    standardize = argument(TRUE, check_flag),
    jitter = argument(1e-7, check_jitter),
    nfolds = argument(NULL),
    foldid = argument(NULL, chunks = "column"),
    groups = argument(NULL, chunks = "column"),
    strata = argument(NULL, chunks = "no"),
    folds = argument(NULL, chunks = "no"),
    reselect = argument(FALSE, check_flag, chunks = "no"),
    holdout_basis = argument(c("remove", "keep", "keep_loss", "skip"), check_among),
    type.measure = argument(NULL),
    rule = argument(c("1se", "paired"), check_among),
    keep = argument(FALSE, check_flag),
    solver = argument(c("auto", "update", "retrain"), check_among, chunks = "no"),
    by.output = argument(FALSE, check_flag, chunks = "no"),
    outer = argument(NULL, chunks = "no"),
    progress = argument(interactive(), check_flag),
    threads = argument(NULL, check_threads),
    offset = argument(NULL, chunks = "unknown"),
    family = argument(NULL, read_family, chunks = "unknown")
  )
}

check_among <- function(x, name, choices) check_choice(x, choices, name)

# Names of the shared arguments of which this becomes in chunks.
arguments_in_chunks <- function(what) {
  names(Filter(function(row) row$chunks == what, shared_arguments()))
}

# The body of every public function begins with this: its arguments by name, evaluated, those of the
# table checked, those that it does not offer as by default. Further fields:
#   method   its name, "cv.rls"
#   call     as the user made it, of the generic
#   given    names of the arguments that were given
# frame: its environment(); ...: its dots, which are refused; known: what it says that there is.
read_arguments <- function(method, call, frame, ..., table = shared_arguments(),
                           known = names(head)) {
  head <- formals(sys.function(sys.parent()))
  check_dots(..., known = known)
  own <- setdiff(names(head), "...")
  given <- Filter(function(name) !eval(call("missing", as.name(name)), frame), own)
  defaulted <- own[nzchar(as.character(head[own]))]
  asked <- mget(intersect(own, c(given, defaulted)), frame)
  for (name in names(table)) {
    row <- table[[name]]
    default <- eval(if (name %in% own) head[[name]] else row$default)
    value <- if (name %in% own) asked[[name]] else default
    if (!is.null(row$check)) {
      value <- do.call(row$check, list(value, name, default)[seq_along(formals(row$check))])
    }
    asked[name] <- list(value)
  }
  # Of a formula method the call came with the data.
  if (inherits(asked$x, "sparserls_frame")) call <- asked$x$call
  c(asked, list(method = method, call = generic_call(call, method), given = given))
}

is_cv <- function(asked) startsWith(asked$method, "cv.")

asked_design <- function(asked) {
  as_design(asked$x, asked$y, asked$weights, asked$kernels, asked$offset, asked$family)
}

# All kernels that are searched, or the one of a fit.
asked_kernels <- function(asked) {
  if (is_cv(asked)) lapply(kernel_grid(asked$kernel), searched_width)
  else list(single_kernel(asked$kernel, sprintf("cv.%s()", asked$method)))
}
