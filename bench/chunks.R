# Rows in chunks: what they cost beside the same rows in memory.
#
#   Rscript bench/chunks.R make FOLDER ROWS       Parquet files of 100,000 rows, 20 features
#   Rscript bench/chunks.R parquet FOLDER ROWS    ten folds, 50 lambdas, n = 300, from these files
#   Rscript bench/chunks.R function - ROWS        the same from a function
#   Rscript bench/chunks.R text FOLDER ROWS       the same from text (of the Parquet files)
#   Rscript bench/chunks.R memory FOLDER ROWS     the same in memory, from the Parquet files
#   Rscript bench/chunks.R workers FOLDER ROWS    from Parquet, one and two workers, elapsed seconds
#
# Prints processor time (children included), the peak memory of the process, and what reading alone
# takes. One thread of BLAS: set OPENBLAS_NUM_THREADS=1.
suppressMessages(library(sparserls))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "store.R"))
say_provenance()

arguments <- commandArgs(TRUE)
task <- arguments[1]
folder <- arguments[2]
rows <- as.numeric(arguments[3])
each <- 1e5

make_rows <- function(i, each = 1e5) {
  set.seed(i)
  x <- matrix(rnorm(each * 20), each)
  data <- as.data.frame(x)
  data$y <- sin(x[, 1]) + x[, 2] * x[, 3] + rnorm(each) / 3
  data
}

files <- function() head(sort(list.files(folder, "parquet$", full.names = TRUE)), rows / each)

used <- function(code) {
  time <- system.time(code)
  sum(time[c("user.self", "sys.self", "user.child", "sys.child")], na.rm = TRUE)
}

peak <- function() {
  status <- readLines("/proc/self/status")
  as.numeric(gsub("[^0-9]", "", grep("VmHWM", status, value = TRUE))) / 1024
}

read_all <- function(source) {
  for (i in seq_len(length(source))) sparserls:::read_chunk(source, i)
}

run <- function(source) {
  reading <- used(read_all(source))
  set.seed(1)
  seconds <- used(cv <- suppressMessages(cv.sparserls(y ~ ., source, basis = basis_random(300),
                                                      kernel = kernel_gaussian(0.025),
                                                      progress = FALSE)))
  cat(sprintf("%s, %.0f rows: %.1f s of processor time, two times reading %.1f s, peak %.0f MB\n",
              task, rows, seconds, 2 * reading, peak()))
  cat(sprintf("error %.10f at lambda %.6g\n", min(cv$cvm), cv$lambda.min))
  cv
}

invisible(switch(task,
  make = {
    dir.create(folder, FALSE)
    for (i in seq_len(rows / each)) {
      nanoparquet::write_parquet(make_rows(i), file.path(folder, sprintf("part-%04d.parquet", i)))
    }
  },
  parquet = run(chunks_files(files())),
  `function` = run(chunks_function(rows / 5e4, function(i) make_rows(i, 5e4))),
  text = {
    file <- file.path(folder, "all.csv")
    if (!file.exists(file)) {
      for (path in files()) {
        data.table::fwrite(nanoparquet::read_parquet(path), file, append = file.exists(file))
      }
    }
    run(chunks_files(file))
  },
  memory = {
    data <- do.call(rbind, lapply(files(), nanoparquet::read_parquet))
    set.seed(1)
    basis <- sample(rows, 300)
    seconds <- used(cv <- suppressMessages(cv.sparserls(
      y ~ ., as.data.frame(data), basis = basis, kernel = kernel_gaussian(0.025), progress = FALSE
    )))
    cat(sprintf("memory, %.0f rows: %.1f s of processor time, peak %.0f MB\n", rows, seconds,
                peak()))
  },
  workers = {
    source <- chunks_files(files())
    elapsed <- function() {
      set.seed(1)
      system.time(cv <<- suppressMessages(cv.sparserls(y ~ ., source, basis = 300,
                                                       kernel = kernel_gaussian(0.025),
                                                       progress = FALSE)))[[3]]
    }
    future::plan(future::multisession, workers = 2)
    first <- elapsed()
    two <- elapsed()
    of_two <- cv
    future::plan(future::sequential)
    one <- elapsed()
    cat(sprintf("one process %.1f s, two workers %.1f s: %.2f times; same bits: %s\n", one, two,
                one / two, identical(cv$cvm, of_two$cvm)))
  }
))
