# Whether the pages of a built site are whole. Every local href and src must be a file there, and
# its anchor an id of that page; every figure has a description; every article and help page lists
# its sections; no formula is still TeX.
#   Usage: Rscript tools/check-links.R [site]

site <- normalizePath(c(commandArgs(TRUE), "site")[1])
pages <- list.files(site, "[.]html$", recursive = TRUE, full.names = TRUE)
read <- lapply(setNames(pages, pages), xml2::read_html)
ids <- lapply(read, function(page) xml2::xml_text(xml2::xml_find_all(page, "//@id | //a/@name")))

links_of <- function(file) {
  found <- xml2::xml_find_all(read[[file]], "//a/@href | //link/@href | //img/@src | //script/@src")
  unique(xml2::xml_text(found))
}

# What is wrong with a link of a page, or nothing.
trouble <- function(file, link) {
  if (grepl("^([a-z]+:|//)", link) || link %in% c("", "#")) return(NULL)
  path <- utils::URLdecode(sub("[?#].*", "", link))
  target <- if (path == "") file else if (startsWith(path, "/")) file.path(site, path) else
    file.path(dirname(file), path)
  if (dir.exists(target)) target <- file.path(target, "index.html")
  if (!file.exists(target)) return(paste(link, "is no file"))
  anchor <- if (grepl("#.", link)) utils::URLdecode(sub("^[^#]*#", "", link))
  known <- ids[[normalizePath(target)]]
  if (!is.null(anchor) && !is.null(known) && !anchor %in% known) paste(link, "has no such anchor")
}

# Figures without a description, a page of several sections without a list of them, and formulas
# that tools/site-math.R has not seen.
lacks <- function(file) {
  page <- read[[file]]
  figures <- xml2::xml_find_all(page, "//img[not(@alt) or @alt = '']")
  sections <- xml2::xml_find_all(page, "//main//h2[@id]")
  listed <- xml2::xml_find_all(page, "//aside//nav//a")
  listing <- grepl("/(articles|reference)/", file) && basename(file) != "index.html"
  c(paste(xml2::xml_attr(figures, "src"), "has no description", recycle0 = TRUE),
    if (listing && length(sections) > 1 && length(listed) < length(sections)) {
      "does not list its sections"
    },
    if (length(xml2::xml_find_all(page, "//span[starts-with(@class, 'math ')][not(math)]"))) {
      "has a formula in TeX"
    })
}

count <- 0
bad <- character()
for (file in pages) {
  links <- links_of(file)
  count <- count + length(links)
  wrong <- c(unlist(lapply(links, trouble, file = file)), lacks(file))
  if (length(wrong)) bad <- c(bad, paste0(substring(file, nchar(site) + 2), ": ", wrong))
}
if (length(bad)) writeLines(bad)
cat(sprintf("%d pages, %d links, %d faults\n", length(pages), count, length(bad)))
if (length(bad) || !length(pages)) quit(status = 1)
