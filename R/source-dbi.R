# Chunks of a database: the results of queries, or one query cut into ranges of a column.

#' @rdname chunks
#' @param connect a function without arguments that returns a new DBI connection.
#' @param query one string for each chunk, or one query that `by` and `n` cut.
#' @param by name of a numeric column of the query's result, best one that identifies its rows. The
#'   chunks are `n` ranges between its smallest and its largest value.
#' @export
chunks_dbi <- function(connect, query, by = NULL, n = NULL, key = NULL) {
  check_dbi_arguments(connect, query, by, n)
  check_installed("DBI", "Reading a database")
  bare <- list(connect = connect, query = sub(";\\s*$", "", query), by = by)
  first <- with_connection(bare, "the first rows", function(connection) {
    # Enough rows to see the types; a column's type is that of the database where they are NULL.
    result <- DBI::dbSendQuery(connection, bare$query[1])
    on.exit(DBI::dbClearResult(result))
    DBI::dbFetch(result, n = 1000)
  })
  if (!is.null(by)) {
    if (!by %in% names(first)) no_column(by, names(first), "`by`")
    bare$breaks <- with_connection(bare, "the ranges of `by`", range_breaks, bare, n)
  }
  must(nrow(first) > 0, "chunks", "The first query gives no rows.", query[1])
  count <- if (is.null(by)) length(query) else n
  chunks_source(bare, count, dbi_functions$fetch, dbi_functions$label, what = "a database",
                key = key, first = first, empty = TRUE)
}

check_dbi_arguments <- function(connect, query, by, n) {
  must(is.function(connect), "chunks",
       "`connect` must be a function that returns a new DBI connection.", shown(connect),
       "For example function() DBI::dbConnect(RSQLite::SQLite(), \"file\").")
  must(is.character(query) && length(query) > 0 && !anyNA(query), "chunks",
       "`query` must be strings of SQL.", shown(query))
  must(is.null(by) == is.null(n), "chunks", "`by` and `n` belong together.", NULL,
       "Give both, or as `query` one string for each chunk.")
  if (is.null(by)) return(invisible())
  must(length(query) == 1, "chunks", "`by` cuts one query.", sprintf("%d queries", length(query)),
       "Leave out `by` and `n`, or give one string.")
  must(is_string(by), "chunks", "`by` must be the name of a column.", shown(by))
  must(is_count(n), "chunks", "`n` must be a whole number of at least 1.", shown(n))
}

# The value of work(connection, ...); the connection is closed whatever happens. What is warned of
# (values of another type that were changed, say) is an error. what: is read, in words.
with_connection <- function(source, what, work, ...) {
  connection <- or_failed(source$connect(), "`connect` failed.", what)
  must(methods::is(connection, "DBIConnection"), "chunks",
       "`connect` must return a DBI connection.", c(what, shown(connection)))
  on.exit(tryCatch(DBI::dbDisconnect(connection), error = function(e) NULL))
  or_failed(work(connection, ...), "A query failed.", what, warnings = TRUE)
}

# Between the n ranges; the first and the last are open, so that no row is outside.
range_breaks <- function(connection, source, n) {
  by <- DBI::dbQuoteIdentifier(connection, source$by)
  found <- plain_frame(DBI::dbGetQuery(connection, sprintf(
    "SELECT MIN(%s) AS lo, MAX(%s) AS hi, COUNT(*) AS m, COUNT(%s) AS present FROM (%s) chunk_rows",
    by, by, by, source$query)))
  must(found$m > 0, "chunks", "The query gives no rows.", source$query)
  must(found$present == found$m, "chunks", sprintf("`by` has missing values: %s.", source$by),
       sprintf("%.0f of %.0f rows", found$m - found$present, found$m),
       "Leave them out by WHERE, or choose another column.")
  must(is_number(found$lo) && is_number(found$hi), "chunks",
       "`by` must be a column of finite numbers.",
       sprintf("%s is from %s to %s", source$by, format(found$lo), format(found$hi)))
  found$lo + seq_len(n - 1) / n * (found$hi - found$lo)
}

query_chunk <- function(source, i, columns) {
  check_installed("DBI", "Reading a database")
  with_connection(source, query_label(source, i), function(connection) {
    DBI::dbGetQuery(connection, chunk_query(connection, source, i, columns))
  })
}

chunk_query <- function(connection, source, i, columns) {
  whole <- is.null(source$by)
  if (is.null(columns) && whole) return(source$query[i])
  quoted <- function(name) as.character(DBI::dbQuoteIdentifier(connection, name))
  wanted <- if (is.null(columns)) "*" else paste(quoted(columns), collapse = ", ")
  inner <- sprintf("SELECT %s FROM (%s) chunk_rows", wanted, source$query[if (whole) i else 1])
  if (whole) return(inner)
  by <- quoted(source$by)
  limits <- range_limits(source$breaks, i, ">=", "<")
  paste(c(inner, if (length(limits)) c("WHERE", paste(by, limits, collapse = " AND ")),
          "ORDER BY", by), collapse = " ")
}

# Every digit of a break: neighbours agree on it.
range_limits <- function(breaks, i, from, to) {
  c(if (i > 1) sprintf("%s %.17g", from, breaks[i - 1]),
    if (i <= length(breaks)) sprintf("%s %.17g", to, breaks[i]))
}

query_label <- function(source, i) {
  if (is.null(source$by)) return(sprintf("query %d: %s", i, source$query[i]))
  limits <- paste(range_limits(signif(source$breaks, 7), i, "from", "below"), collapse = " ")
  sprintf("range %d of `%s`%s", i, source$by, if (nzchar(limits)) sprintf(" (%s)", limits) else "")
}

dbi_functions <- list(
  fetch = function(source, i, columns) query_chunk(source, i, columns),
  label = function(source, i) query_label(source, i)
)
