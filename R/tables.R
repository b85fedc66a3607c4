# Tables as users of the tidyverse want them.

# What tidiers return: a tibble where the package tibble is installed, as those of other packages
# are, else a data frame. Columns keep their names, whatever these are.
as_table <- function(frame) {
  if (!requireNamespace("tibble", quietly = TRUE)) return(frame)
  tibble::as_tibble(frame, .name_repair = "minimal")
}
