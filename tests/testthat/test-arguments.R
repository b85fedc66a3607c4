# The table of shared arguments (calls.R) and the heads of public functions, which are written
# out, say the same.

test_that("every head has the defaults of the table", {
  families <- c("sparserls", "rls", "greedyrls", "rls2", "ardrls", "own")
  # Those of a family, which differ by what it is.
  own <- list(solver = c("rls", "cv.rls"), rule = "cv.ardrls")
  table <- lapply(shared_arguments(), `[[`, "default")
  seen <- character()
  for (method in c(families, paste0("cv.", families))) {
    head <- as.list(formals(getFromNamespace(paste0(method, ".default"), "sparserls")))
    shared <- Filter(function(name) !method %in% own[[name]], intersect(names(table), names(head)))
    expect_identical(head[shared], table[shared], info = method)
    seen <- union(seen, shared)
  }
  expect_setequal(seen, names(table))
})
