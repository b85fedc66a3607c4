# Results of every kind, and all methods that the package has for each, by its NAMESPACE: for edited
# objects (test-edited-objects.R) and for the fuzzer.

# The mean of y, as a method of others.
mean_method <- function() {
  own_method("mean", list(k = 1), function(x, y, weights, path) mean(y),
             function(model, x) matrix(model, nrow(x)))
}

# Quoted makers of results from the data of result_data().
result_makers <- list(
  sparserls = quote(sparserls(x, y, 1:6, lambda = path)),
  sparse = quote(sparserls(sparse, y, 1:6, lambda = 0.1)),
  sparse_linear = quote(sparserls(sparse, y, 1:3, kernel_linear(), path)),
  formula = quote(sparserls(y ~ ., d, basis = 1:6, lambda = path)),
  classes = quote(sparserls(x, three, 1:6, lambda = 0.1)),
  map = quote(sparserls(x, y, 1:5, kernel_matern(map = matrix(sin(1:6), 3)), 0.1)),
  rls = quote(rls(y ~ ., d, lambda = path)),
  gram = quote(rls(tcrossprod(x), y, kernel_precomputed(), 0.1, standardize = FALSE)),
  rls2 = quote(rls2(x, y, lambda = 0.1)),
  kernels = quote(rls2(x, cbind(y, x[, 1]), list(kernel_linear(), kernel_gaussian(1)), 0.1)),
  greedyrls = quote(greedyrls(x, y, 2)),
  ardrls = quote(ardrls(x, y, 1:6, penalty = c(Inf, 0.1), maxit = 2)),
  ardrls_classes = quote(ardrls(x, three, 1:6, penalty = 0.1, maxit = 2)),
  ardrls_map = quote(ardrls(y ~ ., d, 1:6, penalty = list(widths = c(Inf, 0.1), map = 0),
                            map = TRUE, maxit = 2)),
  binomial = quote(sparserls(x, classes, 1:6, lambda = path, family = "binomial")),
  poisson = quote(rls(counts ~ a + b, d, lambda = 0.1, family = poisson())),
  cv.sparserls = quote(cv.sparserls(y ~ ., d, 1:6, kernel_gaussian(c(0.1, 1)), path,
                                    groups = groups, keep = TRUE)),
  cv.reselect = quote(cv.sparserls(x, y, basis_random(5), lambda = path, groups = groups,
                                   reselect = TRUE, keep = TRUE)),
  cv.rls = quote(cv.rls(x, y, kernel_gaussian(c(0.1, 1)), path, nfolds = 4, keep = TRUE,
                        outer = 2)),
  cv.outputs = quote(cv.rls(x, cbind(y, x[, 1]), lambda = path, groups = groups, keep = TRUE)),
  cv.classes = quote(cv.rls(x, three, lambda = path, nfolds = 4)),
  cv.offset = quote(cv.rls(y ~ a + offset(b), d, lambda = path, groups = groups, keep = TRUE)),
  cv.rls2 = quote(cv.rls2(x, y, lambda = path, nfolds = 4, keep = TRUE)),
  cv.greedyrls = quote(cv.greedyrls(x, y, 2, lambda = 1, nfolds = 4, keep = TRUE, outer = 2)),
  cv.ardrls = quote(cv.ardrls(y ~ ., d, basis = 1:20, penalty = c(Inf, 1, 0.1), maxit = 2,
                              outer = 2, keep = TRUE)),
  cv.ardrls_map = quote(cv.ardrls(x, three, 1:20, penalty = list(widths = c(Inf, 0.1), map = 0),
                                  map = TRUE, maxit = 2, outer = 2, keep = TRUE)),
  cv.binomial = quote(cv.sparserls(x, classes, 1:6, lambda = path, family = "binomial",
                                   groups = groups, keep = TRUE)),
  cv.multinomial = quote(cv.sparserls(x, three, 1:6, lambda = 0.1, family = "binomial",
                                      groups = groups, keep = TRUE)),
  cv.poisson = quote(cv.rls(counts ~ a + b + offset(c), d, lambda = path, family = poisson(),
                            nfolds = 4, keep = TRUE)),
  derivatives = quote(derivatives(cv.rls(x, y, lambda = 1, groups = groups, keep = TRUE), x)),
  jackknife = quote(derivatives(cv.rls(x, cbind(y, x[, 1]), lambda = 1, groups = groups,
                                       keep = TRUE), x, type = "jackknife")),
  family_effects = quote(derivatives(cv.rls(x, classes, lambda = 1, family = "binomial",
                                            groups = groups, keep = TRUE), x)),
  average_effect = quote(average_effect(
    cv.rls(y ~ ., d, kernel_gaussian(0.3), 0.1, groups = groups, keep = TRUE),
    function(d) transform(d, a = a + 1), by = "f"
  )),
  importance = quote(importance(
    cv.rls(y ~ ., d, lambda = 0.1, groups = groups, keep = TRUE), repeats = 2
  )),
  comparison = quote(compare(
    cv.rls(y ~ ., d, lambda = 0.1, groups = groups, keep = TRUE),
    cv.rls(y ~ a, d, lambda = 0.1, groups = groups, keep = TRUE)
  )),
  partial_effects = quote(partial_effects(
    cv.rls(y ~ ., d, lambda = 0.1, groups = groups, keep = TRUE), "a"
  )),
  own = bquote(own(y ~ ., d, method = .(mean_method)())),
  cv.own = bquote(cv.own(y ~ ., d, method = .(mean_method)(), groups = groups, keep = TRUE)),
  effect_curve = quote(effect_curve(
    cv.rls(x, y, kernel_gaussian(1), 0.1, groups = groups, keep = TRUE), "a", x
  )),
  summary_fit = quote(summary(rls(x, y, lambda = 1))),
  summary_cv = quote(summary(cv.rls(x, y, lambda = path, groups = groups))),
  summary_rls2 = quote(summary(rls2(x, y, lambda = 1))),
  summary_greedy = quote(summary(cv.greedyrls(x, y, 2, lambda = 1, groups = groups))),
  summary_ardrls = quote(summary(cv.ardrls(x, y, 1:20, penalty = c(Inf, 0.1), maxit = 2,
                                           outer = 2))),
  summary_effects = quote(summary(derivatives(rls(x, y, lambda = 1), x)))
)

