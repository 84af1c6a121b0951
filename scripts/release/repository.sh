#!/usr/bin/env bash
#
# repository.sh: fills in the repository's address, wherever a reader clones or downloads.
#
#     scripts/release/repository.sh owner/name
#
# packaging/REPOSITORY has the present one: until the first release OWNER/redislock.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

[[ "${1:-}" =~ ^[A-Za-z0-9-]+/[A-Za-z0-9._-]+$ ]] || usage_error "the repository is owner/name"
cd "$top"
now=$(cat packaging/REPOSITORY)
git grep -lzF "$now" | xargs -0 sed -i "s|$now|$1|g"
