library(testthat)
library(sparserls)

test_check("sparserls")
