# Checks of arguments, all in one place, before any C code runs.

is_number <- function(x) {
  is.numeric(x) && length(x) == 1 && is.finite(x)
}

is_count <- function(x) {
  is_number(x) && x == round(x) && x >= 1
}

check_flag <- function(x, name) {
  if (!(is.logical(x) && length(x) == 1 && !is.na(x))) {
    abort("argument", sprintf("`%s` must be TRUE or FALSE.", name), describe(x))
  }
  x
}

check_count <- function(x, name, remedy = NULL) {
  if (!is_count(x)) {
    abort("argument", sprintf("`%s` must be a whole number of at least 1.", name), describe(x),
          remedy)
  }
  as.integer(x)
}

check_choice <- function(x, choices, name) {
  if (identical(x, choices)) return(choices[1])
  if (!(is.character(x) && length(x) == 1 && x %in% choices)) {
    abort("argument", sprintf("`%s` must be one of %s.", name,
                              paste0('"', choices, '"', collapse = ", ")), describe(x),
          if (is.character(x) && length(x) == 1) suggest(x, choices))
  }
  x
}

suggest <- function(word, choices) {
  sprintf("Did you mean \"%s\"?", choices[which.min(utils::adist(word, choices))])
}

# Dots are never a silent bin.
check_dots <- function(..., known) {
  if (...length() == 0) return(invisible())
  names <- ...names()
  if (is.null(names) || any(is.na(names) | names == "")) {
    abort("dots", "Too many unnamed arguments.", NULL,
          sprintf("The arguments are %s.", enumerate(known, 30)))
  }
  given <- names[1]
  near <- known[which.min(utils::adist(given, known, ignore.case = TRUE))]
  abort("dots", sprintf("Unknown argument `%s`.", given), NULL,
        sprintf("Did you mean `%s`?", near))
}

check_lambda <- function(lambda) {
  if (is.null(lambda)) return(NULL)
  if (!is.numeric(lambda) || length(lambda) == 0) {
    abort("lambda", "`lambda` must hold at least one positive number.", describe(lambda),
          "Leave it NULL for a grid that fits the data.")
  }
  bad <- which(!is.finite(lambda) | lambda <= 0)
  if (length(bad)) {
    abort("lambda", "Every `lambda` must be positive and finite.",
          sprintf("lambda[%d] is %s", bad[1], format(lambda[bad[1]])),
          "Ridge needs lambda > 0; use a small one such as 1e-8 times the largest.")
  }
  sort(unique(as.vector(lambda)), decreasing = TRUE)
}

# lambda must stand out from the rounding errors of the gram matrix.
check_resolvable <- function(lambda, values) {
  smallest <- length(values) * .Machine$double.eps * max(values)
  if (min(values) + min(lambda) <= smallest) {
    abort("lambda", "`lambda` is too small for this problem in double precision.",
          sprintf("smallest lambda %s", format(min(lambda), digits = 3)),
          sprintf("Use values above %s.", format(smallest, digits = 3)))
  }
}

check_weights <- function(weights, m) {
  if (is.null(weights)) return(rep(1, m))
  if (!is.numeric(weights)) abort("weights", "`weights` must be numeric.", describe(weights))
  if (length(weights) != m) {
    abort("weights", sprintf("`weights` must have one value for each of the %d rows.", m),
          sprintf("%d values", length(weights)))
  }
  bad <- which(!is.finite(weights) | weights < 0)
  if (length(bad)) {
    abort("weights", "`weights` must be finite and not negative.",
          sprintf("weights[%d] is %s", bad[1], format(weights[bad[1]])))
  }
  if (sum(weights) == 0) abort("weights", "All `weights` are zero.")
  as.double(weights)
}

check_jitter <- function(jitter) {
  if (!is_number(jitter) || jitter < 0) {
    abort("argument", "`jitter` must be a number that is not negative.", describe(jitter))
  }
  as.double(jitter)
}

check_threads <- function(threads) {
  if (is.null(threads)) threads <- getOption("sparserls.threads", 1L)
  check_count(threads, "threads")
}

# One label per row: groups, strata, foldid.
check_labels <- function(labels, m, name) {
  if (!is.atomic(labels) && !is.factor(labels)) {
    abort("folds", sprintf("`%s` must be a vector or a factor.", name), describe(labels))
  }
  if (length(labels) != m) {
    abort("folds", sprintf("`%s` must have one label for each of the %d rows.", name, m),
          sprintf("%d labels", length(labels)))
  }
  if (anyNA(labels)) {
    abort("folds", sprintf("`%s` has missing values.", name),
          sprintf("rows %s", enumerate(which(is.na(labels)))))
  }
  droplevels(as.factor(labels))
}

# Values of x after all scaling: finite and far from overflow when squared.
check_range <- function(x, name) {
  largest <- if (length(x)) max(abs(range(x))) else 0
  if (largest > 1e150) {
    abort("range", sprintf("`%s` has values whose squares overflow.", name),
          sprintf("the largest is %s", format(largest, digits = 3)),
          sprintf("Rescale `%s`.", name))
  }
}
