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
# Progress of a map over chunks: a line on stderr.

# `tasks` is how many are to be done; others of `all` a run before has done. All count alike.
chunk_progress <- function(run, tasks, all) {
  started <- Sys.time()
  done <- 0
  tick <- function() {
    done <<- done + 1
    if (!run$progress) return()
    now <- Sys.time()
    left <- difftime(now + (now - started) / done * (tasks - done), now)
    line <- sprintf("%s: %3.0f %%, %s left", run$label, floor(100 * (all - tasks + done) / all),
                    format(round(left, 1)))
    cat("\r", format(line, width = 72), sep = "", file = stderr())
  }
  list(tick = tick, close = function() if (run$progress && done > 0) cat("\n", file = stderr()))
}

