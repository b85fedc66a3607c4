# Every entry of the table of losses (R/loss.R) against its object of stats, and against the core's.

test_that("every loss is that of its family, convex, with the link of its mean", {
  for (name in names(loss_table)) {
    entry <- loss_table[[name]]
    theirs <- entry$stats(1.7)
    family <- read_family(theirs)
    expect_identical(family$name, name)
    if (entry$named) expect_identical(read_family(theirs$family)$name, name)
    expect_identical(theirs$link, family$link)
    eta <- seq(-4, 4, length.out = 33)
    mean <- family_mean(family, eta)
    expect_equal(mean, theirs$linkinv(eta), tolerance = 1e-12)
    expect_equal(family_rate(family, eta), theirs$mu.eta(eta), tolerance = 1e-12)
    expect_equal(exp(family_log_mean(family, eta)), mean, tolerance = 1e-12)
    expect_equal(family_link(family, mean), eta, tolerance = 1e-12)
    h <- 1e-5
    slope <- function(f) (f(eta + h) - f(eta - h)) / (2 * h)
    expect_equal(family_bend(family, eta), slope(function(eta) family_rate(family, eta)),
                 tolerance = 1e-8)
    # Where y may be, at an end of its range only if that is closed.
    # (Of y between 0 and 1 MASS has no deviance.)
    inside <- if (is.finite(entry$range[2])) c(0.01, 0.3, 0.8) else c(1, 2.5, 40)
    expect_true(all(is_in_range(family, inside)))
    ends <- entry$range[is.finite(entry$range)]
    expect_identical(is_in_range(family, ends), rep(entry$closed, length(ends)))
    for (y in c(inside, if (entry$closed) ends)) {
      y <- rep(y, length(eta))
      at <- loss_values(family, y, eta)
      expect_equal(at$deviance, theirs$dev.resids(y, mean, rep(1, length(y))), tolerance = 1e-8)
      of <- function(what) function(eta) loss_values(family, y, eta)[[what]]
      expect_equal(2 * at$score, slope(of("deviance")), tolerance = 1e-7)
      expect_equal(at$weight, slope(of("score")), tolerance = 1e-7)
      # What bounds of held-out refits rest on (src/loss.h).
      expect_true(all(at$weight >= 0))
      expect_true(all(abs(slope(of("weight"))) <= at$weight * (1 + 1e-6) + 1e-12))
    }
  }
})
