spread <- function(v, w) sqrt(weighted.mean((v - weighted.mean(v, w))^2, w))

random_effects <- function(seed) {
  set.seed(seed)
  m <- 60
  data <- data.frame(u = rnorm(m), v = runif(m), one = rbinom(m, 1, 0.4),
                     f = factor(sample(c("low", "mid", "top"), m, TRUE)))
  data$v <- 100 * (data$v + data$u / 2)
  data$y <- data$u + data$one + rnorm(m)
  w <- replace(runif(m, 0.5, 2), 1:2, 0)
  cv <- quiet(cv.sparserls(y ~ ., data, basis = 20, keep = TRUE, weights = w,
                           foldid = rep_len(1:5, m)))
  list(data = data, w = w, cv = cv)
}

test_that("before are correlations and differences of means, after weighted sums less targets", {
  for (seed in 1:3) {
    case <- random_effects(seed)
    w <- case$w / sum(case$w)
    effects <- suppressWarnings(derivatives(case$cv))
    found <- balance(effects)
    expect_identical(unique(found$term), c("u", "v", "one", "fmid", "ftop"))
    for (row in seq_len(nrow(found))) {
      t <- effects$x[, found$term[row]]
      l <- effects$x[, found$feature[row]]
      own <- found$term[row] == found$feature[row]
      at <- match(found$term[row], names(effects$difference))
      level <- found$term[row] %in% c("one", "fmid", "ftop")
      mean_of <- function(value) weighted.mean(l[t == value], w[t == value])
      without <- if (level) mean_of(1) - mean_of(0)
                 else spread(t, w) * coef(lm(l ~ t, weights = w))[["t"]]
      unit <- if (level) 1 else spread(t, w)
      expect_equal(found$before[row], (without - own * unit) / spread(l, w))
      sums <- sum(w * effects$representer$weights[, at] * (l - weighted.mean(l, w)))
      expect_equal(found$after[row], (sums - own) * unit / spread(l, w))
    }
  }
})

test_that("of moved rows targets are by how much they move", {
  case <- random_effects(4)
  w <- case$w / sum(case$w)
  moves <- list(up = function(d) transform(d, u = u + one),
                mid = function(d) transform(d, f = "mid"))
  moved <- suppressWarnings(average_effect(case$cv, moves, by = "one"))
  found <- balance(moved)
  x <- moved$x
  mid <- (1 - x[, "fmid"])
  share <- lapply(0:1, function(value) w * (x[, "one"] == value) / sum(w[x[, "one"] == value]))
  target <- c(0, sum(share[[1]] * mid), 1, sum(share[[2]] * mid))
  feature <- rep(c("u", "fmid"), 2)
  for (j in 1:4) {
    row <- found[found$term == colnames(moved$derivatives)[j] & found$feature == feature[j], ]
    l <- x[, feature[j]]
    expect_equal(row$before, -target[j] / spread(l, w))
    sums <- sum(w * moved$representer$weights[, j] * (l - weighted.mean(l, w)))
    expect_equal(row$after, (sums - target[j]) / spread(l, w))
  }
})

test_that("constant features have no balance, columns without names numbers", {
  set.seed(1)
  x <- cbind(rnorm(40), 1, rnorm(40))
  cv <- quiet(cv.rls(x, x[, 1] + rnorm(40), lambda = 1, nfolds = 5, keep = TRUE))
  effects <- suppressWarnings(derivatives(cv, x))
  found <- balance(effects)
  constant <- names(effects$difference)[2]
  expect_identical(is.na(found$after), found$term == constant | found$feature == constant)
  expect_identical(is.na(found$before), is.na(found$after))
  moved <- average_effect(cv, function(d) d + 1, newdata = x)
  expect_identical(is.na(balance(moved)$before), c(FALSE, TRUE, FALSE))
})

