# A checkpoint: a folder that holds what is finished of a run over chunks, so that the next run
# after a kill goes on from there. "manifest.rds" says of which problem;
# "<pass>-<level>-<index>.rds" holds the value of a block of chunks that waits for its neighbour
# (workers-task.R). The value of a larger block replaces those of its halves, so that there are
# few files at any time, one for each pass at the end. Files are written under another name first:
# one that has its name is whole. Two runs at once in one folder are not supported: each would
# delete what the other waits for.

# `fingerprint` identifies the problem; `data`, strings with names in words, the data behind it;
# `settings` is what the run has drawn or decided once. A run that resumes (`resumed`) gets those of
# the earlier run instead.
open_checkpoint <- function(dir, fingerprint, settings = list(), data = character()) {
  usable_folder(dir, "checkpoint", "checkpoint")
  file <- file.path(dir, "manifest.rds")
  this <- list(fingerprint = fingerprint,
               version = sprintf("%s under R %s", package_version_here(), getRversion()),
               data = data, settings = settings)
  resumed <- file.exists(file)
  if (resumed) this <- read_manifest(file, this)
  else write_block(this, file)
  list(dir = dir, settings = this$settings, resumed = resumed)
}

# The folder is made where there is none; what a killed run has left unfinished is removed. name:
# the argument that says it.
usable_folder <- function(dir, topic, name) {
  must(is_string(dir), topic, sprintf("`%s` must be the path of one folder.", name), shown(dir))
  suppressWarnings(dir.create(dir, showWarnings = FALSE, recursive = TRUE))
  must(suppressWarnings(file.create(unfinished(dir))), topic,
       sprintf("`%s` must be a folder that can be written.", name), dir,
       "Give another folder, or check its permissions.")
  unlink(list.files(dir, "^unfinished-", full.names = TRUE))
  normalizePath(dir)
}

unfinished <- function(dir) tempfile("unfinished-", dir)

# What a run before has begun, which must be of the same problem; this: what it would be if the run
# began now.
read_manifest <- function(file, this) {
  manifest <- read_list(file, names(this))
  if (is.null(manifest) || !is_string(manifest$version)) damaged(file)
  same <- function(field, problem, given) {
    must(identical(manifest[[field]], this[[field]]), "checkpoint", problem, given,
         "Give another folder, or delete this one.")
  }
  same("version", "The folder of `checkpoint` belongs to another version of sparserls or R.",
       sprintf("%s was begun by %s, this is %s.", dirname(file), manifest$version, this$version))
  same("fingerprint", "The folder of `checkpoint` belongs to another problem.",
       paste(dirname(file), "was begun with other data, another basis or other arguments."))
  marks <- lapply(list(this$data, manifest$data), function(x) paste(names(x), x))
  same("data", "The data have changed since the run in the folder of `checkpoint`.",
       enumerate(unlist(Map(setdiff, marks, rev(marks)))))
  manifest
}

damaged <- function(file) {
  abort("checkpoint", "A file of the checkpoint is damaged, or of an earlier version.", file,
        "Delete the folder; what it holds is computed again.")
}

# ---- files -------------------------------------------------------------------------------------

# A list in a file that is whole or not there: it is read again under another name. topic, problem:
# of the error where that cannot be.
write_whole <- function(value, file, topic, problem) {
  part <- unfinished(dirname(file))
  on.exit(unlink(part))
  written <- tryCatch({
    saveRDS(value, part, compress = FALSE)
    !is.null(read_list(part, names(value))) && file.rename(part, file)
  }, error = function(e) FALSE, warning = function(w) FALSE)
  must(written, topic, problem, file, "Check the space on the disk and the folder, then run again.")
}

write_block <- function(value, file) {
  write_whole(value, file, "checkpoint", "The checkpoint could not be written.")
}

# What a file holds, if it is a list with these names; NULL otherwise.
read_list <- function(file, names) {
  value <- or_null(suppressWarnings(readRDS(file)))
  if (is.list(value) && identical(names(value), names)) value
}

# ---- blocks ------------------------------------------------------------------------------------

