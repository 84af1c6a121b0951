#!/usr/bin/env bash
#
# model.sh: checks the models in docs/internals/model with spin.
#
#     scripts/long/model.sh [PATTERN]
#
# PATTERN, a grep -E expression on the table below, selects checks. Each check searches all states of one configuration. It passes if the
# verifier finds what the table expects: nothing wrong, or exactly the failure of the rule that was left out. An incomplete search fails.
# One verifier runs at a time, with at most 3 GB; all together have ten minutes, or MODEL_TIMEOUT seconds. build/model has trails to
# replay.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

case "${1:-}" in
	-*) usage_error "unknown argument $1" ;;
esac
[ $# -le 1 ] || usage_error "one pattern at most"
pattern=${1:-}
need spin gcc

# Expected; kind of search; flags; what it shows. Flags that begin with ZOMBIES are for slices.pml, with NEEDS for
# turnstile.pml, the others for waiting.pml.
#
# Expected: fine, or the way in which it must fail: whole (a waiter
# that does not know of its luck has the lock for its whole ttl), stuck (a waiter blocked for ever), starved
# (likewise, or a waiter that goes round for ever), overtaken (one who was woken finds that another was, too),
# crowded (more hold the name than may),
# circles (a wake token handed round without end), idle (a lock unused for too long).
# Kind: safety; loops (no endless run at all); live (under weak fairness every waiter is done at last).
checks()
{
	cat <<-'TABLE'
	# 2. No lost wake-up, by signals alone: no BLPOP ever times out
	fine      | safety | SLICE=0 RENEW=1 CRASH=1 NEWCOMER=1   | release, holder killed, newcomer
	fine      | safety | SLICE=0 NEWCOMER=2 GIVEUP=3          | waiters give up, two newcomers
	fine      | safety | SLICE=0 FREEZE=2 GIVEUP=3            | frozen waiters that give up
	fine      | safety | SLICE=0 FREEZE=2 NEWCOMER=1 GIVEUP=1 | frozen, given up, newcomer
	fine      | safety | SLICE=0 FREEZE=2 TWO_CONNS=1         | frozen, extension on a second connection
	fine      | safety | SLICE=0 FOREIGN=1 GIVEUP=3           | a foreign holder slips in
	fine      | safety | SLICE=0 FREEZE=2 FOREIGN=1           | a foreign holder after a silent expiry
	fine      | safety | SLICE=0 RENEW=1 OPERATOR=1           | operator's DEL, the child notices
	fine      | safety | SLICE=0 OPERATOR=1                   | operator's DEL, the holder's release notices
	fine      | safety | SLICE=0 NATIVE=3 RENEW=1 CRASH=1     | compare commands, killed between any two steps
	fine      | safety | SLICE=0 NATIVE=3 FREEZE=2            | compare commands, frozen clients
	fine      | safety | SLICE=0 NATIVE=1 NEWCOMER=1          | compare commands, newcomer
	stuck     | safety | SLICE=0 BREAK=2                      | break 2: signal only if somebody is blocked right now
	stuck     | safety | SLICE=0 BREAK=3                      | break 3: the failing try does not set the waiters key
	stuck     | safety | SLICE=0 FOREIGN=1 GIVEUP=1 BREAK=5   | break 5: wake token not put back
	stuck     | safety | SLICE=0 GIVEUP=1 BREAK=8             | break 8: no release behind an abandoned pair
	stuck     | safety | SLICE=0 RENEW=1 OPERATOR=1 BREAK=9   | break 9: the renewal child keeps the loss to itself
	stuck     | safety | SLICE=0 FOREIGN=1 GIVEUP=1 BREAK=11  | break 11: not put back as somebody has the lock
	stuck     | safety | SLICE=0 FREEZE=2 BREAK=12            | break 12: a release that finds no key keeps it to itself
	stuck     | safety | SLICE=0 FREEZE=2 GIVEUP=1 BREAK=13   | break 13: an expired lock is not passed on
	stuck     | safety | SLICE=0 NATIVE=1 BREAK=15            | break 15: a compare command's release asks before it deletes
	# 2. What needs the slice, the bound on the timeout of a BLPOP
	stuck     | safety | SLICE=0 KILLED=1                     | holder and child killed
	stuck     | safety | SLICE=0 VANISH=1                     | a vanished waiter is woken
	stuck     | safety | SLICE=0 LATE=1                       | BLPOP arrives after the waiters key has expired
	stuck     | safety | SLICE=0 OPERATOR=2                   | evicted waiters key
	starved   | live   | SLICE=0 VANISH=1                     | break: no slice (the waiter never comes to an end)
	# 2. What looking makes good, without a slice
	fine      | safety | SLICE=0 LOOK=3 KILLED=1              | holder and child killed
	fine      | safety | SLICE=0 LOOK=3 VANISH=1              | a vanished waiter is woken
	fine      | safety | SLICE=0 LOOK=3 VANISH=1 DROP=1       | ... or dropped by the server between pop and SET
	fine      | safety | SLICE=0 LOOK=3 OPERATOR=1 BREAK=12   | operator's DEL, and nobody else tells
	fine      | safety | SLICE=0 LOOK=3 NATIVE=3 KILLED=1     | killed between the delete and the wake-up
	fine      | safety | SLICE=0 LOOK=2 VANISH=1 DROP=1       | one who looks is enough: who does not vanishes
	fine      | safety | SLICE=0 LOOK=2 KILLED=1 GIVEUP=1     | ... or gives up when holder and child were killed
	fine      | safety | SLICE=0 LOOK=3 LATE=1                | BLPOP arrives after the waiters key has expired
	fine      | safety | SLICE=0 LOOK=3 OPERATOR=2            | evicted waiters key
	stuck     | safety | SLICE=0 LOOK=3 OPERATOR=2 BREAK=17   | break 17: a look does not set the waiters key
	stuck     | safety | SLICE=0 LOOK=1 VANISH=1              | break: one of two looks, and may vanish himself
	# 2. Nobody who was woken loses the place to another who was woken
	fine      | safety | SLICE=0 LOOK=3 KILLED=1 PLACE=1      | holder and child killed
	fine      | safety | SLICE=0 LOOK=3 RENEW=1 CRASH=1 PLACE=1 | release, holder killed
	overtaken | safety | SLICE=0 LOOK=3 NATIVE=1 PLACE=1      | but a compare command's wake-up may come a turn late
	overtaken | safety | SLICE=0 LOOK=3 KILLED=1 PLACE=1 BREAK=16 | break 16: a look wakes as soon as the lock is free
	overtaken | safety | SLICE=0 LOOK=3 PLACE=1 BREAK=16      | ... which it may be for a moment in each release
	# 2. No lost wake-up in any case, the slice included
	fine      | live   | KILLED=1                             | holder and child killed
	fine      | live   | SLICE=1 NATIVE=3 KILLED=1            | ... or between the delete and the wake-up
	fine      | live   | VANISH=1 DROP=1                      | a waiter vanishes, with and without a FIN
	fine      | live   | LOOK=1 VANISH=1                      | the only one who looks vanishes
	fine      | live   | LATE=1                               | BLPOP arrives too late
	fine      | live   | SLICE=1 OPERATOR=3                   | operator's DEL, evicted waiters key
	fine      | live   | FREEZE=1 GIVEUP=1                    | frozen, expired, given up
	fine      | live   | SLICE=1 VANISH=1 FREEZE=1 GIVEUP=2   | one vanishes, one gives up, one freezes
	fine      | live   | SLICE=1 NEWCOMER=1                   | newcomer
	fine      | live   | SLICE=1 FOREIGN=1                    | foreign holder
	# 3. A stale wake token does no harm
	fine      | loops  | SLICE=0 NEWCOMER=1 GIVEUP=3          | no wake token circulates: every run ends
	circles   | loops  | SLICE=0 NEWCOMER=1 BREAK=7           | break 7: put back by a waiter that goes on waiting
	# 4. A vanished or frozen waiter costs no ttl
	whole     | safety | BREAK=6                              | break 6: the pair takes the lock for the ttl
	whole     | safety | BREAK=10                             | break 10: the waiter's try takes it for the ttl
	fine      | safety | ZOMBIES=1 SLICE=20 BOUND=2           | one vanished waiter costs at most the provisional ttl
	fine      | safety | ZOMBIES=2 SLICE=20 BOUND=4           | two cost at most that each
	fine      | safety | ZOMBIES=3 SLICE=8 BOUND=6            | three cost at most that each
	idle      | safety | ZOMBIES=1 SLICE=20 BOUND=6 BREAK=14  | break 14: nobody looks: who blocks for long waits for long
	fine      | safety | ZOMBIES=1 BOUND=5 BREAK=14           | ... so then it is slices: one costs up to the slice, 5 s
	idle      | safety | ZOMBIES=1 BOUND=4 BREAK=14           | ... and may cost that much
	fine      | safety | ZOMBIES=3 BOUND=7 BREAK=14           | ... several up to slice and ttl together, 7 s
	idle      | safety | ZOMBIES=3 BOUND=6 BREAK=14           | ... and may cost that much
	idle      | safety | ZOMBIES=3 BOUND=7 BREAK=6            | break 6: the pair takes the lock for the ttl
	# 5. Many holders: readers and writers, permits, a turnstile
	fine      | safety | NEEDS=1 LOOK=0 ROUNDS=2 CRASH=1 BARE=1 | readers and writers, a holder is killed
	fine      | safety | NEEDS=2 LOOK=0 ROUNDS=2 CRASH=1 BARE=1 | permits, one of weight 2, beside a plain lock
	fine      | safety | NEEDS=3 LOOK=0 ROUNDS=2 CRASH=1      | permits of weight 1
	fine      | safety | NEEDS=1 LOOK=0 ROUNDS=2 GIVEUP=15 BARE=1 | readers and writers give up
	fine      | safety | NEEDS=2 LOOK=0 ROUNDS=2 GIVEUP=15 BARE=1 | permits of any weight give up
	fine      | safety | NEEDS=1 ROUNDS=2 EXPIRE=1 VANISH=1 GIVEUP=15 BARE=1 | all of it, readers and writers
	fine      | safety | NEEDS=2 ROUNDS=2 EXPIRE=1 VANISH=1 GIVEUP=15 BARE=1 | all of it, permits
	fine      | safety | NEEDS=1 EXPIRE=1 VANISH=1            | members end by themselves, a waiter vanishes
	fine      | safety | NEEDS=2 EXPIRE=1 VANISH=1            | likewise, permits
	fine      | safety | NEEDS=2 LOOK=0 STAY=1 GIVEUP=8       | somebody stays: the others use the rest
	fine      | safety | NEEDS=1 LOOK=0 KILL=15 BARE=1        | waiters are killed, readers and writers
	fine      | safety | NEEDS=2 LOOK=0 KILL=15 BARE=1        | likewise, permits
	fine      | safety | NEEDS=1 LOOK=0 ROUNDS=2 KILL=9       | waiters are killed, those who live come again
	overtaken | safety | NEEDS=1 LOOK=0 ROUNDS=2 KILL=9 HASTY=1 | ... but one that has not blocked yet may be taken for dead
	stuck     | safety | NEEDS=1 LOOK=0 EXPIRE=1              | break: nobody looks when members end by themselves
	fine      | safety | NEEDS=2 LOOK=0 VANISH=1              | a vanished waiter that is woken leaves room to others
	overtaken | safety | NEEDS=1 ROUNDS=2 BREAK=1             | break 1 of turnstile: a try does not ask for the turnstile
	overtaken | safety | NEEDS=1 ROUNDS=2 BREAK=2             | break 2 of turnstile: nobody takes it
	overtaken | safety | NEEDS=2 ROUNDS=2 BREAK=3             | break 3 of turnstile: it is for those alone who may not fit
	stuck     | safety | NEEDS=1 GIVEUP=1 BREAK=4             | break 4 of turnstile: whoever gives up leaves it closed
	stuck     | safety | NEEDS=2 LOOK=0 STAY=1 GIVEUP=8 BREAK=5 | break 5 of turnstile: who got in wakes nobody for the room that is left
	crowded   | safety | NEEDS=2 BREAK=6                      | break 6 of turnstile: a weight counted once
	crowded   | safety | NEEDS=1 BREAK=7                      | break 7 of turnstile: a writer beside a reader
	stuck     | safety | NEEDS=1 LOOK=0 BREAK=8               | break 8 of turnstile: a release wakes nobody
	stuck     | safety | NEEDS=2 LOOK=0 GIVEUP=1 BREAK=9      | break 9 of turnstile: who was woken gives up and tells nobody
	stuck     | safety | NEEDS=1 EXPIRE=1 BREAK=10            | break 10 of turnstile: members that are over are not dropped
	overtaken | safety | NEEDS=1 ROUNDS=2 BREAK=11            | break 11 of turnstile: whoever does not fit leaves the turnstile
	stuck     | safety | NEEDS=1 KILL=8 BREAK=12              | break 12 of turnstile: a release that leaves nobody inside is not said again
	TABLE
}

work=$top/build/model
memory_mb=2800
ends_at=$((SECONDS + ${MODEL_TIMEOUT:-600}))
number=0
failed=0

# What the verifier's output says, in the words of the table; "incomplete" where it says nothing certain.
verdict()
{
	local out=$1

	if grep -qE 'max search depth too small|out of memory|reached -DMEMLIM' "$out"; then
		echo incomplete
	elif grep -q 'assertion violated.*idle<=' "$out"; then
		echo idle
	elif grep -q 'assertion violated.*crowded' "$out"; then
		echo crowded
	elif grep -q 'assertion violated.*overtaken' "$out"; then
		echo overtaken
	elif grep -qE 'assertion violated.*(knows\[c\]|\(c==4\))' "$out"; then
		echo whole
	elif grep -q 'invalid end state (at' "$out"; then
		echo stuck
	elif grep -q 'acceptance cycle (at' "$out"; then
		echo starved
	elif grep -q 'non-progress cycle (at' "$out"; then
		echo circles
	elif grep -q 'errors: 0$' "$out" && ! grep -q 'Search not completed' "$out"; then
		echo fine
	else
		echo incomplete
	fi
}

# Builds and runs one verifier in the current folder; its output is in pan.out. Fails where it cannot be built.
search()
{
	local model=$1 kind=$2 options run flags=()
	shift 2

	for flag; do
		flags+=("-D$flag")
	done
	case "$kind" in
		safety) options=-DSAFETY run= ;;
		loops) options=-DNP run=-l ;;
		# Room for up to 46 processes under weak fairness.
		live) options=-DNFAIR=6 run="-a -f" flags+=(-DLIVE) ;;
	esac
	spin -a "${flags[@]}" "$top/docs/internals/model/$model.pml" >spin.out 2>&1 || return 1
	# spin goes on after some errors of syntax.
	! grep -q 'Error' spin.out || return 1
	gcc -O2 -w "$options" -DCOLLAPSE -DMEMLIM=$memory_mb -o pan pan.c || return 1
	(
		ulimit -v $((3 * 1024 * 1024))
		# shellcheck disable=SC2086
		exec timeout $((ends_at > SECONDS ? ends_at - SECONDS : 1)) ./pan $run -m100000 -w23 >pan.out 2>&1
	) || true
}

