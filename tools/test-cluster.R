# Called by tools/test-cluster.sh: Rscript tools/test-cluster.R slurm|hosts|postgres DIR ...
# A cross-validation on chunks under a plan, against the same in this process. DIR is a folder that
# all workers see: each chunk that is read leaves a line there, which says where.

arguments <- commandArgs(trailingOnly = TRUE)
dir <- arguments[2]
failures <- 0

check <- function(what, passed) {
  cat(if (isTRUE(passed)) "ok: " else "failed: ", what, "\n", sep = "")
  if (!isTRUE(passed)) failures <<- failures + 1
}

skip <- function(what, ...) {
  cat("skipped: ", what, ": ", ..., "\n", sep = "")
  quit(status = 0)
}

need <- function(what, packages) {
  missing <- Filter(function(p) !requireNamespace(p, quietly = TRUE), packages)
  if (length(missing) > 0) skip(what, "there is no R package ", toString(missing))
}

rows_of_chunk <- function(i) {
  set.seed(i)
  x <- matrix(stats::rnorm(5 * 4000), ncol = 5)
  y <- sin(2 * x[, 1]) + x[, 2] * x[, 3] + stats::rnorm(4000) / 4
  data.frame(id = (i - 1) * 4000 + 1:4000, y = y, x)
}
environment(rows_of_chunk) <- baseenv()

# The chunks, made where they are needed; `seen` is the file that says where that was. The first
# worker that is asked for chunk 3 dies of it and leaves the file `death`.
marked_chunks <- function(n, seen, death) {
  f <- function(i) {
    node <- Sys.getenv("SLURMD_NODENAME", Sys.getenv("TEST_HOST", "this process"))
    cat(node, "\n", file = seen, append = TRUE, sep = "")
    if (i == 3 && node != "this process" && !file.exists(death)) {
      file.create(death)
      tools::pskill(Sys.getpid(), 9)
    }
    rows_of_chunk(i)
  }
  environment(f) <- list2env(list(rows_of_chunk = rows_of_chunk, seen = seen, death = death),
                             parent = baseenv())
  sparserls::chunks_function(n, f, key = "id")
}

cross_validate <- function(chunks) {
  set.seed(1)
  suppressWarnings(suppressMessages(sparserls::cv.sparserls(
    y ~ . - id, chunks, basis = 100, nfolds = 5, kernel = sparserls::kernel_gaussian(0.1),
    progress = FALSE
  )))
}

numbers <- function(cv) {
  c(cv[c("lambda", "cvm", "cvsd", "lambda.min")], list(predict(cv, rows_of_chunk(1))))
}

# Without the package, or where it is out of order, nothing is to be said of the machine.
check_alone <- function() {
  found <- tryCatch(cross_validate(sparserls::chunks_function(4, rows_of_chunk, key = "id")),
                    error = identity)
  if (!inherits(found, "error")) return(invisible())
  check(paste("this process alone:", conditionMessage(found)), FALSE)
  quit(status = 2)
}

check_bits <- function(what, under, chunks) {
  future::plan(future::sequential)
  check(paste0(what, ": the bits of one process"),
        identical(numbers(under), numbers(cross_validate(chunks))))
}

# The same numbers under the plan that is set, with work on all `nodes`.
check_plan <- function(what, nodes, n) {
  seen <- file.path(dir, what)
  death <- paste(seen, "died")
  chunks <- marked_chunks(n, seen, death)
  under <- cross_validate(chunks)
  found <- table(readLines(seen))
  check(paste0(what, ": chunks were read on ", paste(names(found), found, collapse = ", ")),
        all(nodes %in% names(found)))
  check(paste0(what, ": a worker was lost on the way"), file.exists(death))
  check_bits(what, under, chunks)
}

slurm <- function() {
  need("Slurm", c("future", "future.batchtools"))
  setwd(dir)
  future::plan(future.batchtools::batchtools_slurm,
               template = file.path(dir, "slurm", "future.tmpl"), workers = 2)
  check_plan("Slurm", c("n1", "n2"), 4)
}

hosts <- function() {
  need("two hosts", c("future", "parallelly"))
  names <- arguments[-(1:2)]
  cluster <- parallelly::makeClusterPSOCK(
    names, master = "10.77.0.1", rshcmd = file.path(dir, "remote"), rshopts = character(),
    revtunnel = FALSE, homogeneous = TRUE, rscript_libs = .libPaths()
  )
  for (i in seq_along(names)) {
    parallel::clusterCall(cluster[i], function(name) Sys.setenv(TEST_HOST = name), names[i])
  }
  future::plan(future::cluster, workers = cluster)
  check("two hosts: workers have addresses of their own", identical(
    vapply(parallel::clusterCall(cluster, system, "hostname -I", intern = TRUE), trimws, ""), names
  ))
  check_plan("two hosts", names, 8)
}

postgres <- function() {
  need("PostgreSQL", c("DBI", "RPostgres"))
  connect <- function() {
    DBI::dbConnect(RPostgres::Postgres(), host = socket, user = "postgres", dbname = "postgres")
  }
  environment(connect) <- list2env(list(socket = arguments[3]), parent = baseenv())
  connection <- connect()
  rows <- do.call(rbind, lapply(1:8, rows_of_chunk))
  DBI::dbWriteTable(connection, "rows", rows)
  DBI::dbDisconnect(connection)
  chunks <- sparserls::chunks_dbi(connect, "SELECT * FROM rows", by = "id", n = 8, key = "id")
  if (requireNamespace("future", quietly = TRUE)) {
    future::plan(future::multisession, workers = 2)
    check_bits("PostgreSQL", cross_validate(chunks), chunks)
  }
  functional <- cross_validate(sparserls::chunks_function(8, rows_of_chunk, key = "id"))
  check("PostgreSQL: the numbers of the same rows from a function",
        isTRUE(all.equal(numbers(cross_validate(chunks)), numbers(functional), tolerance = 1e-10)))
  system2("sh", c("tools/postgres.sh", "stop", file.path(dir, "postgres")))
  error <- tryCatch(cross_validate(chunks), error = identity)
  check("PostgreSQL: a server that has gone away is a classed error",
        inherits(error, "sparserls_error_chunks"))
}

check_alone()
switch(arguments[1], slurm = slurm(), hosts = hosts(), postgres = postgres())
# Status 1 is left to errors of R, which say that the machine is not one for this.
quit(status = if (failures > 0) 2 else 0)
