# What a cross-validation has searched besides lambda: kernels with their parameters, and sizes of
# the basis.

searched_numbers <- function() {
  parameters <- unique(unlist(lapply(session$kernels, `[[`, "parameters")))
  c(append(parameters, "multiple", match("gamma", parameters)), "size")
}

# One row for each candidate; of the numbers those that vary, NA where a kernel has none.
kernel_table <- function(curves) {
  at <- function(name, which) vapply(curves, function(curve) curve[[name]][[curve$index[which]]], 0)
  numbers <- candidate_numbers(curves)
  varies <- vapply(numbers, function(x) length(unique(x[!is.na(x)])) > 1, NA)
  cbind(
    data.frame(kernel = vapply(curves, function(curve) format(curve$kernel), "")),
    numbers[varies],
    data.frame(lambda.min = at("lambda", "min"), cvm = at("cvm", "min"),
               cvsd = at("cvsd", "min"), lambda.1se = at("lambda", "1se"))
  )
}

candidate_numbers <- function(curves) {
  names <- searched_numbers()
  values <- lapply(curves, function(curve) {
    numbers <- kernel_numbers(curve$kernel, names)
    if (!is.null(curve$size)) numbers[["size"]] <- curve$size
    numbers
  })
  as.data.frame(do.call(rbind, values))
}

# Gammas of the candidates that differ from the best one in nothing else.
rivals_of_best <- function(cv) {
  numbers <- candidate_numbers(cv$curves)
  family <- vapply(cv$curves, function(curve) family_label(curve$kernel), "")
  same <- function(x, best) if (is.na(best)) is.na(x) else x %in% best
  rivals <- family == family_label(cv$kernel)
  best <- kernel_numbers(cv$kernel)
  if (!is.null(cv$size)) best[["size"]] <- cv$size
  for (name in setdiff(names(numbers), c("gamma", "multiple"))) {
    rivals <- rivals & same(numbers[[name]], best[[name]])
  }
  numbers$gamma[rivals & !is.na(numbers$gamma)]
}

# The parameters that a kernel has, as numbers; NA for others, and for gamma where it is one width
# for each feature.
kernel_numbers <- function(kernel, names = searched_numbers()) {
  numbers <- setNames(rep(NA_real_, length(names)), names)
  if (!inherits(kernel, "sparserls_kernel")) return(numbers)
  for (name in intersect(names, names(kernel))) {
    if (length(kernel[[name]]) == 1) numbers[[name]] <- kernel[[name]]
  }
  if (has_widths(kernel)) numbers[["gamma"]] <- NA
  numbers
}

# "Searched 9 kernels: Gaussian kernel, gamma from 0.1 to 10; 3 sizes of the basis: 50, 100, 200",
# and the best of them.
describe_search <- function(cv) {
  numbers <- candidate_numbers(cv$curves)
  sizes <- unique(numbers$size)
  kernels <- length(unique(lapply(cv$curves, `[[`, "kernel")))
  what <- if (kernels == 1) family_label(cv$kernel)
          else if (is_width_search(cv)) describe_widths(numbers, kernels)
          else sprintf("%d kernels: %s", kernels, describe_families(cv, numbers))
  if (length(sizes) > 1) what <- sprintf("%s; %d sizes of the basis: %s", what, length(sizes),
                                         enumerate(sizes))
  best <- paste("Best:", format(cv$kernel))
  if (length(sizes) > 1) best <- sprintf("%s, basis of %d", best, cv$size)
  c(paste("Searched", what), best)
}

describe_families <- function(cv, numbers) {
  families <- vapply(cv$curves, function(curve) family_label(curve$kernel), "")
  by_family <- vapply(unique(families), function(family) {
    paste(c(family, number_ranges(numbers[families == family, ])), collapse = ", ")
  }, "")
  paste(by_family, collapse = "; ")
}

# Whether nothing but the width of one kernel was searched, by us.
is_width_search <- function(cv) {
  walks <- lapply(cv$curves, `[[`, "walk")
  !any(vapply(walks, is.null, NA)) && length(unique(walks)) == 1
}

# count: of widths; numbers: a row for each of them and each size.
describe_widths <- function(numbers, count) {
  ends <- function(x) paste(format(min(x), digits = 3), "to", format(max(x), digits = 3))
  sprintf("%d widths: gamma from %s, %s times its data-driven value", count,
          ends(numbers$gamma), ends(numbers$multiple))
}

# A kernel without its numbers.
family_label <- function(kernel) {
  if (!inherits(kernel, "sparserls_kernel")) return(format(kernel))
  name <- sub(" \\(.*", "", format(replace(kernel, "features", list(NULL))))
  paste0(name, if (has_map(kernel)) " with a map",
         if (!is.null(kernel$features)) paste(" on", enumerate(feature_names(kernel))))
}

number_ranges <- function(numbers) {
  shown <- setdiff(searched_numbers(), c("size", if (!all(is.na(numbers$gamma))) "multiple"))
  unlist(lapply(shown, function(name) {
    range <- range(numbers[[name]])
    if (!isTRUE(range[1] < range[2])) return(NULL)
    sprintf("%s from %s to %s", name, format(range[1], digits = 3), format(range[2], digits = 3))
  }))
}
