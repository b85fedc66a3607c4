# How large the house is, beside what it should be: lines of code (neither blank nor comments
# alone), tokens of R's parser without comments, files, and the walks of tools/walks.R.
# Ends with status 1 where the house is larger than that.
#   R_LIBS=.lib Rscript tools/size.R
files <- function(folder, pattern = "[.]R$", recursive = FALSE) {
  list.files(folder, pattern, full.names = TRUE, recursive = recursive)
}
lines_of <- function(files) unlist(lapply(files, readLines, warn = FALSE))
code <- function(files, comment = "#") {
  sum(!grepl(paste0("^\\s*(", comment, "|$)"), lines_of(files)))
}
tokens <- function(files) {
  sum(vapply(files, function(file) {
    data <- utils::getParseData(parse(file, keep.source = TRUE))
    sum(data$terminal & data$token != "COMMENT")
  }, 0))
}

r <- files("R")
# Generics that a family of models answers.
verbs <- sum(grepl("UseMethod(", lines_of("R/verbs.R"), fixed = TRUE))
tests <- files("tests", recursive = TRUE)
sizes <- c(
  "R/: lines of code" = code(r), "R/: tokens" = tokens(r), "R/: files" = length(r),
  "R/: verbs" = verbs,
  "tests/: lines of R" = length(lines_of(tests)),
  "snapshots: lines" = length(lines_of(files("tests/testthat/_snaps", "[.]md$", TRUE))),
  "snapshots: pictures" = length(files("tests/testthat/_snaps", "[.]svg$", TRUE)),
  "bench/: lines but for results" =
    length(lines_of(grep("[.](txt|csv)$", files("bench", ""), invert = TRUE, value = TRUE))),
  "src/: lines of code" = code(files("src", "[.][ch]$"), "/?\\*|//")
)
# The house as it was planned, and what only the rooms built since reach: partial_effects(),
# importance(), influence(), compare(), likelihoods in chunks, maps of ardrls() and the like.
planned <- c(14300, 162000, 130, 37, 20000, 3000, 20, 5200, NA)
since <- c(1427, 17590, 0, 0, 1661, 0, 0, 0, NA)
goals <- planned + since
print(data.frame(now = sizes, goal = goals))
cat("\n")
source("tools/walks.R")

# Files that a walk may enter, and calls that one prediction may make.
at_most <- c("cv.sparserls(groups = )" = 40, "predict(cv) of one row" = 12)
above <- c(
  names(sizes)[which(sizes > goals)],
  names(at_most)[found$files[match(names(at_most), found$walk)] > at_most],
  if (found$calls[found$walk == "predict(cv) of one row"] > 60) "calls of predict(cv)"
)
if (length(above)) {
  cat("\nAbove the goal:", paste(above, collapse = "; "), "\n")
  quit(status = 1)
}
