# Where a mutant may be: c_places() and r_places() say for a file, as rows of a data frame, line,
# column, what stands there (from) and what shall (to). Never in comments, texts, lines of the
# preprocessor, sizes of arrays, checks of arguments, messages.

operators <- list(
  "+" = "-", "-" = "+", "*" = "/", "/" = "*", "<" = c("<=", ">"), "<=" = c("<", ">="),
  ">" = c(">=", "<"), ">=" = c(">", "<="), "==" = "!=", "!=" = "==", "&&" = "||", "||" = "&&",
  "&" = "|", "|" = "&", "+=" = "-=", "-=" = "+=", "!" = "",
  "0" = "1", "1" = c("0", "2"), "2" = c("1", "3"), "0.5" = c("1", "0.25")
)

# Every change of what has been found, one row each.
changes_of <- function(line, column, from, to = operators[from]) {
  data.frame(line = rep(line, lengths(to)), column = rep(column, lengths(to)),
             from = rep(from, lengths(to)), to = as.character(unlist(to)))
}

# Lines of C with comments, texts and the preprocessor's lines blank.
bare_c <- function(lines) {
  text <- paste(lines, collapse = "\n")
  blank <- "(?s)/\\*.*?\\*/|\"(\\\\.|[^\"\\\\])*\"|'(\\\\.|[^'\\\\])'|(?m)^#([^\n]*\\\\\n)*[^\n]*"
  found <- gregexpr(blank, text, perl = TRUE)
  regmatches(text, found) <- lapply(regmatches(text, found), function(x) gsub("[^\n]", " ", x))
  strsplit(text, "\n")[[1]]
}

# Operators between spaces are binary, the others (a pointer's * and &, signs) are left alone.
c_patterns <- c(
  "(?<= )([-+*/<>]|[<>=!]=|&&|\\|\\||[-+]=)(?= |$)", "!(?=[\\w(])",
  "(?<![\\w.])(0\\.5|[012])(?![\\w.])", "(?<=\\[)[a-z](?=\\])"
)

c_places <- function(file) {
  lines <- bare_c(readLines(file))
  depth <- cumsum(nchar(gsub("[^{]", "", lines)) - nchar(gsub("[^}]", "", lines)))
  type <- "(double|int|size_t|char|long)"
  sizes <- grepl(paste0("^\\s*(static |const )*", type, "\\s+\\w+(\\[[^]]*\\])+;"), lines)
  lines[c(0, head(depth, -1)) == 0 | sizes | grepl("_Static_assert|assert\\(", lines)] <- ""
  do.call(rbind, lapply(c_patterns, function(pattern) {
    found <- gregexpr(pattern, lines, perl = TRUE)
    line <- rep(seq_along(lines), vapply(found, function(x) sum(x > 0), 0L))
    from <- unlist(regmatches(lines, found))
    column <- unlist(lapply(found, function(x) x[x > 0]))
    moved <- grepl("^[a-z]$", from)
    rbind(changes_of(line[!moved], column[!moved], from[!moved]),
          moved_index(line, column, from, moved))
  }))
}

moved_index <- function(line, column, from, moved) {
  changes_of(line[moved], column[moved], from[moved],
             lapply(from[moved], function(i) paste(i, c("+ 1", "- 1"))))
}

speakers <- c("inform", "warn", "warning", "message")
messages <- c("abort", "stop", "stopifnot", "sprintf", "cat", "paste", "paste0", "say")

r_places <- function(file) {
  data <- utils::getParseData(parse(file, keep.source = TRUE))
  said <- unspoken(data)
  tokens <- data[data$terminal & !data$id %in% said, ]
  after <- c(tokens$token[-1], "")
  before <- c("", head(tokens$token, -1))
  plain <- tokens$text %in% names(operators) & tokens$token != "STR_CONST" &
    !(tokens$token == "NUM_CONST" & before == "EQ_FORMALS")
  moved <- tokens$token == "SYMBOL" & grepl("^[a-z]$", tokens$text) &
    before == "'['" & after == "']'"
  rbind(
    changes_of(tokens$line1[plain], tokens$col1[plain], tokens$text[plain]),
    moved_index(tokens$line1, tokens$col1, tokens$text, moved)
  )
}

# The ids of all that stands in calls of what only speaks or checks, in conditions of abort(), and
# in functions that say something.
unspoken <- function(data) {
  parent <- function(id) data$parent[match(id, data$id)]
  calls_of <- function(names) {
    parent(parent(data$id[data$token == "SYMBOL_FUNCTION_CALL" & data$text %in% names]))
  }
  calls <- calls_of(c(messages, "must"))
  body <- calls_of("abort")
  body <- c(body, parent(body))
  checks <- data$parent[data$token == "IF" & data$parent %in% parent(body)]
  calls <- c(calls, setdiff(data$id[data$parent %in% checks], body))
  said <- calls_of(speakers)
  speaking <- data$parent[data$token == "FUNCTION"]
  while (any(said > 0)) {
    calls <- c(calls, intersect(said, speaking))
    said <- parent(said[!said %in% speaking & said > 0])
  }
  inside <- calls
  while (length(calls) > 0) {
    calls <- data$id[data$parent %in% calls]
    inside <- c(inside, calls)
  }
  inside
}

places_of <- function(file) {
  places <- if (endsWith(file, ".c")) c_places(file) else r_places(file)
  if (is.null(places) || nrow(places) == 0) return(NULL)
  cbind(file = file, places)
}

# The lines of a file with the change made.
mutated <- function(lines, place) {
  end <- place$column + nchar(place$from)
  line <- lines[place$line]
  lines[place$line] <- paste0(substr(line, 1, place$column - 1), place$to, substring(line, end))
  lines
}