test_that("what has no weights is refused", {
  case <- random_effects(1)
  plain <- suppressWarnings(derivatives(case$cv, type = "jackknife"))
  moved <- average_effect(case$cv, function(d) transform(d, u = u + 1))
  expect_refusals({
    balance(case$cv) | argument | "`x` must be a result of derivatives(), average_effect()"
    balance(plain) | argument | 'These effects have no .. type "jackknife" .. Debiased effects'
    plot(moved, "against") | argument | "no feature of their own to be drawn against"
  })
})
test_that("a verdict names terms whose weights rest on few rows, and takes the stars", {
  set.seed(1)
  x <- matrix(rnorm(2400), 600)
  t <- factor(ifelse(rank(-x[, 1] + rnorm(600, 0, 1.5)) <= 18, "rare", "common"))
  d <- data.frame(y = 2 * x[, 1] + x[, 2] * x[, 3] + rnorm(600) / 2, x, t)
  found <- derivatives(cv.sparserls(y ~ ., d, basis = 200, keep = TRUE))
  verdicts <- effect_verdicts(found)
  few <- verdicts$`weights rest on less than a tenth of the rows`
  expect_identical(unname(few), unname(found$representer$size < 60))
  expect_identical(unname(few), c(FALSE, FALSE, FALSE, FALSE, TRUE))
  printed <- capture.output(print(summary(found)))
  expect_match(printed, "trare", all = FALSE)
  expect_match(printed, "see partial_effects()", all = FALSE, fixed = TRUE)
  expect_false(any(grepl("Signif. codes", printed)))
})

test_that("balance and the distance from the plug-in are compared with their own sampling errors", {
  set.seed(3)
  x <- matrix(rnorm(600), 200)
  d <- data.frame(y = x[, 1] + rnorm(200), x)
  found <- derivatives(cv.sparserls(y ~ ., d, basis = 40, keep = TRUE))
  expect_false(any(unlist(effect_verdicts(found))))
  expect_output(print(summary(found)), "Signif. codes")
  after <- balance(found)
  level <- sqrt(colSums((found$representer$share * found$representer$weights)^2)) *
    apply(x, 2, function(v) sqrt(mean((v - mean(v))^2)))
  worst <- tapply(abs(after$after), factor(after$term, unique(after$term)), max)
  moved <- found
  moved$representer$weights[, 2] <- 3 * moved$representer$weights[, 2]
  expect_true(effect_verdicts(moved)[[1]][[2]])
  expect_true(all(worst < 0.1 + qnorm(1 - 0.025 / 3) * level))
  far <- found
  far$plugin[1] <- found$average[1] + 2.1 * found$std.error[1]
  expect_identical(unname(effect_verdicts(far)[[3]]), c(TRUE, FALSE, FALSE))
  set.seed(7)
  x <- (matrix(rnorm(6000), 200) + rnorm(200)) / sqrt(2)
  d <- data.frame(y = x[, 1] + sin(2 * x[, 2]) + rnorm(200), x)
  found <- derivatives(cv.sparserls(y ~ ., d, keep = TRUE))
  expect_lt(mean(effect_verdicts(found)[[1]]), 0.1)
})

test_that("balance prints what is furthest off, and is drawn as effects draw it", {
  effects <- suppressWarnings(derivatives(random_effects(1)$cv))
  found <- balance(effects)
  lines <- capture.output(print(found))
  known <- na.omit(found$after)
  expect_match(lines[2], sprintf("^%d of %d are beyond 0.1", sum(abs(known) > 0.1), length(known)))
  worst <- found[which.max(abs(found$after)), ]
  expect_match(lines[5], paste0(worst$term, " +", worst$feature, ".* ", round(worst$after, 2), "$"))
  figure <- effects_figure(effects, "weights", "u", 1)
  expect_identical(weights_figure(found, "u")$panels, figure$panels)
  expect_refusals(plot(found, terms = "nobody") | argument | "`terms` must name the terms")
  # Rows of it are some, too.
  withr::local_pdf(NULL)
  expect_silent(plot(subset(found, term == "v")))
})
