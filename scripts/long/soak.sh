#!/usr/bin/env bash
#
# soak.sh: many short tasks, then many locks for some minutes, and whether anything grows.
#
#     scripts/long/soak.sh [MINUTES]
#
# One process runs 20,000 short tasks (SOAK_TASKS); then one process holds 100 process-bound locks (ttl 1 s, renewed
# every 0.3 s) for the minutes given, two if none are. Looked at from outside: zombies, descriptors and memory of the
# process and of its renewal child, connections at the server, and that every lock is still held by its first token.
# SOAK_SO names another build of the extension. Prints, last, "N passed, N failed, 0 skipped".

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

[ $# -le 1 ] || usage_error "the minutes are the only argument"
minutes=${1:-2}
[[ $minutes =~ ^[0-9]{1,4}(\.[0-9]+)?$ ]] || usage_error "$minutes is not a number of minutes"
tasks=${SOAK_TASKS:-20000}
[[ $tasks =~ ^[0-9]{1,7}$ ]] && [ "$tasks" -gt 0 ] || usage_error "SOAK_TASKS: $tasks is not a number of tasks"
need redis-server timeout

module=${SOAK_SO:-$top/build/ext/modules/redislock.so}
[ -r "$module" ] || die "$module is missing: scripts/build.sh makes it"
php=$("${PHP_CONFIG:-php-config}" --php-binary)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
# A build that goes on meanwhile must not change the file under the running processes.
cp "$module" "$scratch/redislock.so"

load_extensions "$scratch/redislock.so" posix pcntl

# 10 ms for a task is ten times what it takes; the rest is for a slow machine.
limit=$(awk -v m="$minutes" -v t="$tasks" 'BEGIN { printf "%d", m * 60 + t / 100 + 120 }')
ulimit -v 4000000
# In the background, since a shell runs its traps only between commands in the foreground. What the driver starts ends
# with it: the server and the processes hang on its pipes.
TMPDIR=$scratch timeout -k 10 "$limit" "$php" -n "${load[@]}" "$top/scripts/long/soak/run.php" "$minutes" "$tasks" &
driver=$!
trap 'kill "$driver" 2>/dev/null || true; wait "$driver" 2>/dev/null || true; rm -rf "$scratch"' EXIT
status=0
wait "$driver" || status=$?
if [ $status -eq 124 ] || [ $status -eq 137 ]; then
	echo "not finished within $limit s"
	echo "0 passed, 1 failed, 0 skipped"
elif [ $status -gt 1 ]; then
	echo "0 passed, 1 failed, 0 skipped"
fi
exit $status
