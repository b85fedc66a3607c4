# Rebuilds data/prostate.rda. Run from the package's root:  Rscript data-raw/prostate.R
#
# The 97 rows are taken from the CRAN package genridge, which carries them with the `train` column
# of The Elements of Statistical Learning. Only its source is unpacked, nothing is installed.

if (identical(getOption("repos")[["CRAN"]], "@CRAN@")) {
  options(repos = c(CRAN = "https://cloud.r-project.org"))
}

where <- tempfile("genridge")
dir.create(where)
tarball <- download.packages("genridge", where, type = "source", quiet = TRUE)[1, 2]
untar(tarball, exdir = where)
source_env <- new.env()
load(file.path(where, "genridge", "data", "prostate.RData"), envir = source_env)

columns <- c(
  "lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45", "lpsa", "train"
)
prostate <- data.frame(lapply(source_env$prostate[columns], as.vector))

sums <- c(
  lcavol = 130.950929, lweight = 352.007438, age = 6195, lbph = 9.734494, svi = 21,
  lcp = -17.398461, gleason = 655, pgg45 = 2365, lpsa = 240.403527, train = 67
)
stopifnot(
  nrow(prostate) == 97,
  identical(names(prostate), columns),
  identical(attr(prostate, "row.names"), 1:97),
  !anyNA(prostate),
  all(abs(colSums(prostate) - sums[columns]) < 1e-6),
  is.logical(prostate$train),
  sum(prostate$train) == 67, sum(!prostate$train) == 30,
  # the corrected prostate weight, 44.9 g (the book's first edition printed 449 g)
  abs(prostate$lweight[32] - log(44.9)) < 1e-5,
  # the book's intercept for centred predictors: the mean response of the training rows
  abs(mean(prostate$lpsa[prostate$train]) - 2.452345) < 1e-6
)

save(prostate, file = file.path("data", "prostate.rda"), compress = "xz", version = 2)
