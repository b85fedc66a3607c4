# Builds the site of _pkgdown.yml into its folder, with the installed package and without asking
# other sites. Articles that are older than their pages are left alone: after a change of the package
# or of stored results, `rm -r site` first.
#   Usage: Rscript tools/build-site.R

options(pkgdown.internet = FALSE)
# Where a package has its pages: downlit would ask CRAN and them; without an address links go to rdrr.io.
utils::assignInNamespace("package_urls", function(...) character(), "downlit")
pkgdown::build_site(preview = FALSE, devel = FALSE, install = FALSE, new_process = FALSE,
                    lazy = TRUE)
