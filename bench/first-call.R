# The first call on an ordinary table: the error on new rows of what a user writes first, and of the
# same method tuned, on the tables of first-call-data.R; seconds of the processor too.
#
#   OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 Rscript bench/first-call.R [key=value ...]     (Linux)
#
#   splits=1:3           all that a data set has by default: 10, or 3 of 1000 rows and more
#   sets=servo,ames      methods="sparserls,lm"     sets, and methods, left out: all
#   commit=c631501       of the sparserls that is installed; by default that of this folder
#   again=yes            does anew what another version of a method's package has stored
#
# Stored are inst/extdata/first-call.csv, a row per fit, which can be resumed at any time (see
# many-fits.R), and bench/first-call.txt, written anew at the end of every run. The article
# `comparison` counts on how many tables our first call is ahead.
#
# Split i has the seed i: four fifths of the rows to train, the rest to test. All methods are scored
# on the same rows: those to test that have no gap, and no level that the rows to train without gaps
# have not (what to do with others is for each to say, and no error of prediction). Each trains on
# the rows that its own na.action leaves; ranger and glmnet, which have none, on those without gaps.
# A table with gaps in its features comes a second time, as "airquality filled": gaps of numbers
# are the median of the training rows and have an indicator, those of factors are a level (the
# method `sparserls na_level` does that by itself); there all rows to test are scored whose response
# and levels are known. ames_raw has gaps in every row and is there in that form alone.

limit <- 120
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "first-call-data.R"))
source(file.path(here, "many-fits.R"))
stored <- file.path(here, "..", "inst", "extdata", "first-call.csv")
asked <- arguments()

# ---- data: tables as found, and those with gaps filled -------------------------------------------

has_gaps <- function(set) anyNA(set$data[names(set$data) != set$response])
sets <- lapply(first_call_sets(), function(set) set())
with_gaps <- Filter(has_gaps, sets)
sets <- c(sets, setNames(lapply(with_gaps, c, list(filled = TRUE)),
                         paste0(names(with_gaps), " filled")))
sets <- Filter(function(set) !is.null(set$filled) || any(complete.cases(set$data)), sets)

filled <- function(set, train) {
  for (name in setdiff(names(set$data), set$response)) {
    column <- set$data[[name]]
    gap <- is.na(column)
    if (!any(gap)) next
    if (is.numeric(column)) {
      column[gap] <- median(column[train], na.rm = TRUE)
      if (any(gap[train])) set$data[[paste0(name, "_missing")]] <- as.numeric(gap)
    } else {
      if (is.factor(column)) column <- factor(column, c(levels(column), "missing"), ordered = FALSE)
      column[gap] <- "missing"
    }
    set$data[[name]] <- column
  }
  set$data
}

# list(train, new, y): data frames with and without the response, and the responses of `new`. `raw`:
# with the gaps of a table that is filled.
split_set <- function(set, i, raw = FALSE) {
  set.seed(i)
  m <- nrow(set$data)
  train <- sort(sample(m, round(0.8 * m)))
  d <- if (is.null(set$filled)) set$data else filled(set, train)
  seen <- d[train, ][complete.cases(d[train, ]), ]
  scored <- complete.cases(d)
  for (name in names(Filter(Negate(is.numeric), d))) {
    scored <- scored & d[[name]] %in% seen[[name]]
  }
  test <- intersect(which(scored), setdiff(seq_len(m), train))
  if (raw) d <- set$data
  list(train = d[train, ], new = d[test, names(d) != set$response], y = d[test, set$response])
}

# ---- methods: predictions of the rows of `new`, numbers or names of classes ---------------------

# y ~ ., the training rows, new rows; `y` are the responses of the training rows.
class_of <- function(p, y) levels(y)[1 + (p > 0.5)]
whole <- function(d) d[complete.cases(d), ]
# Rows without gaps, and columns that vary in them: what one does about an error of contrasts().
varied <- function(d) Filter(function(column) length(unique(column)) > 1, whole(d))

# Indicators as model.matrix() makes them, of the new rows with the levels of the training rows.
matrices <- function(f, d, new) {
  frame <- model.frame(f, d)
  terms <- terms(frame)
  new <- model.frame(delete.response(terms), new, xlev = .getXlevels(terms, frame))
  list(x = model.matrix(terms, frame)[, -1], y = model.response(frame),
       new = model.matrix(delete.response(terms), new)[, -1])
}
elastic <- function(m, alpha, s, ...) {
  family <- if (is.factor(m$y)) "binomial" else "gaussian"
  fits <- lapply(alpha, function(a) {
    glmnet::cv.glmnet(m$x, m$y, family = family, alpha = a, ...)
  })
  best <- fits[[which.min(vapply(fits, function(cv) min(cv$cvm), 0))]]
  drop(predict(best, m$new, s = s, type = if (is.factor(m$y)) "class" else "response"))
}

