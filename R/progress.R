# Progress of a cross-validation: a text bar on stderr that moves in a few steps.

progress_steps <- 50

# A text bar on stderr; NULL where none is wanted, or there are no steps to show (leave-pair-out).
# tick(): one more of the steps; part(): the tick of a next part of the work, which has steps of its
# own and takes this share of what is left of the bar; finish(): that was all of it.
new_progress <- function(progress, steps) {
  if (!check_flag(progress, "progress") || steps == 0) return(NULL)
  bar <- txtProgressBar(style = 3, file = stderr())
  done <- 0
  part <- function(steps, share = 1) {
    each <- share * (1 - done) / steps
    function(count = 1) {
      done <<- min(done + count * each, 1)
      setTxtProgressBar(bar, done)
    }
  }
  list(tick = part(steps), part = part, close = function() close(bar), finish = function() {
    part(1)()
    close(bar)
  })
}

# The tick of a part that goes through these folds `times`; NULL without a bar.
folds_tick <- function(bar, folds, times, share) {
  if (!is.null(bar)) bar$part(times * min(progress_steps, length(folds)), share)
}

# ---- of a map over chunks ------------------------------------------------------------------------
# Progress of a map over chunks: a line on stderr, and conditions for progressr's handlers.

# `tasks` is how many are to be done; others of `all` a run before has done. All count alike.
chunk_progress <- function(run, tasks, all) {
  started <- proc.time()[[3]]
  done <- rows <- 0
  signal <- signal_steps(all)
  if (all > tasks) signal(all - tasks)
  tick <- function(more_rows) {
    done <<- done + 1
    rows <<- rows + more_rows
    signal(1)
    if (run$progress) {
      seconds <- max(proc.time()[[3]] - started, 0.001)
      left <- seconds / done * (tasks - done)
      show_progress(run$label, (all - tasks + done) / all, rows / seconds, seconds, left)
    }
  }
  list(tick = tick, close = function() if (run$progress && done > 0) cat("\n", file = stderr()))
}

signal_steps <- function(all) {
  if (!requireNamespace("progressr", quietly = TRUE)) return(function(steps) NULL)
  step <- progressr::progressor(steps = all, on_exit = FALSE)
  function(steps) step(amount = steps)
}

show_progress <- function(label, part, speed, seconds, left) {
  time <- if (part < 1) paste(duration(left), "left") else duration(seconds)
  speed <- format(signif(speed, 3), big.mark = ",", scientific = FALSE)
  line <- sprintf("%s: %3.0f %%, %s rows/s, %s", label, floor(100 * part), speed, time)
  cat("\r", format(line, width = 72), sep = "", file = stderr())
}

# "5 s", "3 min 20 s", "2 h 5 min"
duration <- function(seconds) {
  s <- round(seconds)
  if (s < 60) return(sprintf("%d s", s))
  if (s < 3600) return(sprintf("%d min %d s", s %/% 60, s %% 60))
  sprintf("%d h %d min", s %/% 3600, s %% 3600 %/% 60)
}