result_data <- function() {
  x <- matrix(rnorm(120), 40, dimnames = list(NULL, c("a", "b", "c")))
  y <- sin(x[, 1]) + rnorm(40) / 2
  list(x = x, y = y, sparse = as(x * (abs(x) > 0.4), "CsparseMatrix"), path = c(1, 0.1),
       classes = factor(ifelse(y + rnorm(40) > 0, "yes", "no")), counts = rpois(40, exp(y / 2)),
       three = factor(sample(rep_len(c("u", "v", "w"), 40))), groups = rep(1:8, each = 5),
       d = data.frame(x, y = y, f = factor(rep(c("u", "v"), 20))))
}

# Rows as the result was made of.
rows_for <- function(object, data) {
  if (is.list(object) && !is.null(unclass(object)$terms)) data$d else data$x
}

# Exported functions and methods, as data.frame(generic, class, name, from, label): generic and
# class are NA for functions; `from` names the package of the generic, if it need not be installed;
# `label` is how a run names what it has called.
offered <- function() {
  space <- parseNamespaceFile("sparserls", dirname(system.file(package = "sparserls")))
  methods <- as.data.frame(space$S3methods, stringsAsFactors = FALSE)
  names(methods) <- c("generic", "class", "name", "from")
  methods$label <- paste(methods$generic, methods$class, sep = ".")
  methods$name <- ifelse(is.na(methods$name), methods$label, methods$name)
  rbind(data.frame(generic = NA, class = NA, name = space$exports, from = NA,
                   label = space$exports), methods)
}

is_here <- function(from) is.na(from) | vapply(from, requireNamespace, NA, quietly = TRUE)

# Where a generic is looked for that is not of this package.
home_of <- function(generic, from) {
  if (!is.na(from)) return(from)
  if (generic %in% getNamespaceExports("sparserls")) return("sparserls")
  for (package in c("base", "stats", "utils", "graphics")) {
    if (exists(generic, asNamespace(package), inherits = FALSE)) return(package)
  }
  "base" # of group generics
}

# The rows of offered() with a method for an object, one for each name: importance() has a generic of
# ours and one of ranger's.
methods_for <- function(object, all) {
  of_it <- !is.na(all$generic) & all$class %in% setdiff(class(object), c("default", "formula"))
  all <- all[of_it & is_here(all$from), c("generic", "from")]
  all <- all[order(!is.na(all$from)), ]
  all[!duplicated(all$generic), ]
}

# What a method is given with the object.
given_with <- list(
  predict = quote(list(object, x)), augment = quote(list(object, newdata = x)),
  derivatives = quote(c(list(object, x), at)), vcov = quote(c(list(object), at)),
  confint = quote(c(list(object), at)),
  get_predict = quote(list(object, newdata = as_frame(x))),
  average_effect = quote(list(object, function(d) d, newdata = as_frame(x))),
  effect_curve = quote(c(list(object, "a", as_frame(x)), at)),
  set_coef = quote(list(object, 1:4)), multi_predict = quote(list(object, x, penalty = 1)),
  Ops = quote(list(object, 2)), `[` = quote(list(object, 1:2)),
  `[<-` = quote(list(object, 1, value = 2)), quantile = quote(list(object, 0.5, na.rm = TRUE)),
  median = quote(list(object, na.rm = TRUE)), makepredictcall = quote(list(object, quote(a)))
)

as_frame <- function(x) as.data.frame(if (inherits(x, "Matrix")) as.matrix(x) else x)

# Calls a generic for an object, a group generic by one of its members.
ask_generic <- function(generic, from, object, x) {
  fields <- unclass(object)
  at <- if (is.list(fields) && length(c(fields$lambda, fields$penalty)) > 1) list(s = 0.1)
  given <- if (is.null(given_with[[generic]])) quote(list(object)) else given_with[[generic]]
  group <- match(generic, c("Ops", "Math", "Summary"))
  if (!is.na(group)) generic <- c("+", "abs", "range")[group]
  space <- asNamespace("sparserls")
  home <- if (exists(generic, space)) space else asNamespace(home_of(generic, from))
  do.call(get(generic, home), eval(given), quote = TRUE)
}
