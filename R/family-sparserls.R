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
#'   the jitter's (formula: `articles/mathematics.html` of the site); the default grid ends where
#'   they reach 0.01. If they exceed 0.1 at a lambda that is fitted or chosen, a warning of class
#'   `sparserls_warning_jitter` says so. With almost no noise in `y`, even smaller values can be
#'   better: they need a smaller `jitter`.
#' @section Accuracy: Fits and held-out predictions carry a relative error of about the machine
#'   precision times `L / lambda`, L the largest eigenvalue of the problem: about 2e-8 at worst on
#'   the default grid, which ends at 1e-8 L or before; and of 1e-10 at least where the basis vectors
#'   nearly span each other, as with a very small `gamma` or `jitter`. A lambda below 2e-12 L is
#'   refused where it matters; where the smallest lambda makes it more than 1e-6, a warning of class
#'   `sparserls_warning_lambda` says so, with the condition number. `articles/promises.html` of the
#'   site measures errors against 256-bit arithmetic.
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
#'   Newton's method. (Along the path of a cross-validation `df` is exact at what is chosen, next to
#'   it and at every third lambda; between these it is that of a spline, to about three digits.)
#'   Predictions exist only at the fitted values of `lambda`. A cross-validation ends the default
#'   grid where its error is two standard errors above its least (what follows took half of the
#'   time). Where several kernels or sizes of the basis are searched,
#'   open widths among them, the search is by squares: of the working response of the model without
#'   f, with its weights (of several classes, of their codes). The best alone gets its
#'   cross-validation by the likelihood; in the table `kernels` the column `error` says which error
#'   is which. What new rows get says [predict()][predict.glmrls]; [family()][stats::family] answers
#'   the family as stats and MASS have it, but for several classes; there is no log-likelihood of
#'   such fits, and no AIC. With an intercept rows that are all 0, or (binomial) all 1, have no fit.
#'   [rls()] has coefficients of the features with its linear kernel, and with any other kernel all
#'   rows of positive weight as a basis, with `jitter = 1e-7`.
#'
#'   `"negbin"`, whose variance is `mu + mu^2 / theta`, estimates theta in turns with the fit, until
#'   it changes by less than 1e-5 of itself: theta maximizes the log-likelihood at the fitted means
#'   less `(df + 1) / 2` times the logarithm of `sum(w mu theta / (mu + theta))` (Cox and Reid,
#'   1987; without an intercept df takes the place of df + 1). Fitted means are too near to their
#'   `y`, and theta would be too large without this adjustment; at held-out means it would be too
#'   small. So theta is near that of mgcv's `nb()` with `method = "REML"`. For a linear model with
#'   hardly a penalty, with df of 99 % of its rank at least, nothing is adjusted, and theta is that
#'   of [MASS::glm.nb()]. Where counts vary no more than Poisson counts theta is 1e6. `sparserls()`
#'   and `rls()` need a single `lambda` for it. A cross-validation estimates theta at its
#'   `lambda.min`, after the search for a kernel, and takes about twice as long as with a theta of
#'   yours. *Theta is held fixed in all folds*, those of `outer` too: held-out rows have had their
#'   share in this one number. It is the field `family$theta`, and a column of [glance()][tidiers].
#'
#'   The field `dispersion` of fits to counts, and to shares of trials, has for every lambda the sum
#'   of `w (y - mu)^2 / V(mu)`, V the variance of the family, over `m - df - 1`, m the number of
#'   rows of positive weight: Pearson's dispersion, about 1 where the family is right. Prints show
#'   it, and say where it is above 1.5 or below 2/3 at `lambda.min`, or at the only lambda of a fit.
#'   Nothing is multiplied by it: the jackknife and the sandwich need no dispersion.
#'
#'   A first call of `cv.sparserls()`, all arguments at their defaults, took this many times as long
#'   with a `family` as without:
#'   \tabular{lrr}{
#'   data \tab rows \tab times as long\cr
#'   epil (MASS), Poisson \tab 236 \tab 4.7\cr
#'   Pima.tr and Pima.te (MASS), binomial \tab 532 \tab 2.5\cr
#'   spam (kernlab), binomial \tab 2000 \tab 3.9\cr
#'   Bikeshare (ISLR2), Poisson \tab 2000 \tab 6.3\cr
#'   simulated, three features, binomial \tab 4000 \tab 2.9\cr
#'   Default (ISLR2), binomial \tab 7000 \tab 5.6
#'   }
#'   With one width and a given basis of 500 vectors ten folds along 50 lambdas of 4000 rows took 15
#'   (binomial) and 24 times (Poisson) as long as by least squares, leave-one-out at one lambda 10
#'   and 18 times.
#'
#'   [derivatives()], [average_effect()] and [effect_curve()] are of means or of linear predictors,
#'   with standard errors by the jackknife or the sandwich, as of [vcov()][vcov.sparserls_fit].
#'   There are no class weights, debiased effects, standard errors of predictions or views as
#'   Gaussian processes of such fits: they end in errors of class `sparserls_error_family`. Rows in
#'   chunks have a section of their own in [chunk_models].
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
#' @param kernel a kernel, see [kernels], or its name, such as `"laplacian"`.
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
#'   `binomial()`, `"poisson"` or `poisson()`, `Gamma(link = "log")`, `"negbin"`, the negative
#'   binomial with an estimate of theta, or `negative.binomial(theta)` of the package MASS with a
#'   `theta` of yours. `"quasibinomial"` and `"quasipoisson"`, or these objects of stats, are the
#'   same fits as without "quasi". See the section Families.
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
#' @references Cox, D. R. and Reid, N. (1987) Parameter orthogonality and approximate conditional
#'   inference. *Journal of the Royal Statistical Society B* 49, 1-39.
#'
#'   Pahikkala, T., Suominen, H. and Boberg, J. (2012) Efficient cross-validation for
#'   kernelized least-squares regression with sparse basis expansions. *Machine Learning*
#'   87, 381-407.
#' @seealso [cv.sparserls()]
#' @examples
#' set.seed(1)
#' fit <- sparserls(lpsa ~ . - train, data = prostate, subset = train, basis = 20)
#' fit
#' predict(fit, prostate[!prostate$train, ], s = 0.5)
#' @export
sparserls <- function(x, ...) UseMethod("sparserls")

