# Checks of arguments, all in one place, before any C code runs.

# Numbers of any class whose values are what they seem, which those of 64-bit integers are not. The
# class is removed before they are looked at, so that none of its methods is called.
is_real <- function(x) is.numeric(x) && !inherits(x, "integer64")

real_remedy <- function(x) {
  if (inherits(x, "integer64")) "Convert 64-bit integers by as.double() of the package bit64."
}

is_number <- function(x) is_real(x) && length(x) == 1 && is.finite(unclass(x))

is_count <- function(x) {
  if (!is_number(x)) return(FALSE)
  x <- unclass(x)
  x == round(x) && x >= 1 && x <= .Machine$integer.max
}

is_string <- function(x) is.character(x) && length(x) == 1 && !is.na(x)

# Names that tell columns apart.
tell_apart <- function(names) !anyDuplicated(names) && !any(names %in% c("", NA))

check_flag <- function(x, name, ...) {
  must(is.logical(x) && length(x) == 1 && !is.na(x),
       "argument", sprintf("`%s` must be TRUE or FALSE.", name), shown(x))
  x
}

check_count <- function(x, name, remedy = NULL, ...) {
  must(is_count(x), "argument", sprintf("`%s` must be a whole number of at least 1.", name),
       shown(x), remedy)
  as.integer(x)
}

# others: remedies for words that other packages have, by these words.
check_choice <- function(x, choices, name, others = NULL) {
  if (identical(x, choices)) return(choices[1])
  must(is_string(x) && x %in% choices, "argument",
       sprintf("`%s` must be one of %s.", name, toString(dQuote(choices, FALSE))), shown(x),
       if (is_string(x)) if (x %in% names(others)) others[[x]] else suggest(x, choices))
  x
}

suggest <- function(word, choices) {
  near <- nearest(word, choices)
  if (length(near)) sprintf("Did you mean \"%s\"?", near)
}

# The choice that a word is likely to stand for, if any. Every letter is near every other one.
nearest <- function(word, choices) {
  distance <- adist(word, choices, ignore.case = TRUE)
  most <- if (isTRUE(nchar(word) == 1)) 0 else 1 + nchar(word) / 4
  if (!anyNA(distance) && min(distance) <= most) choices[which.min(distance)]
}

# What other methods and packages call an argument.
other_names <- list(s = "k", k = "s", newx = "newdata", lambda = "s", random = "groups")

# Arguments in the dots are never ignored silently. known: those that there are, of the caller or,
# where it is handed the dots of a method, of that.
check_dots <- function(..., known = names(formals(sys.function(sys.parent())))) {
  if (...length() == 0) return()
  known <- setdiff(known, "...")
  names <- ...names()
  all <- sprintf("The arguments are %s.", enumerate(known, 30))
  must(!is.null(names) && !any(names %in% c("", NA)), "dots", "Too many unnamed arguments.",
       NULL, all)
  name <- names[1]
  near <- c(intersect(other_names[[name]], known), nearest(name, known))
  abort("dots", sprintf("Unknown argument `%s`.", name), NULL,
        if (name %in% c("data", "formula") && "y" %in% known) formula_first
        else if (name %in% c("family", "offset") && any(c("y", "formula") %in% known)) {
          "sparserls(), rls() and their cv. functions take it, with rows in memory."
        } else if (name == "seed") "Call set.seed() first, which all random numbers follow."
        else if (length(near)) sprintf("Did you mean `%s`?", near[1])
        else all)
}

above <- function() names(formals(sys.function(sys.parent(2))))

formula_first <- "A formula is the first argument, the data are the next."

# x and y of the default method come from the formula. looked_up: arguments that are evaluated in
# the data, of which half a name would reach the default method, and be looked for elsewhere.
check_formula_dots <- function(..., looked_up) {
  half <- ...names()[!is.na(pmatch(...names(), looked_up))]
  must(!length(half), "dots", sprintf("Unknown argument `%s`.", half[1]), NULL,
       sprintf("Did you mean `%s`?", looked_up[pmatch(half[1], looked_up)]))
  given <- intersect(...names(), c("x", "y"))
  must(!length(given), "dots", sprintf("`%s` cannot be given together with a formula.", given[1]),
       NULL, "The formula names the response and the predictors.")
}

# One number for each of m rows, which may still be missing or infinite. topic: of the error.
row_values <- function(x, m, name, topic) {
  must(is_real(x) && NCOL(x) == 1, topic, sprintf("`%s` must be numbers, one for each row.", name),
       shown(x), real_remedy(x))
  must(length(x) == m, topic,
       sprintf("`%s` must have one value for each of the %d rows.", name, m),
       sprintf("%d values", length(x)))
  as.double(unclass(x))
}

# all: whether these are all rows, or others may have weight.
check_weights <- function(weights, m, all = TRUE) {
  if (is.null(weights)) return(rep(1, m))
  weights <- row_values(weights, m, "weights", "weights")
  bad <- which(!is.finite(weights) | weights < 0)
  must(!length(bad), "weights", "`weights` must be finite and not negative.",
       sprintf("weights[%d] is %s", bad[1], format(weights[bad[1]])))
  if (all) {
    must(any(weights > 0), "weights", "All `weights` are zero.")
    check_scale(weights, "weights")
  }
  weights
}

