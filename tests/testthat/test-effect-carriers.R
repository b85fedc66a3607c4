# Noise, with a level in `count` of m rows.
noise <- function(seed, count, m = 40) {
  set.seed(seed)
  f <- factor(c(rep("rare", count), sample(c("u", "v"), m - count, TRUE)), c("u", "v", "rare"))
  data.frame(a = rnorm(m), f = f, y = rnorm(m))
}
quiet <- function(data, ...) suppressMessages(cv.rls(y ~ a + f, data, ..., keep = TRUE))
p_values <- function(effects) with(generics::tidy(effects), setNames(p.value, term))

test_that("a level in two rows has no p-value, and a warning says so", {
  data <- noise(1, 2)
  cv <- quiet(data, lambda = c(0.1, 0.01))
  # Of debiased averages the representers say how many there are.
  for (type in c("debiased", "jackknife", "sandwich")) {
    expect_warning(effects <- derivatives(cv, data, type = type), "frare .about 2[.0-9]* of 40",
                   class = "sparserls_warning_carriers")
    expect_identical(is.na(p_values(effects)), c(a = FALSE, fv = FALSE, frare = TRUE))
    expect_identical(unname(is.na(confint(effects)[, 1])), c(FALSE, FALSE, TRUE))
    expect_true(all(is.finite(effects$std.error)))
  }
  expect_no_warning(gp <- derivatives(cv, data, type = "gp"))
  expect_false(anyNA(p_values(gp)))
  expect_output(print(suppressWarnings(summary(effects))), "no p-values of frare")
  # Where it is the first level all differences from it are.
  data$f <- relevel(data$f, "rare")
  expect_warning(effects <- derivatives(quiet(data, lambda = 0.1), data), "fu.*fv")
  expect_no_warning(derivatives(quiet(noise(1, 6), lambda = 0.1), data))
})

test_that("of several outputs each has its own p-values and intervals", {
  data <- transform(noise(3, 2), z = a + rnorm(40))
  foldid <- rep(1:5, 8)
  both <- suppressWarnings(derivatives(suppressMessages(
    cv.rls(cbind(y, z) ~ a + f, data, lambda = 0.1, foldid = foldid, keep = TRUE)
  ), data))
  one <- lapply(c("y", "z"), function(name) {
    cv <- suppressMessages(cv.rls(reformulate(c("a", "f"), name), data, lambda = 0.1,
                                  foldid = foldid, keep = TRUE))
    suppressWarnings(derivatives(cv, data))
  })
  alone <- do.call(rbind, lapply(one, generics::tidy, conf.int = TRUE))
  expect_equal(generics::tidy(both, conf.int = TRUE)[names(alone)], alone)
  expect_equal(unname(confint(both)), unname(do.call(rbind, lapply(one, confint))))
  expect_identical(is.na(alone$p.value), rep(c(FALSE, FALSE, TRUE), 2))
})

test_that("full kernels, columns, and groups are looked at too", {
  data <- noise(2, 3)
  x <- cbind(a = data$a, one = as.double(data$f == "rare"),
             far = replace(numeric(40), 4:5, c(1, 9)))
  fit <- rls(x, data$y, kernel_gaussian(0.1), 0.1)
  expect_warning(effects <- derivatives(fit, x), "one .about 3.*far .about 1")
  expect_lt(effects$carriers[["a"]], 40)
  groups <- rep(1:20, each = 2)
  treated <- as.double(groups %in% 1:2)
  cv <- suppressMessages(cv.sparserls(cbind(x[, 1], treated), data$y, 10, groups = groups,
                                      keep = TRUE, lambda = c(1, 0.1)))
  expect_warning(derivatives(cv, cbind(x[, 1], treated), type = "jackknife"), "about 2.5 of 20")
})

test_that("what helps: levels can be joined, and rows may be independent", {
  data <- transform(noise(1, 2), one = as.double(f == "rare"), site = rep(1:20, each = 2))
  of <- function(form, ...) suppressMessages(cv.rls(form, data, lambda = 0.1, keep = TRUE, ...))
  effects <- function(...) derivatives(of(...), data, type = "jackknife")
  expect_notes({
    average_effect(of(y ~ a + one), function(d) transform(d, one = 1)) |
      warning_carriers | "meaningless there: see partial_effects(), or take a smaller move"
    effects(y ~ a + one) | warning_carriers | 'about 2.2 of 40 .. there: use type ='
    effects(y ~ a + one, groups = "site") | warning_carriers | "rests on too few groups .. 1.1 of 20 .. there."
    effects(y ~ a + f, groups = "site") | warning_carriers | "frare .. there: join levels."
  })
})

test_that("of a level about the units that have it count, of a normal column a third", {
  codes <- factor(rep(c("u", "v", "w"), c(2, 8, 30)))
  of_levels <- function(...) {
    design <- list(x = cbind(as.double(codes)), codes = list(f = codes))
    carriers(design, rep(1, 40), ...)$levels$f
  }
  expect_equal(of_levels(), c(u = 2, v = 8, w = 30))
  expect_equal(of_levels(rep(1:10, each = 4))[["v"]], 64 / (4 + 16 + 4))
  set.seed(1)
  x <- cbind(rnorm(5000), 1e300 * rnorm(5000), 1, rep(0:1, c(4996, 4)))
  found <- carriers(list(x = x), rep(1, 5000))$columns
  expect_lt(max(abs(found[1:2] / 5000 - 1 / 3)), 0.02)
  expect_identical(found[3], NaN)
  expect_equal(found[4], 4, tolerance = 0.01)
  sparse <- carriers(list(x = as(x[, c(1, 4)], "CsparseMatrix")), rep(1, 5000))$columns
  expect_equal(sparse, found[c(1, 4)])
})

# Far from all others a Gaussian kernel falls back to the mean, and weights are on many rows.
test_that("debiased first differences have no more carriers than rows with a one", {
  set.seed(3)
  x <- cbind(a = rnorm(90), b = rnorm(90), one = rep(1:0, c(2, 88)))
  y <- x[, 1] + 5 * x[, 3] + rnorm(90)
  cv <- suppressMessages(cv.sparserls(x, y, I(1:30), kernel_gaussian(1), c(1, 0.1), keep = TRUE))
  expect_warning(effects <- derivatives(cv, x), "one .about 2")
  expect_gt(effects$representer$size[3], 10)
  expect_identical(is.na(p_values(effects)), c(a = FALSE, b = FALSE, one = TRUE))
})
