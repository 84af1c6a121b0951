#!/usr/bin/env bash
#
# tla.sh: checks docs/internals/model/Locks.tla with TLC, and that what the simulator plays is what Locks allows.
#
#     scripts/long/tla.sh TLC [--instances | --traces=COUNT]
#
# TLC is a class path: tla2tools.jar of TLA+, and CommunityModules-deps.jar for the traces; or a folder of jars. First come small
# instances: each has to show what the table says. Then the kept traces of tests/simulate/traces: those whose name begins with
# "fine" are followed to the end, the others, in which something was planted, are not. Last the steps of COUNT histories, 20,000 unless told
# otherwise: each has to be a step of Locks. What they leave lies in build/tla.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

jars=${1:-}
count=20000
small=yes
case "${2:-}" in
	--traces=*) count=${2#*=} small= ;;
	--instances) count=0 ;;
	?*) usage_error "unknown argument $2" ;;
esac
[ -n "$jars" ] || usage_error "where is TLC?"
need java
[ ! -d "$jars" ] || jars=$(find "$(cd "$jars" && pwd)" -maxdepth 1 -name '*.jar' -printf '%p:')
work=$top/build/tla
model=$top/docs/internals/model
histories=500 # for one TLC, whose start takes seconds
failed=0

# Expected: fine, or the name of what does not hold. Tokens that need one unit, and two; units; servers; connections of a client;
# times to live; end; tokens with a fence; the rule that is left out; what it shows.
instances()
{
	cat <<-'TABLE'
	fine    | a b |   | 1 | 1 | 1   | 2   | 3 |     | none                       | a plain lock: requests and answers that are late or lost
	fine    | a b |   | 1 | 1 | 1 2 | 2   | 2 |     | none                       | ... on two connections of each client
	fine    | a   |   | 1 | 1 | 1 2 | 1 2 | 2 |     | none                       | ... of one client, with a shorter and a longer time to live
	fine    | a b |   | 1 | 1 | 1   | 2   | 2 | a b | none                       | fences
	fine    | a b | c | 2 | 1 | 1   | 2   | 2 |     | none                       | two permits, and who needs both; or readers and a writer
	fine    | a b |   | 1 | 3 | 1   | 2   | 1 |     | none                       | three servers, one request at a time
	True    | a b |   | 1 | 1 | 1   | 2   | 3 |     | counts from the reply      | break: a yes counts from when it is read
	True    | a b |   | 1 | 1 | 1   | 2   | 3 |     | believes while it releases | break: a release by who still believes to have the lock
	True    | a b |   | 1 | 1 | 1   | 2   | 3 |     | forgets what may still run | break: a release under way is forgotten
	True    | a b |   | 1 | 1 | 1   | 2   | 3 |     | does not compare           | break: an extension does not compare
	AtMost  | a b | c | 2 | 1 | 1   | 2   | 3 |     | takes one too many         | break: a permit too many
	AtMost  | a b |   | 1 | 2 | 1   | 2   | 2 |     | half is a majority         | break: one of two servers is enough
	InOrder | a b |   | 1 | 1 | 1   | 2   | 3 | a b | writes out of order        | break: the protected number takes any fence
	TABLE
}

# Expected; what may happen: the holder is killed, a waiter vanishes, one gives up, somebody passes by, waiters look; the rule that
# is left out; what it shows.
waits()
{
	cat <<-'TABLE'
	fine   | GiveUp Passer              | none                      | by wake tokens alone: a waiter gives up, somebody passes by
	fine   | Crash Vanish Looks         | none                      | waiters look: a holder is killed, a waiter vanishes
	fine   | Crash Vanish GiveUp Passer Looks | none                | all of it
	Served | Crash                      | none                      | what wake tokens cannot do: a holder is killed with its child
	Served | Vanish                     | none                      | ... a waiter vanishes
	Served | GiveUp                     | a release wakes nobody    | break: a release wakes nobody
	Served |                            | a try tells nobody        | break: a try that fails does not set the waiters key
	Served | GiveUp                     | who gives up wakes nobody | break: who was woken and gives up does not wake the next
	TABLE
}

# One processor, two gigabytes.
tlc()
{
	timeout "${TLA_TIMEOUT:-1800}" java -XX:+UseParallelGC -Xmx2g -cp "$jars" tlc2.TLC -workers 1 -noGenerateSpecTE \
		-metadir "$work/states" "$@" 2>&1
}

# What TLC's output says: fine, the name of what does not hold, "no step", or "incomplete".
verdict()
{
	if grep -q '^Error: Invariant .* is violated' "$1"; then
		sed -n 's/^Error: Invariant \(.*\) is violated.*/\1/p' "$1" | head -n 1
	elif grep -q '^Error: Action property .* is violated' "$1"; then
		echo InOrder
	elif grep -q '^Error: Temporal property .* was violated' "$1"; then
		echo Served
	elif grep -q '^Error: Deadlock reached' "$1"; then
		echo "no step"
	elif grep -q 'No error has been found' "$1"; then
		echo fine
	else
		echo incomplete
	fi
}

words()
{
	xargs -n 1 <<<"$1" | paste -sd, -
}

