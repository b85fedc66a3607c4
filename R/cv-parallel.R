# Parts of a cross-validation under the user's future::plan(): candidates of a search, folds of
# honest refits, outer folds. All random numbers are drawn here, in the same order as without a
# plan, and none by the parts, so that results are the same, bit for bit.

# work(payload, item) for all items, a list; work is a function of this package, which reaches a
# worker as a name. A worker gets one task for all of its items, and so the payload once.
in_parallel <- function(items, work, payload, what) {
  workers <- min(worker_count(), length(items))
  part <- split(seq_along(items), rep_len(seq_len(workers), length(items)))
  values <- vector("list", length(items))
  relay <- new_relay()
  # A worker has no use for the user's environment, which may hold anything.
  payload$problem$design <- without_environments(payload$problem$design)
  if (is_users(payload$problem$validation$measure)) payload$problem$validation$measure <- NULL
  finish <- function(index, answer) {
    relay(answer$said)
    if (!is.null(answer$error)) stop(answer$error)
    values[part[[index + 1]]] <<- answer$value$values
    for (note in answer$value$notes) signalCondition(note)
  }
  task <- function(index) {
    list(work = work_on_items, payload = list(work = work, payload = payload,
                                              items = items[part[[index + 1]]]),
         what = what,
         version = package_version_here())
  }
  run_on_workers(seq_len(workers) - 1, task, finish)
  values
}

# Also returns what was noted about basis vectors, which is not a message (note_basis()).
work_on_items <- function(payload) {
  notes <- list()
  values <- withCallingHandlers(
    lapply(payload$items, function(item) payload$work(payload$payload, item)),
    sparserls_basis_note = function(note) notes <<- c(notes, list(note))
  )
  list(values = values, notes = unique(notes))
}

without_environments <- function(design) {
  for (name in c("terms", "blueprint")) {
    terms <- if (name == "terms") design$terms else design$blueprint$terms
    if (is.null(terms)) next
    attr(terms, ".Environment") <- emptyenv()
    if (name == "terms") design$terms <- terms else design$blueprint$terms <- terms
  }
  design
}

# A fit that a worker has made has the environments of the user's formula.
with_environments <- function(fit, design) {
  fit[c("terms", "blueprint")] <- design[c("terms", "blueprint")]
  fit
}

# Whether workers are to share these items. A user's kernels and measures stay in the main session,
# as they may draw random numbers or use its variables. So does a search for widths that draws its
# folds and basis as it goes. measured: whether working on an item calls the measure.
goes_parallel <- function(problem, count, measured) {
  count > 1 && isNamespaceLoaded("future") && worker_count() > 1 &&
    !any(vapply(problem$kernels, is_custom, NA)) &&
    !(measured && is_users(problem$validation$measure)) && !draws_in_training(problem)
}