#' @rdname sparserls
#' @export
sparserls.default <- function(x, y, basis = NULL, kernel = kernel_gaussian(), lambda = NULL,
                              nlambda = 50, weights = NULL, intercept = TRUE, standardize = TRUE,
                              jitter = 1e-7, threads = NULL, offset = NULL,
                              family = NULL, ...) {
  asked <- read_arguments("sparserls", match.call(), environment(), ...)
  public_call(fit_problem, asked_sparserls(asked))
}

#' @rdname sparserls
#' @export
sparserls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights,
                              offset) {
  given <- formula_call(match.call(), "sparserls", parent.frame(), formula, data)
  if (is_chunks(given$read$data)) return(sparserls_chunks("sparserls", given, basis, ...))
  from_formula(given, sparserls.default, formula_basis(basis, given), ...)
}

#' Exact cross-validation of kernel regularized least squares on a subset of regressors
#'
#' Cross-validates [sparserls()] over a grid of `lambda`. Held-out predictions are those of honest
#' refits on the rows outside the fold, computed without refitting: at the price of about two fits
#' for ten folds or leave-one-out, and of more for numbers of folds in between (see below). They are
#' exact up to rounding for least squares, about 1e-12 of the spread of `y` where the problem is
#' well conditioned, and with a `family` to a bound that goes with them (`certificate`). Centres
#' and scales of the columns are found once, over all rows and without looking at `y` (see below).
#'
#' @section What refits keep of all rows: Centres and scales of the columns (`standardize`) and a
#'   default `gamma` are found once, over all rows; so is the default grid of lambda. So are those
#'   of [cv.rls()] and [cv.rls2()]; [cv.greedyrls()] standardizes in every fold. In small samples
#'   this makes the error too good: with eight normal features and ten folds it is below that of
#'   refits that find their own by 1.0 percent with 40 rows (standard error 0.1) and by 0.4 percent
#'   with 100 rows (0.02). It is more where features have long tails: with 40 rows 6.9 percent (0.9)
#'   with lognormal features and 38 percent (3) where the response has their tails, too; 6.5 percent
#'   (0.5) with 40 rows of [MASS::cpus] (200 repetitions, `vignette("cross-validation")`).
#'   With `outer` none of it is kept: each outer fold is predicted by a search that begins with
#'   centres and scales of the other rows. What the formula itself computes from all rows, as by
#'   `poly()`, `splines::ns()` or the medians of [na_level()], is kept there, too.
#' @section What it costs: N folds of m rows with n basis vectors and c lambdas take about
#'   `1.5 + min(N n / m, c m / (2 N n))` times as long as the fit alone over the same lambdas:
#'   of the two exact forms, one whose price grows with the number of folds but hardly with that of
#'   lambdas and one whose price grows with the size of the folds and with c, the cheaper is taken.
#'   The most expensive number of folds is `m / n * sqrt(c / 2)`, which takes `1.5 + sqrt(c / 2)`
#'   fits (6.5 for 50 lambdas). Leave-one-out is among the cheapest, but with few basis vectors its
#'   predictions for every lambda show (2.7 fits with 10000 rows and 250 basis vectors). Measured
#'   with 5000 rows, 500 basis vectors and 50 lambdas, medians of three: 10 folds 1.9 fits, 25 folds
#'   3.4, 50 folds 5.1, 100 folds 3.9, 250 folds 2.6, leave-one-out 1.8
#'   (`vignette("cross-validation")`).
#' @section Held-out basis vectors: For a fold H whose rows E are basis vectors, `holdout_basis`
#'   says what the refit without H is:
#'
#'   | | basis | rows in the loss | rows scored |
#'   |---|---|---|---|
#'   | `"remove"` | all but E | all but H | H |
#'   | `"keep"` | all | all but H | H |
#'   | `"keep_loss"` | all | all but H, and E | H without E |
#'   | `"skip"` | all | all but H | H without E |
#'
#'   Only `"remove"` leaves the held-out rows neither in the basis nor in the loss, and is the
#'   honest choice for clustered data, where basis vectors resemble the other rows of their group.
#'   Basis vectors that were dropped as redundant still belong to the basis: a refit uses them when
#'   the vectors that made them redundant are held out. So a fold that holds out all rows of
#'   `fit$basis` may have a refit all the same; the field `stand_ins` names its basis.
#' @section A basis for every fold: With `reselect = TRUE` the basis is chosen anew in every fold,
#'   by a selector that sees the other rows only: the error is that of the whole procedure,
#'   selection included. Every fold then costs a selection and a fit, and no basis vector is ever
#'   held out, so `holdout_basis` does not matter. The basis of all rows is chosen first, then those
#'   of the folds, in order. As everywhere, columns are standardized and a default `gamma` is found
#'   once, over all rows and without looking at `y`; so is the default `lambda` grid, which comes
#'   from the fit to all rows. A selector that looks at `y`, [basis_greedy()], makes the error too
#'   good without `reselect`, and a warning of class `sparserls_warning_selection` says so.
#' @section Error and its standard error: `cvm` is the weighted mean loss over the scored rows
#'   (over held-out predictions where folds overlap; of several outputs the sum). `cvsd` is its
#'   standard error over folds, as in glmnet with `grouped = TRUE`: the standard deviation of the
#'   folds' means, weighted by the folds' weights, divided by the root of their number less one.
#'   With `groups` it is over groups, and over rows where folds hold fewer than three rows. Where
#'   folds divide the same rows several times, as with `cv_folds(repeats = )`, the repeats are not
#'   independent evidence: both are computed within every repeat, and `cvm` is the mean over
#'   repeats, `cvsd` the root of the mean of squares. AUC, concordance and a user's function are
#'   computed in every fold and averaged (folds in which they are undefined are left out), or once
#'   over all held-out predictions where folds hold fewer than three rows; `cvsd` is then the
#'   standard error of [survival::concordance()], and NA for a user's function. It is NA where a
#'   single row, group or fold is all that is scored; `lambda.1se` is `lambda.min` then.
#' @section The simplest model that is as good: With `rule = "1se"`, the usual rule, it is the one
#'   with the largest lambda whose error is at most the smallest plus that one's `cvsd`. But models
#'   are compared on the same rows, and what makes all of them err alike (outliers, hard folds) is
#'   part of `cvsd` but not of their difference. With `rule = "paired"` it is the one with the
#'   largest lambda for which the mean of the differences
#'   \eqn{d_u = L_u(\lambda) - L_u(\lambda_{min})}{d_u = L_u(lambda) - L_u(lambda.min)} is at
#'   most their standard error
#'   \deqn{\bar d = \frac{\sum w_u d_u}{\sum w_u} \le
#'     \sqrt{\frac{1}{U - 1} \frac{\sum w_u (d_u - \bar d)^2}{\sum w_u}},}{
#'     sum(w d) / sum(w) <= sqrt(sum(w (d - mean)^2) / sum(w) / (U - 1)),}
#'   L_u the mean loss of the unit u, w_u its weight. The U units are rows, or groups where `groups`
#'   are given, and not folds, of which there are few: the standard error of five differences is
#'   nearly as uncertain as they are. (Rows of a fold share a refit, which this passes over.) The
#'   root mean squared error chooses as the mean squared error does; with `repeats` mean and
#'   standard error are computed within every repeat. AUC and concordance are compared by folds, and
#'   where folds hold fewer than three rows by what every row, or group, moves them by; a user's
#'   function by folds only, and it is refused where these hold fewer than three rows. Of rows in
#'   chunks there are sums by fold: the units are folds, and `"loo"` and leave-one-group-out are
#'   refused. `lambda.min`, `cvm` and `cvsd` do not depend on the rule.
#' @section Lambda for every output: With several outputs, or several classes, `lambda.min` is one
#'   for all of them. With `by.output = TRUE` each has its own error and lambda beside it, those of
#'   a cross-validation of the output alone with the same folds, basis and kernel (the best for all
#'   together), at no further cost. `s = "lambda.min.output"` or `"lambda.1se.output"` gives
#'   predictions, coefficients, fitted values and residuals with every output at its own.
#' @section A choice at the edge of its grid: The print, and a message of class
#'   `sparserls_message`, say when `lambda.min` is the largest or the smallest of several lambdas,
#'   or `lambda.1se` the largest. Where the degrees of freedom there are below 0.05, as at the top
#'   of the default grid, this is a finding: the null model is as good as any, or within one
#'   standard error of the best. Where they are nearly the rank, that is a finding too:
#'   regularization does not help, a richer model may. Where the grid ends because the jitter would
#'   shape the fit below (see the section The shift of [sparserls()]), smaller values need a
#'   smaller `jitter`. Elsewhere, or where twice the smallest lambda has an error larger by a
#'   hundredth, the grid was too short. Both also say when the best of three or more gammas (that
#'   differ in nothing else) is the smallest or the largest, and when the best of three or more
#'   sizes of the basis is the largest. Nothing is said of the smallest lambda where no error is
#'   left, nor where its degrees of freedom are nearly the rank and the kernel is linear (not
#'   normalized, without `gamma`) with a basis that spans all features: that is least squares on
#'   all of them.
#' @section Nested cross-validation: The smallest of many errors is too small: the more kernels,
#'   sizes or numbers of features there are to choose from, the more so. With `outer` each outer
#'   fold in turn is left out, the whole call is repeated without it, and the model that it chooses
#'   (at `lambda.min`, or `k.min` and its lambda) predicts the fold. The error of these predictions
#'   is the field `nested`; all other fields are those of the call without `outer`. Outer folds are
#'   made of whole groups, or of whole folds of `foldid`, and balanced by `strata`; with `folds`,
#'   which may hide what belongs together, give `outer` as folds too. Inner folds are drawn among
#'   the rows that are left; given ones lose the rows of the outer fold, as does a basis of given
#'   rows. Columns are standardized, and default gammas and grids of lambda found, anew from these
#'   rows.
#'
#'   The price is about that of the call times the number of outer folds. In fits: kernels (with
#'   each width that is searched) x sizes x outer folds, each with its shortcut for the inner folds.
#'   Where there is none, it is inner folds plus one times as many ([cv.rls2()], `reselect = TRUE`);
#'   of [cv.greedyrls()] inner folds x lambdas plus one for every outer fold. The field
#'   `nested$fits` and the print say how many. With 2000 rows, 200 basis vectors and 5 kernels
#'   `outer = 5` makes the call take 4 times as long.
#' @section Progress and interrupts: The bar goes to stderr. An interrupt at any time leaves a
#'   usable session. It is answered at once, but for the decomposition of a matrix that is under
#'   way: of 1000 basis vectors, or rows of a full kernel, it took 0.3 seconds on one processor, of
#'   2000 1.6 seconds.
#' @section Errors: As in [sparserls()], and `sparserls_error_folds` for folds, groups or labels
#'   that do not fit, or that leave no training row or no basis vector; `sparserls_error_measure`.
#'
#' @inheritParams sparserls
#' @param basis which rows become basis vectors: a number of them, row numbers, or [basis_random()]
#'   and its like, or points that need not be rows and are never held out; [basis_sizes()] searches
#'   several sizes. `NULL`: randomly pivoted Cholesky, [basis_rpcholesky()], of half the rows
#'   (rounded down) or 500, whichever is less; fewer where these span all rows.
#' @param kernel a kernel, a list of kernels, their names (`c("gaussian", "matern")`), or a kernel
#'   with a vector of gammas (or of multiples of the data-driven gamma, [width_multiples()]): all
#'   are searched with the same folds. Where gamma is `NULL` the width is searched, too, at the
#'   price of 3 to 8 widths in place of one: see the section Default width of [kernels];
#'   `kernel_gaussian(width_multiples(1))` is one width. `NULL`, the default of `cv.sparserls()`,
#'   searches two shapes, the Gaussian and the Laplacian,
#'   each with its widths: the second starts where the width of the first ended, and a shape that is
#'   behind by more than a standard error is not followed any further. Each shape has one basis,
#'   selected at its first width. (Of sparse `x` the Gaussian alone.)
#' @param nfolds number of folds, or `"loo"`. `NULL`: 10, or with `groups` leave one group
#'   out. See [cv_folds()].
#' @param foldid labels of any type, one per row: the folds.
#' @param groups labels, one per row: rows of a group are held out together.
#' @param strata labels, one per row: balanced over the folds.
#' @param folds a list of vectors of row numbers (of the data as supplied), from [cv_folds()] or
#'   made by hand. They may overlap or leave rows out. A fold may also be `list(score = , omit = )`:
#'   the rows that are scored, and all that do not train, these among them. Or resamples of the
#'   packages rsample or spatialsample (`rset`): the assessment rows are scored, and all that are
#'   not in the analysis are omitted; bootstraps are refused.
#' @param reselect whether `basis`, a number or a selector, chooses anew in every fold, see below.
#' @param holdout_basis what happens to held-out basis vectors, see below.
#' @param type.measure `r help_measures()`; or a `function(y, yhat, weights)` of responses, held-out
#'   predictions and weights that returns one number to be minimized. The default is `"mse"` for
#'   numeric responses and `"class"` for classes. `y` is a vector, of classes the factor, of several
#'   outputs a matrix, rows x outputs; `yhat` a vector, or a matrix of rows x outputs, of classes
#'   their scores (`type = "response"` of [predict()][predict.sparserls_fit]): of two classes a
#'   vector, positive for the second, of several a matrix with a column for each, named by the
#'   levels; `weights` a vector, one for each of these rows. The function is called in your session,
#'   once for each fold and lambda, also under a [future::plan()], and may draw random numbers. With
#'   rows in chunks a measure must be a mean over rows, and no function. With a `family` measures
#'   are `"deviance"` (the default), `"class"` and `"auc"` (of classes), `"mse"` (of classes the
#'   Brier score, the squared difference of zero or one from the probability) and `"mae"`, and a
#'   function sees means as `yhat`, and with the binomial family zeros and ones as the factor of
#'   both. The deviance of several classes is that of the class that came,
#'   minus twice the logarithm of its probability, after the division by the sum; their Brier score
#'   and absolute error are sums over classes, and there is no `"auc"` of them.
#' @param rule what `lambda.1se` (`k.1se`) is: `"1se"`, within one standard error of the best, or
#'   `"paired"`, within one standard error of the difference from it, see [cv.sparserls()].
#' @param keep whether to return the held-out predictions, which [fitted()][coef.sparserls_fit] and
#'   `residuals()` answer with `type = "held-out"`, and the refits behind them, which prediction
#'   intervals need (`predict(interval = "jackknife+")`): terms x folds coefficients at
#'   `lambda.min` and at `lambda.1se`; and what [vcov()][vcov.sparserls_fit] and [derivatives()]
#'   need: matrices of terms x terms. With rows in chunks `keep` is `FALSE` or a folder for the
#'   held-out predictions, see [chunk_models].
#' @param certificate with a `family`, a bound of the error of held-out linear predictors, as a
#'   share of the standard deviation of the fit's, that all values of lambda are to reach. By
#'   default 1e-3, with more than 100 folds 0.05 (which one step for each mostly reaches), and 0.05
#'   where the error is two standard errors above the best; but 1e-6 at `lambda.min`, at
#'   `lambda.1se`, next to both, and wherever the choice could tip. `certificate = 1e-6` asks for
#'   that everywhere. Without a `family` it has no effect.
#' @param solver `"auto"` picks the cheaper of the two exact hold-out forms for every fold;
#'   `"update"` and `"retrain"` force one (a fold for which the update would lose digits is
#'   retrained all the same). With a `family` it is not a choice.
#' @param by.output whether to choose lambda for every output alone, too, see [cv.sparserls()].
#' @param outer a number of outer folds (of groups, where there are groups), `"loo"`, or folds as in
#'   `folds`: the error of the whole choice by nested cross-validation, see [cv.sparserls()].
#'   `NULL`: none.
#' @param progress whether to show a text bar.
#' @return An object of class `cv.sparserls`, a list with
#'   \item{lambda}{decreasing}
#'   \item{cvm, cvsd, cvup, cvlo}{error, standard error, and error plus and minus it}
#'   \item{name, rule}{of the measure; the `rule` of `lambda.1se`}
#'   \item{lambda.min, lambda.1se}{lambda of the smallest error (of equals, as misclassifications
#'     often are, of the smallest squared error; then the largest), and the largest within one
#'     standard error of it, or of the difference from it}
#'   \item{index}{their positions}
#'   \item{cvm.output, cvsd.output, lambda.min.output, lambda.1se.output}{with `by.output`: the same
#'     for every output, matrices of lambdas x outputs, and one lambda for each}
#'   \item{foldid}{fold of every row; NULL where folds overlap or leave rows out}
#'   \item{omits.more}{whether folds omit rows that they do not score}
#'   \item{ngroups}{with groups: how many there are}
#'   \item{performance}{what is reported of held-out predictions, a data frame with rows `"min"`,
#'     `"1se"` and `"null"`, the null model, which predicts a row by the mean of the rows that are
#'     not left out with it: the `error` (NA of measures of a whole set of rows); of a single output
#'     `rmse`, the root mean squared error, and `r.squared`, the share of the variance that is
#'     predicted (with a `family` of the deviance), with its `std.error` over groups or rows; of
#'     classes their `accuracy`. NULL of pairs of rows, and of rows in chunks}
#'   \item{calibration}{of classes: what turns their scores into probabilities, see
#'     [predict.sparserls_fit()]. `intercept` and `slope`, a row for each class (of two classes for
#'     the second) and the columns `lambda.min` and `lambda.1se`; `logloss`, the mean logarithmic
#'     loss of the held-out rows at both, and of the base rates, by sigmoids and rates of other
#'     folds (in at most five parts): on noise it is about that of the base rates, where new rows
#'     are worse off, for the scores of other folds have seen these rows; `auc` of two classes, that
#'     of the held-out scores at both, as `type.measure = "auc"` finds it; `bins`, predicted and
#'     observed shares with their standard errors, see [plot.sparserls_cv()]; `counts`, how many
#'     of these probabilities are in each twentieth of the range, at `lambda.min`; `balance`, of
#'     [class_weights()], the factors of the classes, which the calibration leaves away}
#'   \item{nested}{with `outer`: a list of `cvm` and `cvsd`, the error of the whole choice and its
#'     standard error; `nfolds`, the number of outer folds; `foldid`, that of every row (or NULL);
#'     `fits`, how many fits they took; and `chosen`, a data frame with a row for each outer fold:
#'     how many rows, their error (`cvm`) and what was chosen without them; with `keep` also
#'     `scores`, what these predict, rows x outputs}
#'   \item{fit}{the fit to all rows, see [sparserls()]}
#'   \item{fit.preval}{with `keep`: held-out predictions, rows x lambdas, or rows x outputs x
#'     lambdas; NA where a row is not scored}
#'   \item{refits}{with `keep`, where no row is held out twice: what [predict.sparserls_fit()] needs
#'     for intervals}
#'   \item{kernel}{the best kernel; `size`, with [basis_sizes()], the best of them; `kernels` a
#'     table of all, with columns for the numbers in which they differ (gamma, its `multiple` of
#'     the default, degree, scale, offset, size); `curves` their errors}
#'   \item{certificate, steps}{with a `family`: for every lambda a bound of the difference between
#'     all held-out linear predictors and those of refits in full (approximate leave-one-out, as of
#'     Meijer and Goeman, 2013, and Rahnama Rad and Maleki, 2020, takes a single Newton step and has
#'     no such bound); and a data frame of the `steps`
#'     of the fold that took most, how many folds were `refactored` for steps of their own, and the
#'     `share` of the bound in the standard deviation of the fit's linear predictors, and what was
#'     `asked` of it, see `certificate`. A message and the print speak of shares above that, which
#'     rounding leaves, at the chosen lambdas or larger ones, and of those above 1e-3 anywhere}
#'   \item{stand_ins}{where folds hold out basis vectors and others had been dropped as redundant
#'     (by the default basis without a warning): a list, named by these folds, of the rows among
#'     the dropped ones that the fold does not hold out. Its refit uses these rows and what is left
#'     of `fit$basis` through the coordinates of `fit$basis`, where the stand-ins have no jitter of
#'     their own. A new fit with these rows as `basis` therefore differs by what their jitter does:
#'     by rounding where lambda is large, by up to some percent of the standard deviation of `y` at
#'     the small end of the default grid. With rows in chunks there is none for leave-one-out}
#'   \item{holdout_basis, reselect, nfolds, call}{`holdout_basis` is NULL with `reselect` and with a
#'     basis of given points}
#' @references Meijer, R. J. and Goeman, J. J. (2013) Efficient approximate k-fold and leave-one-out
#'   cross-validation for ridge regression. *Biometrical Journal* 55, 141-155.
#'
#'   Pahikkala, T., Suominen, H., Boberg, J. and Salakoski, T. (2009) Efficient hold-out
#'   for subset of regressors. *ICANNGA 2009*, LNCS 5495, 350-359.
#'
#'   Pahikkala, T., Suominen, H. and Boberg, J. (2012) Efficient cross-validation for
#'   kernelized least-squares regression with sparse basis expansions. *Machine Learning*
#'   87, 381-407.
#'
#'   Rahnama Rad, K. and Maleki, A. (2020) A scalable estimate of the out-of-sample prediction error
#'   via approximate leave-one-out cross-validation. *Journal of the Royal Statistical Society B*
#'   82, 965-996.
#'
#'   Varma, S. and Simon, R. (2006) Bias in error estimation when using cross-validation for model
#'   selection. *BMC Bioinformatics* 7, 91.
#' @examples
#' set.seed(1)
#' cv <- cv.sparserls(lpsa ~ . - train, data = prostate, subset = train, basis = 30,
#'                    nfolds = "loo")
#' cv
#' plot(cv)
#' predict(cv, prostate[!prostate$train, ])
#'
#' # the basis is selected by looking at the response, so it is selected in every fold
#' cv.sparserls(lpsa ~ . - train, data = prostate, basis = basis_greedy(10), reselect = TRUE)
#'
#' # clustered rows: leave one group out, with its basis vectors
#' groups <- rep(1:40, each = 4)
#' x <- matrix(rnorm(160 * 3), 160) + rnorm(40)[groups]
#' y <- sin(x[, 1]) + rnorm(40)[groups] / 2
#' cv.sparserls(x, y, basis = basis_groups(groups), groups = groups)
#'
#' # the error of the choice among five kernels and fifty lambdas, in folds of whole groups
#' cv.sparserls(x, y, kernel_gaussian(width_multiples(2^(-2:2))), basis = 40, groups = groups,
#'              nfolds = 5, outer = 4)
#' @export
cv.sparserls <- function(x, ...) UseMethod("cv.sparserls")

