#!/usr/bin/env bash
#
# stress.sh: many hand-overs of one lock while its holders and waiters are killed at random.
#
#     scripts/long/stress.sh [PROCESSES [HANDOVERS [SEED]]]
#
# Four processes with 5,000 hand-overs each unless told otherwise: about half a minute. Fails when two processes were
# inside at once, when the lock stood still for 3 s, or when it was left behind. tests/stress/handovers.php does it.
# Then two and a half minutes of turns, tests/stress/turns.php: a hundred processes that come once, the last of which wait
# for nearly a minute; and 24 that come again and again. Fails when somebody is served before an earlier one, or starves.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

module=$("$top/scripts/build.sh")
php=$("${PHP_CONFIG:-php-config}" --php-binary)
load_extensions "$module" posix pcntl
timeout -k 10 900 "$php" -n "${load[@]}" "$top/tests/stress/handovers.php" "${1:-4}" "${2:-5000}" ${3:+"$3"}
timeout -k 10 120 "$php" -n "${load[@]}" "$top/tests/stress/turns.php" 100 0.56 0
timeout -k 10 180 "$php" -n "${load[@]}" "$top/tests/stress/turns.php" 24 0.4 60