check_non_negative <- function(value, name, ...) {
  must(is_number(value) && value >= 0, "argument",
       sprintf("`%s` must be a non-negative number.", name), shown(value))
  as.double(value)
}

check_certificate <- function(certificate, ...) {
  must(is.null(certificate) || (is_number(certificate) && certificate > 0 && certificate <= 0.1),
       "argument", "`certificate` must be a number between 0 and 0.1.", shown(certificate),
       "It is a share of the spread of linear predictors; 1e-6 is exact for all purposes.")
  certificate
}

check_threads <- function(threads, ...) {
  asked <- !is.null(threads)
  if (!asked) threads <- getOption("sparserls.threads")
  if (is.null(threads)) return(1L)
  threads <- check_count(threads, "threads")
  most <- .Call(ffi_threads)
  if (asked && threads > most) {
    inform(sprintf("`threads` = %d: %d are used, as many as this machine runs.", threads, most))
  }
  # No more than the machine can run (and OMP_THREAD_LIMIT allows): results do not depend on it, and
  # thousands exhaust what the system has. Threads of OpenMP do not survive a fork
  # (parallel::mclapply): the child would wait for them forever.
  if (Sys.getpid() == session$pid) min(threads, most) else 1L
}

list_of_folds <- "A list of folds goes to `folds`."

# One label per row: groups, strata, foldid; of folds NULL where there are none.
check_labels <- function(labels, m, name, topic = "folds") {
  if (is.null(labels) && topic == "folds") return(NULL)
  must(!is.null(labels) && is.atomic(labels) && !is.raw(labels) && !inherits(labels, "integer64"),
       topic, sprintf("`%s` must be a vector or a factor.", name), shown(labels),
       if (is.atomic(labels)) "Use as.character()." else if (name == "foldid") list_of_folds)
  must(length(labels) == m, topic,
       sprintf("`%s` must have one label for each of the %d rows.", name, m),
       sprintf("%d labels", length(labels)))
  must(!anyNA(labels), topic, sprintf("`%s` has missing values.", name),
       sprintf("rows %s", enumerate(which(is.na(labels)))))
  droplevels(as.factor(labels))
}

# max(abs(x)) without copies of x, which may be sparse; 0 for no values.
largest_value <- function(x) {
  if (isS4(x)) x <- x@x
  max(max(0, x, na.rm = TRUE), -min(0, x, na.rm = TRUE))
}

# The door of sizes: of numbers between 2^-100 and 2^100 squares, fourth powers and their sums over
# rows are doubles with all their digits.
# x: by columns, a matrix, dense or sparse, or one vector; name: of the argument.
check_scale <- function(x, name) {
  values <- if (is.null(dim(x))) function(j) x
            else if (is.matrix(x)) function(j) x[, j]
            else function(j) x@x[seq_len(x@p[j + 1] - x@p[j]) + x@p[j]]
  size <- vapply(seq_len(NCOL(x)), function(j) largest_value(values(j)), 0)
  j <- which(size > 2^100 | (size > 0 & size < 2^-100))[1]
  column <- if (is.null(colnames(x))) j else sprintf("`%s`", colnames(x)[j])
  must(is.na(j), "range",
       sprintf("%s`%s` is too %s.", if (NCOL(x) > 1) sprintf("Column %s of ", column) else "", name,
               if (size[j] > 1) "large" else "small"),
       sprintf("the largest absolute value is %s; it must be between 2^-100 and 2^100",
               three_digits(size[j])),
       sprintf("Divide it by 1e%d.", floor(log10(size[j]))))
}

# Values of x after all scaling: finite and far from overflow when squared.
check_range <- function(x, name) {
  largest <- largest_value(x)
  if (largest <= 1e150) return()
  abort("range", sprintf("`%s` has values whose squares overflow.", name),
        sprintf("the largest is %s", three_digits(largest)), sprintf("Rescale `%s`.", name))
}

# Whether a user's function can be called with n arguments by position.
takes_arguments <- function(f, n) {
  known <- args(f)
  is.null(known) || "..." %in% names(formals(known)) || length(formals(known)) >= n
}

check_size <- function(n, what, topic, remedy = NULL, most = most_eigenvalues) {
  must(n <= most, topic, sprintf("More than %d %s are not possible.", most, what),
       sprintf("%d %s", n, what), remedy)
}

# LAPACK counts its workspace in an int: 2 n^2 for eigenvalues, 5 n^2 for singular values.
most_eigenvalues <- 32000

most_singular_values <- 20700

# A package that is suggested. what: what it is needed for.
check_installed <- function(package, what, topic = "chunks") {
  must(requireNamespace(package, quietly = TRUE), topic,
       sprintf("%s needs the package %s.", what, package), NULL,
       sprintf("Install it with install.packages(\"%s\").", package))
}
