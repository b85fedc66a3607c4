hands_data <- function(m = 120) {
  set.seed(11)
  data <- data.frame(x1 = rnorm(m), x2 = runif(m), f = sample(5, m, TRUE), id = seq_len(m))
  data$lev <- sample(c("a", "b", "c"), m, TRUE)
  data$lev[1:40] <- "a"
  data$fac <- factor(data$lev)
  data$y <- sin(2 * data$x1) + data$x2 + rnorm(m) / 4
  data
}

hands_chunks <- function(data, ...) as_chunks(data, split(1:120, rep(1:3, each = 40)), ...)

expect_hands_same <- function(form, data, chunks = hands_chunks(data)) {
  compared <- both_ways(data, NULL, chunks = chunks, size = 8, list(
    form, kernel = kernel_gaussian(width_multiples(1)), lambda = c(10, 1, 0.1), foldid = quote(f),
    progress = FALSE
  ))
  expect_false(is.null(compared))
}

test_that("terms are functions of columns, and factors may be made in the formula", {
  data <- hands_data()
  for (form in list(y ~ log(x2) + I(x1^2), y ~ cos(x1), y ~ factor(f) + x1, y ~ ordered(lev),
                    y ~ cut(x1, c(-9, 0, 9)) + x2, y ~ (x1 > 0) + x2, y ~ x1 * factor(lev),
                    y ~ addNA(fac), y ~ pmin(x1, x2))) {
    expect_hands_same(form, data)
  }
})

test_that("columns that are factors with other levels in every chunk, and columns of any size", {
  data <- hands_data()
  chunks <- hands_chunks(data, change = droplevels)
  for (form in list(y ~ fac + x1, y ~ as.integer(fac) + x1, y ~ (fac == "b") + x1)) {
    expect_hands_same(form, data, chunks)
  }
  for (size in c(1e-25, 1e25)) {
    data$z <- data$x1 * size
    expect_hands_same(y ~ z + x2, data)
  }
})

test_that("a large mean of y takes no digits", {
  data <- hands_data()
  large <- transform(data, y = y + 2^33)
  data$y <- large$y - 2^33
  cv <- lapply(list(data, large), function(data) {
    quiet(cv.rls(y ~ x1 + x2, hands_chunks(data), foldid = f, lambda = c(10, 1), progress = FALSE))
  })
  expect_equal(cv[[1]]$cvm, cv[[2]]$cvm, tolerance = 1e-12)
})

test_that("chunks may hold nothing but basis vectors", {
  data <- hands_data()[1:9, ]
  for (mode in c("remove", "keep", "keep_loss", "skip")) {
    cv <- quiet(cv.sparserls(y ~ x1 + x2, as_chunks(data, as.list(1:9)), basis = 5,
                             nfolds = "loo", holdout_basis = mode, lambda = c(1, 0.1),
                             keep = tempfile(), progress = FALSE))
    memory <- quiet(cv.sparserls(y ~ x1 + x2, data, basis = I(cv$fit$basis), nfolds = "loo",
                                 holdout_basis = mode, lambda = c(1, 0.1), kernel = cv$kernel,
                                 keep = TRUE))
    expect_equal(cv$cvm, memory$cvm, tolerance = 1e-7)
    held <- lapply(cv$predictions, readRDS)
    expect_equal(lengths(lapply(held, `[[`, "row")), as.integer(!is.na(memory$fit.preval[, 1])))
  }
})

# Entries "n/a" among the numbers of the first chunk: its look says so, as in memory.

set.seed(41)
field <- data.frame(x = round(rnorm(900), 3), z = round(rnorm(900), 3), y = round(rnorm(900), 3))

# Chunks of about 300 rows, some columns written with entries of text.
chunks_with <- function(..., sep = ",") {
  d <- replace(field, names(list(...)), list(...))
  chunks_files(write_bytes(text_lines(d, sep)), rows = 300)
}
with_gaps <- function(x, at = c(40, 51), entry = "n/a") replace(as.character(x), at, entry)
survey <- function(form, chunks) invisible(chunks_survey(form, chunks, progress = FALSE))

test_that("a predictor that a few entries have turned into text is named", {
  skip_if_not_installed("data.table")
  gaps <- with_gaps(field$x)
  expect_notes({
    survey(y ~ x + z, chunks_with(x = gaps)) | message | "`x` is numeric except for \"n/a\": read"
    survey(y ~ x + z, chunks_with(x = chartr(".", ",", gaps), sep = ";")) | message |
      "`x` is numeric except for \"n/a\""
    survey(y ~ x, chunks_function(3, function(i) data.frame(x = c(1:29, "none"), y = i + 1:30))) |
      message | "`x` is numeric except for \"none\""
  })
  expect_silent(survey(y ~ z, chunks_with(x = gaps)))
  expect_silent(survey(y ~ x + z, chunks_with()))
})

test_that("of the response it is an error, as in memory", {
  skip_if_not_installed("data.table")
  expect_refusals({
    survey(y ~ x + z, chunks_with(y = with_gaps(field$y))) | y | "`y` must be numeric (a vector"
    sparserls(y ~ x + z, transform(field, y = with_gaps(y)), basis = 5) | y | "`y` must be numeric"
  })
})
