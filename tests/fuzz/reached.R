# Which exported functions, and which methods, a run has called: each of them notes its name when
# it is entered, wherever the call comes from.

# All of them, as data.frame(generic, class, name, from, label): generic and class are NA for
# functions; `from` names the package that has the generic, if it need not be installed; `label` is
# how a run names what it has called.
offered <- function() {
  space <- parseNamespaceFile("sparserls", dirname(system.file(package = "sparserls")))
  methods <- as.data.frame(space$S3methods, stringsAsFactors = FALSE)
  names(methods) <- c("generic", "class", "name", "from")
  methods$name[is.na(methods$name)] <- sprintf("%s.%s", methods$generic,
                                               methods$class)[is.na(methods$name)]
  functions <- data.frame(generic = NA, class = NA, name = space$exports, from = NA)
  all <- rbind(functions, methods)
  all$label <- ifelse(is.na(all$generic), all$name, paste(all$generic, all$class, sep = "."))
  all
}

# Where a generic is looked for that is not of this package.
home_of <- function(generic, from) {
  if (!is.na(from)) return(from)
  if (generic %in% getNamespaceExports("sparserls")) return("sparserls")
  for (package in c("base", "stats", "utils", "graphics")) {
    if (exists(generic, asNamespace(package), inherits = FALSE)) return(package)
  }
  "base" # of group generics
}

is_here <- function(from) is.na(from) | vapply(from, requireNamespace, NA, quietly = TRUE)

# Calls note(label) on the first entry of each.
watch_calls <- function(note) {
  space <- asNamespace("sparserls")
  all <- offered()
  all <- all[is_here(all$from), ]
  seen <- new.env()
  enter <- function(label) {
    if (is.null(seen[[label]])) {
      seen[[label]] <- TRUE
      note(label)
    }
  }
  for (i in seq_len(nrow(all))) {
    one <- all[i, ]
    f <- get(one$name, space)
    body(f) <- bquote({
      .(enter)(.(one$label))
      .(body(f))
    })
    rebind(one$name, f, space)
    if (is.na(one$generic)) rebind(one$name, f, as.environment("package:sparserls"))
    else registerS3method(one$generic, one$class, f, asNamespace(home_of(one$generic, one$from)))
  }
}

rebind <- function(name, value, where) {
  unlockBinding(name, where)
  assign(name, value, where)
  lockBinding(name, where)
}
