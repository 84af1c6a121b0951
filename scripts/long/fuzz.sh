#!/usr/bin/env bash
#
# fuzz.sh: feeds generated input to the parsers of tests/fuzz, under sanitizers, beginning with tests/fuzz/corpus/fuzz_name.
#
#     scripts/long/fuzz.sh [--seconds=N | --runs=N] [fuzz_name...]
#
# Without --seconds the input is the same each time, a check. With it, each parser gets new input for that long; what reaches new code is
# kept below build/fuzz for the next run.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

runs=50000
seconds=0
wanted=()
for arg; do
	case "$arg" in
		--seconds=*) seconds=${arg#*=} ;;
		--runs=*) runs=${arg#*=} ;;
		-*) usage_error "unknown argument $arg" ;;
		*) wanted+=("$(basename "$arg" .c)") ;;
	esac
done
need clang
cd "$top"
if [ ${#wanted[@]} -eq 0 ]; then
	for file in tests/fuzz/fuzz_*.c; do
		[ ! -e "$file" ] || wanted+=("$(basename "$file" .c)")
	done
fi
[ ${#wanted[@]} -gt 0 ] || die "there is no tests/fuzz/fuzz_*.c"

mapfile -t sources < <(extension_sources | grep -E '^src/(base|net|redis|lock|config)/' | grep -v '_win32\.c$')
# Addresses are among what the fuzzer learns from, and it reads its folder anew each second: the same input each time
# takes the same addresses, and no -reload.
fixed=()
! setarch -R true 2>/dev/null || fixed=(setarch -R)
failed=false
flags=(-std=gnu11 -D_GNU_SOURCE -g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all -Isrc)
rm -rf build/fuzz/objects
mkdir -p build/fuzz/objects
printf '%s\n' "${sources[@]}" | xargs -P "$jobs" -I{} sh -c 'source=$1; shift
	exec "$@" -c -o "build/fuzz/objects/$(basename "$source" .c).o" "$source"' sh {} \
	clang "${flags[@]}" -fsanitize=fuzzer-no-link,address,undefined
for name in "${wanted[@]}"; do
	out="build/fuzz/$name"
	mkdir -p "$out/corpus"
	clang "${flags[@]}" -fsanitize=fuzzer,address,undefined -o "$out/run" "tests/fuzz/$name.c" build/fuzz/objects/*.o \
		-lhiredis -lpthread
	seeds="tests/fuzz/corpus/$name"
	[ -n "$(ls "$seeds")" ] || die "there is nothing in $seeds"
	rm -rf "$out/scratch"
	mkdir "$out/scratch"
	# What is found is written to the first of the folders.
	arguments=(-seed=1 -reload=0 "-runs=$runs" "$out/scratch" "$seeds")
	if [ "$seconds" -gt 0 ]; then
		arguments=("-max_total_time=$seconds" "$out/corpus" "$seeds")
	fi
	# An input that takes longer than 5 s is a finding too.
	if ! timeout -k 5 $((seconds + 600)) "${fixed[@]}" "$out/run" -timeout=5 -rss_limit_mb=1024 -artifact_prefix="$out/" \
		"${arguments[@]}" >"$out/log" 2>&1 </dev/null; then
		grep -v '^#[0-9]' "$out/log" | tail -n 60
		failed=true
	fi
	rm -rf "$out/scratch"
done
if $failed; then
	die "the input that did it is below build/fuzz"
fi
