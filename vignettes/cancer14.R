# The 14-cancers data of the article fourteen-cancers and of bench/fourteen-cancers.R: expressions
# of 16,063 genes in tumours of 144 training and 54 test patients, the files of The Elements of
# Statistical Learning; and simulated expressions of their shape. Both are a list of `train` and
# `test`, each a list of `x`, patients x genes, and `y`, their classes.
#
#   Ramaswamy, S. and others (2001) Multiclass cancer diagnosis using tumor gene expression
#   signatures. Proceedings of the National Academy of Sciences 98, 15149-15154.

cancer14_classes <- c("breast", "prostate", "lung", "colorectal", "lymphoma", "bladder", "melanoma",
                      "uterus", "leukemia", "renal", "pancreas", "ovary", "mesothelioma", "cns")

# Patients of each class.
cancer14_counts <- list(
  train = c(8L, 8L, 8L, 8L, 16L, 8L, 8L, 8L, 24L, 8L, 8L, 8L, 8L, 16L),
  test = c(4L, 6L, 4L, 4L, 6L, 3L, 2L, 2L, 6L, 3L, 3L, 4L, 3L, 4L)
)

# From a folder with the four files, which are fetched (30 MB) where they are not there.
cancer14 <- function(folder = tools::R_user_dir("sparserls", "cache"), fetch = TRUE,
                     genes = 16063L) {
  dir.create(folder, showWarnings = FALSE, recursive = TRUE)
  old <- options(timeout = max(600, getOption("timeout")))
  on.exit(options(old))
  for (name in paste0("14cancer.", c("xtrain", "ytrain", "xtest", "ytest"))) {
    file <- file.path(folder, name)
    if (file.exists(file)) next
    if (!fetch) stop(file, " is not there")
    # Moved into place when it is whole.
    part <- tempfile(name, folder)
    utils::download.file(paste0("https://hastie.su.domains/ElemStatLearn/datasets/", name), part)
    file.rename(part, file)
  }
  part <- function(name) {
    counts <- cancer14_counts[[name]]
    read <- function(kind) scan(file.path(folder, paste0("14cancer.", kind, name)), quiet = TRUE)
    # The file has one row per gene: read row by row it fills the columns of patients x genes.
    x <- matrix(read("x"), sum(counts))
    y <- read("y")
    stopifnot(ncol(x) == genes, all(is.finite(x)), identical(tabulate(y, 14), counts))
    list(x = x, y = factor(cancer14_classes[y], cancer14_classes))
  }
  list(train = part("train"), test = part("test"))
}

# The expression of a gene is its mean (normal, standard deviation 1) plus the effects of 30
# pathways plus noise (standard deviation 1). A pathway has loadings on 5 per cent of the genes
# (standard deviation 0.5); a patient's value of it is normal around a mean of the class, which is
# normal with standard deviation 0.5. Every class has `markers` genes, drawn anew for each, that are
# shifted in its patients by 1 + an exponential variable of mean 0.5, up or down; in one of ten
# patients of any class they are not. A patient's chip has an offset and a gain of its own.
simulate_cancer14 <- function(genes = 16063, markers = 50) {
  model <- list(
    mean = rnorm(genes),
    factors = matrix(rnorm(length(cancer14_classes) * 30, sd = 0.5), ncol = 30),
    loadings = matrix(rnorm(30 * genes, sd = 0.5) * (runif(30 * genes) < 0.05), 30),
    shift = matrix(vapply(cancer14_classes, function(class) marker_shift(genes, markers),
                          numeric(genes)), ncol = genes, byrow = TRUE)
  )
  list(train = simulate_patients(cancer14_counts$train, model),
       test = simulate_patients(cancer14_counts$test, model))
}

marker_shift <- function(genes, markers) {
  shift <- numeric(genes)
  shift[sample.int(genes, markers)] <- sample(c(-1, 1), markers, TRUE) * (1 + rexp(markers, 2))
  shift
}

simulate_patients <- function(counts, model) {
  class <- rep(seq_along(counts), counts)
  m <- length(class)
  genes <- length(model$mean)
  typical <- runif(m) >= 0.1
  factors <- model$factors[class, ] + rnorm(30 * m)
  x <- rep(model$mean, each = m) + factors %*% model$loadings +
    typical * model$shift[class, ] + matrix(rnorm(m * genes), m)
  x <- rnorm(m, sd = 0.5) + exp(rnorm(m, sd = 0.2)) * x
  list(x = x, y = factor(cancer14_classes[class], cancer14_classes))
}
