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

test_that("stored results say which script, commit, package and machine made them", {
  stored <- Sys.glob(sources("inst", "extdata", "*.csv"))
  for (file in stored) {
    head <- grep("^# ", readLines(file, 5), value = TRUE)
    script <- sub(".*Rscript (bench/[a-z0-9-]+\\.R).*", "\\1", grep("Rscript", head, value = TRUE))
    expect_length(script, 1)
    expect_true(file.exists(sources(script)), label = paste(basename(file), "has a script"))
    expect_match(head, "sparserls [0-9.]+, R [0-9.]+", all = FALSE, info = basename(file))
    expect_match(head, "seed", all = FALSE, info = basename(file))
    expect_match(head, "commit [0-9a-f]{7}", all = FALSE, info = basename(file))
  }
})

# Lines of a file of the sources, joined.
text_of <- function(...) gsub("[ \n]+", " ", paste(readLines(sources(...)), collapse = "\n"))

test_that("a figure is the same wherever it is said", {
  skip_if_not(file.exists(sources("README.md")), "no sources")
  readme <- text_of("README.md")
  stored <- function(name) read.csv(sources("inst", "extdata", name), comment.char = "#")
  # What the reference BLAS costs: README and NEWS as bench/blas.md.
  ratios <- c("0.8 to 1.8 times", "4 to 9 times")
  for (file in list("README.md", "NEWS.md", c("bench", "blas.md"))) {
    text <- do.call(text_of, as.list(file))
    for (ratio in ratios) {
      expect_match(text, ratio, fixed = TRUE, info = paste(file, collapse = "/"))
    }
  }
  # Memory, and the seconds of an example.
  memory <- stored("memory.csv")
  said <- function(case) sprintf("%.1f", memory$blocks[memory$case == case])
  for (case in c("ten folds", "ten folds and three widths", "2000 groups and keep")) {
    expect_match(readme, said(case), fixed = TRUE, info = case)
  }
  folds <- stored("cv-folds.csv")[1, ]
  expect_match(readme, sprintf("%.2f s to fit and %.2f s to cross-validate", folds$fit.seconds,
                               folds$fits * folds$fit.seconds), fixed = TRUE)
})
