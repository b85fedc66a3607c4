# Probabilities of classes on new rows: log loss and calibration beside glmnet and ranger, ways to
# calibrate several classes beside each other, and noise.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/calibration.R [splits] > bench/calibration.txt
#
# Needs the installed package, MASS, mlbench and nnet, glmnet and ranger where they are to be
# compared, and ../shared/data. A third of the rows of every class is for testing, 20 times; of
# several classes 10 times.

library(sparserls)
splits <- as.integer(c(commandArgs(TRUE), 20)[1])
source("bench/store.R")
say_provenance()
read <- function(name) shared(name, check.names = FALSE)
numbers <- function(d, y) list(x = as.matrix(d), y = droplevels(factor(y)))

log_loss <- function(p, y) -mean(log(pmax(p[cbind(seq_along(y), as.integer(y))], 1e-15)))

# Mean distance of predicted and observed shares in ten bins of equal size, in percent.
calibration_error <- function(p, y) {
  bin <- ceiling(10 * rank(p, ties.method = "first") / length(p))
  100 * mean(abs(tapply(p, bin, mean) - tapply(y, bin, mean)))
}

gaussian <- kernel_gaussian(width_multiples(2^(-3:2)))

# ---- two classes -----------------------------------------------------------------

# Probabilities of the second class for new rows.
own <- function(...) function(x, y, new) {
  cv <- suppressMessages(cv.sparserls(x, y, basis_random(nrow(x) %/% 2), kernel = gaussian,
                                      nfolds = "loo", progress = FALSE, ...))
  predict(cv, new, type = "prob")[, 2]
}
rivals <- list(
  `base rate` = function(x, y, new) rep(mean(y == levels(y)[2]), nrow(new)),
  sparserls = own(), `sparserls, mse` = own(type.measure = "mse"),
  glmnet = if (requireNamespace("glmnet", quietly = TRUE)) function(x, y, new) {
    cv <- glmnet::cv.glmnet(x, y, family = "binomial")
    predict(cv, new, s = "lambda.min", type = "response")[, 1]
  },
  ranger = if (requireNamespace("ranger", quietly = TRUE)) function(x, y, new) {
    forest <- ranger::ranger(x = x, y = y, probability = TRUE, num.threads = 1)
    predict(forest, new)$predictions[, levels(y)[2]]
  }
)
rivals <- Filter(Negate(is.null), rivals)

two_classes <- function(name) {
  d <- read(name)
  d <- numbers(d[-ncol(d)], d[[ncol(d)]])
  set.seed(1)
  runs <- replicate(splits, simplify = FALSE, {
    train <- two_thirds(d$y)
    y <- d$y[-train]
    p <- vapply(rivals, function(f) f(d$x[train, ], d$y[train], d$x[-train, ]), 0 * seq_along(y))
    list(p = p, y = y, loss = apply(p, 2, function(p) log_loss(cbind(1 - p, p), y)))
  })
  p <- do.call(rbind, lapply(runs, `[[`, "p"))
  y <- unlist(lapply(runs, function(run) run$y == levels(run$y)[2]))
  loss <- vapply(runs, `[[`, 0 * seq_along(rivals), "loss")
  rbind(`log loss` = rowMeans(loss), `its sd` = apply(loss, 1, sd),
        `calibration error, %` = apply(p, 2, calibration_error, y))
}

cat("Log loss and calibration error on new rows, two classes\n")
for (name in c("heart_statlog", "pima", "sonar")) {
  cat("\n", name, "\n", sep = "")
  print(signif(two_classes(name), 3))
}

# ---- several classes ----------------------------------------------------------------

# Rivals of the package's calibration, from held-out scores S and classes; Platt's targets for all.
targets <- function(class, classes) {
  n <- tabulate(class, classes)
  target <- matrix(1 / (n[class] + 2) / (classes - 1), length(class), classes)
  target[cbind(seq_along(class), class)] <- (n[class] + 1) / (n[class] + 2)
  target
}
sigmoid <- function(s, positive) {
  n <- c(sum(!positive), sum(positive))
  target <- ifelse(positive, (n[2] + 1) / (n[2] + 2), 1 / (n[1] + 2))
  z <- (s - mean(s)) / sd(s)
  loss <- function(ab) {
    eta <- ab[1] + ab[2] * z
    sum(log1p(exp(-abs(eta))) + pmax(eta, 0) - target * eta)
  }
  ab <- optim(c(0, 1), loss, method = "L-BFGS-B", lower = c(-Inf, 0))$par
  function(new) plogis(ab[1] + ab[2] * (new - mean(s)) / sd(s))
}
each_alone <- function(S, class) {
  models <- lapply(seq_len(ncol(S)), function(k) sigmoid(S[, k], class == k))
  function(new) {
    p <- vapply(seq_along(models), function(k) models[[k]](new[, k]), numeric(nrow(new)))
    p / rowSums(p)
  }
}
# Wu, Lin and Weng (2004), their second method.
coupled <- function(r) {
  v <- nrow(r)
  q <- -t(r) * r
  diag(q) <- 0
  diag(q) <- colSums(replace(r, cbind(1:v, 1:v), 0)^2)
  p <- solve(rbind(cbind(q + 1e-12 * diag(v), 1), c(rep(1, v), 0)), c(rep(0, v), 1))[1:v]
  pmax(p, 1e-12) / sum(pmax(p, 1e-12))
}
pairwise <- function(S, class) {
  pairs <- combn(ncol(S), 2, simplify = FALSE)
  models <- lapply(pairs, function(pair) {
    of <- class %in% pair
    sigmoid(S[of, pair[1]] - S[of, pair[2]], class[of] == pair[1])
  })
  function(new) {
    t(apply(new, 1, function(s) {
      r <- matrix(0.5, length(s), length(s))
      for (i in seq_along(pairs)) {
        pair <- pairs[[i]]
        p <- min(max(models[[i]](s[pair[1]] - s[pair[2]]), 1e-7), 1 - 1e-7)
        r[pair[1], pair[2]] <- p
        r[pair[2], pair[1]] <- 1 - p
      }
      coupled(r)
    }))
  }
}
# A slope for every score in every class.
full <- function(S, class) {
  target <- targets(class, ncol(S))
  frame <- function(S) as.data.frame(unname(S[, -ncol(S), drop = FALSE]))
  model <- nnet::multinom(target ~ ., frame(S), trace = FALSE, maxit = 500, MaxNWts = 1e5)
  function(new) predict(model, frame(new), type = "probs")
}

