#!/usr/bin/env bash
#
# no_clone.sh: where there is no clone, as outside Linux, the renewal child is made by fork() and does the same.

set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/scripts/lib.sh"
need redis-server redis-cli

module=$("$top/scripts/build.sh" --dir="$top/build/ext-no-clone" --no-clone --debug)
php=$("${PHP_CONFIG:-php-config}" --php-binary)
work=$(mktemp -d)
server=
cleanup()
{
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT

redis-server --port 0 --unixsocket "$work/s" --save '' >"$work/log" 2>&1 &
server=$!
for _ in $(seq 100); do
	! redis-cli -s "$work/s" ping >/dev/null 2>&1 || break
	sleep 0.1
done
load_extensions "$module" pcntl
"$php" -n "${load[@]}" "$top/scripts/ci/outlives.php" "$module" "unix://$work/s"

# Those that do not look for the child, which they know by its exit signal; one for each thing that it does.
"$top/scripts/phpt.sh" --dir="$top/build/ext-no-clone" "$top"/tests/40_renewal/{child_faults,connection_killed,daemonising_parent,detach_after_wait}.phpt \
	"$top"/tests/40_renewal/{interval,renewed_hold_at_least,renewed_keepalive,linger,lost_fiber,lost_in_code,lost_plain_lock,max_hold,no_memory}.phpt \
	"$top"/tests/40_renewal/{plain_lock,plain_lock_ends,renewed_reentrant_objects,server_restarted,worker_requests}.phpt \
	"$top"/tests/50_task/{ends_exec,ends_killed,forked,forked_in_callable}.phpt
