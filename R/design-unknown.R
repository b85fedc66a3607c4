# Levels of new rows that the fit has not seen (design-forge.R), placed where a rare level would be.
#
# Kernels of differences have an indicator for each of the L levels, all divided by one number s.
# Two levels differ by 1 / s in two columns. A new column, zero in training and 1 / s in rows of
# unknown levels, would put these as far from all levels as two levels are from each other. The same
# distances are had without it, where all L indicators are the same number a:
#   squared distances    (a - 1)^2 + (L - 1) a^2 = 2,   a = (1 - sqrt(1 + L)) / L
#   absolute distances   |a - 1| + (L - 1) |a| = 2,     a = -1 / L
# So only coded rows know of unknown levels, neither kernels nor widths. Interactions of
# factors have L cells, and the same a in all of them. Interactions with numbers v have a v in all
# cells: squared distances are then v^2 + z^2 + 2 a v (v - z) from a cell with the number z, that
# between two cells for v = z.
#
# Inner products have contrasts, which no point is far from: the row has the mean over levels, as
# they are in the training rows, so that a linear f is the mean of its values with all levels. The
# rank that an ordered factor is in kernels of differences becomes the mean rank.

# newdata as predict() goes on with it: as given, or coded, where unknown levels have been placed.
place_unknown <- function(fit, newdata) {
  blueprint <- fit$blueprint
  if (blueprint$type != "terms") return(newdata)
  found <- list()
  frame <- terms_frame(blueprint, newdata, function(name, values, known) {
    rows <- which(!values %in% c(known, NA))
    found[[name]] <<- list(rows = rows, levels = unique(values[rows]))
    replace(values, rows, known[1])
  })
  if (!length(found)) return(newdata)
  x <- unknown_matrix(blueprint, frame, lapply(found, `[[`, "rows"), fit_kernels(fit))
  rows <- length(unique(joined(found, "rows")))
  warn("unknown", sprintf("%s of `newdata` %s levels that the model has not seen.",
                          counted(rows, "row"), if (rows == 1) "has" else "have"),
       sprintf("`%s`: %s", names(found), vapply(lapply(found, `[[`, "levels"), quoted, "")),
       "They are predicted as rare levels, see `unknown` of ?predict.sparserls_fit.")
  as_coded(x, rownames(newdata))
}

# frame: with a known level in rows with an unknown one; rows: these, by factor.
unknown_matrix <- function(blueprint, frame, rows, kernels) {
  frame <- with_ranks(frame, blueprint$ranked, blueprint$xlevels)
  for (name in intersect(names(rows), blueprint$ranked)) {
    share <- level_shares(blueprint, name)
    frame[[name]][rows[[name]]] <- sum(share * seq_along(share))
  }
  x <- model_columns(blueprint$terms, frame, blueprint$contrasts)
  rows <- rows[setdiff(names(rows), blueprint$ranked)]
  used <- attr(blueprint$terms, "factors") > 0
  rownames(used) <- term_variables(blueprint$terms)
  for (j in which(colSums(rows_at(used, names(rows))) > 0)) {
    names <- intersect(rownames(used)[used[, j]], names(rows))
    at <- unique(unlist(rows[names]))
    some <- rows_at(frame, at)
    columns <- which(attr(x, "assign") == j)
    kind <- seen_as(kernels, columns, names[1])
    x[at, columns] <- if (!length(kind)) {
      mean_columns(blueprint, some, lapply(rows[names], match, at))[, columns]
    } else {
      cells <- prod(vapply(blueprint$contrasts[rownames(used)[used[, j]]], NROW, 1L))
      place <- if (kind == "absolute distance") -1 / cells else (1 - sqrt(1 + cells)) / cells
      place * all_cells(blueprint, some)[, columns]
    }
  }
  attributes(x)[c("contrasts", "assign")] <- NULL
  read_matrix(x, "newdata", missing_ok = TRUE, rows_ok = TRUE)
}

# What kernels see of the columns of a factor, the argument of their function; none where it is
# inner products.
seen_as <- function(kernels, columns, name) {
  seen <- lapply(kernels, function(kernel) {
    if (is.null(kernel$features)) TRUE else columns %in% kernel$features
  })
  kernels <- kernels[vapply(seen, any, NA)]
  kinds <- setdiff(vapply(kernels, kernel_trait, "", "argument"), "product")
  whole <- all(vapply(seen, function(s) all(s) || !any(s), NA))
  must(whole && length(kinds) < 2 && !"matrices" %in% kinds, "argument",
       "`unknown = \"as rare\"` cannot place the unknown levels of this fit.",
       sprintf("`%s` is used by a function of yours, by several kinds of kernel, or in part", name),
       known_remedy)
  kinds
}

known_remedy <- "Give these rows a level that the model knows, or NA."

level_shares <- function(blueprint, name) {
  shares <- blueprint$shares[[name]]
  must(!is.null(shares), "argument",
       "`unknown = \"as rare\"` needs to know how frequent the known levels are.",
       sprintf("that of `%s` is not kept: a fit to rows in chunks, or an old one", name),
       known_remedy)
  shares
}

# The mean of the columns over the levels of some factors. rows: where these are unknown, by factor.
mean_columns <- function(blueprint, frame, rows) {
  if (!length(rows)) return(model_columns(blueprint$terms, frame, blueprint$contrasts))
  shares <- level_shares(blueprint, names(rows)[1])
  Reduce(`+`, lapply(names(shares), function(level) {
    frame[[names(rows)[1]]][rows[[1]]] <- level
    shares[[level]] * mean_columns(blueprint, frame, rows[-1])
  }))
}

# The columns if every row were in all cells: where factors have identity matrices, ones in their
# place. (A factor without its main effect is coded by the same indicators, but not by a matrix.)
all_cells <- function(blueprint, frame) {
  form <- blueprint$terms
  attr(form, "factors")[] <- pmin(attr(form, "factors"), 1L)
  ones <- lapply(blueprint$contrasts, function(indicators) replace(indicators, TRUE, 1))
  model_columns(form, frame, ones)
}
