# Formulas of a built site as MathML, which browsers show without scripts of other sites: pkgdown
# leaves TeX in its pages, and Debian's looks for MathJax in a folder of the machine that built
# them.
#   Usage: Rscript tools/site-math.R [site]

formula <- "(?s)<span class=\"math (inline|display)\">\\s*\\\\[(\\[](.*?)\\\\[)\\]]\\s*</span>"
mathjax <- "(?s)<!-- mathjax -->\\s*(<script[^>]*mathjax[^>]*></script>\\s*)*"

# All formulas of a page by one call of pandoc, a paragraph for each.
as_mathml <- function(spans) {
  tex <- gsub("&lt;", "<", gsub("&gt;", ">", sub(formula, "\\2", spans, perl = TRUE)))
  tex <- trimws(gsub("&amp;", "&", gsub("\\s+", " ", tex)))
  dollars <- ifelse(grepl("class=\"math display\"", spans, fixed = TRUE), "$$", "$")
  source <- tempfile(fileext = ".md")
  writeLines(paste0(dollars, tex, dollars, "\n"), source)
  page <- tempfile(fileext = ".html")
  rmarkdown::pandoc_convert(source, "html", "markdown", page,
                            options = c("--mathml", "--wrap=none"))
  page <- paste(readLines(page, encoding = "UTF-8"), collapse = "\n")
  found <- regmatches(page, gregexpr("(?s)<math.*?</math>", page, perl = TRUE))[[1]]
  if (length(found) != length(spans)) stop("pandoc did not understand every formula")
  found
}

count <- 0
site <- c(commandArgs(TRUE), "site")[1]
for (file in list.files(site, "[.]html$", recursive = TRUE, full.names = TRUE)) {
  page <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  before <- page
  page <- sub(mathjax, "", page, perl = TRUE)
  spans <- gregexpr(formula, page, perl = TRUE)
  if (spans[[1]][1] > 0) {
    regmatches(page, spans) <- list(as_mathml(regmatches(page, spans)[[1]]))
    count <- count + length(spans[[1]])
  }
  if (page != before) writeLines(page, file, useBytes = TRUE)
}
cat(count, "formulas\n")
