# The arguments that public functions share: what heads have as their default, what a value must be
# by itself, and what becomes of them where rows come in chunks; and how a call is read by this
# table, into one list. A new argument needs its row here, heads that offer it, and its use. (Heads
# are written out, as R CMD check and the help want them; test-arguments.R holds them against the
# table.)

# default  an expression
# check    a function of the value, its name and the default of the head, which answers the value as
#          it goes on, or stops; NULL where only the data can tell
# chunks   "alike", "column" where it names a column of the chunks, "no" where all rows are needed,
#          "unknown" where it is refused as an argument that there is not
argument <- function(default, check = NULL, chunks = "alike") {
  list(default = substitute(default), check = check, chunks = chunks)
}

shared_arguments <- function() {
  flag <- function(x, name, default) check_flag(x, name)
  count <- function(x, name, default) check_count(x, name)
  among <- function(x, name, default) check_choice(x, default, name)
  by <- function(check) function(x, name, default) check(x)
  list(
    nlambda = argument(50, count),
    weights = argument(NULL, chunks = "column"),
    intercept = argument(TRUE, flag),
    standardize = argument(TRUE, flag),
    jitter = argument(1e-7, by(check_jitter)),
    criterion = argument(c("loo", "folds"), among),
    cache = argument(TRUE, flag),
    center = argument(FALSE, flag),
    algorithm = argument(c("newton", "alternate"), among),
    map = argument(FALSE, flag),
    maxit = argument(100, count),
    nfolds = argument(NULL),
    foldid = argument(NULL, chunks = "column"),
    groups = argument(NULL, chunks = "column"),
    strata = argument(NULL, chunks = "no"),
    folds = argument(NULL, chunks = "no"),
    reselect = argument(FALSE, flag, chunks = "no"),
    holdout_basis = argument(c("remove", "keep", "keep_loss", "skip"), among),
    type.measure = argument(NULL),
    rule = argument(c("1se", "paired"), among),
    keep = argument(FALSE, flag),
    certificate = argument(NULL, by(check_certificate)),
    solver = argument(c("auto", "update", "retrain"), among, chunks = "no"),
    by.output = argument(FALSE, flag, chunks = "no"),
    outer = argument(NULL, chunks = "no"),
    progress = argument(interactive(), flag),
    threads = argument(NULL, by(check_threads)),
    offset = argument(NULL, chunks = "unknown"),
    family = argument(NULL, function(x, ...) if (!is.null(x)) read_family(x))
  )
}

# Names of the shared arguments of which this becomes in chunks.
arguments_in_chunks <- function(what) {
  names(Filter(function(row) row$chunks == what, shared_arguments()))
}

# The body of every public function begins with this: its arguments by name, evaluated, those of the
# table checked, those that it does not offer as by default. Further fields:
#   public   its name, "cv.rls"
#   call     as the user made it, of the generic
#   given    names of the arguments that were given
# ...: its dots, which are refused; frame: its environment(); known: what it says that there is.
read_arguments <- function(method, ..., call = called(), frame = parent.frame(),
                           table = shared_arguments(), known = names(head)) {
  force(call)
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
    asked[name] <- list(if (is.null(row$check)) value else row$check(value, name, default))
  }
  # Of a formula method the call came with the data.
  if (inherits(asked$x, "sparserls_frame")) call <- asked$x$call
  c(asked, list(public = method, call = generic_call(call, method), given = given))
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
