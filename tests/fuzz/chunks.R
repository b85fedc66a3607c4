# Rows in chunks under trouble: runs that end in the middle, killed processes, full disks, damaged
# files. Whatever happens, an answer is that of the same call without trouble, to the bit, or there
# is an error of a class of ours.

chunk_columns <- function(m) {
  d <- data.frame(id = seq_len(m), a = round(rnorm(m), 6), b = round(rnorm(m), 6),
                  g = sprintf("group%d", rep_len(1:6, m)))
  d$y <- round(sin(d$a) + rnorm(m) / 3, 6)
  d[order(d$g), ]
}

# Makers of a source, each a function of data that are written to a folder.
sources <- list(
  files = function(d, dir) {
    half <- seq_len(nrow(d)) <= nrow(d) / 2
    files <- file.path(dir, c("one.csv", "two.csv"))
    utils::write.csv(d[half, ], files[1], row.names = FALSE)
    utils::write.csv(d[!half, ], files[2], row.names = FALSE)
    function() chunks_files(files, rows = 15)
  },
  own = function(d, dir) {
    files <- file.path(dir, sprintf("part-%d.rds", 1:4))
    parts <- split(d, rep(1:4, each = nrow(d) / 4))
    for (i in 1:4) saveRDS(parts[[i]], files[i])
    function() {
      chunks_source(list(files = files), 4, function(source, i, columns) readRDS(source$files[i]),
                    marks = function(source) tools::md5sum(source$files))
    }
  },
  query = function(d, dir) {
    base <- file.path(dir, "rows.sqlite")
    connect <- function() DBI::dbConnect(RSQLite::SQLite(), base)
    connection <- connect()
    DBI::dbWriteTable(connection, "rows", d)
    DBI::dbDisconnect(connection)
    function() chunks_dbi(connect, "SELECT * FROM rows", by = "id", n = 3)
  }
)
needs <- c(files = "data.table", own = "stats", query = "RSQLite")

draw_chunk_call <- function() {
  one_of(
    list(sparserls, basis = 16, kernel = kernel_gaussian(0.5), lambda = c(1, 0.1)),
    list(cv.sparserls, basis = 16, kernel = kernel_gaussian(c(0.1, 1)), lambda = c(1, 0.1),
         nfolds = 3),
    list(cv.sparserls, basis = basis_sizes(c(12, 16)), kernel = kernel_gaussian(0.5), lambda = 1,
         groups = "g", nfolds = 3),
    list(cv.sparserls, basis = basis_rpcholesky(12), kernel = kernel_matern(1.5, 0.3), lambda = 1,
         nfolds = "loo", type.measure = "mae"),
    list(rls, lambda = c(1, 0.1)), list(cv.rls, lambda = c(1, 0.1), nfolds = 4)
  )
}

run_chunks <- function(asked, source, seed, ...) {
  set.seed(seed)
  do.call(asked[[1]], c(list(y ~ a + b, source, progress = FALSE), asked[-1], list(...)))
}

# What is the same whoever computes it.
numbers_of <- function(value) {
  fit <- if (inherits(value, "sparserls_cv")) value$fit else value
  list(value[c("cvm", "cvsd", "lambda.min", "curves")], fit$lambda, fit$basis, stats::coef(fit))
}

# The same fit to the same rows in memory, with the basis that was drawn.
in_memory <- function(asked, value, d) {
  fit <- if (inherits(value, "sparserls_cv")) value$fit else value
  method <- if (is.null(fit$basis)) rls else sparserls
  own <- if (is.null(fit$basis)) list() else list(basis = I(fit$basis))
  same <- do.call(method, c(list(y ~ a + b, d, kernel = fit$kernel, lambda = fit$lambda), own))
  max(abs(stats::predict(fit, d) - stats::predict(same, d))) / stats::sd(d$y)
}

chunk_case <- function(case) {
  kind <- sample(names(sources)[vapply(needs, requireNamespace, NA, quietly = TRUE)], 1)
  dir <- tempfile("chunks-")
  dir.create(file.path(dir, "data"), recursive = TRUE)
  on.exit(unlink(dir, recursive = TRUE))
  d <- chunk_columns(60)
  new_source <- sources[[kind]](d, file.path(dir, "data"))
  asked <- draw_chunk_call()
  seed <- sample.int(1e6, 1)
  plain <- judged(run_chunks(asked, new_source(), seed), NULL, draws = TRUE)
  report(case, "chunks", plain$finding)
  if (!is.null(plain$error)) {
    report(case, "chunks", list(kind = "refused", says = conditionMessage(plain$error)))
    return("error")
  }
  error <- in_memory(asked, plain$value, if (kind == "query") d[order(d$id), ] else d)
  if (!isTRUE(error < 1e-6)) {
    report(case, "chunks in memory", list(kind = "wrong number", says = format(error)))
  }
  trouble <- sample(names(troubles), 1)
  troubles[[trouble]](list(
    # A checkpoint knows the text of functions: all sources of a case have that of struck().
    asked = asked, source = function() struck(new_source(), Inf, NULL), seed = seed, rows = d,
    expected = numbers_of(plain$value), value = plain$value,
    folder = file.path(dir, "checkpoint"), data = file.path(dir, "data"),
    report = function(finding, which = "") {
      report(case, paste("chunks of", kind, trouble, which), finding)
    }
  ))
  "value held against its definition"
}