rm -rf "$work"
heading=
while IFS='|' read -r expected kind flags what; do
	if [[ $expected = \#* ]]; then
		heading=${expected#\# }
		continue
	fi
	read -r expected kind <<<"$expected $kind"
	case "$flags" in
		" ZOMBIES"*) model=slices ;;
		" NEEDS"*) model=turnstile ;;
		*) model=waiting ;;
	esac
	what=${what# }
	number=$((number + 1))
	if [ -n "$pattern" ] && ! grep -qE "$pattern" <<<"$expected $kind $flags $what"; then
		continue
	fi
	if [ -n "$heading" ]; then
		echo "$heading"
		heading=
	fi
	mkdir -p "$work/$number"
	cd "$work/$number"
	started=$EPOCHREALTIME
	# shellcheck disable=SC2086
	if search "$model" "$kind" $flags; then
		found=$(verdict pan.out)
		states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.out)
	else
		found="not built"
		states=
	fi
	word=ok
	if [ "$found" != "$expected" ]; then
		word=FAILED
		failed=$((failed + 1))
	fi
	printf '%-6s %-9s %9s states %6.1f s  %s\n' "$word" "$found" "${states:-?}" \
		"$(((${EPOCHREALTIME/[.,]/} - ${started/[.,]/}) / 100000))e-1" "$what"
	if [ $word = FAILED ]; then
		echo "       expected \"$expected\" of $model with ${flags# }; see build/model/$number"
	fi
	rm -f pan pan.[bchmpt]
done < <(checks)

if [ $failed -ne 0 ]; then
	echo "$failed checks failed"
	exit 1
fi
echo "all as expected"
