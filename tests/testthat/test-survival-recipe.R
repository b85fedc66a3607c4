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

test_that("pieces hold all days and all events, each in its period", {
  expect_equal(sum(pieces$time - pieces$from), sum(patients$time))
  expect_equal(sum(pieces$status), sum(patients$status))
  expect_identical(findInterval(pieces$from, c(0, cuts)), as.integer(pieces$period))
})

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
  ours <- rls(status ~ karno + age + offset(log(time)), patients, family = "poisson",
              lambda = 1e-7)
  expect_equal(c(as.matrix(coef(ours))), -unname(coef(one)), tolerance = 1e-6)
})

test_that("folds hold whole persons, and held-out pieces are those of fits without them", {
  set.seed(1)
  cv <- recipe(lambda = c(10, 1), keep = TRUE, standardize = FALSE, certificate = 1e-6)
  of_person <- tapply(cv$foldid, pieces$person, function(fold) length(unique(fold)))
  expect_true(all(of_person == 1))
  expect_setequal(cv$foldid, 1:5)
  out <- cv$foldid == 2
  refit <- rls(model, pieces[!out, ], family = "poisson", lambda = c(10, 1), standardize = FALSE)
  refits <- suppressWarnings(predict(refit, pieces[out, ], type = "link"))
  expect_lt(max(abs(cv$fit.preval[out, ] - refits)), 1e-5 * sd(refits))
})

test_that("curves of the period are hazards of one person, with errors over persons", {
  set.seed(1)
  cv <- recipe(lambda = c(10, 1), keep = TRUE)
  row <- data.frame(patients[3, c("karno", "age")], period = 1, from = 0, time = 1)
  curve <- suppressWarnings(effect_curve(cv, "period", newdata = row, at = 1:4, centre = FALSE,
                                         newoffset = 0))
  at <- transform(row[rep(1, 4), ], period = 1:4)
  expect_equal(unname(c(curve$estimate)),
               unname(c(suppressWarnings(predict(cv, at, newoffset = 0)))), tolerance = 1e-8)
  expect_identical(curve$count, nrow(patients))
  expect_identical(dim(curve$vcov), c(4L, 4L))
  expect_true(all(eigen(curve$vcov)$values > -1e-12 * max(curve$vcov)))
})

sources <- function(...) testthat::test_path("..", "..", ...)

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
