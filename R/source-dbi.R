# Chunks of a database: the results of queries, or one query cut into ranges of a column.

#' @rdname chunks
#' @param connect a function without arguments that returns a new DBI connection.
#' @param query one SQL string for each chunk, or a single one that `by` and `n` divide.
#' @param by name of a numeric column of the query's result. The chunks are `n` ranges between its
#'   smallest and its largest value.
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
  must(nrow(first), "chunks", "The first query gives no rows.", query[1])
  if (!is.null(by)) {
    check_key(by, names(first), "`by`")
    bare$breaks <- with_connection(bare, "the ranges of `by`", range_breaks, bare, n)
  }
  chunks_source(bare, n %||% length(query), query_chunk, query_label, what = "a database",
                key = key, first = first, empty = TRUE)
}

check_dbi_arguments <- function(connect, query, by, n) {
  must(is.function(connect), "chunks",
       "`connect` must be a function that returns a new DBI connection.", shown(connect),
       "For example function() DBI::dbConnect(RSQLite::SQLite(), \"file\").")
  must(is.character(query) && length(query) && !anyNA(query), "chunks",
       "`query` must be strings of SQL.", shown(query))
  must(if (is.null(by)) is.null(n) else length(query) == 1 && is_count(n), "chunks",
       "`by` and a whole number `n` must be given together, with one query.",
       c(sprintf("`n` is %s", shown(n)), sprintf("%d queries", length(query))),
       "For several queries, each a chunk, leave out `by` and `n`.")
}

# The value of work(connection, ...); the connection is closed whatever happens. What is warned of
# (values of another type that were changed, say) is an error. what: is read, in words.
with_connection <- function(source, what, work, ...) {
  connection <- or_failed(source$connect(), "`connect` failed.", what)
  must(is(connection, "DBIConnection"), "chunks",
       "`connect` must return a DBI connection.", c(what, shown(connection)))
  on.exit(or_null(DBI::dbDisconnect(connection)))
  or_failed(work(connection, ...), "A query failed.", what, warnings = TRUE)
}

# Between the n ranges; the first and the last are open, so that no row is outside.
range_breaks <- function(connection, source, n) {
  by <- DBI::dbQuoteIdentifier(connection, source$by)
  found <- plain_frame(DBI::dbGetQuery(connection, sprintf(
    "SELECT MIN(%s) AS lo, MAX(%s) AS hi, COUNT(*) - COUNT(%s) AS gaps FROM (%s) chunk_rows",
    by, by, by, source$query)))
  must(found$gaps == 0, "chunks", sprintf("`by` has missing values: %s.", source$by),
       sprintf("%.0f rows", found$gaps), "Leave them out by WHERE, or choose another column.")
  must(is_number(found$lo) && is_number(found$hi), "chunks",
       "`by` must be a column of finite numbers.",
       sprintf("%s is from %s to %s", source$by, format(found$lo), format(found$hi)))
  found$lo + seq_len(n - 1) / n * (found$hi - found$lo)
}

query_chunk <- function(source, i, columns) {
  with_connection(source, query_label(source, i), function(connection) {
    DBI::dbGetQuery(connection, chunk_query(connection, source, i, columns))
  })
}

chunk_query <- function(connection, source, i, columns) {
  whole <- is.null(source$by)
  if (is.null(columns) && whole) return(source$query[i])
  quoted <- function(name) as.character(DBI::dbQuoteIdentifier(connection, name))
  wanted <- if (is.null(columns)) "*" else toString(quoted(columns))
  inner <- sprintf("SELECT %s FROM (%s) chunk_rows", wanted, source$query[if (whole) i else 1])
  if (whole) return(inner)
  # Every digit of a break: neighbours agree on it.
  by <- quoted(source$by)
  limits <- c(if (i > 1) sprintf("%s >= %.17g", by, source$breaks[i - 1]),
              if (i <= length(source$breaks)) sprintf("%s < %.17g", by, source$breaks[i]))
  paste(c(inner, if (length(limits)) c("WHERE", paste(limits, collapse = " AND ")),
          "ORDER BY", by), collapse = " ")
}

query_label <- function(source, i) {
  if (is.null(source$by)) sprintf("query %d: %s", i, source$query[i])
  else sprintf("range %d of `%s`", i, source$by)
}
