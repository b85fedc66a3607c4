# What the articles have in common. Figures of 32 colours take a quarter of the space, where pngquant
# is installed, as it should be where a release is built.
knitr::opts_chunk$set(collapse = TRUE, comment = "#>", dpi = 96, fig.width = 7, out.width = "100%")
if (nzchar(Sys.which("pngquant"))) {
  knitr::knit_hooks$set(pngquant = knitr::hook_pngquant)
  knitr::opts_chunk$set(pngquant = "--speed=1 32")
}
