#!/usr/bin/env bash
#
# contract.sh: runs `composer test` with the extension of scripts/build.sh, so that locks on a server keep the contract of all locks.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

need phpunit redis-server
module=$("$top/scripts/build.sh" | tail -n 1)
php=$("${PHP_CONFIG:-php-config}" --php-binary)
load_extensions "$module" posix sockets dom mbstring xml xmlwriter tokenizer
exec "$php" -n "${load[@]}" "$(command -v phpunit)" --configuration "$top/tests/phpunit"