#' @rdname cv.sparserls
#' @export
cv.sparserls.default <- function(x, y, basis = NULL, kernel = NULL,
                                 lambda = NULL, nlambda = 50, weights = NULL, intercept = TRUE,
                                 standardize = TRUE, jitter = 1e-7, nfolds = NULL, foldid = NULL,
                                 groups = NULL, strata = NULL, folds = NULL, reselect = FALSE,
                                 holdout_basis = c("remove", "keep", "keep_loss", "skip"),
                                 type.measure = NULL, rule = c("1se", "paired"), keep = FALSE,
                                 solver = c("auto", "update", "retrain"), by.output = FALSE,
                                 outer = NULL, progress = interactive(), threads = NULL,
                                 offset = NULL, family = NULL, certificate = NULL, ...) {
  asked <- read_arguments("cv.sparserls", match.call(), environment(), ...)
  public_call(cross_validate, asked_sparserls(asked))
}

#' @rdname cv.sparserls
#' @export
cv.sparserls.formula <- function(formula, data, basis = NULL, ..., subset, na.action, weights,
                                 offset, foldid, groups, strata) {
  given <- formula_call(match.call(), "cv.sparserls", parent.frame(), formula, data)
  if (is_chunks(given$read$data)) return(sparserls_chunks("cv.sparserls", given, basis, ...))
  from_formula(given, cv.sparserls.default, formula_basis(basis, given), ...,
               labels = c("foldid", "groups", "strata"))
}

# The problem of either, of least squares or with a family.
asked_sparserls <- function(asked) {
  asked$kernels <- asked_kernels(asked)
  asked$lambda <- check_lambda(asked$lambda)
  selects <- inherits(asked$basis, "sparserls_basis")
  if (is_cv(asked)) {
    if (asked$reselect || selects) {
      check_reselect(asked$reselect, asked$basis, asked$holdout_basis)
    }
  } else if (selects) {
    refuse_sizes(asked$basis)
  }
  # Points that are no rows are never held out.
  if (is_point_basis(asked$basis)) asked$holdout_basis <- "keep"
  design <- asked_design(asked)
  problem <- sparserls_problem(asked, design, if (is_cv(asked)) new_validation(asked, design))
  if (is.null(asked$family)) problem else with_family(problem)
}
