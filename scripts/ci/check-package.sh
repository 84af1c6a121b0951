#!/usr/bin/env bash
#
# check-package.sh: the package of `pecl package` is valid and complete; a bare phpize, configure and make build it outside the tree,
# as `pecl install` does; it can be installed and loaded; its "make test" skips only tests that need a framework or a web server.
#
#     scripts/ci/check-package.sh [--all]
#
# Runs some of the tests; with --all every test that needs nothing of scripts/vendor.sh.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

all=false
case "${1:-}" in
	--all) all=true ;;
	"") ;;
	*) usage_error "unknown argument $1" ;;
esac
# Those of a caller are for his own code: ours is compiled with warnings as errors elsewhere.
unset CC CFLAGS CPPFLAGS LDFLAGS
need pecl "${PHPIZE:-phpize}" make tar
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Shows what a command said only when it failed.
quietly()
{
	if ! "$@" >"$scratch/log" 2>&1 </dev/null; then
		tail -n 40 "$scratch/log" >&2
		die "$* failed"
	fi
}

cd "$scratch"
quietly pecl package-validate "$top/package.xml"
# Its exit status says nothing about warnings: a path that is not there is one. Only "not today" is none: the date is that
# of the release, and this check also runs on the days after it.
grep -q 'Validation: 0 error(s)' log && ! grep -i 'warning:' log | grep -qv 'field "date" .* is not today$' \
	|| { cat log >&2; die "package.xml is not valid"; }
quietly pecl package "$top/package.xml"
quietly tar -xzf redislock-*.tgz
rm redislock-*.tgz
cd redislock-*/
quietly "${PHPIZE:-phpize}"
quietly ./configure --with-hiredis=yes
quietly make -j "$jobs"
php=$("${PHP_CONFIG:-php-config}" --php-binary)
quietly make install INSTALL_ROOT="$scratch/root"
module="$scratch/root$("${PHP_CONFIG:-php-config}" --extension-dir)/redislock.so"
quietly env LD_BIND_NOW=1 "$php" -n -d "extension=$module" --ri redislock

tests=(tests/00_build tests/00_module tests/20_redislock/acquire_release.phpt tests/50_task/result.phpt)
if $all; then
	rm -rf tests/46_interplay
	tests=(tests)
fi
# As a packager runs them.
quietly timeout -k 10 1800 make test TESTS="${tests[*]}" NO_INTERACTION=1 \
	TEST_PHP_ARGS="-q -j$jobs --no-progress --no-color --set-timeout 120 -g FAIL,BORK,WARN,LEAK,XLEAK,SKIP"
grep -q '^Tests passed *: *[1-9]' "$scratch/log" || { cat "$scratch/log" >&2; die "no test of the package was run"; }
# A test may be skipped for want of a framework, a web server, or an extension that is on trial beside ours.
if grep '^SKIP' "$scratch/log" | grep -viE 'reason: .*(vendor|adapters|FPM|Apache|xdebug|excimer|opcache|ffi|mbstring)'; then
	die "these tests of the package were skipped"
fi
