#!/usr/bin/env bash
#
# coverage.sh: prints which lines of C no test runs. It takes as long as all phpt tests.
#
#     scripts/long/coverage.sh [--at-least=PERCENT] [test.phpt | folder]...
#
# Builds module and unit tests with counters, runs both, and prints the lines that were never run, and the share of the others, per file
# and in all. Exits 1 below PERCENT, 90 by default. build/coverage has HTML pages. docs/internals/coverage.md explains the rest.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

at_least=90
tests=()
for arg; do
	case "$arg" in
		--at-least=*) at_least=${arg#*=} ;;
		-*) usage_error "unknown argument $arg" ;;
		*) tests+=("$arg") ;;
	esac
done
need lcov genhtml gcov

cd "$top"
out=build/coverage
mkdir -p "$out"
module=$(scripts/build.sh --coverage)
# Counters of earlier runs. Servers may run the module as another user, who has to write them, too.
find build/ext-coverage build/unit/gcc-coverage -name '*.gcda' -delete 2>/dev/null || true
find build/ext-coverage/src build/ext-coverage/.libs -type d -exec chmod a+rwx {} +

# A test that failed has run its lines all the same; with the counters some are too slow for what they measure.
echo "phpt: $(scripts/phpt.sh --so="$module" ${tests[@]+"${tests[@]}"} | tee "$out/phpt.log" | tail -n 1)"
echo "unit: $(scripts/unit.sh --coverage | tee "$out/unit.log" | tail -n 1)"
grep -q '^[0-9]* passed' "$out/unit.log" || die "the unit tests cannot be compiled; see $out/unit.log"

add_up()
{
	lcov --quiet --capture --directory build/ext-coverage --output-file "$out/ext.info"
	lcov --quiet --capture --directory build/unit/gcc-coverage --base-directory "$top" --output-file "$out/unit.info"
	# The module was compiled from links to the sources: the same file by two names.
	sed -i "s#^SF:$top/build/ext-coverage/#SF:$top/#" "$out/ext.info"
	lcov --quiet --add-tracefile "$out/ext.info" --add-tracefile "$out/unit.info" --output-file "$out/all.info"
	lcov --quiet --extract "$out/all.info" "$top/src/*" "$top/redislock.c" --output-file "$out/ours.info"
	genhtml --quiet --output-directory "$out/html" --prefix "$top" "$out/ours.info"
}
(add_up) >"$out/lcov.log" 2>&1 || { tail -n 20 "$out/lcov.log" >&2; die "lcov failed"; }

awk -F '[:,]' -v top="$top/" -v at_least="$at_least" '
	function stretch()
	{
		if (from)
			printf "%s:%s\n", file, from == to ? from : from "-" to
		from = 0
	}
	$1 == "SF" { file = substr($2, length(top) + 1); run = lines = 0 }
	$1 == "DA" {
		lines++
		if ($3 > 0) { run++; stretch() }
		else { if (!from) from = $2; to = $2 }
	}
	$1 == "end_of_record" {
		stretch()
		all_lines += lines; all_run += run
		table = table sprintf("%6.1f %%  %s (%d of %d)\n", 100 * run / lines, file, run, lines)
	}
	END {
		printf "%s%6.1f %%  in all (%d of %d lines)\n", table, 100 * all_run / all_lines, all_run, all_lines
		exit 100 * all_run / all_lines < at_least
	}' "$out/ours.info"
