# The recipe of the article survival: pieces of follow-up, a Poisson likelihood with the logarithm
# of their lengths as offset, and folds that hold whole persons.
skip_if_not_installed("survival")

patients <- na.omit(survival::veteran[c("time", "status", "karno", "age")])
patients$person <- seq_len(nrow(patients))
cuts <- unname(quantile(patients$time[patients$status == 1], c(0.25, 0.5, 0.75)))
Surv <- survival::Surv # survSplit() wants it by this name
pieces <- survival::survSplit(Surv(time, status) ~ ., patients, cut = cuts,
                              start = "from", episode = "period")
model <- status ~ karno + age + period + offset(log(time - from))
recipe <- function(...) {
  cv.rls(model, pieces, family = "poisson", groups = person, nfolds = 5, progress = FALSE, ...)
}

test_that("with hardly any penalty the hazards are those of glm()", {
  theirs <- glm(model, poisson, pieces)
  ours <- recipe(lambda = 1e-7)
  expect_equal(c(as.matrix(coef(ours))), unname(coef(theirs)), tolerance = 1e-6)
  new <- data.frame(patients[rep(3, 4), c("karno", "age")], period = 1:4, from = 0, time = 1)
  hazard <- unname(c(suppressWarnings(predict(ours, new, newoffset = 0))))
  expect_equal(hazard, unname(predict(theirs, new, type = "response")), tolerance = 1e-6)
})

test_that("a single period is the exponential model of survreg()", {
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
