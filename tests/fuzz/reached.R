# Which exported functions and methods a run has called: each of them notes its label on its first
# entry, wherever the call comes from.
watch_calls <- function(note) {
  space <- asNamespace("sparserls")
  all <- offered()
  all <- all[is_here(all$from), ]
  seen <- new.env()
  enter <- function(label) {
    if (is.null(seen[[label]])) {
      seen[[label]] <- TRUE
      note(label)
    }
  }
  for (one in split(all, seq_len(nrow(all)))) {
    f <- get(one$name, space)
    body(f) <- bquote({
      .(enter)(.(one$label))
      .(body(f))
    })
    rebind(one$name, f, space)
    if (is.na(one$generic)) rebind(one$name, f, as.environment("package:sparserls"))
    else registerS3method(one$generic, one$class, f, asNamespace(home_of(one$generic, one$from)))
  }
}

rebind <- function(name, value, where) {
  unlockBinding(name, where)
  assign(name, value, where)
  lockBinding(name, where)
}
