# What a method is: the verbs that every family of models answers, all of them. Read this first.
# Defaults of one line stand here; others in the files of what they are about.
#
# A *problem* is a classed value, c("<family>_problem", "problem"), made by the public
# functions of its family from arguments that have been checked: data, settings, and how it is to be
# cross-validated (new_problem() in problem.R lists the fields). It is never changed, only replaced.
# A *candidate* is one point of what is searched along with the path: a kernel with its basis. A
# *path* (path.R) holds the values that one training serves: lambda, or k and lambda. A *model* is
# what training leaves behind, in whatever shape the family likes; only its own verbs look inside.
#
#   fit_problem(problem)    candidates -> begin -> finish                        sparserls(), ...
#   cross_validate(problem) candidates -> evaluate -> errors -> choose_point -> refine ... -> finish
#                                                                                cv.sparserls(), ...
#   nested_error(problem)   search_candidates(remade(without(problem, rows))) -> coded_scores
#
# A method needs four of them: train, predict_rows and finish of its problem, coded_scores of its
# fit. All others have a default that holds for it, or that says, as an error with a class, what the
# method does not have. To add one write its problem and these verbs in one R file; CONTRIBUTING.md
# says how, and family-own.R is one, by which methods of others get all of this: for them two plain
# functions do.

# ---- what a problem answers: training ------------------------------------------------------

# What is searched, a list of candidates, drawn in this order from the user's random numbers.
# folds: those of the cross-validation, NULL for a fit alone. By default a single one, the
# method as it is, without fields.
candidates <- function(problem, folds = NULL) UseMethod("candidates")
candidates.default <- function(problem, folds = NULL) list(list())

# For families that search kernels: the candidates of one. bases: what all kernels share.
kernel_candidates <- function(problem, kernel, bases) UseMethod("kernel_candidates")

# The part of what draw_search() answers that deserves the family's own errors, by default all of
# it; `screened` are the curves of the other candidates.
screen <- function(problem, drawn) UseMethod("screen")
screen.default <- function(problem, drawn) drawn

# The problem with what its likelihood leaves open estimated with a candidate: theta of counts.
# drawn: of draw_search(), NULL for a fit alone. No verb: a field of the problem answers.
settle <- function(problem, candidate, drawn = NULL) {
  if (is.null(problem$settle)) problem else problem$settle(problem, candidate, drawn)
}

# Further candidates that the errors of those tried suggest, a list; empty where the search is done.
# It leaves the random stream as it is. tried: of candidates their `walk` and `origin`
# (cv-width-search.R); curves: of error_curve(), one for each that was tried. By default more widths
# of kernels whose gamma was left open.
refine <- function(problem, tried, curves, folds) UseMethod("refine")

# The model of a candidate on all rows of positive weight, a list with whatever else. path: a path,
# or NULL for the one that was asked for or that fits the data. The model says which it was, in its
# field `path`, and what became of the candidate, in `candidate`.
train <- function(problem, candidate, path = NULL) UseMethod("train")

# What is known before any fold is left out, a list of
#   candidate   with everything resolved that was left open (a default gamma)
#   path        that all folds share
#   model       on all rows, or NULL where the path did not need one
# By default those of train().
begin <- function(problem, candidate) UseMethod("begin")

# The held-out predictions of a candidate: begin()'s list with `held` (cv-held.R). The default
# refits without every fold in turn, which is honest for any method that has the other verbs.
# Methods with a shortcut answer the same numbers. `index`, of choose_point(), where the choice has
# been made; otherwise it is made with the errors. tick: a function to call now and then.
evaluate <- function(problem, candidate, folds, tick) UseMethod("evaluate")

# The problem for training without these rows. By default their weights are zero.
without <- function(problem, rows) UseMethod("without")

# The problem of without(), with centres and scales of the columns and default gammas of the rows
# that are `left`. (All folds of one cross-validation share those of all rows.)
remade <- function(problem, left) UseMethod("remade")

# Predictions of rows of the problem by a model that was trained without them (or not): an array of
# rows x outputs x points of the path, the first axis of the path running fastest.
predict_rows <- function(problem, model, rows) UseMethod("predict_rows")

# The fit that the user gets, of new_fit() (fit.R). begun: a list of begin() or evaluate().
# choice: of choose_point(), with whatever else was chosen of the path; or NULL for a fit alone.
finish <- function(problem, begun, choice = NULL) UseMethod("finish")

# ---- what a problem answers: what is kept and known of it ----------------------------------

# What a cross-validation keeps with keep = TRUE of the refits behind its held-out predictions
# (cv-refits.R): a list of `folds`, the numbers of the folds that they leave out, and `expansion` or
# `models`, what predicts at the positions `at` of the path; NULL where a family keeps none.
# found: the list of evaluate(). The default asks predictor().
refits <- function(problem, found, folds, at) UseMethod("refits")

# What predicts of a model, or NULL. It answers at_points() and model_scores(). By default the whole
# fit; without its training rows it is smaller.
predictor <- function(problem, model) UseMethod("predictor")