# Smooth terms of numbers with more than ten values; all else that varies as it is. `fitted` is
# gam() or bam().
smooth <- function(f, d, new, term = "s(%s)", fitted = mgcv::gam, ...) {
  d <- droplevels(model.frame(f, d))
  response <- names(d)[1]
  features <- names(varied(d))[-1]
  many <- vapply(d[features], function(v) is.numeric(v) && length(unique(v)) > 10, NA)
  features[many] <- sprintf(term, features[many])
  family <- if (is.factor(d[[response]])) binomial() else stats::gaussian()
  fit <- fitted(reformulate(features, response, env = asNamespace("mgcv")), family, d, ...)
  p <- drop(predict(fit, new, type = "response"))
  if (is.factor(d[[response]])) class_of(p, d[[response]]) else p
}

forest <- function(f, d, new, ...) {
  fit <- ranger::ranger(f, d, num.threads = 1, ...)
  predict(fit, new, num.threads = 1)$predictions
}
ours <- function(cv, y, new) {
  drop(predict(cv, new, type = if (is.factor(y)) "class" else "response"))
}
sparse <- function(f, d, new, y) ours(sparserls::cv.sparserls(f, d), y, new)

methods <- list(
  sparserls = sparse,
  # Stored rows are the first call of a commit before it searched for widths.
  `sparserls one width` = function(f, d, new, y) {
    width <- sparserls::width_multiples(1)
    ours(sparserls::cv.sparserls(f, d, kernel = sparserls::kernel_gaussian(width)), y, new)
  },
  `sparserls na_level` = function(f, d, new, y) sparse(f, sparserls::na_level(d), new, y),
  ardrls = function(f, d, new, y) ours(sparserls::cv.ardrls(f, d), y, new),
  `base rate` = function(f, d, new, y) {
    if (is.factor(y)) names(which.max(table(y))) else mean(y, na.rm = TRUE)
  },
  lm = function(f, d, new, y) {
    if (!is.factor(y)) return(predict(lm(f, d), new))
    class_of(predict(glm(f, binomial(), d), new, type = "response"), y)
  },
  glmnet = function(f, d, new, y) elastic(matrices(f, d, new), 1, "lambda.1se"),
  # Five mixtures of ridge and lasso, the best lambda, the same folds.
  `glmnet tuned` = function(f, d, new, y) {
    m <- matrices(f, varied(d), new)
    elastic(m, seq(0, 1, by = 0.25), "lambda.min", foldid = sample(rep_len(1:10, length(m$y))))
  },
  mgcv = function(f, d, new, y) smooth(f, d, new),
  # REML, penalties that can take a term out, and no more basis functions than the rows allow; bam()
  # from 1000 rows.
  `mgcv tuned` = function(f, d, new, y) {
    m <- dim(matrices(f, varied(d), new)$x)
    term <- sprintf("s(%%s, k = %d)", max(3, min(10, floor(0.7 * m[1] / m[2]))))
    if (m[1] < 1000) return(smooth(f, d, new, term, method = "REML", select = TRUE))
    smooth(f, d, new, term, mgcv::bam, discrete = TRUE, select = TRUE)
  },
  svm = function(f, d, new, y) predict(e1071::svm(f, d), new),
  # 25 pairs of cost and width by five folds of at most 1000 rows, then all rows. Texts are made
  # factors: of them it refuses new rows where one is missing.
  `svm tuned` = function(f, d, new, y) {
    d <- varied(d)
    for (name in names(Filter(is.character, d))) {
      d[[name]] <- factor(d[[name]])
      new[[name]] <- factor(new[[name]], levels(d[[name]]))
    }
    p <- ncol(matrices(f, d, new)$x)
    best <- e1071::tune(e1071::svm, f, data = d[sample(nrow(d), min(nrow(d), 1000)), ],
                        ranges = list(cost = 4^(-1:3), gamma = 4^(-3:1) / p),
                        tunecontrol = e1071::tune.control(cross = 5))$best.parameters
    predict(e1071::svm(f, d, cost = best$cost, gamma = best$gamma), new)
  },
  ranger = function(f, d, new, y) forest(f, whole(d), new),
  # mtry and the size of nodes by the error out of bag of 200 trees.
  `ranger tuned` = function(f, d, new, y) {
    d <- whole(d)
    p <- ncol(new)
    grid <- expand.grid(mtry = unique(pmax(1, round(c(sqrt(p), p / 3, 2 / 3 * p, p)))),
                        size = c(1, 5, 15))
    errors <- mapply(function(mtry, size) {
      ranger::ranger(f, d, 200, mtry, min.node.size = size, num.threads = 1)$prediction.error
    }, grid$mtry, grid$size)
    best <- grid[which.min(errors), ]
    forest(f, d, new, mtry = best$mtry, min.node.size = best$size)
  }
)

fills_itself <- "sparserls na_level"         # for tables that are filled alone

# ---- one fit: a data set, a method, a split -----------------------------------------------------

# The root mean squared error over sd(y) of all rows, or the share of wrong answers.
error_of <- function(answer, y, all_y) {
  if (is.factor(y)) return(mean(as.character(answer) != y))
  sqrt(mean((answer - y)^2)) / sd(all_y, na.rm = TRUE)
}

