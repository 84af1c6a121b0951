#!/usr/bin/env bash
#
# steady.sh: runs the everyday tests again and again on a busy machine.
#
#     scripts/long/steady.sh [--busy=N] [RUNS] [test.phpt | folder]...
#
# Runs the unit tests and scripts/phpt.sh --quick, or the phpt tests named, 10 times by default, beside 4 busy processes, or N. Prints the
# failures of each run, and last their number by test. A bound of time that could not be judged is no failure here.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

runs=10
busy=4
tests=()
for arg; do
	case "$arg" in
		--busy=*) busy=${arg#*=} ;;
		-*) usage_error "unknown argument $arg" ;;
		[0-9]*) if [ -e "$arg" ]; then tests+=("$arg"); else runs=$arg; fi ;;
		*) [ -e "$arg" ] || usage_error "there is no $arg"; tests+=("$arg") ;;
	esac
done

# shellcheck disable=SC2154
"$top/scripts/build.sh" >/dev/null
work=$(mktemp -d)
pids=()
cleanup()
{
	[ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for ((i = 0; i < busy; i++)); do
	(while :; do :; done) &
	pids+=($!)
done
export PHPT_BOUNDS=/dev/null
touch "$work/failures"
for ((run = 1; run <= runs; run++)); do
	: >"$work/log"
	ok=true
	if [ ${#tests[@]} -eq 0 ]; then
		"$top/scripts/unit.sh" >>"$work/log" 2>&1 || ok=false
	fi
	"$top/scripts/phpt.sh" --quick ${tests[@]+"${tests[@]}"} >>"$work/log" 2>&1 || ok=false
	echo "run $run of $runs: $(tail -n 1 "$work/log")"
	if ! $ok; then
		sed 's/^/    /' "$work/log"
		# What they are called by: a phpt, a unit test, a phpt that left somebody behind. Else the run itself has failed.
		{
			sed -nE 's/^(FAIL|BORK|WARN|LEAK|XLEAK) .*\[([^]]*)\] *$/\2/p; s/^--- (tests\/unit.*)/\1/p; s/^LEFT BEHIND by ([^:]*):.*/\1/p' "$work/log" |
				grep . || echo "the run itself"
		} >>"$work/failures"
	fi
done
by_test=$(sort "$work/failures" | uniq -c | sort -rn | sed 's/^ *//' | paste -sd , | sed 's/,/, /g')
echo "$runs runs, $(grep -c . "$work/failures" || true) failures${by_test:+: $by_test}"
[ ! -s "$work/failures" ]
