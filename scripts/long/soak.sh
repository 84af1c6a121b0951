#!/usr/bin/env bash
#
# soak.sh: runs 20,000 short tasks (SOAK_TASKS) in one process, then holds 100 locks for minutes in another. Nothing may grow.
#
#     scripts/long/soak.sh [MINUTES]
#
# Two minutes by default; the locks have a ttl of 1 s, and are renewed every 0.3 s. Checked from outside: zombies, descriptors and memory
# of the process and its renewal child, connections at the server, and that each lock still has its first token. SOAK_SO names another
# build. The last line is "N passed, N failed, 0 skipped".

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