# What is left of a predictor at some points of the path, in the user's units.
at_points <- function(predictor, at) UseMethod("at_points")

# Predictions of coded rows by what at_points() has left, rows x outputs.
model_scores <- function(model, x, point) UseMethod("model_scores")

# Fields of the cv object that not all have, a list, to which those of `certified` in `found` are
# added. found: the list of evaluate(); fit: to all rows; index: positions "min" and "1se" on its
# path.
own_fields <- function(problem, found, fit, index) UseMethod("own_fields")
own_fields.default <- function(problem, found, fit, index) NULL

# Whether training draws random numbers, which workers must not.
draws_in_training <- function(problem) UseMethod("draws_in_training")
draws_in_training.default <- function(problem) FALSE

# What a cross-validation with keep = TRUE keeps for standard errors, its field `covariance`: sums
# of what units do to coefficients, by default those of squared loss (vcov-unit-sums.R).
kept_covariance <- function(problem, found, folds, index) UseMethod("kept_covariance")

# ---- what a fit answers: scores ------------------------------------------------------------

# Those of the rows of the fit, of which it may keep some. at: as users give it. By default the
# field `fitted`, at the positions `fitted_at` of the path (without it, at all of them).
kept_scores <- function(object, at) UseMethod("kept_scores")

# The scores of rows that are coded as the columns of x, an array of rows x outputs x points. at:
# points (path.R). By default those of expansion_at().
coded_scores <- function(object, x, at) UseMethod("coded_scores")

# For a family whose f is a sum of terms with coefficients: the coefficients at values of lambda,
# with a0 (outputs x lambdas); how many kernel values or features a row needs; and the scores of new
# rows without a0, rows x (outputs lambdas). By default those of the field `spectrum`; without it an
# error.
expansion_at <- function(object, lambda) UseMethod("expansion_at")
expansion_terms <- function(object) UseMethod("expansion_terms")
expansion_scores <- function(object, expansion, x) UseMethod("expansion_scores")

# ---- what a fit answers: its path and its numbers ------------------------------------------

# How users ask for points of its path (path.R). By default lambda, with values between those that
# were asked for: coded_scores() then gets any of them.
path_axis <- function(fit) UseMethod("path_axis")

# What coef() shows: coefficients at points of the path, on the user's scale, terms x (outputs
# points), with names of the terms. By default those of the expansion.
path_coefficients <- function(fit, points) UseMethod("path_coefficients")

# Degrees of freedom at s or k as users give it, of several outputs the mean; by default those of
# the field `df`, NA without it.
df_at <- function(fit, at) UseMethod("df_at")

# The fit at one point of the path as effects and covariances see it, a list of `fit`, `lambda` and
# `known`, what knows of standard errors (single_fit()). object: the fit or its cross-validation.
fit_at <- function(fit, point, object) UseMethod("fit_at")
fit_at.default <- function(fit, point, object) list(fit = fit, lambda = point, known = object)

# The derivatives of f by the columns of x, in the user's units of both. expansion: at one lambda;
# x: complete coded rows; share: that of each row in averages. A list of
#   slopes   rows x p x outputs
#   average  terms x p: what a coefficient of 1 adds to the average slopes; NULL where coefficients
#            have no covariance
# By default those of the kernel; without one an error.
expansion_slopes <- function(object, expansion, x, share) UseMethod("expansion_slopes")

# f without a0, or, with `low`, f at x less f at these rows, a list of
#   values   rows x outputs
#   average  as of expansion_slopes()
average_scores <- function(object, expansion, x, share, low = NULL) UseMethod("average_scores")

# How sure coefficients and averages are. object: what knows of it, `known` of fit_at(); averages: a
# list of
#   functionals  terms x averages, and `constant`, one number or one for each: what coefficients
#                and the intercept add to them; NULL where they are not linear in these
#   value        a function of a fit and an expansion: the averages there, averages x outputs (of an
#                expansion at several points x points)
#   gradient     where they are not linear a function that answers their derivatives by coefficients
#                and intercept, a list like `functionals` and `constant`; NULL where there are none
# The type that was asked for or, without one, the best that there is, "none" where there is none; a
# covariance (vcov-covariance.R) of that type.
error_type <- function(object, fit, lambda, type, averages = NULL) UseMethod("error_type")
average_covariance <- function(object, fit, lambda, type, averages) UseMethod("average_covariance")

# The fit as the mean of a Gaussian process (interval-gp.R says what a view is), at one point of the
# path, in the user's units. By default an error where there is no expansion.
gp_view <- function(fit, at) UseMethod("gp_view")

# ---- what fits and cross-validations answer: what is said of them ---------------------------

# Facts, a list: describe.R lists those of a fit, describe-cv.R those of a cross-validation.
# print(), summary(), glance() and tidy() lay them out. By default those of the path, and the
# choices at an edge of it.
describe <- function(object) UseMethod("describe")

# Arguments of the call of a cross-validation's fit, so that update() fits what was chosen; `none`
# are those that it must not have. By default the kernel and the basis of several.
chosen_arguments <- function(cv) UseMethod("chosen_arguments")
