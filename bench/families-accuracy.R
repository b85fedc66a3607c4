# Part `accuracy` of families.R: first calls, every argument that one need not give at its default,
# on the same new rows: a third of the rows of every class, or of the groups, at every split.
# Errors of means are those of the corrected resampled t test, sqrt(1 / splits + 1 / 2) sd, of the
# difference from "family": of splits that share rows nothing smaller is honest.

read <- function(name) {
  d <- shared(name, stringsAsFactors = TRUE)
  names(d)[ncol(d)] <- "y"
  transform(d, y = factor(y))
}
as_y <- function(d, response) {
  names(d)[match(response, names(d))] <- "y"
  d
}

# family, data with the response y; group: a column that tells whose rows they are, and no feature;
# time: a column whose logarithm is the offset, and no feature.
sets <- list(
  heart = function() list(data = read("heart_statlog"), family = "binomial"),
  pima = function() list(data = read("pima"), family = "binomial"),
  sonar = function() list(data = read("sonar"), family = "binomial"),
  bacteria = function() {
    list(data = MASS::bacteria[c("y", "ID", "week", "trt")], family = "binomial", group = "ID")
  },
  epil = function() {
    d <- transform(MASS::epil, base = log(base), age = log(age))
    list(data = d[c("y", "subject", "trt", "base", "age", "period")], family = "poisson",
         group = "subject")
  },
  quine = function() list(data = as_y(MASS::quine, "Days"), family = "poisson"),
  Ovary = function() {
    d <- as_y(as.data.frame(nlme::Ovary), "follicles")
    list(data = transform(d, Mare = as.character(Mare)), family = "poisson", group = "Mare")
  },
  warpbreaks = function() list(data = as_y(datasets::warpbreaks, "breaks"), family = "poisson"),
  Insurance = function() {
    list(data = as_y(MASS::Insurance, "Claims"), family = "poisson", time = "Holders")
  },
  Soybean = function() {
    d <- as_y(as.data.frame(nlme::Soybean), "weight")
    list(data = transform(d, Plot = as.character(Plot), Variety = factor(Variety)),
         family = "gamma", group = "Plot")
  }
)

# ---- methods: means of new rows ----------------------------------------------------------------

# What a method gets: `train` and `new`, with y; features, a formula without offset; family, an
# object of stats; `groups` and `time` of the rows that train, `new_time` of the others, or NULL.
smallest <- function(p, y) pmax(p, mean(y) / 20)
# By values: in calls by a formula groups, weights and offset are looked for in the data.
ours <- function(task, verb, ...) {
  quiet(do.call(verb, list(task$f, task$train, groups = task$groups, progress = FALSE, ...)))
}
likelihood <- function(task, verb) {
  offset <- if (!is.null(task$time)) log(task$time)
  predict(ours(task, verb, family = task$family, offset = offset), task$new,
          newoffset = if (!is.null(task$time)) log(task$new_time))
}
columns <- function(task, d) model.matrix(task$f, d)[, -1, drop = FALSE]
rate <- function(task) task$train$y / if (is.null(task$time)) 1 else task$time
new_time <- function(task) if (is.null(task$time)) 1 else task$new_time

methods <- list(
  `null model` = function(task) {
    y <- as_number(task$train$y)
    if (is.null(task$time)) mean(y) + 0 * seq_len(nrow(task$new))
    else sum(y) / sum(task$time) * task$new_time
  },
  family = function(task) likelihood(task, cv.sparserls),
  `family, linear` = function(task) likelihood(task, cv.rls),
  `least squares` = function(task) {
    if (is.factor(task$train$y)) {
      return(predict(ours(task, cv.sparserls), task$new, type = "prob")[, 2])
    }
    task$train$y <- rate(task)
    cv <- ours(task, cv.sparserls, weights = task$time)
    smallest(predict(cv, task$new), task$train$y) * new_time(task)
  },
  glmnet = function(task) {
    offset <- if (!is.null(task$time)) log(task$time)
    group <- match(task$groups, unique(task$groups))
    folds <- if (!is.null(task$groups)) sample(rep_len(1:10, max(group)))[group]
    name <- task$family$family       # by name binomial and Poisson are much faster
    cv <- glmnet::cv.glmnet(columns(task, task$train), task$train$y, offset = offset,
                            family = if (name == "Gamma") task$family else name, foldid = folds)
    predict(cv, columns(task, task$new), s = "lambda.min", type = "response",
            newoffset = if (!is.null(task$time)) log(task$new_time))[, 1]
  },
  # 60 smooth terms of 139 rows take too long.
  mgcv = function(task) {
    if (length(task$features) > 40) stop("too many features")
    smooth <- function(name) {
      values <- length(unique(task$train[[name]]))
      if (!is.numeric(task$train[[name]]) || values < 5) return(name)
      most <- max(3, min(10, values - 1, floor(0.7 * nrow(task$train) / length(task$features))))
      sprintf("s(%s, k = %d)", name, most)
    }
    f <- reformulate(vapply(task$features, smooth, ""), "y", env = asNamespace("mgcv"))
    d <- task$train
    d$offset <- if (is.null(task$time)) 0 else log(task$time)
    fit <- mgcv::gam(f, task$family, d, offset = offset, method = "REML", select = TRUE)
    drop(predict(fit, task$new, type = "response")) * new_time(task)
  },
  ranger = function(task) {
    d <- task$train
    if (!is.factor(d$y)) d$y <- rate(task)
    fit <- ranger::ranger(task$f, d, probability = is.factor(d$y), case.weights = task$time,
                          num.threads = 1)
    p <- predict(fit, task$new, num.threads = 1)$predictions
    if (is.factor(d$y)) p[, 2] else p * new_time(task)
  }
)

