#!/usr/bin/env bash
#
# deb.sh: builds the package for Debian 13 in one root, and tries it in another without compiler and libhiredis: lintian has no complaint,
# `php -m` shows the module, and the demonstration runs. The packages are in build/deb.
#
#     scripts/release/deb.sh [--root-dir=DIR]
#
# Needs root, for debootstrap and chroot. The roots are made once, and kept in DIR (/var/cache/redislock-deb); the trial is in a copy.

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
say() { printf 'deb: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

base="${XDG_CACHE_HOME:-/var/cache}/redislock-deb"
for arg; do
	case "$arg" in
		--root-dir=*) base=${arg#*=} ;;
		*) die "unknown argument $arg" ;;
	esac
done
[ "$(id -u)" = 0 ] || die "needs root, for debootstrap and chroot"
suite=trixie
logs=$top/build/deb
rm -rf "$logs"
mkdir -p "$base" "$logs"
exec 9>"$base/.lock"
flock 9
. "$(dirname "$0")/../inc/roots.sh"

# Says what a step wrote only when it failed.
step()
{
	local what=$1 log="$logs/$2.log"
	shift 2
	say "$what"
	"$@" >"$log" 2>&1 || { tail -n 30 "$log" >&2; die "failed: $what; see $log"; }
}

for root in "$base/build" "$base/clean"; do
	[ -d "$root" ] || bootstrap_root "$root" "$suite" "$logs/debootstrap.log"
	write_sources "$root" "$suite"
done
tools="debhelper dh-php php-dev libhiredis-dev libssl-dev pkgconf build-essential lintian"
if [ "$(cat "$base/build/.has-tools" 2>/dev/null)" != "$tools" ]; then
	step "installing what builds packages (once)" packages in_root "$base/build" 1800 \
		"apt-get update; apt-get install -y $tools; apt-get clean"
	echo "$tools" >"$base/build/.has-tools"
fi

# --- the package -------------------------------------------------------------------------------------------

packages=$base/build/source
rm -rf -- "$packages"
mkdir -p "$packages/php-redislock"
git -C "$top" ls-files -z --cached --others --exclude-standard | tar -C "$top" --no-recursion --null -T - -c |
	tar -C "$packages/php-redislock" -x
step "building the package" build in_root "$base/build" 900 'cd /source/php-redislock; dpkg-buildpackage --no-sign --build=binary'
step "lintian" lintian in_root "$base/build" 300 'lintian --allow-root --info --fail-on error,warning /source/*.changes'
cp "$packages"/*.deb "$logs/"

# --- the trial ---------------------------------------------------------------------------------------------

trial=$base/trial
work=$trial # roots.sh removes it when this is interrupted
rm -rf -- "$trial"
cp -a "$base/clean" "$trial"
mkdir "$trial/deb"
cp "$logs"/php-redislock_*.deb "$trial/deb/"
tar -C "$top" -c scripts examples | tar -C "$trial/deb" -x
step "installing it in a clean root" install in_root "$trial" 900 'apt-get update; apt-get install -y /deb/php-redislock_*.deb php-cli'
step "php -m" loaded in_root "$trial" 60 'php -m | grep -x redislock; php --ri redislock; dpkg -l php-redislock'
# shellcheck disable=SC2016
step "no compiler is there" compiler in_root "$trial" 60 '! command -v cc gcc make phpize'
step "installing a server for the demo" server in_root "$trial" 900 'apt-get install -y redis-server procps util-linux'
# shellcheck disable=SC2016
step "the demo" demo in_root "$trial" 300 '/deb/scripts/demo.sh --so="$(php -r "echo ini_get(\"extension_dir\");")/redislock.so"'
step "removing it" removed in_root "$trial" 300 'apt-get purge -y php-redislock; ! php -m | grep -x redislock'
rm -rf -- "$trial"
ls "$logs"/*.deb
