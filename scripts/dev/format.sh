#!/usr/bin/env bash
#
# format.sh: formats the C sources with clang-format 14; with --check it only says which files would change, and
# exits 1. Any other version formats differently and is refused. Generated headers are left alone.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

check=false
case "${1:-}" in
	--check) check=true ;;
	"") ;;
	*) usage_error "unknown argument $1" ;;
esac

major=14
for clang_format in "clang-format-$major" clang-format; do
	if have "$clang_format" && [[ $("$clang_format" --version) == *"version $major."* ]]; then
		break
	fi
	clang_format=
done
[ -n "$clang_format" ] || die "clang-format $major is missing: scripts/install-deps.sh dev"

cd "$top"
files=()
while read -r file; do
	files+=("$file")
done < <({ extension_sources; extension_headers; find tests bench examples -name '*.[ch]' 2>/dev/null; } |
	grep -vx redislock_arginfo.h)

if $check; then
	if output=$("$clang_format" --style=file --dry-run -Werror "${files[@]}" 2>&1); then
		exit 0
	fi
	echo "$output" | grep -oE '^[^ ]*:[0-9]+:[0-9]+: error' | cut -d: -f1,2 | uniq | cut -d: -f1 | uniq -c
	die "lines to be formatted otherwise: run make format"
fi
"$clang_format" --style=file -i "${files[@]}"
