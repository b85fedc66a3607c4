library(testthat)
library(sparserls)

# On CRAN, where a check must be short, files of tests that take long are left out. `make test` and
# .ci/run have them all.
long <- c(
  "calibration", "cancer14", "checkpoint", "chunk-map", "chunk-workers", "chunks-hands",
  "chunks-own", "chunks-real", "chunks-sources", "class-weights", "damaged", "edge",
  "effects-debiased", "effects-few", "effects-jackknife", "errors-chunks", "errors-chunks-sources",
  "family-effects", "fold-coefficients", "gp-view", "jackknife", "kernel-map", "map-gradient",
  "marginaleffects", "memory", "memory-limit", "mlr3", "nested", "own-measures", "parallel",
  "plots-drawn", "real-data", "reselect", "threads", "verbs"
)
on_cran <- !identical(Sys.getenv("NOT_CRAN"), "true")
test_check("sparserls", invert = on_cran,
           filter = if (on_cran) sprintf("^(%s)$", paste(long, collapse = "|")))
