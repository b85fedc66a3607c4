# The numbers that C and R share are defined in C and reach R by name.

test_that("a status of the numeric core has a name, and every failure a condition", {
  codes <- sparserls:::session$constants$status
  expect_setequal(names(codes), c("ok", "not_finite", "not_positive", "no_convergence",
                                  "ill_posed"))
  expect_silent(sparserls:::stop_status(codes[["ok"]]))
  for (name in setdiff(names(codes), "ok")) {
    expect_error(sparserls:::stop_status(codes[[name]]), class = "sparserls_error")
  }
})
