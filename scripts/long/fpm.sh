#!/usr/bin/env bash
#
# fpm.sh: many requests with locks to PHP-FPM, whose workers are killed, reloaded and replaced meanwhile.
#
#     scripts/long/fpm.sh [REQUESTS]
#
# 10,000 requests to four workers unless told otherwise, several at a time. About every 25 requests a worker or a renewal
# child is killed, every 1,000 FPM is reloaded; a worker ends after 400 requests, and a pause lets children end of
# idleness. Looked at from outside: how long a child outlives its worker, zombies, descriptors, listening sockets, and
# what is left of locks, connections and processes at the end. FPM_SEED has the same things done again, FPM_SO names
# another build of the extension. It takes a minute or two. Prints, last, "N passed, N failed, 0 skipped".

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

[ $# -le 1 ] || usage_error "the number of requests is the only argument"
requests=${1:-10000}
[[ $requests =~ ^[0-9]{3,7}$ ]] || usage_error "$requests is not a number of requests, or too small a one"
seed=${FPM_SEED:-$((RANDOM * 32768 + RANDOM))}
[[ $seed =~ ^[0-9]{1,9}$ ]] || usage_error "FPM_SEED: $seed is not a number"
need redis-server timeout

module=${FPM_SO:-$top/build/ext/modules/redislock.so}
[ -r "$module" ] || die "$module is missing: scripts/build.sh makes it"
php=$("${PHP_CONFIG:-php-config}" --php-binary)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
chmod 755 "$scratch" # workers may be another user
# Its path tells our processes from those of others.
cp "$module" "$scratch/redislock.so"

load_extensions "$scratch/redislock.so" posix

limit=$((requests / 50 + 180))
ulimit -v 4000000
# In the background, since a shell runs its traps only between commands in the foreground. What the driver starts ends
# with it: the servers hang on its pipes.
TMPDIR=$scratch timeout -k 10 "$limit" "$php" -n "${load[@]}" "$top/scripts/long/fpm/run.php" "$requests" "$seed" &
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
