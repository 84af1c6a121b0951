#!/usr/bin/env bash
#
# chaos.sh: processes count under locks, while holders are killed and stopped and the server and the network fail.
#
#     scripts/long/chaos.sh [MINUTES] [--variant=V] [--seed=N] [--workers=N] [--history=FILE] [--sabotage]
#     scripts/long/chaos.sh --check FILE
#
# By default one minute, one server, 12 workers, a random seed, which decides what is done and when. Variants: one; quorum, five
# masters; sentinel; cluster; holders, 60 workers and names with permits, weights, readers and writers; fibers, 8 in each of 8
# processes; queue, 24 workers that wait for one lock, in order; lines, the same with readers and writers. The history, in
# build/chaos.jsonl or FILE, is checked: never two inside, fences grow, no lost update, no standstill, nothing left
# (docs/internals/histories.md); --check checks it again. --sabotage also deletes held locks, and the check must fail. CHAOS_SO names
# another build. The last line is "N passed, N failed, 0 skipped".

set -euo pipefail
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../inc/driver.sh"

minutes=1
variant=one
seed=$((RANDOM * 32768 + RANDOM))
workers=
history=$top/build/chaos.jsonl
sabotage=0
check=
while [ $# -gt 0 ]; do
	case "$1" in
		--variant=*) variant=${1#*=} ;;
		--seed=*) seed=${1#*=} ;;
		--workers=*) workers=${1#*=} ;;
		--history=*) history=${1#*=} ;;
		--sabotage) sabotage=1 ;;
		--check) [ $# -eq 2 ] || usage_error "--check wants one file"; check=$2; shift ;;
		-*) usage_error "unknown argument $1" ;;
		*) minutes=$1 ;;
	esac
	shift
done
[[ $minutes =~ ^[0-9]{1,4}(\.[0-9]+)?$ ]] || usage_error "$minutes is not a number of minutes"
[[ $seed =~ ^[0-9]{1,15}$ ]] || usage_error "$seed is not a seed"
[ -n "$workers" ] || case "$variant" in queue|lines) workers=24 ;; holders) workers=60 ;; fibers) workers=8 ;; *) workers=12 ;; esac
[[ $workers =~ ^[0-9]{1,3}$ ]] && [ "$workers" -gt 0 ] || usage_error "$workers is not a number of workers"
case "$variant" in one|quorum|sentinel|cluster|queue|lines|holders|fibers) ;; *) usage_error "unknown variant $variant" ;; esac

php=$("${PHP_CONFIG:-php-config}" --php-binary)
if [ -n "$check" ]; then
	[ -r "$check" ] || die "cannot read $check"
	exec "$php" -n -d memory_limit=1G "$top/tests/chaos/check.php" "$check"
fi
need redis-server timeout

module=${CHAOS_SO:-$("$top/scripts/build.sh")}
mkdir -p "$(dirname "$history")"
history=$(cd "$(dirname "$history")" && pwd)/$(basename "$history")
: >"$history"
copy_module "$module"
load_extensions "$scratch/redislock.so" posix pcntl sockets

limit=$(awk -v m="$minutes" 'BEGIN { printf "%d", m * 60 + 180 }')
run_driver "$limit" -d memory_limit=1G "$top/tests/chaos/run.php" "$history" "$minutes" "$seed" "$workers" "$variant" \
	"$sabotage"
