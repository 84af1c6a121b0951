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
. "$(dirname "$0")/../inc/driver.sh"

[ $# -le 1 ] || usage_error "the minutes are the only argument"
minutes=${1:-2}
[[ $minutes =~ ^[0-9]{1,4}(\.[0-9]+)?$ ]] || usage_error "$minutes is not a number of minutes"
tasks=${SOAK_TASKS:-20000}
[[ $tasks =~ ^[0-9]{1,7}$ ]] && [ "$tasks" -gt 0 ] || usage_error "SOAK_TASKS: $tasks is not a number of tasks"
need redis-server timeout

module=${SOAK_SO:-$top/build/ext/modules/redislock.so}
[ -r "$module" ] || die "$module is missing: scripts/build.sh makes it"
php=$("${PHP_CONFIG:-php-config}" --php-binary)

copy_module "$module"
load_extensions "$scratch/redislock.so" posix pcntl

# 10 ms for a task is ten times what it takes; the rest is for a slow machine.
limit=$(awk -v m="$minutes" -v t="$tasks" 'BEGIN { printf "%d", m * 60 + t / 100 + 120 }')
ulimit -v 4000000
run_driver "$limit" "$top/scripts/long/soak/run.php" "$minutes" "$tasks"
