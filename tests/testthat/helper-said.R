# What calls print and say, in a form of our own: testthat's own form of a condition differs between
# its releases. A call stands behind ">", what it prints follows as it is, and a condition is its
# class with its text.
#
#   > fit(y ~ 1)
#   sparserls_error_formula:
#     The formula has no predictors.
#     i Write y ~ . for all columns.

# Every call of the block { } prints and says what is recorded; errors only where error = TRUE.
# `transform` leaves out of the lines what differs from run to run.
expect_said <- function(block, error = FALSE, transform = identity) {
  block <- substitute(block)
  env <- parent.frame()
  several <- is.call(block) && identical(block[[1]], quote(`{`))
  calls <- if (several) as.list(block)[-1] else list(block)
  said <- lapply(calls, function(call) c(paste(">", written(call)), said(call, env, error)))
  testthat::expect_snapshot_output(writeLines(transform(unlist(said))))
}

# Where a long double is a double, as under valgrind, deparse() gives 1e-30 fourteen zeros.
written <- function(call) gsub("\\.0+e", "e", deparse(call, width.cutoff = 100))

said <- function(call, env, error) {
  conditions <- character()
  note <- function(condition) {
    lines <- strsplit(sub("\n$", "", conditionMessage(condition)), "\n")[[1]]
    conditions <<- c(conditions, paste0(class(condition)[1], ":"), paste0("  ", lines))
  }
  muffle <- function(restart) function(condition) {
    note(condition)
    invokeRestart(restart)
  }
  evaluate <- function() {
    withCallingHandlers(
      {
        result <- withVisible(eval(call, env))
        if (result$visible) print(result$value)
      },
      message = muffle("muffleMessage"), warning = muffle("muffleWarning")
    )
  }
  printed <- capture.output(invisible(
    if (error) tryCatch(evaluate(), error = note) else evaluate()
  ))
  c(conditions, printed)
}

# Notes and warnings are looked at where they are tested.
quiet <- function(code) suppressWarnings(suppressMessages(code))

# What another R prints that runs some lines, with our libraries.
said_by_another_r <- function(lines, env = character()) {
  libraries <- deparse(bquote(.libPaths(.(.libPaths()))), width.cutoff = 500)
  script <- withr::local_tempfile(lines = c(libraries, lines), fileext = ".R")
  suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)),
                           stdout = TRUE, stderr = TRUE, env = c("R_TESTS=", env)))
}
