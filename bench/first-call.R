# The first call on an ordinary table: the error on new rows of what a user writes first, on the tables of first-call-data.R; seconds of the processor too.
#
#   OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 Rscript bench/first-call.R [key=value ...]     (Linux)
#
#   splits=1:3           all that a data set has by default: 10, or 3 of 1000 rows and more
#   sets=servo,ames      methods="sparserls,lm"     sets, and methods, left out: all
#   commit=c631501       of the sparserls that is installed; by default that of this folder
#   again=yes            does anew what another version of a method's package has stored
#
# Stored are vignettes/articles/stored/first-call.csv, a row per fit, which can be resumed at any time (see
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
source(file.path(here, "parts.R"))
source(file.path(here, "first-call-data.R"))
source(file.path(here, "many-fits.R"))
stored <- file.path(here, "..", "vignettes", "articles", "stored", "first-call.csv")
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

# ---- methods: predictions of the rows of `new` ---------------------------------------------------

# Numbers, or probabilities of the second of two classes. y ~ ., the training rows, new rows, and the
# responses of the training rows.
whole <- function(d) d[complete.cases(d), ]

# Indicators as model.matrix() makes them, of the new rows with the levels of the training rows.
matrices <- function(f, d, new) {
  frame <- model.frame(f, d)
  terms <- terms(frame)
  new <- model.frame(delete.response(terms), new, xlev = .getXlevels(terms, frame))
  list(x = model.matrix(terms, frame)[, -1], y = model.response(frame),
       new = model.matrix(delete.response(terms), new)[, -1])
}

# Smooth terms of numbers with more than ten values; all else that varies as it is.
smooth <- function(f, d, new) {
  d <- droplevels(model.frame(f, d))
  response <- names(d)[1]
  features <- names(Filter(function(column) length(unique(column)) > 1, d))[-1]
  many <- vapply(d[features], function(v) is.numeric(v) && length(unique(v)) > 10, NA)
  features[many] <- sprintf("s(%s)", features[many])
  family <- if (is.factor(d[[response]])) binomial() else stats::gaussian()
  fit <- mgcv::gam(reformulate(features, response, env = asNamespace("mgcv")), family, d)
  drop(predict(fit, new, type = "response"))
}

ours <- function(cv, y, new) {
  if (!is.factor(y)) return(drop(predict(cv, new)))
  predict(cv, new, type = "prob")[, levels(y)[2]]
}
sparse <- function(f, d, new, y, ...) ours(sparserls::cv.sparserls(f, d, ...), y, new)

methods <- list(
  sparserls = sparse,
  # The first call before it searched for shapes of kernels.
  `sparserls gaussian` = function(f, d, new, y) {
    sparse(f, d, new, y, kernel = sparserls::kernel_gaussian())
  },
  `sparserls na_level` = function(f, d, new, y) sparse(f, sparserls::na_level(d), new, y),
  ardrls = function(f, d, new, y) ours(sparserls::cv.ardrls(f, d), y, new),
  `base rate` = function(f, d, new, y) mean(if (is.factor(y)) y == levels(y)[2] else y, na.rm = TRUE),
  lm = function(f, d, new, y) {
    if (!is.factor(y)) return(predict(lm(f, d), new))
    predict(glm(f, binomial(), d), new, type = "response")
  },
  glmnet = function(f, d, new, y) {
    m <- matrices(f, d, new)
    fit <- glmnet::cv.glmnet(m$x, m$y, family = if (is.factor(y)) "binomial" else "gaussian")
    drop(predict(fit, m$new, type = "response"))
  },
  mgcv = function(f, d, new, y) smooth(f, d, new),
  svm = function(f, d, new, y) {
    found <- predict(e1071::svm(f, d, probability = is.factor(y)), new, probability = is.factor(y))
    if (is.factor(y)) attr(found, "probabilities")[, levels(y)[2]] else found
  },
  ranger = function(f, d, new, y) {
    fit <- ranger::ranger(f, whole(d), num.threads = 1, probability = is.factor(y))
    found <- predict(fit, new, num.threads = 1)$predictions
    if (is.factor(y)) found[, levels(y)[2]] else found
  }
)

fills_itself <- "sparserls na_level"         # for tables that are filled alone

# ---- one fit: a data set, a method, a split -----------------------------------------------------

# The root mean squared error over sd(y) of all rows, or the log loss of probabilities, none of them
# nearer to 0 or 1 than a thousandth (a forest of 500 trees can say 0).
error_of <- function(answer, y, all_y) {
  if (!is.factor(y)) return(sqrt(mean((answer - y)^2)) / sd(all_y, na.rm = TRUE))
  p <- pmin(pmax(answer, 0.001), 0.999)
  -mean(log(ifelse(y == levels(y)[2], p, 1 - p)))
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
               "the processor, error (root mean squared over sd(y), or log loss of two classes);",
               "runs:")
done <- read_stored()

rows_of <- function(set) nrow(sets[[set]]$data)
too_slow <- function(note) grepl("^over", note)     # other failures may be of one split
concerns <- function(method, name) method != fills_itself || !is.null(sets[[name]]$filled)
splits <- if (is.null(asked$splits)) 1:10 else eval(str2lang(asked$splits))
present <- present_methods()
invisible(gc())                              # here, as every child would have to do it again
for (split in splits) for (name in some(asked$sets, names(sets))) {
  if (is.null(asked$splits) && split > 3 && rows_of(name) >= 1000) next
  for (method in present) {
    if (!concerns(method, name) || !to_do(name, method, split, too_slow)) next
    found <- limited(parallel::mcparallel(one_fit(method, sets[[name]], split)))
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
      "be it by little\n(the article \"comparison\" tests it, and counts filled tables apart)\n\n")
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
