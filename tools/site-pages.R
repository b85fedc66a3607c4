# What pkgdown leaves out of the pages of a built site, or to scripts of other sites, which nobody
# has offline: the list of the sections of a page, and descriptions of the figures of examples.
#   Usage: Rscript tools/site-pages.R [site]

# "On this page": sections (h2) and, within them, subsections (h3). Not with the id that pkgdown
# gives it: its script would add a second list.
section_list <- function(page) {
  headings <- xml2::xml_find_all(page, "//main//h2[@id] | //main//h3[@id]")
  if (length(headings) < 2) return("")
  label <- gsub("&", "&amp;", trimws(xml2::xml_text(headings)), fixed = TRUE)
  label <- gsub("<", "&lt;", label, fixed = TRUE)
  items <- sprintf('<li class="%s"><a href="#%s">%s</a></li>', xml2::xml_name(headings),
                   xml2::xml_attr(headings, "id"), label)
  paste0('<nav id="on-this-page" aria-label="On this page"><h2>On this page</h2><ul>',
         paste(items, collapse = ""), "</ul></nav>")
}

# Figures of examples, which help pages cannot describe, by the title of their page.
describe <- function(text, page) {
  title <- gsub('"', "&quot;", xml2::xml_text(xml2::xml_find_first(page, "//h1")), fixed = TRUE)
  alt <- sprintf('\\1 alt="Figure \\2 of the examples: %s"', title)
  gsub('(<img src="[^"]*-([0-9]+)[.]png") alt=""', alt, text)
}

count <- 0
site <- c(commandArgs(TRUE), "site")[1]
for (file in list.files(site, "[.]html$", recursive = TRUE, full.names = TRUE)) {
  text <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  page <- xml2::read_html(text)
  nav <- regexpr('(?s)<nav id="toc".*?</nav>', text, perl = TRUE)
  found <- text
  if (nav > 0) {
    regmatches(found, nav) <- section_list(page)
    count <- count + 1
  }
  # There is no logo.
  found <- describe(gsub('<img src="" class="logo" alt="">', "", found, fixed = TRUE), page)
  if (found != text) writeLines(found, file, useBytes = TRUE)
}
cat(count, "lists of sections\n")
