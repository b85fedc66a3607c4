# Is every value that the bridge makes held from where it is made? The rules, which are stricter
# than R's, and simple enough to be read off the text of src/bridge*.c:
#   - what makes a value (of R's functions those below, and all of the bridge that answer SEXP)
#     stands in PROTECT(), or is the one value that a list_set(), SET_VECTOR_ELT() or
#     SET_STRING_ELT() puts in its place at once, or gets a name that the next statement protects, or
#     is returned, or nothing else is made between it and the end of the function;
#   - a function unprotects what it protects, once, and does not return in between. What a loop
#     `for (...; i < N; ...)` protects counts N times.
# (What C itself is handed R holds.) Says what is not so, and fails.
# Usage: Rscript tools/protect.R [record=no]

source("tools/record.R")
source("tools/settings.R")
settings <- read_settings(record = "yes")
files <- Sys.glob("src/bridge*.c")
texts <- lapply(files, function(file) {
  text <- paste(readLines(file), collapse = "\n")
  text <- gsub("(?s)/\\*.*?\\*/|(?m)^#[^\n]*", "", text, perl = TRUE)
  gsub('"[^"]*"', '""', text)
})
all_text <- paste(unlist(texts), collapse = "\n")
matches <- function(pattern, text) regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1]]
ours <- sub(".*SEXP ", "", matches("(?m)^(static )?SEXP \\w+(?=\\()", all_text))
theirs <- c("Rf_alloc\\w+", "Rf_mk\\w+", "Rf_Scalar\\w+", "Rf_duplicate", "Rf_shallow_duplicate",
            "Rf_lang\\d", "Rf_list\\d", "Rf_cons", "Rf_lcons", "Rf_eval", "Rf_coerceVector",
            "Rf_as\\w+Vector", "R_do_slot", "R_tryEval\\w*")
# Answers what is part of something that is held.
makers <- setdiff(c(theirs, ours), "list_get")
maker <- sprintf("\\b(%s)\\(", paste(makers, collapse = "|"))

# The function whose argument stands at `at`, "" at the top of the statement.
enclosing <- function(statement, at) {
  letters <- strsplit(substr(statement, 1, at - 1), "")[[1]]
  depth <- rev(cumsum(rev((letters == ")") - (letters == "("))))
  open <- which(letters == "(" & depth < 0)
  # Of those that are still open the innermost: the last whose depth is a new low.
  if (length(open) == 0) return("")
  sub("(?s).*?(\\w*)$", "\\1", substr(statement, 1, max(open) - 1), perl = TRUE)
}

# The makers of a statement that nothing holds.
loose <- function(statement) {
  at <- gregexpr(maker, statement, perl = TRUE)[[1]]
  if (at[1] < 0) return(character())
  names <- sub("\\($", "", matches(maker, statement))
  inside <- vapply(at, enclosing, "", statement = statement)
  placed <- inside %in% c("list_set", "SET_VECTOR_ELT", "SET_STRING_ELT") & length(at) == 1
  names[!(inside == "PROTECT" | placed)]
}

protects <- function(text) lengths(lapply(text, matches, pattern = "\\bPROTECT\\("))

# What a function protects: the bounds of loops that do so, and "1" for each other PROTECT().
protected <- function(body) {
  loop <- "for \\([^;]*; \\w+ < (\\w+);[^)]*\\)\\s*(?:\\{[^{}]*\\}|[^;{]*;)"
  loops <- matches(loop, body)
  c(rep(sub(paste0("(?s)", loop), "\\1", loops, perl = TRUE), protects(loops)),
    rep("1", protects(body) - sum(protects(loops))))
}

# The sum of numbers and of names, as text.
total_of <- function(counts) {
  number <- grepl("^\\d+$", counts)
  paste(c(sum(as.numeric(counts[number])), sort(counts[!number])), collapse = " + ")
}

wrong_with <- function(body) {
  statements <- trimws(strsplit(body, "[;{}]\n")[[1]])[-1] # the first is the function's head
  statements <- statements[nzchar(statements)]
  held <- protects(statements)
  unprotect <- matches("UNPROTECT\\([^;]*\\)(?=;)", body)
  freed <- sub("UNPROTECT\\((\\(int\\) )?(\\w+)\\)", "\\2", unprotect)
  makes <- grepl(maker, statements, perl = TRUE)
  early <- grepl("\\breturn\\b", statements) & cumsum(held) > 0 &
    !cumsum(grepl("UNPROTECT", statements))
  named <- sprintf("PROTECT(%s)", sub("^(SEXP )?(\\w+) = .*", "\\2", statements))
  free <- lapply(statements, loose)
  free[named == c(statements[-1], "")] <- list(character())
  bad <- vapply(seq_along(statements), function(i) {
    n <- length(free[[i]])
    last <- !any(makes[-seq_len(i)]) || grepl("return", statements[i])
    n > 1 || (n == 1 && !last)
  }, NA)
  # An argument of something else that may make values itself.
  argument <- lengths(free) > 0 &
    !grepl("^(?s)(return|SEXP \\w+ =|if .*return)", statements, perl = TRUE)
  c(if (total_of(protected(body)) != total_of(freed)) {
      sprintf("protects %s, unprotects %s", total_of(protected(body)), total_of(freed))
    },
    if (length(unprotect) > 1) "unprotects twice",
    if (any(early)) paste("returns with values protected:", statements[early]),
    if (any(bad | argument)) paste("made and not held:", statements[bad | argument]))
}

count <- 0
found <- character()
for (i in seq_along(files)) {
  bodies <- matches("(?ms)^\\w[^;=\\n]*\\w+\\([^;{]*?\\)\\n\\{\\n.*?^\\}", texts[[i]])
  for (body in bodies) {
    name <- sub("(?s)^.*?(\\w+)\\(.*$", "\\1", body, perl = TRUE)
    count <- count + length(matches("\\bPROTECT\\(", body))
    said <- wrong_with(body)
    if (length(said)) found <- c(found, sprintf("%s, %s(): %s", files[i], name, said))
  }
}
writeLines(found)
total <- length(matches("\\bPROTECT\\(", all_text))
stopifnot(count == total, count > 0)
cat(sprintf("%d protected values in %d files, %d findings\n", count, length(files), length(found)))
if (settings$record != "no") {
  record("protect", command = "make protect",
         count = sprintf("%d values in %d files", count, length(files)), findings = length(found),
         note = "Read off the text, by rules stricter than those of R.")
}
if (length(found) > 0) quit(status = 1)
