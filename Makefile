# make demo      installs what is missing and the package with its articles, runs it on data;
#                ARTICLES=no leaves out the articles, which need pandoc and some minutes
# make test      runs the tests; TESTS=numbers leaves out those of messages, TESTS=platform runs
#                those for slow machines, TESTS='^(cv|rls)$$' the files of these names
# make fuzz      random calls, good and bad (tests/fuzz); CASES=1000 of them, all from SEED=1
# make footprint what help pages' examples write and connect to, by strace
# make promises  the table of vignettes/articles/promises.Rmd, from the last `make test` and checks/
# make compilers builds src/ by other compilers and for Windows; none may warn
# make sanitize  the tests and 2000 random calls under AddressSanitizer and UBSan of gcc, an hour
# make gctorture every routine of C with a garbage collection at each of its allocations
# make protect   reads whether the bridge protects all values that it makes
# make valgrind  a third of the tests of numbers under valgrind; hours
# make interrupts 300 interrupts of long computations
# make mutants   changes src/ and R/ in MUTANTS=200 places drawn from SEED=1; each must fail the
#                tests of numbers; hours
# make coverage  lines and branches that the tests reach
# make size      how much there is to read, beside what it should be
# make check     R CMD check on the built package; a warning fails
# make site      builds the site (articles, help, news) into site/ and checks its links
# make readme    writes into README what its lines print, and draws its picture and the sticker
# make check-releases   make demo and .ci/run in bare systems of two releases of Debian, by the
#                project's ../shared/bare-debian/run; as root, an hour
# make install   installs the package, without articles, into .lib, the project's own library
# make clean     removes what the targets above have made

LIB := $(CURDIR)/.lib
CHECK := .check
export R_LIBS := $(LIB)$(if $(R_LIBS),:$(R_LIBS))

.PHONY: demo test fuzz footprint promises compilers sanitize gctorture protect valgrind interrupts \
	count coverage mutants size check site readme check-releases install articles clean deps

ARTICLES := yes
demo: DEPS := survival $(if $(filter yes,$(ARTICLES)),data.table knitr rmarkdown)
demo: $(if $(filter yes,$(ARTICLES)),articles,install)
	@Rscript tools/demo.R

# Some tests read larger data sets where they are at hand.
test: export SPARSERLS_DATA := $(or $(SPARSERLS_DATA),$(shell cd ../shared/data 2>/dev/null && pwd))
test: DEPS := generics survival testthat
TESTS := all
test: install
	Rscript tools/run-tests.R '$(TESTS)'

CASES := 1000
SEED := 1
fuzz: DEPS := generics
fuzz: install
	Rscript tests/fuzz/run.R cases=$(CASES) seed=$(SEED)

footprint: install
	tools/footprint.sh

promises:
	Rscript tools/promises.R

compilers: DEPS := generics testthat
compilers: deps
	sh tools/compilers.sh

sanitize gctorture valgrind: DEPS := generics survival testthat
sanitize: deps
	sh tools/with-sanitizers.sh sh tools/sanitize.sh
gctorture: deps
	R_ENABLE_JIT=0 sh tools/with-sanitizers.sh Rscript tools/gctorture.R
protect:
	Rscript tools/protect.R
valgrind: deps
	sh tools/valgrind.sh
interrupts: DEPS := future
interrupts: install
	Rscript tools/interrupts.R

# Both go on where they were stopped, in .count and .mutants.
coverage mutants: DEPS := covr generics jsonlite survival testthat
count: deps
	Rscript tools/coverage-run.R .count
coverage: count
	Rscript tools/coverage.R .count

MUTANTS := 200
mutants: count
	mkdir -p .mutants && ln -sfn ../.count .mutants/reach
	Rscript tools/mutants.R .mutants mutants=$(MUTANTS) seed=$(SEED)

size: install
	Rscript tools/size.R

check: export _R_CHECK_CRAN_INCOMING_ := false
check: export _R_CHECK_FORCE_SUGGESTS_ := false
check: export _R_CHECK_SYSTEM_CLOCK_ := false
# --as-cran asks CRAN's site who maintains a suggested package that is not installed, and ends with
# an error where a mirror does not know: it is answered by an empty list.
check: export R_CRAN_WEB = file://$(abspath $(CHECK))
check: DEPS := --suggests
check: deps
	rm -rf "$(CHECK)" && mkdir -p "$(CHECK)/web/packages"
	Rscript -e 'saveRDS(cbind(Package = "", Maintainer = ""), "$(CHECK)/web/packages/packages.rds")'
	cd "$(CHECK)" && R CMD build "$(CURDIR)" && R CMD check --as-cran --no-manual $(CHECK_FLAGS) \
		sparserls_*.tar.gz && grep -qE '^Status: (OK|[0-9]+ NOTEs?)$$' sparserls.Rcheck/00check.log

site: DEPS := pkgdown
site: export OPENBLAS_NUM_THREADS := 1
site: install
	Rscript tools/build-site.R
	Rscript tools/site-math.R site
	Rscript tools/site-pages.R site
	Rscript tools/check-links.R site

readme: DEPS := survival
readme: install
	Rscript tools/readme.R
	Rscript tools/sticker.R

RELEASES := bookworm trixie
check-releases:
	for suite in $(RELEASES); do \
		SUITE=$$suite ../shared/bare-debian/run "make demo" "bash .ci/run" || exit 1; \
	done

# What the package is made of. Where none of it has changed the installed one stays, so that `make
# test` leaves the articles that `make demo` has installed. (Folders change when files come or go.)
SOURCES := $(shell find DESCRIPTION NAMESPACE R data inst man src ! -name '*.o' ! -name '*.so')
install: $(LIB)/installed
$(LIB)/installed: $(SOURCES) | deps
	@sh tools/logged.sh "$(LIB)/install.log" R CMD INSTALL --preclean --clean --library="$(LIB)" .
	@touch "$@"
articles: $(LIB)/articles
$(LIB)/articles: $(SOURCES) $(wildcard vignettes/*.*) | deps
	@sh tools/articles.sh "$(LIB)"
	@touch "$(LIB)/installed" "$@"

deps:
	@mkdir -p "$(LIB)"
	@sh tools/need-r.sh
	@Rscript tools/install-deps.R $(DEPS)

clean:
	rm -rf .lib .check .count .mutants site src/*.o src/*.so demo-lambda-curve.png
