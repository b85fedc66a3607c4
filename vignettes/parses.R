# Clustered data like parses of sentences, for the article cross-validation and
# bench/cv-clustered.R, and a picture of their kernel matrix.
#
# Rows (parses) come in groups (sentences), rows of a group resemble each other far more than rows
# of different groups, there are tens of thousands of sparse features, and new rows always come from
# new groups. Section 6.4 of the 2012 paper has the experiment with real parses, which are not
# public.
#
# A sentence has about 120 positions (a log-normal number, standard deviation 0.4 of its logarithm).
# At each of them it has one feature that is right and one that is wrong; right ones are drawn with
# probabilities proportional to 1 / (rank + 1.3), wrong ones with the same probabilities in another
# order of ranks. A parse has one of the two features at every position, the wrong one with a
# probability of its own, whose logit is the sum of a normal number for the sentence (mean -0.5,
# standard deviation 0.8) and one for the parse (0, 0.6). The row of x counts its features, and y,
# the quality of the parse, is the share of positions with the right feature. So common features
# occur in all sentences, and rare ones, which identify the sentence, tell how good its parses are
# to whoever has seen another parse of it.

# A list of `train` and `test`, each a list of x (a sparse matrix), y and `sentence`, a number for
# every row. A sentence has one parse and up to `parses` - 1 more, each with probability 0.925.
simulate_parses <- function(sentences = 501, parses = 5, test_sentences = 600, test_parses = 20,
                            features = 60000) {
  right <- 1 / (seq_len(features) + 1.3)
  wrong <- right[sample.int(features)]
  list(train = draw_parses(sentences, parses, right, wrong),
       test = draw_parses(test_sentences, test_parses, right, wrong))
}

draw_parses <- function(sentences, parses, right, wrong) {
  features <- length(right)
  positions <- pmax(5, round(exp(rnorm(sentences, log(120), 0.4))))
  difficulty <- rnorm(sentences, -0.5, 0.8)
  sentence <- rep(seq_len(sentences), 1 + rbinom(sentences, parses - 1, 0.925))
  choices <- cbind(sample.int(features, sum(positions), TRUE, right),
                   sample.int(features, sum(positions), TRUE, wrong))
  row <- rep(seq_along(sentence), positions[sentence])
  first <- cumsum(positions) - positions
  position <- first[sentence[row]] + sequence(positions[sentence])
  errors <- plogis(difficulty[sentence] + rnorm(length(sentence), 0, 0.6))
  is_wrong <- runif(length(row)) < errors[row]
  list(
    x = Matrix::sparseMatrix(row, choices[cbind(position, 1 + is_wrong)], x = 1,
                             dims = c(length(sentence), features)),
    y = 1 - as.vector(rowsum(+is_wrong, row)) / positions[sentence],
    sentence = sentence
  )
}

# The absolute values of a kernel matrix, rows from the top down, with a key at its right. Rows and
# columns of a group are side by side, and what they share is framed.
kernel_heatmap <- function(k, row_groups, column_groups, xlab = "columns", ylab = "rows") {
  k <- abs(k[order(row_groups), order(column_groups)])
  rows <- rev(sort(row_groups))
  columns <- sort(column_groups)
  colours <- grDevices::hcl.colors(64, "Blues 3", rev = TRUE)
  old <- par(mar = par("mar") + c(0, 0, 0, 3))
  on.exit(par(old))
  image(seq_along(columns), seq_along(rows), t(k[nrow(k):1, ]), col = colours, zlim = c(0, max(k)),
        xlab = xlab, ylab = ylab, axes = FALSE)
  box()
  for (group in intersect(rows, columns)) {
    x <- range(which(columns == group))
    y <- range(which(rows == group))
    rect(x[1] - 0.5, y[1] - 0.5, x[2] + 0.5, y[2] + 0.5, lwd = 1.5)
  }
  edges <- seq(0.5, nrow(k) + 0.5, length.out = 65)
  left <- ncol(k) + 0.5 + ncol(k) / 30
  rect(left, edges[-65], left + ncol(k) / 30, edges[-1], col = colours, border = NA, xpd = NA)
  ticks <- Filter(function(tick) tick <= max(k), pretty(c(0, max(k)), 4))
  text(left + ncol(k) / 22, 0.5 + ticks / max(k) * nrow(k), format(ticks), adj = 0, cex = 0.8,
       xpd = NA)
}
