#!/usr/bin/env bash
#
# test.sh: the everyday checks and tests, on a machine with nothing but Debian. --all is what CI runs.
#
#     scripts/test.sh [--all] [--no-install] [--without=NAME,...]
#
# Installs what is missing, and runs every step, whatever the others find: tests/README.md has a table of them. Steps that only compute
# run side by side, one on each processor; steps that measure time run alone. Each prints a line when it ends; the output of a failed
# step and notes follow. The last line is "N passed, N failed, N skipped", with a step as one unless its tests were counted, and a
# package that could not be fetched as skipped. Exits 1 if anything failed, and with CI=true if anything was skipped, except packages
# that --without names, as scripts/vendor.sh calls them; --without=all: this machine has no registry.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

all=false
install=true
without=
for argument; do
	case "$argument" in
		--all) all=true ;;
		--no-install) install=false ;;
		--without=*) without=,${argument#*=}, ;;
		*) usage_error "unknown argument $argument" ;;
	esac
done

cd "$top"
passed=0
failed=0
skipped=0
excused=0 # of those skipped
shell_timeout=${SHELL_TEST_TIMEOUT:-600}
work=$(mktemp -d)
running=0
number=0
# A step that runs beside others has a process group of its own, which Ctrl-C does not reach.
cleanup()
{
	local group

	for group in "$work"/*.group; do
		[ ! -e "$group" ] || kill -TERM -- "-$(head -n 1 "$group")" 2>/dev/null || true
	done
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Runs a step: step NAME once|tests COMMAND... With "tests" the counts in the output's last line are added to the
# sum; with "once", or where a step ends before it can count, the step itself is what passed or failed.
step()
{
	finish_all
	# A terminal waiting for a silent step looks hung.
	[ ! -t 1 ] || printf '...         %s\r' "$1"
	number=$((number + 1))
	run_step "$number" "$@"
	report "$number"
}

# The same, beside others that were started by it. The processors are shared out: such a step has one.
beside()
{
	while [ "$running" -ge "$jobs" ]; do
		finish_one
	done
	[ ! -t 1 ] || printf '...         %s\r' "$1"
	number=$((number + 1))
	set -m
	JOBS=1 run_step "$number" "$@" &
	set +m
	printf '%s\n' $! "$1" >"$work/$number.group"
	running=$((running + 1))
}

# Runs the command of step $1 and leaves behind how it went.
run_step()
{
	local file="$work/$1" name=$2 kind=$3 status=0 started=$EPOCHREALTIME
	shift 3

	"$@" >"$file.log" 2>&1 </dev/null || status=$?
	printf '%s\n' "$name" "$kind" "$status" "$started" "$EPOCHREALTIME" >"$file.part"
	mv "$file.part" "$file.ended"
}

# Waits for one of the steps that run side by side, and reports it.
finish_one()
{
	local file status=0

	wait -n || status=$?
	# 127: none is left to wait for. Those not reported were killed before they could say how they went.
	if [ $status -eq 127 ]; then
		for file in "$work"/*.group; do
			printf '%s\n' "$(tail -n 1 "$file")" once killed "$EPOCHREALTIME" "$EPOCHREALTIME" >"${file%.group}.ended"
		done
	fi
	for file in "$work"/*.ended; do
		if [ -e "$file" ]; then
			running=$((running - 1))
			rm "${file%.ended}.group"
			report "$(basename "$file" .ended)"
		fi
	done
}

finish_all()
{
	while [ "$running" -gt 0 ]; do
		finish_one
	done
}

# Prints how step $1 went, and adds it to the sum.
report()
{
	local file="$work/$1" word=ok summary= ok=0 bad=0 skip=0 said

	mapfile -t said <"$file.ended"
	rm "$file.ended"
	if [ "${said[1]}" = tests ]; then
		summary=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$file.log" | tail -n 1 || true)
	fi
	if [ -n "$summary" ]; then
		read -r ok _ bad _ skip _ <<<"$summary"
		# A step that failed says so even if none of its tests did.
		if [ "${said[2]}" != 0 ] && [ "$bad" -eq 0 ] && [ "$skip" -eq 0 ]; then
			bad=1
		fi
	elif [ "${said[2]}" = 0 ] && [ "${said[1]}" = once ]; then
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
	if may_miss all; then
		excused=$((excused + $(grep -c '^SKIP .* reason: scripts/vendor\.sh ' "$file.log" || true)))
	fi

	# Over the name of the step that began last.
	[ ! -t 1 ] || printf '\033[K'
	LC_ALL=C awk -v word="$word" -v name="${said[0]}" -v from="${said[3]}" -v to="${said[4]}" -v summary="$summary" \
		'BEGIN { printf "%-6s %6.1f s  %s%s\n", word, to - from, name, summary == "" ? "" : " (" summary ")" }'
	if [ "$word" = FAILED ] || [ "$skip" -gt 0 ]; then
		sed 's/^/    /' "$file.log"
	else
		sed -n 's/^note: /    &/p' "$file.log"
	fi
}

# Does --without name this package?
may_miss()
{
	[[ "$without" == *,all,* || "$without" == *,"$1",* ]]
}

# Counts something of package $1 as skipped.
leave_out()
{
	local note=

	skipped=$((skipped + 1))
	if may_miss "$1"; then
		excused=$((excused + 1))
	else
		note=" (--without does not name \"$1\")"
	fi
	printf 'skip              %s%s\n' "$2" "$note"
}

# May this test of tests/shell run beside others?
measures_no_time()
{
	case "$1" in
		*/no_tls.sh | */static_hiredis.sh | */memory.sh | */left_out.sh | */random.sh | */split.sh)
			[ -e "$1" ]
			;;
		*) false ;;
	esac
}

