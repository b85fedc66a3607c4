# The same job in six packages: the error on new rows, seconds of the processor and memory, on
# twelve real data sets. The article `comparison` shows what this has stored.
#
#   OPENBLAS_NUM_THREADS=1 Rscript bench/compare.R [first split] [last split]     (Linux)
#
# Appends a line for every data set, method and split to bench/compare.csv and leaves out what is
# there already, so that it can be stopped, and called again for more splits. Every fit is a child
# process of its own, which ends after `limit` seconds of the processor. Needs ../shared/data, and of
# the packages below those that are to be compared; without one its lines say so. The article reads a
# copy: cp bench/compare.csv inst/extdata/comparison.csv, below its head of two lines (what ran where)

limit <- 150
folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
stored <- file.path(folder, "compare.csv")

# ---- data sets: x with indicator columns for factors, y a number or a factor --------------------

as_set <- function(d, response, groups = NULL) {
  d <- d[c(response, setdiff(names(d), response))]
  whole <- complete.cases(d)
  x <- model.matrix(~ ., d[whole, -1, drop = FALSE])[, -1]
  colnames(x) <- paste0("x", seq_len(ncol(x)))
  y <- d[whole, 1]
  list(x = x, y = if (is.numeric(y)) y else factor(y), groups = groups[whole])
}
shared <- function(name, ...) {
  read.csv(file.path(folder, "..", "..", "shared", "data", paste0(name, ".csv.xz")), ...)
}
visits <- function() {
  d <- survival::pbcseq
  d <- transform(d, lbili = log(bili), alk.phos = log(alk.phos), ast = log(ast),
                 platelet = log(platelet), protime = log(protime))
  as_set(d[c("lbili", "day", "trt", "age", "sex", "ascites", "hepato", "spiders", "edema",
             "albumin", "alk.phos", "ast", "platelet", "protime", "stage")], "lbili", d$id)
}
# In the order in which they are done: the small ones first.
sets <- list(
  servo = function() as_set(shared("servo"), "class"),
  airquality = function() as_set(datasets::airquality, "Ozone"),
  heart = function() as_set(shared("heart_statlog"), "class"),
  sonar = function() as_set(shared("sonar"), "Class"),
  autompg = function() as_set(shared("autompg", na.strings = "?"), "class"),
  Boston = function() as_set(MASS::Boston, "medv"),
  pima = function() as_set(shared("pima"), "class"),
  quakes = function() as_set(datasets::quakes, "depth"),
  tumours = function() as_set(shared("ramaswamy190"), "class"),
  pbcseq = visits,
  pole = function() as_set(shared("pole"), "foo"),
  ailerons = function() as_set(shared("ailerons"), "goal")
)

# Two thirds to train, at most 2000 rows; the rest to test, at most 3000. Groups stay whole, and
# classes keep their shares. Split i has seed i.
split_rows <- function(set, i) {
  set.seed(i)
  m <- nrow(set$x)
  if (!is.null(set$groups)) {
    units <- unique(set$groups)
    train <- which(set$groups %in% sample(units, round(2 / 3 * length(units))))
  } else if (is.factor(set$y)) {
    train <- unlist(lapply(split(seq_len(m), set$y), function(k) {
      k[sample.int(length(k), ceiling(2 / 3 * length(k)))]
    }), use.names = FALSE)
  } else {
    train <- sample(m, min(2000, round(2 / 3 * m)))
  }
  rest <- setdiff(seq_len(m), train)
  list(train = train, test = rest[sample.int(length(rest), min(3000, length(rest)))])
}

# ---- methods: predictions of the rows of `new`, for classes their probabilities or names --------

cannot <- function(why) stop(structure(class = c("cannot", "error", "condition"),
                                       list(message = why, call = NULL)))
many <- function(y) is.factor(y) && nlevels(y) > 2

