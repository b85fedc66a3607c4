# Thirty-two ordinary tables as their users have them: numbers, factors, ordered factors, texts, gaps.
# Nothing is filled or scaled, and no more than two variables of pbc are coded. What is left
# out is said beside it: names of rows, columns of one value, and those that are the response in
# other words.
#
#   here <- "bench"; source("bench/first-call-data.R"); d <- first_call_sets()$Hitters()
#
# Every set is a function, whose answer is list(data, response): a data frame, and the name of its
# column to predict, transformed already where one would. No more than 3000 rows: of larger tables a
# sample with the seed 1. AmesHousing, carData, ISLR2, mlbench, modeldata, palmerpenguins, ggplot2 hold
# them. The last twelve were listed on 2026-11-25, before their first run: no default was chosen on
# them, and no other script or article uses them.

source(file.path(here, "fetch.R"))

first_call_sets <- function() {
  list(
    # 167 rows, two of four features are factors (letters), two numbers with few values
    servo = function() as_found(shared("servo"), "class"),
    # 93 rows, gaps in two numbers; 6 factors, one level of one row
    Cars93 = function() {
      as_found(MASS::Cars93, "Price", c("Manufacturer", "Model", "Make", "Min.Price", "Max.Price"))
    },
    # gaps in the response and in Solar.R; no factor
    airquality = function() as_found(datasets::airquality, "Ozone"),
    # texts, one of 38 values; cty is the same on other roads
    mpg = function() as_found(ggplot2::mpg, "hwy", "cty"),
    # gaps in the response alone; three factors of two levels
    Hitters = function() logged(of_package("ISLR2", "Hitters"), "Salary"),
    # gaps in four features; three factors, with sex
    penguins = function() as_found(palmerpenguins::penguins, "body_mass_g"),
    # gaps in horsepower; numbers
    autompg = function() as_found(shared("autompg", na.strings = "?"), "class"),
    Carseats = function() as_found(of_package("ISLR2", "Carseats"), "Sales"),
    # gaps in 12 of 16 features; three factors, one ordered
    pbc = liver,
    BostonHousing = function() as_found(of_package("mlbench", "BostonHousing"), "medv"),
    noise = nothing,
    # numbers alone
    concrete = function() as_found(of_package("modeldata", "concrete"), "compressive_strength"),
    # classes; seven ordered factors, seven others
    attrition = function() as_found(of_package("modeldata", "attrition"), "Attrition"),
    # all of one region; logwage is the response
    Wage = function() {
      as_found(of_package("ISLR2", "Wage"), "logwage", c("wage", "region"))
    },
    # three ordered factors
    diamonds = function() logged(ggplot2::diamonds, "price"),
    # classes; gaps in five features, two of them factors
    credit = function() as_found(of_package("modeldata", "credit_data"), "Status"),
    # classes; state is a factor of 51 levels
    churn = function() as_found(of_package("modeldata", "mlc_churn"), "churn"),
    # numbers alone, the response of few values; 22 of 48 features have one value
    pole = function() {
      d <- as_found(shared("pole"), "foo")
      d$data <- Filter(function(column) length(unique(column)) > 1, d$data)
      d
    },
    # forty factors, many with rare levels
    ames = function() logged(of_package("modeldata", "ames"), "Sale_Price"),
    # the same houses as in the file of their author: texts, and gaps in every row
    ames_raw = function() {
      d <- as.data.frame(of_package("AmesHousing", "ames_raw"))
      names(d) <- make.names(names(d))
      logged(d, "SalePrice", c("Order", "PID"))
    },
    # three factors
    Salaries = function() logged(of_package("carData", "Salaries"), "salary"),
    # two factors, gaps in the response and in two features
    SLID = function() as_found(of_package("carData", "SLID"), "wages"),
    # one factor of two levels; a rate as response
    College = function() as_found(of_package("ISLR2", "College"), "Grad.Rate"),
    # four factors; a response with many zeros
    Credit = function() as_found(of_package("ISLR2", "Credit"), "Balance"),
    # factors of 37 and 3 levels; the postal code has more levels than can be learned
    Sacramento = function() logged(of_package("modeldata", "Sacramento"), "price", "zip"),
    # counts of features of cars, nearly all of few values
    car_prices = function() logged(of_package("modeldata", "car_prices"), "Price"),
    # numbers alone, shares of elements
    biomass = function() as_found(of_package("modeldata", "biomass"), "HHV", c("sample", "dataset")),
    # pupils in 133 classes, a factor
    nlschools = function() as_found(MASS::nlschools, "lang"),
    # hour, day and distance of orders, 27 counts of items
    deliveries = function() as_found(of_package("modeldata", "deliveries"), "time_to_delivery"),
    # classes; two factors
    OJ = function() as_found(of_package("ISLR2", "OJ"), "Purchase"),
    # classes of unequal size; 20 features, most of two values
    stackoverflow = function() as_found(of_package("modeldata", "stackoverflow"), "Remote"),
    # classes, 189 rows; race is a code, made a factor
    birthwt = function() {
      d <- MASS::birthwt
      d[c("low", "race")] <- lapply(d[c("low", "race")], factor)
      as_found(d, "low", "bwt")
    }
  )
}

as_found <- function(d, response, without = NULL) {
  d <- as.data.frame(d)
  d <- d[setdiff(names(d), without)]
  if (nrow(d) > 3000) {
    set.seed(1)
    d <- d[sort(sample(nrow(d), 3000)), ]
  }
  rownames(d) <- NULL
  list(data = d, response = response)
}

# The response is the logarithm of a column, which it replaces.
logged <- function(d, response, without = NULL) {
  d <- as.data.frame(d)
  d[[paste0("log_", response)]] <- log(d[[response]])
  as_found(d, paste0("log_", response), c(response, without))
}

# Bilirubin of patients at their first visit, by everything else that was known then.
liver <- function() {
  d <- survival::pbc
  d$trt <- factor(d$trt, labels = c("penicillamine", "placebo"))
  d$edema <- factor(d$edema, labels = c("none", "untreated", "despite"), ordered = TRUE)
  logged(d, "bili", c("id", "time", "status"))
}

# A response that nothing explains: four factors, one of them ordered, and four numbers.
nothing <- function() {
  set.seed(1)
  n <- 400
  some <- function(levels, ...) factor(sample(levels, n, replace = TRUE), levels, ...)
  as_found(data.frame(
    y = rnorm(n), group = some(letters[1:12]), site = some(c("north", "south", "west")),
    treated = some(c("no", "yes")), dose = some(c("low", "middle", "high"), ordered = TRUE),
    age = sample(20:80, n, replace = TRUE), income = exp(rnorm(n, 10)), score = rnorm(n),
    children = rpois(n, 1)
  ), "y")
}