# What a fit costs and how good it is: a list of some columns of the table. In a child process.
one_fit <- function(method, set, i) {
  d <- split_set(set, i, raw = method == fills_itself)
  f <- reformulate(".", set$response)
  y <- d$train[[set$response]]
  found <- list(train = nrow(d$train), test = nrow(d$new))
  set.seed(i)
  time <- system.time(answer <- tryCatch(
    suppressMessages(suppressWarnings(methods[[method]](f, d$train, d$new, y))),
    error = identity
  ))
  found$seconds <- round(sum(time[1:2]), 2)
  if (inherits(answer, "error")) {
    return(c(found, note = gsub("[\n\"]", " ", substr(conditionMessage(answer), 1, 100))))
  }
  c(found, error = signif(error_of(answer, d$y, set$data[[set$response]]), 5))
}

# ---- all of them --------------------------------------------------------------------------------

package_of <- function(method) {
  first <- sub(" .*", "", method)
  switch(first, base = , lm = "stats", ardrls = "sparserls", svm = "e1071", first)
}
versions <- vapply(names(methods), function(method) version_of(package_of(method)), "")
title <- paste("# Rscript bench/first-call.R; seeds are the numbers of splits; rows, seconds of",
               "the processor, error (root mean squared over sd(y), or share of wrong answers);",
               "runs:")
done <- read_stored()

rows_of <- function(set) nrow(sets[[set]]$data)
too_slow <- function(note) grepl("^over", note)     # other failures may be of one split
concerns <- function(method, name) method != fills_itself || !is.null(sets[[name]]$filled)
splits <- if (is.null(asked$splits)) 1:10 else eval(str2lang(asked$splits))
chosen <- some(asked$methods, names(methods))
absent <- chosen[is.na(versions[chosen])]
if (length(absent)) message("Not installed: ", paste(absent, collapse = ", "))
invisible(gc())                              # here, as every child would have to do it again
for (split in splits) for (name in some(asked$sets, names(sets))) {
  if (is.null(asked$splits) && split > 3 && rows_of(name) >= 1000) next
  for (method in setdiff(chosen, absent)) {
    if (!concerns(method, name) || !to_do(name, method, split, too_slow)) next
    found <- limited(parallel::mcparallel(one_fit(method, sets[[name]], split)))
    if (is.null(found)) found <- list(note = sprintf("over %d s", limit))
    row <- data.frame(set = name, method = method, split = split, train = NA, test = NA,
                      error = NA, seconds = NA, version = versions[[method]], note = "")
    row[names(found)] <- found
    store(row)
  }
}
in_order()

# ---- the table as text --------------------------------------------------------------------------

# A row per set and method, `part` of the stored table; the standard error is sd / sqrt(splits).
summary_of <- function(part) {
  error <- part$error[!is.na(part$error)]
  data.frame(set = part$set[1], method = part$method[1], error = mean(error),
             se = sd(error) / sqrt(length(error)), splits = length(error),
             seconds = median(part$seconds[!is.na(part$error)]),
             version = paste(unique(part$version), collapse = "; "),
             note = paste(unique(part$note[nzchar(part$note)]), collapse = "; "))
}
# Sets on which a method of ours has the lower mean error, on the splits of both: "9 of 12".
lower <- function(d, one, other) {
  both <- merge(d[d$method == one, ], d[d$method == other, ], by = c("set", "split"))
  both <- both[!is.na(both$error.x) & !is.na(both$error.y), ]
  gain <- tapply(both$error.y - both$error.x, both$set, mean)
  sprintf("%d of %d", sum(gain > 0), length(gain))
}
as_text <- function() {
  d <- read_stored()
  pairs <- factor(paste(d$set, d$method), unique(paste(d$set, d$method)))
  long <- do.call(rbind, lapply(split(d, pairs), summary_of))
  present <- intersect(names(methods), long$method)
  wide <- function(cells) {
    table <- tapply(ifelse(is.nan(long$error), "failed", cells), long[c("set", "method")], identity)
    print(table[unique(long$set), present], quote = FALSE, right = TRUE, na.print = "")
  }
  options(width = 200)
  cat(grep("^#", readLines(stored), value = TRUE), sep = "\n")
  cat("\nError, the mean over the splits\n\n")
  wide(sprintf("%.3f", long$error))
  own <- present[vapply(present, package_of, "") == "sparserls"]
  cat("\nSets on which those of the rows have a lower mean error than those of the columns,",
      "be it by little\n(vignette(\"comparison\") tests it, and counts filled tables apart)\n\n")
  print(t(sapply(own, function(one) {
    sapply(setdiff(present, one), function(other) lower(d, one, other))[present]
  })), quote = FALSE, right = TRUE, na.print = "")
  cat("\nSeconds of the processor, the median over the splits\n\n")
  wide(sprintf("%.2f", long$seconds))
  cat("\nIn full\n\n")
  print(transform(long, error = round(error, 4), se = round(se, 4), seconds = round(seconds, 2)),
        row.names = FALSE, right = FALSE)
}
writeLines(capture.output(invisible(as_text())), file.path(here, "first-call.txt"))
