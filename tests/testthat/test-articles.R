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
draws <- function(code) {
  any(grepl("^ *(plot|matplot|plot_estimates|kernel_heatmap|curves|six)\\(", code))
}

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
  for (file in Sys.glob(sources("bench", c("*.txt", "*.md")))) {
    expect_match(readLines(file), "[Cc]ommits? [0-9a-f]{7}", all = FALSE, info = basename(file))
  }
})

# A function that an article defines, in an environment that has what it looks for.
defined_in <- function(article, name, ...) {
  code <- unlist(lapply(chunks(sources("vignettes", article)), `[[`, "code"))
  for (line in parse(text = code)) {
    if (is.call(line) && identical(as.list(line)[1:2], list(as.name("<-"), as.name(name)))) {
      return(eval(line[[3]], list2env(list(...))))
    }
  }
}

test_that("the comparison calls ahead and behind by the corrected resampled t test", {
  noise <- drop(scale(c(3, 1, 4, 1, 5, 9, 2, 6, 5, 3)))        # mean 0, sd 1
  standing <- function(mean_difference, J = 10L) {
    ran <- data.frame(set = "s", method = rep(c("own", "rival"), each = J), split = seq_len(J),
                      error = c(mean_difference + noise[seq_len(J)], rep(0, J)),
                      train = 200, test = 100)
    found <- defined_in("comparison.Rmd", "standing", ran = ran)("own", "rival", "s")
    expect_identical(found$J, J)
    found$found
  }
  bound <- qt(0.975, 9) * sqrt(1 / 10 + 1 / 2)                 # 1.75; by |t| > 2 it were 0.63
  expect_identical(standing(1), "level")
  expect_identical(standing(bound * 1.001), "behind")
  expect_identical(standing(bound * 0.999), "level")
  expect_identical(standing(-bound * 1.001), "ahead")
  expect_identical(standing(1, J = 2L), NA_character_)
})

test_that("sets that had a part in a default are counted as such", {
  chose <- defined_in("comparison.Rmd", "chose")
  stored <- function(name) {
    unique(read.csv(sources("inst", "extdata", name), comment.char = "#")$set)
  }
  expect_true(all(chose %in% stored("comparison.csv")))
  # Those of the table of widths, by their names there.
  lines <- readLines(sources("bench", "widths.txt"))
  by_set <- lines[-seq_len(grep("^By data set", lines) + 1)]
  widths <- sub(" .*", "", by_set)
  names_here <- c(BostonHousing = "Boston", pbc = "pbcseq")
  others <- setdiff(stored("comparison.csv"), chose)
  expect_length(others, 6)
  expect_length(intersect(c(widths, names_here[widths]), others), 0)
  # ames_raw has the houses of ames.
  tables <- sub("_raw$", "", sub(" filled$", "", stored("first-call.csv")))
  expect_setequal(setdiff(tables, widths), character())
})

test_that("README is ahead, level and behind as the articles count", {
  skip_if_not(file.exists(sources("README.md")), "no sources")
  stored <- function(name) {
    d <- read.csv(sources("inst", "extdata", name), comment.char = "#")
    d[!is.na(d$error), ]
  }
  ran <- stored("comparison.csv")
  standing <- defined_in("comparison.Rmd", "standing", ran = ran)
  tally <- defined_in("comparison.Rmd", "tally")
  readme <- readLines(sources("README.md"))
  said <- function(row) {
    cells <- strsplit(grep(row, readme, fixed = TRUE, value = TRUE), "|", fixed = TRUE)[[1]]
    trimws(cells)[3:8]
  }
  first <- stored("first-call.csv")
  first$train <- 4 * first$test
  rivals <- defined_in("comparison.Rmd", "first_rivals")
  first_standing <- defined_in("comparison.Rmd", "first_standing", standing = standing)
  counts <- function(sets) unname(apply(first_standing(sets, rivals, first), 2, tally))
  sets <- unique(first$set)
  filled <- grepl(" filled", sets)
  expect_identical(said(sprintf("| %d tables, first calls |", sum(!filled))),
                   c(counts(sets[!filled]), ""))
  expect_identical(said(sprintf("| %d tables with gaps filled |", sum(filled))),
                   c(counts(sets[filled]), ""))
  others <- setdiff(ran$set, defined_in("comparison.Rmd", "chose"))
  tuned <- c("glmnet lasso", "mgcv", "kernlab ksvm", "ranger", "xgboost")
  found <- vapply(tuned, function(rival) {
    tally(vapply(others, function(set) standing("sparserls default", rival, set)$found, ""))
  }, "")
  expect_identical(said(sprintf("| %d other tables, rivals tuned |", length(others))),
                   c("", unname(found)))
})

