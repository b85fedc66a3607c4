# What the articles have in common. With pngquant, which whoever builds a release should have,
# figures have 16 colours and take a fifth of the space.
knitr::opts_chunk$set(collapse = TRUE, comment = "#>", dpi = 96, fig.width = 7, out.width = "100%")
if (nzchar(Sys.which("pngquant"))) {
  knitr::knit_hooks$set(pngquant = knitr::hook_pngquant)
  knitr::opts_chunk$set(pngquant = "--speed=1 16")
}
