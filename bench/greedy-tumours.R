# Genes that tell 14 kinds of tumours apart: the honest error of greedyrls(), and the genes.
#
#   Rscript bench/greedy-tumours.R
#
# Writes greedy-tumours.png beside this file.

library(sparserls)
source("bench/store.R")
say_provenance()
d <- shared("ramaswamy190", check.names = FALSE)
x <- as.matrix(d[names(d) != "class"])
class <- factor(d$class)
cat(sprintf("%d tumours, %d genes, %d classes\n", nrow(x), ncol(x), nlevels(class)))

set.seed(1)
run <- timed(function() {
  cv.greedyrls(x, class, k = 100, lambda = 10^(4:0), nfolds = 10, strata = class,
               progress = FALSE)
})
cv <- run$value
print(cv)
print(cv$lambdas)
cat(sprintf("%.1f s\n", run$elapsed))
column <- cv$index["min", "Lambda"]
shown <- c(1, 5, 10, 20, 30, 50, 75, 100)
print(data.frame(genes = shown, misclassified = cv$cvm[shown, column], se = cv$cvsd[shown, column],
                 selection_mse = cv$fit$loo[shown]), row.names = FALSE)
fitted <- sapply(shown, function(k) mean(predict(cv, x, k = k, type = "class") != class))
cat("misclassified training rows (not honest):", format(fitted, digits = 2), "\n")
cat("genes in order of selection:", colnames(x)[cv$fit$selected[seq_len(cv$k.1se)]], "\n")

png(file.path(here, "greedy-tumours.png"), 900, 560)
plot(cv)
invisible(dev.off())
