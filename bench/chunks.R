# Rows in chunks: what they cost beside the same rows in memory.
#
#   Rscript bench/chunks.R make FOLDER ROWS       Parquet files of 100,000 rows, 20 features
#   Rscript bench/chunks.R parquet FOLDER ROWS    ten folds, 50 lambdas, n = 300, from these files
#   Rscript bench/chunks.R function - ROWS        the same from a function
#   Rscript bench/chunks.R text FOLDER ROWS       the same from text (of the Parquet files)
#   Rscript bench/chunks.R memory FOLDER ROWS     the same in memory, from the Parquet files
#   Rscript bench/chunks.R workers - ROWS         1, 2, 4 and 8 workers, beside the article's formula
#
# Prints processor time (children included), the peak memory of the process, and what reading alone
# takes. One thread of BLAS: set OPENBLAS_NUM_THREADS=1.
suppressMessages(library(sparserls))
source("bench/store.R")
say_provenance()

arguments <- commandArgs(TRUE)
task <- arguments[1]
folder <- arguments[2]
rows <- as.numeric(arguments[3])
each <- 1e5
each_task <- 1e5

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
              task, rows, seconds, 2 * reading, megabytes("VmHWM")))
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
                megabytes("VmHWM")))
  },
  workers = {
    on_workers <- function(workers) {
      if (workers == 1) future::plan(future::sequential)
      else future::plan(future::multisession, workers = workers)
      once <- function(rows) {
        make <- make_rows                  # workers know what is here, not what is in this session
        size <- each_task
        set.seed(1)
        source <- chunks_function(rows / size, function(i) make(i, size))
        suppressMessages(cv.sparserls(y ~ ., source, basis = basis_random(300), nfolds = 10,
                                      kernel = kernel_gaussian(0.025), progress = FALSE))
      }
      if (workers > 1) once(2 * workers * each_task)        # workers have loaded what they need
      time <- system.time(cv <- once(rows))
      tasks <- ceiling(rows / each_task / 2^sparserls:::task_level(rows / each_task, workers))
      data.frame(workers, elapsed = time[[3]], main = sum(time[1:2]), tasks, error = min(cv$cvm))
    }
    ran <- do.call(rbind, lapply(c(1, 2, 4, 8), on_workers))
    # vignette("large-data"): the computation shared by as many workers as there are processors, and
    # what the main process receives and adds, one task after the other.
    cores <- parallel::detectCores()
    each_received <- median((ran$main / ran$tasks)[-1])
    ran$formula <- ran$elapsed[1] / pmin(ran$workers, cores) +
      ifelse(ran$workers > 1, each_received * ran$tasks, 0)
    print(ran, row.names = FALSE, digits = 4)
    cat(sprintf("%d processors; the main process takes %.4f s for a task; same bits: %s\n", cores,
                each_received, length(unique(ran$error)) == 1))
  }
))
