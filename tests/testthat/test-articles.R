# Those that the package has, and those that only the site has.
installed <- Sys.glob(sources("vignettes", "*.Rmd"))
articles <- c(installed, Sys.glob(sources("vignettes", "articles", "*.Rmd")))
skip_if(length(articles) == 0, "no sources")
# Lines of a file, or of one of the sources, joined.
text_of_file <- function(file) gsub("[ \n]+", " ", paste(readLines(file), collapse = "\n"))
text_of <- function(...) text_of_file(sources(...))
stored <- function(name) stored_table("inst", "extdata", name)

test_that("installed articles can be read in an hour and cite no file that is not installed", {
  words <- vapply(installed, function(file) length(strsplit(text_of_file(file), " +")[[1]]), 0L)
  expect_lt(sum(words), 17500)
  folders <- "\\b(bench|tests|checks|tools|vignettes|src|data-raw|R)/[[:alnum:]_.-]+"
  for (file in installed) {
    text <- text_of_file(file)
    cited <- unlist(regmatches(text, gregexpr(folders, text)))
    expect_identical(as.character(cited), character(), info = basename(file))
  }
})

test_that("cited articles are there: installed ones by name, those of the site by address", {
  citing <- c(Sys.glob(sources(c("R/*.R", "man/*.Rd", "vignettes/*.Rmd", "vignettes/articles/*.*",
                                 "*.md", "tools/*.dcf"))))
  expect_gt(length(citing), 100)
  for (file in citing) {
    text <- text_of_file(file)
    found <- function(pattern) {
      unique(sub(pattern, "\\1", unlist(regmatches(text, gregexpr(pattern, text)))))
    }
    names <- found("vignette\\(\"+([a-z0-9-]+)\"+\\)")
    expect_identical(setdiff(paste0(names, ".Rmd", recycle0 = TRUE), basename(installed)),
                     character(), info = file)
    pages <- found("articles/([a-z0-9-]+)[.]html")
    if (grepl("articles/[a-z0-9-]+$", file)) pages <- c(pages, found("\\]\\(([a-z0-9-]+)[.]html"))
    expect_identical(setdiff(paste0(pages, ".Rmd", recycle0 = TRUE), basename(articles)),
                     character(), info = file)
  }
})

test_that("every figure has a caption and a description", {
  draws <- "^ *(plot|matplot|plot_estimates|curves|six)\\("
  for (file in articles) for (chunk in chunks_of(file)) {
    if (any(grepl(draws, chunk$code))) expect_match(chunk$header, "fig.cap = ", info = file)
    if (any(grepl(draws, chunk$code))) expect_match(chunk$header, "fig.alt = ", info = file)
  }
})

test_that("stored results say which script, commit, package and machine made them", {
  for (file in Sys.glob(sources(c("inst/extdata/*.csv", "vignettes/articles/stored/*.csv")))) {
    head <- grep("^# ", readLines(file, 5), value = TRUE)
    script <- sub(".*Rscript (bench/[a-z0-9-]+\\.R).*", "\\1", grep("Rscript", head, value = TRUE))
    expect_true(file.exists(sources(script)), label = paste(basename(file), "has a script"))
    for (words in c("sparserls [0-9.]+, R [0-9.]+", "seed", "commit [0-9a-f]{7}")) {
      expect_match(head, words, all = FALSE, info = basename(file))
    }
  }
  for (file in Sys.glob(sources("bench", c("*.txt", "*.md")))) {
    expect_match(readLines(file), "[Cc]ommits? [0-9a-f]{7}", all = FALSE, info = basename(file))
  }
})

test_that("a figure is the same wherever it is said", {
  skip_if_not(file.exists(sources("NEWS.md")), "no NEWS")
  expect_says <- function(text, words) for (word in words) expect_match(text, word, fixed = TRUE)
  large <- text_of("vignettes", "large-data.Rmd")
  for (text in c(large, text_of("NEWS.md"), text_of("bench", "blas.md"))) {
    expect_says(text, c("0.8 to 1.8 times", "4 to 9 times"))
  }
  memory <- stored("memory.csv")
  cases <- c("ten folds", "ten folds and three widths", "2000 groups and keep")
  expect_says(large, sprintf("%.1f", memory$blocks[memory$case %in% cases]))
  folds <- stored("cv-folds.csv")[1, ]
  expect_says(large, sprintf("%.2f s to fit and %.2f s to cross-validate", folds$fit.seconds,
                             folds$fits * folds$fit.seconds))
  rows <- stored("all-rows.csv")
  off <- sprintf(ifelse(rows$se < 1, "%.1f", "%.0f"), -rows$percent)
  off <- range(as.numeric(off[!grepl("noise", rows$data)]))
  expect_says(text_of("R", "family-sparserls.R"), sprintf("%s to %s %%", off[1], off[2]))
})

test_that("shares of significant effects of rare levels are those that are stored", {
  lines <- readLines(sources("bench", "effects-rare.txt"))
  # "18.5 (2.7)", percent with the standard error; ways as they are stored.
  share <- function(way) {
    line <- grep(sprintf("rho 1.5, %s ", way), lines, fixed = TRUE, value = TRUE)
    rate <- 100 * as.numeric(sub(".* ([0-9.]+) [(].*", "\\1", line))
    se <- 100 * as.numeric(sub(".*[(]([0-9.]+)[)] of.*", "\\1", line))
    sprintf("%s (%s)", format(rate), format(round(se, 1)))
  }
  having <- "rows that have it"
  says <- function(text, ways) {
    plain <- gsub("(standard error ", "(", text, fixed = TRUE)
    for (way in ways) expect_match(plain, sub(" ", " % ", share(way)), fixed = TRUE, info = way)
  }
  debiased <- paste("searched widths, debiased,", c("all rows", having))
  says(text_of("vignettes", "uncertainty.Rmd"),
       c(debiased, sub("debiased", "plug-in", debiased), "data-driven width, plug-in, all rows",
         "linear kernel, plug-in, all rows"))
})

test_that("simulated parses are biased as in the paper by three ways to treat a basis vector", {
  made <- new.env()
  sys.source(sources("vignettes", "parses.R"), made)
  set.seed(3)
  d <- made$simulate_parses(test_parses = 5)
  first <- which(!duplicated(d$train$sentence))
  lambda <- 2^c(10, 5, 0, -5)
  run <- function(holdout_basis) {
    cv.sparserls(d$train$x, d$train$y, first, kernel_linear(), lambda, intercept = FALSE,
                 standardize = FALSE, groups = d$train$sentence, holdout_basis = holdout_basis,
                 progress = FALSE)
  }
  removed <- run("remove")
  new <- suppressWarnings(predict(removed, d$test$x, s = lambda))
  test <- colMeans((d$test$y - new)^2)
  expect_lt(max(abs(removed$cvm / test - 1)), 0.15)
  expect_lt(max((run("keep_loss")$cvm / test)[2:4]), 0.75)
  expect_gt(min((run("keep")$cvm / test)[3:4]), 1.75)
})
