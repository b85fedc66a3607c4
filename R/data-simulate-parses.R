#' Clustered data like parses of sentences
#'
#' Random data with the structure of a parse ranking task: rows (parses) come in groups (sentences),
#' rows of a group resemble each other far more than rows of different groups, there are tens of
#' thousands of sparse features, and new rows always come from new groups. On such data a
#' cross-validation that does not leave out whole groups, or that keeps the held-out basis vectors,
#' goes wrong; see `vignette("cross-validation")`.
#'
#' @section The model: A sentence has about 120 positions (a log-normal number, standard deviation
#'   0.4 of its logarithm). At each of them it has one feature that is right and one that is wrong;
#'   right ones are drawn with probabilities proportional to 1 / (rank + 1.3), wrong ones with the
#'   same probabilities in another order of ranks. A parse has one of the two features at every
#'   position, the wrong one with a probability of its own, whose logit is the sum of a normal
#'   number for the sentence (mean -0.5, standard deviation 0.8) and one for the parse (0, 0.6).
#'   The row of `x` counts its features, and `y`, the quality of the parse, is the share of
#'   positions with the right feature.
#'
#'   So parses of a sentence share most features, common features occur in all sentences, and rare
#'   features, which identify the sentence, tell how good its parses are to whoever has seen another
#'   parse of it. With the linear kernel, values within sentences are about three times as large
#'   as those between them.
#'
#' @param sentences,parses number of training sentences, and of parses of each: a sentence has one
#'   parse and up to `parses - 1` more, each with probability 0.925.
#' @param test_sentences,test_parses the same for the test set, which has other sentences.
#' @param features number of features, the columns of `x`.
#' @return A list of `train` and `test`, each a list of
#'   \item{x}{feature counts, a `dgCMatrix` with one row per parse}
#'   \item{y}{quality of the parses, from 0 to 1}
#'   \item{sentence}{the sentence of every row, a number}
#' @section Errors: `sparserls_error_argument` for arguments that are no counts.
#' @references Pahikkala, T., Suominen, H. and Boberg, J. (2012) Efficient cross-validation for
#'   kernelized least-squares regression with sparse basis expansions. *Machine Learning*
#'   87, 381-407. Section 6.4 has the experiment with real parses, which are not public.
#' @examples
#' set.seed(1)
#' d <- simulate_parses(40, 5, 20, 5, features = 2000)
#' cv <- cv.sparserls(d$train$x, d$train$y, basis_groups(d$train$sentence), kernel_linear(),
#'                    groups = d$train$sentence, standardize = FALSE)
#' mean((d$test$y - predict(cv, d$test$x))^2)
#' @export
simulate_parses <- function(sentences = 501, parses = 5, test_sentences = 600, test_parses = 20,
                            features = 60000) {
  features <- check_count(features, "features")
  right <- 1 / (seq_len(features) + 1.3)
  wrong <- right[sample.int(features)]
  list(
    train = draw_parses(check_count(sentences, "sentences"), check_count(parses, "parses"), right,
                        wrong),
    test = draw_parses(check_count(test_sentences, "test_sentences"),
                       check_count(test_parses, "test_parses"), right, wrong)
  )
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
  errors <- stats::plogis(difficulty[sentence] + rnorm(length(sentence), 0, 0.6))
  is_wrong <- runif(length(row)) < errors[row]
  list(
    x = Matrix::sparseMatrix(row, choices[cbind(position, 1 + is_wrong)], x = 1,
                             dims = c(length(sentence), features)),
    y = 1 - as.vector(rowsum(+is_wrong, row)) / positions[sentence],
    sentence = sentence
  )
}
