# Builds the site of _pkgdown.yml into its folder, with the installed package and without asking
# other sites. Articles that are older than their pages are left alone: after a change of the
# package or of stored results, `rm -r site` first.
#   Usage: Rscript tools/build-site.R

options(pkgdown.internet = FALSE)
# downlit would ask CRAN, and sites of packages, where their pages are; without an address links go
# to rdrr.io.
utils::assignInNamespace("package_urls", function(...) character(), "downlit")
# The scripts of a page (its search, its list of sections): pkgdown 2.1 fetches them; here a page
# links to them, as pages of 2.0 do.
if ("cached_dependency" %in% ls(asNamespace("pkgdown"))) {
  linked <- function(name, version, files) {
    tag <- function(file) {
      form <- if (grepl("css$", file$url)) '<link rel="stylesheet" href="%s" integrity="%s" %s>'
              else '<script src="%s" integrity="%s" %s></script>'
      sprintf(form, file$url, file$integrity, 'crossorigin="anonymous"')
    }
    dir.create(folder <- tempfile())
    htmltools::htmlDependency(name, version, src = folder, head = vapply(files, tag, ""))
  }
  utils::assignInNamespace("cached_dependency", linked, "pkgdown")
}
pkgdown::build_site(preview = FALSE, devel = FALSE, install = FALSE, new_process = FALSE,
                    lazy = TRUE)
