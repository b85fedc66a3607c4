# What is known of a kernel by its name. Kernels of src/kernel.c bring their entry from there; the
# two that are evaluated in R have theirs here.
#   label       as in "<label> kernel"
#   argument    what k is a function of: "product" x'z, "squared distance", "absolute distance"; or
#               "points", a user's function; or "rows", the matrix of values is given
#   self        k(x, x) where that is one number for all x, else NA
#   slopes      whether k is x'z itself, so that f has slopes
#   parameters  names of those that it takes, with their ranges from `low` to `high`

r_kernels <- list(
  custom = list(label = "custom", argument = "points", self = NA_real_, slopes = FALSE,
                parameters = character()),
  precomputed = list(label = "precomputed", argument = "rows", self = NA_real_, slopes = FALSE,
                     parameters = character())
)

kernel_trait <- function(kernel, trait) session$kernels[[kernel$name]][[trait]]

is_custom <- function(kernel) kernel_trait(kernel, "argument") == "points"

is_precomputed <- function(kernel) kernel_trait(kernel, "argument") == "rows"

sees_distances <- function(kernel) grepl("distance", kernel_trait(kernel, "argument"))

# Weights of features and a map make a linear kernel one like others: an expansion over rows.
has_slopes <- function(kernel) {
  kernel_trait(kernel, "slopes") && !kernel$normalize && !has_widths(kernel) && !has_map(kernel)
}

takes_gamma <- function(kernel) "gamma" %in% kernel_trait(kernel, "parameters")

# A map L takes |x - z|^2 to |L'(x - z)|^2, x'z to x'LL'z. Sums of absolute differences have no such
# form.
takes_map <- function(kernel) {
  kernel_trait(kernel, "argument") == "squared distance" || kernel_trait(kernel, "slopes")
}

# "kernel_gaussian(), kernel_laplacian() and kernel_matern()": those of the table of which f, a
# function of a kernel, is true.
constructors <- function(f, last) {
  fine <- vapply(names(session$kernels), function(name) f(list(name = name, normalize = FALSE)), NA)
  shown <- sprintf("kernel_%s()", names(session$kernels)[fine])
  paste(enumerate(head(shown, -1), Inf), last, tail(shown, 1))
}

# What src/bridge_kernel.c reads.
kernel_list <- function(kernel) {
  parameters <- kernel[kernel_trait(kernel, "parameters")]
  if (has_widths(kernel) || (has_map(kernel) && takes_gamma(kernel))) parameters$gamma <- 1
  c(list(name = kernel$name, normalize = kernel$normalize, less_one = isTRUE(kernel$less_one)),
    lapply(parameters, as.double))
}

has_widths <- function(kernel) !is.null(names(kernel$gamma))

has_map <- function(kernel) !is.null(kernel$map)

# L, p x r, of a kernel that sees L'x.
kernel_map <- function(kernel) unname(kernel$map)
