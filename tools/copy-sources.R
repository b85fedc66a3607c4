# copy_sources(): the sources of the package in a folder of their own, to be built for counting or
# changed. What was found in other sources says nothing about these: stop_if_other() refuses a
# folder that was made from others.

copy_sources <- function(copy) {
  dir.create(copy)
  file.copy(c("DESCRIPTION", "NAMESPACE", "R", "src", "data", "inst"), copy, recursive = TRUE)
  unlink(Sys.glob(file.path(copy, "src", c("*.o", "*.so"))))
}

stop_if_other <- function(copy) {
  files <- list.files(c("R", "src"), "[.][Rch]$", full.names = TRUE)
  if (!identical(unname(tools::md5sum(files)), unname(tools::md5sum(file.path(copy, files))))) {
    stop(dirname(copy), " was made from other sources: remove it, or go back to them")
  }
}
