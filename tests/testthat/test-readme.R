skip_if_not(file.exists(sources("README.md")), "no sources")
readme <- readLines(sources("README.md"), encoding = "UTF-8")
text <- gsub(" +", " ", paste(readme, collapse = " "))

# Everything of a kind that README names; a pattern has one group.
named <- function(pattern) {
  found <- unlist(regmatches(text, gregexpr(pattern, text, perl = TRUE)))
  unique(sub(pattern, "\\1", found, perl = TRUE))
}
stored <- function(name) stored_table("vignettes", "articles", "stored", name)

test_that("the lines of README print what it shows", {
  local_reproducible_output(width = 80)
  made <- new.env()
  sys.source(sources("tools", "readme.R"), made)
  block <- readme[made$readme_block(readme)]
  expect_gt(length(grep("^#>", block)), 8)
  drawn <- 0
  shown <- made$readme_shown(block, function(call, made) {
    withr::local_pdf(NULL)
    eval(call, made)
    drawn <<- drawn + 1
    NULL
  })
  expect_identical(shown, block)
  expect_identical(drawn, 1)
})

test_that("README can be read in a few minutes, and what it names is there", {
  pictures <- named("img src=\"([^\"]+)\"")
  expect_gt(length(pictures), 0)
  expect_true(all(file.exists(sources(pictures))))
  expect_lt(max(file.size(sources(pictures))), 70e3)
  # Articles that are installed, by their names; targets of make; files next to README.
  articles <- named("vignette\\(\"([^\"]+)\"\\)")
  expect_gt(length(articles), 5)
  expect_true(all(file.exists(sources("vignettes", paste0(articles, ".Rmd")))))
  targets <- named("make ([a-z]+)")
  expect_setequal(intersect(c("demo", "test", "site"), targets), c("demo", "test", "site"))
  for (target in intersect(targets, c("demo", "test", "site", "install"))) {
    expect_match(readLines(sources("Makefile")), paste0("^", target, ":"), all = FALSE)
  }
  files <- named("`([A-Z]+[.]md|LICENSE)`")
  expect_true(all(file.exists(sources(files))))
  expect_identical(named("\\b((?:bench|tests|tools|vignettes|checks)/[a-z])"), character())
  pages <- named("[?]([A-Za-z_.0-9]+)")
  calls <- named("`((?:cv[.]|kernel_|partial_|effect_|sparserls|rls)[a-z0-9_.]*)\\(")
  help <- list.files(sources("man"), "[.]Rd$", full.names = TRUE)
  aliases <- sub("^\\\\alias[{](.*)[}]$", "\\1",
                 grep("^\\\\alias", unlist(lapply(help, readLines)), value = TRUE))
  expect_identical(setdiff(c(pages, calls), c(aliases, "cv.glmnet")), character())
  expect_lt(length(readme), 120)
  expect_lt(length(strsplit(text, "\\s+")[[1]]), 1000)
})

# A function that the article of the comparison defines, in an environment that has what it needs.
article <- Sys.glob(sources("vignettes", c("comparison.Rmd", "articles/comparison.Rmd")))
compared_by <- function(name, ...) {
  for (line in parse(text = unlist(lapply(chunks_of(article), `[[`, "code")))) {
    if (is.call(line) && identical(as.list(line)[1:2], list(as.name("<-"), as.name(name)))) {
      return(eval(line[[3]], list2env(list(...))))
    }
  }
}

test_that("README is ahead, level and behind as the comparison counts", {
  ran <- stored("comparison.csv")
  standing <- compared_by("standing", ran = ran)
  tally <- compared_by("tally")
  first <- stored("first-call.csv")
  first$train <- 4 * first$test
  first_standing <- compared_by("first_standing", standing = standing)
  kind <- compared_by("kind", fresh = compared_by("fresh"))
  sets <- unique(first$set)
  asked <- sets[kind(sets) != "filled"]
  found <- apply(first_standing(asked, compared_by("first_rivals"), first), 2, tally)
  said <- sprintf("%s %s", c("lm", "cv.glmnet", "mgcv", "SVM", "ranger"), found)
  expect_match(text, paste(said, collapse = ", "), fixed = TRUE)
  expect_match(text, sprintf("on %d data sets", length(asked)), fixed = TRUE)
  chosen <- sprintf("our defaults were chosen on %d of them", sum(kind(sets) == "found"))
  expect_match(text, chosen, fixed = TRUE)
  others <- setdiff(ran$set, compared_by("chose"))
  xgboost <- vapply(others, function(set) standing("sparserls default", "xgboost", set)$found, "")
  said <- sprintf("Tuned xgboost on %d other sets: %s", length(others), tally(xgboost))
  expect_match(text, said, fixed = TRUE)
  methods <- c("xgboost", "ranger", "sparserls default")
  for (set in c("spam", "fgl", "pole")) {
    one <- ran[ran$set == set & ran$method %in% methods, ]
    one <- one[one$split %in% Reduce(intersect, split(one$split, one$method)), ]
    error <- sprintf("%.3f |", tapply(one$error, one$method, mean)[methods])
    expect_match(readme, paste(error, collapse = " "), fixed = TRUE, all = FALSE, info = set)
  }
})

test_that("README has the errors that `make demo` prints", {
  code <- parse(sources("tools", "demo.R"))
  table <- Position(function(call) identical(call[[1]], quote(print)), code)
  made <- new.env(parent = globalenv())
  printed <- utils::capture.output(for (call in code[seq_len(table)]) eval(call, made))
  cell <- function(v) if (anyNA(v)) "" else sprintf("%.3f (%.3f)", v[1], v[2])
  for (name in c("10 folds of rows", "leave one patient out", "least squares")) {
    line <- sub(name, "", grep(name, printed, value = TRUE, fixed = TRUE)[1], fixed = TRUE)
    v <- utils::type.convert(strsplit(trimws(line), " +")[[1]], as.is = TRUE)
    row <- gsub(" +", " ", paste("|", name, "|", cell(v[1:2]), "|", cell(v[3:4]), "|"))
    expect_match(readme, row, fixed = TRUE, all = FALSE)
  }
})

test_that("README has the seconds that are stored", {
  lines <- grep("^#", readLines(sources("bench", "seconds.txt")), value = TRUE, invert = TRUE)
  expect_match(lines[1], "^ +300 +1000 +3000 +10000$")
  for (line in lines[-1]) {
    seconds <- as.numeric(tail(strsplit(line, " +")[[1]], 4))
    row <- paste0("| ", paste(vapply(seconds, format, ""), collapse = " | "), " |")
    expect_match(readme, row, fixed = TRUE, all = FALSE)
  }
})

test_that("README and the article say how often partial effects covered the truth", {
  lines <- readLines(sources("bench", "effects-partial.txt"))
  table <- utils::read.table(text = lines[3 + seq_len(match("", lines) - 4)])
  expect_match(lines[3], "pooled_coverage error$")
  coverage <- table[[ncol(table) - 1]]
  range <- sprintf("%.0f to %.0f %%", 100 * min(coverage), 100 * max(coverage))
  article <- paste(readLines(sources("vignettes", "effects.Rmd")), collapse = " ")
  expect_match(text, sprintf("In %d simulated designs", length(coverage)), fixed = TRUE)
  expect_match(article, sprintf("Over %d designs", length(coverage)), fixed = TRUE)
  for (page in c(text, article)) expect_match(page, range, fixed = TRUE)
})
