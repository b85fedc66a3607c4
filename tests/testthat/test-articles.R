# Where the sources are at hand: figures of articles have captions and descriptions, stored results
# say what made them, and a number that stands in two places is one.
sources <- function(...) testthat::test_path("..", "..", ...)
articles <- Sys.glob(sources("vignettes", "*.Rmd"))
skip_if(length(articles) == 0, "no sources")
with_readme <- function() skip_if_not(file.exists(sources("README.md")), "no README")

# Lines of a file of the sources, joined.
text_of <- function(...) gsub("[ \n]+", " ", paste(readLines(sources(...)), collapse = "\n"))
stored <- function(name) {
  d <- read.csv(sources("inst", "extdata", name), comment.char = "#")
  if (is.null(d$error)) d else d[!is.na(d$error), ]
}

# Blocks of code of a page: their header lines and code.
chunks <- function(file, header = "^```\\{r") {
  lines <- readLines(sources(file))
  lapply(grep(header, lines), function(start) {
    code <- lines[-seq_len(start)]
    list(header = lines[start], code = code[seq_len(match("```", code) - 1)])
  })
}

test_that("every figure has a caption and a description", {
  draws <- "^ *(plot|matplot|plot_estimates|kernel_heatmap|curves|six)\\("
  for (file in file.path("vignettes", basename(articles))) for (chunk in chunks(file)) {
    if (any(grepl(draws, chunk$code))) expect_match(chunk$header, "fig.cap = ", info = file)
    if (any(grepl(draws, chunk$code))) expect_match(chunk$header, "fig.alt = ", info = file)
  }
})

