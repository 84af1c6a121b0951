#!/usr/bin/env bash
#
# test.sh: everything a reviewer would run, on a machine that needs to have nothing but Debian.
#
#     scripts/test.sh [--no-install]
#
# Installs what is missing, builds, checks what is generated, and runs all tests; they start the servers they
# need themselves. Every step runs, whatever became of those before it, and prints one line; the output of a
# failed step follows its line, and so do the notes of any step. The last line sums up: "N passed, N failed,
# N skipped", where a step counts as one unless it ran tests that were counted. Exits 1 when anything failed, and
# with CI=true also when anything was skipped.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

install=true
case "${1:-}" in
	--no-install) install=false ;;
	"") ;;
	*) usage_error "unknown argument $1" ;;
esac

cd "$top"
passed=0
failed=0
skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Runs a step: step NAME once|tests COMMAND... With "tests" the counts in the output's last line are added to the
# sum; with "once", or where a step ends before it can count, the step itself is what passed or failed.
step()
{
	local name=$1 kind=$2 status=0 started=$EPOCHREALTIME word=ok summary=
	local ok=0 bad=0 skip=0
	shift 2

	# A terminal waiting for a silent step looks hung.
	[ ! -t 1 ] || printf '...         %s\r' "$name"
	"$@" >"$log" 2>&1 </dev/null || status=$?
	if [ "$kind" = tests ]; then
		summary=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1 || true)
	fi
	if [ -n "$summary" ]; then
		read -r ok _ bad _ skip _ <<<"$summary"
		# A step that failed says so even if none of its tests did.
		if [ $status -ne 0 ] && [ "$bad" -eq 0 ] && [ "$skip" -eq 0 ]; then
			bad=1
		fi
	elif [ $status -eq 0 ] && [ "$kind" = once ]; then
		ok=1
	else
		bad=1
	fi
	if [ "$bad" -gt 0 ]; then
		word=FAILED
	fi
	passed=$((passed + ok))
	failed=$((failed + bad))
	skipped=$((skipped + skip))

	LC_ALL=C awk -v word="$word" -v name="$name" -v from="$started" -v to="$EPOCHREALTIME" -v summary="$summary" \
		'BEGIN { printf "%-6s %6.1f s  %s%s\n", word, to - from, name, summary == "" ? "" : " (" summary ")" }'
	if [ "$word" = FAILED ] || [ "$skip" -gt 0 ]; then
		sed 's/^/    /' "$log"
	else
		sed -n 's/^note: /    &/p' "$log"
	fi
}

if $install; then
	step "packages" once scripts/install-deps.sh build test sapi interplay dev windows
	# A registry that is away is no fault of the code: what needs it is left out, and said to be.
	if scripts/vendor.sh >"$log" 2>&1 </dev/null; then
		cat "$log"
	else
		sed 's/^/    /' "$log"
		echo "LEFT OUT: the tests beside packages of Composer, which could not be fetched"
		export REDISLOCK_TEST_WITHOUT_VENDOR=true
	fi
fi

step "build with gcc" once scripts/build.sh --cc=gcc
step "build with clang" once scripts/build.sh --cc=clang --dir=build/ext-clang

step "generated: embedded scripts" once php scripts/dev/embed-lua.php --check
step "generated: arginfo" once scripts/dev/arginfo.sh --check
step "generated: reference, stub for IDEs" once php -n scripts/dev/api.php --check
step "generated: messages" once php -n scripts/dev/messages.php --check
step "generated: pictures" once scripts/dev/pictures.sh --check
step "translations" once scripts/ci/check-translations.php
step "lists of sources and files" once scripts/ci/check-sources.sh
step "package, built by itself" once scripts/ci/check-package.sh
step "composer.json" once scripts/ci/check-composer.php
step "version numbers" once scripts/ci/check-version.sh
step "layers" once scripts/ci/check-layers.sh
step "format" once scripts/dev/format.sh --check

step "unit tests, sanitizers, gcc" tests scripts/unit.sh --cc=gcc
# The same tests again: what counts is that nothing new turns up.
step "unit tests, sanitizers, clang" once scripts/unit.sh --cc=clang
step "unit tests, thread sanitizer" once scripts/unit.sh --tsan
step "unit tests, valgrind" once scripts/unit.sh --valgrind
step "Windows: links, unit tests on wine" once scripts/ci/check-windows.sh
step "fuzzing, fixed seed" once scripts/long/fuzz.sh
step "scripts on a server" once php scripts/ci/check-lua.php

[ "${REDISLOCK_TEST_WITHOUT_VENDOR:-}" = true ] || step "examples, PHPStan" once scripts/ci/phpstan.sh

step "phpt" tests scripts/phpt.sh

for file in tests/shell/*.sh; do
	[ ! -e "$file" ] || step "$file" once timeout -k 10 "${SHELL_TEST_TIMEOUT:-600}" bash "$file"
done

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && { [ $skipped -eq 0 ] || [ "${CI:-}" != true ]; }
