set.seed(31)
field <- data.frame(id = sprintf("p%02d", 1:40), day = as.character(as.Date("2020-01-01") + 1:40),
                    site = rep(sprintf("s%02d", 1:25), length.out = 40), a = rnorm(40),
                    dose = replace(as.character(rep(1:4, 10)), c(3, 20), c("n/a", "")),
                    y = rnorm(40))
fit <- function(form, data = field, ...) sparserls(form, data, basis = 1:5, lambda = 1, ...)

test_that("columns that name the rows, and spoilt numbers, are said once", {
  expect_notes({
    f <- fit(y ~ a + id) | message | "`id` has 40 levels in 40 rows: leave it out if it only names"
    f <- fit(y ~ .) | message | "`id` has 40 levels .. `day` has 40 levels .. `dose` is numeric"
    f <- fit(y ~ a + dose) | message | '`dose` is numeric except for "n/a", "": read it with'
    f <- sparserls(y ~ a + factor(id), field, subset = 1:30, basis = 1:5, lambda = 1) |
      message | "`factor(id)` has 30 levels in 30 rows: leave it out if it only names the rows"
    f <- sparserls(field[c("id", "a", "dose")], field$y, basis = 1:5, lambda = 1) |
      message | "`id` has 40 levels in 40 rows: leave it out if it .. `dose` is numeric except"
    f <- rls(y ~ a + id, na_level(transform(field, id = replace(id, 1:2, NA))), lambda = 1) |
      message | "`id` has 38 levels in 40 rows: leave it out if it only names the rows"
  })
})

test_that("what is meant as it is, is not", {
  expect_silent(fit(y ~ a))
  expect_silent(fit(y ~ a, transform(field, y = factor(y > 0))))
  # Half of the rows, 20 rows, ranks.
  expect_silent(fit(y ~ a + id, transform(field, id = rep(1:20, 2))))
  expect_silent(fit(y ~ a + f, transform(field, f = factor(rep(1:20, 2)))))
  expect_silent(fit(y ~ a + id + dose, field[1:20, ]))
  expect_silent(fit(y ~ a + r, transform(field, r = factor(1:40, ordered = TRUE))))
  # Numbers as text, an open class, a factor, and too many entries.
  expect_silent(fit(y ~ a + dose, transform(field, dose = rep(1:4, 10))))
  for (text in list(as.character(rep(1:4, 10)), rep(c(1:9, "10+"), 4), factor(field$dose),
                    replace(field$dose, 4:12, "n/a"))) {
    expect_silent(fit(y ~ a + dose, transform(field, dose = text)))
  }
})
