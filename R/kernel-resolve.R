# What a kernel is on the points of a problem: its features as columns, its widths or map in their
# order, and the default gamma.

# Features as column numbers, gamma as a number or as widths in the order of the features: what the
# kernel is on these points. feature: which columns belong together, or NULL (terms_blueprint()).
# weights: of the points, or NULL.
resolve_kernel <- function(kernel, points, columns, feature = NULL, weights = NULL) {
  p <- ncol(points$x)
  kernel$features <- resolve_features(kernel$features, p, columns, feature)
  if (has_map(kernel)) return(resolve_map(kernel, width_names(columns, p)))
  feature <- features_of(feature, columns, p)
  if (has_widths(kernel)) return(resolve_widths(kernel, feature))
  if (takes_gamma(kernel) && is.null(kernel$gamma)) {
    some <- point_rows(points, gamma_rows(weights, nrow(points$x)))
    default <- default_gamma(point_features(some, kernel$features)$x, kernel,
                             if (is.null(kernel$features)) feature else feature[kernel$features])
    kernel$multiple <- c(kernel$multiple, 1)[1]
    kernel$gamma <- kernel$multiple * default
    must(kernel$gamma >= .Machine$double.xmin && kernel$gamma <= .Machine$double.xmax, "kernel",
         "The default `gamma`, or its multiple, leaves the range of numbers.",
         three_digits(kernel$gamma),
         "Rescale `x`, or use standardize = TRUE, or give `gamma`.")
  }
  kernel
}

# Where columns share a width, `shared` says of each which one.
resolve_widths <- function(kernel, feature) {
  if (!is.null(kernel$features)) feature <- feature[kernel$features]
  wanted <- names(feature)[!duplicated(feature)]
  check_each_named(
    names(kernel$gamma), wanted, c("value", "feature"),
    "A named `gamma` must have one value for each feature of the kernel.",
    "Names are those of the columns of `x`. A grid to search has no names: unname(gamma)."
  )
  kernel$gamma <- kernel$gamma[wanted]
  kernel$shared <- if (anyDuplicated(feature)) match(feature, unique(feature))
  kernel
}

# what: what is given, and what it is named by.
check_each_named <- function(given, wanted, what, asked, remedy) {
  lacking <- setdiff(wanted, given)
  unknown <- setdiff(given, wanted)
  repeated <- anyDuplicated(wanted) > 0
  must(length(c(lacking, unknown)) == 0 && !repeated, "kernel", asked,
       c(if (length(lacking)) sprintf("no %s for %s", what[1], enumerate(lacking)),
         if (length(unknown)) sprintf("no %s called %s", what[2], enumerate(unknown)),
         if (repeated) sprintf("several %ss have the same name", what[2])),
       remedy)
}

# Rows of the map in the order of the columns that the kernel sees. A factor's columns have a row
# each.
resolve_map <- function(kernel, columns) {
  if (!is.null(kernel$features)) columns <- columns[kernel$features]
  asked <- "`map` must have one row for each column that the kernel sees."
  if (is.null(rownames(kernel$map))) {
    must(nrow(kernel$map) == length(columns), "kernel", asked,
         sprintf("%d rows for the columns %s", nrow(kernel$map), enumerate(columns)))
    return(kernel)
  }
  check_each_named(
    rownames(kernel$map), columns, c("row", "column"), asked,
    "A factor has a row for each of its columns. Rows without names go by their order."
  )
  kernel$map <- rows_at(kernel$map, columns)
  kernel
}

# The name of a factor stands for all of its columns, and these are called by it.
resolve_features <- function(features, p, columns, feature = NULL) {
  if (is.null(features)) return(NULL)
  found <- if (is.character(features)) lapply(features, named_columns, columns, feature)
           else as.list(features)
  unknown <- vapply(found, function(j) anyNA(j) || any(j < 1 | j > p | j != round(j)), NA)
  must(!any(unknown), "kernel", "`features` of the kernel are not columns of `x`.",
       enumerate(features[unknown]))
  numbers <- unique(as.integer(unlist(found)))
  if (is.null(columns) || any(columns[numbers] == "")) return(numbers)
  whole <- setdiff(feature[numbers], feature[-numbers])
  called <- if (is.null(feature)) columns
            else ifelse(feature %in% whole, names(feature), columns)
  setNames(numbers, called[numbers])
}

# Columns that a formula made have names in backticks where they are not syntactic.
named_columns <- function(name, columns, feature) {
  for (called in c(name, sprintf("`%s`", name))) {
    if (called %in% names(feature)) return(which(names(feature) == called))
    if (called %in% columns) return(match(called, columns))
  }
  NA
}

# (4 / p)^2, from 1/4 to 4, times 1 / the median distance of rows: functions of few features are
# rougher at that scale than those of many. The best of several rules with 26 data sets
# (bench/widths.txt). p: features that vary; a constant one has no part in the distances either.
default_gamma <- function(some, kernel, feature) {
  varies <- varying_columns(some)
  p <- length(unique(feature[varies]))
  min(max((4 / p)^2, 1 / 4), 4) * inverse_distance(as.matrix(columns_at(some, varies)), kernel)
}

# At most 256 rows that have weight, all over the table, but in no period that its rows may have: by
# multiples of the golden ratio.
gamma_rows <- function(weights, m) {
  rows <- if (is.null(weights)) seq_len(m) else which(weights > 0)
  if (length(rows) <= 256) return(rows)
  sort(rows[order((seq_along(rows) * (sqrt(5) - 1) / 2) %% 1)[1:256]])
}

# Dense columns, and sparse ones that are not zero in the first row, are held against that row.
varying_columns <- function(x) {
  if (is.matrix(x)) return(colSums(x != each_row(x[1, ], x)) > 0)
  varies <- colSums(x != 0) > 0
  held <- which(x[1, ] != 0)
  replace(varies, held, varying_columns(as.matrix(columns_at(x, held))))
}

# 1 / the median distance of rows of x, 1 where they are all the same.
inverse_distance <- function(x, kernel) {
  distances <- if (kernel_trait(kernel, "argument") == "absolute distance") {
    stats::dist(x, "manhattan")
  } else stats::dist(x)^2
  middle <- median(distances)
  if (!isTRUE(middle > 0)) middle <- mean(distances)
  if (!isTRUE(middle > 0)) return(1)
  1 / middle
}
