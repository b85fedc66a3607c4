# The articles, where the sources are at hand: figures have captions and descriptions, and stored
# results say what made them.
sources <- function(...) testthat::test_path("..", "..", ...)
articles <- Sys.glob(sources("vignettes", "*.Rmd"))
skip_if(length(articles) == 0, "no sources")

# Chunks of an article: their header lines and code.
chunks <- function(file) {
  lines <- readLines(file)
  starts <- grep("^```\\{r", lines)
  lapply(starts, function(start) {
    end <- start + match("```", lines[-seq_len(start)])
    list(header = lines[start], code = lines[seq(start + 1, length.out = end - start - 1)])
  })
}
draws <- function(code) any(grepl("^ *(plot|matplot|kernel_heatmap|curves|six)\\(", code))

test_that("every figure has a caption and a description", {
  for (file in articles) {
    for (chunk in chunks(file)) {
      if (!draws(chunk$code)) next
      expect_match(chunk$header, "fig.cap = ", fixed = TRUE, info = basename(file))
      expect_match(chunk$header, "fig.alt = ", fixed = TRUE, info = basename(file))
    }
  }
})

test_that("stored results that articles show say which script, package and machine made them", {
  stored <- Sys.glob(sources("inst", "extdata", "*.csv"))
  # Made before stored results had such lines; their scripts say the rest.
  older <- c("coverage.csv", "cv-speed.csv")
  for (file in stored[!basename(stored) %in% older]) {
    head <- grep("^# ", readLines(file, 5), value = TRUE)
    script <- sub(".*Rscript (bench/[a-z0-9-]+\\.R).*", "\\1", grep("Rscript", head, value = TRUE))
    expect_length(script, 1)
    expect_true(file.exists(sources(script)), label = paste(basename(file), "has a script"))
    expect_match(head, "sparserls [0-9.]+, R [0-9.]+", all = FALSE, info = basename(file))
    expect_match(head, "seed", all = FALSE, info = basename(file))
  }
})
