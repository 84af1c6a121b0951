#!/usr/bin/env bash
#
# simulate.sh: plays random histories of clients, renewal children, servers and network: docs/internals/simulator.md.
#
#     scripts/ci/simulate.sh [--first=SEED] [COUNT]
#     scripts/ci/simulate.sh --show SEED
#     scripts/ci/simulate.sh --mutants [PATTERN]
#
# Plays the seeds of tests/simulate/seeds.txt and COUNT histories, 20,000 by default, on all processors. Prints what failed, and the
# history of the first failure. --show prints the history of one seed. --mutants checks the checker: 100,000 histories show no failure,
# and with each rule of tests/simulate/mutants.txt broken in a copy of the sources, what is noted there fails: a seed, or else one of as
# many histories, or of as many of that seed's theme; or a command. PATTERN, a regular expression, selects rules.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

first=1
count=20000
mode=play
what=
case "${1:-}" in
	--show) mode=show what=${2:?} ;;
	--mutants) mode=mutants what=${2:-} ;;
	--first=*) first=${1#*=} count=${2:-20000} ;;
	-*) usage_error "unknown argument $1" ;;
	?*) count=$1 ;;
esac
need gcc make php pkg-config
pkg-config --exists lua5.1 || die "Lua 5.1 is missing: scripts/install-deps.sh test"
mutants_try=100000
seeds_of_theme=1000000000 # as in themes.c
tests=$top/tests/simulate
work=$top/build/simulate

# Builds the sources below the current folder. The objects have the same names in each copy of the tree: ccache may give out
# the list of headers that another one has made, and make knows them by these names.
objects=build/simulate/objects
build()
{
	mkdir -p build/simulate
	make -s -f tests/simulate/simulate.mk -j "$jobs" OUT=$objects CC=gcc \
		FLAGS="-std=gnu11 -D_GNU_SOURCE -g -O2 -Wall -Wextra -Werror" LUA="$(pkg-config --cflags lua5.1)" \
		LIBS="-Wl,-Bstatic -lhiredis -llua5.1 -Wl,-Bdynamic -lm -ldl -lpthread" >build/simulate/log 2>&1
}

# Plays so many from this one on, a share on each processor. Fails if one failed.
play()
{
	local program=$1 from=$2 left=$3 share failed=0 i pids=()

	share=$(((left + jobs - 1) / jobs))
	for ((i = 0; i < jobs && left > 0; i++)); do
		[ $share -le $left ] || share=$left
		"$program" "$from" "$share" >"$work/play.$i" 2>&1 &
		pids+=($!)
		from=$((from + share))
		left=$((left - share))
	done
	for i in "${!pids[@]}"; do
		wait "${pids[i]}" || failed=$?
		[ $failed -le 1 ] || echo "a history crashed: $failed"
		grep -v '^[0-9]* histories' "$work/play.$i" || true
	done
	return $failed
}

# Breaks a rule in the copy. Fails if what it stands for is not there any more. Scripts stand in a header, too.
mutate()
{
	changed=$(php -n "$tests/mutate.php" "$work/mutant" "$1") || return 1
	[[ $changed != *lua/* ]] || "$work/mutant/scripts/dev/embed-lua.php" >/dev/null
}

# Makes the copy whole again.
mend()
{
	local file

	for file in $changed; do
		cp "$file" "$work/mutant/$file"
	done
	[[ $changed != *lua/* ]] || "$work/mutant/scripts/dev/embed-lua.php" >/dev/null
}

# The first history that fails, from this one on, of a share for each processor.
find_failure()
{
	local share=$((mutants_try / jobs)) i pids=()

	for ((i = 0; i < jobs; i++)); do
		"$1" --find $(($2 + i * share)) $share >"$work/find.$i" &
		pids+=($!)
	done
	# Whoever finds one fails.
	for ((i = 0; i < jobs; i++)); do
		wait -n || break
	done
	kill "${pids[@]}" 2>/dev/null || true
	wait
	grep -hm 1 '^seed' "$work"/find.* | head -n 1 || true
}

# What shows that the rule is broken: what is noted, a command or a seed; or another seed. Whoever finds one fails.
find_mutant()
{
	local noted=$1 program=$work/mutant/$objects/simulate.exe found

	if [[ $noted == scripts/* ]]; then
		(cd "$work/mutant" && $noted) >"$work/command" 2>&1 || echo "$noted"
		return
	fi
	found=$("$program" --find "$noted" 1 | sed -n '/^seed/p') || true
	[ -n "$found" ] || found=$(find_failure "$program" 1)
	[ -n "$found" ] || [ "$noted" -lt $seeds_of_theme ] ||
		found=$(find_failure "$program" $((noted / seeds_of_theme * seeds_of_theme + 1)))
	echo "$found"
}

# Breaks nothing: the histories and the commands go well.
check_copy()
{
	local found noted

	found=$(find_failure "$program" 1)
	if [ -n "$found" ]; then
		echo "FAILED: with nothing broken, $found"
		return 1
	fi
	while read -r noted; do
		if ! (cd "$work/mutant" && $noted) >"$work/command" 2>&1; then
			echo "FAILED: with nothing broken, $noted"
			return 1
		fi
	done < <(php -n "$tests/mutate.php" --list "$what" | cut -f 1 | grep '^scripts/' | sort -u)
}

check_mutants()
{
	local name failed=0 found noted

	rm -rf "$work/mutant"
	mkdir -p "$work/mutant/tests"
	cp -a src lua scripts "$work/mutant"
	cp -a tests/simulate tests/unit "$work/mutant/tests"
	check_copy || return
	while IFS=$'\t' read -r noted name; do
		changed=
		if ! mutate "$name"; then
			echo "FAILED: the rule is not where it was: $name"
			failed=1
		elif ! (cd "$work/mutant" && build); then
			echo "FAILED: does not compile: $name"
			failed=1
		else
			found=$(find_mutant "$noted")
			if [ -n "$found" ]; then
				printf 'found      %-50s %s\n' "$name" "$found"
			else
				echo "FAILED: not found: $name"
				failed=1
			fi
		fi
		mend
	done < <(php -n "$tests/mutate.php" --list "$what")
	return $failed
}

cd "$top"
mkdir -p "$work"
exec 9>"$work/.lock"
flock 9
if ! build; then
	cat "$work/log" >&2
	die "the simulator does not compile"
fi
program=$work/objects/simulate.exe
case $mode in
	show) exec "$program" --show "$what" ;;
	mutants)
		check_mutants
		exit
		;;
esac

kept=$(sed "s/#.*//" "$tests/seeds.txt" | xargs)
failed=0
for seed in $kept; do
	"$program" "$seed" 1 >"$work/kept" || { failed=1; head -n 1 "$work/kept"; }
done
play "$program" "$first" "$count" >"$work/failed" || failed=1
cat "$work/failed"
seed=$(sed -n 's/^seed \([0-9]*\): .*/\1/p' "$work/failed" | head -n 1)
if [ -n "$seed" ]; then
	echo "--- scripts/ci/simulate.sh --show $seed"
	"$program" --show "$seed" | tail -n 200 || true
fi
[ $failed -eq 0 ] && echo "$count histories and $(wc -w <<<"$kept") kept ones, no failure"
exit $failed
