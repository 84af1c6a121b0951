#!/usr/bin/env bash
#
# unit.sh: builds and runs the tests that need neither PHP nor Redis.
#
#     scripts/unit.sh [--cc=gcc|clang] [--tsan | --valgrind | --coverage | --plain] [test_name...]
#
# Compiles the sources below src/php and tests/unit/test_*.c with no PHP header in reach, under the address and
# undefined-behaviour sanitizers unless told otherwise, and compiles again only what changed. --tsan: under the
# thread sanitizer, and without a name only the tests that have threads in what they test. Prints what failed and, last, "N passed, N failed, N skipped".

set -euo pipefail
. "$(dirname "$0")/lib.sh"

cc=${CC:-gcc}
mode=sanitize
wanted=()
for arg; do
	case "$arg" in
		--cc=*) cc=${arg#*=} ;;
		--tsan) mode=tsan ;;
		--valgrind) mode=valgrind ;;
		--coverage) mode=coverage ;;
		--plain) mode=plain ;;
		-*) usage_error "unknown argument $arg" ;;
		*) wanted+=("$(basename "$arg" .c)") ;;
	esac
done
need "$cc" make
[ $mode != valgrind ] || need valgrind

# --- compile --------------------------------------------------------------------------------------

flags="-std=gnu11 -D_GNU_SOURCE -g -fno-omit-frame-pointer -Wall -Wextra -Werror"
libs="-lhiredis -lpthread"
if pkg-config --exists 'libssl >= 1.1.1' 2>/dev/null; then
	flags="$flags -DHAVE_REDISLOCK_SSL=1 $(pkg-config --cflags libssl libcrypto)"
	libs="$libs $(pkg-config --libs libssl libcrypto)"
fi
runner=()
case $mode in
	sanitize)
		flags="$flags -O1 -fsanitize=address,undefined -fno-sanitize-recover=all"
		export ASAN_OPTIONS="detect_leaks=1:abort_on_error=0:${ASAN_OPTIONS:-}"
		export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
		;;
	tsan)
		flags="$flags -O1 -fsanitize=thread"
		export TSAN_OPTIONS="halt_on_error=0:exitcode=66:${TSAN_OPTIONS:-}"
		[ ${#wanted[@]} -gt 0 ] || wanted=(test_memory test_thread)
		;;
	valgrind)
		flags="$flags -O1"
		# shellcheck disable=SC2054
		runner=(valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible
			--track-fds=no --child-silent-after-fork=yes "--suppressions=$top/scripts/valgrind/known.supp")
		mode=plain
		;;
	coverage) flags="$flags -O0 --coverage $coverage_flags" ;;
	plain) flags="$flags -O1" ;;
esac

out="build/unit/$cc-$mode"
cd "$top"
mkdir -p "$out"
exec 9>"$out/.lock"
flock 9
signature="$("$cc" --version | head -n 1) $flags $(extension_sources | cksum)"
[ "$(cat "$out/flags" 2>/dev/null)" = "$signature" ] || echo "$signature" >"$out/flags"

targets=()
for name in ${wanted[@]+"${wanted[@]}"}; do
	[ -r "tests/unit/$name.c" ] || usage_error "there is no tests/unit/$name.c"
	targets+=("$out/$name")
done
if ! make -s -f scripts/unit.mk -j "$jobs" OUT="$out" CC="$cc" FLAGS="$flags" LIBS="$libs" \
	${targets[@]+"${targets[@]}"} >"$out/make.log" 2>&1; then
	cat "$out/make.log" >&2
	die "the tests do not compile"
fi

# --- run ------------------------------------------------------------------------------------------

passed=0
failed=0
skipped=0
if [ ${#wanted[@]} -eq 0 ]; then
	for file in tests/unit/test_*.c; do
		[ ! -e "$file" ] || wanted+=("$(basename "$file" .c)")
	done
fi
[ ${#wanted[@]} -gt 0 ] || die "there is no tests/unit/test_*.c"

for name in "${wanted[@]}"; do
	log="$out/$name.log"
	status=0
	timeout -k 5 "${UNIT_TIMEOUT:-120}" ${runner[@]+"${runner[@]}"} "$out/$name" >"$log" 2>&1 </dev/null || status=$?
	ok=$(grep -c '^ok ' "$log" || true)
	skip=$(grep -c '^ok .* # SKIP' "$log" || true)
	bad=$(grep -c '^not ok ' "$log" || true)
	plan=$(sed -n 's/^1\.\.\([0-9][0-9]*\)$/\1/p' "$log")
	# A crash, a leak or an early exit is a failure of its own, whatever the tests before it said.
	if [ "$bad" -eq 0 ] && { [ $status -ne 0 ] || [ "$plan" != $((ok + bad)) ] || [ "$ok" -eq 0 ]; }; then
		bad=1
		echo "# $name ended with status $status after $ok tests" >>"$log"
	fi
	if [ "$bad" -gt 0 ]; then
		echo "--- tests/unit/$name.c"
		grep -v '^ok ' "$log" || true
	fi
	passed=$((passed + ok - skip))
	skipped=$((skipped + skip))
	failed=$((failed + bad))
done

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