gaussian <- function() sparserls::kernel_gaussian(sparserls::relative(2^(-3:2)))
ours <- function(cv, y, new) {
  if (!is.factor(y)) return(drop(predict(cv, new)))
  structure(predict(cv, new, type = "prob"), class = NULL,
            chosen = drop(predict(cv, new, type = "class")))
}
linear <- function(x, y, new, groups, alpha) {
  family <- if (!is.factor(y)) "gaussian" else if (many(y)) "multinomial" else "binomial"
  foldid <- if (!is.null(groups)) sample(10, max(groups), replace = TRUE)[groups]
  cv <- glmnet::cv.glmnet(x, y, alpha = alpha, family = family, foldid = foldid)
  p <- drop(predict(cv, new, s = "lambda.min", type = "response"))
  if (family == "binomial") cbind(1 - p, p) else p
}
krls <- function(x, y, new, approx) {
  if (many(y)) cannot("two classes at most")
  fit <- KRLS::krls(x, as.numeric(y), derivative = FALSE, vcov = FALSE, approx = approx,
                    print.level = 0)
  p <- drop(predict(fit, new)$fit)
  if (is.factor(y)) factor(levels(y)[1 + (p > 1.5)], levels(y)) else p
}

methods <- list(
  `base rate` = function(x, y, new, groups) {
    if (!is.factor(y)) return(rep(mean(y), nrow(new)))
    matrix(prop.table(table(y)), nrow(new), nlevels(y), byrow = TRUE)
  },
  sparserls = function(x, y, new, groups) {
    ours(sparserls::cv.sparserls(x, y, kernel = gaussian(), groups = groups), y, new)
  },
  ardrls = function(x, y, new, groups) {
    ours(sparserls::cv.ardrls(x, y, groups = groups), y, new)
  },
  `glmnet ridge` = function(x, y, new, groups) linear(x, y, new, groups, 0),
  `glmnet lasso` = function(x, y, new, groups) linear(x, y, new, groups, 1),
  `kernlab ksvm` = function(x, y, new, groups) {
    sigma <- kernlab::sigest(y ~ x, data = list(x = x, y = y))[[2]]
    grid <- expand.grid(C = 4^(0:3), sigma = sigma * 4^(-1:1))
    fit <- function(i, ...) {
      kernlab::ksvm(x, y, C = grid$C[i], kpar = list(sigma = grid$sigma[i]), ...)
    }
    errors <- vapply(seq_len(nrow(grid)), function(i) kernlab::cross(fit(i, cross = 5)), 0)
    best <- fit(which.min(errors), prob.model = is.factor(y))
    if (!is.factor(y)) return(drop(kernlab::predict(best, new)))
    structure(kernlab::predict(best, new, type = "probabilities"),
              chosen = kernlab::predict(best, new))
  },
  `kernlab gausspr` = function(x, y, new, groups) {
    if (is.factor(y)) {
      return(kernlab::predict(kernlab::gausspr(x, y), new, type = "probabilities"))
    }
    noise <- 10^(-3:0)
    fit <- function(v, ...) kernlab::gausspr(x, y, var = v, ...)
    errors <- vapply(noise, function(v) kernlab::cross(fit(v, cross = 5)), 0)
    drop(kernlab::predict(fit(noise[which.min(errors)]), new))
  },
  `KRLS exact` = function(x, y, new, groups) krls(x, y, new, "none"),
  `KRLS default` = function(x, y, new, groups) {
    if (nrow(x) <= 500) cannot("the same as exact up to 500 rows")
    krls(x, y, new, "auto")
  },
  mgcv = function(x, y, new, groups) {
    if (many(y)) cannot("more coefficients than rows")
    values <- apply(x, 2, function(column) length(unique(column)))
    smooth <- values >= 10
    k <- min(10, floor((0.9 * nrow(x) - sum(!smooth)) / sum(smooth)))
    terms <- ifelse(smooth, sprintf("s(%s, k = %d)", colnames(x), k), colnames(x))
    formula <- reformulate(terms, "y", env = asNamespace("mgcv"))
    family <- if (is.factor(y)) binomial() else stats::gaussian()
    data <- data.frame(x, y = if (is.factor(y)) as.numeric(y) - 1 else y)
    fit <- if (nrow(x) < 1000) mgcv::gam(formula, family, data, method = "REML") else
      mgcv::bam(formula, family, data, discrete = TRUE)
    p <- drop(predict(fit, data.frame(new), type = "response"))
    if (is.factor(y)) cbind(1 - p, p) else p
  },
  ranger = function(x, y, new, groups) {
    fit <- ranger::ranger(x = x, y = y, probability = is.factor(y), num.threads = 1)
    predict(fit, new, num.threads = 1)$predictions
  }
)

