# Cases `from` to `to` of a seed, one after the other; the file named holds the case under way and
# what was found, a line each: case, kind, where, what was said; and lines "reached" and "held" with
# the name of what was called, or held against its definition. Started by run.R.
#   Rscript child.R seed from to file
suppressMessages(library(sparserls))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
for (helper in c("reference", "glm", "greedy", "rls2", "results")) {
  source(file.path(here, "..", "testthat", sprintf("helper-%s.R", helper)))
}
for (file in c("values", "calls", "judge", "against", "results", "chunks", "reached")) {
  source(file.path(here, paste0(file, ".R")))
}
given <- commandArgs(TRUE)
numbers <- as.numeric(given[1:3])
journal <- given[4]
grDevices::pdf(NULL)
# A single case says what it does.
alone <- numbers[2] == numbers[3]
options(sparserls.progress = FALSE)

note <- function(...) {
  cat(paste(gsub("[\t\n]+", " ", c(...)), collapse = "\t"), "\n", file = journal, sep = "",
      append = TRUE)
}

report <- function(case, where, finding) {
  if (!is.null(finding)) note(case, finding$kind, where, substr(finding$says, 1, 300))
}

asked <- function(case, name, object, x) {
  question <- questions[[name]]
  drawn <- lapply(formals(question)[-(1:2)], eval, globalenv())
  answer <- judged(do.call(question, c(list(object, x), drawn), quote = TRUE), list(object, x),
                   draws = name %in% c("update", "simulate"))
  report(case, name, answer$finding)
  # simulate() warns of rows of weight 0, which are NA; they may be outside, too.
  if (!name %in% c("useless", "update", "simulate") && !identical(drawn$outside, "na")) {
    report(case, name, not_finite(answer$value, x))
  }
}

# Of every twenty cases two are results with all of their methods, one is of chunks in trouble, one
# of a cross-validation under a plan, and two are of functions that fit nothing; each of these goes
# through its list.
run_case <- function(case) {
  set.seed(numbers[1] * 1e6 + case)
  turn <- case %/% 20
  switch(as.character(case %% 20),
    `5` = result_case(case, 2 * turn),
    `12` = result_case(case, 2 * turn + 1),
    `10` = chunk_case(case),
    `2` = plan_case(case, turn),
    `0` = call_case(case, other_call(2 * turn)),
    `15` = call_case(case, other_call(2 * turn + 1)),
    call_case(case, random_call())
  )
}

call_case <- function(case, call) {
  # Where an argument was refused when it was made there is no call.
  call <- tryCatch(call, sparserls_error = function(e) NULL)
  if (is.null(call)) return("error")
  if (alone) str(call)
  answer <- judged(do.call(call$what, call$args, quote = TRUE), call$args, may_draw(call))
  report(case, call$what, answer$finding)
  if (!is.null(answer$error)) {
    if (alone) print(answer$error)
    return("error")
  }
  if (!call$what %in% fitters) return("value")
  x <- if (is.null(call$args$data)) call$args[[1]] else call$args$data
  failed <- function(e) {
    report(case, call$what, list(kind = "reference failed", says = conditionMessage(e)))
  }
  error <- if (isTRUE(call$plain)) tryCatch(against_refits(call, answer$value), error = failed)
  if (!is.null(error)) note("held", call$what)
  if (!is.null(error) && !isTRUE(error < 1e-6)) {
    report(case, call$what, list(kind = "wrong number", says = format(error)))
  }
  for (name in sample(names(questions), 2)) asked(case, name, answer$value, x)
  methods <- methods_for(answer$value, offered())
  ask_method(case, call$what, methods[sample.int(nrow(methods), 1), ], answer$value, x)
  if (is.null(error)) "value" else "value held against its definition"
}

watch_calls(function(label) note("reached", label))
for (case in seq(numbers[2], numbers[3])) {
  note(case, "begun")
  before <- calls
  kind <- run_case(case)
  note(case, kind, calls - before)
}
note("done")
