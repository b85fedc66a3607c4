# Our own dense algebra (src/product*.c) against sums in extended precision, within the bounds that
# the mathematics has for it (Higham 2002, Accuracy and Stability of Numerical Algorithms), with all
# instructions that this machine has.

namespace <- asNamespace("sparserls")
u <- .Machine$double.eps / 2
# The bound of k roundings. References are sums in R's long double of products that are rounded
# once; where it has none they are as wrong as what they are held against.
gamma_of <- function(k) (1 + !capabilities("long.double")) * (k + 2) * u / (1 - (k + 2) * u)

use <- function(blas, instructions = "") {
  options(sparserls.blas = blas, sparserls.instructions = instructions)
  namespace$use_blas()
}

# Runs code with the package's own products, once for each set of instructions.
with_each <- function(code) {
  code <- substitute(code)
  at <- parent.frame()
  old <- options(sparserls.blas = NULL, sparserls.instructions = NULL)
  on.exit({
    options(old)
    namespace$use_blas()
  })
  for (set in c("plain", "avx2", "avx512")) {
    found <- .Call(namespace$ffi_use_products, TRUE, set)
    if (is.na(found)) next
    expect_identical(found, set)
    use("own", set)
    eval(code, at)
  }
}

algebra <- function(routine, letters = "NN", m = 0, n = 0, k = 0, alpha = 1, beta = 0,
                    a = matrix(0, 0, 0), b = matrix(0, 0, 0), c = matrix(0, 0, 0)) {
  .Call(namespace$ffi_algebra, routine, letters, as.integer(c(m, n, k)), c(alpha, beta), a, b, c)
}
plain <- function(x) {
  attr(x, "status") <- NULL
  x
}

op <- function(trans, a) if (trans == "T") t(a) else a
times <- function(a, b) {
  out <- vapply(seq_len(ncol(b)), function(j) colSums(t(a) * b[, j]), numeric(nrow(a)))
  matrix(out, nrow(a), ncol(b))
}
lower <- function(a) a * lower.tri(a, TRUE)

# Random, graded over 16 orders of magnitude, and such that everything cancels.
draw <- function(rows, columns, kind = "random") {
  a <- matrix(rnorm(rows * columns), rows, columns)
  if (kind == "graded") a <- a * 10^runif(rows, -8, 8)
  a
}
draw_pair <- function(m, n, k, kind) {
  a <- draw(m, k, kind)
  b <- t(draw(n, k, kind))
  twice <- seq_len(k %/% 2)
  if (kind == "cancelling") {
    a[, k %/% 2 + twice] <- a[, twice] * (1 + 1e-12)
    b[k %/% 2 + twice, ] <- -b[twice, ]
  }
  list(a = a, b = b)
}

# a over the head of a matrix with more rows and columns, which are not to be read or written.
padded <- function(a, by) {
  out <- matrix(NaN, nrow(a) + by, ncol(a) + by)
  out[seq_len(nrow(a)), seq_len(ncol(a))] <- a
  out
}
head_of <- function(a, m, n) plain(a)[seq_len(m), seq_len(n), drop = FALSE]
expect_untouched <- function(after, before, m, n) {
  after[seq_len(m), seq_len(n)] <- 0
  before[seq_len(m), seq_len(n)] <- 0
  expect_identical(plain(after), before)
}

expect_product <- function(m, n, k, trans, alpha, beta, kind, by) {
  pair <- draw_pair(m, n, k, kind)
  c <- draw(m, n)
  before <- padded(if (beta == 0) c * NaN else c, by)
  got <- algebra("gemm", paste(trans, collapse = ""), m, n, k, alpha, beta,
                 padded(op(trans[1], pair$a), by), padded(op(trans[2], pair$b), by), before)
  bound <- gamma_of(k + 2) * (abs(alpha) * times(abs(pair$a), abs(pair$b)) + abs(beta * c))
  error <- abs(head_of(got, m, n) - (alpha * times(pair$a, pair$b) + beta * c))
  expect_true(all(error <= bound),
              info = paste(m, n, k, paste(trans, collapse = ""), alpha, beta, kind, by))
  expect_untouched(got, before, m, n)
}

# Around the sides of tiles, and beyond one piece of each side of C and of k.
edges <- c(0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 23, 24, 25, 31, 33, 48, 95, 97, 100)
large <- list(c(5, 515, 3), c(200, 9, 259), c(3, 7, 600), c(98, 20, 513), c(1, 530, 260),
              c(300, 1, 300), c(530, 2, 30))

