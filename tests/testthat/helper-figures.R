# What plot() draws: its settings, and figures of several sizes.

# What an internal function is given first while `call` draws; of several calls of it all.
traced <- function(name, argument, call, env) {
  seen <- list()
  record <- function(value) seen <<- c(seen, list(value))
  namespace <- asNamespace("sparserls")
  suppressMessages(trace(name, bquote(.(record)(.(as.name(argument)))), print = FALSE,
                         where = namespace))
  grDevices::pdf(NULL)
  on.exit({
    grDevices::dev.off()
    suppressMessages(untrace(name, where = namespace))
  })
  eval(call, env)
  seen
}

# The settings of the first plot that a call draws.
drawn <- function(call, env = parent.frame()) {
  traced("plot_with", ".settings", substitute(call), env)[[1]]
}

# Rows `call ~ list(...)` of a block { }: the call's plot has these settings.
expect_settings <- function(table) {
  env <- parent.frame()
  for (row in as.list(substitute(table))[-1]) {
    seen <- traced("plot_with", ".settings", row[[2]], env)[[1]]
    wanted <- eval(row[[3]], env)
    for (name in names(wanted)) {
      expect_equal(seen[[name]], wanted[[name]], info = paste(deparse1(row[[2]]), name))
    }
  }
}

# What a call does while a function that the package imports is another one.
with_import <- function(name, replacement, call) {
  imports <- parent.env(asNamespace("sparserls"))
  own <- imports[[name]]
  set <- function(value) {
    unlockBinding(name, imports)
    assign(name, value, imports)
    lockBinding(name, imports)
  }
  set(replacement)
  on.exit(set(own))
  call
}

# In figures of some sizes in inches, at 72 pixels per inch.
in_figures <- function(sizes, check) {
  for (size in sizes) {
    grDevices::png(withr::local_tempfile(), size[1], size[2], units = "in", res = 72)
    tryCatch(check(size), finally = grDevices::dev.off())
  }
}

expect_fields <- function(figure, ...) {
  wanted <- list(...)
  expect_equal(figure[names(wanted)], wanted, ignore_attr = TRUE)
}
