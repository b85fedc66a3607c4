test_that("a single period is the exponential model of survreg()", {
  patients <- na.omit(survival::veteran[c("time", "status", "karno", "age")])
  one <- survival::survreg(survival::Surv(time, status) ~ karno + age, patients,
                           dist = "exponential", control = list(rel.tolerance = 1e-12))
  ours <- rls(status ~ karno + age + offset(log(time)), patients, family = "poisson", lambda = 1e-7)
  expect_equal(c(as.matrix(coef(ours))), -unname(coef(one)), tolerance = 1e-6)
})

test_that("the table of the article is the stored one", {
  skip_if_not(file.exists(sources("bench", "survival.txt")), "no sources")
  lines <- readLines(sources("bench", "survival.txt"))
  article <- gsub(" +", " ", readLines(sources("vignettes", "survival.Rmd")))
  cell <- "([0-9.]+ \\([0-9.]+\\))"
  heads <- grep("^[a-z]+: [0-9]+ persons", lines)
  expect_gt(length(heads), 1)
  for (head in heads) {
    rows <- lines[head + 2:6]
    expect_match(rows, paste(cell, cell, sep = " +"))
    for (row in rows) {
      name <- trimws(sub(paste0(cell, ".*"), "", row))
      scores <- sub(paste0(".*?", cell, " +", cell, ".*"), "\\1 | \\2", row)
      expect_match(article, paste("|", name, "|", scores, "|"), fixed = TRUE, all = FALSE,
                   info = paste(lines[head], name))
    }
  }
})
