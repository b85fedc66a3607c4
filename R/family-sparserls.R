#' Kernel regularized least squares on a subset of regressors
#'
#' @description
#' Fits `f(x) = b0 + sum_j a_j k(x, x_j)`, the sum over `n` basis vectors x_j, by minimizing
#' over all `m` rows
#'
#' `sum_i w_i (y_i - f(x_i))^2 + lambda a' K_BB a`
#'
#' for a whole grid of `lambda`. The loss is a *sum*, not a mean: glmnet's lambda for the same
#' problem is `lambda * sd(y) / m`, sd with divisor m (without an intercept `sqrt(mean(y^2))` takes
#' its place). All lambdas cost about as much as
#' one: `4 m n^2` operations and memory for 1.3 m x n matrices.
#'
#' @section The shift: `jitter` is added to the kernel value of every row with itself, k(x, x) +
#'   jitter, so that kernel matrices are positive definite. It changes the rows that are basis
#'   vectors in one column, so `fitted()` and `predict()` on those rows differ by `jitter` times
#'   their coefficient. What remains of a basis vector that the others nearly span is mostly jitter,
#'   and small values of lambda fit it. The field `shift_df` says how many degrees of freedom are
#'   the jitter's (`vignette("mathematics")` has the formula); the default grid ends where they
#'   reach 0.01. If they exceed 0.1 at a lambda that is fitted or chosen, a warning of class
#'   `sparserls_warning_jitter` says so. With almost no noise in `y`, even smaller values can be
#'   better: they need a smaller `jitter`.
#' @section Accuracy: Fits and held-out predictions carry a relative error of about the machine
#'   precision times `L / lambda`, L the largest eigenvalue of the problem: about 2e-8 at worst on
#'   the default grid, which ends at 1e-8 L or before; and of 1e-10 at least where the basis vectors
#'   nearly span each other, as with a very small `gamma` or `jitter`. A lambda below 2e-12 L is
#'   refused where it matters; where the smallest lambda makes it more than 1e-6, a warning of class
#'   `sparserls_warning_lambda` says so, with the condition number. `vignette("promises")` measures
#'   errors against 256-bit arithmetic.
#' @section Redundant basis vectors: Basis vectors that repeat another one, or that others span to
#'   working precision (a pivot of the Cholesky factorization of K_BB + jitter I, scaled to a unit
#'   diagonal, below n times the machine precision), are dropped with a warning of class
#'   `sparserls_warning_basis`. The default basis has none of them and needs no warning. The problem
#'   that is solved is the one without them. Of rows that coincide the basis vector is the one that
#'   `basis` names first; only that row has the jitter, and its twins are rows of the loss like any
#'   others. With a large jitter and a small lambda this is not the problem in which every twin is a
#'   basis vector with a jitter of its own, and would be fitted apart from the others.
#' @section Size of the numbers: The largest absolute value of a column of `x`, of `y`, of
#'   `weights` and of `offset` must be zero or between 2^-100 and 2^100 (about 1e-30 and 1e30): an
#'   error of class `sparserls_error_range` names what is not, and the power of ten to divide it
#'   by. A warning of class `sparserls_warning_jitter` says where the kernel's values vanish beside
#'   `jitter`.
#' @section Families: With a `family` what is minimized is `sum_i w_i d_i + lambda a' K_BB a`, d_i
#'   the unit deviance of row i at the linear predictor `eta_i = offset_i + f(x_i)`: minus twice the
#'   logarithm of the likelihood (Gamma: of shape 1), but for what does not depend on f. For `y` of
#'   two classes it is that of logistic regression; of several classes each has a binomial of its
#'   own against all others, and their probabilities are divided by their sum. The binomial family
#'   also takes zeros and ones, shares between 0 and 1 with their trials as `weights`, and, in a
#'   formula, `cbind(successes, failures)`. Links are logit and log. glmnet's lambda, times the sum
#'   of weights, is this one; by default the grid of `lambda` follows the weights of the model
#'   without f.
#'
#'   Fits have the class `glmrls`, in place of `sparserls` or `rls`, with the fields `lambda`, `df`,
#'   `dev.ratio` (the share of `nulldev`, the deviance of the offset and intercept alone, that is
#'   explained), `a0` and `alpha` (terms x outputs x lambdas), `family`, `certificate`, a bound of
#'   the error of fitted linear predictors, as a share of their standard deviation, and `steps`, of
#'   Newton's method. Between values of the path of `lambda` there is nothing. A
#'   cross-validation ends the default grid where its error is a quarter above that at the largest
#'   lambda (with the Pima data of MASS what follows took half of the time). What new rows get
#'   says [predict()][predict.glmrls]; [family()][stats::family] answers the family as stats and
#'   MASS have it, but for several classes; there is no log-likelihood of such fits, and no AIC.
#'   With an intercept rows that are all 0, or (binomial) all 1, have no fit. [rls()] has
#'   coefficients of the features with its linear kernel, and with any other kernel all rows of
#'   positive weight as a basis, with `jitter = 1e-7`.
#'
#'   [derivatives()], [average_effect()] and [effect_curve()] are of means or of linear predictors,
#'   with standard errors by the jackknife or the sandwich, as of [vcov()][vcov.sparserls_fit].
#'   There are no chunks, class weights, debiased effects, standard errors of predictions or views
#'   as Gaussian processes of such fits: they end in errors of class `sparserls_error_family`.
#' @section Errors: Every error of the package (not those of functions that you give) has a class
#'   `sparserls_error` and one of its own:
#'   `sparserls_error_x`, `_y`, `_weights`, `_basis`, `_kernel`, `_lambda`, `_formula`, `_offset`,
#'   `_family`, `_argument`, `_range`, `_dots` (an unknown argument), `_newdata`, `_object` (a
#'   fit of another version), and in rare cases of the data `_not_finite`, `_singular`,
#'   `_ill_posed`.
#'
#' @section Factors: Factors, and with them characters and logicals, of a formula or of a data frame
#'   that has factors are coded once for each call. Where a kernel of the call is Gaussian,
#'   Laplacian, Matern or custom, *a factor is one feature*. Every level gets an indicator of its
#'   own (two levels two columns) and every interaction of factors one for each cell, so that
#'   distances between rows do not depend on which level comes first; an ordered factor is a number,
#'   the rank of its level. To standardize, all columns of a factor, or of an interaction with one,
#'   are divided by one number, the root of the sum of their variances. So every variable, factor or
#'   number, adds 2 to the expected squared distance of two rows, however many levels it has. Of two
#'   levels squared distances are those of a single standardized column of zeros and ones (absolute
#'   ones, of the Laplacian kernel, are `sqrt(2)` times as large). A level without rows of positive
#'   weight is at a finite distance from the others. Columns of `poly()` and of matrices are
#'   features by themselves.
#'
#'   Where all kernels are linear or polynomial factors are coded by contrasts, as in [stats::lm()],
#'   ordered ones too, and the first level is the reference; each column is standardized by itself.
#'   Regularized fits depend on that choice: with indicator columns made by hand they do not.
#'
#'   Rows with missing values are left out of fits by a formula, unless [na_level()] makes their
#'   gaps a level, or a median with an indicator. Levels that only new rows have are an error, or
#'   placed by `unknown` of [predict()][predict.sparserls_fit].
#'
#'   Indicator columns made by hand, as by [stats::model.matrix()] or one-hot coding, are numbers
#'   like others: each is standardized by itself, so that a factor of L levels adds 2 L to the
#'   distance and rare levels lie far from all others. Prefer the factor, also in a data frame as
#'   `x`. Where all columns of a data frame are numbers or logicals it is a numeric matrix.
#'
#'   A factor that has a single level in the rows that are used is left out, with a message of class
#'   `sparserls_message`; new rows need not have it.
#' @param x numeric matrix, data frame or Matrix of any class, `m` rows by `p` columns; factors of a
#'   data frame are coded as the section Factors of [sparserls()] says. Sparse matrices stay sparse
#'   for linear, polynomial, Gaussian and Matern kernels. With [kernel_precomputed()] the m x m
#'   kernel matrix.
#' @param formula,data,subset,na.action as in [stats::lm()]; `data` may also be [chunks] of rows
#'   that need not fit into memory, see [chunk_models]. `weights`, `offset` (and `groups`,
#'   `strata`, `foldid` of the `cv.` functions) and the arguments of [basis_groups()] and its
#'   like are looked for in `data` first; a single string names a column of `data`. (What a function
#'   of yours passes on by `...` is looked for where *it* was called: pass strings there.) `- 1`
#'   means no intercept.
#' @param y response: a numeric vector; a numeric matrix, one output per column; a factor or logical
#'   vector. Two classes are coded -1 and +1 (the second level is +1); more classes are fitted
#'   one-versus-all.
#' @param basis which rows become basis vectors: a number of them, row numbers, or
#'   [basis_random()] and its like; or a matrix or data frame of points, which need not be rows, see
#'   [basis_random()]. `NULL`: randomly pivoted Cholesky, [basis_rpcholesky()], of half
#'   the rows (rounded down) or 500, whichever is less; fewer where these span all rows.
#' @param kernel a kernel, see [kernels].
#' @param lambda regularization parameters, positive; used and returned in decreasing order.
#'   `NULL`: `nlambda` values, evenly spaced on the log scale, over all that a choice could want:
#'   from `20 sum(L)`, L the eigenvalues of the problem, where the degrees of freedom are below 0.05
#'   (the null model), down to the largest of three: `1e-8 max(L)`; the lambda with degrees of
#'   freedom of 99 % of the rank; and the lambda at which the jitter has 0.01 degrees of freedom
#'   (see the section The shift), but `max(L)` at most. A single one (`nlambda = 1`) is `max(L)`.
#' @param nlambda length of the default grid.
#' @param weights one non-negative weight per row; weight 2 is the same as the row twice (outside
#'   the basis), weight 0 leaves the row out of the loss. For classes of unequal size see
#'   [class_weights()].
#' @param intercept whether to fit an unpenalized intercept.
#' @param standardize whether to centre the columns of `x` beforehand and to divide them by their
#'   standard deviations (weighted, divisor `sum(weights)`; those of a factor together, see the
#'   section Factors of [sparserls()]), without looking at `y`. Without an intercept they are
#'   divided only: a linear `f` goes through the origin of `x` as given (kernels of differences are
#'   the same either way). Ignored for precomputed kernels.
#' @param jitter non-negative number, see below.
#' @param threads threads for kernel values; `NULL` means `getOption("sparserls.threads", 1)`.
#' @param offset numbers, one for each row, that are added to every prediction and are not fitted:
#'   it is `y - offset` that f is fitted to; with a `family` it is part of the linear predictor, as
#'   `log(exposure)` of counts. With a formula also an expression of columns of `data`, or the name
#'   of one; `offset()` in the formula does the same, and both add up. New rows have theirs by the
#'   same expressions, or, where they were given as values, by `newoffset` of
#'   [predict()][predict.sparserls_fit]. Coefficients, effects and curves are those of f, without
#'   the offset; with a `family` those of means, on the scale `"response"`, are at the offsets of
#'   the rows.
#' @param family `NULL` for least squares, or the likelihood that `y` has: `"binomial"` or
#'   `binomial()`, `"poisson"` or `poisson()`, `Gamma(link = "log")`, or `negative.binomial(theta)`
#'   of the package MASS with a `theta` of yours; see the section Families.
#' @param ... for the formula method, further arguments of the default method.
#' @return An object of class `sparserls`, a list with
#'   \item{lambda}{the c values, decreasing}
#'   \item{df}{effective degrees of freedom for every lambda, without the intercept}
#'   \item{shift_df}{how many of them are the jitter's, see the section The shift}
#'   \item{dev.ratio}{share of the (weighted) sum of squares that the fit explains, per lambda}
#'   \item{basis}{rows that are basis vectors, as numbers of the data supplied; of points that
#'     were given their own numbers}
#'   \item{selector}{how they were selected, where the kernel was looked at}
#'   \item{kernel}{the kernel with its parameters}
#'   \item{jitter, intercept, standard, call, nobs}{what was used}
#'
#'   The other fields are what [coef()][coef.sparserls_fit], [predict()][predict.sparserls_fit] and
#'   `fitted()` need.
#' @references Pahikkala, T., Suominen, H. and Boberg, J. (2012) Efficient cross-validation for
#'   kernelized least-squares regression with sparse basis expansions. *Machine Learning*
#'   87, 381-407.
#' @seealso [cv.sparserls()]
#' @examples
#' set.seed(1)
#' fit <- sparserls(lpsa ~ . - train, data = prostate, subset = train, basis = 20)
#' fit
#' predict(fit, prostate[!prostate$train, ], s = 0.5)
#' @export
sparserls <- function(x, ...) {
  UseMethod("sparserls")
}

