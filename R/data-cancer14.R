# The 14-cancers data: fetched once, checked, kept in the user's cache.

cancer14_classes <- c("breast", "prostate", "lung", "colorectal", "lymphoma", "bladder", "melanoma",
                      "uterus", "leukemia", "renal", "pancreas", "ovary", "mesothelioma", "cns")

# Patients of each class.
cancer14_counts <- list(
  train = c(8L, 8L, 8L, 8L, 16L, 8L, 8L, 8L, 24L, 8L, 8L, 8L, 8L, 16L),
  test = c(4L, 6L, 4L, 4L, 6L, 3L, 2L, 2L, 6L, 3L, 3L, 4L, 3L, 4L)
)
cancer14_genes <- 16063L

cancer14_files <- paste0("14cancer.", c("xtrain", "ytrain", "xtest", "ytest"))
cancer14_url <- "https://hastie.su.domains/ElemStatLearn/datasets/"

#' The 14-cancers data
#'
#' Expressions of 16,063 genes in tumours of 144 training and 54 test patients, of 14 classes: the
#' files of *The Elements of Statistical Learning*. They are fetched from the book's web site (about
#' 30 MB) when they are asked for the first time, checked, and kept as one compressed file in the
#' folder `tools::R_user_dir("sparserls", "cache")`; delete that file to be rid of them.
#'
#' @param path a folder with the four files `14cancer.xtrain`, `14cancer.ytrain`, `14cancer.xtest`
#'   and `14cancer.ytest` (also with the ending `.txt` or `.gz`), one row per gene and one column
#'   per patient, or with the file that an earlier call has kept. Nothing is fetched or kept then.
#' @return A list of `train` and `test`, each a list of `x`, a matrix with one row per patient and
#'   one column per gene (as supplied: not standardized), and `y`, the class of each, a factor.
#' @section Errors: `sparserls_error_download` where a file cannot be fetched or kept;
#'   `sparserls_error_data` for files that are missing or do not have the right sizes, numbers or
#'   classes. Nothing half-written is kept.
#' @references Ramaswamy, S. and others (2001) Multiclass cancer diagnosis using tumor gene
#'   expression signatures. *Proceedings of the National Academy of Sciences* 98, 15149-15154.
#'
#'   Hastie, T., Tibshirani, R. and Friedman, J. (2009) *The Elements of Statistical Learning*,
#'   second edition, chapter 18. Springer.
#' @seealso [simulate_cancer14()]; `vignette("fourteen-cancers")`
#' @examples
#' \dontrun{
#' data <- cancer14() # fetches 30 MB, once
#' table(data$train$y)
#' }
#' @export
cancer14 <- function(path = NULL) {
  if (!is.null(path)) return(read_cancer14(check_folder(path)))
  cache <- tools::R_user_dir("sparserls", "cache")
  if (!file.exists(cancer14_kept(cache))) keep_cancer14(cache, cancer14_url)
  read_kept(cancer14_kept(cache))
}

cancer14_kept <- function(folder) file.path(folder, "14cancer.rds")

check_folder <- function(path) {
  if (!is.character(path) || length(path) != 1 || is.na(path) || !dir.exists(path)) {
    abort("data", "`path` must be a folder.", describe(path),
          sprintf("It should hold the files %s.", enumerate(cancer14_files)))
  }
  path
}

# ---- fetching -----------------------------------------------------------------------

# The files are fetched into a temporary folder; what is kept is moved into place in one step.
keep_cancer14 <- function(cache, url, genes = cancer14_genes) {
  folder <- tempfile("cancer14")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  for (file in cancer14_files) fetch_file(paste0(url, file), file.path(folder, file))
  data <- read_cancer14(folder, genes)
  dir.create(cache, showWarnings = FALSE, recursive = TRUE)
  part <- tempfile("14cancer", cache)
  on.exit(unlink(part), add = TRUE)
  written <- tryCatch({
    saveRDS(data, part, compress = "xz")
    file.rename(part, cancer14_kept(cache))
  }, error = function(e) FALSE, warning = function(w) FALSE)
  if (!written) {
    abort("download", "The data cannot be kept.", cache, "Is the folder writable, the disk full?")
  }
}

