#!/usr/bin/env bash
#
# memory.sh: every allocation of the extension fails once, each in a process of its own: PHP gets an exception, goes on, and
# everything is freed.

set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/scripts/lib.sh"
need gcc

module=$("$top/scripts/build.sh")
php=$("${PHP_CONFIG:-php-config}" --php-binary)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
gcc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -shared -fPIC -o "$scratch/memory.so" "$top/tests/shell/memory.c" -ldl
load_extensions "$module" posix sockets
"$php" -n "${load[@]}" "$top/tests/shell/memory.php" "$scratch/memory.so" "$php" -n "${load[@]}"