# The run of a call with its checkpoint: an answer must be the one that is expected.
again <- function(this, which, expected = this$expected, ...) {
  found <- judged(run_chunks(this$asked, this$source(), this$seed, checkpoint = this$folder, ...),
                  NULL, draws = TRUE)
  this$report(found$finding, which)
  if (is.null(found$error) && !identical(numbers_of(found$value), expected)) {
    this$report(list(kind = "wrong number", says = "not the bits of the run without trouble"),
                which)
  }
  found
}

# The same, and an error is a finding.
must_answer <- function(this, which) {
  found <- again(this, which)
  if (!is.null(found$error) && is.null(found$finding)) {
    this$report(list(kind = "refused", says = conditionMessage(found$error)), which)
  }
}

# ---- runs that end -----------------------------------------------------------------------------

# A source whose chunks call `strike` when so many have been read.
struck <- function(source, reads, strike) {
  fetch <- source$fetch
  source$fetch <- function(source, i, columns) {
    reads <<- reads - 1
    if (reads == 0) strike()
    fetch(source, i, columns)
  }
  source
}

# In a process of its own, which is killed on the way.
begin_and_die <- function(this) {
  reads <- sample(2:12, 1)
  child <- parallel::mcparallel({
    source <- struck(this$source(), reads, function() tools::pskill(Sys.getpid(), tools::SIGKILL))
    run_chunks(this$asked, source, this$seed, checkpoint = this$folder)
    NULL
  }, silent = TRUE)
  suppressWarnings(parallel::mccollect(child))
}

checkpoint_files <- function(this) list.files(this$folder, full.names = TRUE)

bytes_of <- function(file) readBin(file, "raw", file.size(file))

harm <- list(
  truncated = function(file) writeBin(utils::head(bytes_of(file), -sample.int(40, 1)), file),
  flipped = function(file) {
    bytes <- bytes_of(file)
    at <- sample.int(length(bytes), min(3, length(bytes)))
    bytes[at] <- xor(bytes[at], as.raw(sample.int(255, length(at))))
    writeBin(bytes, file)
  },
  empty = function(file) writeBin(raw(), file),
  noise = function(file) writeBin(as.raw(sample(0:255, 300, TRUE)), file),
  longer = function(file) writeBin(c(bytes_of(file), as.raw(1:9)), file),
  gone = unlink
)

spoil <- function(files) {
  how <- sample(names(harm), 1)
  file <- files[sample.int(length(files), 1)]
  if (file.size(file) > 0) harm[[how]](file)
  sprintf("%s %s", how, basename(file))
}

troubles <- list(
  stopped = function(this) {
    source <- this$source
    reads <- sample(2:12, 1)
    this$source <- function() struck(source(), reads, function() stop("mine"))
    again(this, "begun")
    this$source <- source
    must_answer(this, "resumed")
    must_answer(this, "read from its end")
  },
  killed = function(this) {
    begin_and_die(this)
    must_answer(this, "resumed")
  },
  `damaged checkpoint` = function(this) {
    begin_and_die(this)
    for (i in 1:3) {
      if (length(checkpoint_files(this)) == 0) break
      again(this, spoil(checkpoint_files(this)))
    }
  },
  `damaged data` = function(this) {
    begin_and_die(this)
    files <- list.files(this$data, full.names = TRUE)
    how <- spoil(files)
    fresh <- judged(run_chunks(this$asked, this$source(), this$seed), NULL, draws = TRUE)
    this$report(fresh$finding, paste(how, "data"))
    expected <- if (is.null(fresh$error)) numbers_of(fresh$value)
    again(this, paste(how, "data, resumed"), expected = expected)
  },
  `full disk` = function(this) {
    if (!nzchar(Sys.which("prlimit"))) return()
    output <- file.path(this$data, "predictions")
    on_full_disk(sample(c(1, 300, 2000, 8000, 30000), 1), {
      found <- again(this, "full")
      written <- judged(stats::predict(this$value, this$source(), file = output), NULL)
    })
    this$report(written$finding, "predictions")
    if (is.null(written$error)) same_predictions(this, written$value, "predictions")
    must_answer(this, "with space again")
  }
)

# Files of this process end at so many bytes, as on a full disk. (run.R has its children ignore the
# signal.)
on_full_disk <- function(bytes, code) {
  limit <- function(size) {
    system2("prlimit", c("--pid", Sys.getpid(), sprintf("--fsize=%s:", size)), stderr = FALSE)
  }
  limit(bytes)
  on.exit(limit("unlimited"))
  code
}

# A file of predictions is whole or not there.
same_predictions <- function(this, written, which) {
  lines <- if (is.character(written) && file.exists(written)) length(readLines(written)) else 0
  if (lines != nrow(this$rows) + 1) {
    this$report(list(kind = "file cut off", says = sprintf("%d lines", lines)), which)
  }
}
