# Progress of a cross-validation: a text bar on stderr that moves in a few steps.

progress_steps <- 50

steps_of_folds <- function(folds, steps) {
  as.integer(ceiling(seq_len(folds) * min(steps, folds) / folds))
}

# A text bar on stderr; NULL where none is wanted, or there are no steps to show (leave-pair-out).
new_progress <- function(progress, steps) {
  if (!check_flag(progress, "progress") || steps == 0) return(NULL)
  bar <- txtProgressBar(max = steps, style = 3, file = stderr())
  done <- 0
  list(
    tick = function() {
      done <<- done + 1
      setTxtProgressBar(bar, done)
    },
    close = function() close(bar)
  )
}
