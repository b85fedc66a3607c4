# The numbers that C and R share are defined in C and reach R by name.

sources_of <- function(folder, pattern) {
  path <- file.path("..", "..", folder)
  skip_if_not(dir.exists(path), "the package's sources")
  list.files(path, pattern, full.names = TRUE)
}

# Names of the files with a line that matches, comments apart.
files_with <- function(files, pattern) {
  found <- vapply(files, function(file) {
    any(grepl(pattern, sub("^ *# .*|^#'.*|^ [*].*|^/[*].*", "", readLines(file))))
  }, NA)
  basename(files[found])
}

test_that("a status of the numeric core has a name, and every failure a condition", {
  codes <- sparserls:::session$constants$status
  expect_setequal(names(codes), c("ok", "not_finite", "not_positive", "no_convergence",
                                  "ill_posed"))
  expect_silent(sparserls:::stop_status(codes[["ok"]]))
  for (name in setdiff(names(codes), "ok")) {
    expect_error(sparserls:::stop_status(codes[[name]]), class = "sparserls_error")
  }
})

test_that("codes and shared tolerances stand in one file", {
  c_files <- sources_of("src", "[.][ch]$")
  expect_identical(files_with(c_files, "define RESOLUTION|define TIE|define NEAR"), "constants.h")
  expect_identical(files_with(c_files, "1e-10|1e4 [*] "), "constants.h")
  r_files <- sources_of("R", "[.]R$")
  expect_identical(files_with(r_files, "1e-10|1e4 [*] [.]|sr_[a-z]+ <-"), character())
})