test_that("stored results say which script, commit, package and machine made them", {
  for (file in Sys.glob(sources("inst", "extdata", "*.csv"))) {
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

# A function that the article of the comparison defines, in an environment that has what it needs.
compared_by <- function(name, ...) {
  for (line in parse(text = unlist(lapply(chunks("vignettes/comparison.Rmd"), `[[`, "code")))) {
    if (is.call(line) && identical(as.list(line)[1:2], list(as.name("<-"), as.name(name)))) {
      return(eval(line[[3]], list2env(list(...))))
    }
  }
}

test_that("README is ahead, level and behind as the articles count", {
  with_readme()
  ran <- stored("comparison.csv")
  standing <- compared_by("standing", ran = ran)
  tally <- compared_by("tally")
  readme <- readLines(sources("README.md"))
  expect_row <- function(row, counts) {
    line <- grep(row, readme, fixed = TRUE, value = TRUE)
    expect_identical(trimws(strsplit(line, "|", fixed = TRUE)[[1]])[3:8], counts, info = row)
  }
  first <- stored("first-call.csv")
  first$train <- 4 * first$test
  first_standing <- compared_by("first_standing", standing = standing)
  kind <- compared_by("kind", fresh = compared_by("fresh"))
  tables <- split(unique(first$set), kind(unique(first$set)))
  rows <- c(fresh = "| %d tables that chose nothing |", found = "| %d tables that chose defaults |",
            filled = "| %d tables, gaps filled |")
  for (which in names(rows)) {
    sets <- tables[[which]]
    found <- apply(first_standing(sets, compared_by("first_rivals"), first), 2, tally)
    expect_row(sprintf(rows[[which]], length(sets)), c(unname(found), ""))
  }
  others <- setdiff(ran$set, compared_by("chose"))
  tuned <- c("glmnet lasso", "mgcv", "kernlab ksvm", "ranger", "xgboost")
  found <- vapply(tuned, function(rival) {
    tally(vapply(others, function(set) standing("sparserls default", rival, set)$found, ""))
  }, "")
  expect_row(sprintf("| %d other tables, rivals tuned |", length(others)), c("", unname(found)))
  # Where trees are better.
  methods <- c("xgboost", "ranger", "sparserls default")
  for (set in c("spam", "fgl", "pole")) {
    one <- ran[ran$set == set & ran$method %in% methods, ]
    one <- one[one$split %in% Reduce(intersect, split(one$split, one$method)), ]
    error <- sprintf("%.3f |", tapply(one$error, one$method, mean)[methods])
    expect_match(readme, paste(error, collapse = " "), fixed = TRUE, all = FALSE, info = set)
  }
})

test_that("a figure is the same wherever it is said", {
  with_readme()
  expect_says <- function(text, words) {
    for (word in words) expect_match(text, word, fixed = TRUE)
  }
  readme <- text_of("README.md")
  # What the reference BLAS costs.
  for (text in c(readme, text_of("NEWS.md"), text_of("bench", "blas.md"))) {
    expect_says(text, c("0.8 to 1.8 times", "4 to 9 times"))
  }
  # Memory, and the seconds of an example.
  memory <- stored("memory.csv")
  cases <- c("ten folds", "ten folds and three widths", "2000 groups and keep")
  expect_says(readme, sprintf("%.1f", memory$blocks[memory$case %in% cases]))
  folds <- stored("cv-folds.csv")[1, ]
  expect_says(readme, sprintf("%.2f s to fit and %.2f s to cross-validate", folds$fit.seconds,
                              folds$fits * folds$fit.seconds))
  # What refits keep of all rows.
  rows <- stored("all-rows.csv")
  off <- sprintf(ifelse(rows$se < 1, "%.1f", "%.0f"), -rows$percent)
  expect_says(text_of("R", "family-sparserls.R"),
              paste(off[!grepl("noise", rows$data)], "percent"))
  expect_says(readme, paste(off[grepl("normal$|lognormal", rows$data)], "%"))
})

test_that("shares of significant effects of rare levels are those that are stored", {
  lines <- readLines(sources("bench", "effects-rare.txt"))
  # "18.5 (2.7)", percent with the standard error; ways as they are stored.
  share <- function(way, rho = 1.5) {
    line <- grep(sprintf("rho %.1f, %s ", rho, way), lines, fixed = TRUE, value = TRUE)
    rate <- 100 * as.numeric(sub(".* ([0-9.]+) [(].*", "\\1", line))
    se <- 100 * as.numeric(sub(".*[(]([0-9.]+)[)] of.*", "\\1", line))
    sprintf("%s (%s)", format(rate), format(round(se, 1)))
  }
  having <- "rows that have it"
  rows <- data.frame(
    said = c("over all rows", "over the rows that have it", "one width, over all rows",
             "one width, over the rows that have it", "linear kernel, over all rows",
             "over all rows, `x` not related to the level"),
    kernel = c("searched widths", "data-driven width", "linear kernel")[c(1, 1, 2, 2, 3, 1)],
    rows = c("all rows", having)[c(1, 2, 1, 2, 1, 1)], rho = c(1.5, 1.5, 1.5, 1.5, 1.5, 0)
  )
  help <- text_of("R", "effect-derivatives.R")
  for (row in split(rows, seq_len(nrow(rows)))) {
    ways <- sprintf("%s, %s, %s", row$kernel, c("debiased", "plug-in"), row$rows)
    cells <- c(row$said, share(ways[1], row$rho), share(ways[2], row$rho))
    expect_match(help, paste("|", paste(cells, collapse = " | "), "|"), fixed = TRUE)
  }
  expect_match(help, paste("and", share("lm()"), "of [stats::lm()]"), fixed = TRUE)
  says <- function(text, ways) {
    plain <- gsub("(standard error ", "(", text, fixed = TRUE)
    for (way in ways) expect_match(plain, sub(" ", " % ", share(way)), fixed = TRUE, info = way)
  }
  debiased <- paste("searched widths, debiased,", c("all rows", having))
  says(text_of("vignettes", "uncertainty.Rmd"),
       c(debiased, sub("debiased", "plug-in", debiased), "data-driven width, plug-in, all rows",
         "linear kernel, plug-in, all rows"))
})

test_that("the first lines of README work as they are", {
  with_readme()
  skip_if_not_installed("survival")
  blocks <- lapply(chunks("README.md", "^```r$"), `[[`, "code")
  first <- Filter(function(code) code[1] == "library(sparserls)", blocks)[[1]]
  pdf(NULL)
  on.exit(dev.off())
  made <- new.env()
  set.seed(1)
  expect_no_error(suppressMessages(for (line in parse(text = first)) eval(line, made)))
  expect_s3_class(made$cv, "cv.sparserls")
  readme <- readLines(sources("README.md"))
  pictures <- regmatches(readme, regexpr("man/figures/[^\"]+", readme))
  expect_true(all(file.size(sources(pictures)) < 60e3))
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