#' @rdname sparserls
#' @export
sparserls.default <- function(x, y, basis = NULL, kernel = kernel_gaussian(), lambda = NULL,
                              nlambda = 50, weights = NULL, intercept = TRUE, standardize = TRUE,
                              jitter = 1e-7, threads = NULL, offset = NULL,
                              family = NULL, ...) {
  check_dots(..., known = names(formals()))
  kernels <- list(single_kernel(kernel, "cv.sparserls()"))
  design <- as_design(x, y, weights, kernels, offset, read_family(family))
  lambda <- check_lambda(lambda)
  nlambda <- check_nlambda(nlambda)
  refuse_sizes(basis)
  if (!missing(standardize)) note_standardize(standardize, kernels)
  call <- generic_call(match.call(), "sparserls")
  basis_warned(fit_problem(with_family(
    sparserls_problem(design, call, kernels, basis, lambda, nlambda, intercept, standardize, jitter,
                      threads)
  )))
}

#' @rdname sparserls
#' @export
sparserls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights,
                              offset) {
  given <- formula_call(match.call(), "sparserls", parent.frame(), formula, data)
  if (is_chunks(given$read$data)) return(from_chunks(given, sparserls_chunks, basis, ...))
  from_formula(given, sparserls.default, formula_basis(basis, given), ...)
}
