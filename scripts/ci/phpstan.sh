#!/usr/bin/env bash
#
# phpstan.sh: what users copy, examples/, passes PHPStan's strictest level with nothing but the stub for IDEs; and PHPStan
# finds by that stub what is wrong with the options in phpstan/options.php.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

phpstan="$top/build/vendor/vendor/bin/phpstan"
[ -r "$phpstan" ] || die "$phpstan is missing: scripts/vendor.sh fetches it"
cd "$top"

analyse()
{
	php -d memory_limit=1G "$phpstan" analyse --no-progress --error-format=raw -c scripts/ci/phpstan/phpstan.neon "$@"
}

analyse
said=$(analyse scripts/ci/phpstan/options.php 2>&1 || true)
if ! diff <(grep -n '// found' scripts/ci/phpstan/options.php | cut -d: -f1) \
	<(sed -n 's/^[^:]*options\.php:\([0-9]*\):.*/\1/p' <<<"$said" | uniq); then
	printf '%s\n' "$said"
	die "PHPStan finds other lines of scripts/ci/phpstan/options.php than those that say so"
fi
