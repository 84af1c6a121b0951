#!/usr/bin/env bash
#
# unit.sh: builds and runs the tests that need neither PHP nor Redis.
#
#     scripts/unit.sh [--cc=gcc|clang] [--tsan | --valgrind | --coverage | --plain | --windows] [test_name...]
#
# Compiles the changed files of src below src/php and of tests/unit without PHP's headers, with the address and undefined-behaviour
# sanitizers. --tsan: with the thread sanitizer, and without a name only tests with threads. --windows: see
# scripts/ci/check-windows.sh. Prints failures, and last "N passed, N failed, N skipped".

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
		--windows) mode=windows; cc=x86_64-w64-mingw32-gcc ;;
		-*) usage_error "unknown argument $arg" ;;
		*) wanted+=("$(basename "$arg" .c)") ;;
	esac
done
need "$cc" make
[ $mode != valgrind ] || need valgrind

# --- compile --------------------------------------------------------------------------------------

flags="-std=gnu11 -D_GNU_SOURCE -g -fno-omit-frame-pointer -Wall -Wextra -Werror"
libs="-lhiredis -lpthread"
target=()
exe=
if [ $mode = windows ]; then
	# The level of the API that PHP asks for, and the formats of C99, which Microsoft's own library has by now.
	flags="$flags -D_WIN32_WINNT=0x0601 -D__USE_MINGW_ANSI_STDIO=1 -DWIN32_LEAN_AND_MEAN -isystem build/windows/hiredis -static"
	libs="-Lbuild/windows/hiredis $libs -lws2_32 -lbcrypt"
	exe=.exe
	target=(SYSTEM=win32 EXE=$exe AR=x86_64-w64-mingw32-ar)
elif pkg-config --exists 'libssl >= 1.1.1' 2>/dev/null; then
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
			--track-fds=no --child-silent-after-fork=yes "--suppressions=$top/scripts/inc/valgrind.supp")
		mode=plain
		;;
	coverage) flags="$flags -O0 --coverage $coverage_flags" ;;
	plain) flags="$flags -O1" ;;
	windows) flags="$flags -O1 -g0"; runner=(/usr/lib/wine/wine64) ;;
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
	targets+=("$out/$name$exe")
done
if ! make -s -f scripts/inc/unit.mk -j "$jobs" OUT="$out" CC="$cc" FLAGS="$flags" LIBS="$libs" \
	${target[@]+"${target[@]}"} ${targets[@]+"${targets[@]}"} >"$out/make.log" 2>&1; then
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

# Why Windows has no way to run a test; nothing if it has.
not_here()
{
	[ $mode != windows ] || sed -n 's|^/\* unit: POSIX only: \(.*\) \*/$|\1|p' "tests/unit/$1.c"
}

# Runs a test; its output and how it ended are left in files.
run()
{
	local status=0

	timeout -k 5 "${UNIT_TIMEOUT:-120}" ${runner[@]+"${runner[@]}"} "$out/$1$exe" >"$out/$1.log" 2>&1 </dev/null || status=$?
	echo $status >"$out/$1.status"
}

# They mostly wait, so four at a time for each processor; where something checks every step, they compute. The order is
# reversed, so that the longest, test_wait, begins first.
running=0
at_once=$jobs
[ $mode != sanitize ] || at_once=$((4 * jobs))
for ((i = ${#wanted[@]} - 1; i >= 0; i--)); do
	name=${wanted[i]}
	rm -f "$out/$name.status"
	[ -z "$(not_here "$name")" ] || continue
	if [ $running -ge "$at_once" ]; then
		wait -n
		running=$((running - 1))
	fi
	run "$name" &
	running=$((running + 1))
done
wait

for name in "${wanted[@]}"; do
	log="$out/$name.log"
	reason=$(not_here "$name")
	if [ -n "$reason" ]; then
		echo "SKIP $name: $reason"
		skipped=$((skipped + 1))
		continue
	fi
	status=$(cat "$out/$name.status")
	[ $mode != windows ] || sed -i 's/\r$//' "$log"
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
	if [ $mode = windows ]; then
		sed -n "s|^ok [0-9]* - \(.*\) # SKIP|SKIP $name, \1:|p" "$log"
	fi
	passed=$((passed + ok - skip))
	skipped=$((skipped + skip))
	failed=$((failed + bad))
done

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
