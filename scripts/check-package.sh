#!/usr/bin/env bash
#
# check-package.sh: the package `pecl package` makes is valid, carries what it lists, and builds outside the tree
# with a bare phpize, configure and make, as `pecl install` does it.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

need pecl "${PHPIZE:-phpize}" make tar
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Shows what a command said only when it failed.
quietly()
{
	if ! "$@" >"$scratch/log" 2>&1 </dev/null; then
		tail -n 40 "$scratch/log" >&2
		die "$* failed"
	fi
}

cd "$scratch"
quietly pecl package-validate "$top/package.xml"
# Its exit status says nothing about warnings: a path that is not there is one.
grep -q 'Validation: 0 error(s), 0 warning(s)' log || { cat log >&2; die "package.xml is not valid"; }
quietly pecl package "$top/package.xml"
quietly tar -xzf redislock-*.tgz
rm redislock-*.tgz
cd redislock-*/
quietly "${PHPIZE:-phpize}"
quietly ./configure --with-hiredis=yes
quietly make -j "$jobs"
php=$("${PHP_CONFIG:-php-config}" --php-binary)
quietly env LD_BIND_NOW=1 "$php" -n -d "extension=$PWD/modules/redislock.so" --ri redislock