# ---- one fit: a data set, a method, a split -------------------------------------------------------

# Misclassification and log loss, or the root mean squared error over sd(y) of all rows.
error_of <- function(answer, y, all_y) {
  if (!is.factor(y)) return(c(sqrt(mean((answer - y)^2)) / sd(all_y), NA))
  if (is.factor(answer)) return(c(mean(answer != y), NA))
  chosen <- attr(answer, "chosen")
  if (is.null(chosen)) chosen <- levels(y)[max.col(answer, "first")]
  p <- answer[cbind(seq_along(y), as.integer(y))]
  c(mean(as.character(chosen) != y), -mean(log(pmax(p, 1e-15))))
}

# Megabytes.
status <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# What a fit costs and how good it is: a list of some columns of the table. In a child process.
one_fit <- function(method, set, i) {
  rows <- split_rows(set, i)
  varies <- apply(set$x[rows$train, ], 2, function(column) any(column != column[1]))
  x <- set$x[rows$train, varies]
  new <- set$x[rows$test, varies]
  groups <- if (!is.null(set$groups)) as.integer(factor(set$groups[rows$train]))
  found <- list(train = nrow(x), test = nrow(new), features = ncol(x))
  invisible(gc())
  cat("5", file = "/proc/self/clear_refs")     # the peak counts from here
  before <- status("VmRSS")
  time <- system.time(answer <- tryCatch(
    suppressMessages(suppressWarnings(methods[[method]](x, set$y[rows$train], new, groups))),
    error = identity
  ))
  if (inherits(answer, "error")) {
    return(c(found, note = gsub("[\n\"]", " ", substr(conditionMessage(answer), 1, 100))))
  }
  error <- error_of(answer, set$y[rows$test], set$y)
  c(found, error = signif(error[1], 5), logloss = signif(error[2], 5),
    seconds = round(sum(time[1:2]), 2), mb = round(status("VmHWM") - before, 1))
}

# ---- all of them -------------------------------------------------------------------------------------

seconds_of <- function(pid) {
  fields <- strsplit(sub(".*[)] ", "", readLines(sprintf("/proc/%d/stat", pid))), " ")[[1]]
  sum(as.numeric(fields[12:13])) / 100
}

# The answer of a child process, or NULL where it has used up its seconds.
limited <- function(job) {
  repeat {
    answer <- parallel::mccollect(job, wait = FALSE, timeout = 1)
    if (length(answer)) return(answer[[1]])
    if (seconds_of(job$pid) > limit) {
      tools::pskill(job$pid, tools::SIGKILL)
      parallel::mccollect(job)
      return(NULL)
    }
  }
}

store <- function(name, method, split, found) {
  row <- data.frame(set = name, method = method, split = split, train = NA, test = NA,
                    features = NA, error = NA, logloss = NA, seconds = NA, mb = NA, note = "")
  row[names(found)] <- found
  write.table(row, stored, sep = ",", row.names = FALSE, append = file.exists(stored),
              col.names = !file.exists(stored))
}

# What is stored of a data set and a method: no more is tried after a note.
to_do <- function(name, method, split) {
  if (!file.exists(stored)) return(TRUE)
  d <- read.csv(stored)
  d <- d[d$set == name & d$method == method, ]
  !any(d$split == split | (!is.na(d$note) & nzchar(d$note)))
}

large <- c("pbcseq", "pole", "ailerons")
packages <- c("sparserls", "glmnet", "kernlab", "KRLS", "mgcv", "ranger")
args <- as.integer(c(commandArgs(TRUE), 1, 5)[1:2])
there <- vapply(packages, requireNamespace, NA, quietly = TRUE)
data <- lapply(sets, function(set) set())
for (split in seq(args[1], args[2])) for (name in names(sets)) for (method in names(methods)) {
  if (split > 3 && name %in% large || !to_do(name, method, split)) next
  missing <- names(which(!there)) == sub(" .*", "", method)
  found <- if (any(missing)) list(note = "not installed") else
    limited(parallel::mcparallel(one_fit(method, data[[name]], split)))
  store(name, method, split, if (is.null(found)) list(note = sprintf("over %d s", limit)) else found)
}
