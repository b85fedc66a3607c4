# Every help page as its reader sees it.
pages <- tools::Rd_db("sparserls")

as_text <- function(page) {
  file <- tempfile()
  on.exit(unlink(file))
  tools::Rd2txt(page, file, options = list(underline_titles = FALSE))
  readLines(file)
}

# The text under a heading, which stands at the left margin.
part_of <- function(text, heading) {
  start <- match(paste0(heading, ":"), text)
  if (is.na(start)) return(character())
  rest <- text[-seq_len(start)]
  end <- grep("^[^ ]", rest)
  trimws(if (length(end)) rest[seq_len(end[1] - 1)] else rest)
}

test_that("pages render whole: no markup is left, no sentence is cut, no item is empty", {
  skip_if(length(pages) == 0, "installed without help")
  leftovers <- c(table = "\\|[-|: ]{3,}\\|", link = "\\]\\(|\\[[a-z_.0-9]+\\(\\)\\]", tick = "`",
                 tag = "(^| )@[a-z]+ ", null = "^ +NULL\\.?$", markup = "\\\\[a-z]+\\{|\\*\\*",
                 # A figure that was to be filled in has capitals for its place.
                 placeholder = "@@|(TO|FIX)(DO|ME)|\\b[A-Z]{9,}\\b")
  for (name in names(pages)) {
    text <- as_text(pages[[name]])
    # Examples are code: they may have what text may not.
    prose <- text[seq_len(min(c(match("Examples:", text), length(text) + 1), na.rm = TRUE) - 1)]
    for (kind in names(leftovers)) {
      expect_false(any(grepl(leftovers[[kind]], prose)), label = paste(name, "has a", kind, "left"))
    }
    description <- Filter(nzchar, part_of(text, "Description"))
    expect_match(tail(description, 1), "[.)]$", info = name)
    title <- text[seq_len(match("Description:", text) - 2)]
    expect_false(identical(paste(description, collapse = " "), paste(title, collapse = " ")),
                 label = paste(name, "describes itself by its title"))
    source <- paste(as.character(pages[[name]]), collapse = "")
    empty <- grepl("\\\\item\\{[^{}]*\\}\\{\\}", source)
    expect_false(empty, label = paste(name, "has an empty item"))
  }
})

test_that("every page of a function has a value, and an example that runs something", {
  skip_if(length(pages) == 0, "installed without help")
  no_function <- c("sparserls-package.Rd", "prostate.Rd", "tidymodels.Rd", "engine_fit.Rd")
  for (name in setdiff(names(pages), no_function)) {
    text <- as_text(pages[[name]])
    expect_true(any(nzchar(part_of(text, "Value"))), label = paste(name, "says what it returns"))
    expect_true("Examples:" %in% text, label = paste(name, "has an example"))
  }
})

test_that("no page cites a file that is not installed", {
  skip_if(length(pages) == 0, "installed without help")
  folders <- "\\b(bench|tests|checks|tools|vignettes|src|data-raw|R)/[[:alnum:]_.-]+"
  for (name in names(pages)) {
    cited <- unlist(regmatches(text <- as_text(pages[[name]]), gregexpr(folders, text)))
    expect_identical(as.character(cited), character(), info = name)
  }
})
