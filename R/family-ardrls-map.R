# STUB until the search over maps is here: the steps of maps are those of the last widths.
map_steps <- function(problem, found, from = NULL) {
  last <- found$steps[[length(found$steps)]]
  kernel <- with_widths(found$widths, last$at$log_gamma)
  map <- diag(sqrt(unname(column_widths(kernel))), length(column_widths(kernel)))
  kernel[c("gamma", "shared")] <- NULL
  kernel$map <- map
  lapply(problem$penalty[problem$kind == "map"], function(penalty) {
    step <- replace(last, "fit", list(fit_step(problem, kernel, last$selection, last$at)))
    step$kernel <- kernel
    step$gradients <- 0L
    say_step(problem, penalty, step)
    step
  })
}