# ---- losses ------------------------------------------------------------------------------------

as_number <- function(y) if (is.factor(y)) as.integer(y) - 1 else y
losses <- list(
  binomial = list(
    `log loss` = function(y, p) {
      p <- pmin(pmax(p, 1e-15), 1 - 1e-15)
      -mean(log(ifelse(y == 1, p, 1 - p)))
    },
    `wrong answers` = function(y, p) mean((p > 0.5) != y)
  ),
  poisson = list(
    deviance = function(y, p) 2 * mean(ifelse(y > 0, y * log(y / p), 0) - y + p),
    `absolute error` = function(y, p) mean(abs(y - p))
  ),
  gamma = list(
    deviance = function(y, p) 2 * mean(y / p - 1 - log(y / p)),
    `absolute error` = function(y, p) mean(abs(y - p))
  )
)
families <- list(binomial = binomial(), poisson = poisson(), gamma = Gamma(link = "log"))

# ---- splits ------------------------------------------------------------------------------------

training_rows <- function(set) {
  d <- set$data
  if (!is.null(set$group)) {
    group <- d[[set$group]]
    return(which(group %in% sample(unique(group), ceiling(2 / 3 * length(unique(group))))))
  }
  two_thirds(if (is.factor(d$y)) d$y else rep(1, nrow(d)))
}

column <- function(d, name, rows) if (!is.null(name)) d[[name]][rows]
task_of <- function(set, train) {
  d <- set$data
  features <- setdiff(names(d), c("y", set$group, set$time))
  list(train = d[train, ], new = d[-train, ], features = features, f = reformulate(features, "y"),
       family = families[[set$family]], groups = column(d, set$group, train),
       time = column(d, set$time, train), new_time = column(d, set$time, -train))
}

# losses x methods of a split; NA where a method ends in an error, which is said.
one_split <- function(set, i) {
  set.seed(i)
  task <- task_of(set, training_rows(set))
  y <- as_number(task$new$y)
  vapply(names(methods), function(name) {
    set.seed(i)
    p <- tryCatch(quiet(methods[[name]](task)), error = function(e) {
      cat(sprintf("  (%s, split %d: %s)\n", name, i, conditionMessage(e)))
      NULL
    })
    if (is.null(p)) c(NA_real_, NA_real_) else vapply(losses[[set$family]], function(f) f(y, p), 0)
  }, c(0, 0))
}

table_of <- function(name) {
  set <- sets[[name]]()
  runs <- simplify2array(lapply(seq_len(size$splits), function(i) one_split(set, i)))
  cat(sprintf("\n%s: %d rows, %d features%s, %s; %d splits\n", name, nrow(set$data),
              ncol(set$data) - 1 - length(set$group) - length(set$time),
              if (is.null(set$group)) "" else {
                sprintf(", %d groups", length(unique(set$data[[set$group]])))
              }, families[[set$family]]$family, size$splits))
  for (loss in names(losses[[set$family]])) {
    found <- matrix(runs[match(loss, names(losses[[set$family]])), , ], length(methods),
                    dimnames = list(names(methods), NULL))
    difference <- found - rep(found["family", ], each = nrow(found))
    error <- sqrt(1 / size$splits + 1 / 2) * apply(difference, 1, sd)
    table <- rbind(rowMeans(found), rowMeans(difference), error)
    rownames(table) <- c(loss, "less that of family", "its standard error")
    print(signif(table, 3))
  }
}

if (length(size$sets)) sets <- sets[strsplit(size$sets, ",")[[1]]]
for (name in names(sets)) table_of(name)