test_that("products are within their bound, for all transposes, factors and leading dimensions", {
  set.seed(1)
  with_each({
    for (case in 1:70) {
      size <- if (case %% 10 == 0) large[[case %/% 10]] else sample(edges, 3, TRUE)
      expect_product(size[1], size[2], size[3], sample(c("N", "T"), 2, TRUE),
                     sample(c(1, -1, 0, 0.7), 1), sample(c(0, 1, -1, 0.3), 1),
                     sample(c("random", "graded", "cancelling"), 1), sample(c(0, 1, 6), 1))
    }
  })
})

test_that("symmetric products are lower triangles and nothing else", {
  set.seed(2)
  with_each({
    for (case in 1:36) {
      n <- if (case == 36) 530 else sample(edges, 1)
      k <- sample(edges, 1) + if (case == 35) 300 else 0
      a <- draw(n, k, sample(c("random", "graded"), 1))
      trans <- sample(c("N", "T"), 1)
      beta <- sample(c(0, 1, 0.3), 1)
      c <- draw(n, n)
      before <- padded(replace(c, upper.tri(c), NaN), 2)
      got <- algebra("syrk", paste0(trans, "N"), 0, n, k, -2, beta, padded(op(trans, a), 3),
                     c = before)
      bound <- gamma_of(k + 2) * (2 * times(abs(a), t(abs(a))) + abs(beta * c))
      error <- abs(head_of(got, n, n) - (-2 * times(a, t(a)) + beta * c))
      expect_true(all((error <= bound)[lower.tri(c, TRUE)]), info = paste(n, k, trans))
      expect_identical(plain(got)[upper.tri(before)], before[upper.tri(before)])
    }
  })
})

test_that("products with vectors are within their bound", {
  set.seed(3)
  with_each({
    for (case in 1:24) {
      n <- sample(edges[-1], 2)
      a <- draw(n[1], n[2])
      trans <- sample(c("N", "T"), 1)
      x <- draw(if (trans == "T") n[1] else n[2], 1)
      y <- draw(if (trans == "T") n[2] else n[1], 1)
      got <- plain(algebra("gemv", paste0(trans, "N"), n[1], n[2], 0, 2, 0.5, padded(a, 1), x, y))
      bound <- gamma_of(nrow(x) + 2) * (2 * times(abs(op(trans, a)), abs(x)) + abs(y))
      expect_true(all(abs(got - (2 * times(op(trans, a), x) + 0.5 * y)) <= bound))
      s <- crossprod(a)
      z <- draw(n[2], 1)
      got <- plain(algebra("symv", n = n[2], a = padded(replace(s, upper.tri(s), NaN), 1), b = z,
                           c = z * NaN))
      expect_true(all(abs(got - times(s, z)) <= gamma_of(n[2]) * times(abs(s), abs(z))))
    }
  })
})

test_that("NaN and infinities come through, and factors of zero let nothing in", {
  with_each({
    for (n in c(5, 40)) {
      a <- matrix(1, n, n)
      b <- a
      a[2, 3] <- NaN
      b[4, 5] <- Inf
      c <- plain(algebra("gemm", "NN", n, n, n, 1, 0, a, b, a * NaN))
      expect_true(all(is.nan(c[2, ])))
      expect_true(all(c[-2, 5] == Inf))
      expect_true(all(c[-2, -5] == n))
      nothing <- algebra("gemm", "NN", n, n, n, 0, 0, a, b, a * NaN)
      expect_identical(plain(nothing), matrix(0, n, n))
      expect_identical(plain(algebra("gemm", "NN", n, n, 0, 1, 2, a, b, b)), 2 * b)
    }
    tiny <- matrix(2^-1060, 30, 30)
    expect_identical(plain(algebra("gemm", "NN", 30, 30, 30, 1, 0, tiny, diag(30), tiny)), tiny)
  })
})

# Lower triangular, ill-conditioned as the factors of kernel matrices are.
draw_triangle <- function(n, kind) {
  l <- lower(draw(n, n)) / sqrt(max(n, 1))
  diag(l) <- sign(diag(l))
  if (kind == "graded") t(t(l) * 10^seq(0, -7, length.out = n)) else l
}
sizes <- c(1, 2, 15, 16, 17, 31, 32, 33, 40, 64, 65, 96, 97, 150)

