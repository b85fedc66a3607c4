pages <- tools::Rd_db("sparserls")
skip_if(length(pages) == 0, "installed without help")

texts <- lapply(pages, function(page) {
  file <- tempfile()
  on.exit(unlink(file))
  tools::Rd2txt(page, file, options = list(underline_titles = FALSE))
  readLines(file)
})

# The text under a heading, which stands at the left margin.
part_of <- function(text, heading) {
  start <- match(paste0(heading, ":"), text)
  if (is.na(start)) return(character())
  rest <- text[-seq_len(start)]
  end <- grep("^[^ ]", rest)
  trimws(if (length(end)) rest[seq_len(end[1] - 1)] else rest)
}

# No page is one of those; what is said of them else.
expect_no_page <- function(those, what) {
  expect_identical(names(pages)[those], character(), label = paste("pages that", what))
}
each <- function(check) vapply(texts, check, NA, USE.NAMES = FALSE)

test_that("pages render whole: no markup is left, no sentence is cut, no item is empty", {
  leftovers <- c(table = "\\|[-|: ]{3,}\\|", link = "\\]\\(|\\[[a-z_.0-9]+\\(\\)\\]", tick = "`",
                 tag = "(^| )@[a-z]+ ", null = "^ +NULL\\.?$", markup = "\\\\[a-z]+\\{|\\*\\*",
                 # A figure that was to be filled in has capitals for its place.
                 placeholder = "@@|(TO|FIX)(DO|ME)|\\b[A-Z]{9,}\\b")
  # Examples are code: they may have what text may not.
  prose <- lapply(texts, function(text) {
    text[seq_len(min(c(match("Examples:", text), length(text) + 1), na.rm = TRUE) - 1)]
  })
  for (kind in names(leftovers)) {
    left <- vapply(prose, function(text) any(grepl(leftovers[[kind]], text)), NA)
    expect_no_page(left, paste("have a", kind, "left"))
  }
  description <- function(text) Filter(nzchar, part_of(text, "Description"))
  expect_no_page(!each(function(text) grepl("[.)]$", tail(description(text), 1))), "are cut")
  expect_no_page(each(function(text) {
    title <- text[seq_len(match("Description:", text) - 2)]
    identical(paste(description(text), collapse = " "), paste(title, collapse = " "))
  }), "describe themselves by their title")
  empty <- vapply(pages, function(page) {
    grepl("\\\\item\\{[^{}]*\\}\\{\\}", paste(as.character(page), collapse = ""))
  }, NA)
  expect_no_page(empty, "have an empty item")
})

test_that("pages of functions have a value and an example, and none cites what is not installed", {
  no_function <- c("sparserls-package.Rd", "prostate.Rd", "tidymodels.Rd", "engine_fit.Rd")
  of_function <- !names(pages) %in% no_function
  value <- each(function(text) any(nzchar(part_of(text, "Value"))))
  expect_no_page(of_function & !value, "do not say what they return")
  expect_no_page(of_function & !each(function(text) "Examples:" %in% text), "have no example")
  folders <- "\\b(bench|tests|checks|tools|vignettes|src|data-raw|R)/[[:alnum:]_.-]+"
  for (name in names(pages)) {
    cited <- unlist(regmatches(texts[[name]], gregexpr(folders, texts[[name]])))
    expect_identical(as.character(cited), character(), info = name)
  }
})