fetch_file <- function(url, to) {
  old <- options(timeout = max(600, getOption("timeout")))
  on.exit(options(old))
  problem <- tryCatch({
    code <- utils::download.file(url, to, quiet = TRUE, mode = "wb")
    if (code != 0) sprintf("download.file() answered %d", code)
  }, error = conditionMessage, warning = conditionMessage)
  if (is.null(problem) && !file.exists(to)) problem <- "no file has come"
  if (!is.null(problem)) {
    abort("download", "A file of the 14-cancers data could not be fetched.", c(url, problem),
          sprintf("By hand: save %s from %s in a folder and call cancer14(path = <folder>).",
                  enumerate(cancer14_files), cancer14_url))
  }
}

# ---- reading ------------------------------------------------------------------------

read_cancer14 <- function(folder, genes = cancer14_genes) {
  kept <- cancer14_kept(folder)
  if (file.exists(kept)) return(read_kept(kept, genes))
  part <- function(name) {
    counts <- cancer14_counts[[name]]
    x <- scan_numbers(folder, paste0("14cancer.x", name), genes * sum(counts), sum(counts))
    y <- scan_numbers(folder, paste0("14cancer.y", name), sum(counts))
    # The file has one row per gene: read row by row it fills the columns of patients x genes.
    check_patients(list(x = matrix(x, sum(counts)), y = y), counts, name)
  }
  list(train = part("train"), test = part("test"))
}

# columns: numbers in the first line, where that matters.
scan_numbers <- function(folder, name, length, columns = NULL) {
  candidates <- file.path(folder, paste0(name, c("", ".txt", ".gz", ".txt.gz")))
  file <- candidates[file.exists(candidates)][1]
  if (is.na(file)) {
    abort("data", sprintf("The file %s is missing.", name), folder,
          sprintf("Save it from %s.", cancer14_url))
  }
  numbers <- tryCatch(scan(file, quiet = TRUE), error = function(e) {
    abort("data", sprintf("The file %s does not hold numbers only.", name), conditionMessage(e),
          "Save it again.")
  })
  if (!is.null(columns) && length(scan(file, nlines = 1, quiet = TRUE)) != columns) {
    abort("data", sprintf("Every line of %s must hold %d numbers, one for each patient.", name,
                          columns), NULL, "It may be transposed or damaged: save it again.")
  }
  if (length(numbers) != length || !all(is.finite(numbers))) {
    abort("data", sprintf("The file %s must hold %d finite numbers.", name, length),
          sprintf("%d, of which %d are finite", length(numbers), sum(is.finite(numbers))),
          "It may be incomplete: save it again.")
  }
  numbers
}

check_patients <- function(patients, counts, name) {
  y <- patients$y
  found <- if (all(y %in% seq_along(counts))) tabulate(y, length(counts))
  if (!identical(found, counts)) {
    abort("data", sprintf("The classes in 14cancer.y%s are not those of the data.", name),
          sprintf("patients per class: %s",
                  if (is.null(found)) "other numbers than 1 to 14" else toString(found)),
          sprintf("They must be %s.", toString(counts)))
  }
  patients$y <- factor(cancer14_classes[y], cancer14_classes)
  patients
}

read_kept <- function(file, genes = cancer14_genes) {
  data <- tryCatch(readRDS(file), error = function(e) NULL)
  fine <- is.list(data) && all(vapply(c("train", "test"), function(name) {
    part <- data[[name]]
    is.list(part) && is.factor(part$y) && identical(levels(part$y), cancer14_classes) &&
      is.double(part$x) &&
      identical(dim(part$x), c(sum(cancer14_counts[[name]]), genes)) && all(is.finite(part$x)) &&
      identical(as.integer(table(part$y)), cancer14_counts[[name]])
  }, NA))
  if (!fine) {
    abort("data", "The kept file of the 14-cancers data is damaged.", file,
          "Delete it; cancer14() fetches the data again.")
  }
  data
}