test_that("the comparison has splits enough, and our default call", {
  file <- sources("inst", "extdata", "comparison.csv")
  stored <- read.csv(file, comment.char = "#", colClasses = c(note = "character"))
  ran <- stored[!nzchar(stored$note), ]
  expect_false(anyDuplicated(stored[c("set", "method", "split")]) > 0)
  # cv.ardrls() takes long on the larger sets: where it has fewer the article leaves it out.
  quick <- ran[ran$method != "ardrls", ]
  expect_gte(min(table(paste(quick$set, quick$method))), 3)
  expect_setequal(ran$set[ran$method == "sparserls default"], ran$set)
  expect_true(all(is.finite(ran$seconds) & nzchar(ran$version)))
  # Every version of ours has a run of its commit in the head.
  commits <- sub(".* ", "", grep("^sparserls", unique(ran$version), value = TRUE))
  head <- grep("^#", readLines(file), value = TRUE)
  for (commit in commits) expect_match(head, paste("commit", commit), all = FALSE, fixed = TRUE)
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
  # What refits keep of all rows, in README and the help.
  all_rows <- stored("all-rows.csv")
  off <- sprintf(ifelse(all_rows$se < 1, "%.1f", "%.0f"), -all_rows$percent)
  help <- text_of("R", "family-sparserls.R")
  for (row in which(!grepl("noise", all_rows$data))) {
    expect_match(help, paste(off[row], "percent"), fixed = TRUE, info = all_rows$data[row])
  }
  for (row in grep("normal$|lognormal", all_rows$data)) {
    expect_match(readme, paste(off[row], "%"), fixed = TRUE, info = all_rows$data[row])
  }
  folds <- stored("cv-folds.csv")[1, ]
  expect_match(readme, sprintf("%.2f s to fit and %.2f s to cross-validate", folds$fit.seconds,
                               folds$fits * folds$fit.seconds), fixed = TRUE)
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
  percent <- function(way) sub(" ", " % ", share(way))
  having <- "rows that have it"

  help <- text_of("R", "effect-derivatives.R")
  row <- function(what, kernel, rows, ...) {
    ways <- sprintf("%s, %s, %s", kernel, c("debiased", "plug-in"), rows)
    cells <- c(what, share(ways[1], ...), share(ways[2], ...))
    expect_match(help, paste("|", paste(cells, collapse = " | "), "|"), fixed = TRUE)
  }
  row("over all rows", "searched widths", "all rows")
  row("over the rows that have it", "searched widths", having)
  row("one width, over all rows", "data-driven width", "all rows")
  row("one width, over the rows that have it", "data-driven width", having)
  row("linear kernel, over all rows", "linear kernel", "all rows")
  row("over all rows, `x` not related to the level", "searched widths", "all rows", rho = 0)
  expect_match(help, paste("and", share("lm()"), "of [stats::lm()]"), fixed = TRUE)

  says <- function(text, ways) {
    plain <- gsub("(standard error ", "(", text, fixed = TRUE)
    for (way in ways) expect_match(plain, percent(way), fixed = TRUE, info = way)
  }
  debiased <- paste("searched widths, debiased,", c("all rows", having))
  says(text_of("vignettes", "uncertainty.Rmd"),
       c(debiased, sub("debiased", "plug-in", debiased), "data-driven width, plug-in, all rows",
         "linear kernel, plug-in, all rows"))
  skip_if_not(file.exists(sources("README.md")), "no sources")
  says(text_of("README.md"), c(debiased, "linear kernel, debiased, all rows"))
})

# Code blocks in R of a page in markdown.
blocks_of <- function(file) {
  lines <- readLines(sources(file))
  starts <- which(lines == "```r")
  lapply(starts, function(start) {
    lines[seq(start + 1, length.out = match("```", lines[-seq_len(start)]) - 1)]
  })
}

test_that("the first lines of README work as they are", {
  skip_if_not(file.exists(sources("README.md")), "no sources")
  skip_if_not_installed("survival")
  first <- Filter(function(block) block[1] == "library(sparserls)", blocks_of("README.md"))[[1]]
  drawn <- tempfile(fileext = ".pdf")
  on.exit(unlink(drawn))
  pdf(drawn)
  made <- new.env()
  set.seed(1)
  expect_no_error(suppressMessages(for (line in parse(text = first)) eval(line, made)))
  dev.off()
  expect_s3_class(made$cv, "cv.sparserls")
  pictures <- regmatches(readLines(sources("README.md")),
                         regexpr("man/figures/[^\"]+", readLines(sources("README.md"))))
  expect_length(pictures, 2)
  expect_true(all(file.size(sources(pictures)) < 60e3))
})