if $install; then
	groups=(build test sapi interplay check)
	! $all || groups+=(dev windows)
	step "packages" once scripts/install-deps.sh "${groups[@]}"
	scripts/vendor.sh >"$work/vendor" 2>&1 </dev/null || sed 's/^/    /' "$work/vendor"
fi
# A registry that is away is no fault of the code.
scripts/vendor.sh --missing >"$work/missing"
while read -r name becomes; do
	leave_out "$name" "packages, $name: $becomes"
done <"$work/missing"

# The longest first, so that the processors are done together.
beside "build with gcc" once scripts/build.sh --cc=gcc
if $all; then
	beside "Windows: links, unit tests on wine" once scripts/ci/check-windows.sh
fi
beside "unit tests, sanitizers" tests scripts/unit.sh --cc=gcc
if $all; then
	beside "fuzzing, fixed seed" once scripts/long/fuzz.sh
	beside "simulated histories" once scripts/ci/simulate.sh
	beside "build with clang" once scripts/build.sh --cc=clang --dir=build/ext-clang
	beside "build without clone" once scripts/build.sh --no-clone --debug --dir=build/ext-no-clone
	beside "package, built by itself" once scripts/ci/check-package.sh
	for file in tests/shell/*.sh; do
		if measures_no_time "$file"; then
			beside "$file" once timeout -k 10 "$shell_timeout" bash "$file"
		fi
	done
	beside "unit tests, thread sanitizer" once scripts/unit.sh --tsan
	beside "packages without the extension, PHPUnit" once env COMPOSER_ALLOW_SUPERUSER=1 composer --no-interaction test
fi
# Mostly it waits.
beside "contract of all locks, PHPUnit" once scripts/ci/contract.sh
if grep -q '^all ' "$work/missing"; then
	leave_out all "examples and packages, PHPStan"
else
	beside "examples and packages, PHPStan" once scripts/ci/phpstan.sh
fi
beside "layers" once scripts/ci/check-layers.sh
beside "rules of the tests" once scripts/ci/check-tests.php
beside "format" once scripts/dev/format.sh --check
beside "generated: embedded scripts" once php scripts/dev/embed-lua.php --check
beside "generated: arginfo" once scripts/dev/arginfo.sh --check
beside "generated: reference, stub for IDEs" once php -n scripts/dev/api.php --check
beside "generated: pictures" once scripts/dev/pictures.sh --check
beside "documents" once scripts/ci/check-docs.php
beside "lists of sources and files" once scripts/ci/check-sources.sh
beside "composer.json" once scripts/ci/check-composer.php
beside "version numbers" once scripts/ci/check-version.sh

step "scripts on a server" once php scripts/ci/check-lua.php
if $all; then
	step "phpt" tests scripts/phpt.sh
	for file in tests/shell/*.sh; do
		if [ -e "$file" ] && ! measures_no_time "$file"; then
			step "$file" once timeout -k 10 "$shell_timeout" bash "$file"
		fi
	done
else
	step "phpt, without those that are slow" tests scripts/phpt.sh --quick
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && { [ "$skipped" -eq "$excused" ] || [ "${CI:-}" != true ]; }
