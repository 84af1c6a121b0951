#!/usr/bin/env bash
#
# phar.sh: makes the program redislock as one file, which needs only PHP, and for locks the extension. Prints its path.
#
#     scripts/release/phar.sh [FILE]
#
# FILE is build/release/redislock.phar by default. Packages of others are those of build/vendor (scripts/vendor.sh).

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

file=${1:-$top/build/release/redislock.phar}
mkdir -p "$(dirname "$file")"
php -d phar.readonly=0 "$top/scripts/release/phar.php" "$top" "$file"
"$file" --version >/dev/null || die "the program does not run"
echo "$file"
