# Levels of new rows that the fit has not seen (design-forge.R), placed where a rare level would be.
#
# Kernels of differences have an indicator for each of the L levels, all divided by one number s.
# Two levels differ by 1 / s in two columns. A new column, zero in training and 1 / s in rows of
# unknown levels, would put these as far from all levels as two levels are from each other. The same
# distances are had without it, where all L indicators are the same number a:
#   squared distances    (a - 1)^2 + (L - 1) a^2 = 2,   a = (1 - sqrt(1 + L)) / L
#   absolute distances   |a - 1| + (L - 1) |a| = 2,     a = -1 / L
# So nothing but coded rows knows of unknown levels, neither kernels nor widths. Interactions of
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
  frame <- terms_frame(blueprint, newdata, function(name, values, known, gap) {
    rows <- which(!values %in% c(known, NA))
    found[[name]] <<- list(rows = rows, said = said_levels(unique(values[rows]), gap))
    replace(values, rows, known[1])
  })
  if (length(found) == 0) return(newdata)
  x <- unknown_matrix(blueprint, frame, lapply(found, `[[`, "rows"), fit_kernels(fit))
  rows <- length(unique(unlist(lapply(found, `[[`, "rows"))))
  warn("unknown", sprintf("%s of `newdata` %s levels that the model has not seen.",
                          counted(rows, "row"), if (rows == 1) "has" else "have"),
       vapply(names(found), function(name) {
         sprintf("`%s`: %s", name, enumerate(found[[name]]$said))
       }, ""), "They are predicted as rare levels, see `unknown` of ?predict.sparserls_fit.")
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
  for (j in seq_len(ncol(used))) {
    variables <- rownames(used)[used[, j]]
    columns <- which(attr(x, "assign") == j)
    for (part in unknown_patterns(rows[intersect(names(rows), variables)])) {
      place <- unknown_place(blueprint, frame, variables, part$names, columns, kernels)
      some <- frame[part$rows, , drop = FALSE]
      x[part$rows, columns] <- weighted_cells(blueprint, some, place$shares)[, columns] *
        place$factor
    }
  }
  attributes(x)[c("contrasts", "assign")] <- NULL
  read_matrix(x, "newdata", missing_ok = TRUE, rows_ok = TRUE)
}

# Rows by which of the factors are unknown in them.
unknown_patterns <- function(rows) {
  all <- sort(unique(unlist(rows)))
  if (length(all) == 0) return(NULL)
  which <- vapply(rows, function(r) all %in% r, logical(length(all)))
  which <- matrix(which, length(all), dimnames = list(NULL, names(rows)))
  lapply(split(seq_along(all), apply(which, 1, paste, collapse = "")), function(i) {
    list(rows = all[i], names = colnames(which)[which[i[1], ]])
  })
}

# What the columns of a term are in rows where the factors `names` are unknown: a multiple of the
# weighted sum over levels, a list of `shares` of the levels of factors, and `factor`.
unknown_place <- function(blueprint, frame, variables, names, columns, kernels) {
  sees <- vapply(kernels, function(kernel) {
    is.null(kernel$features) || any(columns %in% kernel$features)
  }, NA)
  partly <- vapply(kernels[sees], function(kernel) {
    !is.null(kernel$features) && !all(columns %in% kernel$features)
  }, NA)
  check_placed(!any(partly), names[1], "a kernel in part: it looks at some of its levels")
  kinds <- unique(vapply(kernels[sees], kernel_trait, "", "argument"))
  check_placed(!"matrices" %in% kinds, names[1], "a custom kernel: it is a function of yours")
  kinds <- setdiff(kinds, "product")
  if (length(kinds) == 0) {
    return(list(shares = sapply(names, level_shares, blueprint = blueprint, simplify = FALSE),
                factor = 1))
  }
  check_placed(length(kinds) == 1, names[1],
               "kernels of squared and of absolute distances: no point is as far for both")
  # Ones in all cells.
  leveled <- variables[vapply(frame[variables], is_leveled, NA)]
  shares <- sapply(leveled, function(name) {
    known <- blueprint$xlevels[[name]]
    if (is.null(known)) known <- c(FALSE, TRUE)
    setNames(rep(1, length(known)), known)
  }, simplify = FALSE)
  cells <- prod(lengths(shares))
  list(shares = shares, factor = if (kinds == "absolute distance") -1 / cells
                                 else (1 - sqrt(1 + cells)) / cells)
}

# by: what sees the factor, and why that cannot be served.
check_placed <- function(fine, name, by) {
  must(fine, "argument", "`unknown = \"as rare\"` cannot place the unknown levels of this fit.",
       sprintf("`%s` is seen by %s", name, by),
       "Give these rows a level that the model knows, or NA.")
}

level_shares <- function(blueprint, name) {
  shares <- blueprint$shares[[name]]
  must(!is.null(shares), "argument",
       "`unknown = \"as rare\"` needs to know how frequent the known levels are.",
       sprintf("that of `%s` is not kept: a fit to rows in chunks, or an old one", name),
       "Give these rows a level that the model knows, or NA.")
  shares
}

# The sum of the model matrices of a frame with all combinations of the levels of some factors.
# shares: of the levels, by factor.
weighted_cells <- function(blueprint, frame, shares) {
  cells <- do.call(expand.grid, lapply(shares, seq_along))
  total <- 0
  for (i in seq_len(nrow(cells))) {
    share <- 1
    for (name in names(shares)) {
      at <- shares[[name]][cells[[name]][i]]
      share <- share * unname(at)
      v <- frame[[name]] # NA stays
      level <- if (is.logical(v)) as.logical(names(at)) else names(at)
      frame[[name]] <- replace(v, !is.na(v), level)
    }
    total <- total + share * model_columns(blueprint$terms, frame, blueprint$contrasts)
  }
  total
}
