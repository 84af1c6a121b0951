#!/usr/bin/env bash
#
# phpstan.sh: examples/ and packages/ pass PHPStan's strictest level with nothing but the stub for IDEs; and by that stub PHPStan finds
# the wrong options in phpstan/options.php.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

phpstan="$top/build/vendor/vendor/bin/phpstan"
[ -r "$phpstan" ] || die "$phpstan is missing: scripts/vendor.sh fetches it"
cd "$top"

analyse()
{
	php -d memory_limit=1G "$phpstan" analyse --no-progress --error-format=raw -c "scripts/ci/phpstan/$1.neon" "${@:2}"
}

# finds_what_is_said FILE: PHPStan finds the lines of the file that say "// found", and no other.
finds_what_is_said()
{
	local file=$1 said

	said=$(analyse phpstan "$file" 2>&1 || true)
	if ! diff <(grep -n '// found' "$file" | cut -d: -f1) \
		<(sed -n "s/^[^:]*$(basename "$file"):\([0-9]*\):.*/\1/p" <<<"$said" | uniq); then
		printf '%s\n' "$said"
		die "PHPStan finds other lines of $file than those that say so"
	fi
}

analyse phpstan
analyse packages
analyse polyfill
finds_what_is_said scripts/ci/phpstan/options.php