# The blocks of one pass: `blocks`, what a run before has finished, and `write`, called with every
# block that comes to rest in the tree: it takes the place of those that went into it. Where a run
# was killed between the two, both are there, and the larger one counts.
checkpoint_blocks <- function(checkpoint, pass) {
  if (is.null(checkpoint)) return(list(blocks = list(), write = function(block) NULL))
  found <- block_files(checkpoint$dir, pass)
  list(
    blocks = lapply(found[!within_another(found)], function(block) {
      kept <- read_list(block$file, "value")
      if (is.null(kept)) damaged(block$file)
      c(block, kept)
    }),
    write = function(block) {
      name <- sprintf("%s-%.0f-%.0f.rds", pass, block$level, block$index)
      write_block(block["value"], file.path(checkpoint$dir, name))
      found <- block_files(checkpoint$dir, pass)
      unlink(vapply(found[within_another(found)], `[[`, "", "file"))
    }
  )
}

# list(level, index, file) for every block of this pass in the folder.
block_files <- function(dir, pass) {
  lapply(list.files(dir, sprintf("^%s-[0-9]+-[0-9]+[.]rds$", pass)), function(name) {
    at <- as.numeric(tail(strsplit(sub("[.]rds$", "", name), "-")[[1]], 2))
    list(level = at[1], index = at[2], file = file.path(dir, name))
  })
}

within_another <- function(blocks) {
  vapply(blocks, function(block) sum(vapply(blocks, contains, NA, block)) > 1, NA)
}

# Whether a block holds all chunks of another one.
contains <- function(block, other) {
  higher <- block$level - other$level
  higher >= 0 && other$index %/% 2^higher == block$index
}

# ---- the map -------------------------------------------------------------------------------------
# Work on chunks 1 ... count, wherever the user's future::plan() puts it, and the sum of what they
# give. `work(payload, i)` answers the value of chunk i; `combine(a, b)` that of two neighbouring
# runs of chunks, a before b. Both are functions of this package (or need only base R), so
# that they reach a worker as a name; `payload` is all the data that does. `run` is a list: `label`
# ("pass 1 of 2"), `progress` (TRUE or FALSE), `checkpoint` (NULL or of open_checkpoint()) and
# `pass`, the name of this pass in the checkpoint.

map_chunks <- function(count, work, payload, combine, run) {
  random <- keep_random_stream()
  on.exit(random$restore())
  tree <- new_tree(count, combine)
  store <- checkpoint_blocks(run$checkpoint, run$pass)
  stored <- lapply(store$blocks, function(b) tree$add(b$level, b$index, b$value)[-3])
  workers <- worker_count()
  level <- min(task_level(count, workers), joined(stored, "level"))
  tasks <- open_tasks(level, count, stored)
  progress <- chunk_progress(run, length(tasks), ceiling(count / 2^level))
  on.exit(progress$close(), add = TRUE)
  relay <- new_relay()
  finish <- function(index, answer) {
    block <- tree$add(level, index, relay(answer))
    store$write(block)
    progress$tick()
  }
  call <- list(work = work, payload = payload, combine = combine, count = count, level = level,
               version = package_version_here())
  task <- function(index) c(call, index = index)
  if (workers == 0) for (index in tasks) finish(index, run_task(task(index)))
  else run_on_workers(tasks, task, finish)
  tree$value()
}

# A task is a block of chunks, so large that a worker has at most so many of them: enough to keep
# all workers busy to the end, and not so many that sending them is what takes the time.
tasks_per_worker <- 64

task_level <- function(count, workers) {
  max(0, ceiling(log2(count / (tasks_per_worker * max(1, workers)))))
}

# The blocks of this level that are in none of those that are stored.
open_tasks <- function(level, count, stored) {
  Filter(function(index) !any(vapply(stored, contains, NA, list(level = level, index = index))),
         seq(0, ceiling(count / 2^level) - 1))
}

# ---- passes --------------------------------------------------------------------------------------

# How map_chunks() goes through the chunks for what `name` says. cells: what it is computed of,
# where a call has several such passes; part of the name that the pass has in a checkpoint.
pass <- function(run, name, cells = NULL) {
  mark <- if (length(cells)) paste0("-", substr(fingerprint(lapply(cells, cell_identity)), 1, 8))
  list(label = name, pass = paste0(name, mark), progress = run$progress,
       checkpoint = run$checkpoint)
}

# By which a cell is told from the others of its problem: the kernel, its values (two functions may
# have one text), and the rows of the basis.
cell_identity <- function(cell) {
  list(cell$part$kernel, cell$part$k_bb, cell$members[c("chunk", "row")])
}
