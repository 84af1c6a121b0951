#!/usr/bin/env bash
#
# fpm.sh: sends many requests with locks to PHP-FPM, whose workers are killed, reloaded and replaced meanwhile.
#
#     scripts/long/fpm.sh [REQUESTS]
#
# 10,000 requests by default, to four workers: a minute or two. About every 25 requests a worker or a renewal child is killed, every
# 1,000 FPM is reloaded, a worker ends after 400, and pauses let idle children end. Checked from outside: how long a child outlives its
# worker, zombies, descriptors, listening sockets, and locks, connections and processes that are left. FPM_SEED repeats a run, FPM_SO
# names another build. The last line is "N passed, N failed, 0 skipped".

set -euo pipefail
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../inc/driver.sh"

[ $# -le 1 ] || usage_error "the number of requests is the only argument"
requests=${1:-10000}
[[ $requests =~ ^[0-9]{3,7}$ ]] || usage_error "$requests is not a number of requests, or too small a one"
seed=${FPM_SEED:-$(((RANDOM * 32768 + RANDOM) % 1000000000))}
[[ $seed =~ ^[0-9]{1,9}$ ]] || usage_error "FPM_SEED: $seed is not a number"
need redis-server timeout

module=${FPM_SO:-$top/build/ext/modules/redislock.so}
[ -r "$module" ] || die "$module is missing: scripts/build.sh makes it"
php=$("${PHP_CONFIG:-php-config}" --php-binary)

copy_module "$module"
chmod 755 "$scratch" # workers may be another user
load_extensions "$scratch/redislock.so" posix

limit=$((requests / 50 + 180))
ulimit -v 4000000
run_driver "$limit" "$top/scripts/long/fpm/run.php" "$requests" "$seed"
