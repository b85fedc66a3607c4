some_rows <- function(m = 90) {
  set.seed(5)
  d <- data.frame(id = sprintf("r%d", seq_len(m)), x1 = rnorm(m), x2 = runif(m),
                  f = factor(sample(c("u", "v", "w"), m, TRUE)))
  d$y <- sin(d$x1) + rnorm(m) / 4
  d$z <- d$x2 + rnorm(m) / 4
  d$cl <- factor(ifelse(d$y > 0, "up", "down"))
  d$cl3 <- cut(d$y, c(-Inf, -0.5, 0.5, Inf), c("low", "mid", "high"))
  d
}

rows <- some_rows()
new <- some_rows(31)[-5]
new$x1[7] <- NA
cut_rows <- function(d, n = 4, key = NULL) {
  place <- sort(rep_len(seq_len(n), nrow(d)))
  chunks_function(n, function(i) {
    some <- d[place == i, ]
    some$f <- as.character(some$f)
    some[rev(names(some))]
  }, key = key)
}
new_chunks <- cut_rows(new)

x <- as.matrix(rows[c("x1", "x2")])
cv <- quiet(cv.sparserls(y ~ x1 + x2 + f, rows, 20, kernel_gaussian(0.3), nfolds = 5, keep = TRUE))
cases <- list(
  path = list(cv$fit),
  points = list(cv$fit, s = c(a = 1, b = 0.1)),
  cv = list(cv),
  jackknife = list(cv, interval = "jackknife+"),
  gp = list(cv, interval = "gp", se.fit = TRUE),
  se = list(cv$fit, s = c(1, 0.1), se.fit = TRUE),
  outputs = list(quiet(cv.rls(cbind(a = y, b = z) ~ x1 + f, rows, nfolds = 5)),
                 s = c("lambda.min", "lambda.1se")),
  outputs_fit = list(rls(cbind(y, z) ~ x1 + f, rows, lambda = c(1, 0.1))),
  class = list(quiet(cv.rls(cl ~ x1 + f, rows, nfolds = 5)), type = "class"),
  classes = list(quiet(cv.rls(cl3 ~ x1 + f, rows, nfolds = 5)), type = "class",
                 s = c("lambda.min", "lambda.1se")),
  prob = list(quiet(cv.rls(cl3 ~ x1 + f, rows, nfolds = 5)), type = "prob"),
  matrix = list(rls(x, rows$y, lambda = c(1, 0.1))),
  rls2 = list(rls2(y ~ x1 + x2, rows, lambda = 1)),
  greedy = list(greedyrls(y ~ x1 + x2 + f, rows, k = 2), k = 1:2),
  cv_greedy = list(quiet(cv.greedyrls(y ~ x1 + x2 + f, rows, k = 2, nfolds = 5)), se.fit = TRUE),
  widths = list(quiet(ardrls(y ~ x1 + x2, rows, basis = 10, penalty = c(Inf, 1), maxit = 3))),
  cv_widths = list(quiet(cv.ardrls(y ~ x1 + x2, rows, basis = 10, penalty = c(Inf, 1), maxit = 3,
                                   outer = 2))),
  chunks = list(quiet(cv.sparserls(y ~ x1 + x2 + f, cut_rows(rows), 20, kernel_gaussian(0.3),
                                   nfolds = 5, progress = FALSE)))
)

without_rows <- function(x) {
  if (is.list(x) && !is.data.frame(x)) return(lapply(x, without_rows))
  if (is.array(x)) dimnames(x)[1] <- list(NULL)
  else if (is.numeric(x)) x <- unname(x)
  if (is.data.frame(x)) rownames(x) <- NULL
  x
}

test_that("predictions are those of the rows in memory; files have them with the key", {
  file <- withr::local_tempfile(fileext = ".csv")
  for (name in names(cases)) {
    case <- cases[[name]]
    of <- function(new, ...) do.call(predict, c(case[1], list(new), case[-1], ...))
    expected <- of(new)
    expect_equal(of(new_chunks), without_rows(expected), tolerance = 1e-11, info = name)
    expect_identical(of(new_chunks, file = file), file)
    found <- utils::read.csv(file, check.names = FALSE)
    numbers <- vapply(found, is.numeric, NA)
    expect_equal(nrow(found), nrow(new), info = name)
    if (any(numbers)) expect_equal(unlist(found[numbers], use.names = FALSE),
                                   as.vector(unlist(expected)), tolerance = 1e-11, info = name)
    expected <- if (is.data.frame(expected)) lapply(expected, as.character) else list(expected)
    if (!all(numbers)) expect_identical(unlist(found, use.names = FALSE),
                                        as.character(unlist(lapply(expected, as.character))))
    unlink(file)
  }
  predict(cv, cut_rows(new, key = "id"), file = file)
  expect_identical(utils::read.csv(file)$id, new$id)
  unlink(file)
  outputs <- do.call(predict, c(cases$outputs, list(newdata = new_chunks, file = file)))
  expect_named(utils::read.csv(file), c("a.lambda.min", "b.lambda.min", "a.lambda.1se",
                                        "b.lambda.1se"))
})

test_that("what chunks cannot be predicted, or not written", {
  withr::local_dir(withr::local_tempdir())
  odd <- new
  odd$f <- as.character(odd$f)
  odd$f[20] <- "k"
  file.create("there.csv")
  expect_refusals({
    predict(cv, cut_rows(new[setdiff(names(new), "x2")])) | newdata | "`newdata` lacks columns that"
    predict(cv, cut_rows(odd)) | newdata | "Column `f` of `newdata` has levels the model .. \"k\""
    predict(cv, cut_rows(transform(new, x2 = "a"))) | newdata | "`newdata` does not fit the model."
    predict(cv, new_chunks, file = "there.csv") | argument | "The `file` exists .. there.csv"
    predict(cv, new_chunks, file = "no/folder.csv") | argument | "could not be written"
    predict(cv, new_chunks, file = 1) | argument | "`file` must be the name of a file. .. 1"
    predict(cv, new, file = "new.csv") | argument | "`file` is for `newdata` in .. \"new.csv\""
    predict(cv, new_chunks, type = "prob") | argument | "`type = \"prob\"` needs .. chunk 1 of `f`"
  })
  expect_identical(list.files(), "there.csv")
})

test_that("predictions do not become data of the folder that was read", {
  skip_if_not_installed("data.table")
  withr::local_dir(withr::local_tempdir())
  dir.create("data")
  for (i in 1:2) write.csv(new[i + 7:9, ], file.path("data", paste0(i, ".csv")), row.names = FALSE)
  expect_refusals(predict(cv, chunks_files("data"), file = "data/new.csv") |
                    argument | "The folder of `file` is the source of the chunks .. data")
  expect_identical(list.files("data"), c("1.csv", "2.csv"))
})

test_that("the name of a written file is invisible, and no less for a fit", {
  withr::local_dir(withr::local_tempdir())
  expect_invisible(predict(cv, new_chunks, file = "cv.csv"))
  expect_identical(expect_invisible(predict(final_fit(cv), new_chunks, file = "fit.csv", s = 1)),
                   "fit.csv")
})
