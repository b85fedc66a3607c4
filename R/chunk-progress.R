# Progress of a map over chunks: a line on stderr, and conditions for progressr's handlers.

chunk_progress <- function(run, count) {
  started <- proc.time()[[3]]
  chunks <- rows <- 0
  signal <- progressr_steps(count)
  tick <- function(more_chunks, more_rows) {
    chunks <<- chunks + more_chunks
    rows <<- rows + more_rows
    signal(more_chunks)
    if (run$progress) {
      show_progress(run$label, chunks / count, rows, proc.time()[[3]] - started)
    }
  }
  list(tick = tick, close = function() if (run$progress && chunks > 0) cat("\n", file = stderr()))
}

progressr_steps <- function(count) {
  if (!requireNamespace("progressr", quietly = TRUE)) return(function(chunks) NULL)
  step <- progressr::progressor(steps = count, on_exit = FALSE)
  function(chunks) step(amount = chunks)
}

show_progress <- function(label, part, rows, seconds) {
  left <- if (part < 1) paste(duration(seconds * (1 - part) / part), "left") else duration(seconds)
  line <- sprintf("%s: %3.0f %%, %s rows/s, %s", label, floor(100 * part),
                  format(signif(rows / max(seconds, 0.001), 3), big.mark = ",", scientific = FALSE),
                  left)
  cat("\r", format(line, width = 72), sep = "", file = stderr())
}

# "5 s", "3 min 20 s", "2 h 5 min"
duration <- function(seconds) {
  s <- round(seconds)
  if (s < 60) return(sprintf("%d s", s))
  if (s < 3600) return(sprintf("%d min %d s", s %/% 60, s %% 60))
  sprintf("%d h %d min", s %/% 3600, s %% 3600 %/% 60)
}