several_classes <- function(draw, kernel) {
  set.seed(1)
  losses <- replicate(splits / 2, {
    d <- draw()
    cv <- quiet(cv.rls(d$train$x, d$train$y, kernel, nfolds = "loo", type.measure = "mse",
                       keep = TRUE, nlambda = 30, progress = FALSE))
    S <- cv$fit.preval[, , cv$index["min", 1]]
    class <- as.integer(d$train$y)
    new <- predict(cv, d$test$x)
    rivals <- list(`each class alone` = each_alone, pairwise = pairwise, `full multinomial` = full)
    others <- vapply(rivals, function(f) log_loss(f(S, class)(new), d$test$y), 0)
    base <- log_loss(matrix(colMeans(targets(class, ncol(S))), nrow(new), ncol(S), byrow = TRUE),
                     d$test$y)
    c(`base rates` = base, package = log_loss(predict(cv, d$test$x, type = "prob"), d$test$y),
      others)
  })
  rowMeans(losses)
}

splitter <- function(d) function() {
  train <- two_thirds(d$y)
  list(train = list(x = d$x[train, ], y = d$y[train]),
       test = list(x = d$x[-train, ], y = d$y[-train]))
}
simulated <- function() {
  y <- sample(4, 900, TRUE, c(0.5, 0.25, 0.15, 0.1))
  mu <- rbind(c(0, 0), c(1.5, 0), c(0, 1.5), c(1.2, 1.2))
  d <- list(x = cbind(mu[y, ] + rnorm(1800), matrix(rnorm(2700), 900)), y = factor(y))
  list(train = list(x = d$x[1:150, ], y = d$y[1:150]), test = list(x = d$x[-(1:150), ],
                                                                   y = d$y[-(1:150)]))
}
sets <- new.env()
data(list = c("Vehicle", "Vowel", "Zoo"), package = "mlbench", envir = sets)
data(list = c("fgl", "crabs"), package = "MASS", envir = sets)
tumours <- read("ramaswamy190")
all_numeric <- function(d) as.data.frame(lapply(d, as.numeric))
flowers <- splitter(numbers(iris[1:4], iris$Species))
multi <- rbind(
  iris = several_classes(flowers, gaussian),
  `iris, linear` = several_classes(flowers, kernel_linear()),
  glass = several_classes(splitter(numbers(sets$fgl[1:9], sets$fgl$type)), gaussian),
  vehicle = several_classes(splitter(numbers(sets$Vehicle[1:18], sets$Vehicle$Class)), gaussian),
  vowel = several_classes(splitter(numbers(all_numeric(sets$Vowel[1:10]), sets$Vowel$Class)),
                          gaussian),
  zoo = several_classes(splitter(numbers(all_numeric(sets$Zoo[1:16]), sets$Zoo$type)), gaussian),
  crabs = several_classes(splitter(numbers(sets$crabs[4:8],
                                           interaction(sets$crabs$sp, sets$crabs$sex))), gaussian),
  tumours = several_classes(splitter(numbers(tumours[-1], tumours[[1]])), kernel_linear()),
  simulated = several_classes(simulated, gaussian)
)
cat("\nLog loss on new rows, several classes\n\n")
print(round(multi, 3))

# ---- noise --------------------------------------------------------------------------

# How much worse than the base rate of the training rows on 2000 new rows, where x says nothing.
noise <- function(m, groups = NULL) {
  excess <- vapply(1:50, function(seed) {
    set.seed(seed)
    x <- matrix(rnorm(m * 5), m)
    new <- matrix(rnorm(2000 * 5), 2000)
    chance <- 0.3
    if (is.null(groups)) {
      y <- runif(m) < chance
    } else {
      # Clusters of rows that resemble each other, of one class.
      id <- rep_len(seq_len(groups), m)
      x <- x / 2 + matrix(rnorm(groups * 5), groups)[id, ]
      y <- (runif(groups) < chance)[id]
    }
    cv <- suppressMessages(cv.sparserls(x, y, basis_random(30), kernel = gaussian, progress = FALSE,
                                        groups = if (!is.null(groups)) id))
    truth <- factor(runif(2000) < chance, c(FALSE, TRUE))
    base <- mean(y)
    log_loss(predict(cv, new, type = "prob"), truth) - log_loss(cbind(rep(1 - base, 2000), base),
                                                                 truth)
  }, 0)
  c(mean = mean(excess), `standard error` = sd(excess) / sqrt(50), worst = max(excess))
}
cat("\nPure noise: log loss less that of the base rate, 50 seeds\n\n")
print(round(rbind(`60 rows` = noise(60), `200 rows` = noise(200), `1000 rows` = noise(1000),
                  `240 rows in 40 groups` = noise(240, 40)), 4))
