# copy_sources(): the sources of the package in a folder of their own, where they are built otherwise
# or changed. What has been found out about other sources says nothing about these: a folder that
# was made from others is refused.

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
