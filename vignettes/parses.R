# Clustered data like parses of sentences, for the article cross-validation and
# bench/cv-clustered.R.
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
