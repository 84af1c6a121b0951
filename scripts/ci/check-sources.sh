#!/usr/bin/env bash
#
# check-sources.sh: config.m4 and config.w32 list exactly the sources of their platform, package.xml every file of
# the package. A file missing on one platform is otherwise noticed by users. Also, config.w32 is run.
#
#     scripts/ci/check-sources.sh [--write]
#
# With --write the three lists are made anew from the tree; without, differences are shown and the exit status is 1.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

write=false
case "${1:-}" in
	--write) write=true ;;
	"") ;;
	*) usage_error "unknown argument $1" ;;
esac

cd "$top"
failed=false

# The sources for one platform, from the bottom layer up: all but those of the platform named.
sources_without()
{
	local layer

	extension_sources | grep -v / || true
	for layer in base net redis lock renew hold config php; do
		extension_sources | grep "^src/$layer/" | grep -v "_$1\.c\$" || true
	done
}

# Puts the lines on stdin in the place of those between the two patterns.
replace_list()
{
	local file=$1 from=$2 to=$3

	cat >"$scratch/list"
	awk -v list="$scratch/list" -v from="$from" -v to="$to" '
		inside && $0 ~ to { inside = 0 }
		!inside { print }
		$0 ~ from { inside = 1; while ((getline line < list) > 0) print line }' "$file" >"$scratch/file"
	cat "$scratch/file" >"$file"
}

m4_from='REDISLOCK_SOURCES="$'
m4_to='^ *"$'
w32_from='redislock_sources = .$'
w32_to='^\t*];$'

if $write; then
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	sources_without win32 | sed 's/^/    /' | replace_list config.m4 "$m4_from" "$m4_to"
	sources_without posix | sed -e 's/.*/\t\t\t"&",/' -e '$s/,$//' | replace_list config.w32 "$w32_from" "$w32_to"
	scripts/ci/package-files.php
	exit 0
fi

compare()
{
	local what=$1 listed=$2 wanted=$3 differences

	differences=$(LC_ALL=C comm -3 <(echo "$listed" | LC_ALL=C sort) <(echo "$wanted" | LC_ALL=C sort) |
		sed -e 's/^\t/  missing: /' -e '/^  missing/!s/^/  not in the tree: /')
	if [ -n "$differences" ]; then
		echo "$what does not list the sources of the tree: run scripts/ci/check-sources.sh --write"
		echo "$differences"
		failed=true
	fi
}

listed()
{
	sed -n "/$2/,/$3/p" "$1" | grep -oE '[A-Za-z0-9_/]+\.c'
}

compare config.m4 "$(listed config.m4 "$m4_from" "$m4_to")" "$(sources_without win32)"
compare config.w32 "$(listed config.w32 "$w32_from" "$w32_to")" "$(sources_without posix)"
scripts/ci/package-files.php --check || failed=true
need node
sources_without posix | scripts/ci/check-w32.js config.w32 || failed=true

if $failed; then
	exit 1
fi
