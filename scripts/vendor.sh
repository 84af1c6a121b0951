#!/usr/bin/env bash
#
# vendor.sh: fetches the PHP packages some tests run beside locks, tests/composer.json, to build/vendor.
#
# Does nothing when they are there and the file has not changed since.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

need composer unzip
vendor="$top/build/vendor"
if cmp -s "$top/tests/composer.json" "$vendor/composer.json" && [ -r "$vendor/vendor/autoload.php" ]; then
	exit 0
fi
rm -rf "$vendor"
mkdir -p "$vendor"
cp "$top/tests/composer.json" "$vendor/"
# Nothing a package brings along is run.
if ! COMPOSER_ALLOW_SUPERUSER=1 timeout 300 composer update --working-dir="$vendor" --no-interaction --no-progress \
	--no-scripts --no-plugins >"$vendor/log" 2>&1 </dev/null; then
	tail -n 30 "$vendor/log"
	rm -f "$vendor/composer.json"
	die "composer could not fetch the packages"
fi
