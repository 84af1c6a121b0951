#!/usr/bin/env bash
#
# static_hiredis.sh: a module with hiredis linked into it loads, and locks, where there is no libhiredis; the ordinary one
# does not load there. It exports nothing of hiredis.

set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/scripts/lib.sh"

fail()
{
	echo "static_hiredis.sh: $1" >&2
	exit 1
}

ordinary=$("$top/scripts/build.sh")
static=$("$top/scripts/build.sh" --dir="$top/build/ext-static-hiredis" --static-hiredis --debug)
php=$("${PHP_CONFIG:-php-config}" --php-binary)
if readelf -d "$static" | grep -q 'NEEDED.*hiredis'; then
	fail "it needs libhiredis"
fi
exported=$(nm -D --defined-only "$static" | awk '{ print $3 }' | grep -vxE 'get_module|_init|_fini' || true)
[ -z "$exported" ] || fail "it exports $exported"

# The server is started first: that of Debian needs libhiredis, too.
scratch=$(mktemp -d)
server=
cleanup()
{
	[ -z "$server" ] || { kill -KILL "$server" && wait "$server"; } 2>/dev/null || true
	rm -rf "$scratch"
}
trap cleanup EXIT
"${REDISLOCK_TEST_SERVER:-redis-server}" --port 0 --unixsocket "$scratch/socket" --save '' >"$scratch/server.log" 2>&1 </dev/null &
server=$!
for ((i = 0; i < 100; i++)); do
	[ ! -S "$scratch/socket" ] || break
	kill -0 "$server" || fail "the server did not start: $(cat "$scratch/server.log")"
	sleep 0.05
done

: >"$scratch/nothing"
cat >"$scratch/lock.php" <<'PHP'
<?php
require $argv[1];
$client = new Client("unix://$argv[2]");
$lock = new RedisLock(['path' => $argv[2], 'name' => 'static_hiredis', 'renew' => true, 'ttl' => 1]);
var_dump($lock->acquire(), $client('GET', 'static_hiredis') === $lock->getToken(), renewal_child(getmypid()) > 0, $lock->release());
PHP
# In a namespace of its own PHP finds an empty file in the place of the library. In a chroot there is no root mount to make
# private; what encloses it has done so.
namespace=(unshare --mount)
"${namespace[@]}" true 2>/dev/null || namespace+=(--propagation unchanged)
# shellcheck disable=SC2016
without_hiredis='
	for library in $(ldconfig -p | sed -n "s/.*libhiredis.* => //p"); do
		mount --bind "$1/nothing" "$(readlink -f "$library")"
	done
	shift
	exec "$@"
'
run()
{
	load_extensions "$1" posix sockets
	"${namespace[@]}" bash -euc "$without_hiredis" bash "$scratch" "$php" -n "${load[@]}" "$scratch/lock.php" \
		"$top/tests/inc/redislock.inc" "$scratch/socket" 2>&1
}
said=$(run "$static") || fail "it does not run: $said"
[ "$(sort <<<"$said" | uniq -c | tr -s ' ')" = " 4 bool(true)" ] || fail "said: $said"
said=$(run "$ordinary" || true)
grep -q 'libhiredis' <<<"$said" || fail "the ordinary one does, too, so the library was not hidden: $said"
