#!/usr/bin/env bash
#
# stress.sh: hands one lock over many times, while its holders and waiters are killed at random.
#
#     scripts/long/stress.sh [PROCESSES [HANDOVERS [SEED]]]
#
# By default four processes with 5,000 hand-overs each, half a minute: tests/stress/handovers.php. Fails if two processes were inside at
# once, if the lock stood still for 3 s, or if it is left behind. Then two and a half minutes of turns, tests/stress/turns.php: a hundred
# processes that come once, and 24 that come again and again. Fails if a process is served before an earlier one, or starves.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

module=$("$top/scripts/build.sh")
php=$("${PHP_CONFIG:-php-config}" --php-binary)
load_extensions "$module" posix pcntl
timeout -k 10 900 "$php" -n "${load[@]}" "$top/tests/stress/handovers.php" "${1:-4}" "${2:-5000}" ${3:+"$3"}
timeout -k 10 120 "$php" -n "${load[@]}" "$top/tests/stress/turns.php" 100 0.56 0
timeout -k 10 180 "$php" -n "${load[@]}" "$top/tests/stress/turns.php" 24 0.4 60
