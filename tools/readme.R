# README's lines: runs the block that begins with library(sparserls), writes below each of its lines
# what it prints, and draws the picture, man/figures/README.png, by the line that plots.
#   Usage, from the package's root: Rscript tools/readme.R

# Where the code of that block is among the lines of README.
readme_block <- function(readme) {
  start <- match("library(sparserls)", readme)
  seq(start, length.out = match("```", readme[-seq_len(start)]))
}

# The lines of the block with what each of them prints, whatever the block had shown; `picture` is
# called with the call that plots.
readme_shown <- function(block, picture) {
  code <- grep("^#>", block, value = TRUE, invert = TRUE)
  parsed <- parse(text = code, keep.source = TRUE)
  made <- new.env()
  unlist(Map(function(call, place) {
    said <- if (identical(call[[1]], quote(plot))) picture(call, made) else {
      utils::capture.output({
        value <- withVisible(suppressMessages(eval(call, made)))
        if (value$visible) print(value$value)
      })
    }
    c(code[place[1]:place[3]], sub(" +$", "", paste("#>", said, recycle0 = TRUE)))
  }, as.list(parsed), attr(parsed, "srcref")))
}

draw_readme <- function(call, made) {
  grDevices::png("man/figures/README.png", width = 1000, height = 500, res = 120)
  on.exit(grDevices::dev.off())
  graphics::par(mar = c(4.5, 4.5, 2, 1))
  eval(call, made)
  NULL
}

if (sys.nframe() == 0) {
  options(width = 80)
  readme <- readLines("README.md")
  at <- readme_block(readme)
  shown <- readme_shown(readme[at], draw_readme)
  writeLines(c(readme[seq_len(at[1] - 1)], shown, readme[-seq_len(at[length(at)])]), "README.md")
}
