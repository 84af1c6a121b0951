#!/usr/bin/env bash
#
# demo.sh: the demo runs to its end, notices what is not as promised, and leaves nothing behind when it is stopped.
#
#     tests/shell/demo.sh [FILE]      the module; by default the one of scripts/build.sh

set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
module=${1:-$top/build/ext/modules/redislock.so}
work=$(mktemp -d)
pids=()
cleanup()
{
	[ ${#pids[@]} -eq 0 ] || kill -TERM "${pids[@]}" 2>/dev/null || true
	wait
	rm -rf "$work"
}
trap cleanup EXIT

fail()
{
	echo "demo.sh: $1" >&2
	sed "s/^/    /" "$work/$2.log" >&2
	exit 1
}

# Starts the demo with a temporary folder of its own: demo NAME [PATH in front]
demo()
{
	mkdir "$work/$1"
	TMPDIR="$work/$1" PATH="${2:+$2:}$PATH" "$top/scripts/demo.sh" --so="$module" >"$work/$1.log" 2>&1 </dev/null &
	pids+=($!)
}

# Jobs and renewal children inherit the name of the temporary folder; the server has it in its title.
processes_of()
{
	# In a file, since grep would find a pattern on its own command line.
	echo "$work/$1" >"$work/pattern"
	grep -laF -f "$work/pattern" /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null || true
}

# Says of every key that it is still there. Two checks ask.
mkdir "$work/bin"
cat >"$work/bin/redis-cli" <<-'SCRIPT'
	#!/bin/sh
	case " $* " in
		*" exists "*) echo 1 ;;
		*) exec /usr/bin/env -S "PATH=${PATH#*:}" redis-cli "$@" ;;
	esac
SCRIPT
chmod +x "$work/bin/redis-cli"

demo good
demo lying "$work/bin"
demo stopped
good=${pids[0]} lying=${pids[1]} stopped=${pids[2]}

# Stopped in the middle of the second scene.
for ((i = 0; i < 600; i++)); do
	! grep -q 'PTTL' "$work/stopped.log" || break
	kill -0 "$stopped" 2>/dev/null || break
	sleep 0.05
done
kill -TERM "$stopped"
status=0
wait "$stopped" || status=$?
[ $status -eq 143 ] || fail "stopped, it exits with $status" stopped
# Its jobs would go on for seconds; a renewal child that has just freed its lock needs a moment to go.
left=
for ((i = 0; i < 30; i++)); do
	left=$(processes_of stopped)
	[ -n "$left" ] || break
	sleep 0.05
done
[ -z "$left" ] || fail "stopped, it leaves processes: $left" stopped
[ -z "$(ls -A "$work/stopped")" ] || fail "stopped, it leaves its folder" stopped

status=0
wait "$good" || status=$?
[ $status -eq 0 ] || fail "it exits with $status" good
grep -q '^All as promised' "$work/good.log" || fail "it does not say that all is as promised" good
[ "$(grep -c ' ok: ' "$work/good.log")" -eq 9 ] || fail "it does not make its nine checks" good
[ -z "$(processes_of good)$(ls -A "$work/good")" ] || fail "it leaves something behind" good

status=0
wait "$lying" || status=$?
[ $status -eq 1 ] || fail "when something is not as promised, it exits with $status" lying
[ "$(grep -c 'NOT AS PROMISED' "$work/lying.log")" -eq 2 ] || fail "it does not notice what is not as promised" lying
pids=()
