# What a call on chunks will take, estimated from its first chunk (estimate = TRUE): the passes over
# that chunk are timed, and the total is taken to be proportional to the number of chunks.

estimate_run <- function(run, chunked, asked, threads) {
  source <- run$frame$source
  count <- chunk_count(source)
  asked$keep <- NULL
  seconds <- c(read = seconds_of(data <- read_chunk(source, 1, run$frame$columns)))
  first <- first_chunk_run(run, data)
  seconds[["survey"]] <- seconds_of(survey <- survey_chunks(first$frame, run$reservoir, first))
  first$survey <- survey
  problem <- chunked(first, quote(estimate()), asked, threads)
  cv <- !is.null(problem$validation)
  folds <- if (cv) problem$validation$folds
  tried <- NULL
  seconds[["sums"]] <- seconds_of(tried <- basis_warned(candidates(problem, folds)))
  each <- cv && folds$deal == "each"
  seconds[["solve"]] <- seconds_of(for (candidate in tried) {
    if (cv) evaluate(problem, candidate, folds, NULL) else train(problem, candidate)
  })
  again <- each || (cv && problem$validation$measure$loss != "squared")
  later <- any(vapply(tried, function(candidate) !is.null(candidate$walk), NA))
  new_estimate(count, survey, seconds, again, later,
               estimated_memory(problem, tried, data, count, later))
}

seconds_of <- function(code) {
  started <- proc.time()
  force(code)
  sum((proc.time() - started)[c("user.self", "sys.self")])
}

first_chunk_run <- function(run, data) {
  run$frame$source <- chunks_function(1, function(i) data, key = run$frame$source$key)
  run$progress <- FALSE
  run["survey"] <- list(NULL)
  run
}

# Bytes. A worker holds its chunk (as read, coded, and as the kernel sees it) and its sums twice;
# the main process one partial sum for every level of the tree, and the sums after each fold.
estimated_memory <- function(problem, tried, data, count, later) {
  sums <- sum(vapply(tried, function(candidate) {
    as.numeric(utils::object.size(candidate$cell$table))
  }, 0))
  # Two widths of a later round beside the first three.
  if (later) sums <- sums * 5 / 3
  chunk <- as.numeric(utils::object.size(data)) + 3 * 8 * nrow(data) * nrow(problem$survey$columns)
  sample <- as.numeric(utils::object.size(problem$survey$sample))
  c(worker = chunk + 2 * sums, main = sums * (ceiling(log2(count)) + 3) + 3 * sample)
}

# again: whether each candidate takes another pass, of which `solve` has one chunk. later: whether a
# search for widths goes on after the first three, with another three in two passes as a rule.
new_estimate <- function(count, survey, seconds, again, later, memory) {
  passes <- 2L + (length(survey$levels) > 0 || is_class(survey$response)) + again + 2L * later
  searched <- c("sums", "solve")
  seconds[searched] <- seconds[searched] * (1 + later)
  each <- seconds[["survey"]] + seconds[["sums"]] + if (again) seconds[["solve"]] else 0
  total <- count * each + if (again) 0 else seconds[["solve"]]
  structure(list(chunks = count, rows = survey$supplied * count, passes = passes,
                 seconds = seconds, total = total, memory = memory), class = "chunks_estimate")
}

with_calls.chunks_estimate <- function(object, call) object

#' @export
print.chunks_estimate <- function(x, ...) {
  size <- function(bytes) format(structure(bytes, class = "object_size"), units = "auto")
  cat(sprintf("About %s rows in %d chunks, read %d times\n",
              format(signif(x$rows, 3), big.mark = ",", scientific = FALSE), x$chunks, x$passes))
  cat(sprintf("processor time about %s in all, shared by the workers\n", duration(x$total)))
  cat(sprintf("memory beside R itself: %s in the main process, %s in every worker\n",
              size(x$memory[["main"]]), size(x$memory[["worker"]])))
  cat("first chunk:", paste(sprintf("%s %.2f s", names(x$seconds), x$seconds), collapse = ", "),
      "\n")
  invisible(x)
}