test_that("triangular solves are backward stable, from both sides", {
  set.seed(4)
  with_each({
    for (case in 1:40) {
      n <- sample(sizes, 1)
      k <- sample(c(0, 1, 2, 3, 7, 8, 9, 40), 1)
      l <- draw_triangle(n, sample(c("random", "graded"), 1))
      trans <- sample(c("N", "T"), 1)
      hidden <- padded(replace(l, upper.tri(l), NaN), 1)
      b <- draw(n, k)
      x <- algebra("solve_left", paste0(trans, "N"), 0, n, k, a = hidden, c = padded(b, 2))
      expect_untouched(x, padded(b, 2), n, k)
      x <- head_of(x, n, k)
      expect_true(all(abs(times(op(trans, l), x) - b) <=
                      gamma_of(n) * times(abs(op(trans, l)), abs(x))))
      x <- algebra("solve_right", paste0(trans, "N"), 0, n, k, a = hidden, c = padded(t(b), 2))
      x <- head_of(x, k, n)
      expect_true(all(abs(times(x, op(trans, l)) - t(b)) <=
                      gamma_of(n) * times(abs(x), abs(op(trans, l)))))
    }
  })
})

test_that("inverses and Cholesky factors are within their bounds", {
  set.seed(5)
  with_each({
    for (n in sizes) {
      l <- draw_triangle(n, "random")
      x <- plain(algebra("invert", n = n, c = l))
      expect_identical(x[upper.tri(x)], numeric(n * (n - 1) / 2))
      # |XL - I|: one term for each of the two solves and the inverse that meet in a block
      bound <- 3 * gamma_of(n) * times(times(abs(x), abs(l)), times(abs(x), abs(l)))
      expect_true(all(abs(times(x, l) - diag(n)) <= bound), info = n)

      a <- crossprod(draw(n + 5, n)) * tcrossprod(10^seq(0, -6, length.out = n))
      before <- padded(replace(a, upper.tri(a), -7), 1)
      got <- algebra("cholesky", n = n, c = before)
      expect_identical(attr(got, "status"), 0L)
      expect_identical(plain(got)[upper.tri(got)], before[upper.tri(before)])
      l <- lower(head_of(got, n, n))
      expect_true(all(abs(times(l, t(l)) - a) <= gamma_of(n + 1) * times(abs(l), t(abs(l)))))
    }
    bad <- diag(70)
    for (at in c(1, 33, 70)) {
      expect_identical(attr(algebra("cholesky", n = 70, c = replace(bad, cbind(at, at), -1)),
                            "status"), 2L)
      expect_identical(attr(algebra("cholesky", n = 70, c = replace(bad, cbind(at, at), NaN)),
                            "status"), 1L)
    }
  })
})

test_that("pivoted Cholesky factors find the rank that LAPACK finds, and independent rows", {
  set.seed(7)
  cases <- lapply(c(1, 2, 31, 32, 33, 70, 130), function(n) {
    x <- matrix(rnorm(3 * n), n)
    x[sample(n, n %/% 4), ] <- x[1, ]
    list(tcrossprod(draw(n, n %/% 2 + 1)), exp(-as.matrix(dist(x))^2), diag(n), matrix(0, n, n))
  })
  cases <- lapply(unlist(cases, FALSE), unname)
  kept <- function(k) .Call(namespace$ffi_independent, k, 1e-8)
  old <- options(sparserls.blas = NULL, sparserls.instructions = NULL)
  use("blas")
  ranks <- lapply(cases, function(k) length(kept(k)$kept))
  # What runs after this file is not for this BLAS.
  options(old)
  namespace$use_blas()
  with_each({
    found <- lapply(cases, function(k) kept(k)$kept)
    expect_identical(lapply(found, length), ranks)
    for (i in which(ranks > 0)) {
      expect_gt(min(diag(chol(cases[[i]][found[[i]], found[[i]], drop = FALSE]))), 1e-5)
    }
    expect_identical(kept(diag(c(1, NaN)))$status, 1L)
  })
})

