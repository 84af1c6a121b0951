#!/usr/bin/env bash
#
# check-version.sh: php_redislock.h, package.xml, the command redislock and CHANGELOG.md name the same version, which in the change log
# is the first in a heading or at the start of a line. The Composer package refuses extensions of other minor versions.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

cd "$top"
header=$(sed -n 's/^#[[:space:]]*define[[:space:]]*PHP_REDISLOCK_VERSION[[:space:]]*"\([^"]*\)".*/\1/p' php_redislock.h)
package=$(sed -n '/<version>/,/<\/version>/s/.*<release>\([^<]*\)<\/release>.*/\1/p' package.xml)
command=$(sed -n "s/.*const VERSION = '\([^']*\)';.*/\1/p" packages/console/src/Application.php)
changes=$(sed -nE 's/^(#+ [^0-9]*)?([0-9]+\.[0-9]+\.[0-9][0-9A-Za-z-]*).*/\2/p' CHANGELOG.md | head -n 1)

if [ -z "$header" ] || [ "$header" != "$package" ] || [ "$header" != "$command" ] || [ "$header" != "$changes" ]; then
	die "php_redislock.h says '$header', package.xml '$package', the command '$command', CHANGELOG.md '$changes'"
fi

next="${header%%.*}.$(($(cut -d. -f2 <<<"$header") + 1))"
grep -qF "\"ext-redislock\": \"<${header%.*} || >=$next\"" packages/lock/composer.json ||
	die "packages/lock/composer.json should conflict with ext-redislock <${header%.*} || >=$next"
