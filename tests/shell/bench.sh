#!/usr/bin/env bash
#
# The C programs of bench/ still fit the sources they are linked with, a table can be measured, and two versions compared.

set -euo pipefail
cd "$(dirname "$0")/../.."

flags="$(pkg-config --cflags hiredis) $(php-config --includes)"
for program in bench/*.c; do
	# Words: several flags.
	# shellcheck disable=SC2086
	cc -std=gnu11 -Wall -Werror -fsyntax-only -D_GNU_SOURCE -Isrc $flags "$program"
done
printed=$(bench/run --quick --pairs 50 pairs)
grep -q '^| redislock ' <<<"$printed"
printed=$(bench/run --quick --pairs 20 --before build/ext/modules/redislock.so)
for row in "kept connection, TCP" "quorum of 5" "hand-over, lease, 8 waiting" "execute(), 16 MB, later, after"; do
	grep -q "^| $row " <<<"$printed"
done
