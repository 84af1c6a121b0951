#!/usr/bin/env bash
#
# phpstan.sh: what users copy, examples/, passes PHPStan's strictest level with nothing but the stub for IDEs.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

phpstan="$top/build/vendor/vendor/bin/phpstan"
[ -r "$phpstan" ] || die "$phpstan is missing: scripts/vendor.sh fetches it"
cd "$top"
php -d memory_limit=1G "$phpstan" analyse --no-progress --error-format=raw -c scripts/phpstan/phpstan.neon