test_that("README says where trees are better as the comparison has it", {
  skip_if_not(file.exists(sources("README.md")), "no sources")
  readme <- readLines(sources("README.md"))
  stored <- read.csv(sources("inst", "extdata", "comparison.csv"), comment.char = "#",
                     colClasses = c(note = "character"))
  methods <- c("xgboost", "ranger", "sparserls default")
  for (set in c("spam", "fgl", "pole")) {
    ran <- stored[stored$set == set & stored$method %in% methods & !nzchar(stored$note), ]
    ran <- ran[ran$split %in% Reduce(intersect, split(ran$split, ran$method)), ]
    expect_length(unique(ran$split), 3)
    error <- tapply(ran$error, ran$method, mean)[methods]
    expect_match(readme, paste0(paste(sprintf("%.3f", error), collapse = " | "), " |"),
                 fixed = TRUE, all = FALSE, info = set)
  }
})

# What an article reads from a file beside it.
beside <- function(file) {
  made <- new.env()
  sys.source(sources("vignettes", file), made)
  made
}

test_that("simulated parses are biased as in the paper by three ways to treat a basis vector", {
  simulate <- beside("parses.R")$simulate_parses
  set.seed(3)
  d <- simulate(test_parses = 5)
  set.seed(3)
  expect_identical(simulate(test_parses = 5), d)
  expect_identical(dim(d$train$x), c(length(d$train$y), 60000L))
  first <- which(!duplicated(d$train$sentence))
  # Values within sentences are about three times those between them.
  k <- kernel_matrix(kernel_linear(), d$train$x, d$train$x[first, ])
  own <- outer(d$train$sentence, d$train$sentence[first], "==")
  k[cbind(first, seq_along(first))] <- NA
  expect_equal(mean(k[own], na.rm = TRUE) / mean(k[!own], na.rm = TRUE), 3, tolerance = 0.15)
  lambda <- 2^c(10, 5, 0, -5)
  run <- function(holdout_basis) {
    cv.sparserls(d$train$x, d$train$y, first, kernel_linear(), lambda, intercept = FALSE,
                 standardize = FALSE, groups = d$train$sentence, holdout_basis = holdout_basis,
                 progress = FALSE)
  }
  removed <- run("remove")
  test <- colMeans((d$test$y - predict(removed, d$test$x, s = lambda))^2)
  expect_lt(max(abs(removed$cvm / test - 1)), 0.15)
  expect_lt(max((run("keep_loss")$cvm / test)[2:4]), 0.75)
  expect_gt(min((run("keep")$cvm / test)[3:4]), 1.75)
})

test_that("the files of fourteen cancers become patients, and simulated ones can be told apart", {
  cancers <- beside("cancer14.R")
  folder <- withr::local_tempdir()
  set.seed(3)
  data <- cancers$simulate_cancer14(200, 10)
  for (name in c("train", "test")) {
    file <- function(kind) file.path(folder, paste0("14cancer.", kind, name))
    write.table(t(data[[name]]$x), file("x"), row.names = FALSE, col.names = FALSE)
    writeLines(paste(as.integer(data[[name]]$y), collapse = " "), file("y"))
  }
  expect_equal(cancers$cancer14(folder, genes = 200L), data)
  expect_error(cancers$cancer14(folder), "genes")
  expect_error(cancers$cancer14(withr::local_tempdir(), fetch = FALSE), "is not there")
  standard <- function(x) t(scale(t(x)))
  cv <- cv.rls2(standard(data$train$x), data$train$y, scaling = "fisher", standardize = FALSE,
                nfolds = 8, strata = data$train$y, nlambda = 20)
  wrong <- predict(cv, standard(data$test$x), type = "class") != data$test$y
  expect_lt(mean(wrong), 0.5)
})

test_that("estimates are means and variances over repetitions", {
  curves <- matrix(c(3, 1, 2, 4, 2, 2), 2, byrow = TRUE)
  found <- beside("estimates.R")$cv_estimates(a = curves, b = 1:3, lambda = c(4, 2, 1))
  expect_equal(found$mean, c(colMeans(curves), 1:3))
  expect_equal(found$variance, c(0.5, 0.5, 0, NA, NA, NA))
  expect_identical(found$repetitions, rep(2:1, each = 3))
})
