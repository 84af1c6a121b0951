#!/usr/bin/env bash
#
# no_tls.sh: a build without OpenSSL says so, and connects with nothing that was to be encrypted; one that is to have it
# and cannot is no build.

set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/scripts/lib.sh"

fail()
{
	echo "no_tls.sh: $1" >&2
	exit 1
}

module=$("$top/scripts/build.sh" --dir="$top/build/ext-no-tls" --tls=no --debug)
php=$("${PHP_CONFIG:-php-config}" --php-binary)
if ldd "$module" | grep -E 'libssl|libcrypto'; then
	fail "it is linked with OpenSSL"
fi
grep -qx "TLS => no" <<<"$("$php" -n -d "extension=$module" --ri redislock)" || fail "phpinfo() does not say that there is no TLS"

said=$("$php" -n -d "extension=$module" -r '
	foreach ([["scheme" => "tls"], ["host" => "tls://a"], ["useSSL" => true], ["ssl" => ["cafile" => "/a"]], "rediss://a",
		["url" => "valkeys://a"]] as $params) {
		try {
			new RedisLock($params);
			echo "accepted: ", json_encode($params), "\n";
		} catch (ValueError $e) {
			echo str_contains($e->getMessage(), "TLS is asked for, which this build of redislock does not have") ?
				"refused\n" : $e->getMessage() . "\n";
		}
	}')
[ "$(sort -u <<<"$said")" = refused ] && [ "$(wc -l <<<"$said")" -eq 6 ] || fail "said: $said"

# pkg-config that knows hiredis alone.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/pc"
cp "$(pkg-config --variable=pcfiledir hiredis)/hiredis.pc" "$work/pc/"
if PKG_CONFIG_LIBDIR="$work/pc" "$top/scripts/build.sh" --dir="$work/build" --tls=yes >"$work/log" 2>&1; then
	fail "it was built although OpenSSL is not there"
fi
grep -q 'OpenSSL 1.1.1 or later was not found by pkg-config' "$work/log" "$work/build/build.log" ||
	fail "configure does not say what is missing: $(tail -n 3 "$work/log")"
