# Read as the namespace `ns` is loaded for counting (tools/coverage-run.R). Functions that stand in
# tables are copies of those that covr has replaced by counting ones: they are replaced, too.
for (name in ls(ns, all.names = TRUE)) local({
  table <- get(name, ns)
  if (!is.list(table)) return()
  counting <- function(f) if (is.primitive(f)) f else covr:::replacement(name, ns, f)$new_value
  unlockBinding(name, ns)
  assign(name, rapply(table, counting, "function", how = "replace"), ns)
  lockBinding(name, ns)
})
