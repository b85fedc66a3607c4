# The pictures of README: its lines on visits of patients, and the two plots that they draw.
#   Usage, from the package's root: Rscript tools/readme-figures.R

lines <- readLines("README.md")
start <- match("library(sparserls)", lines)
code <- parse(text = lines[seq(start, length.out = match("```", lines[-seq_len(start)]))])
calls <- vapply(code, function(line) deparse(line)[1], "")
drawn <- c(lambda = grep("^plot\\(cv", calls), effect = grep("^plot\\(effect", calls))
stopifnot(identical(names(drawn), c("lambda", "effect"))) # each is there, once

set.seed(1)                      # the basis is drawn at random
dir.create(file.path("man", "figures"), showWarnings = FALSE)
for (line in code[setdiff(seq_along(code), drawn)]) eval(line)
for (name in names(drawn)) {
  png(file.path("man", "figures", paste0("README-", name, ".png")), width = 540, height = 405,
      res = 90)
  par(mar = c(4.5, 4.5, 4, 1))
  eval(code[[drawn[[name]]]])
  dev.off()
}