test_that("eigenvectors and QR factors are orthogonal, and what they are the factors of", {
  set.seed(6)
  # As large as LAPACK's own tests allow.
  small <- function(x, n) expect_lt(max(abs(x)), 30 * n * u)
  with_each({
    for (n in sizes) {
      a <- crossprod(draw(n, n)) / n
      got <- plain(algebra("eigen", n = n, c = cbind(replace(a, upper.tri(a), NaN), 0)))
      v <- got[, seq_len(n), drop = FALSE]
      expect_false(is.unsorted(got[, n + 1]))
      small(crossprod(v) - diag(n), n)
      small((a %*% v - v %*% diag(got[, n + 1], n)) / max(got[, n + 1]), n)

      k <- sample(n, 1)
      a <- draw(n, k)
      q <- plain(algebra("qr", "LN", n, n, k, a = padded(a, 1), c = diag(n)))
      small(crossprod(q) - diag(n), n)
      r <- plain(algebra("qr", "LT", n, k, k, a = a, c = a))
      small((q %*% r - a) / sqrt(n), n)
      small(c(0, r[lower.tri(r)]) / sqrt(n), n)
      b <- draw(3, n)
      small(plain(algebra("qr", "RN", 3, n, k, a = a, c = b)) - b %*% q, n)
      small(plain(algebra("qr", "RT", 3, n, k, a = a, c = b)) - b %*% t(q), n)
    }
    expect_identical(plain(algebra("qr", "LN", 40, 40, 3, a = diag(40)[, 1:3], c = diag(40))),
                     diag(40))
    for (scale in c(1e-170, 1e170)) {
      a <- draw(40, 35) * scale
      r <- plain(algebra("qr", "LT", 40, 35, 35, a = a, c = a)) / scale
      small(r[lower.tri(r)], 40)
      expect_equal(sum(r^2), sum((a / scale)^2))
    }
  })
})

test_that("a symmetric matrix turned by reflectors, and solved in band form, on all products", {
  with_each({
    for (n in c(1, 2, 47, 48, 49, 96, 97, 145, 301)) {
      set.seed(n)
      z <- matrix(rnorm(n * (n + 5)), n)
      a <- tcrossprod(z) / n
      hidden <- rbind(replace(a, upper.tri(a), NaN), NaN)
      b <- matrix(rnorm(n * 3), n)
      for (lambda in c(1, 1e-3)) {
        x <- plain(algebra("band", n = n, k = 3, alpha = lambda, a = hidden, c = rbind(b, 7)))
        left <- (a + lambda * diag(n)) %*% x[1:n, ] - b
        expect_lt(max(abs(left)) / (max(abs(x)) * norm(a, "2")), 20 * n * .Machine$double.eps)
        expect_equal(x[n + 1, ], rep(7, 3))
      }
      for (k in unique(pmin(n, c(1, 48, 50, 100)))) {
        columns <- matrix(rnorm(n * k), n)
        turned <- plain(algebra("turn", n = n, k = k, a = columns, c = hidden))
        q <- qr.Q(qr(columns), complete = TRUE)[, -seq_len(k), drop = FALSE]
        kept <- k + seq_len(n - k)
        got <- turned[kept, kept, drop = FALSE]
        got[upper.tri(got)] <- t(got)[upper.tri(got)]
        # The complement of the columns is the same space in both: so are the eigenvalues there.
        if (n > k) {
          expect_lt(max(abs(eigen(got, TRUE, TRUE)$values -
                            eigen(crossprod(q, a %*% q), TRUE, TRUE)$values)),
                    20 * n * .Machine$double.eps * norm(a, "2"))
        }
      }
    }
    singular <- tcrossprod(matrix(rnorm(200 * 20), 200))
    failed <- algebra("band", n = 200, k = 1, alpha = 0, beta = 1e-12 * max(diag(singular)),
                      a = singular, c = matrix(1, 200, 1))
    expect_identical(attr(failed, "status"), 4L)
    expect_identical(attr(algebra("band", n = 200, k = 1, alpha = 1, a = singular * NaN,
                                  c = matrix(1, 200, 1)), "status"), 1L)
  })
})

test_that("fits with the package's own products are those with R's BLAS", {
  set.seed(7)
  x <- matrix(rnorm(90), 30)
  y <- x[, 1] + rnorm(30)
  fits <- function() {
    lapply(c("dual", "primal", "svd"), function(solver) {
      fitted(rls(x, y, lambda = 1, solver = solver))
    })
  }
  expected <- fits()
  with_each(expect_equal(fits(), expected, tolerance = 1e-10))
})
