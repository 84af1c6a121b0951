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
static=$("$top/scripts/build.sh" --dir="$top/build/ext-static-hiredis" --static-hiredis)
php=$("${PHP_CONFIG:-php-config}" --php-binary)
if readelf -d "$static" | grep -q 'NEEDED.*hiredis'; then
	fail "it needs libhiredis"
fi
exported=$(nm -D --defined-only "$static" | awk '{ print $3 }' | grep -vxE 'get_module|_init|_fini' || true)
[ -z "$exported" ] || fail "it exports $exported"

# In a namespace of our own the library is hidden below an empty file.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
: >"$scratch/nothing"
cat >"$scratch/lock.php" <<'PHP'
<?php
require $argv[1];
$server = new Server();
$lock = new RedisLock($server->options(['name' => 'static_hiredis', 'renew' => true, 'ttl' => 1]));
var_dump($lock->acquire(), $server->client()('GET', 'static_hiredis') === $lock->getToken(), renewal_child(getmypid()) > 0, $lock->release());
PHP
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
	unshare --mount bash -euc "$without_hiredis" bash "$scratch" "$php" -n "${load[@]}" "$scratch/lock.php" "$top/tests/inc/redislock.inc" 2>&1
}
export REDISLOCK_TEST_SERVER=${REDISLOCK_TEST_SERVER:-redis-server}
if ldd "$(command -v "$REDISLOCK_TEST_SERVER")" | grep -q hiredis; then
	# The server of Debian is linked with it, too: only that the module loads can be seen.
	echo '<?php var_dump(extension_loaded("redislock"));' >"$scratch/lock.php"
fi
said=$(run "$static") || fail "it does not run: $said"
[ "$(sort -u <<<"$said")" = "bool(true)" ] || fail "said: $said"
said=$(run "$ordinary" || true)
grep -q 'libhiredis' <<<"$said" || fail "the ordinary one does, too, so the library was not hidden: $said"