check_instances()
{
	local expected ones twos units servers conns ttls last fences rule what started slots what_holds

	while IFS='|' read -r expected ones twos units servers conns ttls last fences rule what; do
		read -r expected <<<"$expected"
		read -r rule <<<"$rule"
		slots="p q"
		[ "$servers" -le 2 ] || slots=p # else there are too many states
		# One that fails is to fail in this: two inside, and not only one who should not be.
		what_holds="AtMost True Ordered"
		[ "$expected" != AtMost ] || what_holds=AtMost
		cat >"$work/instance.cfg" <<-CONFIG
			SPECIFICATION Spec
			INVARIANTS $what_holds
			PROPERTY InOrder
			CONSTRAINT Few
			SYMMETRY Same
			CHECK_DEADLOCK FALSE
			CONSTANTS
			Ones = {$(words "$ones")} Twos = {$(words "$twos")} Units = $units Count = $servers Slots = {$(words "$slots")}
			Conns = {$(words "$conns")} Ttls = {$(words "$ttls")} Last = $last Fences = {$(words "$fences")} Break = "$rule"
			$(xargs -n 1 <<<"$ones $twos $slots" | sed 's/.*/& = &/')
		CONFIG
		started=$SECONDS
		(cd "$model" && tlc -config "$work/instance.cfg" Instances.tla) >"$work/instance.out" || true
		tell "$(verdict "$work/instance.out")" "$expected" "$work/instance.out" "$started" "${what# }"
	done < <(instances)
}

check_waits()
{
	local expected may rule what started one

	while IFS='|' read -r expected may rule what; do
		read -r expected <<<"$expected"
		read -r rule <<<"$rule"
		printf 'SPECIFICATION Spec\nINVARIANT OneHolder\nPROPERTY Served\nCHECK_DEADLOCK FALSE\nCONSTANT Break = "%s"\n' \
			"$rule" >"$work/instance.cfg"
		for one in Crash Vanish GiveUp Passer Looks; do
			echo "CONSTANT $one = $([[ " $may " == *" $one "* ]] && echo TRUE || echo FALSE)"
		done >>"$work/instance.cfg"
		started=$SECONDS
		(cd "$model" && tlc -config "$work/instance.cfg" Waiting.tla) >"$work/instance.out" || true
		tell "$(verdict "$work/instance.out")" "$expected" "$work/instance.out" "$started" "${what# }"
	done < <(waits)
}

# The words that a process and its child share: with the orders of the code, with those that are enough, with weaker ones.
check_orders()
{
	local test have expected started

	for test in activate ttl lose visit wake; do
		for have in code least weak; do
			expected=fine
			[ $have != weak ] || expected=Never
			printf 'INIT Init\nNEXT Next\nINVARIANT Never\nCHECK_DEADLOCK FALSE\nCONSTANTS Test = "%s" Have = "%s"\n' $test $have \
				>"$work/instance.cfg"
			started=$SECONDS
			(cd "$model" && tlc -config "$work/instance.cfg" Orders.tla) >"$work/instance.out" || true
			tell "$(verdict "$work/instance.out")" $expected "$work/instance.out" "$started" "orders: $test, $have"
		done
	done
}

tell()
{
	local found=$1 expected=$2 out=$3 started=$4 what=$5 word=ok

	if [ "$found" != "$expected" ]; then
		word=FAILED
		failed=$((failed + 1))
		cp "$out" "$work/failed.$failed"
		what="$what; expected \"$expected\", see build/tla/failed.$failed"
	fi
	printf '%-6s %-8s %9s states %4d s  %s\n' $word "$found" \
		"$(sed -n 's/.*generated, \([0-9]*\) distinct states found, .*left on queue\./\1/p' "$out" | tail -n 1)" \
		$((SECONDS - started)) "$what"
}

# $1: the configuration for build/tla/traces.json, $2: what that is.
check_traces()
{
	local started=$SECONDS found

	(cd "$model" && TRACES=$work/traces.json tlc -config "$1.cfg" Trace.tla) >"$work/trace.out" || true
	found=$(verdict "$work/trace.out")
	tell "$found" fine "$work/trace.out" "$started" "$2"
	if [ "$found" != fine ]; then
		cp "$work/traces.json" "$work/failed.$failed.json"
		# The last line that was a step, unless it is the one that is wrong.
		sed -n 's/^.*line = \([0-9]*\)$/line \1 of that/p' "$work/trace.out" | tail -n 1
	fi
}

rm -rf "$work"
mkdir -p "$work"
if [ -n "$small" ]; then
	check_orders
	check_waits
	check_instances
fi
cat "$top"/tests/simulate/traces/fine-*.json >"$work/traces.json"
check_traces Trace "kept traces"
find "$top/tests/simulate/traces" -name '*.json' ! -name 'fine-*' -exec cat {} + >"$work/traces.json"
check_traces Refused "kept traces in which something was planted: all are refused"
if [ "$count" -gt 0 ]; then
	"$top/scripts/ci/simulate.sh" 1 >/dev/null || true # builds it
	simulate=$top/build/simulate/objects/simulate.exe
	steps=0
	for ((first = 1; first <= count; first += histories)); do
		share=$((count - first + 1 < histories ? count - first + 1 : histories))
		"$simulate" --trace "$work/traces.json" $first $share >/dev/null
		check_traces Trace "$share histories from $first on"
		steps=$((steps + $(wc -l <"$work/traces.json")))
	done
	echo "$steps steps in $((SECONDS / 60)) minutes"
fi
if [ $failed -ne 0 ]; then
	echo "$failed checks failed"
	exit 1
fi
echo "all as expected"
