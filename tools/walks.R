# How far a reader walks: for nine usual calls the files of R/ that they enter, the functions that
# they meet, the calls of these, and the moves, calls from a function of one file to one of another.
#   R_LIBS=.lib Rscript tools/walks.R
library(sparserls)
space <- asNamespace("sparserls")

home <- unlist(lapply(list.files("R", "[.]R$", full.names = TRUE), function(file) {
  named <- Filter(function(x) is.call(x) && identical(x[[1]], as.name("<-")) && is.name(x[[2]]),
                  as.list(parse(file, keep.source = FALSE)))
  setNames(rep(basename(file), length(named)), vapply(named, function(x) as.character(x[[2]]), ""))
}))

# Every function says that it has been entered. `stack[depth]` is the file of the function in frame
# `depth`: frames that are deeper than the new one are gone.
walk <- new.env()
entered <- function(file, name, depth) {
  walk$stack <- walk$stack[walk$depth < depth]
  walk$depth <- walk$depth[walk$depth < depth]
  if (length(walk$stack) && walk$stack[length(walk$stack)] != file) walk$moves <- walk$moves + 1
  walk$stack <- c(walk$stack, file)
  walk$depth <- c(walk$depth, depth)
  walk$files[[file]] <- TRUE
  walk$functions[[name]] <- TRUE
  walk$calls <- walk$calls + 1
}

methods <- get(".__S3MethodsTable__.", space)
for (name in names(home)) {
  f <- get0(name, space, inherits = FALSE)
  if (!is.function(f)) next
  body(f) <- bquote({
    .(entered)(.(home[[name]]), .(name), sys.nframe())
    .(body(f))
  })
  unlockBinding(name, space)
  assign(name, f, space)
  if (exists(name, methods, inherits = FALSE)) assign(name, f, methods)
  public <- as.environment("package:sparserls")
  if (exists(name, public, inherits = FALSE)) {
    unlockBinding(name, public)
    assign(name, f, public)
  }
}

walked <- function(what, code) {
  walk$stack <- character()
  walk$depth <- integer()
  walk$files <- walk$functions <- list()
  walk$moves <- walk$calls <- 0
  suppressMessages(force(code))
  data.frame(walk = what, files = length(walk$files), functions = length(walk$functions),
             calls = walk$calls, moves = walk$moves)
}

set.seed(1)
x <- matrix(rnorm(2000 * 10), 2000)
y <- sin(x[, 1]) + x[, 2] + rnorm(2000) / 4
large <- sparserls::sparserls(x, y, basis = 1:1000, lambda = 1)
searched <- sparserls::cv.sparserls(x, y, basis = 1:30, nlambda = 10, progress = FALSE)
few <- 1:120
frame <- data.frame(y = y, x)[few, ]
group <- rep(1:12, 10)
found <- rbind(
  walked("sparserls(formula)", sparserls::sparserls(y ~ ., frame, basis = 30, nlambda = 10)),
  walked("cv.sparserls(groups = )",
         sparserls::cv.sparserls(y ~ ., frame, basis = 30, groups = group, progress = FALSE,
                                 nlambda = 10)),
  walked("cv.rls()", sparserls::cv.rls(x[few, ], y[few], progress = FALSE)),
  walked("cv.greedyrls()", sparserls::cv.greedyrls(x[few, ], y[few], k = 4, progress = FALSE)),
  walked("cv.rls2()", sparserls::cv.rls2(x[few, ], y[few], nlambda = 10, progress = FALSE)),
  walked("cv.ardrls()", sparserls::cv.ardrls(x[few, ], y[few], basis = 20, npenalty = 2, maxit = 3,
                                             outer = "split", progress = FALSE)),
  walked("cv.sparserls(chunks)",
         sparserls::cv.sparserls(y ~ ., sparserls::chunks_function(2, function(i) {
           frame[(i - 1) * 60 + 1:60, ]
         }), basis = 20, nfolds = 3, nlambda = 10, progress = FALSE)),
  walked("predict() of one row", predict(large, x[1, , drop = FALSE])),
  walked("predict(cv) of one row", predict(searched, x[1, , drop = FALSE]))
)
print(found, row.names = FALSE)
