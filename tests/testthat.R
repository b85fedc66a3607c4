library(testthat)
library(sparserls)

# On CRAN, where a check must be short, files of tests that take long are left out. `make test` and
# .ci/run have them all.
long <- c(
  "ardrls", "ardrls-basis", "ardrls-kinds", "calibration", "caret", "checkpoint", "chunk-family",
  "chunk-map", "chunk-workers", "chunks", "chunks-hands", "chunks-own", "chunks-sources",
  "class-weights", "cv-ardrls", "cv-compare", "cv-gradient", "cv-rls2", "edge", "edited-objects",
  "effect-balance", "effect-carriers", "effect-curve", "effect-importance", "effect-partial",
  "effect-print", "effects-debiased", "factors", "family-effects", "family-tools", "fit",
  "folds-omit", "glm-engine", "gp-view", "influence", "jackknife", "kernel-map", "map-gradient",
  "marginaleffects", "memory", "methods-of-others", "mlr3", "model-methods", "nested", "outside",
  "parallel", "parsnip", "plots-drawn", "plots-effects", "plots-lines", "real-data", "redundant",
  "refuse-checkpoint", "refuse-chunks", "refuse-sources", "reselect", "rls2", "scaling",
  "session", "superlearner", "threads", "vcov", "width-search"
)
on_cran <- !identical(Sys.getenv("NOT_CRAN"), "true")
test_check("sparserls", invert = on_cran,
           filter = if (on_cran) sprintf("^(%s)$", paste(long, collapse = "|")))
