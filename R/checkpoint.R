# A checkpoint: a folder that holds what is finished of a run over chunks, so that the next run
# after a kill goes on from there. "manifest.rds" says of which problem;
# "<pass>-<first>-<last>.rds" holds the value of a block of chunks that waits for its neighbour
# (R/chunk-tree.R). The value of a larger block replaces those of its halves, so that there are few
# files at any time, one for each pass at the end. Files are written under another name first: one
# that has its name is whole. Two runs at once in one folder are not supported: each would delete
# what the other waits for.

# `fingerprint` identifies the problem; `settings` is what the run has drawn or decided once. A run
# that goes on gets those of the run before instead.
open_checkpoint <- function(dir, fingerprint, settings = list()) {
  usable_folder(dir)
  file <- file.path(dir, "manifest.rds")
  this <- list(fingerprint = fingerprint, version = package_version_here(), settings = settings)
  if (file.exists(file)) this <- check_manifest(read_manifest(file), this, dir)
  else write_whole(this, file)
  list(dir = dir, fingerprint = fingerprint, settings = this$settings)
}

package_version_here <- function() getNamespaceVersion("sparserls")[[1]]

# The folder is made where there is none; what a killed run has left unfinished is removed.
usable_folder <- function(dir) {
  if (!is.character(dir) || length(dir) != 1 || is.na(dir) || !nzchar(dir)) {
    abort("checkpoint", "`checkpoint` must be the path of one folder.", describe(dir),
          "Give NULL for none.")
  }
  if (file.exists(dir) && !dir.exists(dir)) {
    abort("checkpoint", "`checkpoint` must be a folder.", sprintf("%s is a file.", dir),
          "Give another path; the folder is made.")
  }
  if (!dir.exists(dir)) suppressWarnings(dir.create(dir, recursive = TRUE))
  probe <- unfinished(dir)
  if (!suppressWarnings(file.create(probe))) {
    abort("checkpoint", "`checkpoint` must be a folder that can be written.",
          sprintf("%s cannot.", dir), "Give another folder, or see to its permissions.")
  }
  unlink(list.files(dir, "^unfinished-", full.names = TRUE))
}

unfinished <- function(dir) tempfile("unfinished-", dir)

check_manifest <- function(manifest, this, dir) {
  if (manifest$fingerprint != this$fingerprint) {
    abort("checkpoint", "The folder of `checkpoint` belongs to another problem.",
          sprintf("%s was begun with other data, another basis or other arguments.", dir),
          "Give another folder, or delete this one.")
  }
  if (manifest$version != this$version) {
    abort("checkpoint", "The folder of `checkpoint` belongs to another version of sparserls.",
          sprintf("%s was begun by %s, this is %s.", dir, manifest$version, this$version),
          "Go on with that version, give another folder, or delete this one.")
  }
  manifest
}

read_manifest <- function(file) {
  manifest <- read_list(file, c("fingerprint", "version", "settings"))
  if (is.null(manifest)) damaged(file)
  manifest
}

# What a file holds, if it is a list with these names; NULL otherwise.
read_list <- function(file, names) {
  value <- tryCatch(suppressWarnings(readRDS(file)), error = function(e) NULL)
  if (is.list(value) && identical(names(value), names)) value
}

damaged <- function(file) {
  abort("checkpoint", "A file of the checkpoint is damaged.", file,
        "Delete the folder; what it holds is computed again.")
}

write_whole <- function(value, file) {
  part <- unfinished(dirname(file))
  on.exit(unlink(part))
  written <- tryCatch({
    saveRDS(value, part, compress = FALSE)
    !is.null(read_list(part, names(value))) && file.rename(part, file)
  }, error = function(e) FALSE, warning = function(w) FALSE)
  if (!written) {
    abort("checkpoint", "The checkpoint could not be written.", file,
          "See to the space on the disk and to the folder, then run again: what is there is used.")
  }
}

# The blocks of one pass: `blocks`, what a run before has finished, and `write`, called with every
# block that comes to rest in the tree: it takes the place of those that went into it. Where a run
# was killed between the two, both are there, and the larger one counts.
checkpoint_blocks <- function(checkpoint, pass, count) {
  if (is.null(checkpoint)) return(list(blocks = list(), write = function(block) NULL))
  known <- list(fingerprint = checkpoint$fingerprint, pass = pass, count = count)
  found <- block_files(checkpoint$dir, pass)
  list(
    blocks = lapply(found[!within_another(found)], read_block, known),
    write = function(block) {
      chunks <- block_chunks(block$level, block$index, count)
      record <- c(known, list(chunks = chunks, sum = fingerprint(block$value)), block["value"])
      write_whole(record, file.path(checkpoint$dir, block_name(pass, chunks)))
      found <- block_files(checkpoint$dir, pass)
      unlink(vapply(found[within_another(found)], `[[`, "", "file"))
    }
  )
}

block_name <- function(pass, chunks) {
  sprintf("%s-%s.rds", pass, paste(format(chunks, scientific = FALSE, trim = TRUE), collapse = "-"))
}

# list(file, chunks) for every block of this pass in the folder.
block_files <- function(dir, pass) {
  names <- list.files(dir, "-[0-9]+-[0-9]+[.]rds$")
  names <- names[sub("-[0-9]+-[0-9]+[.]rds$", "", names) == pass]
  chunks <- strsplit(sub("[.]rds$", "", names), "-")
  Map(function(name, parts) {
    list(file = file.path(dir, name), chunks = as.numeric(utils::tail(parts, 2)))
  }, names, chunks, USE.NAMES = FALSE)
}

within_another <- function(blocks) {
  first <- vapply(blocks, function(b) b$chunks[1], 0)
  last <- vapply(blocks, function(b) b$chunks[2], 0)
  vapply(seq_along(blocks), function(i) any((first <= first[i] & last >= last[i])[-i]), NA)
}

# The lowest block that has these chunks, and its value.
read_block <- function(found, known) {
  record <- read_list(found$file, c(names(known), "chunks", "sum", "value"))
  whole <- identical(record[names(known)], known) && identical(record$chunks, found$chunks) &&
    identical(record$sum, fingerprint(record$value))
  if (!whole) damaged(found$file)
  level <- root_level(diff(found$chunks) + 1)
  list(level = level, index = (found$chunks[1] - 1) / 2^level, value = record$value)
}
